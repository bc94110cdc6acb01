"""What Lattice does, without its doors: capture, ingest, recall, upkeep, and the adapters they run on."""

__version__ = "0.1.0"
