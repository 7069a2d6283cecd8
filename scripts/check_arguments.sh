#!/usr/bin/env bash
# scripts/check_arguments.sh NAME=VALUE...
# Checks the variables given to `make` before anything is built: a value that no target accepts gives
# one line and status 2. Empty values are skipped. ITEMS are PAPER[/ITEM], with TARGET=verify also
# methods and files; TESTS must match the name of a test in the sources, or another ctest entry.
set -euo pipefail
cd "$(dirname "$0")/.."

refuse() {
  echo "make: $1=$2: accepted: $3" >&2
  exit 2
}
listed() { paste -sd' ' | sed 's/ /, /g'; }
presets() { sed -n '/"configurePresets"/,/"buildPresets"/s/.*"name": "\(.*\)".*/\1/p' CMakePresets.json; }
names() { for file in "$@"; do file=${file##*/} && echo "${file%.json}"; done; }
papers() { for file in experiments/*/paper.json; do names "${file%/*}"; done; }
items() { names "experiments/$1"/*.json | grep -vxE 'paper|errata'; }
# Ids of tableaus, and words that may name a method in C++.
methods() {
  names methods/tableaus/*.json methods/tableaus/library/*.json
  grep -hoE '"[a-z][a-z0-9_]*"' methods/*.cpp methods/*/*.cpp | tr -d '"'
}
is_method() { [[ -n $(methods | grep -xF -e "${1%%(*}") ]]; }
# Suite.Test, the names of parametrised tests, and the ctest entries.
tests() {
  grep -rhoE '^(TYPED_)?TEST(_F|_P)?\([A-Za-z0-9_]+, *[A-Za-z0-9_]+' tests --include='*_test.cpp' |
    sed -E 's/^[A-Z_]+\(//; s/, */./; p; s/(.*)/All\/\1\/0/'
  grep -oE 'add_test\(NAME [a-z_]+' scripts/cmake/tests.cmake | sed 's/.* //; s/^tests_$/tests_1_of_1/'
}

target=
for argument in "$@"; do
  name=${argument%%=*} value=${argument#*=}
  [[ $name == METHOD && -z $value && $target == compare ]] &&
    refuse METHOD "" "the method to compare, METHOD='gauss(3)'"
  [[ -z $value ]] && continue
  case $name in
    TARGET) target=$value ;;
    PRESET) [[ -n $(presets | grep -xF -e "$value") ]] || refuse PRESET "$value" "$(presets | listed)" ;;
    REPRODUCE) [[ $value == short ]] || refuse REPRODUCE "$value" short ;;
    JOBS) [[ $value =~ ^[1-9][0-9]{0,3}$ ]] || refuse JOBS "$value" "a number of compilers, 1 to 9999" ;;
    METHOD) is_method "$value" ||
      refuse METHOD "$value" "a method of methods/, with arguments: METHOD='gauss(3)'" ;;
    ITEMS)
      for item in $value; do
        paper=${item%%/*}
        if [[ $target == verify && ( $item == *.json && -f $item || ! -d experiments/$paper ) ]]; then
          [[ $item == *.json ]] || is_method "$item" && continue
          [[ -f $item ]] || refuse ITEMS "$item" "a method, a tableau file, or one of $(papers | listed)"
        fi
        [[ -f experiments/$paper/paper.json ]] || refuse ITEMS "$item" "$(papers | listed)"
        [[ $item == "$paper" || -f experiments/$item.json ]] ||
          refuse ITEMS "$item" "$paper/ITEM of $(items "$paper" | listed)"
      done
      ;;
    TESTS)
      grep -qE -e "$value" </dev/null 2>/dev/null || (($? < 2)) || refuse TESTS "$value" "a regular expression"
      [[ -n $(tests | grep -E -e "$value") ]] ||
        refuse TESTS "$value" "a regular expression on Suite.Test that a test matches"
      ;;
    *) refuse "$name" "$value" "PRESET, REPRODUCE, JOBS, METHOD, ITEMS or TESTS" ;;
  esac
done
