"""What people say about things in one clause: passwords, numbers, favourites, prices, appointments, states, who has it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_common.language.patterns import lazy_regex
from lattice_common.language.slots.appointments import points
from lattice_common.language.slots.claim import NOTHING, Claim, Stems
from lattice_common.language.slots.clause import Clause, stems
from lattice_common.language.slots.holder import SUBJECT, holder_of
from lattice_common.language.slots.values import cut
from lattice_common.language.text import fold, stem
from lattice_common.language.vocabulary import vocabulary

_NP = (
    r"^(?P<det>(?:[Mm]y|[Oo]ur|[Tt]he|[Tt]his|[Aa]n?|"
    r"[A-Z][\w-]+'s)\s+(?:[\w-]+'s\s+)?)?(?P<np>(?:[\w'/&+.-]+\s+){0,6}?[\w'/&+.-]+)\s*"
)
_BE = r"(?:\s(?:is|are)|'s|:|\s=)(?:\s+(?:now|currently|still|actually|today|instead|just))*"
_SHIFT = (
    r"\s(?:(?:has|have|had|was|were|is|are|got|'s)\s+)*(?:been\s+|just\s+|now\s+)*(?:changed|raised|increased|reduced|"
    r"lowered|cut|went up|gone up|went down|gone down|"
    r"rose|risen|dropped|moved|rescheduled|postponed|pushed(?: back| forward| out)?|brought forward|delayed|shifted|switched|set)"
    r"(?:\s+from\s+(?P<was>.+?))?\s+(?:to|until|by)\s+"
)
_IS = lazy_regex(_NP + r"(?:" + _BE + r"|" + _SHIFT + r")\s*(?P<value>\S.*)$")
_COSTS = lazy_regex(_NP + r"\s(?:now\s+)?costs?(?:\s+(?:now|me|us|about|only))*\s+(?P<value>.*\d.*)$")
_HAPPENS = lazy_regex(
    _NP + r"\s(?:now\s+|will\s+|only\s+)*(?P<verb>starts?|begins?|leaves?|departs?|arrives?|lands?|ends?|takes? place|"
    r"happens?|opens?|closes?|is due|are due|is held)"
    r"(?:\s+(?:now|only))*\s+(?P<value>.+)$"
)
_WEIGHS = lazy_regex(SUBJECT + r"(?:\s+(?:now|currently|still))*\s+weighs?\s+(?:about\s+)?(?P<value>\d.*)$")
_IS_MY = lazy_regex(
    r"^(?P<value>(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? |Frau |Herr )?[A-Z][\w'-]+(?: [A-Z][\w'-]+){0,2}) is(?: now| currently)* "
    r"(?P<det>my |our |[A-Z][\w-]+'s )(?P<np>(?:[\w-]+ ){0,2}?[\w-]+)(?: now| again)*[.!]*$"
)
_CHANGED = vocabulary("changed switched swapped")
_CHANGED_MY = lazy_regex(
    r"^(?:I|[Ww]e)(?:'ve|’ve| have)?(?: just| finally| now| also)* (?:changed|switched|swapped) (?P<det>my |our )"
    r"(?P<np>(?:[\w-]+ ){0,2}?[\w-]+)(?: (?:over|again))*(?: from (?P<was>.+?))? (?:to|for) (?P<value>\S.*)$"
)
"""The active voice of "my dentist was changed to Dr Park"."""
_INSTEAD_OF = lazy_regex(r",?\s+(?:not|instead of|rather than)\s+(?P<was>[^,.;!]+)")
_BETWEEN = vocabulary("on in at of")
_HEAD_END = lazy_regex(r"\s+(?:of|for|in|at|to|on|from|with)\s+")

_NUMBERED = vocabulary(
    """code pin number price cost rent fee salary income wage deadline budget weight height balance limit rate deposit
    combination capacity extension size"""
)
"""Things with one number at a time."""
_WORDED = vocabulary("password passphrase passcode username login handle nickname")
_NAMED = vocabulary(
    """boss manager supervisor landlord landlady dentist doctor gp therapist bank lead leader owner captain ceo principal
    insurer insurance provider host president chair coach trainer employer school university server version branch venue
    title status address hairdresser accountant lawyer vet supplier operator carrier plan model"""
)
"""Things with a name that may have several at once, too: one supersedes another only when that is said."""
_VAGUE = vocabulary(
    """part thing things one ones way moment memory memories time times bit piece kind type person people place day days
    quote line scene aspect moments parts"""
)
_BAD_VALUE = lazy_regex(
    r"^(?:not|no|so|too|very|really|pretty|quite|wrong|right|weak|strong|secure|expired|missing|hard|easy|long|short|"
    r"the same|on|in|at|over|under|full|"
    r"empty|great|good|bad|fine|ok|okay|high|low|due|unknown|different|changing|going|being|always|never|when|what|"
    r"where|how|that|to|because|like|all|both|either)\b",
    re.IGNORECASE,
)
_STATES: tuple[frozenset[str], ...] = (
    vocabulary("broken fixed repaired working"),
    vocabulary("open closed reopened"),
    vocabulary("draft review approved published rejected"),
    vocabulary("pending done finished completed cancelled unfinished"),
    vocabulary("lost found missing"),
    vocabulary("sick ill recovered"),
    vocabulary("vacant occupied"),
)
"""Groups of exclusive states; one thing, such as "the report", may have a state of several groups (`review`, `done`)."""
_PROGRESS = _STATES[2] | _STATES[3]
_STATE = lazy_regex(
    _NP + r"\s(?:is|are|has been|have been|got|was just)\s+(?:(?:now|finally|all|in|already|currently|"
    r"still)\s+)*(?P<value>[a-z]+)(?:\s+(?:now|again|today|at last))*[.!]?$"
)
_NEWS = vocabulary("fixed repaired reopened approved published rejected done finished completed cancelled found recovered")
_MOMENTS = {
    "leav": "leave",
    "depart": "leave",
    "arriv": "arrive",
    "land": "arrive",
    "end": "end",
    "open": "open",
    "close": "close",
}
_HAPPENING = vocabulary(
    """start starts begin begins leave leaves depart departs arrive arrives land lands end ends take takes happen happens
    open opens close closes due held"""
)
_ANY_STATE = frozenset().union(*_STATES)
_HEADS = _NUMBERED | _WORDED | _NAMED | {"favourite", "favorite", "colour", "color"}
_DATED = lazy_regex(r"\d|day\b|\bnoon\b|\bmidnight\b|\b(?:room|hall|platform|gate|terminal|studio|floor)\b", re.IGNORECASE)
_NOT_THIS_ONE = lazy_regex(r"\b(?:old|former|previous|last|next|first|future|dream|ex)\b", re.IGNORECASE)
_NO_AMOUNT = lazy_regex(
    r"\b(?:digits?|characters?|days?|weeks?|months?|hours?|minutes?|long|late|early|short|away|over|under)\b", re.IGNORECASE
)
_RATE = lazy_regex(r"\b(?:a|an|per|each|every) (?:hour|day|night|week|month|quarter|year)\b", re.IGNORECASE)
"""What an amount is paid for: "950 euros a month" is an amount, "three months" is none."""
_ADJECTIVE = lazy_regex(r"^\w*(?:ish|ese|ian|ean|ican|Greek|French|German|Dutch|Swiss|Czech|Catholic)(?:\s+now)?[.!]?$")
_NOT_A_THING = vocabulary(
    "i we he she it they there here who what this that which everything nothing something one you your his her their its"
)


def thing_claims(clause: Clause, author: str) -> Iterator[Claim]:
    """Yield the claims of a clause about things; none where it supposes or remembers. A planned date is a date."""
    if clause.supposed or clause.past:
        return
    text = clause.text
    words = clause.words
    if not words.isdisjoint(("cost", "costs")) and (match := _COSTS.search(text)):
        yield from _thing(match, clause, author, "attribute", extra=frozenset(("price",)))
        return
    if not words.isdisjoint(("weigh", "weighs")) and (match := _WEIGHS.search(text)):
        if holder := holder_of(match.group("who"), author):
            yield _claim("attribute", holder, clause, cut(match.group("value")), about=frozenset(("weight",)))
        return
    if not words.isdisjoint(_HAPPENING) and (match := _HAPPENS.search(text)):
        yield from _schedule(
            match, clause, author, stem(fold(match.group("verb")).split()[0]) if " " not in match.group("verb") else ""
        )
        return
    if clause.planned:
        return
    if not words.isdisjoint(_ANY_STATE) and (match := _STATE.search(text)) and (state := _state(match, clause, author)):
        yield state
        return
    if not words.isdisjoint(_NAMED) and (match := _IS_MY.search(text)) and _head(match.group("np")) in _NAMED:
        yield from _thing(match, clause, author, "person")
        return
    if not words.isdisjoint(_CHANGED) and (match := _CHANGED_MY.search(text)) and _head(match.group("np")) in _HEADS:
        yield from _attribute(match, clause, author, change=True)
        return
    if (_DATED.search(text) or not words.isdisjoint(_HEADS)) and (match := _IS.search(text)):
        yield from _attribute(match, clause, author)


def _attribute(match: re.Match[str], clause: Clause, author: str, *, change: bool = False) -> Iterator[Claim]:
    """Yield what a thing has as its number, word or name; `change`: the words say that it is another one now."""
    head = _head(match.group("np"))
    value = match.group("value")
    favourite = bool(re.search(r"\bfavou?rite\b", match.group("np"), re.IGNORECASE))
    if favourite:
        if head not in _VAGUE and not head.endswith("s") and not _BAD_VALUE.match(value):
            yield from _thing(match, clause, author, "attribute", change=change)
    elif head in _WORDED:
        word = cut(value).split()
        if len(word) == 1 and not _BAD_VALUE.match(value):
            yield from _thing(match, clause, author, "attribute", change=change)
    elif (
        head in _NUMBERED
        and re.search(r"\d", value)
        and not _NO_AMOUNT.search(_RATE.sub("", value))
        and not points(value).keys() - {"time"}
    ):
        yield from _thing(match, clause, author, "attribute", change=change)
    elif (
        head in _NAMED
        and not _ADJECTIVE.match(value)
        and re.match(r"(?:the |Dr\.? |at |in |on )?[A-Z0-9]|\w+-?\d|dr\.? [a-z]", value)
    ) or (head in ("colour", "color") and not _BAD_VALUE.match(value)):
        yield from _thing(match, clause, author, "person", change=change)
    elif points(value):
        yield from _schedule(match, clause, author, "")


def _thing(
    match: re.Match[str], clause: Clause, author: str, slot: str, *, extra: Stems = NOTHING, change: bool = False
) -> Iterator[Claim]:
    holder, about = _holder(match, author), _about(match.group("np")) | extra
    value = match.group("value")
    was = match.groupdict().get("was") or ""
    if instead := _INSTEAD_OF.search(value):
        was, value = instead.group("was"), value[: instead.start()]
    shown = _value(value)
    if holder and about and shown and len(shown) <= 80:
        yield _claim(slot, holder, clause, shown, about=about, was=stems(was), change=change or _says_current(match))


def _schedule(match: re.Match[str], clause: Clause, author: str, verb: str) -> Iterator[Claim]:
    holder = _holder(match, author)
    about = _about(match.group("np"))
    if not holder or not about:
        return
    value, was = match.group("value"), match.groupdict().get("was") or ""
    if instead := _INSTEAD_OF.search(value):
        was, value = f"at {instead.group('was')}", value[: instead.start()]
    moment = _MOMENTS.get(verb, "")
    over = points(f"at {was}")
    for facet, stated in points(value if value[:3] in ("at ", "on ", "to ") else f"at {value}").items():
        yield _claim(
            "hours" if moment in ("open", "close") else "schedule",
            holder,
            clause,
            value.strip(" .!"),
            about=about | ({moment} if moment else NOTHING),
            value=stated,
            was=over.get(facet, NOTHING),
            facet=facet,
            change=_says_current(match),
        )


def _state(match: re.Match[str], clause: Clause, author: str) -> Claim | None:
    value = fold(match.group("value"))
    holder, about = _holder(match, author), _about(match.group("np"))
    if not holder or not about:
        return None
    for number, states in enumerate(_STATES):
        if value in states:
            facet = "progress" if value in _PROGRESS else str(number)
            return _claim(
                "status", holder, clause, value, about=about, value=frozenset((value,)), facet=facet, change=value in _NEWS
            )
    return None


def _holder(match: re.Match[str], author: str) -> str:
    """Return whose thing it is: the author's, unless the words name somebody else."""
    determiner = (match.group("det") or "").strip()
    if fold(match.group("np")).split()[0] in _NOT_A_THING or _NOT_THIS_ONE.search(match.group("np")):
        return ""
    if determiner.endswith("'s"):
        owner = determiner.removesuffix("'s")
        if owner.split()[0].lower() in ("my", "our", "the"):
            return author if owner.lower() == "the user" else f"{author}/{fold(owner).split(' ', 1)[-1]}"
        return holder_of(owner, author)
    return author


def _head(phrase: str) -> str:
    return fold(_HEAD_END.split(phrase)[0].split()[-1])


def _about(phrase: str) -> Stems:
    # "The shop on the corner" and "the corner shop" are the same.
    found = stems(phrase) - _BETWEEN
    return found if len(found) <= 6 else NOTHING


def _says_current(match: re.Match[str]) -> bool:
    return bool(re.search(r"\b(?:current|new|latest)\b", match.group(0)[: match.start("value")], re.IGNORECASE))


def _value(phrase: str) -> str:
    return cut(re.sub(r"^(?:the|at|in|on)\s+", "", phrase)) or phrase.strip(" .!")


def _claim(
    slot: str,
    holder: str,
    clause: Clause,
    shown: str,
    *,
    about: Stems,
    value: Stems | None = None,
    was: Stems = NOTHING,
    facet: str = "",
    change: bool = False,
) -> Claim:
    return Claim(
        slot=slot,
        holder=holder,
        about=about,
        value=stems(shown) if value is None else value,
        was=was,
        shown=shown,
        facet=facet,
        decisive=not clause.additive and not clause.subordinate,
        change=change or clause.change,
        year=clause.year,
        long_ago=clause.long_ago,
    )
