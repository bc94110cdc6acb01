"""The page's scripts, styles and icons as a browser gets them: made once, without what only people read, and compressed.

There is no build step: what is served is what lies in `ui/`, but for comments and for spaces that
only people need. What the page needs at its start is one script (`page_scripts`) and one style sheet. Everything has an
address that names its content, `/ui/<hash>/…`, and is never asked for again while it is the same; the plain address below `/ui/`
gives the file as it lies there, and is looked after each time.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import mimetypes
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from lattice_api.page_scripts import beside, bundle, imports_of, modules_of
from lattice_api.page_squeezed import joined, squeezed

ENTRY, SCRIPT, STYLES = "app.js", "start.js", "all.css"
TALK = "talk.js"
"""What only a conversation needs, beside the script of the start: one script as well."""
PARTS = "views/parts.js"
"""What views have in common: one script of these modules."""
SHARED = ("views/view.js", "views/rows.js", "views/block.js")
ALONE = frozenset({"login.js", "key.js", "ops.js", "theme.js", "sw.js"})
"""Scripts that are fetched outside of the page itself, which does not wait for all of it."""

LOGIN_SHEET = "app.css"
NOT_KEPT = frozenset({"login.js", "key.js", "ops.js", "ops.css", "sw.js", "login.css", LOGIN_SHEET})
FOR_EVER = "public, max-age=31536000, immutable"
SMALLEST_COMPRESSED = 500
"""Bytes; below, the headers of a compressed answer cost what it saves."""

_LINE_COMMENT = re.compile(r"^[ \t]*//.*\n", re.MULTILINE)
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_BLANK = re.compile(r"^[ \t]+|^[ \t]*\n", re.MULTILINE)
_SHEET = re.compile(r'<link rel="stylesheet" href="/ui/([a-z-]+\.css)">')
_QUOTED = re.compile(r'("[^"\n]*")')
_LOOSE = re.compile(r"\s*([{};>])\s*|([:,])\s+")
_ZERO = re.compile(r"(?<![\w.])0(?=\.\d)")
"""That of `0.5`, which a style sheet needs as little as a space."""
_TYPES = {".js": "text/javascript", ".css": "text/css", ".webmanifest": "application/manifest+json", ".svg": "image/svg+xml"}
_COMPRESSED = frozenset({".js", ".css", ".html", ".svg", ".webmanifest"})


@dataclass(frozen=True, slots=True)
class _File:
    content: bytes
    compressed: bytes | None
    media_type: str
    etag: str
    lasting: bool


class PageFiles:
    """An ASGI app to be mounted at `/ui`: the files of a folder, read when it is made. A path names one of them, or nothing."""

    def __init__(self, folder: Path) -> None:
        raw = {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
        self._texts = {name: content.decode("utf-8") for name, content in raw.items() if Path(name).suffix in _COMPRESSED}
        scripts = {f"/ui/{name}": text for name, text in self._texts.items() if name.endswith(".js")}
        self._imports = {address: imports_of(address, text) for address, text in scripts.items()}
        self.version = hashlib.sha256(b"".join(name.encode() + content for name, content in raw.items())).hexdigest()[:12]
        self._files = {name: _file(name, content, lasting=False) for name, content in raw.items()}
        self._files |= {f"{self.version}/{name}": _file(name, content, lasting=True) for name, content in self._made(raw).items()}

    @property
    def root(self) -> str:
        """Return the address below which the files have addresses that last."""
        return f"/ui/{self.version}"

    def html(self, name: str, needed: Sequence[str] = ()) -> str:
        """Return a page with lasting addresses, and one style sheet in place of several; `needed` is what it fetches beside its
        own script: at once, and not only when that script asks for it."""
        text = self._texts[name]
        if name == "index.html":
            first = _SHEET.search(text)
            assert first is not None  # noqa: S101 - our own page
            link = f'<link rel="stylesheet" href="/ui/{STYLES}">'
            text = text[: first.start()] + link + _SHEET.sub("", text[first.end() :])
        text = text.replace("  </head>", f"{''.join(self._fetched_at_once(needed))}  </head>", 1)
        text = _BLANK.sub("", text)
        return self._lasting(text.replace(f"/ui/{ENTRY}", f"/ui/{SCRIPT}"))

    def _fetched_at_once(self, needed: Sequence[str]) -> Iterator[str]:
        scripts = self._scripts()
        holding = {address: script for script, modules in scripts.items() for address in modules}
        known = {f"/ui/{SCRIPT}"}
        for name in needed:
            if name.endswith(".css"):
                yield f'<link rel="preload" as="style" href="/ui/{name}">\n'
                continue
            for module in modules_of(f"/ui/{name}", self._imports.__getitem__):
                address = holding.get(module, module)
                if address not in known:
                    known.add(address)
                    yield f'<link rel="modulepreload" href="{address}">\n'

    def worker(self) -> str:
        """Return the service worker, with the addresses of the files that it keeps: all that the page may need while Lattice is
        away."""
        kept = sorted(
            name for name in self.sizes() if name not in NOT_KEPT and Path(name).suffix in (".js", ".css", ".svg", ".webmanifest")
        )
        addresses = json.dumps([f"{self.root}/{name}" for name in kept])
        return self.text("sw.js").replace("=[]", f"={addresses}", 1)  # FILES stands first there

    def text(self, name: str) -> str:
        """Return a text as it is served under its lasting address."""
        return self._files[f"{self.version}/{name}"].content.decode("utf-8")

    def sizes(self) -> Mapping[str, int]:
        """Return the sizes of what is served under lasting addresses, in bytes before compression."""
        inside = f"{self.version}/"
        return {name.removeprefix(inside): len(each.content) for name, each in self._files.items() if name.startswith(inside)}

    def _made(self, raw: Mapping[str, bytes]) -> dict[str, bytes]:
        scripts = self._scripts()
        sheets = _SHEET.findall(self._texts["index.html"])
        inside = {address.removeprefix("/ui/") for modules in scripts.values() for address in modules}
        made = {name: content for name, content in raw.items() if name not in self._texts}
        for name, text in self._texts.items():
            if name in inside - ALONE or name.endswith(".html") or (name in sheets and name != LOGIN_SHEET):
                continue
            if name.endswith(".js") and name not in ALONE:
                text = beside(f"/ui/{name}", text, scripts)
            text = served(name, text)
            made[name] = self._lasting(joined(text) if name.endswith(".js") else text).encode()
        for script in scripts:
            together = bundle(script, scripts, lambda address: served(address.removeprefix("/ui/"), self._source(address)))
            made[script.removeprefix("/ui/")] = self._lasting(together).encode()
        made[STYLES] = self._lasting("".join(served(name, self._texts[name]) for name in sheets)).encode()
        return made

    def _scripts(self) -> dict[str, list[str]]:
        known: set[str] = set()
        found: dict[str, list[str]] = {}
        for script, entries in ((SCRIPT, (ENTRY,)), (TALK, (TALK,)), (PARTS, SHARED)):
            needed = dict.fromkeys(
                address for name in entries for address in modules_of(f"/ui/{name}", self._imports.__getitem__)
            )
            found[f"/ui/{script}"] = [address for address in needed if address not in known]
            known.update(needed)
        return found

    def _source(self, address: str) -> str:
        return self._texts[address.removeprefix("/ui/")]

    def _lasting(self, text: str) -> str:
        return text.replace('"/ui/', f'"{self.root}/')

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = self._files.get(scope["path"].removeprefix(scope.get("root_path", "")).removeprefix("/"))
        if found is None:
            raise HTTPException(404)
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405, headers={"Allow": "GET, HEAD"})
        await _answer(found, Headers(scope=scope))(scope, receive, send)


def served(name: str, text: str) -> str:
    """Return a script or a style sheet as it is sent; vendored files, and all others, stay as they are."""
    suffix = Path(name).suffix
    if suffix == ".webmanifest":
        return json.dumps(json.loads(text), ensure_ascii=False, separators=(",", ":"))
    if suffix not in (".js", ".css") or name.startswith("vendor/"):
        return text
    if suffix == ".js":
        return _BLANK.sub("", squeezed(_BLANK.sub("", _LINE_COMMENT.sub("", text))))
    text = _BLANK.sub("", _COMMENT.sub("", text))
    parts = (part if part.startswith('"') else _ZERO.sub("", _LOOSE.sub(r"\1\2", part)) for part in _QUOTED.split(text))
    return "".join(parts).replace(";}", "}")


def compressed(content: bytes) -> bytes:
    """Return the content as it is sent to clients that accept gzip."""
    return gzip.compress(content, mtime=0)


def _file(name: str, content: bytes, *, lasting: bool) -> _File:
    path = Path(name)
    smaller = path.suffix in _COMPRESSED and len(content) >= SMALLEST_COMPRESSED
    media_type = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    etag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
    return _File(content, compressed(content) if smaller else None, media_type, etag, lasting)


def _answer(found: _File, asked: Headers) -> Response:
    headers = {"ETag": found.etag, "Vary": "Accept-Encoding"}
    if found.lasting:
        headers["Cache-Control"] = FOR_EVER
    if found.etag in (each.strip().removeprefix("W/") for each in asked.get("if-none-match", "").split(",")):
        return Response(status_code=304, headers=headers)
    if found.compressed is not None and "gzip" in asked.get("accept-encoding", ""):
        return Response(found.compressed, media_type=found.media_type, headers=headers | {"Content-Encoding": "gzip"})
    return Response(found.content, media_type=found.media_type, headers=headers)
