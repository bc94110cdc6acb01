"""An inbox in a dictionary: what is dropped is put there by `drop`."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import IO

from lattice_common.ports.inbox_folder import Destination, Seen, Strange


class InMemoryInboxFolder:
    """`InboxFolder` without a disk. `files` shows what is where, by path, those done with among it."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self._seen: dict[str, Seen] = {}
        self._dropped = 0

    def drop(self, path: str, content: bytes, *, mtime_ns: int = 0) -> None:
        """Put a file there, or another one in its place."""
        self._dropped += 1
        self.files[path] = content
        self._seen[path] = Seen(path, len(content), mtime_ns, self._dropped)

    def remove(self, path: str) -> None:
        """Take a file away."""
        del self.files[path], self._seen[path]

    def scan(self) -> Iterator[Seen | Strange]:
        for path in sorted(self._seen, key=lambda each: each.split("/")):
            if not any(part.startswith(".") for part in path.split("/")):
                yield self._seen[path]

    def read(self, seen: Seen, limit: int) -> bytes | None:
        return self.files[seen.path][: limit + 1] if self._seen.get(seen.path) == seen else None

    def copy(self, seen: Seen, into: Callable[[bytes], object]) -> bool:
        if self._seen.get(seen.path) != seen:
            return False
        into(self.files[seen.path])
        return True

    def open(self, seen: Seen) -> IO[bytes] | None:
        return io.BytesIO(self.files[seen.path]) if self._seen.get(seen.path) == seen else None

    def settle(self, seen: Seen, place: Destination, day: str, why: str | None = None) -> bool:
        if self._seen.get(seen.path) != seen:
            return False
        target = self._free(f"{place}/{day}/{seen.path}")
        self.files[target] = self.files.pop(seen.path)
        del self._seen[seen.path]
        if why is not None:
            self.files[self._free(f"{target}.why.txt")] = f"{why}\n".encode()
        return True

    def _free(self, path: str) -> str:
        folder, _, name = path.rpartition("/")
        stem, dot, ending = name.rpartition(".")
        stem, ending = (stem, dot + ending) if stem else (name, "")
        number = 1
        while (free := f"{folder}/{stem}{f' ({number})' if number > 1 else ''}{ending}") in self.files:
            number += 1
        return free
