#!/usr/bin/env bash
# tests/bindings/bindings_test.sh BUILD: what other people do with an installation. Installs BUILD
# into a folder, moves it, hides the source tree where the system lets us, and runs the examples of
# bindings/examples in every language whose tools are there; says which were not.
set -euo pipefail
build=$(realpath "$1")
source=$(realpath "$(dirname "$0")/../..")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

if [[ ${2:-} != hidden ]]; then
  DESTDIR= cmake --install "$build" --prefix "$folder/first" >/dev/null
  mv "$folder/first" "$folder/prefix"  # it is relocatable
  cp -r "$source/bindings/examples" "$folder/examples"
  cp "$0" "$folder/test.sh"
  cp "$(dirname "$0")"/{python*_test.py,wheel_test.sh,radau5_stand_in.f90} "$source/scripts/wheel.py" \
    "$source/bindings/README.md" "$folder"
  if unshare -rm true 2>/dev/null; then
    mkdir "$folder/empty"
    # Nothing may read the source tree, in which the build folder is, from here on.
    unshare -rm bash -c 'mount --bind "$1/empty" "$2" && cd "$1" && exec bash "$1/test.sh" "$1" hidden' \
      - "$folder" "$source"
  else
    echo "not hidden: unshare may not mount; the source tree stays in sight"
    bash "$folder/test.sh" "$folder" hidden
  fi
  exit
fi

# ---- Inside, BUILD is the folder with prefix and examples -----------------------------------------
trap - EXIT
rm -rf "$folder"
folder=$build
cd "$folder"
prefix=$folder/prefix
export PATH=$prefix/bin:$PATH PKG_CONFIG_PATH=$prefix/lib/pkgconfig LD_LIBRARY_PATH=$prefix/lib
unset DAEMARK_ROOT DAEMARK_RESULTS
failures=0

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}
skipped() { echo "not run: $*"; }

# at_most LIMIT FILE ERROR PROBLEM [FORMULATION]: the error at the end of a scored trajectory, which
# is kept.
at_most() {
  local error
  error=$(daemark score "$2" --problem "$4" --formulation "${5:-index1}" --save "${2%.csv}" --json |
    python3 -c "import json, sys; print(json.load(sys.stdin)['times'][-1]['errors']['$3'])") ||
    { fail "score of $2"; return; }
  python3 -c "import sys; sys.exit(not 0 < $error <= $1)" || fail "$2: $3 = $error, above $1"
  echo "$2: $3 = $error"
}

daemark --version | grep -q '^daemark [0-9]' || fail "daemark --version"
daemark show erk4 >/dev/null || fail "daemark show erk4"
daemark list experiments | grep -q li2019/table1 || fail "experiments are not there"
daemark verify erk4 >/dev/null || fail "daemark verify erk4"
daemark_checker results/certificates/erk4.json >/dev/null || fail "daemark_checker"

# Only the functions of the header, and each of them.
exported=$(nm -D --defined-only "$prefix/lib/libdaemark.so" | awk '{print $3}' | sort)
declared=$(grep -o '^[a-z][a-z_* ]*daemark_[a-z_]*(' "$prefix/include/daemark.h" |
  grep -o 'daemark_[a-z_]*($' | tr -d '(' | sort -u)
[[ $exported == "$declared" ]] || fail "exported: $(echo "$exported" | tr '\n' ' ')"

# A stranger's program, with pkg-config. RK4 with h = 1e-3: h^4 times the fifth derivatives of a
# motion of some rad/s, no more than 1e3, times e^(t L) of the next second.
cc -std=c99 -Wall -Wextra -Werror -pedantic examples/rk4.c $(pkg-config --cflags --libs daemark) \
  -o rk4 || fail "cc rk4.c"
./rk4 two_link 1 1000 >rk4.csv || fail "rk4"
at_most 1e-7 rk4.csv error_q two_link
{ ./rk4 two_lnk 2>&1 || true; } | grep -q "did you mean 'two_link'" || fail "rk4 does not tell a wrong name"

if command -v valgrind >/dev/null; then
  valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite \
    ./rk4 two_link 1/10 3 >/dev/null 2>valgrind.txt || { fail "valgrind"; cat valgrind.txt; }
else
  skipped "valgrind, which is missing"
fi

# The same with CMake.
mkdir -p consumer
cat >consumer/CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.13)
project(consumer C)
find_package(daemark 0.2 REQUIRED)
add_executable(rk4 ../examples/rk4.c)
target_link_libraries(rk4 daemark::daemark)
END
cmake -S consumer -B consumer/build -DCMAKE_PREFIX_PATH="$prefix" >cmake.txt 2>&1 &&
  cmake --build consumer/build >>cmake.txt 2>&1 || { fail "find_package(daemark)"; cat cmake.txt; }

if [[ -f /usr/include/ida/ida.h && -f /usr/include/suitesparse/klu.h ]]; then
  # SUNDIALS 7 has its contexts in a library of their own, and may be built with MPI.
  more=()
  grep -q '^#define SUNDIALS_VERSION_MAJOR 6' /usr/include/sundials/sundials_config.h ||
    read -ra more <<<"-lsundials_core $(pkg-config --cflags --libs mpi-c 2>/dev/null)"
  cc -Wall -Werror examples/ida.c $(pkg-config --cflags --libs daemark) \
    -I/usr/include/suitesparse -lsundials_ida -lsundials_nvecserial -lsundials_sunmatrixsparse \
    -lsundials_sunlinsolklu "${more[@]}" -lm -o ida || fail "cc ida.c"
  ./ida two_link 1 1e-9 >ida.csv || fail "ida"
  at_most 1e-6 ida.csv error_q two_link index1
  ./ida two_link 1 1e-6 ggl >ida_ggl.csv || fail "ida in ggl"
  at_most 1e-4 ida_ggl.csv error_q two_link ggl
else
  skipped "IDA from C: SUNDIALS' headers are missing"
fi

if command -v gfortran >/dev/null; then
  daemark join radau5=radau5_stand_in.f90 >/dev/null || fail "daemark join"
  echo '{"problem": "pendulum", "times": {"begin": 0, "spacing": 0.1, "count": 10}}' >pendulum.json
  results/.local/programs/radau5/radau5 pendulum.json index3 1e-8 radau5.csv || fail "radau5"
  at_most 1e-7 radau5.csv error_q pendulum index3
else
  skipped "Fortran: gfortran is missing"
fi

if command -v julia >/dev/null; then
  DAEMARK_LIBRARY=$prefix/lib/libdaemark.so julia examples/rk4.jl two_link 1 1000 >julia.csv ||
    fail "rk4.jl"
  at_most 1e-7 julia.csv error_q two_link
else
  skipped "Julia: julia is missing"
fi

python=
for candidate in python3 /usr/bin/python3; do
  "$candidate" -c 'import numpy' 2>/dev/null && python=$candidate && break
done
if [[ -n $python ]]; then
  export PYTHONPATH=$prefix/lib/python3/dist-packages
  for test in python*_test.py; do "$python" "$test" || fail "$test"; done
  "$python" examples/generalized_alpha.py two_link 1 500 0.9 || fail "generalized_alpha.py"
  if "$python" -c 'import scipy' 2>/dev/null; then
    "$python" examples/solve_ivp.py two_link 1 DOP853 || fail "solve_ivp.py"
  else
    skipped "SciPy: python3-scipy is missing"
  fi
  python3 wheel.py "$prefix" . && bash wheel_test.sh "$python" daemark-*.whl README.md examples || fail "the wheel"
else
  skipped "Python: python3-numpy is missing"
fi

# All of them beside the catalogue, in the tables that `compare` shows.
with=()
for kept in results/local/*.json; do with+=(--with "$kept"); done
daemark compare --problem two_link,pendulum "${with[@]}" >compared.txt || fail "compare --with"
for kept in results/local/*.json; do
  name=$(basename "$kept" .json)
  grep -q " $name: q [0-9]" compared.txt || fail "$name is not compared with the catalogue"
done
echo "beside the catalogue: $(basename -as .json results/local/*.json | tr '\n' ' ')"

((failures == 0))
