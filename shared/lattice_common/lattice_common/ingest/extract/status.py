"""How each statement of a text is meant: asserted, planned, wished, supposed, said by others, joked, dropped or doubted.

Certain rules decide first (`status_rules`), over the sentence of a quote, with the sentence before where it refers to that ("If I
won the lottery. I'd buy a boat.") and a short one behind that takes it back ("Kidding."); then the judge, which reads the quote
beside the sentences around it. Without a judge the rules decide alone. Documents, tables, code and assistants assert, unless a
rule is certain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import TypeAlias

from lattice_common.domain.capture import Capture, turn_at
from lattice_common.domain.judgement import STATUSES, Status, UtteranceReading, is_whole
from lattice_common.domain.segment import Candidate, Segment
from lattice_common.domain.status import TRUE_OF_WHAT_THEY_SAY, UNDECIDED, holds
from lattice_common.ingest.extract.around import LONGEST, SHORT, Around, folded
from lattice_common.language.dates.mentions import resolve
from lattice_common.language.dates.telling import tells_of_past
from lattice_common.language.facts.beside import DISCLOSES, HEDGED, TAKES_ALL_BACK, TURN
from lattice_common.language.facts.direct_speech import is_of_another
from lattice_common.language.facts.status_rules import ASIDE, CUES, REPORTED, RULES, has_no_condition, is_present, is_usual
from lattice_common.language.glosses.recognition import language_of
from lattice_common.language.sentences.respelling import respelled
from lattice_common.ports.judge import Judge

TRUE_FROM = 0.6
"""The judge's probability of a true status (asserted, past, planned) from which it counts; below, the likeliest of the others
does. On the dev files (`python -m bench.status`) higher ones lose facts faster than they find others."""

JOKED_FROM = 0.5
"""The probability from which something in another language than English is a joke, which the judge sees in much that is only
lively there: of 1,152 statements of the files `meant-` C, N, S and AC that are so six more are kept, and one of 612 that are not
is no longer seen. In English as many are lost as are kept."""

_ASSERTED: frozenset[Status] = frozenset(("asserted",))
_QUOTED: frozenset[Status] = frozenset(("quoted",))
_PAST: frozenset[Status] = frozenset(("past",))
_PLANNED: frozenset[Status] = frozenset(("planned",))
_CONDITIONAL = frozenset(("instruction", "habit", "reminder", "preference"))
_FREE_TEXT = frozenset(("plain", "chat", "markdown"))


Grounded: TypeAlias = Sequence[tuple[Segment, tuple[Candidate, ...]]]
"""The proved candidates of each segment."""


def with_status(
    capture: Capture, grounded: Grounded, judge: Judge | None, *, late: bool = False
) -> tuple[tuple[Segment, tuple[Candidate, ...]], ...]:
    """Return the candidates of a part with the status of each that has none yet. `late`: the judge is asked about those of an
    import only about which it was not asked when they came."""
    return with_statuses([(capture, grounded)], judge, late=late)[0]


def with_statuses(
    parts: Sequence[tuple[Capture, Grounded]], judge: Judge | None, *, late: bool = False
) -> list[tuple[tuple[Segment, tuple[Candidate, ...]], ...]]:
    """Do likewise for parts of several captures; the judge is asked once, about all of them."""
    places = [
        (capture, piece, each) for capture, grounded in parts for piece, found in grounded for each in found if not each.status
    ]
    around = Around()
    said = {id(each): around.sentence(capture, piece, each) for capture, piece, each in places}
    sure = {id(each): certain_of(said[id(each)], each, frame_of(around, capture, piece, each)) for capture, piece, each in places}
    known: dict[int, Status] = {name: found or "asserted" for name, found in sure.items()}
    open_ = [
        (each, shown_beside(around.beside(capture, piece, each), each.quote[:LONGEST]), capture.observed_at)
        for capture, piece, each in places
        if sure[id(each)] is None and is_ones_own(capture, piece, each) and is_asked_at_once(capture, said[id(each)]) != late
    ]
    if judge is not None and open_:
        shown = list(dict.fromkeys(part for _, part, _ in open_))
        read = dict(zip(shown, judge.meant(shown), strict=True))
        known |= {id(each): _as_judged(read[part], part, said[id(each)], told) for each, part, told in open_}
    return [
        tuple(
            (piece, tuple(each if each.status else replace(each, status=known[id(each)]) for each in found))
            for piece, found in grounded
        )
        for _, grounded in parts
    ]


def status_of_text(text: str, judge: Judge | None) -> Status:
    """Return how all of a short text is meant."""
    found = certain(text, text)
    if found is not None or judge is None:
        return found or "asserted"
    return judged(judge.utterances([text])[0], text=text)


def certain(sentence: str, quote: str) -> Status | None:
    """Return the status that a rule gives a quote for certain: over the quote, and over its sentence up to the quote's end, from
    its last turn ("I used to swim, but now I run"); None where none does."""
    if is_of_another(sentence, quote):
        return "quoted"
    quoted = folded(quote)
    sentence = folded(sentence)
    if TAKES_ALL_BACK.search(sentence):
        return "joked"
    at = sentence.find(quoted)
    upto = TURN.split(sentence[: max(at, 0)])[-1] + sentence[max(at, 0) : at + len(quoted)] if at >= 0 else sentence
    behind = sentence[at + len(quoted) :] if at >= 0 else ""
    if TURN.match(quoted):
        upto = quoted
    if behind and (len(behind.split()) <= SHORT or DISCLOSES.match(behind.lstrip(' .,!?"'))) and not HEDGED.match(behind):
        upto += behind
    unbracketed = ASIDE.sub("", upto) if "(" in upto else upto
    read = [respelled(each).lower() for each in dict.fromkeys((quoted, upto, unbracketed))]
    return next((rule.status for rule in RULES if any(map(rule.pattern.search, read))), None)


def certain_of(sentence: str, candidate: Candidate, frame: Status | None = None) -> Status | None:
    """Return the status that is certain by rules; None where there is none. A condition is none in an instruction or a habit,
    which consist of one: "If the alarm rings, it will be 4711". What stands below a label that says how it is meant is no plain
    fact, whatever its own words say."""
    found = certain(sentence, candidate.quote)
    if frame is not None and (found is None or holds(found)):
        found = frame
    return None if found == "supposed" and candidate.kind in _CONDITIONAL else found


def frame_of(around: Around, capture: Capture, piece: Segment, candidate: Candidate) -> Status | None:
    """Return how the owner's own words are meant by the label or heading that they stand below; None where it doesn't say."""
    return around.frame(capture, piece, candidate) if _is_free(capture, piece, candidate) else None


def shown_beside(around: str, quote: str) -> tuple[str, str]:
    """Return what the judge is shown: a part of a text without the marks behind it, as it has learned parts."""
    return (around, quote) if is_whole(around, quote) else (around, quote.rstrip(" .,;:") or quote)


def _as_judged(reading: UtteranceReading, shown: tuple[str, str], sentence: str, told: datetime) -> Status:
    """Return the likeliest status of a part of a text, of which the judge was `shown` what stands around it, and the part."""
    return judged(reading, text=sentence, part=not is_whole(*shown), over=_is_over(sentence, told))


def _is_over(sentence: str, told: datetime) -> bool:
    """Return whether all the times that a sentence in another language than English names were over when it was told: many of
    their forms are present and past ("Nos mudamos a Getafe el 15 de octubre.")."""
    if language_of(sentence) is None:
        return False
    ends = [mention.valid_until for mention in resolve(sentence, told)]
    return bool(ends) and all(end is not None and end <= told for end in ends)


def judged(reading: UtteranceReading, *, text: str, part: bool = False, over: bool = False) -> Status:
    """Return the likeliest status of words that stand in `text`: one of what is true of what it says, unless that is unlikely.
    `part`: the judge has read them beside sentences around them; `over`: what they tell was over then, so they plan nothing."""
    shares = dict(reading.status)
    english = language_of(text) is None
    if english and has_no_condition(text):
        shares["asserted"] += shares.pop("supposed")
    among = (
        TRUE_OF_WHAT_THEY_SAY if sum(shares[name] for name in TRUE_OF_WHAT_THEY_SAY) >= TRUE_FROM else UNDECIDED & shares.keys()
    )
    if among is not TRUE_OF_WHAT_THEY_SAY and english and not part and not REPORTED.search(text):
        # Nobody is named who said it: what speaks for `quoted` speaks for a plain statement about others.
        shares["asserted"] += shares["quoted"]
        among = among - _QUOTED | _ASSERTED
    elif among is TRUE_OF_WHAT_THEY_SAY and english and is_present(text):
        shares["asserted"] += shares["past"]
        among = among - _PAST
    if among - UNDECIDED and (over or (english and is_usual(text)) or tells_of_past(text)):
        shares["asserted"] += shares["planned"]
        among = among - _PLANNED
    likeliest = max((name for name in STATUSES if name in among), key=lambda name: shares[name])
    return "asserted" if likeliest == "joked" and not english and shares["joked"] < JOKED_FROM else likeliest


def is_ones_own(capture: Capture, piece: Segment, candidate: Candidate) -> bool:
    """Return whether it is the owner's free text, or said by somebody in a conversation: not a document's, a table's, an
    assistant's."""
    return not candidate.metadata.get("lead_in") and _is_free(capture, piece, candidate)


def _is_free(capture: Capture, piece: Segment, candidate: Candidate) -> bool:
    """Return whether it is the owner's free text, or a list in it."""
    if capture.trust in ("document", "web") or capture.source in ("code", "document") or candidate.kind == "question":
        return False
    if piece.source_type not in _FREE_TEXT or "|" in candidate.quote:
        return False
    turns = piece.turns or capture.turns
    at = turn_at(turns, candidate.start) if turns and candidate.start is not None else None
    return at is None or turns[at].role == "user"


def is_asked_at_once(capture: Capture, sentence: str) -> bool:
    """Return whether the judge is asked before it is stored: always for what somebody waits for; for thousands at once where a
    word could change the meaning, and about the others a little later (`upkeep.late_judging`)."""
    return capture.priority == "interactive" or not sentence.isascii() or bool(CUES.search(sentence))
