"""What a process remembers of the trash, as objects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class MemoryTrashIndex:
    """Implements `ports.trash_index.TrashIndex`."""

    def __init__(self) -> None:
        self._known: set[str] = set()
        self._moved: set[tuple[str, str, str]] = set()
        """Capture, memory, deletion."""

    def known(self) -> set[str]:
        return set(self._known)

    def add(self, command_id: str, memories: Iterable[tuple[str, str]], *, whole: bool) -> None:
        self._moved.update((capture_id, atom_id, command_id) for capture_id, atom_id in memories)
        if whole:
            self._known.add(command_id)

    def of_capture(self, capture_id: str) -> list[str]:
        found = sorted((command_id, atom_id) for of, atom_id, command_id in self._moved if of == capture_id)
        return list(dict.fromkeys(atom_id for _, atom_id in found))

    def went_back(self, capture_id: str, atom_ids: Sequence[str]) -> None:
        self._moved = {each for each in self._moved if each[0] != capture_id or each[1] not in atom_ids}

    def let_go(self, command_ids: Iterable[str]) -> None:
        gone = set(command_ids)
        self._known -= gone
        self._moved = {each for each in self._moved if each[2] not in gone}
