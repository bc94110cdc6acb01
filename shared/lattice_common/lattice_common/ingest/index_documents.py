"""What the indexes hold of an atom: tokens by field for BM25, and the text that is embedded."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain

from lattice_common.domain.atom import Atom
from lattice_common.language.dates.mentions import in_words
from lattice_common.language.glosses.gloss import english_gloss
from lattice_common.language.glosses.shorthand import spelled_out
from lattice_common.language.text import analyze
from lattice_common.ports.dense_index import DenseDocument
from lattice_common.ports.embedder import Embedder, Vectors
from lattice_common.ports.lexical_index import FilterFields, LexicalDocument

WINDOW_TOKENS = 400
"""Tokens of a window that are indexed. Three turns have about 60; a pasted page next to a short note must not outweigh it."""

REPEATED = 2_000
"""Length in characters up to which the tokens of a text are cached for atoms that share it."""


def lexical_document(atom: Atom, window: Sequence[str], seq: int | None = None) -> LexicalDocument:
    """Return the atom as BM25 indexes it; `window` is what was said around it (`ingest.window`), its own words included. `seq` is
    the order of this write (default: that of the atom's first)."""
    return LexicalDocument(
        atom_id=atom.atom_id,
        content_hash=atom.content_hash,
        seq=atom.seq if seq is None else seq,
        tokens={"text": _text_tokens(atom), "window": list(chain.from_iterable(map(_around, window)))[:WINDOW_TOKENS]},
        filter_fields=filter_fields(atom),
    )


def dense_document(atom: Atom, vector: Vectors, seq: int | None = None) -> DenseDocument:
    """Return the atom with the vector of its `embedding_text`; `seq` as for `lexical_document`."""
    return DenseDocument(
        atom_id=atom.atom_id,
        content_hash=atom.content_hash,
        seq=atom.seq if seq is None else seq,
        vector=vector,
        filter_fields=filter_fields(atom),
    )


def embedding_text(atom: Atom) -> str:
    """Return the text that is embedded for the atom: its content, which already names its speaker and date."""
    return atom.content


def embed_atoms(atoms: Sequence[Atom], embedder: Embedder | None) -> dict[str, Vectors]:
    """Return the vectors of atoms by their ids; empty without an embedder."""
    if embedder is None or not atoms:
        return {}
    texts = [embedding_text(atom) for atom in atoms]
    # A text that occurs thousands of times is embedded once.
    rows = {text: row for row, text in enumerate(dict.fromkeys(texts))}
    vectors = embedder.embed(list(rows))
    return {atom.atom_id: vectors[rows[text]] for atom, text in zip(atoms, texts, strict=True)}


def filter_fields(atom: Atom) -> FilterFields:
    """Return the values of the fields that a `Filter` can restrict."""
    return FilterFields(kind=atom.kind, observed_at=atom.observed_at, session_id=atom.session_id, source_id=atom.source_id)


def _text_tokens(atom: Atom) -> list[str]:
    """Return the tokens of date, speaker, subject, headings and content; of the quote those that the content lacks (a rewritten
    fact is still found by the words it was said in); and those of its English gloss, where it is in another language."""
    content = [*analyze(atom.content), *gloss_tokens(atom.content)]
    seen = set(content)
    quoted: list[str] = []
    if atom.source_quote != atom.content:
        quoted = [token for token in dict.fromkeys(analyze(atom.source_quote)) if token not in seen]
        seen.update(quoted)
    context = dict.fromkeys(token for part in _context(atom) for token in _analyzed(part))
    return [*content, *quoted, *(token for token in context if token not in seen)]


def gloss_tokens(text: str) -> list[str]:
    """Return the tokens of a text's English gloss, with all senses of its words, except those it has itself; for English those of
    its shortened words in full."""
    gloss = english_gloss(text)
    english = spelled_out(text) if gloss is None else gloss.every_sense
    if english == text:
        return []
    own = set(_analyzed(text))
    return [token for token in dict.fromkeys(analyze(english)) if token not in own]


def _around(text: str) -> Sequence[str]:
    """Return the tokens of a neighbouring turn, with those of its gloss."""
    return _around_once(text) if len(text) <= REPEATED else [*analyze(text), *gloss_tokens(text)]


@lru_cache(maxsize=512)
def _around_once(text: str) -> tuple[str, ...]:
    return (*_analyzed(text), *gloss_tokens(text))


def _analyzed(text: str) -> Sequence[str]:
    """Return the tokens of a text that several atoms share: a turn, a heading, a day. White space separates tokens, so the tokens
    of joined texts are those of each."""
    return _analyzed_once(text) if len(text) <= REPEATED else analyze(text)


@lru_cache(maxsize=512)
def _analyzed_once(text: str) -> tuple[str, ...]:
    return tuple(analyze(text))


def forget_texts() -> None:
    """Clear the cache of tokens: the same text is to be analysed differently from now on."""
    _around_once.cache_clear()
    _analyzed_once.cache_clear()


def _context(atom: Atom) -> list[str]:
    # Days as people write them in questions: the numeric form would match none.
    parts = [atom.speaker or "", atom.subject, in_words(atom.observed_at)]
    if atom.valid_from is not None and atom.valid_from.date() != atom.observed_at.date():
        parts.append(in_words(atom.valid_from))
    for key in ("headings", "title"):
        words = atom.metadata.get(key)
        if isinstance(words, str):
            parts.append(words)
        elif isinstance(words, list):
            parts += [word for word in words if isinstance(word, str)]
    return parts
