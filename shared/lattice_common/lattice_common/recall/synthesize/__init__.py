"""Answers from the selected memories."""
