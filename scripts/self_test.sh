#!/usr/bin/env bash
# Tests of the scripts of the build: registries, digests and refusals on a small generated tree; the
# dependency check and the test runs with stand-ins for the programs they call.
set -euo pipefail
scripts=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
tree=$scratch/tree
output=$scratch/output
faults=0

check() {  # check WHAT COMMAND...
  local what=$1
  shift
  if ! "$@" >"$scratch/check.log" 2>&1; then
    echo "FAILED: $what"
    cat "$scratch/check.log"
    faults=$((faults + 1))
  fi
}
fails() { ! "$@"; }

fresh_tree() {
  rm -rf "$tree" "$output"
  mkdir -p "$tree"/{base/text,problems/system,methods/catalogue,methods/rk,analysis} "$output" \
    "$tree"/experiments/cells/{kinds,support}
  cat >"$scratch/rooms.txt" <<'EOF'
# Directories of the test tree.
base/text:
problems/system:
problems: problems/system
methods/catalogue: problems/system
methods/rk: problems/system methods/catalogue
analysis: methods/catalogue
experiments/cells/support:
experiments/cells/kinds: experiments/cells/support
EOF
  echo 'void register_zebra(MethodRegistry& r) {}' >"$tree/methods/rk/zebra.cpp"
  echo 'void register_aardvark(MethodRegistry& registry) {}' >"$tree/methods/rk/aardvark.cpp"
  printf '#include "methods/rk/own.hpp"\n\n#include <set>\n#include "problems/system/b.hpp"\n' \
    >"$tree/methods/rk/zebra_quad.cpp"
  printf '#include <set>\n#include "methods/rk/own.hpp"\n' >>"$tree/methods/rk/aardvark.cpp"
  echo 'void register_in_core(MethodRegistry& registry) {}' >"$tree/methods/catalogue/in_core.cpp"
  echo 'void register_swing(ProblemRegistry& registry) {}' >"$tree/problems/swing.cpp"
  echo '#include "methods/catalogue/stepper.hpp"' >"$tree/analysis/run.cpp"
  echo 'void register_sum_cell(CellKinds& kinds) {}' >"$tree/experiments/cells/kinds/sum_cell.cpp"
  echo '{}' >"$tree/methods/rk/tableau.json"
}
generate() {
  (cd "$tree" && find . -type f | sed 's|^\./||' | LC_ALL=C sort) >"$output/inputs.txt"
  cmake -D ROOT="$tree" -D OUTPUT="$output" -D ROOMS="$scratch/rooms.txt" -P "$scripts/cmake/generate_sources.cmake" \
    2>"$output/messages"
}
calls() {
  sed -n 's/.*from("\([^"]*\)"), register_\([a-z_]*\)(registry);/\1 \2;/p' "$output/registry_$1.cpp" |
    tr -d '\n'
}
refused_for() {  # the generator fails and its message holds the text
  fails generate && tr -s ' \n' '  ' <"$output/messages" | grep -F "$1"
}

fresh_tree
check "a sound tree is accepted" generate
check "methods in sorted order, none from the registry's folder" \
  test "$(calls methods)" = "methods/rk/aardvark.cpp aardvark;methods/rk/zebra.cpp zebra;"
check "problems" test "$(calls problems)" = "problems/swing.cpp swing;"
check "cell kinds" test "$(calls cells)" = "experiments/cells/kinds/sum_cell.cpp sum_cell;"
digest=$(sha256sum "$tree/methods/rk/tableau.json" | cut -c1-16)
check "digest" grep -F "{\"methods/rk/tableau.json\", \"$digest\"," "$output/source_digests.cpp"
row() { grep -F '{"methods/rk/zebra.cpp"' "$output/source_digests.cpp"; }
before=$(row)
printf '  // a remark\n' >>"$tree/methods/rk/zebra.cpp"
generate && check "a line of comment changes no digest" test "$(row)" = "$before"
printf 'int stripes;  // many\n' >>"$tree/methods/rk/zebra.cpp"
generate && check "a line of code does" test "$(row)" != "$before"
check "what a file includes, first and in order, and who registers" \
  grep -F "\"methods/rk/own.hpp problems/system/b.hpp\", true, false}" "$output/source_digests.cpp"
check "a system header first" grep -F "\"methods/rk/own.hpp\", false, true}" \
  "$output/source_digests.cpp"
check "every file has a digest" \
  test "$(grep -c '^    {"' "$output/source_digests.cpp")" = "$(find "$tree" -type f | wc -l)"

before=$(stat -c %y "$output/registry_methods.cpp")
echo 'int edited;' >>"$tree/methods/rk/zebra.cpp"
check "an edit is accepted" generate
check "an edit leaves the registry file alone" \
  test "$before" = "$(stat -c %y "$output/registry_methods.cpp")"

fresh_tree
echo '#include "problems/system/registry.hpp"' >"$tree/base/text/wrong.hpp"
check "base including problems" refused_for 'base/text/wrong.hpp: #include'
fresh_tree
echo '#include "methods/catalogue/stepper.hpp"' >"$tree/problems/system/wrong.hpp"
check "problems including methods" refused_for 'problems/system/wrong.hpp: #include'
fresh_tree
echo '#include "methods/rk/own.hpp"' >"$tree/methods/catalogue/wrong.hpp"
check "a directory including a later one of its layer" \
  refused_for 'methods/catalogue may not use methods/rk'
fresh_tree
sed -i 's|^methods/catalogue:.*|& methods/rk|' "$scratch/rooms.txt"
check "a circle between folders" refused_for 'methods/catalogue names methods/rk'
fresh_tree
mkdir "$tree/methods/attic"
echo 'int old;' >"$tree/methods/attic/old.cpp"
check "a directory that is not listed" refused_for 'methods/attic/old.cpp: its directory is not listed'
fresh_tree
echo '  #  include <experiments/spec/spec.hpp>' >"$tree/analysis/wrong.cpp"
check "analysis including experiments" refused_for 'analysis/wrong.cpp:'
fresh_tree
echo 'void register_lion(MethodRegistry& registry) {}' >"$tree/methods/rk/tiger.cpp"
check "a function not named after its file" refused_for 'name the function after the file: register_tiger'
fresh_tree
cp "$tree/methods/rk/zebra.cpp" "$tree/methods/catalogue/../zebra.cpp"
echo 'methods: methods/rk' >>"$scratch/rooms.txt"
check "one name twice" refused_for 'a second file named zebra.cpp'

stand_in() {  # stand_in NAME BODY
  mkdir -p "$scratch/bin"
  printf '#!/bin/sh\n%s\n' "$2" >"$scratch/bin/$1"
  chmod +x "$scratch/bin/$1"
}
dependencies() {
  env -u DAEMARK_DEPENDENCIES PATH="$scratch/bin:$PATH" "$scripts/dependencies.sh" "$@" \
    2>"$scratch/messages"
}
status_of() { "$@" && echo 0 || echo $?; }

stand_in sudo 'test "$1" = -n && shift; exec "$@"'
stand_in apt-get 'echo "$@" >>'"$scratch/apt.log"
stand_in dpkg-query 'for p in "$@"; do echo "$p installed"; done'
check "nothing missing: silent, nothing installed" \
  test "$(status_of dependencies)$(cat "$scratch/messages")$(cat "$scratch/apt.log" 2>&-)" = 0
stand_in dpkg-query 'for p in "$@"; do test "$p" = libfmt-dev || echo "$p installed"; done'
check "one missing: installed" dependencies
check "only that one" grep -E 'install .* libfmt-dev$' "$scratch/apt.log"
check "and said" grep -F 'installing Debian packages: libfmt-dev' "$scratch/messages"
stand_in apt-get 'exit 100'
check "apt-get fails: status 2" test "$(status_of dependencies)" = 2
check "and one line names the package" grep -F 'install with: apt-get install libfmt-dev' \
  "$scratch/messages"
check "the list, with an extra package, installs nothing" \
  test "$(dependencies --list my-tool | grep -cxE 'g\+\+|libfmt-dev|my-tool')" = 3

# A GoogleTest binary that lists two suites and runs what its environment says.
mkdir -p "$scratch/build"
cat >"$scratch/build/daemark_tests" <<'EOF'
#!/bin/sh
if [ "${1:-}" = --gtest_list_tests ]; then
  printf 'Alpha.\n  One\n  Two\nP/Beta.\n  Case/0  # GetParam() = 3\n'
  exit
fi
echo "[==========] shard $GTEST_SHARD_INDEX of $GTEST_TOTAL_SHARDS"
printf '[ RUN      ] Alpha.One\nchatter\n[       OK ] Alpha.One (3 ms)\n[ RUN      ] Alpha.Two\nwrong\n'
case $END in
  failed) printf '[  FAILED  ] Alpha.Two (1 ms)\n'; exit 1 ;;
  hang) exec sleep 60 ;;
  crash) kill -SEGV $$ ;;
  *) echo '[       OK ] Alpha.Two (1 ms)' ;;
esac
EOF
chmod +x "$scratch/build/daemark_tests"
shard() { END=$1 "$scripts/test_shard.sh" "$scratch/build/daemark_tests" 2 8 1 >"$scratch/shown" 2>&1; }
shows() { grep -qF -e "$1" "$scratch/shown"; }
check "a part that passes" shard ok
check "its number" shows 'shard 2 of 8'
check "passing tests are not shown" fails shows Alpha
for end in failed hang crash; do
  check "a part with a test that does not pass ($end)" fails shard $end
  check "is named with its output ($end)" shows "$(printf '[ RUN      ] Alpha.Two\nwrong')"
  check "and no other ($end)" fails shows Alpha.One
done
shard hang || true
check "the time is said" shows 'the time was over: 1 s for part 3 of 8'

stand_in ctest 'echo "$@"; test -z "${GTEST_FLAGFILE:-}" || cat "$GTEST_FLAGFILE"'
tests() { (cd "$scratch" && PATH="$scratch/bin:$PATH" "$scripts/run_tests.sh" build 2 "$@" >shown); }
check "all tests" tests
check "without a choice" fails shows --tests-regex
check "tests by name" tests 'T.o|Beta'
check "become a filter" shows '--gtest_filter=Alpha.Two:P/Beta.Case/0'
check "of the entries that hold them" shows '--tests-regex ^tests_'
check "other entries" tests file_len
check "by their names" shows '--tests-regex file_len'

told() { "$scripts/check_arguments.sh" "$@" 2>"$scratch/shown"; }
check "what targets take" told TARGET=reproduce PRESET=debug JOBS=2 REPRODUCE=short ITEMS='li2019 li2019/table1'
check "a method with arguments" told TARGET=compare METHOD='gauss(2)'
check "verify takes methods and papers" told TARGET=verify ITEMS='erk4 li2019'
check "tests by a part of their names" told TARGET=test TESTS='RunStop|file_len'
for wrong in PRESET=fast JOBS=0 JOBS=two REPRODUCE=long METHOD='gaus(2)' ITEMS=li2018 ITEMS=li2019/table99 \
  TESTS=NoSuchTest TESTS='(' COLOUR=red; do
  check "$wrong is refused" test "$(status_of told TARGET=test "$wrong")" = 2
  check "in one line that says what is accepted ($wrong)" \
    test "$(wc -l <"$scratch/shown")$(grep -cF "make: $wrong: accepted: " "$scratch/shown")" = 11
done
check "compare needs a method" test "$(status_of told TARGET=compare METHOD=)" = 2

git_tree() { git -C "$scratch/committed" -c user.name=a -c user.email=b "$@"; }
unchanged() { (cd "$scratch/committed" && "$scripts/unchanged.sh" results) >"$scratch/shown" 2>&1; }
if command -v git >/dev/null; then
  mkdir -p "$scratch/committed/results/paper"
  echo 1 >"$scratch/committed/results/paper/table.csv"
  git_tree init -q && git_tree add . && git_tree commit -qm 'A result'
  check "results as committed" unchanged
  echo 2 >"$scratch/committed/results/paper/table.csv"
  echo 3 >"$scratch/committed/results/paper/new.csv"
  check "results that moved" fails unchanged
  check "are counted" shows '2 files of results are not as committed'
  check "and named, a changed one" shows results/paper/table.csv
  check "and a new one" shows results/paper/new.csv
fi

bench_file() {  # bench_file NAME TIME-OF-A-STEP TIME-OF-THE-YARDSTICK
  printf '{"context": {"revision": "%s"},
    "benchmarks": [{"name": "erk4/index1", "cpu_time": 9, "step_ns": %s},
    {"name": "yardstick/dense_lu_40", "cpu_time": %s},
    {"name": "bad", "error_occurred": true}]}' "$1" "$2" "$3" >"$scratch/$1.json"
}
bench_file old 200 10 && bench_file new 150 5
compare() { "$scripts/bench_compare.py" "$@" >"$scratch/shown" 2>&1; }
check "times of two revisions" compare "$scratch/old.json" "$scratch/new.json"
check "which both are named" shows 'old: old, new: new'
check "their ratio, and relative to the yardstick" \
  grep -E '^erk4/index1 +step_ns +200 +150 +0.750 +1.500$' "$scratch/shown"
check "nothing in common" test "$(status_of compare "$scratch/old.json" "$scratch/new.json" bdf)" = 1
check "no such file" fails compare "$scratch/old.json" "$scratch/none.json"

# A program whose results follow the processor, or not; its wall times always do.
cat >"$scratch/follower" <<'EOF'
#!/bin/sh
mkdir -p "$DAEMARK_RESULTS/.local" "$DAEMARK_RESULTS/paper"
echo "$$" >"$DAEMARK_RESULTS/.local/timings.csv"
test "$FOLLOWS" = no || echo "${GLIBC_TUNABLES:-}" >"$DAEMARK_RESULTS/paper/records.jsonl"
echo 1 >"$DAEMARK_RESULTS/paper/table.csv"
EOF
chmod +x "$scratch/follower"
same_bytes() { FOLLOWS=$1 "$scripts/same_bytes.sh" "$scratch/follower" >"$scratch/shown" 2>&1; }
check "the same bytes on every processor" same_bytes no
check "are counted" shows 'same_bytes: 1 files are the same with GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2'
check "others" fails same_bytes yes
check "are named" shows paper/records.jsonl

((faults == 0)) && echo "all script tests passed"
exit $((faults > 0))
