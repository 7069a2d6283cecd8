#!/usr/bin/env bash
# Fails and names the files that are longer than 420 lines.
set -euo pipefail
cd "$(dirname "$0")/.."
limit=420
long=$(find base problems methods analysis bindings experiments tests scripts \
  \( -name '*.cpp' -o -name '*.hpp' -o -name '*.c' -o -name '*.h' \
     -o -name '*.js' -o -name '*.css' -o -name '*.html' \
     -o -name '*.cmake' -o -name '*.sh' -o -name '*.py' \) \
  -exec awk -v limit=$limit 'FNR == limit + 1 {print FILENAME}' {} +)
[[ -z $long ]] && exit 0
echo "over $limit lines:"
echo "$long"
exit 1
