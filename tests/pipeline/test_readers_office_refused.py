"""Office files that are made to do harm, or are damaged, are refused in time with a sentence."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lattice_common.capture.readers.limits import Limits
from lattice_common.capture.readers.ole2 import stream_names
from lattice_common.capture.readers.read import read
from lattice_common.domain.reading import Reading, Unreadable

from tests.data import office_files as office
from tests.data import office_harm as harm
from tests.data.office_package import WORD, with_parts
from tests.pipeline.given_files import Read, Refuse


def test_a_file_with_a_password_says_so(refusal: Refuse) -> None:
    for data in (harm.ole2("EncryptionInfo", "EncryptedPackage"), harm.encrypted_entries(office.letter())):
        found = refusal(data, "secret.docx")
        assert found.code == "encrypted"
        assert "password" in found.reason


@pytest.mark.parametrize("size", [310_000_000, pytest.param(1 << 30, marks=pytest.mark.slow)])
def test_hundreds_of_megabytes_of_one_text_are_refused_before_they_are_unpacked(refusal: Refuse, size: int) -> None:
    data = harm.bomb(size)
    assert len(data) < 2_000_000
    begun = time.process_time()
    found = refusal(data)
    assert time.process_time() - begun < 0.5
    assert found.code == "too-large"


@pytest.mark.slow
def test_a_bomb_within_the_limits_takes_no_more_memory_than_allowed(tmp_path: Path) -> None:
    """One text of 29 MB, which unfolds a hundredfold only because of the noise beside it."""
    path = tmp_path / "bomb.docx"
    path.write_bytes(with_parts(harm.bomb(29_000_000), noise=bytes(range(256)) * 2000))
    script = (
        "import json,re,sys,time\nfrom pathlib import Path\nfrom lattice_common.capture.readers.limits import Limits\n"
        "from lattice_common.capture.readers.read import read\n"
        "limits=Limits(zip_ratio=2000)\nfound=read(Path(sys.argv[1]),'bomb.docx',limits,lambda a,b:None)\n"
        # Not getrusage: that counts what the process was before it became this one, and so the size of the whole test run.
        "most=re.search(r'VmHWM:\\s+(\\d+)', Path('/proc/self/status').read_text())[1]\n"
        "print(json.dumps([type(found).__name__, time.process_time(), int(most)/1024]))"
    )
    done = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True, timeout=60)
    kind, seconds, megabytes = json.loads(done.stdout)
    assert kind == "Unreadable"  # a single text beyond 10 MB is no text of anybody
    assert seconds < 10
    assert megabytes < 300


@pytest.mark.parametrize(
    ("data", "part"),
    [
        (office.letter, "word/document.xml"),
        (office.letter, "word/styles.xml"),
        (office.letter, "_rels/.rels"),
        (office.budget, "xl/worksheets/sheet1.xml"),
        (office.shared_strings, "xl/sharedStrings.xml"),
        (office.talk, "ppt/slides/slide2.xml"),
    ],
)
@pytest.mark.parametrize("doctype", [harm.BILLION_LAUGHS, harm.EXTERNAL, "<!DOCTYPE w>", f"<!-- {'x' * 3000} --> <!DOCTYPE w>"])
def test_xml_with_a_doctype_is_refused_wherever_it_stands(
    refusal: Refuse, data: Callable[[], bytes], part: str, doctype: str
) -> None:
    begun = time.process_time()
    found = refusal(harm.with_doctype(data(), part, doctype, "&x;" if doctype == harm.EXTERNAL else ""))
    assert time.process_time() - begun < 2
    assert found.code == "broken"
    assert "document type declaration" in found.reason
    assert Path("/etc/hostname").read_text(encoding="utf-8").strip() not in found.reason


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_a_doctype_in_another_encoding_is_seen_too(refusal: Refuse, encoding: str) -> None:
    xml = f"<!DOCTYPE w><w:document {WORD}><w:body/></w:document>".encode(encoding)
    found = refusal(with_parts(office.letter(), lambda name, held: xml if name == "word/document.xml" else held))
    assert "document type declaration" in found.reason


def test_an_encoding_that_could_hide_a_doctype_is_refused(refusal: Refuse) -> None:
    xml = b'<?xml version="1.0" encoding="UTF-7"?>+ADwAIQ-DOCTYPE w><w/>'
    found = refusal(with_parts(office.letter(), lambda name, held: xml if name == "word/document.xml" else held))
    assert found.code == "broken"


@pytest.mark.parametrize(
    "name", ["word/../../evil.xml", "/word/evil.xml", "..\\evil.xml", "C:/evil.xml", "word/document.xml/../document.xml"]
)
def test_entries_whose_names_lead_out_of_the_file_are_refused(refusal: Refuse, name: str) -> None:
    assert refusal(with_parts(office.letter(), **{name: b"<w/>"})).code == "broken"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (lambda: harm.duplicated(office.letter()), "broken"),
        (lambda: harm.overlapping(office.letter()), "broken"),
        (lambda: harm.wrong_crc(office.letter(), "word/document.xml"), "broken"),
        (lambda: harm.wrong_crc(office.budget(), "xl/worksheets/sheet1.xml"), "broken"),
        (lambda: office.letter()[:-3000], "broken"),
        (lambda: harm.many_entries(65_000), "too-large"),
        (lambda: with_parts(office.letter(), lambda name, held: None if name == "word/document.xml" else held), "broken"),
        (lambda: with_parts(office.letter(), lambda name, held: b"<w" if name == "word/document.xml" else held), "broken"),
        (lambda: office.old_budget().replace(b"\x09\x08\x10\x00", bytes(4)), "broken"),
    ],
    ids=[
        "duplicate",
        "overlapping",
        "crc",
        "crc of a sheet",
        "cut",
        "65,000 entries",
        "no text",
        "no XML",
        "xls without its beginning",
    ],
)
def test_packages_that_are_not_as_office_writes_them_are_refused(refusal: Refuse, data: Callable[[], bytes], code: str) -> None:
    made = data()
    begun = time.process_time()
    found = refusal(made)
    assert time.process_time() - begun < 2
    assert found.code == code
    assert found.reason.endswith(".")


def test_macros_are_noted_and_the_text_is_read(reading: Read) -> None:
    for data, part in ((office.letter(), "word"), (office.talk(), "ppt"), (office.budget(), "xl")):
        found = reading(with_parts(data, **{f"{part}/vbaProject.bin": b"\xd0\xcf macros"}))
        assert "macros" in found.notes
        assert found.text


@given(st.binary(max_size=3000))
def test_the_names_in_any_bytes_are_looked_for_without_an_error(data: bytes) -> None:
    stream_names(bytes.fromhex("d0cf11e0a1b11ae1") + data)


def test_the_streams_of_a_container_are_found_in_all_of_its_directory() -> None:
    names = [f"Stream {number}" for number in range(20)]
    assert stream_names(harm.ole2(*names)) == {"Root Entry", *names}


@given(at=st.integers(0, 5000), byte=st.integers(0, 255))
def test_a_damaged_file_is_read_or_refused_and_never_raises(tmp_path_factory: pytest.TempPathFactory, at: int, byte: int) -> None:
    for number, data in enumerate(SOUND):
        broken = bytearray(data)
        broken[at * 7 % len(broken)] = byte
        path = tmp_path_factory.getbasetemp() / f"damaged-{number}"
        path.write_bytes(broken)
        assert isinstance(read(path, "file", Limits(), lambda _done, _total: None), (Reading, Unreadable))


SOUND = (office.noted(), office.slides(2), office.formulas(), office.old_budget())
