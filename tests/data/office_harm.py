"""Office files that are meant to do harm, or are damaged, each made by a function; and OLE2 containers."""

from __future__ import annotations

import io
import struct
import zipfile

from tests.data.office_package import WORD, content_types, relations, with_parts, zipped


def with_doctype(office: bytes, part: str, doctype: str, used: str = "") -> bytes:
    """The file with a document type declaration in one part, and a reference `used` in its first text."""
    with zipfile.ZipFile(io.BytesIO(office)) as archive:
        archive.getinfo(part)

    def change(name: str, held: bytes) -> bytes:
        if name != part:
            return held
        text = held.decode()
        declaration, _, rest = text.rpartition("?>")
        text = f"{declaration}?>{doctype}{rest}" if declaration else f"{doctype}{text}"
        return text.replace("</w:t>", f"{used}</w:t>", 1).encode()

    return with_parts(office, change)


BILLION_LAUGHS = (
    '<!DOCTYPE lolz [<!ENTITY a0 "lol">' + "".join(f'<!ENTITY a{at} "{f"&a{at - 1};" * 10}">' for at in range(1, 10)) + "]>"
)
EXTERNAL = '<!DOCTYPE w [<!ENTITY x SYSTEM "file:///etc/hostname">]>'


def bomb(size: int) -> bytes:
    """A docx with one text of `size` bytes, about a thousandth of that on disk."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr("[Content_Types].xml", content_types(word="/word/document.xml"))
        archive.writestr("_rels/.rels", relations(("officeDocument", "word/document.xml")))
        with archive.open("word/document.xml", "w", force_zip64=True) as part:
            part.write(f"<w:document {WORD}><w:body><w:p><w:r><w:t>".encode())
            block = b"A" * 1_000_000
            for _ in range(size // len(block)):
                part.write(block)
            part.write(b"</w:t></w:r></w:p></w:body></w:document>")
    return out.getvalue()


def duplicated(office: bytes) -> bytes:
    """The same entry twice: one program would read the first, another the last."""
    with zipfile.ZipFile(io.BytesIO(office)) as archive:
        parts = [(name, archive.read(name)) for name in archive.namelist()]
    # The library warns of a name that comes twice: the second is written under one of the same length, and renamed in the bytes.
    twice = next(name for name, _ in parts if name.endswith(".xml") and "/" in name)
    other = f"{twice[:-1]}~"
    return zipped([*parts, (other, b"<w/>")]).replace(other.encode(), twice.encode())


def overlapping(office: bytes) -> bytes:
    """Two entries of the directory that stand at the same place of the file."""
    data = bytearray(office)
    with zipfile.ZipFile(io.BytesIO(office)) as archive:
        infos = archive.infolist()
        start = archive.start_dir
    # The offset of a local header is at byte 42 of its directory entry.
    at = start
    offsets = []
    for _ in infos:
        name, extra, comment = struct.unpack_from("<3H", data, at + 28)
        offsets.append(at + 42)
        at += 46 + name + extra + comment
    struct.pack_into("<I", data, offsets[-1], struct.unpack_from("<I", data, offsets[-2])[0])
    return bytes(data)


def wrong_crc(office: bytes, part: str) -> bytes:
    """One byte of the checksum of a part changed, in its local header and in the directory."""
    with zipfile.ZipFile(io.BytesIO(office)) as archive:
        crc = archive.getinfo(part).CRC
    return office.replace(struct.pack("<I", crc), struct.pack("<I", crc ^ 0xFF))


def encrypted_entries(office: bytes) -> bytes:
    """The flag that says an entry needs a password, on all of them."""
    data = bytearray(office)
    with zipfile.ZipFile(io.BytesIO(office)) as archive:
        at, count = archive.start_dir, len(archive.infolist())
    for _ in range(count):
        data[at + 8] |= 1
        name, extra, comment = struct.unpack_from("<3H", data, at + 28)
        at += 46 + name + extra + comment
    return bytes(data)


def many_entries(count: int) -> bytes:
    return zipped(
        [("[Content_Types].xml", content_types(word="/word/document.xml")), *((f"word/{at}", b"") for at in range(count))]
    )


def ole2(*streams: str) -> bytes:
    """An OLE2 container with empty streams of these names: a header, one sector of allocation table, one or more of directory."""
    entries = b""
    for name in ("Root Entry", *streams):
        encoded = name.encode("utf-16-le")
        entries += encoded.ljust(64, b"\0") + struct.pack("<HBB", len(encoded) + 2, 2, 1) + b"\xff" * 12 + bytes(48)
    entries = entries.ljust(-(-len(entries) // 512) * 512, b"\0")
    sectors = len(entries) // 512
    chain = [0xFFFFFFFD, *range(2, sectors + 1), 0xFFFFFFFE]
    table = struct.pack(f"<{len(chain)}I", *chain).ljust(512, b"\xff")
    header = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(16) + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(6)
    header += (
        struct.pack("<IIIIIIIII", 0, 1, 1, 0, 4096, 0xFFFFFFFE, 0, 0xFFFFFFFE, 0) + struct.pack("<I", 0) + b"\xff" * (108 * 4)
    )
    return header + table + entries
