"""An atom's file: YAML front matter between two `---` lines, then the content as the body.

    ---
    atom_id: 01jd5k…
    kind: fact
    subject: "Anna's bicycle"
    entities: ["Anna"]
    …
    ---

    Anna's bicycle is red.

The body is the content, without the white space around it. Content that this would change (white space at an edge, carriage
returns, NUL) is written as one JSON string, and the key `body: quoted` says so: editors and version control systems that trim
or convert line ends then cannot change it either. Any text comes back as it was.

`yaml_lines` says how the fields are written; files of exactly that form are read by its quick reader, others by `strict_yaml`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from lattice_common.adapters.files.atom_fields import from_fields, to_fields
from lattice_common.adapters.files.strict_yaml import KeySpan, NotStrict, Value, read_mapping
from lattice_common.adapters.files.yaml_lines import line, quote, read_lines
from lattice_common.domain.atom import Atom, content_hash, normalized_content_hash
from lattice_common.domain.capture import JsonValue
from lattice_common.errors import Corrupt, InvalidInput

MAX_FILE_BYTES = 256 * 1024
MAX_FRONTMATTER_BYTES = 32 * 1024
"""Checked before any YAML is read."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """An atom as read, with notes about what was read otherwise than it is written (see `atom_fields`)."""

    atom: Atom
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InvalidFile:
    """A file that is no valid atom: `reason` is a short code, `detail` a sentence."""

    reason: str
    detail: str


def dump(atom: Atom) -> bytes:
    """Return the file of an atom. Raise `InvalidInput` when it would be larger, or nested deeper, than `load` reads."""
    front, body = "".join([line(name, value, "\n") for name, value in to_fields(atom).items()]), atom.content
    if _needs_quotes(body):
        front, body = f"{front}body: quoted\n", quote(body)
    return _checked(front, body, atom)


def load(file: bytes, atom_id: str) -> Loaded | InvalidFile:
    """Read an atom's file; the id is its file's name, whatever stands inside."""
    try:
        parts = _split(file)
        fields = read_lines(parts.front)
        if fields is None:
            fields, _ = read_mapping(parts.front)
        content = _content(parts.body, fields)
    except NotStrict as refusal:
        return InvalidFile(refusal.code, refusal.detail)
    return Loaded(*from_fields(fields, atom_id=atom_id, content=content))


def edit(file: bytes, atom_id: str, fields: Mapping[str, JsonValue]) -> bytes:
    """Return `file` with some fields changed and every other byte as it was: comments, order, unknown keys, formatting.

    None and empty collections remove the key; new keys are added at the end of the front matter. `content` is the body; its
    hashes follow. Raise `Corrupt` when the file cannot be read, `InvalidInput` when the result could not.
    """
    wanted = dict(fields)
    if wanted.pop("atom_id", atom_id) != atom_id or "id" in wanted:
        raise InvalidInput(f"the id of atom {atom_id} cannot be changed: leave `atom_id` out", field="atom_id")
    try:
        parts = _split(file)
        _, places = read_mapping(parts.front)
    except NotStrict as refusal:
        raise Corrupt(f"the file of atom {atom_id} cannot be read, {refusal.detail}: mend it by hand") from refusal
    body = parts.body
    if "content" in wanted:
        content = wanted.pop("content")
        if not isinstance(content, str):
            raise InvalidInput(f"the content of atom {atom_id} must be text", field="content")
        wanted |= {"content_hash": content_hash(content), "normalized_content_hash": normalized_content_hash(content)}
        quoted = _needs_quotes(content)
        wanted["body"] = "quoted" if quoted else None
        text = quote(content) if quoted else content
        body = parts.newline + text.replace("\n", parts.newline) + parts.newline
    front = parts.front
    for name, place in sorted(places.items(), key=lambda item: -item[1].start):
        if name in wanted:
            front = _replace(front, place, name, wanted.pop(name), parts.newline)
    if front and not front.endswith("\n"):
        front += parts.newline
    front += "".join(line(name, value, parts.newline) for name, value in wanted.items() if not _is_nothing(value))
    edited = _encode(parts.opening + front + parts.closing + body, atom_id)
    result = load(edited, atom_id)
    if isinstance(result, InvalidFile):
        raise InvalidInput(f"atom {atom_id} cannot take these fields, {result.detail}: send simpler values")
    return edited


@dataclass(frozen=True, slots=True)
class _Parts:
    """`opening + front + closing + body` is the file's text."""

    opening: str
    front: str
    closing: str
    body: str
    newline: str


_OPENING = re.compile(r"\ufeff?(?:[ \t]*\r?\n)*---[ \t]*\r?\n")
_CLOSING = re.compile(r"^---[ \t]*(?:\r?\n|\Z)", re.MULTILINE)


def _split(file: bytes) -> _Parts:
    if len(file) > MAX_FILE_BYTES:
        raise NotStrict("too-large", f"the file is larger than {MAX_FILE_BYTES // 1024} KB")
    if not file.strip(b"\0 \t\r\n"):
        raise NotStrict("empty", "the file is empty")
    if b"\0" in file:
        raise NotStrict("nul", "the file holds NUL bytes: it was torn, or is no text")
    try:
        text = file.decode()
    except UnicodeDecodeError as error:
        raise NotStrict("not-utf-8", f"the file is no UTF-8 at byte {error.start}") from error
    opening = _OPENING.match(text)
    if opening is None:  # a file of the owner's own, which needs only a content
        return _Parts("---\n", "", "---\n\n", text.removeprefix("\ufeff"), "\n")
    closing = _CLOSING.search(text, opening.end())
    if closing is None:
        raise NotStrict("front-matter-not-closed", "the second `---` line is missing: the file may be torn")
    front = text[opening.end() : closing.start()]
    if len(front.encode()) > MAX_FRONTMATTER_BYTES:
        raise NotStrict("front-matter-too-large", f"the front matter is larger than {MAX_FRONTMATTER_BYTES // 1024} KB")
    newline = "\r\n" if opening.group().endswith("\r\n") else "\n"
    return _Parts(opening.group(), front, closing.group(), text[closing.end() :], newline)


def _content(body: str, fields: dict[str, Value]) -> str:
    text = body.replace("\r\n", "\n").strip()
    if fields.get("body") != "quoted":
        return text
    try:
        content = json.loads(text)
    except ValueError as error:
        raise NotStrict("body-not-quoted", "`body: quoted` is given, but the body is no JSON string") from error
    if not isinstance(content, str):
        raise NotStrict("body-not-quoted", "`body: quoted` is given, but the body is no JSON string")
    return content


def _needs_quotes(content: str) -> bool:
    return content != content.strip() or "\r" in content or "\0" in content


def _is_nothing(value: JsonValue) -> bool:
    return value is None or value == [] or value == {}


def _replace(front: str, place: KeySpan, name: str, value: JsonValue, newline: str) -> str:
    """Return `front` with another value for the key at `place`, or without the key and the rest of its line."""
    start, end = place.start, place.end
    while end > start and front[end - 1].isspace():
        end -= 1
    line_start = front.rfind("\n", 0, start) + 1
    if front[line_start:start] not in {"", "? "}:
        raise Corrupt(f"the key `{name}` does not stand at the beginning of a line: write one key per line")
    if _is_nothing(value):
        line_end = front.find("\n", end)
        return front[:line_start] + ("" if line_end < 0 else front[line_end + 1 :])
    return front[:line_start] + line(name, value, newline).removesuffix(newline) + front[end:]


def _checked(front: str, body: str, atom: Atom) -> bytes:
    file = _encode(f"---\n{front}---\n\n{body}\n", atom.atom_id)
    too_long = len(front) * 4 > MAX_FRONTMATTER_BYTES and len(front.encode()) > MAX_FRONTMATTER_BYTES
    if too_long or len(file) > MAX_FILE_BYTES:
        raise InvalidInput(
            f"atom {atom.atom_id} is larger than a file may be ({MAX_FILE_BYTES // 1024} KB, its fields "
            f"{MAX_FRONTMATTER_BYTES // 1024} KB): shorten its quote or metadata",
            status=413,
        )
    return file


def _encode(text: str, atom_id: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise InvalidInput(f"atom {atom_id} holds half of a surrogate pair, which no file can hold: remove it") from error
