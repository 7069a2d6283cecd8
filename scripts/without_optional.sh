#!/usr/bin/env bash
# scripts/without_optional.sh [BUILD_FOLDER]
# Builds without SUNDIALS and ccache and runs all tests without gnuplot and git on the PATH: each test
# passes, or is skipped and names what is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build-without}
scripts/dependencies.sh
jobs=$(nproc)
cmake -G Ninja -B "$build" -S . -DCMAKE_BUILD_TYPE=Release -DDAEMARK_SUNDIALS=OFF -DCCACHE=OFF >/dev/null
cmake --build "$build" --parallel "$jobs" --target tests

# The PATH as it is, without the two programs.
bare=$(mktemp -d)
trap 'rm -rf "$bare"' EXIT
IFS=: read -ra folders <<<"$PATH"
for ((i = ${#folders[@]} - 1; i >= 0; --i)); do
  find "${folders[i]}" -maxdepth 1 -executable ! -type d ! -name 'gnuplot*' ! -name git \
    -exec ln -sf -t "$bare" {} + 2>/dev/null || true
done
PATH=$bare scripts/run_tests.sh "$build" "$jobs"
