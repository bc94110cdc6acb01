"""Forgetting in the files of a data folder: memories, trash, journal, logs, processed files of the inbox, and our own backups.

What is erased from the journal is decided by looking through all of it, written into the ledger (`forgotten_ledger`), and then
carried out, so that after a crash at any moment it is done again with the same result. What a sync program or a backup brings
back later is erased again from the ledger alone (`again`, `returned`).

Costs a look at every file of the journal: some 20 s for 100,000 captures, in which the writer does nothing else.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import cast

import orjson

from lattice_common.adapters.files import durable, frontmatter
from lattice_common.adapters.files.atom_files import ARCHIVE, ATOM_ID, MEMORIES, TRASH, AtomFiles
from lattice_common.adapters.files.backup_archive import BACKUPS, note_backup, rewrite, sweep_beside
from lattice_common.adapters.files.backup_schedule import is_scheduled, made_so_far, sweep_folder
from lattice_common.adapters.files.erasing_large import Sought, blot_out
from lattice_common.adapters.files.forgotten_ledger import ForgottenLedger, Taken
from lattice_common.adapters.files.journal import FileJournal
from lattice_common.adapters.files.line_log import FileLineLog
from lattice_common.adapters.files.redaction import FORGOTTEN_NAME, Kept, Redaction
from lattice_common.adapters.files.rejection_log import FileRejectionLog
from lattice_common.domain.atom import Atom, Span
from lattice_common.domain.capture import Capture, Command, JsonValue, Original
from lattice_common.domain.conclusion import is_conclusion
from lattice_common.domain.forgetting import Erasure, Passage, is_masked
from lattice_common.errors import Corrupt, InvalidInput, Unavailable
from lattice_common.language.forgotten_words import ForgottenWords
from lattice_common.logs import logger
from lattice_common.ports.rejection_log import RejectedCandidate, RejectionLog

log = logger(__name__)

LOGS = ("chat", "intents", "traces", "feedback", "reflections")
"""Lines about what is forgotten are removed; those that only mention it (among related subjects) lose the words."""
ASKED = ("question", "reformulated_query", "text")
"""Fields with the content of a line, beside the memories that it names."""
COUNTED = "usage"
"""Its lines are counted by their position, so they are blanked."""
UNPURGED = "index/unpurged"
UNWRITTEN = "logs/.backups-to-redact"
"""Backups that a forgetting could not write anew, and folders of them that it could not look into: a disk that failed, a share
that was away. One path a line."""
PUT_AWAY = ("processed", "failed")
LARGEST_HELD = 64_000_000
"""Bytes of a file that the inbox put away, up to which it is read as a whole."""


@dataclass(frozen=True, slots=True)
class Erased:
    """`captures` were redacted; the words around them have to be indexed anew."""

    captures: tuple[str, ...]


class FileEraser:
    """Erases in the data folder `root` and its `inbox`. For the one writer's thread, and for a folder that nobody writes.
    `backup_folder` is that of scheduled backups, `backup_passphrase` opens encrypted ones."""

    def __init__(
        self,
        root: Path,
        inbox: Path,
        rejections: RejectionLog,
        journal: FileJournal | None = None,
        backup_folder: Path | None = None,
        backup_passphrase: str | None = None,
    ) -> None:
        self._root = root
        self._inbox = inbox
        self._rejections = rejections
        self._journal = journal or FileJournal(root)
        self._backup_folder = backup_folder.resolve() if backup_folder else None
        self._backup_passphrase = backup_passphrase
        self.ledger = ForgottenLedger(root)

    def erase(self, by: str, at: datetime, erasure: Erasure, kept: Kept) -> Erased:
        """Take it out of everything. `by` is the command that asked for it; `kept` says what of a capture stays. May be
        repeated."""
        erased = self.erase_here(by, at, erasure, kept)
        self._backups(by, at, erasure)
        return erased

    def erase_here(self, by: str, at: datetime, erasure: Erasure, kept: Kept) -> Erased:
        """Take it out of the folder, and not out of the backups that its log names."""
        words = ForgottenWords(erasure.statements, erasure.names)
        redaction = Redaction(self._journal, erasure, words)
        noted = self.ledger.line_of(by)
        wanted = dict(noted.entries) if noted is not None else {}
        wanted |= {each: taken for each, taken in self._wanted(redaction, kept, by) if each not in wanted}
        self.ledger.note(by, at, erasure, wanted)
        durable.failpoint("forget.noted")
        self.remove(erasure.atom_ids)
        durable.failpoint("forget.removed")
        self._trash(words)
        self._put_away(self._redact(redaction, wanted), words, Sought(erasure.statements, erasure.names))
        self._other_entries(redaction, by)
        durable.failpoint("forget.redacted")
        self._logs(frozenset(erasure.atom_ids), words)
        self.sweep()
        return Erased(tuple(wanted))

    def sweep(self) -> None:
        """Remove what killed processes were writing: no forgetting would find words in it. Looks at every name."""
        self._journal.sweep()
        durable.clean_temporary(self._root)
        if not self._inbox.is_relative_to(self._root):
            durable.clean_temporary(self._inbox)

    def keep_out(self, capture: Capture, spans: Sequence[Span]) -> None:
        """Erase from a new capture what was forgotten before: the file may be the owner's, but the journal must not have it
        again."""
        said = [capture.text[span.start : span.end] for span in spans]
        erasure = Erasure((), tuple(Passage(capture.capture_id, span.start, span.end) for span in spans), tuple(said))
        redaction = Redaction(self._journal, erasure, ForgottenWords(said))
        redaction.capture(capture.capture_id, Taken(whole=False, spans=tuple(spans)))
        log.info("forgotten_kept_out", capture_id=capture.capture_id, entries=len(spans))

    @property
    def bars_any(self) -> bool:
        """Return whether there is anything that only the owner's own new word brings back."""
        return self.ledger.bars_any

    def bars(self, statement: str) -> bool:
        """Return whether it says what was forgotten, and only the owner's own new word brings back."""
        return self.ledger.bars(statement)

    def unpurged(self) -> frozenset[str]:
        """Return the engines that still have to be written anew, because they were away when something was forgotten."""
        try:
            return frozenset(durable.read(self._root / UNPURGED).decode().split())
        except FileNotFoundError:
            return frozenset()

    def note_unpurged(self, legs: Iterable[str]) -> None:
        """Record engines whose files still have to be purged."""
        left = sorted(legs)
        if left:
            durable.write(self._root / UNPURGED, " ".join(left).encode())
        else:
            durable.remove(self._root / UNPURGED)

    def remove(self, atom_ids: Iterable[str]) -> int:
        """Remove the files of memories, and copies of them by sync programs, anywhere in `atoms/`, `archive/` and `trash/`."""
        wanted = {each for each in atom_ids if ATOM_ID.fullmatch(each)}
        removed = 0
        for folder in (MEMORIES, ARCHIVE, TRASH) if wanted else ():
            for parent, _, names in os.walk(self._root / folder):
                removed += sum(durable.remove(Path(parent, name)) for name in names if name.lstrip(".")[:26] in wanted)
        return removed

    def returned(self, paths: Iterable[str]) -> None:
        """Remove those of these files (relative to the folder) that are forgotten memories: a sync brought them back."""
        gone = self.ledger.atom_ids
        named = [path for path in paths if gone and path.rpartition("/")[2][:26] in gone]
        if back := sum(durable.remove(durable.inside(self._root, path)) for path in named):
            log.warning("forgotten_returned", atoms=back)

    def again(self) -> None:
        """Erase again what is in the ledger and has come back, here and in backups from which it could not be erased. Remove what
        a crash left unfinished, here and beside backups."""
        self.sweep()
        self._backups_again()
        self.again_here()

    def again_here(self) -> None:
        """Erase again what is in the ledger and has come back to this folder: by a sync, or because it was restored. Reads the
        redacted entries, and names of memories."""
        if not self.ledger:
            return
        removed = self.remove(self.ledger.atom_ids)
        entries = 0
        for line in self.ledger:
            redaction = Redaction(self._journal, Erasure(line.atom_ids), ForgottenWords(()))
            for entry_id, taken in line.entries.items():
                if self._is_back(entry_id, taken):
                    redaction.capture(entry_id, taken)
                    entries += 1
        if removed or entries:
            every = Redaction(self._journal, Erasure(tuple(self.ledger.atom_ids)), ForgottenWords(()))
            self._other_entries(every, "")
            self._logs(self.ledger.atom_ids, ForgottenWords(()))
            log.warning("forgotten_returned", atoms=removed, entries=entries)

    # -- how

    def _wanted(self, redaction: Redaction, kept: Kept, by: str) -> Iterable[tuple[str, Taken]]:
        for entry_id in self._journal.entries(newest_first=False):
            if entry_id == by:
                continue
            try:
                said = self._journal.read(entry_id)
            except Corrupt:
                log.warning("entry_not_redacted", capture_id=entry_id)
                continue
            if isinstance(said, Capture) and (taken := redaction.wanted(said, kept)) is not None:
                yield entry_id, taken

    def _redact(self, redaction: Redaction, wanted: Mapping[str, Taken]) -> dict[str, Path | None]:
        """Redact captures; return, by the hash of each original, the path of what is left of it."""
        originals: dict[str, Path | None] = {}
        for entry_id, taken in wanted.items():
            former = redaction.capture(entry_id, taken)
            if former is not None:
                originals[former] = self._journal.original_path(entry_id)
        return originals

    def _other_entries(self, redaction: Redaction, by: str) -> None:
        """Redact commands, receipts, and plans of unfinished entries."""
        for entry_id in self._journal.entries(newest_first=False):
            if entry_id == by:
                continue
            try:
                said = self._journal.read_as_appended(entry_id)
                if isinstance(said, Command) and (left := redaction.command(said)) != said:
                    self._journal.replace_entry(left)
                receipt = self._journal.receipt(entry_id)
                if receipt is not None and (ended := redaction.receipt(receipt)) != receipt:
                    self._journal.replace_receipt(ended)
                plan = self._journal.read_plan(entry_id)
                if plan is not None and (planned := redaction.plan(plan)) != plan:
                    self._journal.write_plan(planned)
            except Corrupt:
                log.warning("entry_not_redacted", capture_id=entry_id)

    def _is_back(self, entry_id: str, taken: Taken) -> bool:
        try:
            said = self._journal.read(entry_id)
            if not isinstance(said, Capture):
                return False
            spans = (Span(0, len(said.text)),) if taken.whole else taken.spans
            if not is_masked(said.text, spans):
                return True
            return said.original is not None and not self._is_as_left(entry_id, said.original)
        except Corrupt:
            return False  # `lattice doctor` says it

    def _is_as_left(self, entry_id: str, original: Original) -> bool:
        path = self._journal.original_path(entry_id)
        return path is None or (original.redacted and hashlib.sha256(durable.read(path)).hexdigest() == original.sha256)

    def _logs(self, gone: frozenset[str], words: ForgottenWords) -> None:
        def left_of(line: dict[str, JsonValue]) -> dict[str, JsonValue] | None:
            said = [line[name] for name in ASKED if name in line]
            if _names(line, gone) or words.are_in_any(said):
                return None
            return cast(dict[str, JsonValue], words.taken_out_of(line)) if words.are_in_any(line) else line

        def is_of_it(each: RejectedCandidate) -> bool:
            return words.are_in(each.candidate.content) or words.are_in(each.candidate.quote)

        for name in LOGS:
            if (self._root / "logs" / f"{name}.jsonl").exists():
                FileLineLog(self._root, name).rewrite(left_of)
        if (self._root / "logs" / f"{COUNTED}.jsonl").exists():
            FileLineLog(self._root, COUNTED).blank(lambda line: _names(dict(line), gone))
        self._rejections.drop(is_of_it)

    def _backups(self, by: str, at: datetime, erasure: Erasure) -> None:
        """Erase from backups that are where `lattice backup` or the schedule wrote them; a preview has named the others. One that
        cannot be written anew is tried again at the next start."""
        archives, failed = self._every_backup()
        failed += [each for each in archives if not self._rewritten(each, lambda folder: _erase_in(folder, by, at, erasure))]
        if failed or self._unwritten():
            self._note_unwritten({*failed, *self._unwritten()})

    def _backups_again(self) -> None:
        """Erase what the ledger knows of from backups that could not be written anew, and from those that no log names, as from
        one that is restored. These were made while the data folder took no line, or came back after a power cut."""
        archives, failed = self._every_backup()
        noted = self._noted_backups()
        unnoted = [each for each in archives if each not in noted]
        left = self._unwritten()
        of_folders = [each for each in archives if each.parent in left]
        if self.ledger:
            again = dict.fromkeys([*(each for each in left if not each.is_dir()), *of_folders, *unnoted])
            failed += [each for each in again if not self._rewritten(each, lambda folder: _forget_in(folder, self._root))]
        if left or failed:
            self._note_unwritten(failed)
        for each in unnoted:
            with contextlib.suppress(Unavailable):  # a disk that is full still: it is found again at the next start
                note_backup(self._root, each, datetime.fromtimestamp(each.lstat().st_mtime, UTC))

    def _every_backup(self) -> tuple[list[Path], list[Path]]:
        """Return our backups, and the folders that could not be looked into. What was left unfinished beside backups is removed
        first: one that comes into its place after that was begun after it."""
        every, failed = dict.fromkeys(self._noted_backups()), []
        folders = [self._backup_folder] if self._backup_folder else []
        for folder in dict.fromkeys([*folders, *(each.parent for each in every if is_scheduled(each))]):
            try:
                sweep_folder(folder)
                every |= dict.fromkeys(path for _, path in made_so_far(folder))
            except OSError as error:
                log.warning("backup_not_redacted", reason=type(error).__name__)
                failed.append(folder)
        return list(every), failed

    def _noted_backups(self) -> list[Path]:
        if not (self._root / "logs" / f"{BACKUPS}.jsonl").exists():
            return []
        noted = dict.fromkeys(str(line.get("file", "")) for line in FileLineLog(self._root, BACKUPS).newest())
        return [path for path in map(Path, noted) if path.is_absolute()]

    def _rewritten(self, archive: Path, change: Callable[[Path], None]) -> bool:
        """Return whether nothing is left to be done to it: it was written anew, or is not there."""
        try:
            sweep_beside(archive)
            if archive.is_file():
                rewrite(archive, change, passphrase=self._backup_passphrase)
        except (InvalidInput, Unavailable, OSError) as error:
            log.warning("backup_not_redacted", reason=type(error).__name__)
            return False
        return True

    def _unwritten(self) -> list[Path]:
        try:
            return [Path(line) for line in durable.read(self._root / UNWRITTEN).decode().splitlines()]
        except FileNotFoundError:
            return []

    def _note_unwritten(self, archives: Iterable[Path]) -> None:
        if left := sorted(map(str, archives)):
            durable.write(self._root / UNWRITTEN, "\n".join(left).encode())
        else:
            durable.remove(self._root / UNWRITTEN)

    def _trash(self, words: ForgottenWords) -> None:
        """Erase from what lies in the trash and may still be brought back: what it says itself is its own."""
        files = AtomFiles(self._root)
        for atom_id, mark in files.trashed():
            atom = files.read_file(mark)
            if isinstance(atom, Atom) and (left := words.fields_left(atom)):
                path = durable.inside(self._root, mark.path)
                durable.write(path, frontmatter.edit(durable.read(path, limit=frontmatter.MAX_FILE_BYTES + 1), atom_id, left))

    def _put_away(self, originals: Mapping[str, Path | None], words: ForgottenWords, sought: Sought) -> None:
        """Erase from processed files of the inbox: copies of originals are replaced by what is left of these, texts are
        redacted, and names that say it are changed."""
        for folder in PUT_AWAY:
            for parent, folders, names in os.walk(self._inbox / folder, topdown=False):
                for name in names:
                    path = Path(parent, name)
                    if not path.is_symlink() and path.is_file():
                        self._put_away_file(path, originals, words, sought)
                for name in (*folders, *names):
                    if words.are_in_name(name):
                        _rename(Path(parent, name))

    def _put_away_file(self, path: Path, originals: Mapping[str, Path | None], words: ForgottenWords, sought: Sought) -> None:
        with durable.open_regular(path) as file:
            is_large = os.fstat(file.fileno()).st_size > LARGEST_HELD
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        if digest in originals:
            place = originals[digest]
            left = durable.read(place) if place is not None else b""
        elif is_large:
            blot_out(path, sought)
            return
        else:
            left = _text_left(durable.read(path), words)
        if not left:
            durable.remove(path)
        elif hashlib.sha256(left).hexdigest() != digest:
            durable.write(path, left)


def _erase_in(folder: Path, by: str, at: datetime, erasure: Erasure) -> None:
    """Erase in the folder of a backup, with its own memories."""
    files, gone = AtomFiles(folder), frozenset(erasure.atom_ids)
    spans: dict[str, list[Span]] = {}
    for _, mark in (*files.marks(), *files.trashed()):
        atom = files.read_file(mark)
        if isinstance(atom, Atom) and atom.atom_id not in gone and not is_conclusion(atom):
            spans.setdefault(atom.capture_id, []).append(atom.source_span)
    eraser = FileEraser(folder, folder / "inbox", FileRejectionLog(folder))
    # The log in a backup names those before it, which are each rewritten once as it is.
    eraser.erase_here(by, at, erasure, lambda capture_id: spans.get(capture_id, ()))


def _forget_in(folder: Path, known_by: Path) -> None:
    """Take out of a folder what the ledger of another one says was forgotten."""
    eraser = FileEraser(folder, folder / "inbox", FileRejectionLog(folder))
    eraser.ledger.take_over(known_by)
    eraser.again_here()


def _rename(path: Path) -> None:
    """Give a file or a folder a name that says nothing."""
    if not path.exists():  # nothing was left of it
        return
    ending = path.suffix if path.is_file() else ""
    names = (f"{FORGOTTEN_NAME}{f'-{n}' if n else ''}{ending}" for n in count())
    durable.move(path, next(place for place in (path.with_name(each) for each in names) if not place.exists()))


def _text_left(content: bytes, words: ForgottenWords) -> bytes:
    """Return a file without what is forgotten, where it is text; as it is, where it is not."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return content
    try:
        value: JsonValue = orjson.loads(content)
    except orjson.JSONDecodeError:
        return words.taken_out(text).encode()
    return orjson.dumps(words.taken_out_of(value)) if words.are_in_any(value) else content


def _names(value: JsonValue, ids: frozenset[str]) -> bool:
    """Return whether one of the ids stands in a JSON value."""
    if isinstance(value, str):
        return value in ids
    if isinstance(value, Mapping):
        return any(_names(name, ids) or _names(each, ids) for name, each in value.items())
    return isinstance(value, list) and any(_names(each, ids) for each in value)
