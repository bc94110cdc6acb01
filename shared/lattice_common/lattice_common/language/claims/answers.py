"""Words by which an answer, or what a language model concluded, may say more than it was told."""

from __future__ import annotations

import re

from lattice_common.language.patterns import lazy_regex

YES_OR_NO = lazy_regex(
    r"^(?:(?:yes|no|yeah|nope|correct|right)\b[,.:;\s]*|(?:answer|antwort|réponse|respuesta|risposta)\s*:\s*)", re.IGNORECASE
)
"""What stands before the answer itself."""
SAID = lazy_regex(r"\b(?:said|told|mention\w*|noted?|record\w*|wrote|written|as of|according|remember\w*)\b", re.IGNORECASE)
"""Of a sentence that says when something was told."""
ENDED = lazy_regex(r"\b(?:until|till|before|up to|since|bis)\b", re.IGNORECASE)
"""Of a sentence that says how long something held."""
DEICTIC = lazy_regex(
    r"\b(?:to(?:day|night|morrow)|yesterday|ago|last|next|this|coming|past|previous|heute|gestern|morgen)\b", re.IGNORECASE
)
"""A date as it is seen from today."""
ORDERS = lazy_regex(
    r"\b(?:should|shouldn['’]t|ought|must|mustn['’]t|ignore|please|solltest|sollte|musst|bitte|ignoriere)\b", re.IGNORECASE
)
"""Words that instruct somebody."""
PREFACE = lazy_regex(
    r"^\s*(?:#{1,6}\s+)?(?:[-*•]\s+|\d{1,2}[.)]\s+)?(?:(?:here|hier|sure|okay|summary|zusammenfassung|insight|synthesis)\b[^:\n]{0,60}:\s*)?",
    re.IGNORECASE,
)
"""List marks and announcements that small models put before a sentence."""
CHANGE = lazy_regex(r"\b(?:from|von)\s+(\w[\w.,:]*)(?:\s\w+)?\s+(?:to|auf|nach)\s+(\w+(?:[.,:]\w+)*)")
"""What something was, and what it became."""
