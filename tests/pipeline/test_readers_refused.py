"""What is refused says what to do with it, and nothing of what is only packed in it is taken for text."""

from __future__ import annotations

import io
import zipfile

import pytest

from tests.pipeline.given_files import Refuse


def packed(*names: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in names:
            archive.writestr(name, "<x>words of the program's own</x>")
    return out.getvalue()


@pytest.mark.parametrize(
    ("content", "name", "told"),
    [
        (b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic" + bytes(500), "a.heic", "Save it as JPEG or PNG"),
        (b"\x00\x00\x00\x18ftypavif\x00\x00\x00\x00mif1avif" + bytes(500), "a.avif", "Save it as JPEG or PNG"),
        (b"8BPS\x00\x01" + bytes(500), "a.psd", "Save it as JPEG or PNG"),
        (b"AT&TFORM\x00\x00\x01\x00DJVMDIRM" + bytes(200), "a.djvu", "Save or print it as PDF"),
        (packed("index.xml", "buildVersionHistory.plist", "QuickLook/Thumbnail.jpg"), "a.pages", "Word or PDF"),
        (packed("index.xml.gz"), "a.numbers", "Excel"),
        (packed("index.xml", "buildVersionHistory.plist"), "a", "Export it as Word"),
        (packed("[Content_Types].xml", "visio/document.xml"), "a.vsdx", "Export › PDF"),
    ],
)
def test_what_is_refused_says_what_to_do(refusal: Refuse, content: bytes, name: str, told: str) -> None:
    found = refusal(content, name)
    assert found.code == "unsupported"
    assert told in found.reason
