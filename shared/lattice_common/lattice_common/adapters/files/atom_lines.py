"""The front matter of an atom, written field by field: the same text as `line` makes of each of `to_fields`.

An import writes thousands of atoms, whose fields have known types and whose words (kinds, sources, ids of one capture) repeat. A
property test holds both ways of writing equal.
"""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache

from lattice_common.adapters.files.atom_fields import KNOWN
from lattice_common.adapters.files.yaml_lines import flow, line, quote, scalar
from lattice_common.domain.atom import Atom

_word = lru_cache(maxsize=1024)(scalar)
"""Cached, for words that many atoms share."""


def front_matter(atom: Atom) -> str:
    """Return the lines between the marks, `body` excepted. Raise `InvalidInput` for what YAML could not give back."""
    entities = f"entities: [{', '.join([quote(entity) for entity in atom.entities])}]\n" if atom.entities else ""
    span = atom.source_span
    return "".join((
        f"atom_id: {scalar(atom.atom_id)}\nkind: {_word(atom.kind)}\nsubject: {scalar(atom.subject)}\n{entities}"
        f"category: {_word(atom.category)}\nstatus: {_word(atom.status)}\nmemory_type: {_word(atom.memory_type)}\n"
        f"persistence: {_word(atom.persistence)}\ntier: {_word(atom.tier)}\nsource: {_word(atom.source)}\n"
        f"trust: {_word(atom.trust)}\nsource_type: {_word(atom.source_type)}\n",
        _text("source_id", atom.source_id),
        _text("session_id", atom.session_id),
        _text("segment_id", atom.segment_id),
        f"capture_id: {_word(atom.capture_id)}\nsource_quote: {scalar(atom.source_quote)}\n"
        f'source_span: {{"start": {span.start}, "end": {span.end}}}\nextractor: {_word(atom.extractor)}\n',
        line("metadata", dict(atom.metadata), "\n") if atom.metadata else "",
        _date("observed_at", atom.observed_at),
        _date("ingested_at", atom.ingested_at),
        _date("valid_from", atom.valid_from),
        _date("valid_until", atom.valid_until),
        _text("date_phrase", atom.date_phrase),
        f"quality_score: {_number(atom.quality_score)}\nconfidence: {_number(atom.confidence)}\n"
        f"importance: {_number(atom.importance)}\nrecall_count: {_number(atom.recall_count)}\n",
        _date("last_recalled_at", atom.last_recalled_at),
        _text("episode_id", atom.episode_id),
        f"is_superseded: {'true' if atom.is_superseded else 'false'}\n",
        _text("superseded_by", atom.superseded_by),
        f"supersedes: [{', '.join([quote(target) for target in atom.supersedes])}]\n" if atom.supersedes else "",
        _text("superseded_reason", atom.superseded_reason),
        line("relations", [{"type": each.type, "target": each.target} for each in atom.relations], "\n")
        if atom.relations
        else "",
        f"content_hash: {scalar(atom.content_hash)}\nnormalized_content_hash: {scalar(atom.normalized_content_hash)}\n"
        f"seq: {atom.seq}\n",
        *(line(name, value, "\n") for name, value in atom.extra.items() if name not in KNOWN),
    ))  # fmt: skip


def _text(name: str, value: str | None) -> str:
    return "" if value is None else f"{name}: {_word(value)}\n"


def _date(name: str, value: datetime | None) -> str:
    # Keyed by its text: equal moments may be written in different zones.
    return "" if value is None else f"{name}: {_word(value.isoformat())}\n"


def _number(value: float) -> str:
    return repr(value) if type(value) is int else flow(value)
