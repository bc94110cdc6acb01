"""Notes, logs, code, web pages, mails and tables of text, and what is wrong with some of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from lattice_common.capture.readers.limits import Limits
from lattice_common.capture.readers.read import read
from lattice_common.domain.capture import place_at
from lattice_common.domain.reading import Reading, ReadResult, Unreadable

from tests.data import documents as made

GERMAN = "Die Prüfung der Straße fällt aus. Schöne Grüße aus Köln, sagt Jürgen. "
RUSSIAN = "Сегодня хорошая погода, и мы пошли гулять в парк. "
JAPANESE = "今日は天気がいいので、公園を散歩しました。明日は雨が降るそうです。"
POLISH = "Zażółć gęślą jaźń. Wczoraj poszedłem do sklepu i kupiłem mleko, chleb oraz świeże owoce. "


def result(tmp_path: Path, content: bytes | str, name: str, limits: Limits | None = None) -> ReadResult:
    path = tmp_path / "file"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read(path, name, limits or Limits(), lambda _done, _total: None)


def reading(tmp_path: Path, content: bytes | str, name: str, limits: Limits | None = None) -> Reading:
    found = result(tmp_path, content, name, limits)
    assert isinstance(found, Reading), found
    return found


@pytest.mark.parametrize(
    ("name", "source_type"),
    [("a.txt", "plain"), ("a.log", "plain"), ("README", "plain"), ("a.md", "markdown"), ("a.py", "code"), ("Makefile", "code")],
)
def test_the_name_says_what_a_text_is(tmp_path: Path, name: str, source_type: str) -> None:
    assert reading(tmp_path, "Some words.\n", name).source_type == source_type


def test_a_markdown_file_is_called_what_its_heading_or_its_frontmatter_says(tmp_path: Path) -> None:
    assert reading(tmp_path, "# The garden\n\nWords.", "a.md").title == "The garden"
    assert reading(tmp_path, '---\ntags: x\ntitle: "Our garden"\n---\n# The garden\n', "a.md").title == "Our garden"
    assert reading(tmp_path, "Words.\n\n# Later\n", "a.md").title is None


def test_what_a_markdown_file_says_has_its_headings_as_its_place(tmp_path: Path) -> None:
    found = reading(
        tmp_path, "Before.\n\n# Garden\n\n```\n# no heading\n```\n\n## Beans ##\n\nSow in May.\n\n# House\n\nPaint it.\n", "a.md"
    )
    places = [place_at(found.places, found.text.index(words)) for words in ("Before", "no heading", "Sow", "Paint")]
    assert places == [None, "Garden", "Garden › Beans", "House"]


def test_row_4_zeros_and_control_characters_are_left_out(tmp_path: Path) -> None:
    text = "Mara lives\0 in Lisbon.\x01\x02 " + "She grows tomatoes. " * 20
    assert reading(tmp_path, text, "a.txt").text == text.replace("\0", "").replace("\x01\x02", "").rstrip()


@pytest.mark.parametrize(
    ("text", "encoding", "noted"),
    [
        (GERMAN, "cp1252", "cp1252"),
        (GERMAN, "latin-1", "cp1252"),
        ("L’été dernier — c’était délicieux. " * 10, "cp1252", "cp1252"),
        (GERMAN, "utf-16", "utf-16"),
        (GERMAN, "utf-16-le", "utf-16"),
        (RUSSIAN * 3, "cp1251", "cp1251"),
        (RUSSIAN * 3, "koi8_r", "koi8_r"),
        (JAPANESE * 3, "shift_jis", "cp932"),
        (POLISH * 10, "cp1250", "cp1250"),
    ],
)
def test_row_6_other_encodings_are_found_out_and_noted(tmp_path: Path, text: str, encoding: str, noted: str) -> None:
    found = reading(tmp_path, text.encode(encoding), "a.txt")
    assert found.text == text.strip()
    assert found.notes == (f"encoding:{noted}",)


def test_row_7_bytes_that_mean_nothing_are_replaced_and_counted(tmp_path: Path) -> None:
    found = reading(tmp_path, (GERMAN * 3).encode() + b"\xff bad \xfe bytes", "a.txt")
    assert found.text == GERMAN * 3 + "\ufffd bad \ufffd bytes"
    assert found.notes == ("lossy:2",)


def test_row_8_what_changes_text_without_being_seen_is_left_out_and_noted(tmp_path: Path) -> None:
    found = reading(tmp_path, "pay\u202e ecila\u202c Bob\u200b\U000e0041 now", "a.txt")
    assert found.text == "pay ecila Bob now"
    assert found.notes == ("invisible-removed",)


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.pdf", "a.docx", "a", "a.csv", "a.html"])
def test_row_27_an_empty_file_is_read_and_noted(tmp_path: Path, name: str) -> None:
    found = reading(tmp_path, b"", name)
    assert found.text == ""
    assert "empty" in found.notes


@pytest.mark.parametrize("name", ["huge.log", "huge.py", "huge.md"])
def test_row_59_a_huge_log_or_program_is_read_up_to_the_limit(tmp_path: Path, name: str) -> None:
    found = reading(tmp_path, b"2026-03-03 12:00:00 INFO request served in 12 ms\n" * 5000, name, Limits(text_bytes=20_000))
    assert 19_000 < len(found.text.encode()) <= 20_000
    assert found.notes == ("partial:the first 0.02 MB of text",)


def test_row_56_a_web_page_is_its_words_only(tmp_path: Path) -> None:
    found = reading(tmp_path, made.PAGE, "page.html")
    assert found.source_type == "html"
    assert found.title == "Garden club"
    assert found.notes == ("hidden-text",)
    assert found.text == (
        "# Spring meeting\n\nMara brings the seeds & Jonas the tools.\nDoors open at six.\n\nSecond paragraph with a link.\n\n"
        "- rake\n- spade\n  1. small one\n\n| Name | Brings |\n|---|---|\n| Ines | cake |\n| Tom\\|my | tea |\n\n"
        "> We met last year.\n\n```\nwater: 2 l\n  daily\n```\n\nThe end."
    )


def test_a_table_that_lays_out_a_page_is_no_table(tmp_path: Path) -> None:
    page = "<html><table><tr><td>Left<td><table><tr><td>Inner words</td></tr></table></td></tr></table><p>Below"
    assert reading(tmp_path, page, "a.html").text == "Left\n\nInner words\n\nBelow"


def test_a_page_of_endless_open_tags_is_read_like_any_other(tmp_path: Path) -> None:
    page = "<html>" + "<blockquote><table><tr><td><div><ul>" * 2_000 + "Deep words."
    assert "Deep words." in reading(tmp_path, page, "a.html").text


def test_a_page_without_words_says_so(tmp_path: Path) -> None:
    found = result(tmp_path, "<!doctype html><html><body><div id=app></div><script>draw()</script></body></html>", "a.html")
    assert isinstance(found, Unreadable)
    assert found.code == "no-text"


def test_a_page_says_its_own_encoding(tmp_path: Path) -> None:
    page = f'<html><head><meta charset="iso-8859-2"></head><p>{POLISH}</p>'.encode("iso-8859-2")
    assert "Zażółć gęślą jaźń" in reading(tmp_path, page, "a.html").text


def test_row_57_a_mail_is_who_wrote_what_to_whom_and_its_attachments_are_named(tmp_path: Path) -> None:
    message = made.mail("Hello Ada,\n\nthe key is with Ines.\n\n> Where is the key?\n", html="<p>the <b>html</b> part</p>")
    message.add_attachment(b"%PDF-1.7 secret", maintype="application", subtype="pdf", filename="Plan für Juni.pdf")
    message.add_attachment(b"MZ", maintype="application", subtype="octet-stream", filename="setup.exe")
    found = reading(tmp_path, message.as_bytes(), "mail.eml")
    assert found.source_type == "eml"
    assert found.title == "Schlüssel für die Wohnung"
    assert found.notes == ("attachments:2", "attachment-broken:Plan für Juni.pdf", "attachment-unsupported:setup.exe")
    assert found.text == (
        "# Schlüssel für die Wohnung\n\nFrom: Jürgen Müller <juergen@example.org>\nTo: Ada <ada@example.org>\n"
        "Date: 3 March 2026, 20:15 +0200\n\nHello Ada,\n\nthe key is with Ines.\n\n> Where is the key?\n\n"
        "Attachments: Plan für Juni.pdf, setup.exe"
    )


def test_a_mail_that_is_a_web_page_is_read_as_one(tmp_path: Path) -> None:
    message = made.mail()
    message.set_content("<p>The key is <i>under</i> the pot.</p><script>x()</script>", subtype="html")
    assert reading(tmp_path, message.as_bytes(), "mail.eml").text.endswith("\n\nThe key is under the pot.")


def test_headers_that_mean_nothing_do_not_stop_a_mail(tmp_path: Path) -> None:
    content = b"From: =?utf-8?b?####?= <a@b>\nTo: \nDate: 45 Foo 99999\nSubject: =?nope?q?x?=\nMIME-Version: 1.0\n\nThe words."
    assert reading(tmp_path, content, "mail.eml").text.endswith("The words.")


def test_a_mail_that_is_encrypted_says_so(tmp_path: Path) -> None:
    content = b"From: a@b\nTo: c@d\nSubject: x\nMIME-Version: 1.0\nContent-Type: multipart/encrypted; boundary=x\n\n--x--\n"
    found = result(tmp_path, content, "mail.eml")
    assert isinstance(found, Unreadable)
    assert found.code == "encrypted"


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_a_table_of_text_has_its_rows_with_their_numbers(tmp_path: Path, delimiter: str) -> None:
    rows = [["Name", "Town", "Born"], ["Ada", "London", "1815-12-10"], ["Ines", "Lisbon", "1990-01-02"]]
    found = reading(tmp_path, "".join(delimiter.join(row) + "\r\n" for row in rows), "people.csv")
    assert found.source_type == "csv"
    assert found.text.splitlines() == ["| Name | Town | Born |", "|---|---|---|"] + [f"| {' | '.join(row)} |" for row in rows[1:]]
    assert place_at(found.places, found.text.index("Ines")) == "row 3"


def test_row_58_formulas_are_text(tmp_path: Path) -> None:
    found = reading(tmp_path, "Name,Note\nAda,\"=cmd|' /C calc'!A0\"\nInes,@SUM(1+1)\nTom,+1\n", "a.csv")
    assert "| Ada | =cmd\\|' /C calc'!A0 |" in found.text
    assert "| Ines | @SUM(1+1) |" in found.text


def test_row_58_ten_thousand_columns_are_cut_and_that_is_said(tmp_path: Path) -> None:
    row = ",".join(f"c{at}" for at in range(10_000))
    found = reading(tmp_path, f"{row}\n{row.replace('c', 'v')}\n", "a.csv")
    assert "v255" in found.text
    assert "v256" not in found.text
    assert "partial:the first 256 columns" in found.notes


def test_more_cells_than_are_allowed_are_cut_and_that_is_said(tmp_path: Path) -> None:
    found = reading(tmp_path, "a,b\n" + "1,2\n" * 500, "a.csv", Limits(cells=100))
    assert found.text.count("\n") < 60
    assert any(note.startswith("partial:") for note in found.notes)
