#!/usr/bin/env bash
# tests/bindings/wheel_test.sh WHEEL README EXAMPLES: the wheel in a fresh virtual environment that
# has NumPy and nothing else: its command, the Python of bindings/README.md, and an example. On a
# system with development libraries it also asks that nothing outside of the wheel is loaded.
set -euo pipefail
wheel=$(realpath "$1") readme=$(realpath "$2") examples=$(realpath "$3")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

python=
for candidate in python3 /usr/bin/python3; do
  "$candidate" -c 'import numpy' 2>/dev/null && python=$candidate && break
done
[[ $python ]] || { echo "not run: the wheel: NumPy is missing"; exit 0; }
if "$python" -m venv --system-site-packages venv >/dev/null 2>&1; then
  pip=(venv/bin/pip)
elif "$python" -m venv --clear --system-site-packages --without-pip venv &&
  python3 -m pip --version >/dev/null 2>&1; then
  pip=(python3 -m pip --python venv/bin/python)
else
  echo "not run: the wheel: neither venv (python3-venv) nor pip is there"
  exit 0
fi
"${pip[@]}" install -q --no-deps --no-index "$wheel"
home=$(venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')

for file in "$home"/daemark/bin/* "$home/daemark/lib/libdaemark.so"; do
  outside=$(env -i ldd "$file" | grep '=> /' |
    grep -vE "$folder/|lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s)\.so" || true)
  [[ -z $outside ]] || { echo "$file loads what the wheel does not bring: $outside"; exit 1; }
done
test -s "$home"/daemark-*.dist-info/licenses/libmpfr6.txt || { echo "no licence of MPFR"; exit 1; }

bare() { env -i PATH=/usr/bin:/bin HOME="$folder" "$@"; }
bare venv/bin/daemark --version
bare venv/bin/python -m daemark show erk4 >/dev/null
# The Python of the page, block after block, as a reader would type it.
awk '/^```python/ {on = 1; next} /^```/ {on = 0} on' "$readme" >page.py
(($(wc -l <page.py) > 10)) || { echo "no Python on the page"; exit 1; }
bare venv/bin/python page.py >/dev/null
bare venv/bin/python "$examples/generalized_alpha.py" two_link 1 500 0.9
echo "the wheel works: $(basename "$wheel")"
