"""Where the words of what was forgotten occur in a text."""

from __future__ import annotations

import hmac
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from lattice_common.domain.atom import Atom, Span
from lattice_common.domain.capture import JsonValue
from lattice_common.domain.forgetting import masked, without
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.sentences.split import sentences

FEWEST_WORDS = 2
"""A statement of fewer words ("Ok.") is looked for in its own capture only: it would be found everywhere."""

_WORD = lazy_regex(r"\w+")


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text as they are compared: in lower case, without punctuation and white space."""
    return tuple(match.group().casefold() for match in _WORD.finditer(text))


def sealed(statement: str, salt: bytes) -> str:
    """Return the HMAC-SHA-256 (RFC 2104) of a forgotten statement's words: enough to recognise it, not to read it."""
    return hmac.new(salt, " ".join(words_of(statement)).encode(), "sha256").hexdigest()


class ForgottenWords:
    """Finds forgotten statements in texts. Two passes over the words of a text, however much is looked for."""

    def __init__(self, statements: Iterable[str], names: Iterable[str] = ()) -> None:
        self._said = tuple(dict.fromkeys(statements))
        self._names = frozenset(name.casefold() for name in names)
        self._by_first: dict[str, list[tuple[str, ...]]] = {}
        for statement in dict.fromkeys(words_of(each) for each in self._said):
            if len(statement) >= FEWEST_WORDS:
                self._by_first.setdefault(statement[0], []).append(statement)

    def spans(self, text: str) -> list[Span]:
        """Return the spans of forgotten content in a text: whole statements, or sentences with one of the names."""
        named = self._named(text)
        return self._stated(text) + (list(_whole_sentences(text, named)) if named else [])

    def _named(self, text: str) -> list[Span]:
        if not self._names:
            return []
        found = (match for match in _WORD.finditer(text) if match.group().casefold() in self._names)
        return [Span(match.start(), match.end()) for match in found]

    def _stated(self, text: str) -> list[Span]:
        if not self._by_first:
            return []
        words = [(match.start(), match.end(), match.group().casefold()) for match in _WORD.finditer(text)]
        found: list[Span] = []
        for at, (start, _, word) in enumerate(words):
            for statement in self._by_first.get(word, ()):
                last = at + len(statement) - 1
                if last < len(words) and all(words[at + n][2] == each for n, each in enumerate(statement)):
                    found.append(Span(start, words[last][1]))
        return found

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

    def also_escaped(self) -> ForgottenWords:
        """Return the same, finding it also where JSON spells its letters with escapes (`M\\u00fcller`)."""
        names = (words_of(_escaped(name)) for name in self._names)
        said = (*self._said, *map(_escaped, self._said))
        return ForgottenWords(said, (*self._names, *(max(each, key=len) for each in names if each)))

    def blotted_out(self, text: str) -> str:
        """Return a text, as long as before, with only these words themselves redacted, and not the sentences around them."""
        return masked(text, [*self._stated(text), *self._named(text)])

    def named_out(self, name: str) -> str:
        """Return the name of a file or a conversation without it: only these words are redacted, so that two names stay two. A
        number in such a name is a date or a count of its own."""
        numbers = [span for span in self._named(name) if name[span.start : span.end].isdigit()]
        return masked(name, [*self._stated(name), *self._named(name)], kept=numbers)

    def are_in_name(self, name: str) -> bool:
        """Return whether any of it stands in the name of a file or a conversation."""
        return self.named_out(name) != name

    def fields_left(self, atom: Atom) -> dict[str, JsonValue]:
        """Return those fields of a memory that stays in which it stands, without it: the reason of a supersession, what was
        around its words, and the names of the file or the conversation it comes from. Its content and quote are its own."""
        left: dict[str, JsonValue] = {}
        if atom.superseded_reason and self.are_in(atom.superseded_reason):
            left["superseded_reason"] = None
        if atom.metadata and self.are_in_any(dict(atom.metadata)):
            left["metadata"] = self.taken_out_of(dict(atom.metadata))
        named = {"source_id": atom.source_id, "session_id": atom.session_id, "episode_id": atom.episode_id}
        return left | {name: self.named_out(each) for name, each in named.items() if each and self.are_in_name(each)}

    def taken_out_of(self, value: JsonValue) -> JsonValue:
        """Return a JSON value with its texts redacted."""
        return _mapped(value, self.taken_out)


def _escaped(text: str) -> str:
    """Return a text as JSON has it that is written in ASCII."""
    return json.dumps(text)[1:-1]


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
