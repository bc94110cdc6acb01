"""Ground: a fact goes on only if its quote stands in its source, and only if the quote licenses what it says.

Guarantees, proved in `tests/pipeline/test_ground.py` and `tests/property/test_spans.py`: every candidate that comes out has
`capture.text[start:end] == quote`, a quote within one turn, and numbers, names, dates and negations that its quote and context
license; the same for candidates of rules and of models. What a model adds beside that (speaker, dates, trust) is not believed
but read off the source. Never raises; linear in the segment for each candidate.
"""

from lattice_common.ingest.ground.ground import ground

__all__ = ["ground"]
