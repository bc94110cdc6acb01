"""What the memories of several owners in one deployment are called: names that folders, requests and settings have in common."""

from __future__ import annotations

SHARED = "shared"
"""The space that every owner may tell and ask."""

SPACES_FOLDER = "spaces"
"""In a data folder: a data folder for each space but the first owner's, which is the data folder itself."""
