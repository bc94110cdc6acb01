"""What a speech recogniser promises, whoever it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from lattice_common.adapters.memory.scripted_transcriber import ScriptedTranscriber
from lattice_common.adapters.models.endpoint import Endpoint
from lattice_common.adapters.models.open_transcriber import OpenTranscriber
from lattice_common.domain.reading import Unreadable
from lattice_common.errors import Unavailable
from lattice_common.ports.transcriber import Transcriber

from tests.recogniser import SPOKEN, Recogniser


@pytest.fixture
def recogniser() -> Iterator[Recogniser]:
    found = Recogniser()
    yield found
    found.close()


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    path = tmp_path / "memo"
    path.write_bytes(b"ID3" + bytes(500))
    return path


def of_each(recogniser: Recogniser, scripted: bytes | Unreadable | None, status: int) -> list[Transcriber]:
    recogniser.status = status
    return [OpenTranscriber(Endpoint(recogniser.url, "openai"), "whisper-1", None), ScriptedTranscriber(scripted)]


@pytest.mark.parametrize("which", [0, 1], ids=["endpoint", "memory"])
def test_what_is_said_comes_back(recogniser: Recogniser, recording: Path, which: int) -> None:
    assert of_each(recogniser, SPOKEN, 200)[which].transcribe(recording, "memo.mp3") == SPOKEN


@pytest.mark.parametrize("which", [0, 1], ids=["endpoint", "memory"])
def test_a_recording_that_is_not_taken_is_unreadable(recogniser: Recogniser, recording: Path, which: int) -> None:
    refused = Unreadable("unsupported", "It is not taken.")
    assert isinstance(of_each(recogniser, refused, 400)[which].transcribe(recording, "memo.mp3"), Unreadable)


@pytest.mark.parametrize("which", [0, 1], ids=["endpoint", "memory"])
def test_one_that_does_not_answer_is_unavailable(recogniser: Recogniser, recording: Path, which: int) -> None:
    with pytest.raises(Unavailable):
        of_each(recogniser, None, 503)[which].transcribe(recording, "memo.mp3")
