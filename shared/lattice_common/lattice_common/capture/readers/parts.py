"""What lies in a file and is not read there, for programs that convert it: attachments of a mail, files of an archive."""

from __future__ import annotations

from pathlib import Path

from lattice_common.capture.readers import eml, msg
from lattice_common.capture.readers import zip as archives
from lattice_common.capture.readers.binary import is_recording
from lattice_common.capture.readers.kind import is_pdf
from lattice_common.capture.readers.limits import MB, Limits
from lattice_common.capture.readers.ole2 import SIGNATURE
from lattice_common.capture.readers.read import kind_of
from lattice_common.domain.reading import Unreadable

MOST_BYTES = 20 * MB
"""Of a part: a page as a picture has a tenth of it."""
LOOKED_AT = 4_096
_PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"II*\0", b"MM\0*", b"BM", b"GIF8", b"RIFF")


def part_in(path: Path, name: str, wanted: str, limits: Limits) -> bytes | None:
    """Return a part by its name in the notes of its file's reader; None for what no program converts, or is too large."""
    found = _bytes(path, name, wanted, limits)
    if found is None or len(found) > MOST_BYTES:
        return None
    head = found[:LOOKED_AT]
    return found if head.startswith((*_PICTURES, SIGNATURE)) or is_pdf(head) or is_recording(head) else None


def names_in(path: Path, name: str, limits: Limits) -> list[str]:
    """Return the names of the files of an archive of which none is read, as its reader would note them."""
    kind = kind_of(path, name)
    return [] if isinstance(kind, Unreadable) or kind.kind != "zip" else archives.names_in(path, limits)


def _bytes(path: Path, name: str, wanted: str, limits: Limits) -> bytes | None:
    kind = kind_of(path, name)
    if isinstance(kind, Unreadable):
        return None
    match kind.kind:
        case "eml":
            return eml.attachment_in(path, wanted)
        case "msg":
            return msg.attachment_in(path, wanted)
        case "zip":
            return archives.file_in(path, wanted, limits)
    return None
