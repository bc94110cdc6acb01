"""What people say about people in one clause: where they live and work, what they are, whom they are with, how old they are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from lattice_common.language.patterns import lazy_regex
from lattice_common.language.slots.claim import Claim
from lattice_common.language.slots.clause import Clause, stems
from lattice_common.language.slots.contacts import contact_claims
from lattice_common.language.slots.holder import BEFORE_SUBJECT, SUBJECT, holder_of, is_vague
from lattice_common.language.slots.values import is_region, organisation, place
from lattice_common.language.text import fold
from lattice_common.language.vocabulary import vocabulary
from lattice_common.language.words import any_of, number_words

_ADVERBS = (
    r"(?:\s+(?:now|just|recently|finally|currently|actually|officially|already|still|also|have|has|had|been|am|are|is|"
    r"do|does|did|both|all|only|really|'ve|'m|"
    r"permanently|since|got|gotten))*"
)
_START = SUBJECT + _ADVERBS + r"\s+"

_LIVES = lazy_regex(_START + r"(?P<verb>live|lives|living|lived|reside|resides|based)\s+(?:\w+ly )?(?:in|at)\s+(?P<value>.+)")
_HOME = lazy_regex(
    r"(?P<who>\b(?:[Mm]y|[Oo]ur))\s+(?:new |current )?(?:home|house|flat|apartment|place)(?: is|'s)(?: now)?(?: "
    r"in)?\s+(?P<value>[A-Z].*)"
)
_MOVED = lazy_regex(
    _START + r"(?:moved|relocated)\s+(?:\w+ )?(?:from\s+(?P<was>.+?)\s+(?:over |down |up |back )?to|to)\s+(?P<value>.+)"
)
_FROM = lazy_regex(r"\s+from\s+(?P<was>.+)$")
_NO_LONGER_LIVES = lazy_regex(
    SUBJECT + r"\s+(?:(?:no longer|don't|doesn't|do not|does not)\s+live[s]?\s+in|(?:am|is|are) no longer (?:living|based) in|"
    r"(?:have |has )?(?:moved (?:away from|out of))"
    r"|stopped living in)\s+(?P<value>.+)"
)
_WORKS = lazy_regex(
    _START
    + r"(?P<verb>work|works|working|employed|worked)\s+(?:(?:full[- ]time|as (?:an? )?[\w -]+?)\s+)?(?:at|for|by)\s+(?P<value>.+)"
)
_HIRED = lazy_regex(
    _START + r"(?:(?:started|got|accepted|took|landed)\s+(?:a |my |the )?(?:new )?(?:job|position|role|working|work)\s+(?:as "
    r"(?:an? )?[\w -]+? )?(?:at|with|for)"
    r"|started (?:at)|(?:got |was )?hired (?:by|at)|switched jobs(?: from (?P<was>[\w ]+?))? to|changed jobs(?: from "
    r"(?P<was2>[\w ]+?))? to)\s+(?P<value>.+)"
)
_TAUGHT = lazy_regex(
    r"\b(?:gym|fitness|yoga|school|university|uni|college|kita|kindergarten|club|studio|course|class|camp|academy|chapter|lesson|"
    r"level|page|step|part|unit|day|week)\b|\d$",
    re.IGNORECASE,
)
"""Places where one starts without being employed."""
_QUIT = lazy_regex(
    SUBJECT
    + _ADVERBS
    + r"\s+(?:(?:quit|left|lost|resigned from)\s+(?:my|his|her|their|our|the)\s+(?:old )?job(?:\s+(?:at|with)\s+(?P<value>.+))?"
    r"|(?:was |were |got |been )?(?:laid off|fired|let go)(?! (?:up|of|for))(?: (?:from|by) (?:my job at )?(?P<value2>.+))?"
    r"|no longer works? (?:at|for)\s+(?P<value3>.+)|(?:don't|doesn't|do not|does not) work (?:at|"
    r"for)\s+(?P<value4>.+)|(?:resigned from|stopped working (?:at|for))\s+(?P<value5>.+))"
)
_TITLES = vocabulary(
    """engineer developer programmer manager nurse teacher doctor designer director analyst lawyer accountant consultant
    scientist researcher professor intern lead chef cook barista waiter waitress driver electrician plumber carpenter pilot
    architect journalist editor physiotherapist therapist paramedic librarian pharmacist dentist vet veterinarian mechanic
    technician officer assistant secretary administrator coordinator supervisor principal president ceo
    cto cfo vp baker gardener tutor lecturer instructor translator salesperson cashier firefighter postdoc apprentice
    trainee"""
)
_JOB_WORDS = f"(?:{any_of(_TITLES)})"
_JOB = lazy_regex(
    _START + r"(?:(?P<change>(?:was |were )?promoted to|became|become|started (?:working )?as|made)|work(?:s|ing)? as|am|is|"
    r"are|being|)\s*(?:an?|the|head|our)?\s*(?P<value>(?:[\w/-]+ ){0,3}?" + _JOB_WORDS + r"|head of [\w ]+)\b"
)
_STATUS = lazy_regex(
    _START + r"(?:(?:got|getting|become|became|newly|happily|recently|legally)\s+)*(?:in a )?(?P<value>single|married|"
    r"engaged|divorced|separated|widowed|relationship(?= *(?:[.,!]|$|now|again|with (?:[A-Z]|someone|somebody|my "
    r"))))\b(?![- ]?(?:in|with (?:it|this|that)|\w+ed|mind|hand|mom|mum|dad|mother|father|parent|child|use|out|from "
    r"(?:the|my|it)))"
)
_PARTED = lazy_regex(SUBJECT + _ADVERBS + r"\s+(?:broke up|split up|separated|got divorced)(?: with\b.*)?(?:[,.!]|$)")
_AGE = lazy_regex(
    _START + r"(?:(?P<turned>turned|turns)\s+)?(?P<value>\d{1,3}|[a-z]+(?:-[a-z]+)?)(?P<unit>\s+(?:years? old|yrs? old|"
    r"years? of age))?(?:\s+(?:now|today|yesterday|last week))?\s*(?:[.,!]|$)"
)
_DIET = lazy_regex(
    _START + r"(?:(?:went|gone|go|became|become|turned|eat|eating|a|an|strict|strictly|fully|completely|now|not|no longer|"
    r"back to being|100%)\s+)*(?P<value>vegan|vegetarian|pescatarian|omnivore)\b(?! (?:food|restaurant|dish|recipe|"
    r"cook|option|meal|chef|cheese|leather|caf))"
)
_AGE_WORDS = lazy_regex(
    rf"^(?:(?:{any_of(number_words(20, 90))})(?:-(?:{any_of(number_words(1, 9))}))?|{any_of(number_words(1, 19))})$"
)


def person_claims(clause: Clause, author: str) -> list[Claim]:
    """Return the claims of a clause about persons; empty where it supposes, plans or remembers."""
    if clause.supposed or clause.past:
        return []
    found = list(contact_claims(clause, author))
    if clause.planned:
        return found
    for words, read in _READERS:
        if not words.isdisjoint(clause.words):
            found += read(clause, author)
    return found


def _claim(
    slot: str,
    match: re.Match[str],
    clause: Clause,
    author: str,
    value: str,
    *,
    was: str = "",
    denies: bool = False,
    decisive: bool = True,
    change: bool = False,
    facet: str = "",
) -> Iterator[Claim]:
    who = match.group("who")
    holder = author if fold(who) in ("my", "our") else holder_of(who, author)
    if not holder:
        return
    hearsay = bool(BEFORE_SUBJECT.search(clause.text[: match.start()])) or (
        clause.text[: match.start()].rstrip().endswith((" and", "of", "'s"))
    )
    yield Claim(
        slot=slot,
        holder=holder,
        value=stems(value),
        was=stems(was),
        shown=value,
        facet=facet,
        denies=denies,
        current=not hearsay,
        decisive=decisive
        and not hearsay
        and not clause.additive
        and not clause.subordinate
        and (denies or bool(was) or not is_vague(holder)),
        change=change or clause.change or denies,
        year=clause.year,
        long_ago=clause.long_ago,
    )


def _residence(clause: Clause, author: str) -> Iterator[Claim]:
    text = _with_subject(clause.text)
    if match := _NO_LONGER_LIVES.search(text):
        if where := place(match.group("value")):
            yield from _claim("residence", match, clause, author, where, denies=True)
        return
    if match := _MOVED.search(text):
        was, rest = match.group("was") or "", match.group("value")
        if not was and (origin := _FROM.search(rest)):
            was, rest = origin.group("was"), rest[: origin.start()]
        where, was = place(rest) or _street(rest), place(was) or _street(was)
        if where:
            yield from _claim(
                "residence",
                match,
                clause,
                author,
                where,
                was=was,
                facet=_scale(where),
                change=True,
            )
        return
    match = _LIVES.search(text) or _HOME.search(text) or _ADDRESS.search(text)
    if match and (where := place(match.group("value")) or _street(match.group("value"))):
        verb = match.groupdict().get("verb")
        if verb == "lived" and not re.search(r"(?:have|has|'ve|'s)\b.*\blived\b.*\b(?:for|since)\b", text):
            return
        if re.search(r"\bnot?\b|n't\b", text[: match.end("value")].split(where)[0]):
            return
        is_new = "new" in text[match.start() : match.start("value")].lower().split()
        yield from _claim("residence", match, clause, author, where, facet=_scale(where), change=is_new)


def _street(value: str) -> str:
    """Return the house and street that an address begins with; empty where it begins with none."""
    found = _HOUSE.match(value)
    return found[0].strip() if found else ""


_HOUSE = lazy_regex(
    r"(?:[Ff]lat \w{1,3},? )?\d{1,4}[a-zA-Z]?,? (?:[A-Z][\w'’-]+ ){1,3}?"
    r"(?:Street|St|Road|Rd|Lane|Ln|Close|Avenue|Ave|Drive|Way|Court|Crescent|Place|Square|Terrace|Gardens|Hill|Row|Grove|Mews|Walk|"
    r"Green|Park|Parade|Quay|Boulevard|Blvd|Villas|Rise|View)\b"
)


def _with_subject(text: str) -> str:
    """Return a clause with the "I" or "my" that notes leave out: "Live at 14 Tern Street", "New address 8 Larch Close"."""
    left_out = _LEFT_OUT.match(text)
    return text if left_out is None else f"{'My' if left_out['thing'] else 'I'} {text[0].lower()}{text[1:]}"


_LEFT_OUT = lazy_regex(r"(?:[Ll]ive(?= at \d)|(?P<thing>(?:[Nn]ew )?[Aa]ddress)\b)")
_ADDRESS = lazy_regex(
    r"(?P<who>\b(?:[Mm]y|[Oo]ur))\s+(?:new |current |home )*address(?: is|'s)?(?: now)?:?\s+"
    r"(?P<value>\d+\w?,? [A-Z].*)"
)


def _scale(where: str) -> str:
    """Return whether a place is a `country`, a `town` or a `street`: whoever lives in Germany may also live in Berlin."""
    if where[0].isdigit():
        return "street"
    return "country" if is_region(stems(where), where) else "town"


def _employer(clause: Clause, author: str) -> Iterator[Claim]:
    text = clause.text
    if match := _QUIT.search(text):
        shown = next((group for name, group in match.groupdict().items() if name.startswith("value") and group), "")
        yield from _claim(
            "employer", match, clause, author, organisation(shown), denies=True, decisive=bool(organisation(shown)) or not shown
        )
        return
    if match := _HIRED.search(text):
        company = organisation(match.group("value"))
        if company and not (match.group(0).split(company)[0].rstrip().endswith("started at") and _TAUGHT.search(company)):
            was = organisation(match.group("was") or match.group("was2") or "")
            yield from _claim("employer", match, clause, author, company, was=was, change=True)
        return
    if (match := _WORKS.search(text)) and (company := organisation(match.group("value"))):
        if match.group("verb") == "worked" and not re.search(
            r"(?:have|has|'ve|'s)\b.*\bworked\b.*\b(?:for \w+ years|since)\b", text
        ):
            return
        yield from _claim("employer", match, clause, author, company)


def _job(clause: Clause, author: str) -> Iterator[Claim]:
    match = _JOB.search(clause.text)
    # "My dentist is now Dr. Weber" says nothing of what I am.
    if (
        match
        and fold(match.group("who")) not in ("my", "our")
        and not re.search(r"\bnot\b|n't\b|\bno\b", clause.text[: match.end()])
    ):
        title = match.group("value")
        yield from _claim("job", match, clause, author, title, change=bool(match.group("change")))


def _relationship(clause: Clause, author: str) -> Iterator[Claim]:
    text = clause.text
    if match := _PARTED.search(text):
        yield from _claim("relationship", match, clause, author, "single", denies=False, change=True)
        return
    match = _STATUS.search(text)
    if match and not re.search(r"\bnot\b|n't\b|\bno longer\b", text[: match.end()]):
        yield from _claim("relationship", match, clause, author, fold(match.group("value")))


def _age(clause: Clause, author: str) -> Iterator[Claim]:
    match = _AGE.search(clause.text)
    if not match:
        return
    value = match.group("value")
    if not value.isdigit() and not _AGE_WORDS.match(value):
        return
    stated = (
        match.group("turned")
        or match.group("unit")
        or re.search(r"(?:'m|'s|\bam|\bis)\s+(?:now\s+|already\s+|only\s+|just\s+)*$", clause.text[: match.start("value")])
    )
    if stated:
        yield from _claim("age", match, clause, author, value)


def _diet(clause: Clause, author: str) -> Iterator[Claim]:
    match = _DIET.search(clause.text)
    if match is None:
        return
    if re.search(r"\bno longer\b|\bnot\b|n't\b", clause.text[: match.start("value")]):
        yield from _claim("diet", match, clause, author, match.group("value"), denies=True)
    else:
        yield from _claim("diet", match, clause, author, match.group("value"))


_READERS: tuple[tuple[frozenset[str], Callable[[Clause, str], Iterator[Claim]]], ...] = (
    (
        vocabulary("live lives living lived reside resides based moved relocated home house flat apartment place address"),
        _residence,
    ),
    (vocabulary("work works working worked employed hired job jobs started laid fired let resigned"), _employer),
    (_TITLES | {"head"}, _job),
    (vocabulary("single married engaged divorced separated widowed relationship broke split"), _relationship),
    (vocabulary("m s am is are turned turns old age"), _age),
    (vocabulary("vegan vegetarian pescatarian omnivore"), _diet),
)
"""The reader of a clause, by its words."""
