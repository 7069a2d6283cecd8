#!/usr/bin/env bash
# scripts/test_shard.sh BINARY INDEX COUNT SECONDS
# Runs one of COUNT parts of a GoogleTest binary for at most SECONDS and shows the summary and the output
# of tests that failed, crashed or were running at the time limit.
set -uo pipefail
export GTEST_SHARD_INDEX=$2 GTEST_TOTAL_SHARDS=$3
# A separate directory, so that runs of two trees or presets at once do not conflict.
TMPDIR=$(mktemp -d) || exit 2
trap 'rm -rf "$TMPDIR"' EXIT
export TMPDIR TEST_TMPDIR=$TMPDIR
timeout "$4" "$1" --gtest_color=no 2>&1 | awk '
  function show() {for (i = 0; i < lines; ++i) print block[i]}
  /^\[ RUN      \]/ {lines = 0; inside = 1}
  inside {block[lines++] = $0} !inside {print}
  /^\[       OK \]|^\[  SKIPPED \]/ {inside = 0}
  /^\[  FAILED  \]/ {if (inside) show(); inside = 0}
  END {if (inside) {show(); print "(this test did not end)"}}'
status=${PIPESTATUS[0]}
((status == 124)) && echo "the time was over: $4 s for part $(($2 + 1)) of $3"
exit "$status"
