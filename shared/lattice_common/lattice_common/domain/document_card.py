"""The memory that stands for a document as a whole."""

from __future__ import annotations

DOCUMENT = "document"
"""The kind of that memory."""

TEXT_HASH = "text_hash"
"""Metadata key: documents with the same name are the same only if their texts are equal."""
