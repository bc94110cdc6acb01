"""`POST /api/ingest-file`, and the way back: files of every kind, and whatever may be wrong with a request that brings one."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from lattice_api.limits import Patience, RequestLimits

from tests.data import documents, office_files, office_harm
from tests.services.door import Door, client, opened

LIMIT = 1_000_000


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    with opened(tmp_path_factory.mktemp("files") / "data", max_file_bytes=LIMIT) as door:
        yield door


def kept(door: Door) -> int:
    return len(door.http.get("/api/captures?limit=200").json()["captures"])


def spool(door: Door) -> list[str]:
    return [path.name for path in (door.root / "journal" / "spool").iterdir()]


def body(*parts: tuple[str, bytes], end: bool = True) -> tuple[bytes, dict[str, str]]:
    """A multipart body from (headers, content)."""
    pieces = [f"--frontier\r\n{headers}\r\n\r\n".encode() + content + b"\r\n" for headers, content in parts]
    return b"".join(pieces) + (b"--frontier--\r\n" if end else b""), {"content-type": "multipart/form-data; boundary=frontier"}


FILE = 'Content-Disposition: form-data; name="file"; filename="a.txt"'
METADATA = 'Content-Disposition: form-data; name="metadata"'


def test_a_text_file_that_is_said_to_be_so_is_remembered_as_the_owners_words(door: Door) -> None:
    told = {"source": "user", "source_id": "keys", "observed_at": "2026-05-01T09:00:00+02:00"}
    receipt = door.give("keys.txt", b"The spare key is with Ines.", **told)
    assert (receipt["state"], receipt["atoms_new"]) == ("stored", 1)
    atom = door.http.get(f"/api/atoms/{receipt['atom_ids'][0]}").json()
    assert atom["content"] == "The spare key is with Ines."
    assert (atom["trust"], atom["source_id"], atom["observed_at"]) == ("user", "keys", "2026-05-01T09:00:00+02:00")
    assert atom["metadata"]["channel"] == "api"
    assert atom["source"]["original"] == "keys.txt"


def test_an_original_comes_back_as_a_file_that_runs_nowhere(door: Door) -> None:
    content = b"<script>alert(1)</script>The rent of the flat in Oslo is 900 euros."
    receipt = door.give('l\u00e9ase "1".html', content, source="document")
    response = door.http.get(f"/api/captures/{receipt['capture_id']}/original")
    assert response.content == content
    assert response.headers["content-disposition"].startswith("attachment; filename*=utf-8''l%C3%A9ase")
    assert response.headers["content-type"] == "application/octet-stream"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["content-security-policy"] == "default-src 'none'; sandbox"
    assert response.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("name", "content", "shown"),
    [
        ("lease.pdf", documents.pdf(documents.lines("The rent is 900 euros.")), "application/pdf"),
        ("lease.html", documents.pdf(documents.lines("The rent is 901 euros.")), "application/pdf"),
        ("notes.md", "Zoë’s bike is blue.".encode(), "text/plain; charset=utf-8"),
        ("notes.txt", b"\x00\x01 The bike is green.", None),
        ("page.html", b"<script>alert(1)</script>The fuse box is red.", None),
        ("page.pdf", b"<script>alert(1)</script>The fuse box is blue.", None),
        ("picture.svg", b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', None),
    ],
)
def test_an_original_is_shown_only_where_nothing_in_it_can_run(door: Door, name: str, content: bytes, shown: str | None) -> None:
    receipt = door.http.post("/api/ingest-file", files={"file": (name, content)}).json()
    response = door.http.get(f"/api/captures/{receipt['capture_id']}/original?inline=true")
    assert response.content == content
    assert response.headers["content-type"] == (shown or "application/octet-stream")
    assert response.headers["content-disposition"].startswith("inline" if shown else "attachment")
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["content-security-policy"] == "default-src 'none'; sandbox"


def test_what_did_not_come_as_a_file_has_no_original(door: Door) -> None:
    receipt = door.tell("My dentist is Dr. Chen.")
    assert door.http.get(f"/api/captures/{receipt['capture_id']}/original").status_code == 404
    assert door.http.get("/api/captures/nothing/original").status_code == 404


def test_the_same_key_and_file_bring_back_the_old_capture(door: Door) -> None:
    first = door.give("a.txt", b"Tom keeps bees.", key="bees")
    assert door.give("a.txt", b"Tom keeps bees.", key="bees")["capture_id"] == first["capture_id"]
    other = door.http.post(
        "/api/ingest-file", files={"file": ("a.txt", b"Tom keeps goats.")}, headers={"idempotency-key": "bees"}
    )
    assert other.status_code == 409
    assert first["capture_id"] in other.json()["detail"]


def test_without_wait_it_is_kept_at_once(door: Door) -> None:
    response = door.http.post("/api/ingest-file", files={"file": ("b.txt", b"Ada sails.")})
    assert response.status_code == 202
    assert response.json()["state"] in ("waiting", "working")


def test_metadata_may_come_after_the_file(door: Door) -> None:
    content, headers = body((FILE, b"Elif paints."), (METADATA, b'{"wait": true, "title": "On Elif"}'))
    receipt = door.http.post("/api/ingest-file", content=content, headers=headers).json()
    assert door.http.get(f"/api/atoms/{receipt['atom_ids'][0]}").json()["metadata"]["title"] == "On Elif"


@pytest.mark.parametrize(
    ("content", "headers", "status", "says"),
    [
        (b'{"text": "a"}', {"content-type": "application/json"}, 415, "multipart/form-data"),
        (b"x", {"content-type": "multipart/form-data"}, 400, "boundary"),
        (b"x", {"content-type": "multipart/form-data; boundary="}, 400, "boundary"),
        (b"x", {"content-type": f"multipart/form-data; boundary={'b' * 71}"}, 400, "boundary"),
        (b"no form at all", {"content-type": "multipart/form-data; boundary=frontier"}, 400, "multipart"),
        (b"", {"content-type": "multipart/form-data; boundary=frontier"}, 400, "no file"),
        (*body(), 400, "no file"),
        (*body((METADATA, b"{}")), 400, "no file"),
        (*body(('Content-Disposition: form-data; name="file"', b"x")), 400, "no file name"),
        (*body(('Content-Disposition: form-data; name="file"; filename=""', b"x")), 400, "no file name"),
        (*body((FILE, b"x"), (FILE, b"y")), 400, "two files"),
        (*body((FILE, b"x"), end=False), 400, "ends before"),
        (*body((FILE, b"x"), (METADATA, b"{")), 422, "not JSON"),
        (*body((FILE, b"x"), (METADATA, b"[]")), 422, "metadata"),
        (*body((FILE, b"x"), (METADATA, b'{"source": "nobody"}')), 422, "metadata.source"),
        (*body((FILE, b"x"), (METADATA, b'{"a": "' + b"x" * 70_000 + b'"}')), 422, "metadata"),
        (*body((FILE, b"x"), (METADATA, b'{"a": "' + b"x" * 9_000 + b'"}')), 422, "metadata"),
        (*body(('Content-Disposition: form-data; name="secret"', b"x"), (FILE, b"x")), 422, "secret"),
        (*body(*[(METADATA, b"")] * 10_001), 400, "parts"),
        (*body((FILE, b"x" * (LIMIT + 1))), 413, "LATTICE_MAX_FILE_BYTES"),
        (*body((FILE, b"x"), *[(METADATA, b" ")] * 3, (f"{METADATA}\r\nX: {'y' * 70_000}", b"")), 400, "multipart"),
    ],
)
def test_what_is_no_proper_form_is_refused_and_leaves_nothing(
    door: Door, content: bytes, headers: dict[str, str], status: int, says: str
) -> None:
    before = kept(door)
    response = door.http.post("/api/ingest-file", content=content, headers=headers)
    assert (response.status_code, response.headers["content-type"]) == (status, "application/problem+json"), response.text
    assert says in response.json()["detail"]
    assert kept(door) == before
    assert spool(door) == []


def test_a_body_that_claims_too_much_is_refused_before_it_comes(door: Door) -> None:
    _, headers = body()

    def nothing() -> Iterator[bytes]:
        yield b""

    response = door.http.post("/api/ingest-file", content=nothing(), headers={**headers, "content-length": str(10**12)})
    assert response.status_code == 413


@pytest.mark.parametrize("where", ["file", "before", "after"])
def test_an_endless_body_is_cut_wherever_it_grows(door: Door, where: str) -> None:
    sent = 0
    opening = f"--frontier\r\n{FILE}\r\n\r\n".encode()

    def endless() -> Iterator[bytes]:
        nonlocal sent
        if where == "file":
            yield opening
        elif where == "after":
            yield opening + b"x\r\n--frontier--\r\n"
        while sent < 100_000_000:
            sent += 65_536
            yield b"y" * 65_536

    _, headers = body()
    response = door.http.post("/api/ingest-file", content=endless(), headers=headers)
    assert response.status_code in (400, 413)
    assert spool(door) == []


def test_too_many_files_at_once_are_asked_to_come_again(door: Door) -> None:
    door.app.state.limits = RequestLimits(files_at_once=0)
    try:
        response = door.http.post("/api/ingest-file", files={"file": ("b.txt", b"Ada sails.")})
    finally:
        door.app.state.limits = RequestLimits()
    assert response.status_code == 429
    assert response.headers["retry-after"] == "1"


def test_a_token_that_may_only_read_gives_no_files(door: Door) -> None:
    token = door.access.store.add_token("reader", ["read"])
    with client(door.app, token) as reader:
        assert reader.post("/api/ingest-file", files={"file": ("b.txt", b"Ada sails.")}).status_code == 403
    assert door.anybody.post("/api/ingest-file", files={"file": ("b.txt", b"Ada sails.")}).status_code == 401


@pytest.mark.parametrize("name", ["../../etc/passwd", "C:\\x", "-rf", "CON", ".hidden", "x" * 4096, "a\u202egpj.exe"])
def test_a_name_leads_nowhere(door: Door, name: str) -> None:
    receipt = door.give(name, f"Tom lives in house {len(name)}.".encode(), source="document")
    assert receipt["state"] in ("stored", "duplicate")
    names = {path.name for path in (door.root / "journal").rglob("*") if path.is_file()}
    assert not {"passwd", "x", "-rf", "CON", ".hidden"} & names
    response = door.http.get(f"/api/captures/{receipt['capture_id']}/original")
    assert len(response.headers["content-disposition"]) < 2000


def test_a_file_that_cannot_be_read_says_why(door: Door) -> None:
    receipt = door.give("song.mp3", b"ID3\x03\x00\x00" + bytes(range(256)) * 20)
    assert receipt["state"] == "rejected"
    assert receipt["reason"]
    assert receipt["notes"][0].startswith("unreadable:")


def test_the_stages_of_a_file_begin_with_reading(door: Door) -> None:
    capture_id = door.http.post("/api/ingest-file", files={"file": ("c.html", b"<p>Elif lives in Ghent.</p>")}).json()[
        "capture_id"
    ]
    text = door.http.get(f"/api/captures/{capture_id}/events").text
    assert '"state":"stored"' in text.replace(" ", "")


def test_drips_are_not_waited_for(door: Door) -> None:
    door.app.state.limits = RequestLimits(patience=Patience(upload=0.0))
    try:
        response = door.http.post("/api/ingest-file", files={"file": ("b.txt", b"Ada sails.")})
        assert response.status_code == 408
    finally:
        door.app.state.limits = RequestLimits()


def metadata(**known: Any) -> dict[str, str]:
    return {"metadata": json.dumps(known)}


def test_a_large_file_is_taken_in_pieces(tmp_path: Path) -> None:
    sentences = "".join(f"Tenant {n} pays {n + 300} euros.\n" for n in range(20_000))
    with opened(tmp_path, start=False) as door:
        response = door.http.post(
            "/api/ingest-file", files={"file": ("tenants.txt", sentences.encode())}, data=metadata(title="T")
        )
        assert response.status_code == 202
        path = door.embedded.lattice.original(response.json()["capture_id"])[1]
        assert path.read_bytes() == sentences.encode()


LEASE = documents.pdf(
    documents.lines("The rent of flat 12 is 900 euros a month."),
    documents.lines("The deposit of flat 12 is 2,700 euros."),
    title="The lease",
)
MAIL = documents.mail("The key of the boat house is with Ines.", From="Tom <tom@example.org>", Subject="The boat house")

KINDS = [
    ("lease.pdf", LEASE, "pdf", "deposit", "page 2"),
    ("lease.docx", office_files.letter(), "docx", "third floor", None),
    ("club.pptx", office_files.talk(), "pptx", "apple trees", "slide 2"),
    ("budget.xlsx", office_files.budget(), "xlsx", "Rent", "sheet Budget, row 4"),
    ("budget.xls", office_files.old_budget(), "xls", "Rent", "sheet Budget, row"),
    ("page.html", b"<html><title>Goats</title><h1>Herd</h1><p>Tom keeps two goats in Ghent.</p>", "html", "goats", None),
    ("people.csv", b"name,town\nAda,Turin\nBruno,Ghent\n", None, "Turin", "row 2"),
    ("boat.eml", MAIL.as_bytes(), None, "boat house", None),
    ("notes.md", b"# Garden\n\nThe tap is behind the shed.\n", "markdown", "shed", None),
    ("notes.txt", b"The stopcock is under the sink.\n", "plain", "sink", None),
    ("fees.py", b'"""Fees."""\n\n\ndef fee(years: int) -> int:\n    """Members pay 12 euros a year."""\n    return 12\n',
     "code", "12 euros", None),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "content", "source_type", "words", "place"), KINDS, ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_file_of_every_kind_is_remembered_with_its_place(
    tmp_path: Path, name: str, content: bytes, source_type: str | None, words: str, place: str | None
) -> None:
    with opened(tmp_path) as door:
        receipt = door.give(name, content)
        assert receipt["state"] == "stored", receipt
        atoms = [door.http.get(f"/api/atoms/{atom_id}").json() for atom_id in receipt["atom_ids"]]
        found = [atom for atom in atoms if words in atom["content"]]
        assert found, [atom["content"] for atom in atoms]
        assert source_type is None or found[0]["source_type"] == source_type
        assert found[0]["source"]["original"] == name
        assert place is None or (found[0]["source"]["place"] or "").startswith(place), found[0]["source"]
        assert found[0]["metadata"].get("place") == found[0]["source"]["place"]
        assert found[0]["trust"] == "document"
        assert door.http.get(f"/api/captures/{receipt['capture_id']}/original").content == content


SCAN_SAYS = next((each for each in ("tesseract", "pdftoppm") if not shutil.which(each)), "words")

REFUSED = [
    ("locked.pdf", lambda: documents.protected_pdf("secret"), "password"),
    ("scan.pdf", lambda: documents.pdf(documents.DRAWN_IMAGE), SCAN_SAYS),
    ("bomb.docx", lambda: office_harm.bomb(400_000_000), ""),
    ("program.pdf", lambda: b"MZ\x90\x00" + bytes(200), ""),
    ("cat.png", lambda: b"\x89PNG\r\n\x1a\n" + bytes(64), ""),
    ("broken.pdf", lambda: LEASE[:60], ""),
]
"""Made where they are given: a bomb takes a second, and this file is read by every worker."""


@pytest.mark.parametrize(("name", "made", "says"), REFUSED, ids=lambda value: value if isinstance(value, str) else "")
def test_a_file_that_gives_no_text_is_rejected_with_a_sentence(
    door: Door, name: str, made: Callable[[], bytes], says: str
) -> None:
    content = made()
    receipt = door.give(name, content)
    assert (receipt["state"], receipt["atoms_new"], receipt["attempts"]) == ("rejected", 0, 1)
    assert says in receipt["reason"].lower()
    assert receipt["reason"].count(" ") >= 3
    assert door.http.get(f"/api/captures/{receipt['capture_id']}/original").content == content


def test_a_page_that_calls_itself_text_is_no_note_of_the_owner(door: Door) -> None:
    receipt = door.give("mine.txt", b"<!doctype html><html><body><p>Elif breeds huskies in Oulu.</p></body></html>")
    atom = door.http.get(f"/api/atoms/{receipt['atom_ids'][0]}").json()
    assert (atom["source_type"], atom["trust"]) == ("html", "document")


def test_a_disagreement_is_shown_and_settled_with_undo(tmp_path: Path) -> None:
    with opened(tmp_path, owner_names="Ada Miller") as door:
        door.tell("I live in Berlin.", metadata={"observed_at": "2020-01-02T10:00:00Z"})
        [stated] = door.http.get("/api/atoms/recent").json()["atoms"]
        [learned] = door.give("form.html", b"<p>Ada Miller lives in Lisbon.</p>")["atom_ids"]
        [conflict] = door.http.get("/api/conflicts").json()["conflicts"]
        assert (conflict["atom"]["atom_id"], conflict["disagrees_with"]["atom_id"]) == (learned, stated["atom_id"])
        for one, other in ((learned, stated["atom_id"]), (stated["atom_id"], learned)):
            assert [each["atom_id"] for each in door.http.get(f"/api/atoms/{one}").json()["disagrees"]] == [other]
            change_id = door.http.post(f"/api/atoms/{one}/prefer", json={"over": other}).json()["change_id"]
            settled = door.http.get(f"/api/atoms/{other}").json()
            assert (settled["is_superseded"], settled["superseded_by"]) == (True, one)
            assert "you kept" in settled["superseded_reason"]
            assert door.http.get("/api/conflicts").json()["conflicts"] == []
            assert door.http.post(f"/api/undo/{change_id}").status_code == 200
            assert not door.http.get(f"/api/atoms/{other}").json()["is_superseded"]
        assert door.http.post(f"/api/atoms/{learned}/prefer", json={"over": "nothing"}).status_code == 404


def test_files_in_the_inbox_are_read_and_moved_with_what_came_of_them(tmp_path: Path) -> None:
    with opened(tmp_path, inbox_settle_seconds=0.05) as door:
        inbox = tmp_path / "inbox"
        (inbox / "sub").mkdir(exist_ok=True)
        (inbox / "sub" / "lease.pdf").write_bytes(LEASE)
        (inbox / "locked.pdf").write_bytes(documents.protected_pdf("secret"))
        (inbox / "unfinished.pdf.crdownload").write_bytes(b"%PDF-1.7")
        deadline = time.monotonic() + 30
        expected = {"lease.pdf", "locked.pdf", "locked.pdf.why.txt"}
        while (done := {path.name for path in inbox.rglob("*.pdf*") if path.relative_to(inbox).parts[0] in DONE}) != expected:
            assert time.monotonic() < deadline, done
            door.http.get("/api/status")
        [why] = inbox.rglob("*.why.txt")
        assert "password" in why.read_text()
        assert (inbox / "unfinished.pdf.crdownload").exists()
        assert door.found("What is the deposit of flat 12?")[0] == "The deposit of flat 12 is 2,700 euros."
        assert door.http.get("/api/status").json()["inbox"]["failed"] == 1


def test_a_passage_says_that_it_is_one_and_can_be_looked_at_and_not_deleted(door: Door) -> None:
    filler = "<p>" + "The committee met in the usual room and went through the usual list without haste. " * 40 + "</p>"
    said = "Before ignition the technician opens the quoridian valve by a quarter turn."
    door.give("boiler.html", f"<h1>Boiler</h1>{filler}<h2>Starting</h2><p>{said}</p>".encode())
    asked = {"query": "How far does the technician open the quoridian valve?", "limit": 5}
    found = door.http.post("/api/select", json=asked).json()["atoms"]
    assert all((each["kind"] == "passage") == (each["type"] == "passage") for each in found)
    [passage] = [each for each in found if each["type"] == "passage" and said in each["content"]]
    assert (passage["trust"], passage["metadata"]["file"]) == ("document", "boiler.html")
    assert passage["passage_of"].startswith("boiler.html")
    view = door.http.get(f"/api/atoms/{passage['atom_id']}").json()
    assert said in view["source"]["text"]
    assert view["source"]["original"] == "boiler.html"
    assert door.http.delete(f"/api/atoms/{passage['atom_id']}").status_code == 404
    answer = door.http.post("/api/answer", json={"query": asked["query"]}).json()
    assert answer["citations"][0]["quote"] == said
    judged = door.http.post("/api/feedback", json={"verdict": "up", "atom_ids": [passage["atom_id"]]})
    assert judged.status_code == 200, "a thumb on what a document says is taken, and moves no memory"
    assert judged.json()["change_id"] is None


DONE = ("processed", "failed")
