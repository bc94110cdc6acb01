"""What a note links to and is tagged with, as Obsidian writes it: `[[Ada Brandl]]`, `[[People/Ada#Birthday|she]]`, `#trip/oslo`.

A link names a note, and so the thing it is about, whatever words stand for it and however it is spelled; a tag is kept with its
mark, which tells it from a name.
"""

from __future__ import annotations

import re

from lattice_common.language.patterns import lazy_regex

_LINK = lazy_regex(r"(?<!!)\[\[([^\[\]|#^\n]{1,200})(?:[#^][^\]|\n]{0,200})?(?:\|[^\]\n]{0,200})?\]\]")
_TAG = lazy_regex(r"(?<!\S)#((?=[^\s#]{0,60}[^\W\d_])[\w/-]{2,60})")
_NO_NAME = lazy_regex(r"\d{4}(?:-[\dWQ]{1,3}){0,2}|.*\.(?:png|jpe?g|gif|webp|svg|pdf|mp[34]|canvas|excalidraw)", re.IGNORECASE)
"""Targets that name nothing: notes of days, weeks and months, pictures and other files."""

LONGEST_BEHIND = 500
"""Characters of a line that are looked at behind a statement."""

_NOTHING_ELSE = lazy_regex(rf"(?:{_LINK.pattern}|{_TAG.pattern}|!\[\[[^\]\n]{{0,300}}\]\]|[\s,;:.·|*•-])*+")
_LINKED_OR_TAGGED = lazy_regex(r"\[\[|#")


def only_linked(words: str) -> bool:
    """Return whether `words` are links and tags alone: what a note is filed under, and no statement."""
    return _LINKED_OR_TAGGED.search(words) is not None and _NOTHING_ELSE.fullmatch(words) is not None


def linked_behind(text: str, end: int) -> tuple[str, ...]:
    """Return what stands behind a statement on its line, where that is links and tags alone: "The boat is blue. #sea"."""
    line_end = text.find("\n", end)
    rest = text[end : min(end + LONGEST_BEHIND, len(text) if line_end < 0 else line_end)]
    return linked(rest) if only_linked(rest) else ()


def linked(words: str) -> tuple[str, ...]:
    """Return the names of the notes that `words` link to, then their tags, each once."""
    if "[[" not in words and "#" not in words:
        return ()
    targets = (" ".join(match[1].rpartition("/")[2].removesuffix(".md").split()) for match in _LINK.finditer(words))
    names = [target for target in targets if target and not _NO_NAME.fullmatch(target)]
    tags = [f"#{match[1].rstrip('/-')}" for match in _TAG.finditer(words)]
    return tuple(dict.fromkeys((*names, *tags)))
