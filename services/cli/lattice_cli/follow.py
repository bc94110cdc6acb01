"""`lattice follow`: a folder whose files are remembered as they are: read again when they change, forgotten when they are gone.

What is known of each file is kept beside the program's other state, one file for a folder and a memory, and written before and
after each step: one that is stopped in the middle goes on there, and nothing is read twice. Each version of a file has its own
key.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from lattice_common.adapters.files import durable
from lattice_common.capture.written import written_at
from lattice_common.errors import Conflict, Corrupt, InvalidInput, LatticeError, NotFound, Unavailable

from lattice_cli.state import state_folder, store_name

if TYPE_CHECKING:
    from lattice_cli.memory import Memory

SETTLED_SECONDS = 2.0
"""Seconds after its last change from which a file counts as complete."""
EVERY_SECONDS = 5.0
WAIT_SECONDS = 3600.0


@dataclass(slots=True)
class FollowedFile:
    """A file as it was read last: its hash, how often it was read anew, and its size and time; no time while it is being read."""

    sha256: str
    version: int = 0
    size: int = -1
    mtime_ns: int = -1

    def is_as(self, found: os.stat_result) -> bool:
        return (self.size, self.mtime_ns) == (found.st_size, found.st_mtime_ns)


@dataclass(slots=True)
class Looked:
    """What one look came to; `left` were written just now, or could not be read."""

    read: int = 0
    read_again: int = 0
    forgotten: int = 0
    left: int = 0

    @property
    def any(self) -> bool:
        return bool(self.read or self.read_again or self.forgotten)

    def told(self) -> str:
        return f"{self.read} read, {self.read_again} read again, {self.forgotten} forgotten."


def follow(
    folder: Annotated[Path, typer.Argument(help="The folder whose files are to be remembered as they are.")],
    once: Annotated[bool, typer.Option("--once", help="Look once, and end: for cron.")] = False,
    note: Annotated[bool, typer.Option("--note", help="All of it is your own words.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="A line of counts for each look that found something.")] = False,
) -> None:
    """Remember a folder as it is: what changes is read again, what is gone is forgotten (it lies in the trash). Ends with Ctrl-C.

    Example: lattice follow ~/notes --note
    """
    if not folder.is_dir():
        raise InvalidInput(f"There is no folder {folder}.")
    followed = Followed(folder.resolve(), note=note)
    while True:
        try:
            found = followed.look(settled=0.0 if once else SETTLED_SECONDS)
        except LatticeError as error:
            if once:
                raise
            sys.stderr.write(f"{error} It is tried again in a minute.\n")
            time.sleep(60.0)
            continue
        if found.any or once:
            sys.stdout.write((json.dumps(asdict(found)) if as_json else found.told()) + "\n")
            sys.stdout.flush()
        if once:
            return
        time.sleep(EVERY_SECONDS)


class Followed:
    """A folder and what is known of it."""

    def __init__(self, folder: Path, *, note: bool) -> None:
        self._folder = folder
        self._note = note
        name = hashlib.sha256(str(folder).encode("utf-8", "surrogateescape")).hexdigest()[:24]
        followed = state_folder() / "followed"
        self._state = followed / store_name() / f"{name}.json"
        self._former = followed / f"{name}.json"
        """Where earlier versions kept it, whichever the memory was: the first one that looks at the folder takes it over."""
        self._called, self._known = self._read_state()

    def look(self, *, settled: float) -> Looked:
        """Bring the memory up to date with the folder. Opens it only where something changed."""
        files, looked = self._files(), Looked()
        gone = [name for name in self._known if name not in files]
        changed = [name for name, found in files.items() if name not in self._known or not self._known[name].is_as(found)]
        now = time.time()
        ripe = [name for name in changed if now - files[name].st_mtime >= settled]
        looked.left = len(changed) - len(ripe)
        if not gone and not ripe:
            return looked
        from lattice_cli.memory import open_memory
        from lattice_cli.terminal import Steps

        with Steps() as steps, open_memory(steps) as memory:
            for name in gone:
                self._forget(name, memory)
                del self._known[name]
                self._write_state()
                looked.forgotten += 1
            for number, name in enumerate(ripe, 1):
                self._take(name, files[name], memory, looked)
                steps.count("files", number, len(ripe))
        return looked

    def _take(self, name: str, found: os.stat_result, memory: Memory, looked: Looked) -> None:
        path, before = self._folder / name, self._known.get(name)
        try:
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            sys.stderr.write(f"{path} cannot be read: {error.strerror}.\n")
            looked.left += 1
            return
        known = before or FollowedFile(digest)
        if known.sha256 != digest:
            self._forget(name, memory)
            known = FollowedFile(digest, known.version + 1)
        unread = known.size < 0
        if unread:
            self._known[name] = known
            self._write_state()
            key = f"follow:{hashlib.sha256(self._source(name).encode()).hexdigest()[:32]}:{digest}:{known.version}"
            try:
                begun = memory.take_file(path, self._facts(name, found), key)
                ended = begun if begun.final else memory.wait(begun.capture_id, WAIT_SECONDS)
            except Conflict:
                pass  # it was read in this version, and only touched since
            except (InvalidInput, OSError) as error:
                sys.stderr.write(f"{path} is left out: {error}\n")
                looked.left += 1
            else:
                if ended.state in ("rejected", "dead") and ended.reason:
                    sys.stderr.write(f"{path}: {ended.reason}\n")
                if not begun.final:
                    looked.read += before is None
                    looked.read_again += before is not None
        known.size, known.mtime_ns = found.st_size, found.st_mtime_ns
        self._known[name] = known
        self._write_state()

    def _forget(self, name: str, memory: Memory) -> None:
        if (other := self._namesake_of(name)) is not None:
            sys.stderr.write(f"{other} is remembered under the name of {self._folder / name}: what is known of both stays.\n")
            return
        try:
            memory.remove_source(self._source(name))
        except NotFound:
            return  # nothing of it was worth remembering, or it was deleted by hand

    def _source(self, name: str) -> str:
        return f"{self._called}/{name}"[-500:]

    def _namesake_of(self, name: str) -> Path | None:
        """Return a file of another folder with the same source: of two folders that earlier versions followed under one name."""
        others = (other for other in self._others() if _called(other) == self._called and name in other["files"])
        return next((Path(other["folder"]) / name for other in others), None)

    def _others(self) -> Iterator[dict[str, Any]]:
        """Yield what is known of the other folders that are or were followed."""
        for path in sorted((*self._state.parent.glob("*.json"), *self._former.parent.glob("*.json"))):
            if path not in (self._state, self._former):
                with contextlib.suppress(ValueError, OSError):  # said when that folder is followed
                    state = json.loads(path.read_bytes())
                    if isinstance(state, dict) and {"folder", "files"} <= state.keys():
                        yield state

    def _free_name(self) -> str:
        """Return the end of the folder's path, as much of it as no other followed folder is called by."""
        taken, parts = {_called(other) for other in self._others()}, self._folder.parts
        ends = ("/".join(parts[at:]).lstrip("/") for at in range(len(parts) - 1, -1, -1))
        return next((end for end in ends if end not in taken), str(self._folder))

    def _facts(self, name: str, found: os.stat_result) -> Mapping[str, Any]:
        from lattice_common.capture.importers.items import day_named

        noted = day_named(name) if name.lower().endswith((".md", ".markdown", ".txt")) else None
        written = noted or written_at(found.st_mtime)
        facts = {"source_id": self._source(name), "channel": "follow", "observed_at": written, "priority": "bulk"}
        return {**facts, "source": "user"} if self._note else facts

    def _files(self) -> dict[str, os.stat_result]:
        found: dict[str, os.stat_result] = {}
        for path in sorted(self._folder.rglob("*")):
            inner = path.relative_to(self._folder)
            if any(part.startswith(".") for part in inner.parts) or path.is_symlink() or not path.is_file():
                continue
            try:
                found[str(inner)] = path.stat()
            except FileNotFoundError:
                continue  # gone while it was looked for
        if not found and (len(self._known) > 1 or (self._known and not self._folder.is_dir())):
            raise Unavailable(
                f"All {len(self._known)} files of {self._folder} are gone at once, as when its disk is away: nothing is "
                "forgotten for that. Bring them back; if they are gone for good, forget them with lattice forget, and remove "
                f"{self._state}."
            )
        return found

    def _read_state(self) -> tuple[str, dict[str, FollowedFile]]:
        """Return what the folder is called in the sources of its files, and what is known of each; an earlier version did not
        note which memory had read them."""
        state = self._state if self._state.exists() else self._former
        try:
            shape = json.loads(state.read_bytes())
            files = {name: FollowedFile(**known) for name, known in shape["files"].items()}
            if state == self._former:
                files = {name: FollowedFile(known.sha256, known.version) for name, known in files.items()}
            return _called(shape), files
        except FileNotFoundError:
            return self._free_name(), {}
        except (ValueError, KeyError, TypeError, OSError) as error:
            raise Corrupt(
                f"What is known of {self._folder} cannot be read ({state}: {error}). "
                "Remove that file: then all of the folder is read again."
            ) from error

    def _write_state(self) -> None:
        files = {name: asdict(known) for name, known in self._known.items()}
        state = {"folder": str(self._folder), "called": self._called, "files": files}
        durable.write(self._state, json.dumps(state).encode())
        self._former.unlink(missing_ok=True)


def _called(state: Mapping[str, Any]) -> str:
    """Return what a folder is called in the sources of its files; earlier versions took the last part of its path."""
    called = state.get("called")
    return called if isinstance(called, str) else Path(state["folder"]).name
