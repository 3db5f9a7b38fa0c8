# shellcheck shell=bash
# The checks that need no running program. Sourced by test after build.sh; each returns 1 on findings.

: "${root:?the script that sources this sets it to the top of the tree}"

# sources: every C++ file of ours, one a line.
sources() {
  (cd "$root" && find core plugins skills tests tools -name '*.cpp' -o -name '*.hpp') | sort
}

# changed_sources: those that differ from where this branch left origin's, or, where nothing does or there is no
# origin, from the commit before.
changed_sources() {
  local base head
  head=$(git -C "$root" rev-parse HEAD) || return 1
  base=$(git -C "$root" merge-base HEAD origin/HEAD 2>/dev/null) || base=
  if [[ ! $base || $base == "$head" ]]; then
    base=$(git -C "$root" rev-parse -q --verify HEAD~1) || base=$(git -C "$root" hash-object -t tree /dev/null)
  fi
  comm -12 <(sources) <({
    git -C "$root" diff --name-only "$base" --
    git -C "$root" ls-files --others --exclude-standard
  } | sort -u)
}

lint_format() {
  local files file
  mapfile -t files < <(sources)
  if ! (cd "$root" && clang-format --dry-run --Werror "${files[@]}") >/dev/null 2>&1; then
    for file in "${files[@]}"; do
      (cd "$root" && clang-format --dry-run --Werror "$file") >/dev/null 2>&1 ||
        printf '%s: not formatted; clang-format -i %s does it\n' "$file" "$file"
    done
    return 1
  fi
  printf 'format: %d files\n' "${#files[@]}"
}

lint_scripts() {
  local files
  mapfile -t files < <(cd "$root" && grep -rlE '^#!.*bash|^# shellcheck shell=bash' tools .ci | sort)
  (cd "$root" && shellcheck --external-sources "${files[@]}") || return 1
  printf 'shellcheck: %d scripts\n' "${#files[@]}"
}

lint_rooms() { "$root/tools/lint/rooms.py"; }

lint_includes() { "$root/tools/lint/includes.py"; }

lint_doors() { "$root/tools/lint/doors.sh"; }

# The sanitizer's build is clang's, too, and compiles many files at once: half of the time.
lint_coroutines() { "$root/tools/lint/coroutines.py" "$root/build/asan"; }

# lint_tidy all|changed: headers are looked at as files of their own, so one finding shows once.
lint_tidy() {
  local -a files=()
  local list=sources
  [[ $1 == all ]] || list=changed_sources
  list=$("$list") || return 1
  [[ ! $list ]] || mapfile -t files <<<"$list"
  if [[ $list ]]; then
    # The count of warnings in other people's headers is no finding.
    (cd "$root" && printf '%s\0' "${files[@]}" | xargs -0 -P "$(nproc)" -n 1 \
      clang-tidy -p build/tidy --quiet --extra-arg=-Wno-pragma-once-outside-header) 2>&1 |
      sed -E '/^[0-9]+ (warnings?|errors?)( and .*)? (generated|treated as errors?)\.?$/d' || return 1
  fi
  printf 'clang-tidy: %d files\n' "${#files[@]}"
}

# check_plugins PRESET: what the plugins of that build export.
check_plugins() {
  local libraries
  mapfile -t libraries < <(find "$root/build/$1/lib/parley" -name 'libparley_*.so' 2>/dev/null | sort)
  "$root/tools/lint/plugins.sh" "${libraries[@]}"
}
