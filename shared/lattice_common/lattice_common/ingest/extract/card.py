"""One memory for each document: its type, title and file, date, sender, pages, and the amount due.

All of it is taken from the text word for word, with the file's name and number of pages. So "which contract …" and "the invoice
from …" find the document itself.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import replace

from lattice_common.domain.atom import Span
from lattice_common.domain.capture import Capture, JsonValue
from lattice_common.domain.document_card import DOCUMENT, TEXT_HASH
from lattice_common.domain.enclosed import alone, enclosed_in
from lattice_common.domain.formats import CALLED
from lattice_common.domain.mails import mails_in, sent_near
from lattice_common.domain.segment import Candidate, Segment
from lattice_common.ingest.segment.infer import source_type_of
from lattice_common.language.facts.worth import RECORDS, is_document
from lattice_common.language.letters.labels import (
    ANY_DATE,
    DATED,
    DUE,
    FIRM,
    HAPPENS,
    OUTSIDE,
    PARTIES,
    SENDER,
    TYPES,
    WHOLE,
)

SHORT = 1_000
"""Characters up to which a text without other signs is a note, and needs no memory that stands for it."""
HEAD = 2_500
SIGN = 150
"""Characters from the beginning in which a document names its type, where neither its title nor its file does."""
LOOKED_AT = 200_000
LONGEST_TITLE, LONGEST_LINE, LONGEST_QUOTE = 160, 90, 300
LOWER = 3
"""Level from which on a heading is of a part, where a line stands above all."""
MOST_AMOUNTS = 2
MOST_MAILS = 500
"""Mails of a mailbox that have a memory each; others are found by what they say."""
MOST_ENCLOSED = 100
"""Documents within one file that have a memory each; others are found as passages."""

_TABLES = ("csv", "xlsx", "xls", "ods")
_SET = ("docx", "html", "odt", "rtf")
"""Kinds whose pages are not counted."""
_SENTENCE = re.compile(r"\w[.!?](?:[\"”’)]|\s|$)")
_PLAIN = ("plain", "markdown", "code", "chat")
_ADDRESS = re.compile(r"[ \t]*<([^<>\s@]{1,64}@[^<>\s@]{1,100})>")
"""Of who sent a mail, behind the name."""
_HEADING = re.compile(r"(?m)^ {0,3}(#{1,3})[ \t]+([^\n]+?)[ \t]*#*[ \t]*$")
_YEAR = re.compile(r"\d{4}")
_NUMBERED = re.compile(r"^(page|slide) (\d+)")


def cards_of(capture: Capture) -> Iterator[tuple[Segment, Candidate]]:
    """Yield the memory that stands for a document, and one for each that is attached to it or lies within it: mails of a mailbox
    too."""
    if (whole := card_of(capture)) is not None:
        yield whole
    held_by = f"“{_title(capture, capture.original.name if capture.original else None)}”"
    for number, within in enumerate(enclosed_in(capture)[:MOST_ENCLOSED], 1):
        own = alone(capture, within)
        if (card := card_of(own)) is not None:
            held = f"{'attached to' if within.attached else 'in'} {held_by}"
            yield _within(card, str(number), held, within.span.end - len(own.text))
    for number, span in enumerate(_boxed(capture)[:MOST_MAILS], 1):
        if (card := card_of(_mail(capture, span))) is not None:
            segment, told = _within(card, f"mail-{number}", f"in {held_by}", span.start)
            yield segment, replace(told, observed_at=sent_near(capture, span.start))


def _within(card: tuple[Segment, Candidate], name: str, held: str, start: int) -> tuple[Segment, Candidate]:
    """Return the memory of a document that begins at `start` of another, and is `held` by it."""
    segment, candidate = card
    name = f"{segment.segment_id}-{name}"
    told = replace(
        candidate,
        content=f"{candidate.content.removesuffix('.')}, {held}.",
        segment_id=name,
        start=(candidate.start or 0) + start,
        end=(candidate.end or 0) + start,
    )
    return replace(segment, segment_id=name, start=segment.start + start, end=segment.end + start), told


def _boxed(capture: Capture) -> tuple[Span, ...]:
    """Return the mails of a mailbox; none of a single mail."""
    mails = mails_in(capture) if source_type_of(capture) == "eml" else ()
    return mails if len(mails) > 1 else ()


def _mail(capture: Capture, span: Span) -> Capture:
    """Return a mail of a mailbox as if it had come by itself, without a file."""
    text = capture.text[span.start : span.end]
    subject = _HEADING.match(text)
    title = subject[2] if subject else "Mail without a subject"
    return replace(capture, text=text, places=(), title=title, original=None, source_type="eml")


def card_of(capture: Capture) -> tuple[Segment, Candidate] | None:
    """Return the memory that stands for a document, and the stretch that it is quoted from; None for what is no document."""
    text = capture.text
    named = capture.original.name if capture.original else None
    kind = source_type_of(capture)
    if not is_document(capture) or not (named or capture.title) or kind in RECORDS:
        return None
    start = len(text) - len(text.lstrip())
    if start == len(text):
        return None
    end = min(start + LONGEST_QUOTE, len(text))
    end = cut if end < len(text) and (cut := text.rfind("\n", start + 1, end)) > start else end
    end = start + len(text[start:end].rstrip())
    title = _title(capture, named)
    within, box = enclosed_in(capture), _boxed(capture)
    own = text[: within[0].span.start] if within else text
    facts = {} if box else dict(_facts(own, f"{title} {named or ''}", kind, capture.received_at.year))
    extent = f"{len(box)} mails" if box else _extent(capture)
    if len(text) <= SHORT and not (len(facts) > 1 if kind in _PLAIN else facts or extent or _is_bare(kind, own)):
        return None  # nothing would be told of it but what it is called
    content = _told(title, named, "mailbox" if box else CALLED.get(kind, kind), extent, facts)
    about: dict[str, JsonValue] = {name: value for name, value in facts.items() if value}
    segment_id = f"{capture.capture_id}-document"
    candidate = Candidate(
        content=content,
        quote=text[start:end],
        kind=DOCUMENT,
        subject=title[:120],
        segment_id=segment_id,
        start=start,
        end=end,
        entities=tuple(each for each in (facts.get("from"),) if isinstance(each, str)),
        category="context",
        status="asserted",
        confidence=0.8,
        metadata={"document": about, TEXT_HASH: hashlib.sha256(text.encode()).hexdigest()[:16]},
    )
    return Segment(segment_id, capture.capture_id, 0, kind, start, end, text[start:end]), candidate


def _is_bare(kind: str, text: str) -> bool:
    """Return whether a document has no sentence: its headings, addresses and labels are found as passages, which need a memory to
    belong to."""
    return kind in _SET and _SENTENCE.search(text) is None


def _title(capture: Capture, named: str | None) -> str:
    """Return the document's own title; else its first heading, where the title is only the file's name."""
    if named and (_boxed(capture) or any(not each.attached for each in enclosed_in(capture))):
        return named
    if capture.title and capture.title != named:
        return " ".join(capture.title.split())[:LONGEST_TITLE]
    # The largest: what a program draws first need not stand at the top.
    heading = min(_HEADING.finditer(capture.text[:HEAD]), key=lambda found: len(found[1]), default=None)
    if (heading is None or len(heading[1]) >= LOWER) and (line := _first_line(capture.text)):
        return line
    return " ".join((heading[2] if heading else capture.title or named or "").split())[:LONGEST_TITLE]


def _first_line(text: str) -> str | None:
    """Return the line that stands alone at the top, where it is no sentence."""
    line = text.strip().partition("\n")[0].strip()
    return line if 4 <= len(line) <= LONGEST_LINE and line[-1] not in ".!?:;,|" and not line.startswith(("|", "From:")) else None


def _facts(text: str, named: str, kind: str, received: int) -> Iterator[tuple[str, JsonValue]]:
    head = text[:HEAD]
    what = next((what for what, words in TYPES if words.search(named.replace("_", " "))), None)
    what = what or next((what for what, words in TYPES if words.search(head[:SIGN])), None)
    if what and kind != "eml":
        yield "type", what
    dated = DATED.search(head) or (None if kind in _TABLES else _own_date(head[:800], received))  # a row's is not the table's
    if dated is not None:
        yield "date", (dated.groupdict().get("date") or dated.groupdict().get("line") or dated[0]).strip()
    stated = (each for each in SENDER.finditer(head) if not _in_table_head(head, each.start()))
    sender = next(stated, None) or FIRM.search(head[:1_000])
    name = " ".join(sender["name"].split()).strip(" ,;*") if sender is not None else ""
    if name := PARTIES.sub("", name):
        yield "from", name
        address = _ADDRESS.match(head, sender.end()) if sender is not None and kind == "eml" else None
        if address is not None:
            yield "address", address[1]
    if amounts := _amounts(text[:LOOKED_AT]):
        yield "amounts", [f"{label} {money}" for label, money in list(amounts.items())[-MOST_AMOUNTS:]]


def _in_table_head(text: str, at: int) -> bool:
    """Return whether a place is in the names of a table's columns: "From" beside "Rate" names nobody."""
    _, _, below = text[at:].lstrip("\n").partition("\n")
    return below.startswith("|--")


def _amounts(text: str) -> dict[str, str]:
    """Return what is to be paid by its label, each as it was first told, and of a total the greatest; without what is told to be
    no part of it."""
    found: dict[str, str] = {}
    for match in DUE.finditer(text):
        before = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
        label, money = " ".join(match["label"].split()).lower(), match["money"].strip(" .,'")
        if OUTSIDE.search(before):
            continue
        if label not in found or (WHOLE.search(label) and _worth(money) > _worth(found[label])):
            found[label] = money
    return found


def _worth(money: str) -> float:
    """Return the number of a sum of money, whichever signs part its thousands and its cents."""
    digits = re.sub(r"[^\d.,]", "", money).strip(".,")
    whole, cents = (digits[:-3], digits[-2:]) if re.search(r"[.,]\d\d\Z", digits) else (digits, "0")
    return float(f"{re.sub('[.,]', '', whole) or 0}.{cents}")


def _own_date(head: str, received: int) -> re.Match[str] | None:
    """Return the first date that nothing happens on; none of a later year than that in which the document came."""
    return next(
        (
            each
            for each in ANY_DATE.finditer(head)
            if not HAPPENS.search(head, max(0, each.start() - 20), each.start())
            and int(_YEAR.findall(each[0])[-1]) <= received
            and not head.startswith("|", head.rfind("\n", 0, each.start()) + 1)  # a row's is not the document's
        ),
        None,
    )


def _extent(capture: Capture) -> str:
    """Return the number of pages, slides, sheets, or files in it."""
    if files := sum(not each.attached for each in enclosed_in(capture)):
        return f"{files} file{'s' if files != 1 else ''}"
    counted = {match[1]: int(match[2]) for place in capture.places[-1:] if (match := _NUMBERED.match(place.label))}
    for unit, count in counted.items():
        return f"{count} {unit}{'s' if count != 1 else ''}"
    sheets = dict.fromkeys(
        place.label.removeprefix("sheet ").partition(", row")[0] for place in capture.places if place.label.startswith("sheet ")
    )
    return f"sheets {', '.join(list(sheets)[:8])}" if sheets else ""


def _told(title: str, named: str | None, form: str, extent: str, facts: dict[str, JsonValue]) -> str:
    beside = ", ".join(each for each in (named if named != title else None, form, extent) if each)
    what = facts.get("type")
    content = f"{str(what)[:1].upper()}{str(what)[1:]} “{title}”" if what else f"Document “{title}”"
    content += f" ({beside})" if beside else ""
    content += f", dated {facts['date']}" if "date" in facts else ""
    content += f", from {facts['from']}" if "from" in facts else ""
    content += f" <{facts['address']}>" if "address" in facts else ""
    amounts = facts.get("amounts")
    content += f": {'; '.join(map(str, amounts))}" if isinstance(amounts, list) else ""
    return f"{content}."
