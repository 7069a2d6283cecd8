#!/usr/bin/env bash
# scripts/uninstall.sh MANIFEST: removes the files that `make install` listed there, and its directories
# that are then empty.
set -euo pipefail
manifest=$1
[[ -f $manifest ]] || { echo "nothing to uninstall: $manifest, which make install writes, is missing" >&2; exit 2; }
while IFS= read -r file || [[ -n $file ]]; do
  file=${DESTDIR:-}$file
  rm -f -- "$file"
  folder=${file%/*}
  while [[ $folder == */daemark* ]] && rmdir -- "$folder" 2>/dev/null; do folder=${folder%/*}; done
done <"$manifest"
rm -f -- "$manifest"
