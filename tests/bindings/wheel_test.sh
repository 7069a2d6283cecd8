#!/usr/bin/env bash
# tests/bindings/wheel_test.sh PYTHON WHEEL README EXAMPLES: the wheel in a fresh virtual environment
# of PYTHON that has NumPy and nothing else: its command, the Python of bindings/README.md, and an
# example. On a system with development libraries it also asks that nothing outside of the wheel is
# loaded.
set -euo pipefail
python=$1 wheel=$(realpath "$2") readme=$(realpath "$3") examples=$(realpath "$4")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

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
