#!/usr/bin/env bash
# scripts/run_tests.sh BUILD_FOLDER JOBS [REGEX]
# Runs ctest on a finished build. With REGEX (extended, as in grep) only the tests with a match in their
# full name, Suite.Test; if there are none, the ctest entries that match.
set -euo pipefail
build=$1 jobs=$2 regex=${3:-}

entries=
if [[ -n $regex ]]; then
  # gtest lists "Suite." and below it "  Test  # parameter"; its filters are names joined by colons.
  names=$("$build/daemark_tests" --gtest_list_tests |
    awk '/^[^ ]/ {suite = $1; next} {print suite $1}' | { grep -E -e "$regex" || true; })
  entries=$regex
  if [[ -n $names ]]; then
    entries='^tests_'
    export GTEST_FLAGFILE=$PWD/$build/tests_chosen  # too many for a command line or a variable
    echo "--gtest_filter=$(paste -sd: <<<"$names")" >"$GTEST_FLAGFILE"
    echo "$(wc -l <<<"$names") tests match '$regex'"
  fi
fi
exec ctest --test-dir "$build" --parallel "$jobs" --output-on-failure --no-tests=error \
  ${entries:+--tests-regex "$entries"}
