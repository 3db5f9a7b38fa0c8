# What may come next is known to the program alone; where it knows nothing, files.
function __parley_complete
    set -l found (parley complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)
    if set -q found[1]
        printf '%s\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c parley -f -a '(__parley_complete)'
