"""Passages in memory: the twin that the stored ones are compared with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lattice_common.domain.passage import Passage


class MemoryPassages:
    """Implements `ports.passages.PassageStore`."""

    def __init__(self) -> None:
        self._by_capture: dict[str, list[Passage]] = {}
        self._by_id: dict[str, Passage] = {}
        self._made: int | None = 0

    def any_passages(self) -> bool:
        return bool(self._by_id)

    def passages(self, passage_ids: Sequence[str]) -> list[Passage]:
        return [self._by_id[each] for each in passage_ids if each in self._by_id]

    def of_capture(self, capture_id: str) -> list[Passage]:
        return list(self._by_capture.get(capture_id, ()))

    def captures(self) -> list[str]:
        return sorted(self._by_capture)

    def put_passages(self, captures: Sequence[tuple[str, Sequence[Passage]]]) -> None:
        for capture_id, passages in captures:
            for old in self._by_capture.pop(capture_id, []):
                del self._by_id[old.passage_id]
            if passages:
                self._by_capture[capture_id] = sorted(passages, key=lambda each: each.ordinal)
                self._by_id.update({each.passage_id: each for each in passages})

    def passage_hashes(self) -> Iterator[tuple[str, str]]:
        yield from [(passage_id, each.content_hash) for passage_id, each in self._by_id.items()]

    def made_up_to(self) -> int | None:
        return self._made

    def note_made(self, up_to: int | None) -> None:
        self._made = up_to

    def clear(self) -> None:
        self._by_capture, self._by_id, self._made = {}, {}, 0

    def purge(self) -> None:
        """Do nothing: nothing is in a file."""

    def close(self) -> None:
        """Do nothing: there is nothing to close."""
