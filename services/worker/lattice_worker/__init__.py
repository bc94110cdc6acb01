"""The writer of Lattice in server mode: Celery."""
