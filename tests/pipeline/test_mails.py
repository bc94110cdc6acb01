"""Mails as people have them: long heads, odd encodings, attachments, threads, whole boxes."""

from __future__ import annotations

from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

import pytest
from lattice_common.adapters.files.sandboxed_reader import SandboxedReader
from lattice_common.capture.readers.limits import Limits
from lattice_common.domain.capture import Capture
from lattice_common.domain.reading import Reading
from lattice_common.language.dates.reading import with_reading
from life import atoms_of

from tests.data import documents
from tests.pipeline.given_files import Read, assert_places, place_of
from tests.pipeline.living import finished, send_file, started

SAID_AT = datetime(2026, 11, 22, 9, tzinfo=UTC)
PLAIN = b"From: a@x.org\nTo: b@x.org\nSubject: Key\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"


def facts(read: Reading) -> list[str]:
    capture = Capture("0" * 26, SAID_AT, "", SAID_AT, source="document", trust="document")
    return [atom.content for atom in atoms_of(with_reading(capture, read))]


@pytest.mark.parametrize(
    "head",
    [
        b"".join(b"Received: from h%d.example by mx;\n\twith ESMTPS id %s\n" % (at, b"x" * 200) for at in range(80)),
        b"ARC-Seal: i=1; a=rsa-sha256; b=" + b"A" * 20_000 + b"\n",
        b"".join(b"X-Header-%d: %s\n" % (at, b"y" * 60) for at in range(400)),
    ],
)
def test_a_mail_with_a_head_of_any_length_is_a_mail(reading: Read, head: bytes) -> None:
    found = reading(head + PLAIN + b"\nThe key is with Ines.\n", "mail.eml")
    assert found.source_type == "eml"
    assert found.text == "# Key\n\nFrom: a@x.org\nTo: b@x.org\n\nThe key is with Ines."


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_a_mail_saved_in_utf_16_is_a_mail(reading: Read, encoding: str) -> None:
    found = reading((PLAIN + b"\nThe key is with Ines.\n").decode().encode(encoding), "mail.eml")
    assert (found.source_type, found.title) == ("eml", "Key")
    assert "The key is with Ines." in found.text


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        (b"Content-Transfer-Encoding: quoted-printable\n", b"Der Schl=C3=BCssel ist bei Ines, und=20=\ndie Katze auch."),
        (b"Content-Transfer-Encoding: Quoted-Printable \n", b"Der Schl=C3=BCssel ist bei Ines, und die =\nKatze auch."),
        (b"", b"Der Schl=C3=BCssel ist bei Ines, und=20=\ndie Katze auch."),
    ],
)
def test_quoted_printable_is_decoded_declared_or_not(reading: Read, encoding: bytes, body: bytes) -> None:
    found = reading(PLAIN + encoding + b"\n" + body + b"\n", "mail.eml")
    assert found.text.endswith("Der Schlüssel ist bei Ines, und die Katze auch.")


def attached() -> EmailMessage:
    mail = documents.mail("See the lease.\n\nKind regards\nAda\n-- \nACME\n", subject="Lease")
    mail.add_attachment("# Lease\n\nThe deposit is 1800 euros.\n\nSigned in Berlin.\n", subtype="markdown", filename="lease.md")
    pdf = documents.pdf(documents.lines("The boat is in berth 12."), documents.lines("It sails in May."))
    mail.add_attachment(pdf, maintype="application", subtype="pdf", filename="boat.pdf")
    mail.add_attachment(b"\x89PNG\r\n\x1a\n" + b"\0" * 50, maintype="image", subtype="png", filename="photo.png")
    return mail


def test_what_is_attached_to_a_mail_is_read_and_belongs_to_it(reading: Read) -> None:
    found = reading(bytes(attached()), "mail.eml")
    assert_places(found)
    assert "Attachments: lease.md, boat.pdf, photo.png" in found.text
    assert place_of(found, "1800 euros") == "attachment lease.md, Lease"
    assert place_of(found, "It sails in May") == "attachment boat.pdf, page 2"
    assert found.notes == ("attachments:3", "attachment-unsupported:photo.png")
    assert "Lease: The deposit is 1800 euros." in facts(found)


def test_a_damaged_attachment_harms_nothing_but_itself(reading: Read) -> None:
    mail = documents.mail("See the lease.", subject="Lease")
    mail.add_attachment(b"%PDF-1.7 and nothing else", maintype="application", subtype="pdf", filename="lease.pdf")
    mail.add_attachment(b"PK\x03\x04" + b"\0" * 30, maintype="application", subtype="zip", filename="a.docx")
    found = reading(bytes(mail), "mail.eml")
    assert "See the lease." in found.text
    assert {note.partition(":")[0] for note in found.notes} == {"attachments", "attachment-broken"}


def box() -> bytes:
    mails = [
        ("Boat", "Tue, 3 Mar 2026 20:15:00 +0200", "Where is the boat on this fine day?\nFrom here I cannot see it.\n"),
        (
            "Re: Boat",
            "Wed, 4 Mar 2026 20:15:00 +0200",
            "The boat is in berth 12. I come tomorrow.\n\nLe mar. 3 mars 2026 Ada <ada@x.org> a écrit :\n"
            "> Where is the boat on this fine day?\n",
        ),
        (
            "Re: Boat",
            None,
            "Thanks, the key is with Ines, I leave tomorrow.\n\n-----Original Message-----\n"
            "The boat is in berth 12. I come tomorrow.\n",
        ),
    ]
    out = b""
    for subject, date, body in mails:
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = "p@x.org", "q@x.org", subject
        if date:
            mail["Date"] = date
        mail.set_content(body)
        out += b"From p@x.org Thu Mar  5 10:00:00 2026\n" + bytes(mail).replace(b"\nFrom here", b"\n>From here") + b"\n"
    return out


def test_of_a_box_all_mails_are_read_each_once_and_from_its_own_day(reading: Read) -> None:
    found = reading(box(), "archive.mbox")
    assert_places(found)
    assert found.notes == ("mails:3",)
    assert found.text.count("The boat is in berth 12.") == 1
    assert found.text.count("Where is the boat on this fine day?") == 1
    assert place_of(found, "the key is with Ines") == "mail 3"
    assert "\nFrom here I cannot see it." in found.text
    told = facts(found)
    assert "Boat: I come tomorrow (5 March 2026)." in told
    assert any("I leave tomorrow (6 March 2026)" in fact for fact in told), told


@pytest.mark.parametrize(
    "line",
    [
        "Le mar. 3 mars 2026 à 20:15, Ada Roe <ada@x.org> a écrit :",
        "El mar, 3 mar 2026 a las 20:15, Ada Roe (<ada@x.org>) escribió:",
        "Il giorno mar 3 mar 2026 alle ore 20:15 Ada Roe <ada@x.org> ha scritto:",
        "Op di 3 mrt. 2026 om 20:15 schreef Ada Roe:",
        "Em ter., 3 de mar. de 2026 às 20:15, Ada Roe <ada@x.org> escreveu:",
        "W dniu 3.03.2026 o 20:15, Ada Roe pisze:",
    ],
)
def test_what_a_mail_answers_is_no_fact_in_other_languages_either(reading: Read, line: str) -> None:
    body = f"The boat is in berth 12.\n\n{line}\n> Where is the boat?\n"
    found = reading(bytes(documents.mail(body, subject="Re: Boat")), "mail.eml")
    assert facts(found) == ["The boat is in berth 12."]


def test_where_the_plain_part_says_next_to_nothing_the_other_is_read(reading: Read) -> None:
    page = "<p>Your booking reference is K4TZ9P, and the coach leaves at 6:45 in front of the station.</p>" * 3
    found = reading(bytes(documents.mail("See the HTML part.", html=page)), "mail.eml")
    assert "K4TZ9P" in found.text
    assert "See the HTML part." not in found.text


def test_the_rows_of_a_table_in_a_mail_keep_their_columns(reading: Read) -> None:
    page = "<table><tr><th>Flight</th><th>Seat</th></tr><tr><td>TP1331</td><td>17A</td></tr></table>"
    found = reading(bytes(documents.mail("Flight Seat TP1331 17A", html=page)), "mail.eml")
    assert "| Flight | Seat |\n|---|---|\n| TP1331 | 17A |" in found.text


def in_html(subject: str, day: int, page: str) -> bytes:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "Pia <p@x.org>", "q@x.org", subject
    mail["Date"] = f"Tue, {day} Mar 2026 20:15:00 +0200"
    mail.set_content(f"<html><body>{page}</body></html>", subtype="html")
    return b"From p@x.org Thu Mar  5 10:00:00 2026\n" + bytes(mail) + b"\n"


FEE = "The boat is in berth 12 and the mooring fee is 300 euros."


@pytest.mark.parametrize(
    "quoted",
    [
        f"<div class='gmail_quote'><div>On Tue, 3 Mar 2026 Pia wrote:</div><blockquote><p>{FEE}</p></blockquote></div>",
        f"<div>Am 3.3.2026 schrieb Pia:</div><blockquote type='cite'><div>{FEE}</div></blockquote>",
        f"<div id='divRplyFwdMsg'><b>From:</b> Pia &lt;p@x.org&gt;<br><b>Sent:</b> Tuesday, 3 March 2026<br><b>To:</b> Q<br>"
        f"<b>Subject:</b> Boat<br></div><p>{FEE}</p>",
    ],
)
def test_what_a_mail_in_html_quotes_is_read_once(reading: Read, quoted: str) -> None:
    mails = in_html("Boat", 3, f"<p>{FEE}</p>") + in_html("Re: Boat", 4, f"<p>Ines has the key now.</p>{quoted}")
    found = reading(mails, "box.mbox")
    assert_places(found)
    assert found.text.count(FEE) == 1
    assert place_of(found, "Ines has the key") == "mail 2"


def test_each_mail_of_a_box_has_a_memory_that_stands_for_it_and_its_head_is_none(tmp_path: Path) -> None:
    with started(tmp_path, reader=SandboxedReader(Limits())) as store:
        mails = in_html("Boat", 3, f"<p>{FEE}</p>") + in_html("Dinner", 4, "<p>The dinner is at Luigi's.</p>")
        receipt = finished(store, send_file(store, "box.mbox", mails))
        atoms = store.stores.catalogue.get(receipt.atom_ids)
        assert [atom.content for atom in atoms if atom.kind == "document"] == [
            "Document “box.mbox” (mailbox, 2 mails).",
            "Document “Boat” (mail), dated 3 March 2026, from Pia <p@x.org>, in “box.mbox”.",
            "Document “Dinner” (mail), dated 4 March 2026, from Pia <p@x.org>, in “box.mbox”.",
        ]
        assert not [atom.content for atom in atoms if "From:" in atom.content]


def test_each_mail_of_a_box_is_of_its_day_and_i_is_who_sent_it(tmp_path: Path) -> None:
    def mail(sender: str, day: int, body: str) -> bytes:
        found = EmailMessage()
        found["From"], found["To"], found["Subject"] = sender, "Ada <q@x.org>", "Shed"
        found["Date"] = f"{day} Mar 2026 20:15:00 +0000"
        found.set_content(body)
        return bytes(found)

    passed_on = "I booked the van.\n\n---------- Forwarded message ---------\nFrom: Lou <l@x.org>\n\nI have a spare lock.\n"
    mails = [
        mail("Pia Roe <p@x.org>", 3, "The oak is green.\n\nI lent my drill to Tom.\n"),
        mail("Ben <b@x.org>", 4, passed_on),
        mail("c@x.org", 5, "I sold my ladder.\n"),
    ]
    with started(tmp_path, reader=SandboxedReader(Limits())) as store:
        box = b"".join(b"From p@x.org Thu Mar  5 10:00:00 2026\n" + each + b"\n" for each in mails)
        found = store.stores.catalogue.get(finished(store, send_file(store, "box.mbox", box)).atom_ids)
        assert {atom.observed_at.day for atom in found if atom.kind == "document" and "“Shed”" in atom.content} == {3, 4, 5}
        told = ["The oak is green.", "Pia Roe: I lent my drill to Tom.", "Ben: I booked the van.", "I have a spare lock."]
        said = {atom.content for atom in found if atom.kind != "document"}
        assert said == {f"Shed: {words}" for words in (*told, "I sold my ladder.")}
    with started(tmp_path / "alone", reader=SandboxedReader(Limits())) as store:
        found = store.stores.catalogue.get(finished(store, send_file(store, "ben.eml", mails[1])).atom_ids)
        said = {atom.content for atom in found if atom.kind != "document"}
        assert said == {"Shed: Ben: I booked the van.", "Shed: I have a spare lock."}
