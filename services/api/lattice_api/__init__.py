"""The HTTP door of Lattice, and its page."""
