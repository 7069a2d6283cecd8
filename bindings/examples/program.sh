#!/bin/sh
# A program as a method (bindings/PROGRAMS.md) in shell: runs `daemark` on the problem that the file names,
# so its trajectory has the problem's own coordinates. Any other program can be called in its place.
set -eu

if [ "$*" = --describe ]; then
  cat <<'END'
{"name": "daemark from a shell", "version": "1",
 "variants": [{"name": "rk4", "steps": "fixed", "settings": "daemark's erk4 in index 1"},
              {"name": "gauss", "steps": "fixed", "settings": "daemark's gauss(3) in ggl"}],
 "accepts": ["drives", "dampers", "fixed", "forces", "free", "inline", "laws", "loops", "massless", "moments",
  "parallel", "point", "prismatic", "cylindrical", "revolute", "slot", "spherical", "springs", "torsion_dampers",
  "torsion_springs", "universal"]}
END
  exit
fi
[ $# = 4 ] || { echo "usage: program.sh --describe | MECHANISM.json VARIANT STEP OUT.csv" >&2; exit 2; }
mechanism=$1 step=$3 out=$4
case $2 in
  rk4) method=erk4 formulation=index1 ;;
  gauss) method='gauss(3)' formulation=ggl ;;
  *) echo "no variant $2" >&2; exit 2 ;;
esac

entry() { tr -d '\n' <"$mechanism" | sed -n "s/.*\"$1\": *\"\\{0,1\\}\\([^\",}]*[^\", }]\\).*/\\1/p"; }
problem=$(tr -d '\n' <"$mechanism" | sed -n 's/.*"problem": *"\([^"]*\)".*/\1/p')
spacing=$(entry spacing) count=$(entry count)
every=$(awk "BEGIN {n = $spacing / $step; k = int(n + 0.5); print (n - k < 1e-9 * n && k - n < 1e-9 * n) ? k : 0}")
[ "$every" -gt 0 ] || { echo "the step does not divide the spacing of output times, $spacing" >&2; exit 3; }
end=$(awk "BEGIN {printf \"%.15g\", $spacing * $count}")

daemark run --problem "$problem" --formulation $formulation --method "$method" --h "$step" --t-end "$end" \
  --trajectory "$out" --every "$every" >/dev/null
echo "{\"steps\": $((every * count))}"
