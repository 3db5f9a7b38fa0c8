# shellcheck shell=bash
# Packages, configuring and building for run, test, bench and lint, which source this with `root` set.
# Everything said here goes to stderr: stdout belongs to whatever is run afterwards.

: "${root:?the script that sources this sets it to the top of the tree}"
state=$root/build/.state  # stamps, locks and logs

say() { printf 'parley: %s\n' "$*" >&2; }

die() {
  say "$@"
  exit 2
}

# show_log LOG: where it went wrong, in at most 60 lines, and where the rest is.
show_log() {
  local from
  from=$(grep -nm1 -E '^FAILED:|^CMake Error|^E: ' "$1" | cut -d: -f1) || true
  if [[ $from ]]; then
    tail -n "+$from" "$1" | head -n 60 >&2
  else
    tail -n 60 "$1" >&2
  fi
  say "the whole log: $1"
}

# with_lock NAME COMMAND…: one process at a time; the lock is gone before the caller execs anything.
with_lock() {
  local name=$1 lock status=0
  shift
  mkdir -p "$state"
  exec {lock}>"$state/$name.lock"
  if ! flock -n "$lock"; then
    say "waiting for another process that holds $state/$name.lock …"
    flock "$lock"
  fi
  "$@" || status=$?
  exec {lock}>&-
  return "$status"
}

# packages_of GROUP…: their package names, one a line.
packages_of() {
  local wanted=" $* " group='' line
  while read -r line || [[ $line ]]; do
    case $line in
      '' | '#'*) ;;
      '['*']') group=${line:1:-1} ;;
      *) [[ $wanted != *" $group "* ]] || printf '%s\n' "$line" ;;
    esac
  done <"$root/tools/packages.txt"
}

# missing_packages NAME…: those of them that are not installed, one a line.
missing_packages() {
  local installed name
  installed=$'\n'$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null || true)$'\n'
  for name; do
    [[ $installed == *$'\n'"$name installed"$'\n'* ]] || printf '%s\n' "$name"
  done
}

# as_root COMMAND…: sudo asks for a password only where somebody can read the question.
as_root() {
  if ((EUID == 0)); then
    "$@"
  elif [[ -t 2 ]]; then
    sudo "$@"
  else
    sudo -n "$@"
  fi
}

install_packages() {
  local log=$state/apt.log
  if ! command -v apt-get >/dev/null; then
    die "no apt-get here; the packages this needs on Debian 12: $*"
  fi
  if ((EUID != 0)) && ! command -v sudo >/dev/null; then
    die "these packages are missing and can only be installed by root (there is no sudo): apt-get install $*"
  fi
  say "installing $# package$( (($# == 1)) || echo s) ($*) …"
  # A failed update is no failure yet: the lists may be good enough.
  as_root apt-get -q update >"$log" 2>&1 </dev/null || true
  if ! as_root env DEBIAN_FRONTEND=noninteractive apt-get -qy -o DPkg::Lock::Timeout=300 \
    install --no-install-recommends "$@" >>"$log" 2>&1 </dev/null; then
    show_log "$log"
    die "installing failed; as root, try: apt-get update && apt-get install $*"
  fi
}

check_packages() {
  local stamp=$1 missing
  shift
  mapfile -t missing < <(missing_packages "$@")
  if ((${#missing[@]})); then
    install_packages "${missing[@]}"
    : >"$state/installed"
  fi
  printf '%s' "$*" >"$stamp"
}

# ensure_packages GROUP…: installs what is missing. Looks again only when the list or dpkg's record changed.
ensure_packages() {
  local name stamp wanted
  name=packages-$*
  stamp=$state/${name// /-}
  mapfile -t wanted < <(packages_of "$@")
  if [[ -f $stamp && $stamp -nt /var/lib/dpkg/status && $(<"$stamp") == "${wanted[*]}" ]]; then return; fi
  with_lock packages check_packages "$stamp" "${wanted[@]}"
}

# follow_ninja TITLE: copies ninja's output to stdout, says TITLE once something is really built, and counts
# along on a terminal.
follow_ninja() {
  local line said='' terminal=''
  [[ ! -t 2 ]] || terminal=yes
  while IFS= read -r line; do
    printf '%s\n' "$line"
    case $line in
      *'Re-checking globbed'*) ;;
      '['*/*']'*)
        if [[ $terminal ]]; then
          printf '\r\033[K%s' "parley: $1 ${line%%]*}]" >&2
        elif [[ ! $said ]]; then
          say "$1 …"
        fi
        said=yes
        ;;
    esac
  done
  [[ ! $terminal || ! $said ]] || printf '\r\033[K' >&2
}

# is_configured FOLDER: for this place (a copied tree has the old one in its cache) and with all that is installed
# now (a cache from before remembers that a package wasn't there).
is_configured() {
  [[ -f $1/build.ninja && ! $state/installed -nt $1/CMakeCache.txt ]] &&
    grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$1/CMakeCache.txt"
}

# In CI everything is built from nothing, and headers are most of what there is to compile: sixteen files at once.
configure() {
  local preset=$1 folder=$root/build/$1 log=$state/$1-configure.log
  local -a more=()
  ! is_configured "$folder" || return 0
  say "configuring $preset …"
  rm -f "$folder/build.ninja"
  [[ ! ${CI-} || $preset != dev ]] || more=(-DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=16 -DPARLEY_TEST_BATCH=16)
  if ! (cd "$root" && cmake --fresh --preset "$preset" "${more[@]}") >"$log" 2>&1 </dev/null; then
    show_log "$log"
    die "configuring $preset failed"
  fi
}

configure_and_build() {
  local preset=$1 log=$state/$1-build.log title="building $1"
  shift
  configure "$preset"
  [[ -f $root/build/$preset/.ninja_log ]] || title+=" (the first time takes some minutes)"
  if ! ninja -C "$root/build/$preset" "$@" 2>&1 </dev/null | follow_ninja "$title" >"$log"; then
    show_log "$log"
    die "building $preset failed"
  fi
}

# build PRESET [TARGET…]: configures when needed, then builds; says why and ends the script when it can't.
build() { with_lock "$1" configure_and_build "$@"; }
