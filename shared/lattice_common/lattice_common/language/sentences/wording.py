"""How a statement reads as the content of an atom: its own words, on one line, with speaker, headings and dates made plain."""

from __future__ import annotations

from collections.abc import Sequence

from lattice_common.domain.visible import visible
from lattice_common.language.dates.mentions import DateMention, written
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.sentences.split import DAY
from lattice_common.language.text import STOP_WORDS

_QUOTED_LINE = lazy_regex(r"(?m)^[ \t]*(?:>[ \t]?)+")
_BULLET = lazy_regex(rf"^[ \t]*(?:[-*+•‣▪◦][ \t]+(?:\[[ xX]\][ \t]*)?|(?!{DAY})\d{{1,3}}[.)][ \t]+)")
_EMPHASIS = lazy_regex(r"(?<![\w*])(\*{1,3}|_{1,3})(?=[^\s*_])([^*_\n]{1,300})(?<=[^\s*_])\1(?![\w*])")
_LINK = lazy_regex(r"!?\[([^\]\n]{1,200})\]\(([^()\s]{1,500})(?: \"[^\"\n]{0,100}\")?\)")
_WIKI = lazy_regex(r"\[\[(?:[^\]|\n]{1,200}\|)?([^\]|\n]{1,200})\]\]")
_MARKS = lazy_regex(r"!\[\[[^\]\n]{1,200}\]\]|\[\^[\w-]{1,40}\]:?|(?:(?<=\s)|\A)\^[\w-]{1,40}\Z|(?:(?<=\s)|\A)%%|%%(?=\s|\Z)")
"""What notes have beside their words: pictures put in, the numbers of footnotes, names of blocks, the marks of comments."""
_MARKED = lazy_regex(r"==(?=\S)([^=\n]{1,300})(?<=\S)==")
BELOW = " › "
"""Between a heading and the one below it."""
LONGEST_HEADING = 80
"""Characters of a heading that are kept as context."""

HEADINGS = 2
"""The innermost headings that go before a fact: the outermost is mostly the document's title."""


def plain(text: str) -> str:
    """Return `text` on one line, without what is not seen and without markdown's marks."""
    cleaned = visible(text)
    if ">" in cleaned:
        cleaned = _QUOTED_LINE.sub("", cleaned)
    cleaned = _BULLET.sub("", cleaned)
    if "[^" in cleaned or "![" in cleaned or "^" in cleaned or "%%" in cleaned:
        cleaned = _MARKS.sub("", cleaned)
    if "==" in cleaned:
        cleaned = _MARKED.sub(r"\1", cleaned)
    if "[" in cleaned:
        cleaned = _WIKI.sub(r"\1", _LINK.sub(r"\1 (\2)", cleaned))
    if "*" in cleaned or "_" in cleaned:
        cleaned = _EMPHASIS.sub(r"\2", cleaned)
    return " ".join(cleaned.split())


def dated(quote: str, mentions: Sequence[DateMention]) -> str:
    """Return `quote` with the meaning of each relative date behind it: "yesterday (7 May 2023)"."""
    parts: list[str] = []
    at = 0
    for mention in mentions:
        if not mention.relative or _says_too_little(mention):
            continue
        # "for 20 June." ends the sentence, "on 20 Jun." does not; either way the meaning stands before the full stop.
        end = mention.end - (quote[mention.end - 1 : mention.end] == "." and mention.end == len(quote))
        parts += [quote[at:end], f" ({written(mention)})"]
        at = end
    return "".join([*parts, quote[at:]])


def _says_too_little(mention: DateMention) -> bool:
    return mention.precision == "about" and (mention.whole[1] - mention.whole[0]).days > 31


def title_of(heading: str) -> str:
    """Return a heading as it stands before what is said below it."""
    return plain(heading)[:LONGEST_HEADING]


def content(words: str, *, speaker: str | None, headings: Sequence[str], asked: str | None) -> str:
    """Return the words with speaker or headings before them, and what they reply to behind."""
    reply = f" (in reply to: {plain(asked)})" if asked else ""
    if speaker:
        return f"{plain(speaker)}: {words}{reply}"
    titles = [title_of(heading) for heading in headings[-HEADINGS:]]
    titles = [title for title in titles if title and title.lower() not in words.lower()]
    return f"{BELOW.join(titles)}: {words}{reply}" if titles else f"{words}{reply}"


def with_capital(sentence: str) -> str:
    """Return a sentence with a capital at its beginning, where that is a word of no meaning of its own ("the", "so", "your"): one
    that was said in the middle of another has none. Any other word may be a name or a password, and is not written otherwise."""
    begins = sentence.partition(" ")[0].rstrip(",")
    return sentence[0].upper() + sentence[1:] if begins in STOP_WORDS else sentence
