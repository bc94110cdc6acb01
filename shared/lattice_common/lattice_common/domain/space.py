"""Names of the memories of several owners in one deployment, shared by folders, requests and settings."""

from __future__ import annotations

SHARED = "shared"
"""The space into which every owner may tell and ask."""

SPACES_FOLDER = "spaces"
"""Folder within a data folder: a data folder for each space except the first owner's, whose is the data folder itself."""
