"""Removes personal data from texts and restores it: the same value has the same tag in all texts of one call.

A tag is `<PERSON_1_k3f9>`: kind, number, and letters drawn anew for each call, so that nothing written before the call can
contain one (a text with `<PERSON_1>` stays as it is). Restoring a redacted text gives the text, character for character; a tag
that a model wrote carelessly is understood as well (`language/pii/written_tags.py`).
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from lattice_common.language.patterns import lazy_regex
from lattice_common.language.pii.addresses import addresses
from lattice_common.language.pii.ids import ids
from lattice_common.language.pii.names import names
from lattice_common.language.pii.numbers import cards, emails, ibans, network_addresses
from lattice_common.language.pii.phones import phones
from lattice_common.language.pii.secrets import secrets, telling_urls
from lattice_common.language.pii.span import Finder, PiiKind, PiiSpan, blanked, spans_of, without_overlaps
from lattice_common.language.pii.written_tags import WrittenTags, begun_at
from lattice_common.language.words import any_of

BY_PATTERN: tuple[Finder, ...] = (telling_urls, secrets, emails, ibans, cards, ids, network_addresses, addresses, phones)
BY_RULES: tuple[Finder, ...] = (*BY_PATTERN, names)
"""The most certain finders first: what one finds keeps its kind."""

_ALONE = 3
"""Letters from which a part of a name is looked for by itself."""


class Redaction:
    """The redaction of one call. `texts` are all that will be sent: a name recognised in one of them is removed from all."""

    def __init__(self, texts: Sequence[str], finders: Sequence[Finder], draw: Callable[[], str]) -> None:
        """`draw` returns four random letters or digits."""
        self._finders = finders
        self._suffix = draw()
        while any(self._suffix in text for text in texts):
            self._suffix = draw()
        self._tags: dict[str, str] = {}
        self._values: dict[str, str] = {}
        self._numbers: Counter[PiiKind] = Counter()
        self._found = {text: spans_of(text, finders) for text in texts}
        self._people = self._pattern_of_people()
        self._written = WrittenTags(self._suffix, texts)

    @property
    def values(self) -> Mapping[str, str]:
        """Return the values by their tags."""
        return self._values

    @property
    def counts(self) -> Mapping[str, int]:
        """Return how many values of each kind were removed."""
        return {str(kind): count for kind, count in self._numbers.items()}

    def redact(self, text: str) -> str:
        """Return every value with its tag in its place."""
        if text not in self._found:
            self._found[text] = spans_of(text, self._finders)
        spans = self._found[text]
        if self._people is not None:
            alone = [PiiSpan(match.start(), match.end(), "PERSON") for match in self._people.finditer(blanked(text))]
            spans = without_overlaps([*spans, *alone], len(text))
        pieces, at = [], 0
        for span in spans:
            pieces += [text[at : span.start], self._tag(text[span.start : span.end], span.kind)]
            at = span.end
        return "".join([*pieces, text[at:]])

    def restore(self, text: str) -> str:
        """Return every tag of this call with its value in its place; others stay."""
        return self._written.replaced(text, self._values)

    def restore_json(self, text: str) -> str:
        """Return the same in the text of a JSON document, where values stand in strings."""
        return self._written.replaced(text, {tag: _in_json(value) for tag, value in self._values.items()})

    def _tag(self, value: str, kind: PiiKind) -> str:
        if value not in self._tags:
            self._numbers[kind] += 1
            tag = f"<{kind}_{self._numbers[kind]}_{self._suffix}>"
            self._tags[value], self._values[tag] = tag, value
        return self._tags[value]

    def _pattern_of_people(self) -> re.Pattern[str] | None:
        words = {text[span.start : span.end] for text, spans in self._found.items() for span in spans if span.kind == "PERSON"}
        known = [word for word in words if len(word) >= _ALONE]
        return lazy_regex(rf"(?<![\w@.-])(?:{any_of(known)})(?!\w)") if known else None


class Restorer:
    """Restores a text that comes in pieces: however it is cut, the results of `feed` and finally `end` are what `restore` returns
    for the whole. What may become a tag is held back until that is decided."""

    def __init__(self, restore: Callable[[str], str]) -> None:
        self._restore = restore
        self._held = ""
        self._before = ""

    def feed(self, chunk: str) -> str:
        """Return what is certain so far."""
        text = self._held + chunk
        at = begun_at(text, self._before)
        self._held = text[at:]
        return self._restored(text[:at])

    def end(self) -> str:
        """Return the rest."""
        rest, self._held = self._held, ""
        return self._restored(rest)

    def _restored(self, text: str) -> str:
        """Restore a piece, given the letter before it, which may show that what looks like a tag is the end of a longer word."""
        restored = self._restore(self._before + text)[len(self._before) :]
        self._before = text[-1:] or self._before
        return restored


def _in_json(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)[1:-1]
