#!/usr/bin/env bash
# usage: plugins.sh LIBRARY…
# Each must export its door (`parley_plugin`, or that of the connection to NATS) and nothing else, and hold no unique
# symbols: those keep dlclose from unmapping.
set -euo pipefail

fail=0
complain() {
  printf '%s: %s\n' "$1" "$2"
  fail=1
}

(($#)) || complain plugins 'no library was given'
for library; do
  door=parley_plugin
  [[ $library != */libparley_nats.so ]] || door=parley_nats_connect
  if ! symbols=$(nm -D --defined-only "$library" 2>&1); then
    complain "$library" "$symbols"
    continue
  fi
  # Version nodes (type A) carry the version script's name and are no symbols of the code.
  exported=$(awk 'NF == 3 && $2 != "A" { sub(/@.*/, "", $3); print $3 }' <<<"$symbols" | sort | tr '\n' ' ')
  if [[ $exported != "$door " ]]; then
    complain "$library" "exports '${exported% }', expected '$door' alone: build it with parley_add_stage() or parley_add_skill()"
  fi
  unique=$(readelf --dyn-syms --wide "$library" | awk '$5 == "UNIQUE" { print $8 }' | tr '\n' ' ')
  if [[ $unique ]]; then
    complain "$library" "has unique symbols, so dlclose won't unmap it (-fno-gnu-unique is missing): ${unique% }"
  fi
done

((fail)) || printf 'plugins: %d export their door alone and can be unmapped\n' "$#"
exit "$fail"
