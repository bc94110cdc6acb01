"""The fields a filter can restrict, as columns beside a matrix of vectors, so that a filter costs microseconds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from lattice_common.adapters.embedded.row_log import RowRecord
from lattice_common.domain.microseconds import microseconds
from lattice_common.domain.recall import Filter

Mask: TypeAlias = npt.NDArray[np.bool_]
_FIRST_CAPACITY = 1024
_NONE = -1


class RowColumns:
    """Grows by appending; what stands in a row never changes, so a reader that knows its row count needs no lock."""

    def __init__(self) -> None:
        self.ids: list[str] = []
        self._codes: dict[str, int] = {}
        """Kinds, sessions and sources as small numbers, in one numbering."""
        self._kind = np.empty(_FIRST_CAPACITY, np.int32)
        self._session = np.empty(_FIRST_CAPACITY, np.int32)
        self._source = np.empty(_FIRST_CAPACITY, np.int32)
        self._observed_at = np.empty(_FIRST_CAPACITY, np.int64)
        self.seqs = np.empty(_FIRST_CAPACITY, np.int64)

    def extend(self, records: Iterable[RowRecord]) -> None:
        """Add rows in ascending order; rows left out are holes."""
        for record in records:
            row = record.row
            if row >= len(self.seqs):
                self._grow(2 * row)
            self._kind[row] = self._code(record.kind)
            self._session[row] = self._code(record.session_id)
            self._source[row] = self._code(record.source_id)
            self._observed_at[row] = record.observed_at
            self.seqs[row] = record.seq
            self.ids += [""] * (row - len(self.ids))
            self.ids.append(record.atom_id)

    def passing(self, within: Filter, count: int) -> Mask:
        """Return which of the first `count` rows may be found; holes are as they come."""
        mask = np.ones(count, np.bool_)
        columns = ((self._kind, within.kind), (self._session, within.session_id), (self._source, within.source_id))
        for column, values in columns:
            if values:
                mask &= np.isin(column[:count], [self._codes.get(value, _NONE - 1) for value in values])
        if within.after is not None:
            mask &= self._observed_at[:count] >= microseconds(within.after)
        if within.before is not None:
            mask &= self._observed_at[:count] < microseconds(within.before)
        return mask

    def _code(self, value: str | None) -> int:
        return _NONE if value is None else self._codes.setdefault(value, len(self._codes))

    def _grow(self, capacity: int) -> None:
        self._kind = np.resize(self._kind, capacity)
        self._session = np.resize(self._session, capacity)
        self._source = np.resize(self._source, capacity)
        self._observed_at = np.resize(self._observed_at, capacity)
        self.seqs = np.resize(self.seqs, capacity)
