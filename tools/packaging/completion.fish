# What may come next is known to the program alone.
complete -c parley -a '(parley complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
