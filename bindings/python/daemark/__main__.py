"""python -m daemark, and the command that a wheel installs: the program itself."""

import os
import sys

from ._library import program


def main() -> None:
    """Replaces this process by the program."""
    os.execv(program(), ["daemark", *sys.argv[1:]])


if __name__ == "__main__":
    main()
