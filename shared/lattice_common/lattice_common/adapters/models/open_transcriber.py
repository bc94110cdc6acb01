"""A speech recogniser behind an OpenAI-compatible endpoint (`POST …/audio/transcriptions`), as whisper.cpp's server is one.

A recording cannot be redacted, so it is sent to this very machine only, unless the settings allow another; then each sending is
noted in `logs/egress.jsonl` before it leaves. Redirects are not followed, and what comes back is of bounded size.
"""

from __future__ import annotations

import http.client
import re
import secrets
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from pathlib import Path
from urllib.parse import urlsplit

import orjson

from lattice_common.adapters.files.egress_log import EgressLog
from lattice_common.adapters.models.endpoint import Endpoint
from lattice_common.causes import cause_of
from lattice_common.domain.reading import Unreadable
from lattice_common.errors import NotConfigured, Unavailable
from lattice_common.settings import Settings

PATIENCE_SECONDS = 1_800.0
"""For one recording: an hour of speech takes a small model some minutes of one core."""
TOLD_SECONDS = 5.0
"""Between two calls of `on_wait`."""
LONGEST_TRANSCRIPT = 10_000_000
"""Bytes."""
_PIECE = 1 << 18
_BUSY = (408, 425, 429)
LINE = "LATTICE_TRANSCRIBE_URL=http://127.0.0.1:8000/v1"


def open_transcriber(settings: Settings, egress: EgressLog) -> OpenTranscriber | None:
    """Return the one that the settings name, None where they name none. Raises `NotConfigured` for an address that is none, or
    that is beyond this machine without being allowed."""
    address = settings.transcribe_url.strip().rstrip("/")
    if not address:
        return None
    key = settings.transcribe_api_key.get_secret_value() if settings.transcribe_api_key else None
    endpoint = Endpoint(address, "openai", key)
    try:
        parts = urlsplit(address)
        good = parts.scheme in ("http", "https") and bool(endpoint.host)
    except ValueError:  # a port that is no number
        good = False
    if not good:
        raise NotConfigured(f"LATTICE_TRANSCRIBE_URL is no address of an endpoint: give one like in {LINE}.", env_line=LINE)
    if not endpoint.local and not settings.transcribe_elsewhere:
        line = "LATTICE_TRANSCRIBE_ELSEWHERE=true"
        raise NotConfigured(
            f"LATTICE_TRANSCRIBE_URL leads to {endpoint.host}, beyond this machine, and recordings would leave it whole. Where "
            f"that is what you want: {line}.",
            env_line=line,
        )
    return OpenTranscriber(endpoint, settings.transcribe_model, None if endpoint.local else egress)


class OpenTranscriber:
    """Implements `ports.transcriber.Transcriber`. `egress` takes note of what leaves this machine; None where nothing does. Each
    `told_seconds` it says that it waits. Safe to call from several threads."""

    def __init__(self, endpoint: Endpoint, model: str, egress: EgressLog | None, *, told_seconds: float = TOLD_SECONDS) -> None:
        self._endpoint = endpoint
        self._model = model
        self._egress = egress
        self._told_seconds = told_seconds

    def transcribe(self, path: Path, name: str, on_wait: Callable[[], None] = lambda: None) -> bytes | Unreadable:
        """Transcribe as `ports.transcriber` says."""
        if self._egress is not None:
            self._egress.recording_leaving(self._endpoint.host, self._model, path.stat().st_size)
        asked: Future[tuple[int, bytes]] = Future()
        threading.Thread(target=self._ask, args=(asked, path, name), name="lattice-transcribing", daemon=True).start()
        while not wait([asked], self._told_seconds).done:
            on_wait()
        try:
            status, content = asked.result()
        except (OSError, http.client.HTTPException) as error:
            raise self._away(cause_of(error)) from error
        if status >= 500 or status in _BUSY:
            raise self._away(f"it answered with {status}")
        if status != 200:
            return Unreadable(
                "unsupported",
                f"What writes recordings down ({self._endpoint.host}) does not take this one (it answered with {status}). "
                "See LATTICE_TRANSCRIBE_MODEL, or put in its transcript.",
            )
        return _words(content)

    def _away(self, why: str) -> Unavailable:
        return Unavailable(
            f"The recording cannot be written down now: {self._endpoint.host} does not do it ({why}). It is tried again; see "
            "LATTICE_TRANSCRIBE_URL."
        )

    def _ask(self, asked: Future[tuple[int, bytes]], path: Path, name: str) -> None:
        """Ask on a thread that nobody waits for when the server stops."""
        try:
            asked.set_result(self._answer(path, name))
        except BaseException as error:  # noqa: BLE001 - raised where it is waited for
            asked.set_exception(error)

    def _answer(self, path: Path, name: str) -> tuple[int, bytes]:
        parts = self._endpoint.parts
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        connection = kind(parts.hostname or "", parts.port, timeout=PATIENCE_SECONDS)
        boundary = secrets.token_hex(16)
        before, after = _form(boundary, name, {"model": self._model, "response_format": "vtt"})
        headers = {
            "Content-Type": f"multipart/form-data; boundary={boundary}",
            "Content-Length": str(len(before) + path.stat().st_size + len(after)),
        }
        if self._endpoint.api_key:
            headers["Authorization"] = f"Bearer {self._endpoint.api_key}"
        try:
            connection.request("POST", f"{parts.path}/audio/transcriptions", body=_body(before, path, after), headers=headers)
            response = connection.getresponse()
            return response.status, response.read(LONGEST_TRANSCRIPT)
        finally:
            connection.close()


def _form(boundary: str, name: str, fields: dict[str, str]) -> tuple[bytes, bytes]:
    """Return what stands before and behind the bytes of the file in a `multipart/form-data` body (RFC 7578)."""
    told = "".join(
        f'--{boundary}\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n{value}\r\n' for field, value in fields.items()
    )
    ending = re.sub(r"[^A-Za-z0-9]", "", name.rpartition(".")[2])[:8]
    file = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="recording.{ending or "bin"}"\r\n'
    return f"{told}{file}Content-Type: application/octet-stream\r\n\r\n".encode(), f"\r\n--{boundary}--\r\n".encode()


def _body(before: bytes, path: Path, after: bytes) -> Iterator[bytes]:
    yield before
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            yield piece
    yield after


def _words(content: bytes) -> bytes:
    """Return the transcript, also of one that answers in JSON whatever it was asked for."""
    try:
        told = orjson.loads(content)
    except orjson.JSONDecodeError:
        return content
    words = told.get("text") if isinstance(told, dict) else told if isinstance(told, str) else None
    return words.encode() if isinstance(words, str) else content
