"""Which statements of a document become memories. All of its text is found as passages (`ingest.passages`).

Statements about the owner; rows and labels with their values; statements with a day, an amount, a person, or contact data; tasks;
definitions. Of a short text, a letter or a memo, everything with content. A log is passages only, and so is what comes after the
first part of a very long text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lattice_common.domain.capture import Capture
from lattice_common.domain.segment import Candidate, Segment
from lattice_common.language.facts.about_owner import LEARNED
from lattice_common.language.letters.letter import CLOSING, SALUTATION
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.sentences.split import LOG_ENTRY
from lattice_common.language.words import any_of, months, number_words

SHORT = 1_200
"""Characters of a memo, of which every statement may matter."""
LETTER = 6_000
"""Characters of a letter or mail to somebody, of which the same is so."""
MOST_OF_HEADING = 4
"""Words of a line that stands alone, whatever its letters."""
MOST_OF_TITLE = 8
"""Words of a line without a full stop, label or number that counts as a title."""
LONG = 20_000
"""Characters from which a document is a book, of which a few facts in each section are learned."""
MOST_READ = 150_000
"""Characters of a document that are read for facts: fifty pages."""
RECORDS = ("ics", "vcf")
"""Kinds of files of which each entry is a memory by itself: events, people."""
MOST_ROWS = 400
"""Rows of tables that are learned one by one; a table with more is a data set."""
MOST_OF_SECTION = 6
"""Facts of one section (at most 4,000 characters) of a long document, besides rows and statements about the owner."""

LOG_LINES = 20
LOG_SHARE = 0.6
"""Lines, and the share of them in the form of log entries, from which a text is a log."""
LOOKED_AT = 200_000
"""Characters that are enough to recognise a log."""

LETTERS, NAMED = 3, 0.6
"""In a title, more than this share of the longer words begin with a capital."""

_GREETS = lazy_regex(rf"(?im)^(?:{SALUTATION})\b[^\n.]{{0,60}}[,!]\s*$")
_SECTION = lazy_regex(r"(?:§|\d{1,2}(?:\.\d{1,2})*\.?|[A-Z]\.|[IVX]+\.) ?(?:\d+ )?[A-Z][^\d:]*$")
_ADDRESS = lazy_regex(
    r"[^\d,]{2,40} \d{1,4}[a-z]?|(?:[A-Z]{1,2}-)?\d{4,6} [^\d,]{2,40}|(?:[^\d,]{2,40} )?[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}"
)
_VERB = lazy_regex(
    r"\b(?:is|are|was|were|be|has|have|had|can|may|must|will|do|does|did|ist|sind|war|hat|\w{3,}ed)\b", re.IGNORECASE
)
_MONTHS = any_of(months("en", "de"))
_POLITE = lazy_regex(
    r"(?:(?:many |vielen |herzlichen )?(?:thanks?|thank you|dank|danke)\b|welcome\b|(?:herzlich )?willkommen\b|congratulations\b|"
    r"(?:we|i) (?:hope|look forward|are (?:happy|pleased|delighted)|would like to thank)\b|wir (?:freuen|hoffen|danken)\b|"
    r"(?:please )?(?:read|keep|observe|note|see|visit|refer to|follow)\b[^.]*\b(?:instructions?|manual|page|part|website|below|"
    r"above|overleaf|carefully)\b|"
    r"(?:please )?keep this (?:letter|document|page|leaflet|booklet|statement|bill|slip)\b|"
    r"(?:if you have (?:any )?(?:questions|queries)|(?:please )?(?:do not|don['’]t) hesitate|(?:please )?feel free)\b|"
    r"please (?:find|check|see|note)\b(?![^.]*\d)|you (?:need not|(?:do not|don['’]t) (?:need|have) to) do anything|"
    r"(?:anbei|beiliegend) (?:finden|erhalten)\b|bitte (?:lesen|beachten|prüfen)\b|dziękuj\w+|witamy)",
    re.IGNORECASE,
)
"""How what is only polite begins."""
_OF_THE_FILE = lazy_regex(r"(?:Attachments|To|Cc): |(?:page|seite|sheet|slide) \d+(?: ?(?:of|von|/) ?\d+)?\W*$", re.IGNORECASE)
_COMPANY = lazy_regex(
    r"\b(?:managing directors?|geschäftsführ\w+|vorstand|board of directors|seat of the company|sitz der gesellschaft|"
    r"registered (?:office|in|at)|company (?:no|number|registration)|local court|(?:amts|register)gericht|HR[AB] ?\d|"
    r"(?:VAT|tax) (?:no|number|reg|id)|VAT (?:[A-Z]{2} ?)?\d{3}|ust-?id\w*|steuernummer|siret|p\. ?iva|capital social)\b",
    re.IGNORECASE,
)
"""What companies have to print at the foot of their letters: two of it in one line are that foot."""
_FRAGMENT = lazy_regex(r"(?:(?:for|in|on|at|to|by|from|with|of|and|or|für|mit|von|bei|zu|und) )?[^\W\d]+\.", re.IGNORECASE)
"""No sentence: "For four." and "Kos." tell nothing, "Ada sails." does."""
_NO_VALUE = lazy_regex(r"[^:|]{2,160}:[\s\-–—.…_/]*|[^\W\d_]+", re.IGNORECASE)
"""A label with nothing behind it, what only leads in to what follows, and a single word: who signed a mail without a greeting."""
_BESIDE = lazy_regex(r"\s+[·•|]\s+")
_PAGE = lazy_regex(r"\b(?:page|seite) \d+ ?(?:of|von|/) ?\d+\W*$", re.IGNORECASE)
PARTS_OF_HEAD = 3
"""Parts beside each other from which on a line may be a letterhead."""
_ASKED_OF_READER = lazy_regex(
    r"(?:(?:please|bitte) )?(?:clean|close|open|press|push|pull|turn|switch|call|check|wait|remove|put|place|use|do|don['’]t|"
    r"never|always|make sure|ensure|connect|select|click|enter|hold|add|let|allow|fill|attach|insert|repeat|contact)\b",
    re.IGNORECASE,
)
"""Beginnings of instruction steps: without a value in them they are found as passages, and say nothing alone."""
SHORT_REQUEST = 8
_SPOKEN = ("srt", "vtt", "html", "pdf", "docx", "pptx", "odt", "odp", "epub", "rtf")
"""Kinds of files whose questions are addressed to others: interviewees, readers."""
_LINE = lazy_regex(r"[^\n]+")
_SIGNED_AT = lazy_regex(
    rf"(?:[^\W\d_][^\d,.:;]{{1,30}}, ?)?(?:(?:the|den|dnia|le) )?(?:\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}|"
    rf"\d{{1,2}}\.? (?:{_MONTHS}) \d{{4}}|(?:{_MONTHS}) \d{{1,2}},? \d{{4}})\.?",
    re.IGNORECASE,
)
"""Where and when a letter or contract was signed: the memory that stands for it says so."""
_LABELLED = lazy_regex(r"^\W{0,3}[^.!?:|\n]{2,40}: ?\S[^\n]{0,160}$")
_DAY = lazy_regex(
    rf"\b(?:\d{{4}}-\d\d-\d\d|\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}|(?:19|20)\d\d|\d{{1,2}}:\d\d|(?:{_MONTHS}) \d{{1,4}}|"
    rf"\d{{1,2}}\.? (?:{_MONTHS}))\b",
    re.IGNORECASE,
)
_AMOUNT = lazy_regex(
    r"[€$£]\s?\d|\d\s?(?:[€$£%]|(?:EUR|USD|GBP|CHF|PLN|km|kg|kWh|kW|m²|sqm|GB|MB)\b|"
    r"(?:euros?|dollars?|pounds?|percent|per cent|days?|weeks?|months?|years?|hours?|minutes?)\b)",
    re.IGNORECASE,
)
_NUMERAL = lazy_regex(rf"\b(?:{any_of(number_words(1, 90))})\b", re.IGNORECASE)
_SPAN = lazy_regex(r"\b(?:day|week|month|year|hour)s?\b", re.IGNORECASE)
_REACHED = lazy_regex(r"\w@\w|\+?\d[\d /().-]{6,}\d|\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,}")
_CODE = lazy_regex(r"\b(?=\w*\d)(?=\w*[A-Z])[A-Z0-9][A-Z0-9-]{4,}\b|\b\d{4,}\b")
_PERSON = lazy_regex(r"(?<![.!?] )(?<!^)\b(?:(?:Mr|Mrs|Ms|Dr|Prof|Herrn?|Frau)\.? [A-Z]\w+|[A-Z][a-z]+ [A-Z][a-z]+)\b")
_BINDS = lazy_regex(
    r"\b(?:must|shall|is due|are due|due (?:on|by)|deadline|expires?|terminat\w+|notice period|notice of|liable|warranty|"
    r"guarantee\w*|"
    r"deposit|responsible for|obliged|not permitted|prohibited|required to|muss|müssen|fällig|frist|kündig\w+|kaution|haftet)\b",
    re.IGNORECASE,
)
_MEANS = lazy_regex(r"\b(?:means|is defined as|refers to|stands for|is short for|bezeichnet|bedeutet)\b")


def is_document(capture: Capture) -> bool:
    """Return whether it is a file, or somebody else's words, and not what was told or written by the owner."""
    return capture.trust in ("document", "web") and not capture.turns


def is_log(capture: Capture) -> bool:
    """Return whether a document is a log: nothing of it is learned, and its lines are found by their words alone."""
    if not is_document(capture) or capture.source_type not in (None, "plain"):
        return False
    lines = _LINE.findall(capture.text[:LOOKED_AT])
    entries = sum(LOG_ENTRY.match(line) is not None for line in lines)
    return entries >= LOG_LINES and entries >= LOG_SHARE * len(lines)


def read_for_facts(capture: Capture, segments: Sequence[Segment]) -> list[Segment]:
    """Return the segments of a capture of which anything is learned."""
    if not is_document(capture) or capture.source_type in RECORDS:
        return list(segments)
    if is_log(capture):
        return []
    return [each for each in segments if each.start < MOST_READ]


def worth_remembering(capture: Capture, proved: Sequence[Candidate]) -> list[Candidate]:
    """Return the facts of one segment that become memories: always those that the owner told, and those that a language model
    chose."""
    if not is_document(capture) or capture.source_type in RECORDS:
        return list(proved)
    size = len(capture.text)
    rows = capture.text.count("\n|", 0, MOST_READ) if size > SHORT else 0
    kept: list[Candidate] = []
    whole = size <= SHORT or (
        size <= LETTER and (capture.source_type == "eml" or _GREETS.search(capture.text[:1_500]) is not None)
    )
    free = MOST_OF_SECTION if size > LONG else len(proved)
    for candidate in proved:
        if candidate.extractor != "rules" or candidate.metadata.get(LEARNED) is True:
            kept.append(candidate)
        elif candidate.quote.lstrip().startswith("|") or "\t" in candidate.quote:
            if rows <= MOST_ROWS:
                kept.append(candidate)
        elif _is_title(candidate.quote) or _stands_as_title(capture, candidate) or _says_nothing(capture, candidate):
            continue
        elif whole or (free > 0 and _tells(candidate)):
            free -= 1
            kept.append(candidate)
    return kept


def _is_title(quote: str) -> bool:
    """Return a title, the line of an address, a name alone: what stands on a line and says nothing of anything."""
    line = quote.strip()
    words = line.split()
    if line[-1:] in ".!?;)" or ":" in line or len(words) > MOST_OF_TITLE or line[:1] in "-*•|":
        return False
    if _SECTION.match(line) or _ADDRESS.fullmatch(line):
        return True
    long = [word for word in words if len(word) > LETTERS]
    named = sum(word[0].isupper() for word in long)
    return not any(map(str.isdigit, line)) and not _VERB.search(line) and named > NAMED * len(long)


def _stands_as_title(capture: Capture, candidate: Candidate) -> bool:
    """Return whether it is a few words between blank lines of a set page: books do not say which of their lines are headings."""
    line, start, end = candidate.quote, candidate.start, candidate.end
    if capture.source_type not in _SPOKEN or start is None or end is None or len(line.split()) > MOST_OF_HEADING:
        return False
    if line[-1:] in ".!?;:)" or any(map(str.isdigit, line)) or ":" in line or _VERB.search(line):
        return False
    text = capture.text
    return text[max(0, start - 2) : start] in ("", "\n", "\n\n") and text[end : end + 2] == "\n\n"


def _says_nothing(capture: Capture, candidate: Candidate) -> bool:
    """Return whether a fact is only polite, an instruction to the reader, or about the file itself."""
    quote = candidate.quote.strip()
    spoken = capture.source_type in _SPOKEN and _GREETS.search(capture.text[:1_500]) is None
    if _POLITE.match(quote) or _OF_THE_FILE.match(quote) or _SIGNED_AT.fullmatch(quote) or CLOSING.match(quote):
        return True
    if len({found.lower() for found in _COMPANY.findall(quote)}) > 1:
        return True
    if _FRAGMENT.fullmatch(quote) or _NO_VALUE.fullmatch(quote) or _is_letterhead(quote):
        return True
    if not spoken:
        return False
    if quote.endswith("?"):
        return True
    return _ASKED_OF_READER.match(quote) is not None and len(quote.split()) <= SHORT_REQUEST and not _tells(candidate)


def _is_letterhead(quote: str) -> bool:
    """Return whether a line is what companies print at the head or foot of a page: name, street and town beside each other."""
    if len(_BESIDE.split(quote)) < PARTS_OF_HEAD:
        return False
    return _PAGE.search(quote) is not None or not (_VERB.search(quote) or _tells_of(quote))


def _tells(candidate: Candidate) -> bool:
    if len(candidate.quote.split()) < 2:
        return False
    return bool(candidate.date_phrase) or _tells_of(candidate.quote)


def _tells_of(quote: str) -> bool:
    return bool(
        _LABELLED.match(quote)
        or _DAY.search(quote)
        or _AMOUNT.search(quote)
        or (_NUMERAL.search(quote) and _SPAN.search(quote))
        or _REACHED.search(quote)
        or _CODE.search(quote)
        or _PERSON.search(quote)
        or _BINDS.search(quote)
        or _MEANS.search(quote)
    )
