"""The coefficients of a certificate are those of the tableau file of its id."""
import json

from certificate.expressions import Radicals, decimal, expression
from certificate.reading import require

FILE_KEYS = {  # of the certificate -> of the file
    "runge_kutta": {"A": "A", "b": "b", "c": "c", "embedded": "b_hat"},
    "rosenbrock": {"A": "alpha", "gamma": "gamma_ij", "b": "b", "embedded": "b_hat"},
    "multistep": {"rho": "alpha", "sigma": "beta"}}


def compare(theirs, ours, radicals, name):
    """Lists of expressions, or lists of such, against numbers."""
    require(isinstance(theirs, list) and len(theirs) == len(ours),
            f"{name}: not of the size of the tableau's")
    for i, (text, x) in enumerate(zip(theirs, ours)):
        if isinstance(x, list):
            compare(text, x, radicals, name)
            continue
        require(not decimal(str(text)), f"{name}: decimals approximate, they are never certified")
        require(expression(text, radicals, name) == x,
                f"{name}: entry {i + 1} is not the tableau's {str(text)[:60]}")


def check_dense(cert, tableau, radicals):
    """An interpolant is certified with the tableau where its entries are exact."""
    theirs = tableau.get("dense") or {}
    exact = isinstance(theirs, dict) and bool(theirs) and \
        not decimal(json.dumps(theirs, ensure_ascii=False))
    require(("dense" in cert.value) == exact, "dense: not as in the tableau file")
    if exact:
        ours = cert.object("dense")
        for key, read in (("A", ours.rows), ("weights", ours.rows), ("c", ours.row)):
            compare(theirs.get(key, []), read(key), radicals, key)


def check_tableau(cert, tableau):
    kind = cert.text("kind")
    require(isinstance(tableau, dict) and tableau.get("id") == cert.text("id"),
            "id: not that of the tableau file")
    require(tableau.get("kind") == kind and kind in FILE_KEYS,
            "kind: not that of the tableau file")
    require(tableau.get("decimal", False) is False,
            "id: the tableau file holds decimals, which are never certified")
    radicals = Radicals(cert.row("radicals") if "radicals" in cert.value else [])
    for ours, key in FILE_KEYS[kind].items():
        theirs = tableau.get(key, [])
        require(isinstance(theirs, list), f"{ours}: not of the size of the tableau's")
        if kind == "multistep":
            found = cert.poly(ours)
            found += [0] * (len(theirs) - len(found))
        elif ours in ("A", "gamma"):
            found = cert.square(ours, len(cert.row("b")))
        else:
            found = cert.row(ours)
        if ours == "gamma":  # one number on the diagonal
            theirs = [r[:i] + [tableau.get("gamma", "")] + r[i + 1:]
                      if isinstance(r, list) and len(r) == len(found) else r
                      for i, r in enumerate(theirs)]
        compare(theirs, found, radicals, ours)
    if kind == "runge_kutta":
        check_dense(cert, tableau, radicals)
    radicals.require_all_used()
