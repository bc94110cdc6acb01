"""What an error says of itself, in words for people. The names of classes are for the log, which has them by itself."""

from __future__ import annotations

import re

LONGEST = 300
"""Characters of a cause: some libraries say pages."""
_CLASS = re.compile(r"\[?\b(?:\w+\.)*[A-Z]\w+(?:Error|Exception)\b\]?(?:\s*:\s*|\s+|$)?")
"""A class that a library names in what it says: `[ONNXRuntimeError] : 3 : NO_SUCHFILE`, `(Caused by NewConnectionError('…'))`."""


def cause_of(error: BaseException) -> str:
    """Return why something failed: what the system says, or what the error says without the names of classes; where that is
    nothing, that the log says where."""
    said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    plain = " ".join(_CLASS.sub("", said).split()).rstrip(".: ")
    return plain[:LONGEST] or "the log says where"
