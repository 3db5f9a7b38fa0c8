#compdef parley
# What may come next is known to the program alone.
local -a found
found=(${(f)"$(parley complete -- "${(@)words[2,CURRENT]}" 2>/dev/null | sed 's/:/\\:/g; s/\t/:/')"})
if (( ${#found} )); then
  _describe 'parley' found
else
  _files
fi
