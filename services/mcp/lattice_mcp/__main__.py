"""`python -m lattice_mcp`: over HTTP, as in its container."""

from lattice_common.settings import Settings

from lattice_mcp.http_door import serve_http

if __name__ == "__main__":
    serve_http(Settings())
