"""Subtitles and transcripts of recordings (SRT, WebVTT): what is said, in paragraphs, each with the moment it begins at.

Captions that roll (each line shown twice, as video sites write them) are read once; who speaks stands before what they say.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from lattice_common.capture.readers.limits import Limits
from lattice_common.capture.readers.text import decoded
from lattice_common.capture.readers.text_builder import TextBuilder
from lattice_common.domain.reading import ReadResult, Unreadable

PARAGRAPH = 500
"""Characters from which on a paragraph ends with the sentence."""
PAUSE = 4.0
"""Seconds without a word, after which a paragraph ends."""

_TIMES = re.compile(r"\s*((?:\d+:)?\d{1,2}:\d\d[.,]\d{1,3})\s*-->\s*((?:\d+:)?\d{1,2}:\d\d[.,]\d{1,3})")
_VOICE = re.compile(r"<v(?:\.[^\s>]*)?\s+([^>]{1,80})>")
_TAG = re.compile(r"</?[a-zA-Z0-9:.][^<>]{0,80}>|\{\\[^{}]{0,40}\}")
_SOUND = re.compile(r"[\[(♪][^\])♪]{0,60}[\])♪]|♪+")
_ENDS = re.compile(r"[.!?…。！？][\"'”’»)]*$")


def read(path: Path, name: str, limits: Limits, on_progress: Callable[[int, int], None]) -> ReadResult:
    """Return the words of subtitles; places are moments of the recording ("12:03")."""
    text, notes = decoded(path.read_bytes()[: limits.text_bytes])
    builder = TextBuilder(limits)
    for note in notes:
        builder.note(note)
    paragraph, begun, last, speaker = "", 0.0, 0.0, ""
    for start, end, who, words in _cues(text):
        changed = bool(who) and who != speaker
        if paragraph and (changed or start - last > PAUSE or (len(paragraph) > PARAGRAPH and _ENDS.search(paragraph))):
            builder.add(paragraph, _clock(begun))
            paragraph = ""
        if not paragraph:
            begun = start
            paragraph = f"{who}: {words}" if who and changed else words
        else:
            paragraph += f" {words}"
        last, speaker = end, who or speaker
    builder.add(paragraph, _clock(begun))
    on_progress(1, 1)
    if builder.empty:
        return Unreadable("no-text", f"{name} has no words. Put in a transcript of the recording.")
    return builder.build("vtt" if text.lstrip("\ufeff \n").startswith("WEBVTT") else "srt")


def _cues(text: str) -> Iterator[tuple[float, float, str, str]]:
    """Yield the start, the end, the speaker and the words of each cue; a line that was shown just before is not repeated."""
    shown: list[str] = []
    for block in re.split(r"\n[ \t]*\n", text.replace("\r\n", "\n").replace("\r", "\n")):
        lines = block.split("\n")
        at = next((number for number, line in enumerate(lines[:4]) if _TIMES.match(line)), None)
        if at is None:
            continue
        times = _TIMES.match(lines[at])
        voice = _VOICE.search(block)
        said = [" ".join(html.unescape(_SOUND.sub(" ", _TAG.sub("", line))).split()) for line in lines[at + 1 :]]
        fresh = [line for line in said if line and line not in shown]
        shown = [line for line in said if line] or shown
        if fresh and times is not None:
            yield _seconds(times[1]), _seconds(times[2]), voice[1].strip() if voice else "", " ".join(fresh)


def _seconds(moment: str) -> float:
    *above, seconds = moment.replace(",", ".").split(":")
    hours, minutes = (int(part) for part in ["0", *above][-2:])
    return float(seconds) + 60.0 * (minutes + 60 * hours)


def _clock(seconds: float) -> str:
    whole = int(seconds)
    hours, minutes = whole // 3600, whole // 60 % 60
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"
