#!/usr/bin/env bash
# scripts/try_system.sh bookworm|trixie [gcc|clang|bare] [COMMAND]...
# Makes a bare Debian 12 or 13, clones the committed tree into it and runs the COMMANDs there, each by a
# shell in the clone; then `git status` must be clean. Default commands: the first ones of README,
# `make reproduce` and `make test`. Needs root and debootstrap.
#   gcc    git and make alone (default): the project installs its compiler and libraries
#   clang  the same with clang as the compiler
#   bare   python3, NumPy and venv, no compiler and no library: for `make wheel`'s file
# The bare system is kept under DAEMARK_SYSTEMS (default /var/tmp/daemark-systems) and copied for
# each call; the copy is removed at the end, unless KEEP=1. FILES="FILE..." are copied to /files.
set -euo pipefail
fail() {
  echo "try_system.sh: $1" >&2
  exit 2
}
suite=${1:-}
[[ $suite == bookworm || $suite == trixie ]] ||
  fail "'$suite' is no system; accepted: bookworm (Debian 12), trixie (Debian 13)"
shift
kind=gcc
if [[ ${1:-} == gcc || ${1:-} == clang || ${1:-} == bare ]]; then
  kind=$1
  shift
fi
(($# > 0)) || set -- "make reproduce" "make test"
((EUID == 0)) || fail "needs root, to make a system and to change into it"
command -v debootstrap >/dev/null || fail "debootstrap not found; install it with apt-get"

source=$(git -C "$(dirname "$0")" rev-parse --show-toplevel)
systems=${DAEMARK_SYSTEMS:-/var/tmp/daemark-systems}
packages=git,make,ca-certificates
[[ $kind == clang ]] && packages+=,clang
[[ $kind == bare ]] && packages=git,ca-certificates,python3-numpy,python3-venv
base=$systems/$suite-$kind
if [[ ! -f $base/etc/debian_version ]]; then
  mkdir -p "$systems"
  rm -rf "$base.new"
  debootstrap --variant=minbase --include="$packages" "$suite" "$base.new" >"$base.log" 2>&1 ||
    fail "debootstrap failed: $base.log"
  mv "$base.new" "$base"
fi
root=$(mktemp -d "$systems/run-$suite-$kind.XXXX")
if [[ ${KEEP:-} ]]; then
  echo "kept: $root"
else
  trap 'rm -rf "$root"' EXIT
fi
cp -a "$base/." "$root"
cp /etc/resolv.conf /etc/hosts "$root/etc/"
mkdir -p "$root/files"
for file in ${FILES:-}; do cp "$file" "$root/files/"; done
git clone --quiet "$source" "$root/daemark"

# A separate namespace for mounts and processes, so that nothing is left behind.
compiler=(CC=gcc CXX=g++)
[[ $kind == clang ]] && compiler=(CC=clang CXX=clang++)
# shellcheck disable=SC2016
inside='
cd /daemark
for command in "$@"; do
  echo "== $(. /etc/os-release; echo "$PRETTY_NAME"): $command"
  bash -c "$command" || { echo "== status $?: $command"; exit 1; }
done
[[ -z $(git status --porcelain) ]] || { git status --short; echo "== the tree has changed"; exit 1; }
echo "== done, the tree is clean"'
# shellcheck disable=SC2016
unshare --mount --pid --fork --kill-child bash -c '
  root=$1
  shift
  mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" && exec chroot "$root" "$@"' - \
  "$root" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
  LC_ALL=C.UTF-8 "${compiler[@]}" bash -c "$inside" - "$@"
