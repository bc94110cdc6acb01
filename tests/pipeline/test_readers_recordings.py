"""Recordings, through a speech recogniser beside this program where one is set; and what is said where none is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest
from lattice_common.adapters.files.converting_reader import ConvertingReader
from lattice_common.adapters.files.egress_log import EgressLog
from lattice_common.adapters.files.sandboxed_reader import SandboxedReader
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.adapters.models.endpoint import Endpoint
from lattice_common.adapters.models.open_transcriber import OpenTranscriber, open_transcriber
from lattice_common.capture.readers.limits import Limits
from lattice_common.domain.capture import place_at
from lattice_common.domain.reading import Reading, ReadResult, Unreadable
from lattice_common.errors import NotConfigured, Unavailable
from lattice_common.settings import Settings
from pydantic import SecretStr

from tests.recogniser import SPOKEN, Recogniser

SOUND = b"ID3" + b"\x00" * 500
FILM = b"\x00\x00\x00\x20ftypisom" + b"\x00" * 500


@pytest.fixture
def recogniser() -> Iterator[Recogniser]:
    found = Recogniser()
    yield found
    found.close()


@pytest.fixture
def sandboxed() -> Iterator[SandboxedReader]:
    found = SandboxedReader(Limits())
    yield found
    found.close()


def heard(folder: Path, sandboxed: SandboxedReader, url: str, content: bytes = SOUND, name: str = "memo.mp3") -> ReadResult:
    settings = Settings(data_dir=folder, transcribe_url=url)
    path = folder / "original"
    path.write_bytes(content)
    reader = ConvertingReader(sandboxed, Limits(), open_transcriber(settings, EgressLog(folder, FixedClock())))
    return reader.read(path, name)


@pytest.mark.parametrize(("content", "name"), [(SOUND, "memo.mp3"), (FILM, "call.mp4")])
def test_a_recording_is_read_with_the_moments_of_its_words(
    tmp_path: Path, sandboxed: SandboxedReader, recogniser: Recogniser, content: bytes, name: str
) -> None:
    found = heard(tmp_path, sandboxed, recogniser.url, content, name)
    assert isinstance(found, Reading), found
    assert found.source_type == "vtt"
    assert "The boat is in berth 12." in found.text
    assert place_at(found.places, found.text.index("sails")) == "1:30"
    assert "transcribed" in found.notes
    ((path, key, body),) = recogniser.asked
    assert path == "/v1/audio/transcriptions"
    assert key == ""
    assert content in body
    assert b'name="model"\r\n\r\nwhisper-1\r\n' in body
    assert not (tmp_path / "logs" / "egress.jsonl").exists()


def test_a_recogniser_that_knows_no_moments_is_understood(
    tmp_path: Path, sandboxed: SandboxedReader, recogniser: Recogniser
) -> None:
    recogniser.answer = orjson.dumps({"text": "The boat is in berth 12."})
    found = heard(tmp_path, sandboxed, recogniser.url)
    assert isinstance(found, Reading), found
    assert (found.text.strip(), found.source_type) == ("The boat is in berth 12.", "vtt")


@pytest.mark.parametrize("answer", [b"", b"WEBVTT\n", orjson.dumps({"text": " "})])
def test_a_recording_without_words_says_so(
    tmp_path: Path, sandboxed: SandboxedReader, recogniser: Recogniser, answer: bytes
) -> None:
    recogniser.answer = answer
    found = heard(tmp_path, sandboxed, recogniser.url)
    assert isinstance(found, Unreadable)
    assert found.code == "no-text"


def test_without_a_recogniser_it_is_said_how_to_get_one(tmp_path: Path, sandboxed: SandboxedReader) -> None:
    found = heard(tmp_path, sandboxed, "")
    assert isinstance(found, Unreadable)
    assert "LATTICE_TRANSCRIBE_URL" in found.reason
    assert "127.0.0.1" not in found.reason, "in a container that is the container's own"


@pytest.mark.parametrize("status", [500, 503, 429])
def test_one_that_is_away_is_asked_again_later(
    tmp_path: Path, sandboxed: SandboxedReader, recogniser: Recogniser, status: int
) -> None:
    recogniser.status = status
    with pytest.raises(Unavailable, match="tried again"):
        heard(tmp_path, sandboxed, recogniser.url)
    url = recogniser.url
    recogniser.close()
    with pytest.raises(Unavailable, match="tried again"):
        heard(tmp_path, sandboxed, url)


@pytest.mark.parametrize("status", [302, 400, 415])
def test_what_it_does_not_take_is_said_and_redirects_lead_nowhere(
    tmp_path: Path, sandboxed: SandboxedReader, recogniser: Recogniser, status: int
) -> None:
    recogniser.status = status
    found = heard(tmp_path, sandboxed, recogniser.url)
    assert isinstance(found, Unreadable)
    assert str(status) in found.reason
    assert len(recogniser.asked) == 1


def test_while_it_works_progress_is_told(tmp_path: Path, recogniser: Recogniser) -> None:
    recogniser.release.clear()
    path = tmp_path / "memo"
    path.write_bytes(SOUND)
    told: list[int] = []

    def wait() -> None:
        told.append(1)
        if len(told) == 3:
            recogniser.release.set()

    transcriber = OpenTranscriber(Endpoint(recogniser.url, "openai"), "whisper-1", None, told_seconds=0.01)
    assert transcriber.transcribe(path, "memo.mp3", wait) == SPOKEN
    assert len(told) >= 3


@pytest.mark.parametrize("url", ["https://api.openai.com/v1", "http://192.168.1.7:8000/v1", "http://localhost.evil.org/v1"])
def test_a_recording_leaves_this_machine_only_where_that_is_allowed(tmp_path: Path, url: str) -> None:
    egress = EgressLog(tmp_path, FixedClock())
    with pytest.raises(NotConfigured, match="LATTICE_TRANSCRIBE_ELSEWHERE"):
        open_transcriber(Settings(data_dir=tmp_path, transcribe_url=url), egress)
    assert open_transcriber(Settings(data_dir=tmp_path, transcribe_url=url, transcribe_elsewhere=True), egress) is not None


@pytest.mark.parametrize("url", ["whisper", "ftp://127.0.0.1/v1", "http://127.0.0.1:x/v1"])
def test_what_is_no_address_is_refused(tmp_path: Path, url: str) -> None:
    with pytest.raises(NotConfigured, match="LATTICE_TRANSCRIBE_URL"):
        open_transcriber(Settings(data_dir=tmp_path, transcribe_url=url), EgressLog(tmp_path, FixedClock()))


def test_what_leaves_is_noted_before(tmp_path: Path, recogniser: Recogniser) -> None:
    path = tmp_path / "memo"
    path.write_bytes(SOUND)
    OpenTranscriber(Endpoint(recogniser.url, "openai", "secret"), "whisper-1", EgressLog(tmp_path, FixedClock())).transcribe(
        path, "memo.mp3"
    )
    (line,) = [orjson.loads(each) for each in (tmp_path / "logs" / "egress.jsonl").read_bytes().splitlines()]
    assert (line["purpose"], line["bytes"]) == ("transcribe", len(SOUND))
    assert recogniser.asked[0][1] == "Bearer secret"


def test_without_a_setting_there_is_none(tmp_path: Path) -> None:
    assert open_transcriber(Settings(data_dir=tmp_path), EgressLog(tmp_path, FixedClock())) is None


def test_the_model_and_the_key_are_those_of_the_settings(tmp_path: Path, recogniser: Recogniser) -> None:
    path = tmp_path / "memo"
    path.write_bytes(SOUND)
    settings = Settings(
        data_dir=tmp_path, transcribe_url=recogniser.url, transcribe_model="large-v3", transcribe_api_key=SecretStr("secret")
    )
    transcriber = open_transcriber(settings, EgressLog(tmp_path, FixedClock()))
    assert transcriber is not None
    transcriber.transcribe(path, "memo.mp3")
    (asked,) = recogniser.asked
    assert asked[1] == "Bearer secret"
    assert "large-v3" in str(asked)
