#!/bin/sh
# sh radau5_build.sh "RADAU5.f [FILE...]" [PREFIX]
# Builds ./radau5 from radau5.f90, the file with SUBROUTINE RADAU5 and what that calls (decsol.f,
# dc_decsol.f), with daemark under PREFIX (default /usr/local). Status 2 and one line where RADAU5 has
# other arguments than the example passes.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
sources=${1:?"radau5_build.sh: accepted: the file with SUBROUTINE RADAU5, e.g. radau5_stand_in.f90"}
prefix=${2:-/usr/local}
# The argument list, without comments and marks of continuation, fixed form or free.
# shellcheck disable=SC2086  # a list of files
count=$(cat $sources | awk '
  /^[cC*!]/ {next}
  !inside && tolower($0) ~ /^ *subroutine +radau5 *\(/ {inside = 1}
  inside {
    line = $0
    sub(/!.*/, "", line)
    if (line ~ /^     [^ 0]/) line = substr(line, 7)
    gsub(/[& \t\r]/, "", line)
    list = list line
    if (line ~ /\)/) exit
  }
  END {
    sub(/^[^(]*\(/, "", list)
    sub(/\).*/, "", list)
    print list == "" ? 0 : split(list, arguments, ",")
  }')
if [ "$count" = 0 ]; then
  echo "radau5_build.sh: no SUBROUTINE RADAU5(...) in $sources" >&2
  exit 2
fi
if [ "$count" != 26 ]; then
  echo "radau5_build.sh: SUBROUTINE RADAU5 has $count arguments, radau5.f90 passes 26: accepted: radau5.f of January 18, 2002" >&2
  exit 2
fi
# shellcheck disable=SC2086
exec gfortran -O1 -flto -Werror=lto-type-mismatch "$here/radau5.f90" $sources -L "$prefix/lib" \
  -ldaemark -o radau5
