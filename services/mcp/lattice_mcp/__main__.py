"""`python -m lattice_mcp`: over HTTP, as in its container."""

import sys

from lattice_common.errors import LatticeError
from lattice_common.settings import Settings

from lattice_mcp.http_door import serve_http

if __name__ == "__main__":
    try:
        serve_http(Settings())
    except LatticeError as error:
        sys.exit(str(error))
