"""After a change of the gloss lexicons, what was indexed with the former ones is indexed again.

Called by the writer in idle time. Only memories in other languages are affected: those in English have the same tokens and
vectors as before. `index/glosses.json` holds the version that the indexes were made with, and the progress since; until the end
is reached, memories are found by their former glosses.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from lattice_common.errors import Unavailable
from lattice_common.ingest.commit import index_atoms
from lattice_common.ingest.stores import Stores
from lattice_common.language.glosses.gloss import in_english
from lattice_common.language.glosses.lexicon import glosses_version, read_lexicons
from lattice_common.logs import logger
from lattice_common.upkeep.progress_note import read_note, write_note

log = logger(__name__)

LOOKED_AT = 256
"""Memories checked in one idle moment: 10 ms where they are in English, a second of embedding where all are in other
languages."""


class GlossingAnew:
    """Called by one thread: the writer's. `embedded` is the setting LATTICE_EMBED_GLOSSES."""

    def __init__(self, path: Path, stores: Stores, next_index_seq: Callable[[], int], embedded: str) -> None:
        self._path = path
        self._stores = stores
        self._next_index_seq = next_index_seq
        self._version = f"{glosses_version()} {embedded}"
        self._up_to: int | None = None
        self._has_read = False

    def begin(self) -> None:
        """Prepare before anything is stored in this process: what is stored from now on has the glosses of this version."""
        made_with, up_to = self._read()
        if made_with == self._version and up_to is None:
            return
        if made_with != self._version and self._stores.spaces.coming is not None:
            self._stores.spaces.coming.dense.clear()  # begun with the former glosses
        self._up_to = 0 if made_with != self._version or up_to is None else up_to
        if not self._stores.catalogue.last_seq():
            self.done()

    def look(self) -> bool:
        """Index the next few again, if any are left; return whether more may be left."""
        if not self._has_read:
            # In idle time, and not while somebody waits for an answer.
            read_lexicons()
            self._has_read = True
        if self._up_to is None:
            return False
        atoms = self._stores.catalogue.following(self._up_to, limit=LOOKED_AT)
        foreign = [atom for atom in atoms if in_english(atom.content) != atom.content]
        if foreign:
            index_atoms(self._stores, foreign, {}, {}, index_seq=self._next_index_seq())
            if self._stores.behind.legs:  # an engine is away: they are brought to it again when it is back
                return False
        if len(atoms) < LOOKED_AT:
            log.info("glossed_anew", version=self._version)
            self.done()
            return False
        self._up_to = max(atom.seq for atom in atoms)
        self._write(self._up_to)
        return True

    def done(self) -> None:
        """Record that all that is indexed has the glosses of this version, as after a rebuild."""
        self._up_to = None
        self._write(None)

    def _read(self) -> tuple[str, int | None]:
        """Return the version, and how far the indexes have come towards it: None where they have it throughout."""
        try:
            noted = read_note(self._path)
            return str(noted["version"]), None if noted["up_to"] is None else int(noted["up_to"])
        except (OSError, ValueError, KeyError, TypeError):
            return "", None

    def _write(self, up_to: int | None) -> None:
        try:
            write_note(self._path, {"version": self._version, "up_to": up_to})
        except OSError as error:
            raise Unavailable(f"{self._path} could not be written ({error}): make room, or make the folder writable.") from error
