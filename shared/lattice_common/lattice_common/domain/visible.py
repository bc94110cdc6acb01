"""Text without invisible characters: controls, zero-width characters, direction marks and tags.

They stay in the journal as they were said, and are shown neither to a person nor to a model.
"""

from __future__ import annotations

import re

_UNSEEN = re.compile(
    "[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u2064\u2066-\u2069\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)


def visible(text: str) -> str:
    """Return `text` without invisible characters; joiners (U+200C, U+200D) stay, because Persian and emoji need them."""
    return _UNSEEN.sub("", text)
