"""daemark_checker on certificates that are sound, and on forgeries, with the digest a forger makes.

    checker_test.py SOURCE PROGRAM [SHARE [SEED]]

SOURCE is the source tree, PROGRAM the built daemark, which makes the certificates of forgeries.json
that are not committed. Of the changes of every single value one in SHARE is tried: 12 unless given,
1 in the audit, which tries all. SEED, any text, draws which, for each certificate anew; without it
every run tries the same. Those of forgeries.json are all tried. There is no harmless change: every
number is written in one way, every interval is the one cell of its grid.
"""
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
SOURCE = Path(sys.argv[1])
CHECKER = SOURCE / "analysis" / "checker" / "daemark_checker"
sys.path.insert(0, str(CHECKER.parent))
from certificate import (enclosures, interpolant, reading, rosenbrock,  # noqa: E402
                         runge_kutta, stability, statements)
from certificate.check import digest_of, refusal_of  # noqa: E402
from certificate.field import Field, Number  # noqa: E402
from certificate.interval import Interval  # noqa: E402
from certificate.irreducible import irreducible  # noqa: E402
from certificate.reading import load  # noqa: E402

TABLE = json.loads((Path(__file__).parent / "forgeries.json").read_text())


# ---- Forgeries ----------------------------------------------------------------------------------

def texts(text):
    """First digit, last digit, last character and sign changed, a character more."""
    digits = [i for i, c in enumerate(text) if c.isdigit()]
    for i in dict.fromkeys(digits[:1] + digits[-1:]):
        yield text[:i] + ("1" if text[i] == "9" else chr(ord(text[i]) + 1)) + text[i + 1:]
    if text and not text[-1].isdigit():
        yield text[:-1] + "#"
    if digits and text != "0":
        yield text[1:] if text[0] == "-" else "-" + text
    yield text + "0"


def changed(value):
    """What a slip or a lie would put there."""
    if isinstance(value, bool):
        yield not value
    elif value is None:
        yield 0
    elif isinstance(value, int):
        yield from (value + 1, value - 1)
    elif isinstance(value, str):
        yield from texts(value)
    elif isinstance(value, dict):
        for key in value:
            yield {k: v for k, v in value.items() if k != key}
        yield {**value, "unheard_of": True}
    else:
        yield value + ["0"]
        if value:
            yield from (value[:1] + value, value[:-1])


def changes(value, path=()):
    """(path, other value) of every single change."""
    for other in changed(value):
        yield path, other
    if isinstance(value, (dict, list)):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from changes(item, path + (key,))


def put(value, path, other):
    if not path:
        return other
    out = value.copy()
    if path[0] == "-":  # "-/dense": without it
        del out[path[1]]
    elif path[0] == "+":  # "+/dense": with it
        out[path[1]] = other
    else:
        out[path[0]] = put(out[path[0]], path[1:], other)
    return out


def forged(certificate, path, other):
    out = put(certificate, path, other)
    if path != ("digest",) and isinstance(out, dict) and "digest" in out:
        out["digest"] = digest_of(out)
    return out


# ---- What does not change is derived once, so that thousands of forgeries take a minute ---------

METHOD = runge_kutta.Method


class NamedField(Field):
    """`name`: of the polynomial and the interval as given, which enclose() shortens."""
    known = {}

    def __init__(self, minimal, lower, upper):
        super().__init__(minimal, lower, upper)
        self.name = self.known.setdefault((tuple(minimal), lower, upper), len(self.known))


reading.Field = NamedField


def text_of(x):
    if isinstance(x, (list, tuple)):
        return "(" + ",".join(map(text_of, x)) + ")"
    if isinstance(x, Interval):
        return f"[{x.low}, {x.high}]"
    if isinstance(x, Number):
        return f"{x} in {x.field.name}"
    return f"#{id(x)}" if isinstance(x, METHOD) else str(x)


def remember(*places):
    """Of modules or classes that name the same function."""
    (owner, name), known = places[0], {}
    derive = getattr(owner, name)

    def remembered(*args, **more):
        key = "|".join(map(text_of, (*args, *more.values())))
        if key not in known:
            known[key] = derive(*args, **more)
        return known[key]
    for owner, name in places:
        setattr(owner, name, remembered)


remember((runge_kutta, "order_holds"))
remember((stability, "is_stability_function"), (enclosures, "is_stability_function"))
remember((enclosures, "holds_one_minimum"))
remember((enclosures, "sample_holds"))
remember((statements, "check_branch"))
for name in ("quadrature", "stages", "adjoint"):
    remember((METHOD, name))
remember(*((module, "Method") for module in (runge_kutta, interpolant, rosenbrock, enclosures)))


# ---- Tests --------------------------------------------------------------------------------------

def made(program, folder):
    """Certificates of forgeries.json that are not committed, with their tableau files."""
    (folder / "files").mkdir()
    files = [folder / "files" / f"{t['id']}.json" for t in TABLE["tableaus"]]
    for file, tableau in zip(files, TABLE["tableaus"]):
        file.write_text(json.dumps(tableau))
    run = subprocess.run([program, "verify", *TABLE["members"], *files], capture_output=True,
                         text=True, env={**os.environ, "DAEMARK_RESULTS": str(folder / "results")})
    found = {}
    for file in folder.rglob("*.json"):
        certificate = load(file)
        if isinstance(certificate, dict) and "digest" in certificate:
            found[certificate["id"]] = certificate
    tableaus = {t["id"]: t for t in TABLE["tableaus"]}
    if len(found) < len(tableaus) + len(TABLE["members"]):
        sys.exit(f"certificates of {sorted(found)} alone:\n{run.stdout}{run.stderr}")
    return [(c, tableaus.get(name) or of_catalogue(name)) for name, c in found.items()]


def of_catalogue(name):
    file = SOURCE / "methods" / "tableaus" / f"{name}.json"
    return load(file) if file.is_file() else None


def leaves(work):
    """Faults of one certificate: how many changes were tried, which were accepted."""
    certificate, tableau, share, seed = work
    name = certificate["id"]
    refusal = refusal_of(certificate, tableau)
    faults, tried, chance = [f"{name}: {refusal}"] if refusal else [], 0, random.Random(seed + name)
    for path, other in changes(certificate):
        if chance.randrange(share) or (path == ("id",) and "penalty=" in other):
            continue  # another penalty is another member, with the same step
        tried += 1
        refusal = refusal_of(forged(certificate, path, other), tableau) or "accepted"
        if refusal == "accepted" or "malformed" in refusal:
            faults.append(f"{name} {'/'.join(map(str, path))} = {str(other)[:200]}: {refusal}")
    return tried, faults


def table(certificates):
    """Rows of forgeries.json: [id, {path: value}, refused field, {path: value} of the tableau]."""
    for name, values, field, *more in TABLE["forgeries"]:
        certificate, tableau = certificates[name]
        for path, value in more[0].items() if more else ():
            tableau = put(tableau, steps(path), value) if path else value
        out = certificate.copy()
        for path, value in values.items():
            out = put(out, steps(path), value)
        if json.dumps(out) == json.dumps(certificate) and not more:
            yield f"{name} {values}: changes nothing"
        if "/digest" not in values:
            out["digest"] = digest_of(out)
        refusal = refusal_of(out, tableau)
        if not (refusal or "accepted").startswith(field):
            yield f"{name} {str(values)[:200]}: {refusal or 'accepted'}, not {field}"


def steps(path):
    return tuple(int(x) if re.fullmatch("[0-9]+", x) else x for x in path.strip("/").split("/"))


def no_certificates(certificate, tableau):
    """Values of no kind that a certificate has: refused, and nothing ends."""
    for value in (None, 1, [], {}, "text"):
        if refusal_of(value) is None:
            yield f"{value} is accepted"
        for key in certificate:
            out = {**certificate, key: value}
            out["digest"] = digest_of(out) if key != "digest" else value
            if out != certificate and refusal_of(out, tableau) is None:
                yield f"{key}: {value} is accepted"


def polynomials():
    """Swinnerton-Dyer's split modulo every prime; products do not pass."""
    for f, wanted in (([1, 0, -10, 0, 1], True), ([576, 0, -960, 0, 352, 0, -40, 0, 1], True),
                      ([4, 0, 0, 0, 1], False), ([1, 2, 1], False), ([0, 1, 1], False),
                      ([6, 0, -5, 0, 1], False), ([-2, 0, 0, 0, 0, 3], True)):
        if irreducible(f) != wanted:
            yield f"{f}: irreducible is not {wanted}"


def program(folder, certificates):
    """Statuses and words of the program."""
    file, tableau = folder / "heun.json", folder / "heun_tableau.json"
    heun, own = certificates["heun_2"]
    file.write_text(json.dumps(heun))
    tableau.write_text(json.dumps({**own, "b": ["1/3", "2/3"]}))
    (folder / "forged.json").write_text(json.dumps({**heun, "B": 3}))
    (folder / "text.json").write_text("no json")
    for words, status, said in (
            ([file], 0, "1 accepted, 0 refused"), ([folder / "forged.json"], 1, "B: derived 2"),
            ([file, "--tableau", tableau], 1, "b: entry 1"), ([folder / "missing.json"], 2, "missing"),
            ([], 2, "accepted: CERT"), ([file, "--unheard"], 2, "unknown option --unheard"),
            ([file, "--time-limit", "0"], 2, "above 0"), ([folder / "text.json"], 2, "text.json"),
            ([SOURCE / "results/certificates/mssth_n_5_rho_0.json", "--time-limit", "0.01"], 1,
             "not decided within the time limit, 0.01 s")):
        run = subprocess.run([CHECKER, *words], capture_output=True, text=True)
        if run.returncode != status or said not in run.stdout + run.stderr:
            yield f"daemark_checker {words}: {run.returncode}, {run.stdout}{run.stderr}"
    text, twice = file.read_text(), folder / "twice.json"
    for key in re.finditer(r'"\w+":', text):  # in front of the true one, at any depth
        twice.write_text(text[:key.start()] + key[0] + " 9, " + text[key.start():])
        try:
            load(twice)
            yield f"{key[0]} may stand twice"
        except ValueError:
            pass


def main(program_file, share=12, seed=""):
    committed = [load(f) for f in sorted((SOURCE / "results" / "certificates").glob("*.json"))]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        every = [(c, of_catalogue(c["id"])) for c in committed] + made(program_file, folder)
        certificates = {c["id"]: (c, tableau) for c, tableau in every}
        faults = [*table(certificates), *no_certificates(*certificates["heun_2"]), *polynomials(),
                  *program(folder, certificates)]
        with ProcessPoolExecutor() as pool:
            results = list(pool.map(leaves, [(*pair, int(share), seed) for pair in every]))
    tried = sum(n for n, _ in results)
    faults += [fault for _, found in results for fault in found]
    print("\n".join(faults[:40]))
    print(f"{len(every)} sound certificates, {tried + len(TABLE['forgeries'])} forgeries, "
          f"{len(faults)} faults")
    return 1 if faults or len(committed) < 170 or tried < 4 * len(every) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[2:]))
