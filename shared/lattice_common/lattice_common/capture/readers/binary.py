"""What a file without text is, so that its owner is told what to do with it."""

from __future__ import annotations

import puremagic

from lattice_common.capture.readers.kind import READ, damaged, promised
from lattice_common.domain.reading import Unreadable

_ARCHIVES = frozenset(
    (".7z", ".zip", ".gz", ".tgz", ".bz2", ".xz", ".zst", ".tar", ".rar", ".cab", ".lz", ".lz4", ".z", ".lzh", ".arj")
)
_PROGRAMS = frozenset((".exe", ".dll", ".elf", ".so", ".class", ".msi", ".com", ".wasm", ".pyc", ".dmg", ".deb", ".rpm"))

_HELD_PICTURES = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"mif1", b"msf1", b"avif", b"avis")
"""What a picture of the kinds HEIF and AVIF begins with, in the form in which films begin."""
_STARTS: tuple[tuple[bytes, str], ...] = (
    # Where the library is unsure, or knows too many things that begin alike.
    (b"MZ", "program"), (b"\x7fELF", "program"), (b"\xca\xfe\xba\xbe", "program"), (b"\xcf\xfa\xed\xfe", "program"),
    (b"\x1f\x8b", "archive"), (b"BZh", "archive"), (b"\xfd7zXZ\0", "archive"), (b"Rar!", "archive"),
    (b"\x28\xb5\x2f\xfd", "archive"),
    (b"7z\xbc\xaf", "archive"), (b"\xff\xd8\xff", "picture"), (b"\x89PNG", "picture"), (b"GIF8", "picture"), (b"BM", "picture"),
    (b"II*\0", "picture"), (b"MM\0*", "picture"), (b"AT&TFORM", "djvu"),
    (b"ID3", "sound"), (b"\xff\xfb", "sound"), (b"OggS", "sound"), (b"fLaC", "sound"), (b"\x1aE\xdf\xa3", "film"),
)  # fmt: skip

TRANSCRIBED = (
    "What is said in one is read where a program that writes it down runs on this machine, such as speaches or the server of "
    "whisper.cpp: start one, set LATTICE_TRANSCRIBE_URL to its address (docs/operations.md, `Recordings`), and put it in again. "
    "Or put in its transcript."
)

_ADVICE = {
    "unseen": "This is a picture of a kind that is not read. Save it as JPEG or PNG, and put that in.",
    "djvu": "This is a DjVu document, which is not read. Save or print it as PDF, and put that in.",
    "picture": "This is a picture, and pictures are not read. Run OCR over it (e.g. ocrmypdf) and put in the PDF or the text.",
    "sound": f"This is a sound recording. {TRANSCRIBED}",
    "film": f"This is a film. {TRANSCRIBED}",
    "archive": "This is an archive, and archives are not opened. Unpack it and put in the files you want.",
    "program": f"This is a program, and programs are not read. {READ}.",
    "other": f"This is not a kind of file that is read. {READ}: save it as one of these and put it in again.",
}


def unreadable(head: bytes, name: str) -> Unreadable:
    """Return why a file cannot be read, by its first kilobytes; it is neither text nor a container that may be read."""
    what = _what(head)
    return damaged(name) if what == "other" and promised(name) else Unreadable("unsupported", _ADVICE[what])


def is_recording(head: bytes) -> bool:
    """Return whether the first kilobytes are those of sound, or of a film, in which something may be said."""
    return _what(head) in ("sound", "film")


def _what(head: bytes) -> str:
    for start, what in _STARTS:
        if head.startswith(start):
            return what
    if head[257:262] == b"ustar":
        return "archive"
    if head[4:8] == b"ftyp":
        return "unseen" if head[8:12] in _HELD_PICTURES else "sound" if head[8:11] == b"M4A" else "film"
    if head.startswith(b"RIFF"):
        return {b"WEBP": "picture", b"WAVE": "sound"}.get(head[8:12], "film")
    try:
        found = puremagic.magic_string(head)
    except (puremagic.PureError, ValueError):
        return "other"
    for guess in found:
        if guess.extension in _ARCHIVES:
            return "archive"
        if guess.extension in _PROGRAMS:
            return "program"
        family = {"image": "unseen", "audio": "sound", "video": "film"}.get(guess.mime_type.partition("/")[0])
        if family is not None and guess.confidence >= 0.3:
            return family
    return "other"
