"""Readers of what other programs export: from a file to captures, one per conversation."""
