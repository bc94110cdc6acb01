"""The page's scripts, styles and icons as a browser gets them: read once, without what only people read, and compressed.

There is no build step: what is served is what lies in `ui/`, but for comments that have lines of their own and the indentation of
our own scripts and styles. Line breaks stay, so that a line in a browser's console is found again.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import re
from dataclasses import dataclass
from pathlib import Path

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

_LINE_COMMENT = re.compile(r"^[ \t]*//.*\n", re.MULTILINE)
_BLOCK_COMMENT = re.compile(r"^[ \t]*/\*.*?\*/[ \t]*\n", re.MULTILINE | re.DOTALL)
_INDENTATION = re.compile(r"^[ \t]+", re.MULTILINE)
_TYPES = {".js": "text/javascript", ".css": "text/css", ".webmanifest": "application/manifest+json", ".svg": "image/svg+xml"}
_COMPRESSED = frozenset({".js", ".css", ".html", ".svg", ".webmanifest"})
SMALLEST_COMPRESSED = 500
"""Bytes; below, the headers of a compressed answer cost what it saves."""


@dataclass(frozen=True, slots=True)
class _File:
    content: bytes
    compressed: bytes | None
    media_type: str
    etag: str


class PageFiles:
    """An ASGI app to be mounted: the files of a folder, read when it is made. A path names one of them, or nothing."""

    def __init__(self, folder: Path) -> None:
        self._files = {path.relative_to(folder).as_posix(): _read(path) for path in folder.rglob("*") if path.is_file()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = self._files.get(scope["path"].removeprefix(scope.get("root_path", "")).removeprefix("/"))
        if found is None:
            raise HTTPException(404)
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405, headers={"Allow": "GET, HEAD"})
        await _answer(found, Headers(scope=scope))(scope, receive, send)


def served(path: Path) -> bytes:
    """A file of the page as it is sent, before compression."""
    content = path.read_bytes()
    if path.suffix not in (".js", ".css") or "vendor" in path.parts:
        return content
    text = content.decode("utf-8")
    text = _BLOCK_COMMENT.sub("", _LINE_COMMENT.sub("", text) if path.suffix == ".js" else text)
    return _INDENTATION.sub("", text).encode()


def _read(path: Path) -> _File:
    content = served(path)
    smaller = path.suffix in _COMPRESSED and len(content) >= SMALLEST_COMPRESSED
    media_type = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    etag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
    return _File(content, gzip.compress(content, mtime=0) if smaller else None, media_type, etag)


def _answer(found: _File, asked: Headers) -> Response:
    headers = {"ETag": found.etag, "Vary": "Accept-Encoding"}
    if found.etag in (each.strip().removeprefix("W/") for each in asked.get("if-none-match", "").split(",")):
        return Response(status_code=304, headers=headers)
    if found.compressed is not None and "gzip" in asked.get("accept-encoding", ""):
        return Response(found.compressed, media_type=found.media_type, headers=headers | {"Content-Encoding": "gzip"})
    return Response(found.content, media_type=found.media_type, headers=headers)
