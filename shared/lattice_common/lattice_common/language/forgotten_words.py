"""Where the words of what was forgotten occur in a text."""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from lattice_common.domain.atom import Span
from lattice_common.domain.capture import JsonValue
from lattice_common.domain.forgetting import masked, without
from lattice_common.language.sentences.split import sentences

FEWEST_WORDS = 2
"""A statement of fewer words ("Ok.") is looked for in its own capture only: it would be found everywhere."""

_WORD = re.compile(r"\w+")


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text as they are compared: in lower case, without punctuation and white space."""
    return tuple(match.group().casefold() for match in _WORD.finditer(text))


def sealed(statement: str, salt: bytes) -> str:
    """Return the HMAC-SHA-256 (RFC 2104) of a forgotten statement's words: enough to recognise it, not to read it."""
    return hmac.new(salt, " ".join(words_of(statement)).encode(), "sha256").hexdigest()


class ForgottenWords:
    """Finds forgotten statements in texts. One pass over the words of a text, however much is looked for."""

    def __init__(self, statements: Iterable[str], names: Iterable[str] = ()) -> None:
        self._names = frozenset(name.casefold() for name in names)
        self._by_first: dict[str, list[tuple[str, ...]]] = {}
        for statement in dict.fromkeys(words_of(each) for each in statements):
            if len(statement) >= FEWEST_WORDS:
                self._by_first.setdefault(statement[0], []).append(statement)

    def spans(self, text: str) -> list[Span]:
        """Return the spans of forgotten content in a text: whole statements, or sentences with one of the names."""
        words = [(match.start(), match.end(), match.group().casefold()) for match in _WORD.finditer(text)]
        found: list[Span] = []
        named: list[Span] = []
        for at, (start, end, word) in enumerate(words):
            if word in self._names:
                named.append(Span(start, end))
            for statement in self._by_first.get(word, ()):
                last = at + len(statement) - 1
                if last < len(words) and all(words[at + n][2] == each for n, each in enumerate(statement)):
                    found.append(Span(start, words[last][1]))
        return found + (list(_whole_sentences(text, named)) if named else [])

    def are_in(self, text: str) -> bool:
        """Return whether any of it stands in a text."""
        return bool(self.spans(text))

    def are_in_any(self, value: JsonValue) -> bool:
        """Return whether any of it stands in a text of a JSON value."""
        return any(self.are_in(text) for text in _texts(value))

    def taken_out(self, text: str) -> str:
        """Return a text without it: the sentences that it stands in are redacted."""
        spans = self.spans(text)
        return masked(text, _whole_sentences(text, spans)) if spans else text

    def taken_out_of(self, value: JsonValue) -> JsonValue:
        """Return a JSON value with its texts redacted."""
        return _mapped(value, self.taken_out)


def widened(text: str, spans: Sequence[Span]) -> list[Span]:
    """Return the sentences that spans stand in, and what the spans cover beside."""
    return without([*spans, *_whole_sentences(text, spans)], ())


def _whole_sentences(text: str, spans: Sequence[Span]) -> Iterator[Span]:
    # A sentence ends with its line at the latest, so the lines around a span contain it: a long document is not split for one.
    for span in spans:
        first = text.rfind("\n", 0, span.start) + 1
        last = text.find("\n", span.end)
        around = sentences(text, first, len(text) if last < 0 else last)
        yield from (each for each in around if each.start < span.end and span.start < each.end)


def _texts(value: JsonValue) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, each in value.items():
            yield name
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)


def _mapped(value: JsonValue, change: Callable[[str], str]) -> JsonValue:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {change(name): _mapped(each, change) for name, each in value.items()}
    if isinstance(value, list):
        return [_mapped(each, change) for each in value]
    return value
