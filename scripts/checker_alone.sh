#!/usr/bin/env bash
# scripts/checker_alone.sh CHECKER PROGRAM CHECKS PROVERS...
# The checker of certificates holds no function of the libraries PROVERS (archives): fails and names
# those it has. That PROGRAM, which is linked from them, has some, and that the checker has those of
# the archive CHECKS, shows that the comparison finds what it looks for.
set -euo pipefail
checker=$1 program=$2 checks=$3
shift 3
# Functions and data with one definition; inline ones belong to every file that includes them.
defined() { nm --defined-only "$@" 2>/dev/null | awk 'NF == 3 && $2 ~ /[TDRB]/ {print $3}' | sort -u; }
shared() { comm -12 <(defined "$1") <(defined "${@:2}"); }
fail() { echo "checker_alone: $1"; exit 1; }

[[ -n $(shared "$checker" "$checks") ]] || fail "$checker has no symbol of $checks: stripped?"
[[ -n $(shared "$program" "$@") ]] || fail "$program has no symbol of $*: stripped?"
found=$(shared "$checker" "$@")
[[ -z $found ]] || fail "$checker holds functions of the prover:"$'\n'"$(c++filt <<<"$found")"
