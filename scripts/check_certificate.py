#!/usr/bin/env python3
"""Check certificates of daemark over the rationals, with nothing but Python's fractions.

    check_certificate.py [--tableaus FOLDER] CERT.json|FOLDER ...

A reading of analysis/certcheck/FORMAT.md that shares no line with the program. Status 0: all are
accepted; 1: one is refused, with the field; 2: a file cannot be read, or a key stands twice.
Certificates whose numbers are irrational or lie in intervals are counted and left to daemark_checker.
"""
import hashlib
import json
import re
import sys
from fractions import Fraction as Q
from pathlib import Path

from certificate.families import check_block, check_collocation, natural, takes, within_one
from certificate.interpolant import check_interpolant
from certificate.multistep import check_bdf, check_multistep
from certificate.reading import (Refused, expression, keys, load, member, poly, require, row, same,
                                 square)
from certificate.runge_kutta import METHOD_KEYS, Method, check_method
from certificate.second_order import check_second_order
from certificate.statements import check_flat, check_high_order, check_spectral


def digest(cert):
    names = ["A", "b", "c", "nodes", "embedded", "rho", "sigma", "gamma", "N", "c5", "free_nodes"]
    parts = [cert["id"], cert["kind"], None] + [cert.get(key) for key in names]
    if isinstance(cert.get("dense"), dict):
        parts += [cert["dense"].get(key) for key in ("A", "c", "weights")]
    text = json.dumps(parts, separators=(",", ":"), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def check_tableau(cert, tableau):
    same("id", cert["id"], tableau.get("id"))
    require(tableau.get("kind") == cert["kind"], "kind: not that of the tableau file")
    require(not tableau.get("decimal", False), "id: decimals are never certified")
    texts = json.dumps([tableau.get(k) for k in ("A", "b", "c", "b_hat", "alpha", "beta")])
    require("." not in texts, "id: decimals are never certified")
    def entries(theirs, ours):
        found = [expression(x, ours) for x in theirs]
        require(found == ours_of(ours, len(found)), f"{ours}: not the tableau's")
    def ours_of(key, size):
        if cert["kind"] == "runge_kutta":
            return row(cert[key], key)
        found = poly(cert[key], key)
        return found + [Q(0)] * (size - len(found))
    if cert["kind"] == "multistep":
        entries(tableau["alpha"], "rho")
        entries(tableau["beta"], "sigma")
        return
    require(cert["kind"] == "runge_kutta", "kind: not that of a tableau")
    a = square(cert["A"], "A", len(cert["b"]))
    require([[expression(x, "A") for x in r] for r in tableau["A"]] == a, "A: not the tableau's")
    for theirs, ours in (("b", "b"), ("c", "c"), ("b_hat", "embedded")):
        entries(tableau.get(theirs, []), ours)
    inside = tableau.get("dense")
    require(("dense" in cert) == (inside is not None and "." not in json.dumps(inside)),
            "dense: not as in the tableau file")
    for key in ("A", "c", "weights") if "dense" in cert else ():
        values = inside.get(key, [])
        exact = [[str(expression(x, key)) for x in r] if isinstance(r, list) else
                 str(expression(r, key)) for r in values]
        require(exact == cert["dense"][key], f"dense: {key}: not the tableau's")


def check_family(cert, name, arguments, m):
    kind = cert["kind"]
    require(cert.get("embedded", []) == [], "embedded: of no family")
    wanted = {"pade_block_rk": "pade_block", "pade_block": "pade_block", "bdf": "multistep",
              "lms": "multistep", "ss": "multistep", "bathe": "runge_kutta",
              "msstc": "runge_kutta", "mssth": "runge_kutta", "mssth_min": "runge_kutta"}
    if name in ("gauss", "radau_ia", "radau_iia", "lobatto_iiia", "lobatto_iiic"):
        require(kind == "collocation", "kind: not that of the id")
        return check_collocation(name, arguments, m)
    if kind == "second_order":
        return check_second_order(cert, name, arguments)
    require(wanted.get(name) == kind, "id: no family; its tableau file is needed")
    if name == "bdf":
        takes(name, arguments, "k")
        check_bdf(cert, natural(arguments, "k"))
    elif kind == "pade_block":
        check_block(cert, name, arguments, m)
    else:
        takes(name, arguments, "rho", *([] if name == "bathe" else ["n"]))
        n = 2 if name == "bathe" else natural(arguments, "n")
        check = {"lms": check_flat, "ss": check_flat}.get(name)
        rho = within_one(arguments, "rho")
        if check:
            check(cert, n, rho)
        else:
            (check_high_order if name.startswith("mssth") else check_spectral)(cert, n, rho, m)


def keys_of(cert, name, arguments, tableau):
    out, kind = ["format", "id", "kind", "digest", "field"], cert["kind"]
    if kind in ("runge_kutta", "collocation", "pade_block"):
        out += METHOD_KEYS + ["c" if kind == "runge_kutta" else "nodes"]
        out += ["pade", "mu", "B_singular"] if kind == "pade_block" else []
        out += ["dense"] if tableau and "dense" in cert else []
        out += ["embedded_order", "embedded_stability"] if cert.get("embedded") else []
    elif kind == "multistep":
        out += ["rho", "sigma", "order", "error_constant", "zero_stable", "common_factor",
                "locus", "circle", "A_stable", "L_stable", "witness"]
    else:
        require(kind == "second_order", "kind: unknown")
        out += ["A", "order", "linear_order", "undamped_order", "roots_at_infinity", "A_stable",
                "L_stable", "half_plane", "witness"]
    families = ("bathe", "msstc", "mssth", "mssth_min", "lms", "ss")
    if tableau is None and name in families and \
            not (name in ("lms", "ss") and arguments.get("rho") == "1"):
        out += ["for_all_rho", "rho_infinity"]
    return out


def check(cert, tableau):
    require(isinstance(cert, dict), "the certificate: no object")
    for key in ("format", "id", "kind"):
        require(isinstance(cert.get(key), str), f"{key}: no text")
    same("format", cert["format"], "daemark certificate 2")
    same("field", cert["field"], None)
    name, arguments = member(cert["id"])
    keys(cert, "the certificate", keys_of(cert, name, arguments, tableau))
    same("digest", cert["digest"], digest(cert))
    m = Method(cert) if cert["kind"] not in ("multistep", "second_order") else None
    if tableau is None:
        check_family(cert, name, arguments, m)
    else:
        check_tableau(cert, tableau)
    if m is not None:
        check_method(cert, m)
    if "dense" in cert:
        check_interpolant(cert["dense"], m)
    if cert["kind"] == "multistep":
        check_multistep(cert)


def over_the_rationals(cert):
    return not (isinstance(cert, dict) and (cert.get("field") is not None or "radicals" in cert or
                                            cert.get("kind") in ("spectral_factor", "free_nodes")))


def refusal_of(cert, tableau=None):
    """The first statement that does not hold, None for a sound certificate."""
    try:
        check(cert, tableau)
    except Refused as refused:
        return str(refused)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, ZeroDivisionError,
            StopIteration, RecursionError) as fault:
        return f"malformed: {fault!r}"
    return None


def main(arguments):
    tableaus = Path(__file__).resolve().parent.parent / "methods" / "tableaus"
    if arguments[:1] == ["--tableaus"] and len(arguments) > 1:
        tableaus, arguments = Path(arguments[1]), arguments[2:]
    if not arguments or arguments[0].startswith("-"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    files = [f for a in map(Path, arguments) for f in (sorted(a.glob("*.json")) if a.is_dir()
                                                       else [a])]
    counts = {"accepted": 0, "refused": 0, "not over the rationals": 0}
    for file in files:
        try:
            cert = load(file)
            name = str(cert.get("id")) if isinstance(cert, dict) else ""
            own = next((f / f"{name}.json" for f in (tableaus, tableaus / "library")
                        if re.fullmatch(r"\w+", name) and (f / f"{name}.json").exists()), None)
            tableau = load(own) if own else None
        except (OSError, ValueError) as fault:
            print(f"{file}: {fault}", file=sys.stderr)
            return 2
        if not over_the_rationals(cert):
            counts["not over the rationals"] += 1
            continue
        refusal = refusal_of(cert, tableau)
        counts["refused" if refusal else "accepted"] += 1
        if refusal:
            print(f"{file}: refused: {refusal}")
    print(", ".join(f"{n} {what}" for what, n in counts.items()))
    return 1 if counts["refused"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
