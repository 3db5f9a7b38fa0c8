# What may come next is known to the program alone.
_parley() {
  local IFS=$'\n'
  COMPREPLY=($(compgen -W "$(parley complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1)" \
    -- "${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _parley parley
