#!/usr/bin/env bash
# scripts/same_bytes.sh [PROGRAM [ITEM...]]
# Checks that results are the same bytes on another processor. Computes items twice in separate
# directories, once with AVX2, FMA and AVX-512 disabled in the C library, and compares every file.
# Status 1 if one differs. Defaults: build/daemark, and the items below, some of each kind of cell.
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-build/daemark}
shift || true
(($#)) || set -- li2019/fig6 li2019/table1 zhang2022/fig2 zhang2022/bar_short yang2006 fernandez2021
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
without=glibc.cpu.hwcaps=-AVX2,-FMA,-AVX512F
env -u GLIBC_TUNABLES DAEMARK_RESULTS="$folder/with" "$program" reproduce --short "$@"
GLIBC_TUNABLES=$without DAEMARK_RESULTS="$folder/without" "$program" reproduce --short "$@"
# Wall times and finished cells with their wall times are of one run.
rm -rf "$folder"/with*/.[a-z]*
if ! diff -rq "$folder/with" "$folder/without"; then
  echo "same_bytes: results differ with GLIBC_TUNABLES=$without" >&2
  exit 1
fi
echo "same_bytes: $(find "$folder/with" -type f | wc -l) files are the same with GLIBC_TUNABLES=$without"
