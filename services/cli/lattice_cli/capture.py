"""Keeping a note or a file: over HTTP where the server answers, else in its inbox; and saying what became of it."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lattice_common.capture.written import written_at
from lattice_common.client import LatticeClient
from lattice_common.client_replies import FINAL_STATES
from lattice_common.domain.reading_notes import unread
from lattice_common.errors import InvalidInput, NotAllowed, NotFound, Unavailable

from lattice_cli import exits
from lattice_cli.session import current
from lattice_cli.target import Target
from lattice_cli.words import counted

if TYPE_CHECKING:
    from lattice_common.api_schema.replies import CaptureReply

WAIT_SECONDS = 15.0
"""How long to wait to hear what was remembered: it is kept by then in any case."""

TIMEOUT_SECONDS = 10.0
"""How long to wait for an answer; after it the note goes to the inbox, under the same key."""

FILE_TIMEOUT_SECONDS = 120.0
"""How long to wait for the answer to a file: 50 MB over a slow network take a while."""

FIRST_MEMORIES = 5
"""New memories whose words are shown; the rest of a long note is counted."""

LONGEST_TOLD = 200
"""Characters of a memory that are shown: it can be read whole (`lattice atoms`, `lattice show`)."""

LONGEST_ASKED = 300
"""The longest text that may be a question; a longer one is a text that ends with a question."""

TEXT_ENDINGS = {".md": "markdown", ".markdown": "markdown", ".txt": None, ".text": None, "": None}
"""The endings that are read, and the source type of each; None is detected from the text."""


@dataclass(frozen=True, slots=True)
class Note:
    """Something to keep. `facts` are fields of the capture's metadata."""

    text: str
    source_type: str | None = None
    facts: dict[str, Any] = field(default_factory=dict)


def read_file(path: Path) -> Note:
    """Return a text or markdown file. Raise `InvalidInput` when it is neither, or empty."""
    from lattice_common.capture.plain_text import decode, is_text
    from lattice_common.language.dates.notes import noted_on
    from lattice_common.language.notes.properties import filed_as

    ending = path.suffix.lower()
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror}. Nothing was kept of it.") from error
    if ending not in TEXT_ENDINGS or not is_text(content):
        raise InvalidInput(f"{path} is neither text nor markdown: `lattice import files` reads others. Nothing was kept of it.")
    read = decode(content)
    if not read.text.strip():
        raise InvalidInput(f"{path} is empty: there is nothing to keep.")
    written = datetime.fromtimestamp(path.stat().st_mtime).astimezone()
    noted = noted_on(read.text, path.name, datetime.now(UTC), written.tzinfo)
    dated = noted.isoformat() if noted else written_at(path.stat().st_mtime)
    facts: dict[str, Any] = {"title": path.name, "observed_at": dated, "source_id": path.name, **filed_as(read.text)}
    if read.notes:
        facts["decoded"] = list(read.notes)
    return Note(read.text, TEXT_ENDINGS[ending], facts)


def facts_of(path: Path, session_id: str, source: str | None) -> dict[str, Any]:
    """Return the metadata of a file: when it was last written, and whose words it is said to hold."""
    written = written_at(path.stat().st_mtime)
    facts: dict[str, Any] = {"channel": "lc", "session_id": session_id, "observed_at": written, "source_id": path.name}
    return {**facts, "source": source} if source else facts


def capture_files(paths: Sequence[Path], target: Target, *, source: str | None, wait: bool, as_json: bool) -> int:
    """Return the exit code. All are kept first, then each is waited for; files that are kept, or wait in the inbox, are 0, those
    that cannot be read 1. `source` is `user`, `document`, or None: what is said of each by what it is."""
    from lattice_cli.terminal import Steps

    code = exits.OK
    session_id = current(target.data_dir)
    with Steps() as steps, LatticeClient(target.base_url, target.token(), FILE_TIMEOUT_SECONDS) as client:
        kept: list[tuple[Path, CaptureReply | None]] = []
        for number, path in enumerate(paths, start=1):
            kept.append((path, _send(client, path, target, facts_of(path, session_id, source))))
            steps.count("files kept", number, len(paths))
        ends = []
        for number, (path, sent) in enumerate(kept, start=1):
            ends.append((path, _waited(client, sent) if sent and wait else sent))
            steps.count("files read", number, len(kept))
        steps.done()
        for path, reply in ends:
            code = max(code, _tell_file(client, path, reply, target, as_json=as_json))
        if target.elsewhere and all(reply for _, reply in kept):
            _send_on(client, target)
    return code


def _send(client: LatticeClient, path: Path, target: Target, facts: dict[str, Any]) -> CaptureReply | None:
    """Send a file to the product and return its reply; None when it waits in the inbox."""
    key = f"lc:{os.urandom(16).hex()}"
    try:
        with path.open("rb") as file:
            try:
                return client.ingest_file(path.name, file, facts, idempotency_key=key)
            except Unavailable:
                from lattice_common.drop import drop_file  # only where the server is away

                file.seek(0)
                drop_file(target.inbox, file, path.name, facts, key)
                return None
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror}. Nothing was kept of it.") from error


def _send_on(client: LatticeClient, target: Target) -> None:
    from lattice_cli.sent_on import send_on  # only where the server is another machine

    send_on(client, target.inbox)


def _waited(client: LatticeClient, reply: CaptureReply) -> CaptureReply:
    # A token that may capture need not be one that may look: it is kept all the same.
    with contextlib.suppress(NotAllowed):
        return client.wait_for(reply["capture_id"], WAIT_SECONDS)
    return reply


def _tell_file(client: LatticeClient, path: Path, reply: CaptureReply | None, target: Target, *, as_json: bool) -> int:
    if reply is None:
        told = {"state": "waiting", "inbox": str(target.inbox), "file": path.name}
        words = f"{path.name}: Lattice is not there, so it waits in {target.inbox} and {target.until}."
        sys.stdout.write((json.dumps(told) if as_json else words) + "\n")
        return exits.OK
    if as_json:
        sys.stdout.write(json.dumps({"file": path.name, **reply}, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write(f"{path.name}: " + "\n".join(outcome(reply, _memories(client, reply))) + "\n")
    return exits.FAILED if reply["state"] == "dead" or is_unreadable(reply) else exits.OK


def is_unreadable(reply: CaptureReply) -> bool:
    """Return whether it is a file that nothing could be read from."""
    return reply["state"] == "rejected" and any(note.startswith("unreadable:") for note in reply["notes"])


def body_of(note: Note, session_id: str) -> dict[str, Any]:
    """Return the body of `POST /api/ingest`. The time is that of typing, wherever and whenever it is taken in."""
    # To the millisecond: of two things said within a second, the later one must count as the newer.
    now = datetime.now().astimezone().isoformat(timespec="milliseconds")
    body: dict[str, Any] = {
        "text": note.text,
        "metadata": {"channel": "lc", "session_id": session_id, "observed_at": now, **note.facts},
    }
    if note.source_type:
        body["source_type"] = note.source_type
    return body


def capture_note(note: Note, target: Target, *, wait: bool, as_json: bool) -> int:
    """Return the exit code. Kept, or waiting in the inbox, is 0; refused is an error."""
    if not note.text.strip():
        raise InvalidInput("There is nothing to keep: the text is empty.", field="usage")
    body = body_of(note, current(target.data_dir))
    key = f"lc:{os.urandom(16).hex()}"
    try:
        with LatticeClient(target.base_url, target.token(), TIMEOUT_SECONDS) as client:
            reply = client.ingest(body, idempotency_key=key)
            if wait:
                reply = _waited(client, reply)
            code = _tell(client, note, reply, as_json=as_json)
            if target.elsewhere:
                _send_on(client, target)
            return code
    except Unavailable as error:
        from lattice_common.drop import drop  # only where the server is away

        path = drop(target.inbox, body, key)
        if as_json:
            sys.stdout.write(json.dumps({"state": "waiting", "inbox": str(path), "reason": str(error)}) + "\n")
        else:
            sys.stdout.write(f"Lattice is not there, so this waits in {target.inbox} and {target.until}.\n")
        return exits.OK


def _tell(client: LatticeClient, note: Note, reply: CaptureReply, *, as_json: bool) -> int:
    if as_json:
        sys.stdout.write(json.dumps(reply, ensure_ascii=False) + "\n")
    else:
        named = f"{note.facts['title']}: " if "title" in note.facts else ""
        lines = outcome(reply, _memories(client, reply))
        if asks(note.text):
            lines.append(f'Was that a question? Ask it with: lattice ask "{note.text.strip()}"')
        sys.stdout.write(named + "\n".join(lines) + "\n")
    return exits.FAILED if reply["state"] == "dead" else exits.OK


def asks(text: str) -> bool:
    """Return whether it is one question, which somebody may have meant to ask."""
    words = text.strip()
    return words.endswith(("?", "？")) and "\n" not in words and len(words) <= LONGEST_ASKED


def _memories(client: LatticeClient, reply: CaptureReply) -> list[str]:
    """Return what the first of the new memories say, each on a line of its own."""
    said = []
    for atom_id in reply["atom_ids"][:FIRST_MEMORIES]:
        try:
            said.append(_in_a_line(str(client.atom(atom_id)["content"])))
        except NotFound:
            continue  # replaced or deleted in the meantime
    return said


def _in_a_line(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= LONGEST_TOLD else f"{line[: LONGEST_TOLD - 1].rstrip()}…"


def outcome(reply: CaptureReply, memories: list[str]) -> list[str]:
    """Return what became of a note, in lines."""
    capture_id, new = reply["capture_id"], reply["atoms_new"]
    if reply["state"] not in FINAL_STATES:
        return [f"Kept. It is being read: `lattice status` shows when it is done ({capture_id})."]
    if reply["state"] == "dead":
        return [f"Kept, but it could not be read: {reply['reason']}. Try again with `lattice retry {capture_id}`."]
    if is_unreadable(reply):
        return [f"Not read. {reply['reason']}"]
    lines = []
    if new == 1 and memories:
        lines.append(f"Remembered: {memories[0]}")
    elif new:
        lines.append(f"Remembered {new} things:")
        lines += [f"  · {memory}" for memory in memories]
        lines += [f"  … and {new - len(memories)} more"] if new > len(memories) else []
    elif reply["duplicates_skipped"]:
        lines.append("Already known.")
    elif not reply["rejected"]:
        lines.append("Nothing to remember in that.")
    if reply["atoms_updated"]:
        lines.append(f"{counted(reply['atoms_updated'], 'older memory', 'older memories')} brought up to date.")
    if reply["rejected"]:
        lines.append(f"Set aside: {counted(reply['rejected'], 'statement', 'statements')} that your words do not bear out.")
    lines += unread(reply["notes"])
    if new or reply["atoms_updated"]:
        lines.append(f"Take it back with: lattice undo {capture_id}")
    return lines
