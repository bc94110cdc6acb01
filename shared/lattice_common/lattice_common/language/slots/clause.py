"""Reading a sentence for its claims: clauses, and how each is meant (asked, supposed, planned, past, added, changed)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lattice_common.language.cued import Cued, cues_in
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.slots.claim import Stems
from lattice_common.language.text import stem, words
from lattice_common.language.vocabulary import vocabulary
from lattice_common.language.words import ENGLISH_WEEKDAYS, any_of

_QUOTED_SPEECH = lazy_regex(r"[\"“][^\"”]*\b(?:I|I'm|my|we|our)\b[^\"”]*[\"”]")
_REPLY = lazy_regex(r"\s*\(in reply to: .*$", re.DOTALL)
_ASIDE = lazy_regex(r"\s*\([^()]*[A-Za-z][^()]*\)|\s*\[[^\[\]]*\]")
"""What extraction appends to a sentence in brackets to make it stand alone is context, and no claim of the speaker."""
_SENTENCE = lazy_regex(r"(?<=[.;!?])(?<!\bDr\.)(?<!\bMr\.)(?<!\bMs\.)(?<!\bMrs\.)(?<!\bSt\.)(?<!\bNo\.)\s+|\s+[–—-]{1,2}\s+|\n+")
_CLAUSE = lazy_regex(
    r",?\s+\b(?:but|because|although|though|whereas|while|so that|so|and then)\b\s+"
    r"|,?\s+\band\s+(?=(?:i|i'm|i've|we|we've|he|she|they|my|our|it|it's|his|her|their)\b)"
    r"|,\s+(?=(?:so|i|i'm|i've|we|my|our)\s)",
    re.IGNORECASE,
)
_SUPPOSED = Cued(
    lazy_regex(
        r"\b(?:if|unless|would|wouldn't|could|couldn't|might|(?-i:may)|maybe|perhaps|probably|should|shall|wish|hope|"
        r"hopes|hoping|hopefully|want|wants|"
        r"wanted|wanting|wanna|plan|plans|planned|planning|consider|considers|considering|thinking|won't|"
        r"dream|dreams|dreamt|dreamed|dreaming|imagine|imagined|suppose|supposed|pretend|pretending|joking|kidding|almost|nearly|"
        r"about to|whether|intend|intends|looking (?:to|for|at|into|forward)|trying to|try to|tried to|ready to|"
        r"can't wait|excited to|decide|deciding|decided to|debating|need to|needs to|have to|has to|had to|must|let's|'d|"
        r"someday|one day|eventually|"
        r"what if|in case|as if|as though|like to|love to|hate to|rumou?r|rumou?rs|apparently|supposedly|allegedly|in the "
        r"(?:book|novel|story|movie|film|show|game|"
        r"series|song))\b",
        re.IGNORECASE,
    ),
    vocabulary(
        """if unless would wouldn could couldn might may maybe perhaps probably should shall wish hope hopes hoping
        hopefully want wants wanted wanting wanna plan plans planned planning consider considers considering thinking
        won dream dreams dreamt dreamed dreaming imagine imagined suppose supposed pretend pretending joking kidding
        almost nearly about whether intend intends looking trying try tried ready wait excited decide deciding decided
        debating need needs have has had must let d someday day eventually case though like love hate rumor rumors
        rumour rumours apparently supposedly allegedly book novel story movie film show game series song"""
    ),
)
_PLANNED_SHIFT = Cued(
    lazy_regex(
        r"\b(?:will|gonna|can)\b|'ll\b|(?<!stopped )(?<!quit )\bgoing to\b(?! (?:the|a|an|my|our|his|her|their|school|"
        r"church|work|bed|college|[A-Z]\w+)\b)",
        re.IGNORECASE,
    ),
    vocabulary("will gonna can ll going"),
)
_PAST = Cued(
    lazy_regex(
        r"\b(?:used to|back (?:in|when|then)|when (?:i|he|she|we|they) (?:was|were|lived|worked)|as a (?:kid|child|teen|"
        r"teenager|student|boy|girl)|once|"
        r"at the time|at that time|in those days|previously|formerly|originally|grew up|for a while|had been|in the past|"
        r"in my (?:childhood|youth|twenties|thirties)|"
        r"in (?:college|high school|school))\b",
        re.IGNORECASE,
    ),
    vocabulary(
        """used back when kid child teen teenager student boy girl once time days previously formerly originally grew while
        had past childhood youth twenties thirties college school"""
    ),
)
_LONG_AGO = Cued(
    lazy_regex(
        r"\b(?:years?|months?|decades?)(?: \w+)? ago\b|\blast (?:year|decade|century)\b|\bin the (?:19|20)?\d0s\b|\bages ago\b",
        re.IGNORECASE,
    ),
    vocabulary("ago last the"),
)
_YEAR = lazy_regex(r"\b(?:in|since|of|from|back in|until|during)(?: \w+)? ((?:19|20)\d\d)\b", re.IGNORECASE)
_ANNOUNCED = lazy_regex(r"\W*(?:correction|update|actually|sorry|wait)\W*", re.IGNORECASE)
_IF = lazy_regex(r"\bif\b", re.IGNORECASE)
_SUBORDINATE = lazy_regex(
    r"^\W*(?:after|when|whenever|since|before|until|till|while|as soon as|once|ever since)\b", re.IGNORECASE
)
_ADDITIVE = Cued(
    lazy_regex(
        r"\b(?:also|too|another|as well|in addition|additionally|second|2nd|third|both|besides|plus|extra|additional|one "
        r"of|part[- ]time|sometimes|"
        r"occasionally|often|half the|on the side|either|usually|mostly|mainly|during the week|on weekdays|at weekends|"
        r"on weekends|"
        r"in (?:summer|winter|spring|autumn|the summer|the winter)|temporarily|for now|remotely|again and again|different)\b"
        rf"|\bon (?:{any_of(ENGLISH_WEEKDAYS)})s\b",
        re.IGNORECASE,
    ),
    vocabulary(
        """also too another well addition additionally second nd third both besides plus extra additional one part
        sometimes occasionally often half side either usually mostly mainly during weekdays weekends summer winter
        spring autumn temporarily now remotely again different"""
    ).union(f"{day}s" for day in ENGLISH_WEEKDAYS),
)
_CHANGE = Cued(
    lazy_regex(
        r"\b(?:now|no longer|any ?more|any longer|instead|correction|actually|update|updated|changed|changes|switched|"
        r"moved|rescheduled|postponed|"
        r"pushed|brought forward|shifted|delayed|"
        r"new(?! (?:york|orleans|delhi|zealand|england|mexico|jersey|hampshire))|"
        r"these days|nowadays|as of|since (?:today|yesterday|"
        r"monday|last \w+|this \w+)|"
        r"finally|recently|promoted|became|become|turned into|back to|went up|gone up|went down|gone down|raised|rose|increased|"
        r"dropped|lowered|reduced|stopped|quit|gave up|given up|sold|just (?:got|started|turned)|"
        r"meanwhile|replaced|"
        r"not|again)\b",
        re.IGNORECASE,
    ),
    vocabulary(
        """now longer more anymore instead correction actually update updated changed changes switched moved rescheduled
        postponed pushed brought shifted delayed new days nowadays as since finally recently promoted became become
        turned back went gone raised rose increased dropped lowered reduced stopped quit gave given sold just meanwhile
        replaced not again"""
    ),
)
_INTRO = lazy_regex(
    r"^(?:(?:please note(?: that)?|remember that|don't forget(?: that)?|heads up|well|so|yes|yeah|yep|no|nope|oh|ok|"
    r"okay|hey|hi|hello|btw|by the way|fyi|ps|p\.s\.|note|reminder|remember|update|correction|actually|"
    r"sorry|wait|also|and|but|then|now|good news|bad news|big news|news|guess what|great news|as of \w+|from now on|"
    r"these days|nowadays)\b[\s,:;!.–—-]*)+",
    re.IGNORECASE,
)
_TIME_INTRO = lazy_regex(
    r"^(?:(?:last|this|in|on|since|as of|two|three|a|earlier|yesterday|today|recently|finally|after)\b(?: [\w'-]+){0,4},\s+)",
    re.IGNORECASE,
)
_ELLIPSIS = lazy_regex(
    r"(?:(?:just|finally|recently|officially|now) )*(?:moved|relocated|sold|stopped|quit|gave up|got rid of|started at|"
    r"switched jobs|changed jobs|no longer)\b",
    re.IGNORECASE,
)
"""Beginnings of notes that omit the subject: "Just relocated to Bath!", "Sold the Golf."."""
_ARTICLES = vocabulary(
    "a an the my our his her their your this that these those some new current old now just really very quite around about"
)
_BRITISH = {"favorite": "favourit", "favorites": "favourit", "color": "colour", "colors": "colour", "mom": "mum"}
_NAME_PREFIX = lazy_regex(r"^\s*([A-Z][\w' -]{0,30}):\s+")
_LETTERS = lazy_regex(r"[a-z]+")
_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "`": "'"})


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause without its introduction ("Well,", "Correction:"), and how it is meant. `supposed` covers conditions, wishes and
    guesses; `planned` what is still to come."""

    text: str
    supposed: bool
    planned: bool
    past: bool
    subordinate: bool
    additive: bool
    change: bool
    long_ago: bool
    year: int | None
    words: frozenset[str]
    """Lower-case words, by which rules that cannot apply are skipped."""


def clauses(content: str) -> list[Clause]:
    """Return the clauses of a statement, in order; none of a question."""
    text = _ASIDE.sub(" ", _REPLY.sub("", content.translate(_APOSTROPHES)))
    text = _QUOTED_SPEECH.sub('""', text)
    found: list[Clause] = []
    carried_change = False
    first = True
    for sentence in _SENTENCE.split(text):
        bare = sentence.strip()
        if not bare or bare.rstrip("\"') ").endswith("?"):
            continue
        pieces = _CLAUSE.split(bare)
        for number, piece in enumerate(pieces):
            clause = _clause(piece.strip(), carried_change, whole=bare, first=first and number == 0)
            if clause is not None:
                found.append(clause)
        first = False
        carried_change = bool(_ANNOUNCED.fullmatch(bare))
    return found


def _clause(piece: str, carried_change: bool, *, whole: str, first: bool) -> Clause | None:
    if not piece:
        return None
    intro = _INTRO.match(piece)
    text = piece[intro.end() :] if intro else piece
    timed = _TIME_INTRO.match(text)
    body = text[timed.end() :] if timed else text
    if not body:
        return None
    if first and _ELLIPSIS.match(body):
        body = f"I {body[0].lower()}{body[1:]}"
    year = _YEAR.search(piece) if "19" in piece or "20" in piece else None
    said, own = cues_in(piece), cues_in(body)
    planned = _PLANNED_SHIFT.found(body, own)
    supposed = _SUPPOSED.found(_PLANNED_SHIFT.pattern.sub(" ", body) if planned else body, own) or bool(_IF.search(whole))
    return Clause(
        text=body,
        supposed=supposed,
        planned=planned,
        past=_PAST.found(piece, said),
        subordinate=bool(_SUBORDINATE.match(piece)),
        additive=_ADDITIVE.found(piece, said),
        change=carried_change or _CHANGE.found(piece, said),
        long_ago=_LONG_AGO.found(piece, said),
        year=int(year.group(1)) if year else None,
        words=frozenset(_LETTERS.findall(body.lower())) if own is None else own,
    )


def without_speaker(content: str, speaker: str | None) -> str:
    """Return the content without a "Name:" before it, where that is the speaker's."""
    prefix = _NAME_PREFIX.match(content)
    if prefix and speaker and prefix.group(1).casefold() == speaker.casefold():
        return content[prefix.end() :]
    return content


def stems(phrase: str) -> Stems:
    """Return the stems of a phrase, articles and possessives left out: what two wordings of one thing share."""
    return frozenset(_BRITISH.get(word) or stem(word) for word in words(phrase) if word not in _ARTICLES)
