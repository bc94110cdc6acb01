"""Extraction by rules: the statements of a segment, as candidates for atoms. No model, no network.

Each sentence with content becomes a fact in its own words, with the speaker (in a conversation) or the headings (in a document)
before it and the meaning of relative dates behind them. Nothing is reworded: what is not understood is at least not falsified.
English rules give kinds and subjects; in any other language sentences become facts all the same.
"""

from lattice_common.ingest.extract.rules import extract

__all__ = ["extract"]
