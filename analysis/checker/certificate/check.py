"""One certificate: its keys, its digest, what its id stands for, and every field derived anew."""
import hashlib
import json

from certificate import enclosures, multistep, rosenbrock, runge_kutta, second_order
from certificate.algebra import roots_between
from certificate.families import check_bdf, check_block, check_collocation, natural, takes, within
from certificate.interpolant import check_interpolant
from certificate.reading import Part, Reader, Refused, member, read_field, require
from certificate.statements import check_flat, check_high_order, check_spectral
from certificate.tableau import check_tableau

STAGES = ("runge_kutta", "collocation", "pade_block")
HEAD = ["format", "id", "kind", "digest", "field"]
KEYS = {"runge_kutta": [*runge_kutta.KEYS, "c"], "collocation": [*runge_kutta.KEYS, "nodes"],
        "pade_block": [*runge_kutta.KEYS, "nodes", "pade", "mu", "B_singular"],
        "multistep": multistep.KEYS, "rosenbrock": rosenbrock.KEYS,
        "second_order": second_order.KEYS, "spectral_factor": enclosures.SPECTRAL_KEYS,
        "free_nodes": enclosures.FREE_KEYS}
COLLOCATION = ("gauss", "radau_ia", "radau_iia", "lobatto_iiia", "lobatto_iiic")
BLOCKS = ("pade_block", "pade_block_rk")
WITH_RHO = ("bathe", "msstc", "mssth", "mssth_min", "lms", "ss")
DIGESTED = ("A", "b", "c", "nodes", "embedded", "rho", "sigma", "gamma", "N", "c5", "free_nodes")


def digest_of(cert):
    field = cert.get("field")
    if isinstance(field, dict):
        field = [field.get(key) for key in ("minimal", "lower", "upper")]
    parts = [cert.get("id"), cert.get("kind"), field if isinstance(field, list) else None]
    parts += [cert.get(key) for key in DIGESTED]
    if isinstance(cert.get("dense"), dict):
        parts += [cert["dense"].get(key) for key in ("A", "c", "weights")]
    text = json.dumps(parts, separators=(",", ":"), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def keys_of(cert, name, arguments, tableau):
    kind = cert.text("kind")
    require(kind in KEYS, "kind: unknown")
    out = HEAD + KEYS[kind]
    if cert.value.get("embedded"):
        out += ["embedded_order", "embedded_stability"]
    if kind == "free_nodes" and cert.value.get("n") == 5:
        out += ["c5"]
    if tableau is None and name in WITH_RHO and \
            not (name in ("lms", "ss") and arguments.get("rho") == "1"):
        out += ["for_all_rho", "rho_infinity"]
    if kind == "runge_kutta" and "dense" in cert.value:
        out += ["dense"]
    if "radicals" in cert.value and (tableau is not None or name in BLOCKS):
        out += ["radicals"]
    return out


def check_family(cert, name, arguments, m):
    """The coefficients are those of the family's definition, and its statements hold."""
    kind = cert.text("kind")
    require(cert.value.get("embedded", []) == [],
            "embedded: the family of the id has no embedded formula")
    require("dense" not in cert.value, "dense: the family of the id has no interpolant")
    of_kind = lambda *kinds: require(kind in kinds, "kind: not that of the id")
    if name in COLLOCATION:
        of_kind("collocation")
        return check_collocation(name, arguments, m)
    if name in BLOCKS:
        of_kind("pade_block")
        return check_block(cert, name, arguments, m)
    if name == "bdf":
        of_kind("multistep")
        return check_bdf(cert, arguments)
    if name not in WITH_RHO:
        require(kind == "second_order", "id: no family of the checker; name its tableau file")
        return second_order.check_second_order(cert, name, arguments)
    takes(name, arguments, "rho", *(["n"] if name != "bathe" else []))
    n, rho = 2 if name == "bathe" else natural(arguments, "n"), within(arguments, "rho")
    if name in ("lms", "ss"):
        of_kind("multistep")
        check_flat(cert, n, rho)
    elif name in ("bathe", "msstc"):
        of_kind("runge_kutta", *(["spectral_factor"] if name == "msstc" else []))
        check_spectral(cert, n, rho, m)
        if m is None:
            enclosures.check_spectral_enclosure(cert, n, rho)
    else:
        of_kind("runge_kutta" if n == 3 else "free_nodes")
        check_high_order(cert, n, rho, m)
        if m is None:
            enclosures.check_free_nodes(cert, n, "published" if name == "mssth" else "error")


def check(value, tableau):
    require(isinstance(value, dict), "certificate: no object")
    cert = Part(value, "the certificate", Reader(None))
    cert.same("format", "daemark certificate 2")
    name, arguments = member(cert.text("id"))
    cert.keys(keys_of(cert, name, arguments, tableau))
    require(value.get("radicals", True) != [], "radicals: an empty list")
    cert.same("digest", digest_of(value))
    cert.reader.field = read_field(value["field"], roots_between)
    kind = cert.text("kind")
    m = runge_kutta.read_method(cert) if kind in STAGES else None
    if tableau is None:
        check_family(cert, name, arguments, m)
    else:
        check_tableau(cert, tableau)
    if m is not None:
        runge_kutta.check_method(cert, m)
    if "dense" in value:
        check_interpolant(cert.object("dense"), m)
    if kind == "multistep":
        multistep.check_multistep(cert)
    if kind == "rosenbrock":
        rosenbrock.check_rosenbrock(cert)
    require(cert.reader.field is None or cert.reader.needed, "field: no number needs it")


def refusal_of(cert, tableau=None):
    """The first statement that does not hold, None for a sound certificate.

    `tableau`: the content of the file of the id, None for ids of families.
    """
    try:
        check(cert, tableau)
    except Refused as refused:
        return str(refused)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, ArithmeticError,
            StopIteration, RecursionError, MemoryError) as fault:
        return f"certificate: malformed: {fault!r}"
    return None
