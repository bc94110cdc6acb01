"""The notes of a reading as sentences for the owner, with the next step, where not all of a file could be read."""

from __future__ import annotations

from collections.abc import Iterable

MOST_SENTENCES = 5

_ATTACHED = {
    "attachment-broken": "is damaged",
    "attachment-encrypted": "needs a password",
    "attachment-unsupported": "is of a kind that is not read",
    "attachment-too-large": "is too large",
    "attachment-no-text": "holds no words",
}


def unread(notes: Iterable[str]) -> list[str]:
    """Return a sentence for each note that says that something was not read, `MOST_SENTENCES` at most."""
    return [told for note in notes if (told := _sentence(*note.partition(":")[::2]))][:MOST_SENTENCES]


def _sentence(code: str, detail: str) -> str | None:
    match code:
        case "formulas-without-values":
            what = "1 formula was" if detail == "1" else f"{detail} formulas were"
            return f"{what} never worked out, so no value is known: open it in a spreadsheet program, save it, and give it again."
        case "partial" if detail.startswith("unreadable "):
            return f"Not all of it could be read: {detail}."
        case "partial":
            return f"Only a part was read: {detail}. Split it to have the rest."
        case "scanned":
            return f"Scanned, and read only where tesseract is installed: {detail}."
        case "picture-not-read":
            return f"{detail} in it is a picture, which is read where tesseract is installed (Debian: apt install tesseract-ocr)."
        case "undecodable":
            return f"The letters cannot be told ({detail}): export it anew, or run OCR over it."
        case "file-not-read":
            return f"{detail} in it is of a kind that is not read."
        case _ if code in _ATTACHED:
            return f"{detail}, which is attached to it, {_ATTACHED[code]}: give it by itself."
    return None
