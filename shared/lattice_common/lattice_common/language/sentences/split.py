"""Sentences of a text, as spans.

Rules for European punctuation (abbreviations, initials, decimals, ellipses, closing quotes), CJK full stops, bullets and line
breaks. Spans are in order, do not overlap, hold no white space at their ends, and lie in the text they were asked for; no
sentence is longer than `LONGEST`. One pass, linear.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from lattice_common.domain.atom import Span
from lattice_common.language.glosses.recognition import language_of
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.sentences.run_on import parts_of_run_on
from lattice_common.language.sentences.verbs import OTHERS
from lattice_common.language.tables.english_words import (
    ANYBODY,
    AROUND_CLAUSES,
    AROUND_NOUNS,
    BEING,
    DAYS,
    DENYING,
    FURTHER_PREPOSITIONS,
    HELPING,
    MODALS,
    OBJECTS,
    ORDER,
    POSSESSIVES,
    QUANTITIES,
    QUESTION_WORDS,
    SUBJECTS,
)
from lattice_common.language.tables.german import AUSTRIAN_MONTHS
from lattice_common.language.vocabulary import vocabulary
from lattice_common.language.words import any_of, months, short_months, short_weekdays

LONGEST = 1000
"""Characters; anything longer is no sentence but a list or a log, and is cut at a space where there is one."""

WRAPPED_LINE = 50
"""A line at least this long that ends without a full stop was wrapped by an editor, and continues in the next."""

_ABBREVIATIONS = vocabulary(
    """mr mrs ms dr dra sra dott prof sr jr st mt rev gen col sgt lt capt hon vs etc approx no nos vol fig inc ltd co corp dept
    est ave blvd rd e.g i.e a.m p.m u.s u.k u.s.a ph.d b.a m.a d.c cf al ed eds pp z.b d.h u.a usw bzw ca nr
    str ggf hr fr dipl abs art ing mio mrd tel vgl т.е т.д г ул
    appt appts mins secs prob poss resp misc orig prev assoc attn feat temp temps govt mgmt univ intl"""
).union(short_months("en"), (name for name in short_weekdays("en") if len(name) == 3))
_SHORT_DATES = frozenset(short_months("en")) | {name for name in short_weekdays("en") if len(name) == 3}
_STAYS_OPEN = vocabulary(
    """mr mrs ms dr dra sra dott prof st mt rev gen col sgt lt capt hon e.g i.e z.b d.h u.a bzw vs no nr cf т.е approx
    sra srta dott mme mlle sen v n vgl bldg ks dipl h.c med rer jur fed civ crim blz geb gest gegr verw ul
    incl excl inkl exkl zzgl abzgl gem evtl eigtl insb insbes vorauss mind bspw"""
)
"""Abbreviations that never end a sentence: something always follows."""
_TITLES = ("Mag", "Ing")
"""Titles before names that are words, too, where they begin with a small letter."""
_BEFORE_NUMBERS = vocabulary(
    """ext app ap apt tel mob fax abs ziff lit anm nr no nos art p pp s para paras par sec sect ch chap cap fig figs tab abb bd jg
    vol vols iss ref refs eq bl rn rdn rz az bldg fl flr rm ste pos kap teil pt cl sched reg regs inv cert acct cust qty max min
    geb gest gegr ca approx núm num nº n.º pág pag págs art.º tél réf av cra p.ej ust-id hrb hra"""
)
"""Abbreviations after which a number, or a mark that begins one ("B-12"), belongs to the same sentence: "ext. 4711", "Section 3,
para. 2"."""
_SHORT_WORDS = (OBJECTS | BEING | HELPING | {"it", "you"}) | vocabulary(
    """off up out on too now yet day way ago go one two six ten old new big bad red fun wet dry hot ill set cut put hit met sit
    ask own ok yes lol job car van dog cat cow hen pig bus bed tea pub gym gas bar bag box cup jar key leg arm ear eye hip kid boy
    man men son mum dad mom nan ham pie egg jam lot end top tap bin bug flu fee tax bid pay pin row run sun sea sky spa try win
    won war web zoo age air oil ice hut pot pan map mat lid kit hat gap fly bit act ad tv pc uk us eu"""
)
"""Short words that are no abbreviations, so that a sentence ends with them even where the next one begins in lower case."""
_BEGINS_ANOTHER = lazy_regex(rf"\s+(?:oh|ok|also|still|then|the|no|not|there|{any_of(SUBJECTS | POSSESSIVES)})(?:['’]\w+)?\s")
"""Behind a number, in lower case: the number was none that orders, as in "am 3. märz"."""
_SOMEBODY_AHEAD = lazy_regex(rf"\s+(?:{any_of(SUBJECTS - {'it'})}|ich|wir|er|es)(?:['’]\w+)?\s")
"""Behind a mark, in lower case, of a note that begins in lower case: "bestanden!! er fängt im april an"."""
_COUNTED = lazy_regex(r"\s*[(\[\"“„]?(?:[§#№]|[A-Za-z]{0,4}[-/.]?\d|[A-Z]{1,4} \d)")
_OF_A_LAW = lazy_regex(r"\s*(?:§|[Ss]ect?(?:ion|\.)|[Aa]rt(?:icle|\.)|[Tt]itle|[Pp]art|[Cc]h(?:apter|\.)|[Aa]nn(?:otated|\.))")
_INITIALS = lazy_regex(r"(?:\w\.){2,}\w")
"""Initials of laws and bodies: "U.S.C", "C.F.R", "a.D"."""
_INITIALS_OF_NAMES = lazy_regex(r"(?:[A-ZÀ-Þ]\.)+[A-ZÀ-Þ]")
_CAPITALISED = lazy_regex(r"\s*[\"'“‘«(]?([A-ZÀ-Þ][^\W\d_]*)")
_BEGIN_SENTENCES = (AROUND_NOUNS | AROUND_CLAUSES | SUBJECTS | POSSESSIVES | QUESTION_WORDS | BEING | HELPING | MODALS) | (
    FURTHER_PREPOSITIONS | QUANTITIES | DENYING | ANYBODY | ORDER
)
"""Capitalised behind initials these begin another sentence; anything else goes on with a name: "J.K. Rowling"."""

_END = lazy_regex(
    "(?P<latin>(?<![.!?…])[.!?…]++[\"'”’»)\\]*_]*+)(?=\\s|$)"
    "|(?P<cjk>[。！？｡]++[」』”’）)]*+)"
    "|(?P<emoji>(?<![\U0001f300-\U0001faff\u2600-\u27bf\ufe0f\u200d])[\U0001f300-\U0001faff\u2600-\u27bf][\ufe0f\u200d\U0001f3fb-\U0001f3ff\U0001f300-\U0001faff\u2600-\u27bf]*+)(?=\\s{1,3}[A-ZÀ-ÞА-Я])"
    "|(?P<line>(?:\\r\\n|[\\n\\r\\x85\\u2028\\u2029])\\s*+)"
)
_BULLET = lazy_regex(r"(?:[-*+•‣▪◦–—]|\d{1,3}[.)]|[a-zA-Z][.)])[ \t]+|[#>|]|\[[ xX]\]")
LOG_ENTRY = lazy_regex(
    r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d |\d{1,3}(?:\.\d{1,3}){3} \S+ \S+ \["
)
"""Beginnings of log entries: an ISO date with a time, syslog's, a web server's."""
_MONTHS = [name.capitalize() for name in {**months("en", "de"), **AUSTRIAN_MONTHS, **short_months("en", "de")}]
DAY = rf"\d{{1,2}}\.[ \t]+(?:{any_of(_MONTHS)})\.?(?:[ \t]+\d{{4}}(?!\d)|[ \t]*$)"
"""A date that looks like the beginning of a numbered line: "14. Januar 2026". For patterns with MULTILINE, or of one line."""
_LAST_WORD = lazy_regex(r"[\w.]+$")
_OPENING = "\"'“‘«([*_¿¡ "


def sentences(text: str, start: int = 0, end: int | None = None) -> list[Span]:
    """Return the sentences of `text[start:end]`, with offsets into `text`."""
    stop = len(text) if end is None else end
    cut = (piece for span in _split(text, start, stop) for piece in _cut(text, span))
    return [part for piece in cut for part in parts_of_run_on(text, piece)]


def _split(text: str, start: int, stop: int) -> Iterator[Span]:
    begin = start
    line_start = start
    for match in _END.finditer(text, start, stop):
        at, after = match.start(), match.end()
        kind = match.lastgroup
        if kind == "line":
            if _line_breaks(text, line_start, at, match[0], after, stop):
                yield Span(begin, at)
                begin = after
            line_start = after
            continue
        if kind == "latin" and not _ends(text, begin, match, stop):
            continue
        yield Span(begin, after)
        begin = after
    if begin < stop:
        yield Span(begin, stop)


def _line_breaks(text: str, line_start: int, at: int, gap: str, after: int, stop: int) -> bool:
    """Return whether a sentence ends with the line: at blank lines, before bullets, and after short lines, unless the next line
    begins with a small letter."""
    if gap.count("\n") > 1 or after >= stop or _BULLET.match(text, after, stop) or LOG_ENTRY.match(text, after, stop):
        return True
    if at <= line_start:
        return True
    if text[at - 1] == "." and gap.count("\n") == 1 and (word := _LAST_WORD.search(text, max(line_start, at - 24), at - 1)):
        last = word[0].lower()
        if _COUNTED.match(text, after, stop) and (last in _BEFORE_NUMBERS or _INITIALS.fullmatch(last)):
            return False  # "under 42 U.S.C." at the end of a line
    if text[after].islower():
        return _is_noted_apart(text[line_start:at].strip(), text[after : min(stop, after + WRAPPED_LINE)].partition("\n")[0])
    return at - line_start < WRAPPED_LINE


def _is_noted_apart(line: str, following: str) -> bool:
    """Return whether a line that begins in lower case is a note of its own, and does not go on with the short line before it: it
    has a label, that ended with a number or a code, or both are written as notes are on a phone."""
    if len(line) >= WRAPPED_LINE or line[-1:] in ",;:-–(" or _GOES_ON.match(following):
        return False
    if _LABELLED.match(following) or any(map(str.isdigit, line.rpartition(" ")[2])):
        return True
    last = line.rpartition(" ")[2].lower()
    is_noted = line[:1].islower() and " " in line and " " in following.strip()
    return is_noted and last.isalpha() and last not in _LEAVES_OPEN and not _WITH_ITS_ARTICLE.match(following)


_LABELLED = lazy_regex(r"[^\W\d_][\w .'’/-]{0,30}[:=] ?\S")
_LEAVES_OPEN = (
    AROUND_NOUNS
    | AROUND_CLAUSES
    | FURTHER_PREPOSITIONS
    | POSSESSIVES
    | SUBJECTS
    | BEING
    | HELPING
    | MODALS
    | QUANTITIES
    | DENYING
) - DAYS
_GOES_ON = lazy_regex(
    rf"(?:{any_of(AROUND_CLAUSES | FURTHER_PREPOSITIONS | BEING | HELPING | MODALS)}|and|or|but|of|in|at|on|for|with|to|from|"
    r"by|as|than|which|who|that|et|ou|de|des|du|à|y|o|e|di|da|do|und|oder|von|en|euros?|pounds?|dollars?|quid|people|years?|days?|weeks?|"
    r"months?|hours?|minutes?|times?|[ap]m|uhr|km|miles?)\b",
    re.IGNORECASE,
)
_WITH_ITS_ARTICLE = lazy_regex(r"(?:an?|the|my|our|his|her|their|its|it|them|him|me|us)\b", re.IGNORECASE)


def _ends(text: str, begin: int, match: re.Match[str], stop: int) -> bool:
    """Return whether a full stop, and not an abbreviation, an initial, an ellipsis or a list number, stands here."""
    marks = match["latin"].rstrip("\"'”’»)]*_")
    at = match.start()
    follows = _first_letter(text, match.end(), stop)
    if marks != ".":
        # An ellipsis, "Yahoo! is …", and a quoted question inside a sentence, continue in lower case.
        another = _is_written_small(text) or (
            text[:_STYLE].lstrip(_OPENING)[:1].islower() and _SOMEBODY_AHEAD.match(text, match.end(), stop) is not None
        )
        return not follows.islower() or (not {".", "…"}.intersection(marks) and another)
    word = _LAST_WORD.search(text, max(begin, at - 24), at)
    if word is None:
        return True
    last = word[0].lower().lstrip(".")
    if (counting := _ends_before_count(text, begin, match, stop, word)) is not None:
        return counting
    is_number_of = last.endswith("nr") and len(last) > len("nr")  # "USt-IdNr. DE 811", "Kundennr. 4711"
    if last in _STAYS_OPEN or word[0] in _TITLES or is_number_of:
        return match.end() >= stop
    if last.endswith("str") and follows.isdigit():
        return False  # a street and its number: "Hauptstr. 5"
    if len(last) == 1 and word[0].isalpha() and word[0].isupper() and (last != "i" or _INITIAL_AHEAD.search(text, begin, at)):
        if follows.islower() and not _is_written_small(text):
            return match.end() >= stop  # "W. is off work", "Penhale R. has plot 42"
        return not follows.isupper() or match.end() >= stop
    if last.isdigit() and word.start() == begin and at - begin <= 3:
        return False  # of a numbered line
    if follows.islower():
        return _ends_before_small_letter(text, match, stop, last)
    if last in _ABBREVIATIONS:
        return follows.isupper() and last not in ("no", "nos", "vol", "fig")
    if follows.isdigit() and last.isdigit() and len(last) <= 2 and _OF_A_DAY.search(text, begin, word.start()):
        return False  # "mama wird am 3. 60"
    # German ordinals ("am 3. März") look like an end; a number up to 31 before a month's name does not end.
    return not (last.isdigit() and len(last) <= 2 and _MONTH_AHEAD.match(text, match.end(), stop))


def _ends_before_small_letter(text: str, match: re.Match[str], stop: int, last: str) -> bool:
    """Return whether a full stop behind the word `last` ends a sentence though the next letter is a small one."""
    if _DAY_AND_MONTH.fullmatch(last):
        return False
    if last.isdigit():
        if _BEGINS_ANOTHER.match(text, match.end(), stop):
            return True
        return _is_written_small(text) and _counts_without_a_stop(text[:_STYLE])
    if last in _ABBREVIATIONS:
        return last in _SHORT_DATES and _is_written_small(text)
    if len(last) > 3 or last in _SHORT_WORDS:
        return True
    return last not in _BEFORE_NUMBERS and (_is_written_small(text) or _does_something_else(text, match.end(), stop))


def _does_something_else(text: str, at: int, stop: int) -> bool:
    """Return whether a note that begins in lower case goes on with a verb of its writer's, in a language where that needs no
    pronoun: "larguei a academia, tava pagando à toa. comecei a correr"."""
    return text[:_STYLE].lstrip()[:1].islower() and _WRITER_DOES.match(text, at, stop) is not None


_WRITER_DOES = lazy_regex(rf"\s*(?:e |y |i |a )?(?:{'|'.join(each.own for each in OTHERS if each.own)})\b", re.IGNORECASE)


def _is_written_small(text: str) -> bool:
    """Return whether a note begins its sentences in lower case, as people type on a phone: "had the scan. its a boy!! due may".
    Looks at the first `_STYLE` characters."""
    return _begins_small(text[:_STYLE])


@lru_cache(maxsize=16)
def _begins_small(begin: str) -> bool:
    first = next(filter(str.isalpha, begin), "")
    if not first.islower():
        return False
    begun = [match["first"] for match in _BEGUN.finditer(begin)]
    small = sum(map(str.islower, begun))
    return small > 1 and 2 * small > len(begun)


_STYLE = 2_000
_BEGUN = lazy_regex(r"[.!?]+\s+(?P<first>[^\W\d_])")
_DAY_AND_MONTH = lazy_regex(r"[0-3]?\d\.[01]?\d")
"""Of a date as Germans write it: "am 15.12. ist Feier"."""
_ENGLISH = lazy_regex(r"\b(?:the|my|is|are|was|she|he|we|they|to|of|at)\b")
_NO_STOP = frozenset(("es", "fr", "it", "pt", "nl"))


@lru_cache(maxsize=16)
def _counts_without_a_stop(words: str) -> bool:
    """Return whether these are in a language that has no full stop behind a number that orders, as German has ("3. stock")."""
    language = language_of(words)
    return language in _NO_STOP or (language is None and _ENGLISH.search(words) is not None)


def _ends_before_count(text: str, begin: int, match: re.Match[str], stop: int, word: re.Match[str]) -> bool | None:
    """Return whether a sentence ends at an abbreviation that counts or cites ("ext. 4711", "42 U.S.C. § 1983"); None where it is
    none of them."""
    last = word[0].lower().lstrip(".")
    follows = _first_letter(text, match.end(), stop)
    counted = _COUNTED.match(text, match.end(), stop) is not None
    if counted and (last in _BEFORE_NUMBERS or last in _ABBREVIATIONS or _INITIALS.fullmatch(last)):
        return False
    if last in ("no", "nos"):
        # "No. I will not." is an answer; "Policy No." continues with its number, whatever form that has.
        return not follows.islower() and (not text[begin : word.start()].strip() or word[0].islower())
    if _INITIALS_OF_NAMES.fullmatch(word[0]) and last not in _ABBREVIATIONS:
        if _INITIALS.fullmatch(word[0]) and _OF_A_LAW.match(text, match.end(), stop):
            return False
        behind = _CAPITALISED.match(text, match.end(), stop)
        return follows.isupper() and (behind is None or behind[1].lower() in _BEGIN_SENTENCES)
    return None


_INITIAL_AHEAD = lazy_regex(r"(?<!\w)(?:by|von|par|por|da|dr\.?|mrs?\.?|ms\.?|prof\.?|frau|herrn?|[A-ZÀ-Þ]\.) I\Z", re.IGNORECASE)
"""What stands before a name that begins with "I.": elsewhere that is who speaks."""
_OF_A_DAY = lazy_regex(r"(?<!\bi )\b(?:am|zum|vom|auf den|bis zum|ab dem) \Z", re.IGNORECASE)
_COUNTED_IN_GERMAN = (
    "Jahrhundert|Klasse|Stock|Etage|Obergeschoss|Kalenderwoche|Woche|Lehrjahr|Schuljahr|Halbjahr|Jahrgang|Geburtstag|Semester|Quartal|"
    "Trimester|Monat|Rate|Mahnung|Dosis|Impfung|Spieltag|Kapitel|Absatz|Auflage|Stufe|Liga|Ausgabe|Sitzung|Bezirk|Hochzeitstag|Stunde"
)
"""Nouns that Germans count with a full stop: "in der 46. Kalenderwoche"."""
_MONTH_AHEAD = lazy_regex(
    rf"\s+(?:(?:{any_of(_MONTHS)})s?\b|(?:{_COUNTED_IN_GERMAN}|[OUD]G\b|KW\b|{any_of(months('ru'))})\w*)",
    re.UNICODE,
)


def _first_letter(text: str, at: int, stop: int) -> str:
    while at < stop and (text[at].isspace() or text[at] in _OPENING):
        at += 1
    return text[at] if at < stop else " "


def _cut(text: str, span: Span) -> Iterator[Span]:
    start, end = span.start, span.end
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    while end - start > LONGEST:
        at = text.rfind(" ", start + LONGEST // 2, start + LONGEST)
        at = start + LONGEST if at < 0 else at
        # `rfind` may land inside a run of spaces; both sides are trimmed so that no piece begins or ends with one.
        yield from _cut(text, Span(start, at))
        start = at
        while start < end and text[start].isspace():
            start += 1
    if start < end:
        yield Span(start, end)


_ENDS = (".", "!", "?", "…", "。", "！", "？")


def is_ended(words: str) -> bool:
    """Return whether a sentence ends with these words of it."""
    return words.rstrip("\"”»')").endswith(_ENDS)
