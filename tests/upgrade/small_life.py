"""A small life in a store of its own, with each kind of change in it: `python -m tests.upgrade.small_life FILE` packs it.

What a release writes so is kept as a fixture, and every later version must take it over.
"""

from __future__ import annotations

import sys
import tarfile
import tempfile
from pathlib import Path

from lattice_common.capture.request import CaptureMetadata, IngestRequest, Message
from lattice_common.composition import open_embedded
from lattice_common.domain.capture import DeleteAtom, EditAtom, RemoveSource, UndoChange
from lattice_common.settings import Settings

from tests.pipeline.living import atom_saying, change, finished, say, send, send_file

NOTES = (
    "I live in Berlin.",
    "My sister keeps two goats.",
    "Tom plays the oboe in Ghent.",
    "I prefer oat milk in my coffee.",
    "The spare key is with Ingrid in flat 12.",
    "I moved from Berlin to Lisbon.",
)
TALK = (("Ada", "I adopted a cat called Miso on Saturday."), ("Bruno", "I start as a nurse in Porto next month."))
FILE = "# Boiler\n\nThe boiler was serviced by Hansen & Sons on 3 March 2025.\n\nThe warranty of the boiler ends in June 2027.\n"

REMEMBERED = (
    "I moved from Berlin to Lisbon.",
    "My sister keeps three goats.",
    "I prefer oat milk in my coffee.",
    "The spare key is with Ingrid in flat 12.",
    "Ada: I adopted a cat called Miso on Saturday (3 January 2026).",
    "Bruno: I start as a nurse in Porto next month (February 2026).",
)
"""What holds in the end."""
OF_FILES = ("The boiler was serviced by Hansen & Sons on 3 March 2025.", "The warranty of the boiler ends in June 2027.")
TRASHED = ("Tom plays the oboe in Ghent.", "I bought a kayak for 420 euros.", "My cousin owns a red tractor.")


def live(root: Path) -> None:
    """With the models that everybody has; its vectors are a part of what the next version finds."""
    settings = Settings(_env_file=None, data_dir=root, llm_provider="none", inbox=root / "inbox")  # type: ignore[call-arg]
    with open_embedded(settings) as store:
        store.start()
        for day, words in enumerate(NOTES, start=2):
            say(store, words, observed_at=f"2026-01-{day:02}T10:00:00Z", source_id="notes")
        kayak = say(store, "I bought a kayak for 420 euros.", observed_at="2026-01-08T10:00:00Z", source_id="notes")
        say(store, "My cousin owns a red tractor.", observed_at="2026-01-09T10:00:00Z", source_id="wrong import")
        talk = [Message(name=name, content=words) for name, words in TALK]
        metadata = CaptureMetadata(observed_at="2026-01-10T10:00:00Z", session_id="chat-1")
        finished(store, send(store, IngestRequest(messages=talk, metadata=metadata)))
        finished(store, send_file(store, "boiler.md", FILE.encode()))
        change(store, EditAtom(atom_saying(store, "goats").atom_id, {"content": "My sister keeps three goats."}))
        change(store, DeleteAtom(atom_saying(store, "oboe").atom_id))
        change(store, UndoChange(kayak.capture_id))
        change(store, RemoveSource("wrong import"))


def write_store(packed: Path) -> None:
    """Live it in a folder, and pack that: what is derived, too, for an upgrade meets it."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "data"
        live(root)
        with tarfile.open(packed, "w:gz") as archive:
            for path in sorted(root.iterdir()):
                archive.add(path, path.name, filter=_without_owner)


def _without_owner(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member


if __name__ == "__main__":
    write_store(Path(sys.argv[1]))
