"""What search engines keep beside the words or the vector of a document, and what of it a filter allows."""

from __future__ import annotations

from lattice_common.domain.microseconds import microseconds
from lattice_common.domain.recall import Filter
from lattice_common.ports.dense_index import DenseDocument
from lattice_common.ports.lexical_index import LexicalDocument


def stored_with(document: LexicalDocument | DenseDocument) -> dict[str, str | int | None]:
    """Return the fields of a document by name; `observed_at` is in microseconds since 1970."""
    fields = document.filter_fields
    return {
        "atom_id": document.atom_id,
        "content_hash": document.content_hash,
        "seq": document.seq,
        "kind": fields.kind,
        "session_id": fields.session_id,
        "source_id": fields.source_id,
        "observed_at": microseconds(fields.observed_at),
    }


def allowed_values(within: Filter) -> dict[str, list[str]]:
    """Return the values that a filter allows, by the names of the fields that it restricts to some."""
    wanted = {"kind": within.kind, "session_id": within.session_id, "source_id": within.source_id}
    return {name: list(values) for name, values in wanted.items() if values}


def allowed_times(within: Filter) -> dict[str, int]:
    """Return the bounds of `observed_at`, as `gte` and `lt`; empty where there are none."""
    bounds = {"gte": within.after, "lt": within.before}
    return {name: microseconds(moment) for name, moment in bounds.items() if moment is not None}
