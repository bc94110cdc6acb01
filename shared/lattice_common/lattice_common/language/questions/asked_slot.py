"""The slots that a question asks about: where somebody lives, whom they work for. Answers often share neither words nor meaning
with the question ("Where do we live?" – "The new address is 14 Alder Road."), but reconcile has read their slots already.

Deliberately few patterns, each for a whole question: a more specific one ("where do I live in summer") is searched for.
"""

from __future__ import annotations

import re

from lattice_common.domain.atom import normalize_subject
from lattice_common.language.patterns import lazy_regex

_END = r"(?: now| nowadays| currently| these days| at the moment| today| before)?[\s?.!]*$"
_OWN: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = (
    (
        lazy_regex(
            rf"^(?:where (?:do|did) (?:i|we) live|where is (?:my|our) (?:home|house|flat)|(?:what(?: is|'s) )?(?:my|our) "
            rf"(?:home |new |current |postal )?address){_END}"
        ),
        ("residence|me|", "person|me|address"),
    ),
    (
        lazy_regex(rf"^(?:where (?:do|did) i work|who (?:do|did) i work for|who(?: is|'s) my employer){_END}"),
        ("employer|me|",),
    ),
    (
        lazy_regex(rf"^(?:who(?: is|'s) my (?:boss|manager|superior)|who(?:m)? (?:do|did) i report to){_END}"),
        ("person|me|boss", "person|me|manager"),
    ),
)
"""Keys as `slots.of_atom.slot_keys` gives them to atoms."""
_THEIRS = lazy_regex(rf"^where (?:does|do|did) (?P<name>[\w'-]+(?: [\w'-]+)?) live{_END}")


def asked_slots(lowered: str) -> tuple[str, ...]:
    """Return the keys of the slots that the question, in lower case, asks about; nearly always none."""
    for pattern, keys in _OWN:
        if pattern.match(lowered):
            return keys
    theirs = _THEIRS.match(lowered)
    return (f"residence|{normalize_subject(theirs['name'])}|",) if theirs else ()
