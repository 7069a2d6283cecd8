"""Changed leaves of committed certificates, with the digest a forger would make: all are refused.

    check_certificate_test.py SCRIPTS CERTIFICATES TABLEAUS [LEAVES]   (of each certificate, 3)
"""
import contextlib
import copy
import io
import json
import random
import re
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import check_certificate as checker  # noqa: E402


def leaves(value, path=()):
    if isinstance(value, (dict, list)) and value:
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            yield from leaves(item, path + (key,))
    else:
        yield path, value


def changed(value):
    """Other values of a leaf: what a slip or a lie would put there."""
    if isinstance(value, bool):
        return [not value, None]
    if isinstance(value, int):
        return [value + 1, value - 1, None]
    if not isinstance(value, str):
        return [True, 0, "1", ["1"]]
    if re.fullmatch(r"-?\d+(/\d+)?", value):
        x = Fraction(value)
        return [str(x + 1), str(x + Fraction(1, 10 ** 9)), str(-x) if x else "1", value + ".0", None]
    return [value + "x", value[:-1], value.replace(")", ",t=7)"), value.replace("=", "=0")]


def forged(certificate, path, value):
    out = copy.deepcopy(certificate)
    place = out
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    if path != ("digest",):
        out["digest"] = checker.digest(out)
    return out


def repeated_keys_are_accepted(file):
    """Whether some key of a certificate may stand twice, at any depth, in front of the true one."""
    text = file.read_text()
    with tempfile.TemporaryDirectory() as folder:
        copy_of = Path(folder) / file.name
        for key in re.finditer(r'"\w+":', text):
            copy_of.write_text(text[:key.start()] + key[0] + ' 9, ' + text[key.start():])
            with contextlib.redirect_stdout(io.StringIO()), \
                    contextlib.redirect_stderr(io.StringIO()):
                if checker.main([str(copy_of)]) != 2:
                    return True
    return False


def main(certificates, tableaus, count):
    random.seed(24)
    tried, sound, accepted = 0, 0, []
    for file in sorted(Path(certificates).glob("*.json")):
        certificate = json.loads(file.read_text())
        if not checker.over_the_rationals(certificate):
            continue
        own = Path(tableaus) / f"{certificate['id']}.json"
        tableau = json.loads(own.read_text()) if own.exists() else None
        refusal = checker.refusal_of(certificate, tableau)
        if refusal:
            accepted.append(f"{file.name}: a sound one is refused: {refusal}")
        sound += 1
        places = list(leaves(certificate))
        for path, value in random.sample(places, min(count, len(places))):
            for other in changed(value):
                if other == value and type(other) is type(value):
                    continue
                tried += 1
                if checker.refusal_of(forged(certificate, path, other), tableau) is None:
                    accepted.append(f"{file.name} {path}: {value} as {other} is accepted")
    for file in sorted(Path(certificates).glob("heun*.json")):
        if repeated_keys_are_accepted(file):
            accepted.append(f"{file.name}: a key that stands twice is accepted")
    for name, spelling in (("gauss_s_6", "[t^12]"), ("gauss_s_1", "[t^2]")):
        certificate = json.loads((Path(certificates) / f"{name}.json").read_text())
        if checker.refusal_of(forged(certificate, ("order", "failing_tree"), spelling)) is None:
            accepted.append(f"{name}: {spelling} is accepted")
    print("\n".join(accepted[:40]))
    print(f"{sound} sound certificates, {tried} forgeries, {len(accepted)} faults")
    return 1 if accepted or sound < 100 or tried < 4 * sound else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[2], sys.argv[3], int(sys.argv[4]) if len(sys.argv) > 4 else 3))
