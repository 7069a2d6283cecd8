"""A model of another program as a mechanism file, as JSON on standard output.

    python3 import_model.py FILE ID WORDS

FILE ends in .xml (MJCF), .urdf, .asmt (OndselSolver), or .mbd, .mbdyn or nothing (MBDyn). ID names the mechanism, "" for the model's own name.
WORDS, separated by commas: what to leave out (Model.leave_out). Prints {"mechanism": ..., "notes":
[...]}; what is refused is one line and exit status 2.
"""
import json
import re
import sys
from pathlib import Path

from asmt import read_asmt
from mbdyn import read_mbdyn
from mjcf import read_mjcf
from model import Model, Refused
from urdf import read_urdf
from xml_tree import read_xml


def identifier(text):
    plain = re.sub(r"[^a-z0-9_]+", "_", text.lower()).strip("_")[:50]
    return plain if re.match(r"[a-z]", plain) else "model_" + plain


def read(file, name, words):
    path, shown = Path(file), re.sub(r"[^\x20-\x7e]", "?", file)[:200]
    without = [word for word in words.split(",") if word]
    if path.suffix in (".urdf", ".xml"):
        root = read_xml(path, shown)
        readers = {"mujoco": ("MJCF", read_mjcf), "robot": ("URDF", read_urdf)}
        if root.tag not in readers:
            raise Refused(root.place, "accepted: <mujoco> (MJCF) or <robot> (URDF)")
        form, reader = readers[root.tag]
        model = Model(without, form)
        title = reader(root, path, model)
    elif path.suffix == ".asmt":
        model = Model(without, "OndselSolver")
        title = read_asmt(path, shown, model)
    elif path.suffix in (".mbd", ".mbdyn", ""):
        model = Model(without, "MBDyn")
        title = read_mbdyn(path, shown, model)
    else:
        raise Refused(shown, "accepted: a model in .xml (MJCF), .urdf, .asmt (OndselSolver), or .mbd, .mbdyn or no ending "
                      "(MBDyn)")
    return {"mechanism": model.mechanism(name or identifier(title or path.stem), shown),
            "notes": model.notes}


if __name__ == "__main__":
    try:
        print(json.dumps(read(*sys.argv[1:4])))
    except Refused as refusal:
        print(" ".join(str(refusal).split("\n")))
        sys.exit(2)
