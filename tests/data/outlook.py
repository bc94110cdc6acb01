"""Outlook's mails (.msg) for tests, written by hand: an OLE2 container ([MS-CFB]) of the streams that [MS-OXMSG] names."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise

_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
_SECTOR, _SMALL = 512, 4096


@dataclass
class _Entry:
    name: str
    kind: int
    content: bytes = b""
    children: list[_Entry] = field(default_factory=list)
    number: int = 0
    start: int = _END


def container(streams: Mapping[str, bytes]) -> bytes:
    """Streams by their paths, with `/` between names. Each is padded to the size from which on it has sectors of its own."""
    entries = _tree(streams)
    root = entries[0]
    small = b""
    table: list[int] = []
    body = b""
    for entry in entries:
        if entry.kind != 2 or not entry.content:
            continue
        if len(entry.content) < _SMALL:
            entry.start = len(small) // 64
            small += entry.content + b"\0" * (-len(entry.content) % 64)
        else:
            entry.start = len(table)
            sectors = -(-len(entry.content) // _SECTOR)
            table += [*range(len(table) + 1, len(table) + sectors), _END]
            body += entry.content + b"\0" * (-len(entry.content) % _SECTOR)
    small_table: list[int] = [_FREE] * (len(small) // 64)
    for entry in entries:
        if entry.kind == 2 and 0 < len(entry.content) < _SMALL:
            count = -(-len(entry.content) // 64)
            small_table[entry.start : entry.start + count] = [*range(entry.start + 1, entry.start + count), _END]

    def placed(content: bytes) -> int:
        nonlocal body
        if not content:
            return _END
        begin = len(table)
        sectors = -(-len(content) // _SECTOR)
        table.extend([*range(begin + 1, begin + sectors), _END])
        body += content + b"\0" * (-len(content) % _SECTOR)
        return begin

    root.start, root.content = placed(small), small
    mini = struct.pack(f"<{len(small_table)}I", *small_table)
    mini += b"\xff" * (-len(mini) % _SECTOR)
    mini_at = placed(mini)
    directory_at = placed(b"".join(_directory(entries)))
    fat_sectors = 1
    while (len(table) + fat_sectors) * 4 > fat_sectors * _SECTOR:
        fat_sectors += 1
    fat_at = [len(table) + at for at in range(fat_sectors)]
    whole = [*table, *[_FAT] * fat_sectors]
    whole += [_FREE] * (fat_sectors * _SECTOR // 4 - len(whole))
    body += struct.pack(f"<{len(whole)}I", *whole)
    listed = fat_at + [_FREE] * (109 - len(fat_at))
    head = bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 16 + struct.pack("<HHHHH6x", 0x3E, 3, 0xFFFE, 9, 6)
    head += struct.pack("<IIIIIIIII", 0, fat_sectors, directory_at, 0, _SMALL, mini_at, len(mini) // _SECTOR, _END, 0)
    return head + struct.pack("<109I", *listed) + body


def _tree(streams: Mapping[str, bytes]) -> list[_Entry]:
    """All storages and streams, numbered, the root first."""
    root = _Entry("Root Entry", 5)
    for path, content in streams.items():
        here = root
        *folders, name = path.split("/")
        for folder in folders:
            found = next((each for each in here.children if each.name == folder), None)
            if found is None:
                found = _Entry(folder, 1)
                here.children.append(found)
            here = found
        here.children.append(_Entry(name, 2, content))
    entries: list[_Entry] = []

    def number(entry: _Entry) -> None:
        entry.number = len(entries)
        entries.append(entry)
        for child in entry.children:
            number(child)

    number(root)
    return entries


def _directory(entries: list[_Entry]) -> list[bytes]:
    right: dict[int, int] = {}
    for entry in entries:
        # A chain to the right is a tree, if a poor one, where names ascend as the format orders them.
        ordered = sorted(entry.children, key=lambda each: (len(each.name), each.name.upper()))
        entry.children = ordered
        for one, other in pairwise(ordered):
            right[one.number] = other.number
    records = []
    for entry in entries:
        name = entry.name.encode("utf-16-le") + b"\0\0"
        child = entry.children[0].number if entry.children else _FREE
        size = len(entry.content)
        record = name.ljust(64, b"\0") + struct.pack("<HBB", len(name), entry.kind, 1)
        record += struct.pack("<III", _FREE, right.get(entry.number, _FREE), child) + b"\0" * 36
        records.append(record + struct.pack("<IQ", entry.start, size))
    while len(records) % 4:
        records.append(b"\0" * 64 + struct.pack("<HBB", 0, 0, 0) + struct.pack("<III", _FREE, _FREE, _FREE) + b"\0" * 48)
    return records


def mail(body: str = "The deposit is 1800 euros.", attached: Mapping[str, bytes] | None = None) -> bytes:
    """From Jürgen Müller to Ada, sent on 3 March 2026 at 20:15 UTC, about "Lease"."""
    sent = 134170425000000000  # 100 ns since 1601
    streams = {
        "__properties_version1.0": b"\0" * 32 + struct.pack("<HHIQ", 0x40, 0x0039, 6, sent),
        "__substg1.0_0037001F": "Lease".encode("utf-16-le"),
        "__substg1.0_1000001F": body.encode("utf-16-le"),
        "__substg1.0_0C1A001F": "Jürgen Müller".encode("utf-16-le"),
        "__substg1.0_5D01001F": "juergen@example.org".encode("utf-16-le"),
        "__recip_version1.0_#00000000/__properties_version1.0": b"\0" * 8 + struct.pack("<HHIQ", 3, 0x0C15, 6, 1),
        "__recip_version1.0_#00000000/__substg1.0_3001001F": "Ada".encode("utf-16-le"),
        "__recip_version1.0_#00000000/__substg1.0_39FE001F": "ada@example.org".encode("utf-16-le"),
    }
    for number, (name, content) in enumerate((attached or {}).items()):
        folder = f"__attach_version1.0_#{number:08X}"
        streams[f"{folder}/__properties_version1.0"] = b"\0" * 8
        streams[f"{folder}/__substg1.0_3707001F"] = name.encode("utf-16-le")
        streams[f"{folder}/__substg1.0_37010102"] = content
    return container(streams)
