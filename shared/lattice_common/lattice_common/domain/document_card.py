"""The memory that stands for a document as a whole."""

from __future__ import annotations

DOCUMENT = "document"
"""Its kind."""

TEXT_HASH = "text_hash"
"""Metadata key: documents that are called the same are the same only if they say the same."""
