"""Questions and statements that refer to the turn before them: "and in June?", "which one?", "no, make that Tuesday"."""

from __future__ import annotations

import re

from lattice_common.language.patterns import lazy_regex

LONGEST_FOLLOW_UP = 300
"""Characters; a longer question says itself what it is about."""

_VAGUE = lazy_regex(
    r"^(?:(?:and|so|ok|okay)[, ]+)?(?:(?:what|who|where|how) else|any(?:thing|one|body|where) else|any (?:others?|more)"
    r"|which (?:one|ones|of (?:them|these|those))\b.*|(?:and )?then what|(?:and )?(?:after|before) (?:that|this)|(?:and )?then"
    r"|tell me more|more(?: details?| about (?:that|this|it))?|go on"
    r"|(?:and )?the (?:others?|first|second|third|last|next|same)(?: one| ones)?"
    r"|(?:and )?the (?:day|week|month|year) (?:before|after))[?.! ]*$",
    re.IGNORECASE,
)
_ELSEWHERE = lazy_regex(
    r"^(?:¿?(?:und|aber|et|mais|y|pero|e|ma|и|а|но) .{1,60}\?"
    r"|¿?(?:(?:und|et|y|e|а|и) )?(?:warum|wieso|seit wann|bis wann|wann|wo|wer|mit wem|pourquoi|depuis quand|où|quand|por qué|"
    r"desde cuándo|dónde|cuándo|perché|da quando|dove|quando|почему|где|когда|с каких пор|"
    r"зачем|с кем)(?: denn| genau| exactement)?[?.! ]*"
    r"|(?:was ist mit|wie steht es mit|et pour|qué tal|e che ne è di|как насчёт) .{1,60})$",
    re.IGNORECASE,
)
"""Follow-ups in other languages: recognised, so that a model may complete them; rules leave them as they are."""
_POINTS = "that|this|those|these"
_THAT = lazy_regex(
    rf"\b(?:{_POINTS})(?=\s*(?:$|[?.!,]|(?:ones?|too|again|costs?|means?|happen\w*|work\w*|takes?|looks?)\b))"
    rf"|\b(?:was|is|were|are|did|does|do|about|of|to|with|for) (?:{_POINTS})(?=\s+(?:about|for|with)\b)",
    re.IGNORECASE,
)
_CORRECTS = lazy_regex(
    r"^(?:(?:no|actually|sorry|wait|correction|oops|hm+|well)\b[,:.! ]*)*"
    r"(?:make (?:that|it)|change (?:that|it)|(?:i )?mean(?:t)?\b|not \w+[,.]? but\b|(?:the )?same\b|also\b|and\b|that's|that is|"
    r"that was|this is|those|too\b|instead\b)|^(?:no|actually|correction|sorry)[, ]",
    re.IGNORECASE,
)


def refers_back(question: str) -> bool:
    """Return whether a question cannot be understood without the turn before it, though no pronoun says so."""
    return bool(_VAGUE.match(question) or _THAT.search(question) or _ELSEWHERE.match(question))


def leans_back(statement: str) -> bool:
    """Return whether a statement begins as one that corrects or goes on with what was said before."""
    return len(statement) <= LONGEST_FOLLOW_UP and bool(_CORRECTS.match(statement.strip()) or _THAT.search(statement))
