"""Passages: documents and other long texts as they are searched beside the memories. Derived from the journal."""
