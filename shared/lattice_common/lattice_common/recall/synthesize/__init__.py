"""Answers made of what was selected."""
