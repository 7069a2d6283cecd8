#!/usr/bin/env bash
# scripts/dependencies.sh [EXTRA_PACKAGE]...
# Installs the Debian packages that daemark needs and that are missing (apt-get as root, or with a sudo
# that asks for no password). Without permission to install, it names the packages in one line and
# exits with status 2. On other systems CMake checks. DAEMARK_DEPENDENCIES=skip skips the check.
# scripts/dependencies.sh --list [EXTRA_PACKAGE]... prints the packages, one a line.
set -euo pipefail

list_only=
if [[ ${1:-} == --list ]]; then
  list_only=1
  shift
fi
packages=(
  g++ cmake ninja-build
  libboost-dev libboost-iostreams-dev libboost-system-dev libboost-filesystem-dev
  libgmp-dev libmpfr-dev libflint-dev
  libeigen3-dev nlohmann-json3-dev libfmt-dev libcli11-dev
  libgnuplot-iostream-dev gnuplot-nox
  libsundials-dev libsuitesparse-dev
  libzip-dev libsleef-dev
  libgtest-dev libgmock-dev libbenchmark-dev python3
  "$@"
)

# FLINT 3 (Debian 13) contains Arb, which FLINT 2 does not.
needs_arb() {
  local flint
  flint=$(dpkg-query -W -f '${Version}' libflint-dev 2>/dev/null ||
    apt-cache policy libflint-dev 2>/dev/null | sed -n 's/^ *Candidate: //p' || true)
  [[ $flint == 2.* ]]
}
if needs_arb; then packages+=(libflint-arb-dev); fi

if [[ $list_only ]]; then
  printf '%s\n' "${packages[@]}"
  exit 0
fi
[[ ${DAEMARK_DEPENDENCIES:-} == skip ]] && exit 0

if ! command -v dpkg-query >/dev/null; then
  for tool in cmake ninja c++ gnuplot; do
    command -v "$tool" >/dev/null && continue
    echo "daemark: $tool not found; install it and what scripts/dependencies.sh --list names" >&2
    exit 2
  done
  exit 0
fi

declare -A installed=()
while read -r package state; do
  [[ $state == installed ]] && installed[$package]=1
done < <(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "${packages[@]}" 2>/dev/null)

missing=()
for package in "${packages[@]}"; do
  [[ -n ${installed[$package]:-} ]] && continue
  # Any gnuplot draws SVG.
  [[ $package == gnuplot-nox ]] && command -v gnuplot >/dev/null && continue
  [[ $package == python3 ]] && command -v python3 >/dev/null && continue
  missing+=("$package")
done
((${#missing[@]} == 0)) && exit 0

as_root=()
if ((EUID != 0)); then
  as_root=(sudo -n)
fi
refuse() {
  echo "daemark: $1; install with: apt-get install ${missing[*]}" >&2
  exit 2
}
command -v apt-get >/dev/null || refuse "Debian packages are missing and there is no apt-get"
"${as_root[@]}" true 2>/dev/null ||
  refuse "Debian packages are missing and this user may not install them"

echo "daemark: installing Debian packages: ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive
apt=("${as_root[@]}" apt-get -qq -o DPkg::Lock::Timeout=300)
"${apt[@]}" update >&2 || refuse "apt-get update failed"
if [[ " ${packages[*]} " != *" libflint-arb-dev "* ]] && needs_arb; then  # known by now
  missing+=(libflint-arb-dev)
fi
"${apt[@]}" install -y --no-install-recommends "${missing[@]}" >&2 ||
  refuse "apt-get install failed"
