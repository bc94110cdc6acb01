"""Places by name."""
