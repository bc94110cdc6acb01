"""Packages of Office files, put together part by part."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterable, Mapping

WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"


def package(parts: Mapping[str, bytes]) -> bytes:
    return zipped(parts.items())


def zipped(parts: Iterable[tuple[str, bytes]]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, held in parts:
            archive.writestr(name, held)
    return out.getvalue()


def relations(*targets: tuple[str, str]) -> bytes:
    inside = "".join(
        f'<Relationship Id="rId{at}" Type="{OFFICE}/relationships/{kind}" Target="{target}"/>'
        for at, (kind, target) in enumerate(targets)
    )
    return f'<Relationships xmlns="{RELATIONS}">{inside}</Relationships>'.encode()


def content_types(**mains: str) -> bytes:
    kinds = {
        "word": "wordprocessingml.document.main",
        "ppt": "presentationml.presentation.main",
        "xl": "spreadsheetml.sheet.main",
    }
    inside = "".join(
        f'<Override PartName="{part}" ContentType="application/vnd.openxmlformats-officedocument.{kinds[kind]}+xml"/>'
        for kind, part in mains.items()
    )
    return f'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">{inside}</Types>'.encode()


def with_parts(office: bytes, change: Callable[[str, bytes], bytes | None] = lambda _, held: held, **more: bytes) -> bytes:
    """The file with its parts changed (None leaves one out) and more of them."""
    with zipfile.ZipFile(io.BytesIO(office)) as archive:
        kept = [(name, changed) for name in archive.namelist() if (changed := change(name, archive.read(name))) is not None]
    return zipped([*kept, *more.items()])
