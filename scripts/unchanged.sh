#!/usr/bin/env bash
# scripts/unchanged.sh [FOLDER]
# Status 1 if files of FOLDER (default: results) differ from the commit or are new; names them.
set -euo pipefail
folder=${1:-results}
changed=$(git status --porcelain --untracked-files=all -- "$folder")
[[ -z $changed ]] && exit 0
echo "unchanged: $(wc -l <<<"$changed") files of $folder are not as committed:" >&2
echo "$changed" >&2
exit 1
