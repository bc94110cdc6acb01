"""The graph of Lattice as a service: reads the sidecars, answers over HTTP."""
