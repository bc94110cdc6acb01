"""`python -m lattice_graph`."""

from lattice_common.settings import Settings

from lattice_graph.app import serve

if __name__ == "__main__":
    serve(Settings())
