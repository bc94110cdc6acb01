"""Texts as sentences."""
