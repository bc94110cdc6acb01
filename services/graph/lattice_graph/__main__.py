"""`python -m lattice_graph`."""

import sys

from lattice_common.errors import LatticeError
from lattice_common.settings import Settings

from lattice_graph.app import serve

if __name__ == "__main__":
    try:
        serve(Settings())
    except LatticeError as error:
        sys.exit(str(error))
