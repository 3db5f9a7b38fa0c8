#!/usr/bin/env bash
# usage: doors.sh
# What comes from outside is read by one function each, which bounds it: JSON by parse_json(), files by read_file().
# YAML is parsed from such a text; its parser bounds the nesting. Finds what goes past them; doors.allow lists what may, with reasons.
set -euo pipefail
root=$(readlink -f -- "${BASH_SOURCE[0]}")
root=${root%/tools/*}

json='\b(Json|json|ordered_json)::(parse|sax_parse|accept|from_[a-z]+)\b'
yaml='\bYAML::(LoadFile|LoadAllFromFile)\b'
files='\bstd::ifstream\b|\bfopen\b|[^a-z_]::open\('

cd "$root"
found=$(grep -rnE --include='*.cpp' --include='*.hpp' "$json|$yaml|$files" core plugins skills tools/command |
  grep -vE '^[^:]*_test\.cpp:') || true
fail=0
used=()
while IFS= read -r line; do
  [[ $line ]] || continue
  file=${line%%:*}
  if grep -qE "^$file( |\$)" tools/lint/doors.allow; then
    used+=("$file")
  else
    printf '%s\n' "$line" >&2
    fail=1
  fi
done <<<"$found"
((fail == 0)) || printf 'doors: use parse_json() or read_file(), or give a reason in tools/lint/doors.allow\n' >&2
while IFS= read -r allowed; do
  if [[ " ${used[*]-} " != *" ${allowed%% *} "* ]]; then
    printf 'doors: tools/lint/doors.allow names %s, which needs no exception\n' "${allowed%% *}" >&2
    fail=1
  fi
done < <(grep -vE '^(#|$)' tools/lint/doors.allow)
((fail)) || printf 'doors: nothing is read past them\n'
exit "$fail"
