"""What other programs export, one thing after the other, by its content and never by its size."""

from __future__ import annotations

import io
import json
import tracemalloc
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from lattice_common.capture.importers.chat import read_chat
from lattice_common.capture.importers.export import exported, items
from lattice_common.capture.importers.intake import survey
from lattice_common.capture.importers.items import Item, conversation, note
from lattice_common.capture.importers.json_stream import Passed, elements, opened
from lattice_common.capture.request import Message
from lattice_common.errors import InvalidInput

HOUR = 1746352800


def put(folder: Path, name: str, content: Any) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(
        content if isinstance(content, bytes) else content.encode() if isinstance(content, str) else json.dumps(content).encode()
    )
    return path


def said(item: Item) -> list[tuple[str, str]]:
    assert item.request is not None, item
    return [(each.name or each.role, each.content) for each in item.request.messages or ()]


def written(item: Item) -> str:
    assert item.request is not None, item
    return item.request.text or ""


def node(parent: str | None, role: str, words: str, at: int, *children: str) -> dict[str, Any]:
    message = {
        "id": words,
        "author": {"role": role},
        "create_time": HOUR + at,
        "content": {"content_type": "text", "parts": [words]},
    }
    return {"message": message, "parent": parent, "children": list(children)}


BRANCHED = {
    "title": "Moving",
    "conversation_id": "c1",
    "current_node": "d",
    "mapping": {
        "r": {"message": None, "parent": None, "children": ["a"]},
        "a": node("r", "user", "Where shall I live?", 0, "b", "c"),
        "b": node("a", "assistant", "In Oslo.", 1),
        "c": node("a", "assistant", "In Ghent.", 2, "d"),
        "d": node("c", "user", "Ghent it is.", 3),
    },
}


def test_of_a_branched_conversation_the_last_branch_is_read_and_each_other_by_itself(tmp_path: Path) -> None:
    main, other = items(put(tmp_path, "conversations.json", [BRANCHED]))
    assert said(main) == [("user", "Where shall I live?"), ("assistant", "In Ghent."), ("user", "Ghent it is.")]
    assert said(other) == [("assistant", "In Oslo.")]
    assert main.date == "2025-05-04"
    assert main.key != other.key
    assert {main.request.metadata.source_id, other.request.metadata.source_id} == {"conversations.json (ChatGPT)"}


CLAUDE = {
    "uuid": "u1",
    "name": "Cats",
    "created_at": "2026-01-02T10:00:00Z",
    "chat_messages": [
        {"sender": "human", "text": "I adopted a cat.", "created_at": "2026-01-02T10:00:00Z"},
        {"sender": "assistant", "text": "", "content": [{"type": "text", "text": "Lovely."}]},
    ],
}
GEMINI = {
    "header": "Gemini Apps",
    "title": "Prompted where is Ghent?",
    "time": "2026-02-03T08:00:00Z",
    "safeHtmlItem": [{"html": "<p>In <b>Belgium</b> &amp; Flanders.</p>"}],
}
CHAT = {
    "name": "Bruno", "type": "personal_chat", "id": 7,
    "messages": [
        {"id": 1, "type": "service", "date": "2026-01-02T10:00:00", "text": ""},
        {"id": 2, "type": "message", "date": "2026-01-02T10:00:00", "date_unixtime": str(HOUR), "from": "Bruno", "from_id": "u7",
         "text": ["See ", {"type": "link", "text": "the boat"}]},
    ],
}  # fmt: skip
TELEGRAM = {
    "about": "x",
    "personal_information": {"user_id": 1},
    "contacts": {"list": [{"first_name": "Ada"}]},
    "chats": {"about": "y", "list": [CHAT, {"name": "Empty", "messages": []}]},
}


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("conversations.json", [CLAUDE], [("user", "I adopted a cat."), ("assistant", "Lovely.")]),
        ("My Activity.json", [GEMINI], [("user", "where is Ghent?"), ("assistant", "In Belgium & Flanders.")]),
        ("result.json", CHAT, [("Bruno", "See the boat")]),
        ("result.json", TELEGRAM, [("Bruno", "See the boat")]),
        ("_chat.txt", "[12.05.26, 09:14:33] Ada: Hello\n", [("Ada", "Hello")]),
    ],
)
def test_conversations_are_read_as_each_program_exports_them(tmp_path: Path, name: str, content: Any, expected: Any) -> None:
    read, *others = [each for each in items(put(tmp_path, name, content)) if each.skipped is None]
    assert said(read) == expected
    assert not others


def telegrams(*said: dict[str, Any], **chat: Any) -> dict[str, Any]:
    messages = [{"id": at, "type": "message", "date_unixtime": str(HOUR + at), **each} for at, each in enumerate(said, 1)]
    return {"name": "Bruno", "type": "personal_chat", "id": 7, "messages": messages, **chat}


def test_what_the_owner_of_a_telegram_account_wrote_is_his(tmp_path: Path) -> None:
    bruno = {"from": "Bruno", "from_id": "user7", "text": "See the boat"}
    ada = {"from": "Ada Roe", "from_id": "user1", "text": "I bought it."}
    passed_on = {"from": "Ada Roe", "from_id": "user1", "forwarded_from": "Harbour news", "text": "I close."}
    hidden = {**passed_on, "forwarded_from": None, "text": "I am closed."}
    expected = [
        ("Bruno", "See the boat"),
        ("user", "I bought it."),
        ("Harbour news", "I close."),
        ("Somebody", "I am closed."),
    ]
    chat = telegrams(bruno, ada, passed_on, hidden)
    group = telegrams(bruno, ada, type="private_group", id=8, name="Crew")
    account = {"personal_information": {"user_id": 1, "first_name": "Ada"}, "chats": {"list": [group]}}
    [alone] = items(put(tmp_path, "result.json", chat))
    assert said(alone) == expected
    former, formers = alone.former, set[tuple[str | None, str]]()
    while former is not None:
        formers.add((former.source_id, said(former)[1][0]))
        former = former.former
    assert ("result.json (Telegram)", "Ada Roe") in formers, "as an earlier version brought it"
    assert said(next(items(put(tmp_path, "result.json", account)))) == expected[:2]
    assert said(next(items(put(tmp_path, "result.json", group)))) == [("Bruno", "See the boat"), ("Ada Roe", "I bought it.")]
    saved = telegrams(ada, passed_on, type="saved_messages", name=None)
    assert said(next(items(put(tmp_path, "result.json", saved)))) == [
        ("user", "I bought it."),
        ("Harbour news", "I close."),
    ]


def test_telegrams_pages_beside_its_json_are_left_out_as_read_already(tmp_path: Path) -> None:
    put(tmp_path, "export/result.json", TELEGRAM)
    for name in ("export_results.html", "chats/chat_01/messages2.html"):
        put(tmp_path, f"export/{name}", "<!DOCTYPE html><html><head><title>Exported Data</title></head></html>")
    left = {each.label: each.skipped for each in items(tmp_path / "export") if each.label.endswith(".html")}
    assert left == dict.fromkeys(("chats/chat_01/messages2.html", "export_results.html"), "the chats are read from result.json")


def test_a_remark_on_a_highlight_names_the_book_and_a_link_in_a_note_its_page(tmp_path: Path) -> None:
    rows = "Highlight,Book Title,Book Author,Note,Highlighted at\nOak moves.,On Wood,P. Reyes,True of my boat.,\n"
    [highlight] = items(put(tmp_path, "readwise-data.csv", rows))
    assert written(highlight).endswith("Note on “On Wood” by P. Reyes: True of my boat.")
    annotation = {"source": "WEBLINK", "title": "Lentil soup", "url": "https://x.org/soup", "description": ""}
    [kept] = items(
        put(tmp_path, "a.json", {"isTrashed": False, "title": "", "textContent": "Dinner", "annotations": [annotation]})
    )
    assert written(kept) == "Dinner\n\nLink: “Lentil soup” (https://x.org/soup)"
    for item, before in ((highlight, "Note: True of my boat."), (kept, "Dinner")):
        former = item.former
        while former is not None and former.former is not None:
            former = former.former
        assert former is not None
        assert written(former).endswith(before)


def test_what_was_said_aloud_to_chatgpt_is_read(tmp_path: Path) -> None:
    spoken = node("r", "user", "", 0)
    spoken["message"]["content"] = {
        "content_type": "multimodal_text",
        "parts": [
            {"content_type": "audio_transcription", "text": "I adopted a cat.", "direction": "in"},
            {
                "content_type": "real_time_user_audio_video_asset_pointer",
                "audio_asset_pointer": {"asset_pointer": "sediment://f"},
            },
        ],
    }
    talk = {
        "title": "Talk",
        "current_node": "a",
        "mapping": {"r": {"message": None, "parent": None, "children": ["a"]}, "a": spoken},
    }
    assert said(next(items(put(tmp_path, "conversations.json", [talk])))) == [("user", "I adopted a cat.")]


def test_chats_that_somebody_left_are_read_too(tmp_path: Path) -> None:
    left = {"about": "z", "list": [{**CHAT, "name": "Rowing club", "id": 8}]}
    for export in ({**TELEGRAM, "left_chats": left}, {"left_chats": left, "personal_information": {"user_id": 1}}):
        read = [each.label for each in items(put(tmp_path, "result.json", export)) if each.skipped is None]
        assert read[-1] == "Rowing club, 2025-05"


def test_what_telegrams_export_holds_beside_words_is_accounted_for(tmp_path: Path) -> None:
    pictures = [
        {"id": at, "type": "message", "date_unixtime": str(HOUR), "from": "Bruno", "photo": "x", "text": ""} for at in (3, 4)
    ]
    chat = {**CHAT, "messages": [*CHAT["messages"], *pictures]}
    told = {**TELEGRAM, "chats": {"list": [chat, {"name": "Empty", "messages": []}]}}
    left = {each.label: each.skipped for each in items(put(tmp_path, "result.json", told)) if each.skipped}
    assert left == {
        "contacts: 1": "contacts are not read. Export them from your address book (.vcf)",
        "Bruno, messages: 1": "what Telegram says itself is nobody's words (who came or left, calls, pinned messages)",
        "Bruno, messages: 2": "pictures, recordings and the like are not read",
        "Empty": "it holds no words",
    }
    page = b"<!DOCTYPE html>\n<html>\n <head>\n<title>Exported Data</title>\n</head><body>Hi</body></html>"
    found = exported("messages.html", io.BytesIO(page), len(page))
    assert found is not None
    assert [each.skipped for each in found] == ["Telegram's pages are not read. Export as JSON (machine-readable)"]


def test_of_claudes_export_attachments_and_projects_are_documents_and_memories_the_assistants(tmp_path: Path) -> None:
    attached = [
        {"file_name": "lease.pdf", "extracted_content": "The rent is 950 euros."},
        {"file_name": "", "extracted_content": ""},
    ]
    talk = {**CLAUDE, "chat_messages": [{**CLAUDE["chat_messages"][0], "attachments": attached}]}
    project = {
        "uuid": "p",
        "name": "Boat",
        "description": "",
        "is_private": True,
        "prompt_template": "",
        "docs": [{"uuid": "d", "filename": "boat.md", "content": "The boat is blue.", "created_at": "2026-01-03T10:00:00Z"}],
    }
    memory = {"conversations_memory": "Ada lives in Ghent.", "project_memories": {"p": "Ada sails."}, "account_uuid": "u"}
    user = {"uuid": "u", "full_name": "Ada Roe", "email_address": "a@example.org", "verified_phone_number": None}
    for name, content in (
        ("conversations.json", [talk]),
        ("memories.json", [memory]),
        ("users.json", [user]),
        ("projects.json", [project, {**project, "name": "Cat", "docs": []}]),
        ("projects/p.json", project),
    ):
        put(tmp_path / "claude", name, content)
    found = {}
    for each in items(tmp_path / "claude"):
        found.setdefault(each.label, each)
    assert said(found["Cats"]) == [("user", "I adopted a cat.")]
    files = {name: each.file for name, each in found.items() if each.file}
    assert {name: (file.content, file.facts.source, (file.facts.observed_at or "")[:10]) for name, file in files.items()} == {
        "lease.pdf.txt": (b"The rent is 950 euros.", "document", "2026-01-02"),
        "boat.md": (b"The boat is blue.", "document", "2026-01-03"),
    }
    assert found["pasted.txt"].skipped == "it is empty"
    for name, words in (("Claude's memory", "Ada lives in Ghent."), ("Claude's memory of a project", "Ada sails.")):
        assert written(found[name]) == words
        assert found[name].request.source == "assistant"
    assert found["Ada Roe"].skipped == "it says whose account it was"
    assert found["Cat"].skipped == "the project holds no documents"


def cell(asked: str, when: str, answer: str, product: str = "Gemini Apps") -> str:
    return (
        '<div class="outer-cell mdl-cell mdl-cell--12-col mdl-shadow--2dp"><div class="mdl-grid"><div class="header-cell '
        f'mdl-cell mdl-cell--12-col"><p class="mdl-typography--title">{product}<br></p></div>'
        f'<div class="content-cell mdl-cell mdl-cell--6-col mdl-typography--body-1">{asked}<br>{when}<br>{answer}</div>'
        '<div class="content-cell mdl-cell mdl-cell--6-col mdl-typography--body-1 mdl-typography--text-right"></div>'
        '<div class="content-cell mdl-cell mdl-cell--12-col mdl-typography--caption"><b>Products:</b><br>&emsp;Gemini Apps</div>'
        "</div></div>"
    )


def test_geminis_activity_is_read_as_a_page_in_any_language(tmp_path: Path) -> None:
    cells = (
        cell(
            "Prompted&nbsp;where is Ghent?<br>Or Gent?",
            "Feb 3, 2026, 8:00:00\u202fPM UTC",
            "<p>In <b>Belgium</b> &amp; Flanders.</p>",
        ),
        cell(
            "Eingegebener Prompt: ist es weit?",
            "18.04.2026, 17:38:51 MESZ",
            "<div>Nein:</div><ul><li>50 km</li></ul>",
            "Gemini-Apps",
        ),
        cell("Poslali ste poziv:&nbsp;Hi", "5. nov. 2025, 01:34:47 CEST", "", "Aplikacije Gemini"),
        cell("Used Gemini Apps", "Feb 3, 2026, 8:00:00 AM UTC", ""),
        cell("Prompted no date", "some time ago", "<p>Well.</p>"),
        cell("Searched for boats", "Feb 3, 2026, 8:00:00 AM UTC", "", "Search"),
    )
    styles = f"<html><head><title>History</title><style type='text/css'>{'a{b:c}' * 5_000}</style></head><body>"
    page = styles + "".join(cells) + "</body></html>"
    found = list(items(put(tmp_path, "MeineAktivitäten.html", page)))
    assert [said(each) for each in found if each.request] == [
        [("user", "where is Ghent?\nOr Gent?"), ("assistant", "In Belgium & Flanders.")],
        [("user", "ist es weit?"), ("assistant", "Nein:\n50 km")],
        [("user", "Hi")],
    ]
    assert [each.request.metadata.observed_at[:16] for each in found if each.request] == [  # type: ignore[union-attr, index]
        "2026-02-03T20:00",
        "2026-04-18T17:38",
        "2025-11-05T01:34",
    ]
    assert [each.skipped for each in found[3:]] == [
        "it tells what was done, and nothing that was said",
        "it has no date, so who said what cannot be told",
        "it is of another product than Gemini",
    ]
    content = page.encode()
    assert exported("MeineAktivitäten.html", io.BytesIO(content), len(content)) is not None
    other = (styles + cells[-1]).encode()
    assert exported("MeineAktivitäten.html", io.BytesIO(other), len(other)) is None


@pytest.mark.parametrize(
    ("header", "title"),
    [
        ("Gemini-Apps", "Eingegebener Prompt: wo liegt Gent?"),
        ("Gemini アプリ", "送信したメッセージ: wo liegt Gent?"),
        ("Aplicaciones de Gemini", "Petición enviada: wo liegt Gent?"),
        ("Bard", "Asked wo liegt Gent?"),
    ],
)
def test_geminis_activity_is_known_by_its_heading_in_any_language(tmp_path: Path, header: str, title: str) -> None:
    done = {**GEMINI, "header": header, "title": "Used Gemini Apps"}
    read, left = items(put(tmp_path, "activity.json", [{**GEMINI, "header": header, "title": title}, done]))
    assert said(read) == [("user", "wo liegt Gent?"), ("assistant", "In Belgium & Flanders.")]
    assert left.skipped == "it tells what was done, and nothing that was said"


KEEP = {"title": "Shop", "listContent": [{"text": "Milk", "isChecked": True}, {"text": "Bread", "isChecked": False}],
        "isTrashed": False, "createdTimestampUsec": HOUR * 1_000_000, "labels": [{"name": "home"}]}  # fmt: skip
BOOKMARKS = (
    '<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p><DT><H3>Boats</H3><DL><p><DT><A HREF="https://x.org/a" ADD_DATE="1746352800">'
    'Knots &amp; ropes</A>\n<DT><A HREF="javascript:void(0)">run</A></DL></DL>'
)
READWISE = (
    "Highlight,Book Title,Book Author,Note,Highlighted at\nBoats float.,The Boat Book,Ada Roe,So true,2026-01-02 10:00:00\n"
)


@pytest.mark.parametrize(
    ("name", "content", "words", "date"),
    [
        ("Shop.json", KEEP, "# Shop\n\n- [x] Milk\n- [ ] Bread", "2025-05-04"),
        ("bookmarks.html", BOOKMARKS, "Saved page: “Knots & ropes” (https://x.org/a), filed under Boats.", "2025-05-04"),
        ("readwise.csv", READWISE,
         "“The Boat Book” by Ada Roe: Boats float.\n\nNote on “The Boat Book” by Ada Roe: So true", "2026-01-02"),
        ("pocket.csv", f"title,url,time_added,tags,status\nKnots,https://x.org,{HOUR},sea|rope,unread\n",
         "Saved page: “Knots” (https://x.org), filed under sea, rope.", "2025-05-04"),
        ("mem0.json", {"results": [{"id": "1", "memory": "Likes boats", "user_id": "a", "created_at": "2026-01-02T10:00:00Z"}]},
         "Likes boats", "2026-01-02"),
        ("memory.json", '{"type":"entity","name":"Ada","entityType":"person","observations":["sails","Ada rows"]}\n',
         "Ada: sails\nAda rows", None),
    ],
)  # fmt: skip
def test_notes_and_marks_are_read_with_their_dates(tmp_path: Path, name: str, content: Any, words: str, date: str | None) -> None:
    first, *others = items(put(tmp_path, name, content))
    assert (written(first), first.date) == (words, date)
    assert all(each.skipped for each in others)


def test_a_bookmark_is_filed_under_the_folder_whose_list_it_stands_in(tmp_path: Path) -> None:
    def link(name: str) -> str:
        return f'<DT><A HREF="https://x.org/{name}" ADD_DATE="1746352800">{name}</A>\n'

    inner = f"<DT><H3>Sails</H3>\n<DL><p>\n{link('jib')}</DL><p>\n"
    page = (
        f"<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<H1>Bookmarks</H1>\n<DL><p>\n<DT><H3>Bar</H3>\n<DL><p>\n{link('first')}"
        f"<DT><H3>Boats</H3>\n<DL><p>\n{link('hull')}{inner}{link('keel')}</DL><p>\n{link('later')}</DL><p>\n{link('loose')}</DL>"
    )
    found = [written(each) for each in items(put(tmp_path, "bookmarks.html", page))]
    assert [words.partition(")")[2] for words in found] == [
        ", filed under Bar.",
        ", filed under Boats.",
        ", filed under Sails.",
        ", filed under Boats.",
        ", filed under Bar.",
        ".",
    ]


def test_relations_of_the_mcp_memory_are_sentences(tmp_path: Path) -> None:
    line = '{"type":"relation","from":"Ada","to":"Kiel","relationType":"lives_in"}\n'
    assert [written(each) for each in items(put(tmp_path, "memory.json", line))] == ["Ada lives in Kiel."]


def test_a_folder_or_a_zip_is_read_file_by_file_and_every_file_is_accounted_for(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    put(vault, "notes/boat.md", "The boat is in [[Kiel]].")
    put(vault, "chat/conversations.json", [CLAUDE])
    put(vault, "photo.png", b"\x89PNG")
    put(vault, ".obsidian/app.json", "{}")
    put(vault, "empty.md", "")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path in sorted(vault.rglob("*")):
            if path.is_file():
                archive.write(path, str(path.relative_to(vault)))
    for given in (vault, put(tmp_path, "vault.zip", packed.getvalue())):
        found = {each.label: each for each in items(given)}
        assert set(found) == {"notes/boat.md", "Cats", "photo.png", "empty.md"}
        assert found["notes/boat.md"].file is not None
        assert found["notes/boat.md"].file.facts.source == "user"
        assert [found[name].skipped for name in ("photo.png", "empty.md")] == [
            "pictures, recordings and the like are not read",
            "it is empty",
        ]


def test_what_chatgpt_puts_beside_the_conversations_is_left_out_with_the_reason(tmp_path: Path) -> None:
    export = tmp_path / "chatgpt"
    put(export, "conversations-000.json", [BRANCHED])
    put(
        export,
        "chat.html",
        f"<html><title>ChatGPT Data Export</title><script>var jsonData = {json.dumps([BRANCHED])}</script></html>",
    )
    put(export, "user.json", {"id": "user-1", "email": "ada@x.org", "chatgpt_plus_user": False, "birth_year": 1980})
    put(export, "message_feedback.json", [{"message_id": "m", "conversation_id": "c", "rating": "thumbsUp"}])
    put(export, "shared_conversations.json", [{"id": "s", "conversation_id": "c", "title": "Boat", "is_anonymous": True}])
    put(export, "model_comparisons.json", [{"id": "x", "input": {}, "output": {"feedback_step_1": {}}}])
    put(export, "shopping.json", [])
    put(export, "other/user.json", {"name": "Ada", "town": "Kiel"})
    found = {each.label: each.skipped for each in items(export) if each.skipped or each.file}
    assert found == {
        "chat.html": "the conversations are read from the JSON beside it",
        "message_feedback.json": "it says which answers were rated, and no words of anybody",
        "model_comparisons.json": "it compares answers of models, and the one that was taken is in its conversation",
        "other/user.json": None,
        "shared_conversations.json": "it lists links to conversations, which are read from their own file",
        "shopping.json": "it is empty",
        "user.json": "it says whose account it was",
    }
    assert [each.skipped for each in items(export / "user.json")] == ["it says whose account it was"]


def test_a_note_of_keep_is_read_once_and_not_from_the_trash(tmp_path: Path) -> None:
    keep = tmp_path / "Takeout" / "Keep"
    page = "<!DOCTYPE html><html><head><title>Shop</title></head><body><div class='content'>My PIN is 9911.</div></body></html>"
    for name, content in (
        ("Shop.json", KEEP), ("Shop.html", page), ("Gone.json", KEEP | {"title": "Gone", "isTrashed": True}), ("Gone.html", page),
        ("Labels.txt", "home\n"), ("../Drive/Labels.txt", "The boat is in berth 12."), ("../archive_browser.html", page),
    ):  # fmt: skip
        put(keep, name, content)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path in sorted((tmp_path / "Takeout").rglob("*.*")):
            archive.write(path, str(path.relative_to(tmp_path)))
    for given in (tmp_path / "Takeout", put(tmp_path, "takeout.zip", packed.getvalue())):
        found = {each.label.removeprefix("Takeout/"): each.skipped for each in items(given)}
        assert found == {
            "Shop": None,
            "Keep/Shop.html": "Keep's note is read from the JSON beside it",
            "Gone": "it lies in Keep's trash",
            "Keep/Gone.html": "Keep's note is read from the JSON beside it",
            "Keep/Labels.txt": "it lists the labels of Keep's notes, which have them",
            "Drive/Labels.txt": None,
            "archive_browser.html": "it lists what is in Google's archive",
        }


def test_a_chat_that_signal_export_wrote_in_three_ways_is_read_once(tmp_path: Path) -> None:
    for name in ("Ada/chat.md", "Ada/data.json"):
        put(tmp_path / "signal", name, SIGNAL[name])
    put(tmp_path / "signal", "Ada/index.html", "<html>…</html>")
    skipped = {each.label: each.skipped for each in items(tmp_path / "signal") if each.skipped}
    assert skipped["Ada/chat.md"] == skipped["Ada/index.html"] == "the chat is read from data.json beside it"
    (tmp_path / "signal" / "Ada" / "data.json").unlink()
    skipped = {each.label: each.skipped for each in items(tmp_path / "signal") if each.skipped}
    assert skipped["Ada/index.html"] == "the chat is read from chat.md beside it"


def test_a_box_of_mails_is_read_in_pieces_whatever_its_size(tmp_path: Path) -> None:
    mail = (
        b"From a@x.org Thu Mar  5 10:00:00 2026\nFrom: a@x.org\nTo: b@x.org\nSubject: %d\n\n"
        + b"The boat sails on.\n" * 80_000
        + b"\n"
    )
    path = put(tmp_path, "all.mbox", b"".join(mail % at for at in range(20)))
    found = list(items(path))
    assert [each.label for each in found] == ["mails 1 to 5", "mails 6 to 10", "mails 11 to 15", "mails 16 to 20"]
    assert b"".join(each.file.content for each in found if each.file) == path.read_bytes()


def test_a_box_that_is_dropped_is_read_in_pieces_from_the_size_on_from_which_its_text_would_be_cut() -> None:
    mail = b"From a@x.org Thu Mar  5 10:00:00 2026\nFrom: a@x.org\nSubject: %d\n\n" + b"The boat sails on.\n" * 50_000 + b"\n"
    short, long = (b"".join(mail % at for at in range(count)) for count in (8, 12))
    assert exported("all.mbox", io.BytesIO(short), len(short)) is None
    found = exported("all.mbox", io.BytesIO(long), len(long))
    assert found is not None
    assert b"".join(each.file.content for each in found if each.file) == long


@pytest.mark.lengthy
def test_the_elements_of_a_long_array_are_read_one_by_one_in_little_memory() -> None:
    element = json.dumps({"words": 'a "quoted" } ] \\ word' * 1000, "list": [1, {"b": "]"}]})

    class Endless(io.RawIOBase):
        """Forty-five megabytes that are nowhere."""

        left = 2_000
        held = b"["

        def read(self, size: int = -1) -> bytes:
            while len(self.held) < size and self.left:
                self.left -= 1
                self.held += element.encode() + (b"," if self.left else b"]")
            part, self.held = self.held[:size], self.held[size:]
            return part

    tracemalloc.start()
    count = sum(each["list"][1]["b"] == "]" for each in elements(Endless()))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 2_000
    assert peak < 15_000_000


HEAVY = {
    "one text of 30 MB": b'{"a": "' + b"x" * 30_000_000 + b'"}',
    "texts of 30 MB": b'{"a": [' + b'"%s",' % (b"x" * 10_000) * 3_000 + b"0]}",
    "arrays": b'{"a": [' + b"[]," * 100_000 + b"0]}",
    "depth": b'{"a":' * 5_000 + b"0" + b"}" * 5_000,
}


@pytest.mark.parametrize("heavy", HEAVY.values(), ids=HEAVY)
def test_what_is_too_heavy_to_be_read_at_once_is_passed_over_and_those_beside_it_are_read(heavy: bytes) -> None:
    said = b'{"name": "Cat", "chat_messages": [{"sender": "human", "text": "I adopted a cat."}]}'
    content = b"[" + said + b",\n" + heavy + b",\n" + said + b"]"
    tracemalloc.start()
    found = list(elements(io.BytesIO(content), most_values=50_000))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [isinstance(each, Passed) for each in found] == [False, True, False]
    assert found[0] == found[2]
    assert peak < 120_000_000, "what is not read takes the memory of what is held of it, and no objects"


SIGNAL = {
    "Ada/chat.md": "[2026-05-12 09:14:00] Ada: I am allergic to nuts.  \n(- Me: 👍 -)\n\n"
    "[2026-05-12 09:15:00] Me: \n\n> I am allergic to nuts.\n\nI moved to Ghent!  [lease.pdf](./media/lease.pdf)  \n\n"
    "[2026-05-12 09:16:00] Ada: Missed voice call  \n\n[2026-06-01 08:00:00] No-Sender:   \n\n"
    "[2026-06-01 09:15:00] Ada: And\nhow is it?  \n",
    "Ada/data.json": "".join(
        json.dumps({"date": date, "sender": sender, "body": body, "quote": "", "reactions": [], "attachments": []}) + "\n"
        for date, sender, body in (
            ("2026-05-12T09:14:00", "Ada", "I am allergic to nuts.  "), ("2026-05-12T09:15:00", "Me", "I moved to Ghent!  "),
            ("2026-05-12T09:16:00", "Ada", "Missed voice call  "), ("2026-06-01T08:00:00", "No-Sender", "  "),
            ("2026-06-01T09:15:00", "Ada", "And\nhow is it?  "),
        )
    ),
    "Ada (+32470111213).txt": "Conversation: Ada (+32470111213)\n\n"
    "From: Ada (+32470111213)\nType: incoming\nSent: Tue, 12 May 2026 09:14:00 +0000\nReceived: Tue, 12 May 2026 09:14:01 +0000\n"
    "Reaction: 👍 from You\n\nI am allergic to nuts.\n\n"
    "From: You\nType: outgoing\nSent: Tue, 12 May 2026 09:15:00 +0000\nEdited: 2 versions\n\n"
    "| Version: 2\n| Sent: Tue, 12 May 2026 09:15:30 +0000\n|\n| I moved to Ghent!\n|\n"
    "| Version: 1\n| Sent: unknown\n|\n| I moved\n\n"
    "From: Ada (+32470111213)\nType: call-history\nSent: Tue, 12 May 2026 09:16:00 +0000\n\n"
    "Type: group-v2-change\nSent: Mon, 1 Jun 2026 08:00:00 +0000\n\n"
    "From: Ada (+32470111213)\nType: incoming\nSent: Mon, 1 Jun 2026 09:15:00 +0000\nReceived: unknown\n\n"
    "> From: You\n> Sent: Tue, 12 May 2026 09:15:00 +0000\n>\n> I moved to Ghent!\n\nAnd\nhow is it?\n\n",
    "Ada (+32470111214).txt": "2026-05-12 09:14 Ada: I am allergic to nuts.\n2026-05-12 09:15 You: [edited] I moved to Ghent!\n"
    "2026-05-12 09:16 Ada: [call-history message]\n2026-06-01 08:00 Ada: [1 attachment]\n"
    "2026-06-01 09:15 Ada: [reply to You on 2026-05-12 09:15] And\nhow is it?\n",
    "Ada (+32470111213).json": [
        {"id": "1", "conversationId": "c", "type": "incoming", "source": "+32470111213", "sent_at": 1778577240000,
         "body": "I am allergic to nuts."},
        {"id": "2", "conversationId": "c", "type": "outgoing", "sent_at": 1778577300000, "body": "I moved to Ghent!"},
        {"id": "3", "conversationId": "c", "type": "call-history", "sent_at": 1778577360000},
        {"id": "4", "conversationId": "c", "type": "timer-notification", "sent_at": 1780300800000, "body": "x"},
        {"id": "5", "conversationId": "c", "type": "incoming", "source": "+32470111213", "sent_at": 1780305300000,
         "body": "And\nhow is it?"},
    ],
    "main.jsonl": "\n".join(
        json.dumps(frame)
        for frame in (
            {"version": "1", "backupTimeMs": "1780305300000"},
            {"account": {"givenName": "Olga"}},
            {"recipient": {"id": "1", "self": {}}},
            {"recipient": {"id": "4", "contact": {"profileGivenName": "A.", "systemGivenName": "Ada", "systemFamilyName": ""}}},
            {"chat": {"id": "2", "recipientId": "4"}},
            *(
                {"chatItem": {"chatId": "2", "authorId": author, "dateSent": sent, direction: {}, **words}}
                for author, sent, direction, words in (
                    ("4", "1778577240000", "incoming", {"standardMessage": {"text": {"body": "I am allergic to nuts."}}}),
                    ("1", "1778577300000", "outgoing", {"standardMessage": {"text": {"body": "I moved to Ghent!"}}}),
                    ("4", "1778577360000", "directionless", {"updateMessage": {"individualCall": {}}}),
                    ("4", "1780300800000", "incoming", {"stickerMessage": {}}),
                    ("4", "1780305300000", "incoming", {"standardMessage": {"text": {"body": "And\nhow is it?"}, "quote": {}}}),
                )
            ),
        )
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SIGNAL)
def test_signals_chats_are_read_a_month_each_with_the_owner_as_who_sent_them(tmp_path: Path, name: str) -> None:
    put(tmp_path / "signal", name, SIGNAL[name])
    may, june, left = items(tmp_path / "signal")
    assert (may.label, june.label) == ("Ada, 2026-05", "Ada, 2026-06")
    assert said(may) == [("Ada", "I am allergic to nuts."), ("user", "I moved to Ghent!")]
    assert said(june) == [("Ada", "And\nhow is it?")]
    assert (may.date, june.date) == ("2026-05-12", "2026-06-01")
    assert (left.label, left.skipped) == ("Ada: 2 without words", "calls, pictures and what Signal says itself are not read")
    content = (tmp_path / "signal" / name).read_bytes()
    assert exported(name.rpartition("/")[2], io.BytesIO(content), len(content)) is not None


def test_in_a_group_that_sigtop_wrote_as_json_nobodys_words_are_anothers(tmp_path: Path) -> None:
    told = [
        {"conversationId": "c", "type": "incoming", "source": source, "sent_at": 1778577240000, "body": "I am here."}
        for source in ("+32470111213", "+32470111214")
    ]
    (found,) = items(put(tmp_path, "Crew (abc).json", told))
    assert said(found) == [("+32470111213", "I am here."), ("+32470111214", "I am here.")]


def test_an_export_says_what_of_it_was_passed_over(tmp_path: Path) -> None:
    heavy = b'{"chat_messages": ' + HEAVY["depth"] + b"}"
    found = list(items(put(tmp_path, "conversations.json", b"[" + TALKED[1:-1] + b"," + heavy + b"," + TALKED[1:-1] + b"]")))
    assert [(item.label, item.skipped and "within each other" in item.skipped) for item in found] == [
        ("Cat", None),
        ("conversations.json", True),
        ("Cat", None),
    ]


def test_a_chat_of_any_length_is_read_message_by_message() -> None:
    said = [{"id": at, "type": "message", "date": "2026-05-01T10:00:00", "text": f"Word {at}"} for at in range(500)]
    chats = [{"name": "Ada", "type": "personal", "messages": said, "left": {"out": [1]}}, {"name": "Ben", "messages": said[:1]}]
    for content, key in ((json.dumps({"about": "x", "chats": {"list": chats}}), "chats/list"), (json.dumps(chats[0]), None)):
        found = []
        for chat in opened(io.BytesIO(content.encode()), "messages", key, longest=2_000):
            assert isinstance(chat, dict)
            found.append((chat["name"], [each["id"] for each in chat["messages"]]))
        assert found == [("Ada", list(range(500))), ("Ben", [0])][: len(found)]
        assert len(found) == (2 if key else 1)


@pytest.mark.parametrize("left", ["", "]", "]]"])
def test_a_conversation_within_a_thousand_arrays_is_refused_and_not_gone_through(left: str) -> None:
    content = (b"[" * 1_000 + b'{"messages": [{"text": "x"}]}' + b"]" * 1_000).removesuffix(left.encode())
    with pytest.raises(InvalidInput):
        read_chat(content, name="deep.json")


@pytest.mark.parametrize("content", [b'[{"a": 1', b'[{"a": "x\\', b'{"a": [1, 2}'])
def test_an_array_that_is_cut_short_says_so(content: bytes) -> None:
    with pytest.raises(InvalidInput, match=r"cut short|no JSON"):
        list(elements(io.BytesIO(content)))


def zipped(**files: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "/").replace("_dot_", "."), content)
    return out.getvalue()


TALKED = json.dumps([{"uuid": "u", "name": "Cat", "chat_messages": [{"sender": "human", "text": "I adopted a cat."}]}]).encode()


NOTION_PAGE = "Boat 0123456789abcdef0123456789abcdef.md"


def test_a_zip_within_a_zip_is_opened_where_it_is_an_export_and_none_within_that(tmp_path: Path) -> None:
    deepest = zipped(**{NOTION_PAGE: b"It is in berth 12."})
    part = zipped(**{NOTION_PAGE: b"It is in berth 12.", "More_dot_zip": deepest})
    outer = zipped(
        **{
            "ExportBlock-1a2b-Part-1.zip": part,
            "papers_dot_zip": zipped(lease_dot_txt=b"Rent: 950"),
            "broken_dot_zip": b"PK\x03\x04",
        }
    )
    found = exported("export.zip", io.BytesIO(outer), len(outer))
    assert found is not None
    things = list(found)
    assert [each.label for each in things] == [NOTION_PAGE, "More.zip", "papers.zip", "broken.zip"]
    assert {each.file.facts.source_id for each in things if each.file} == {"export.zip (Notion)"}
    assert [each.label for each in items(put(tmp_path, "export.zip", outer))] == [each.label for each in things]


def test_a_zip_within_a_zip_has_the_limits_of_any(tmp_path: Path) -> None:
    def deflated(**files: bytes) -> bytes:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in files.items():
                archive.writestr(name, content)
        return out.getvalue()

    bomb = deflated(**{NOTION_PAGE: b"x" * 5_000_000, "Cat 0123456789abcdef0123456789abcdef.md": b"It is called Miro."})
    for outer, skipped in (
        (zipped(**{"ExportBlock-1a2b-Part-1.zip": bomb}), {NOTION_PAGE}),
        (deflated(**{"ExportBlock-1a2b-Part-1.zip": zipped(**{NOTION_PAGE: b"x" * 5_000_000})}), {"ExportBlock-1a2b-Part-1.zip"}),
    ):
        found = list(items(put(tmp_path, "export.zip", outer)))
        assert {each.label for each in found if each.skipped == "it unfolds to far more than it is"} == skipped


@pytest.mark.parametrize(
    ("name", "content", "labels", "source"),
    [
        ("conversations.json", TALKED, ["Cat"], "conversations.json (Claude)"),
        ("data.zip", zipped(conversations_dot_json=TALKED, photo_dot_png=b"\x89PNG"), ["Cat", "photo.png"],
         "data.zip (Claude)"),
        ("WhatsApp Chat with Ada.txt",
         b"12/05/2026, 09:14 - Messages and calls are end-to-end encrypted. Tap to learn more.\n"
         b"12/05/2026, 09:15 - Ada: I am allergic to nuts.\n", None, "WhatsApp Chat with Ada.txt"),
        ("Chat with Ada.txt", b"12/03/2026, 09:15 - Ada: The boat is blue.\n12/03/2026, 09:16 - Me: Good.\n", None,
         "Chat with Ada.txt"),
        ("_chat.txt", b"[12.05.26, 09:14:33] Ada: Hello\n[12.05.26, 09:15:00] Me: Hi\n", ["Ada and Me, 2026-05"],
         "_chat.txt (WhatsApp: Ada and Me)"),
        ("result.json", json.dumps({**CHAT, "name": 'Br"uno'}).encode(), None,
         'result.json (Telegram: Br"uno)'),
        ("vault.zip", zipped(_dot_obsidian__app_dot_json=b"{}", boat_dot_md=b"The boat is in berth 12."), ["boat.md"],
         "vault.zip (Obsidian)"),
        ("notion.zip", zipped(**{"Boat 0123456789abcdef0123456789abcdef.md": b"It is in berth 12."}), None,
         "notion.zip (Notion)"),
        ("bookmarks.html", b'<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF="https://a.org" ADD_DATE="1">A</A></DL>', ["A"],
         "bookmarks.html"),
    ],
)  # fmt: skip
def test_an_export_is_known_by_what_it_holds(name: str, content: bytes, labels: list[str] | None, source: str) -> None:
    found = exported(name, io.BytesIO(content), len(content))
    assert found is not None
    things = list(found)
    assert things
    if labels is not None:
        assert [item.label for item in things] == labels
    assert {item.source_id for item in things if not item.skipped} == {source}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("notes.md", b"# Boat\n\nIt is in berth 12.\n"),
        ("diary.txt", b"12/05/2026, 09:14 - The boat is in berth 12.\n13/05/2026, 10:00 - Paid the rent.\n"),
        ("settings.json", b'{"mapping": {"a": 1}, "memory": 512, "hash": "x"}'),
        ("list.json", b'{"results": [{"memory": 512, "hash": "x"}]'),
        ("papers.zip", zipped(lease_dot_pdf=b"%PDF-1.4", notes_dot_txt=b"Rent: 950")),
        ("broken.zip", b"PK\x03\x04 nothing more"),
        ("page.html", b"<!doctype html><p>Hello</p>"),
        ("box.mbox", b"From a@b Thu Jan  1 00:00:00 2026\nSubject: x\n\nHello\n"),
        ("empty", b""),
    ],
)
def test_what_is_not_sure_to_be_an_export_is_left_to_be_read_as_a_file(name: str, content: bytes) -> None:
    assert exported(name, io.BytesIO(content), len(content)) is None


def test_whose_the_notes_of_an_export_are_is_left_to_the_memory_where_nobody_says() -> None:
    content = zipped(_dot_obsidian__app_dot_json=b"{}", boat_dot_md=b"Berth 12.", a_dot_pdf=b"%PDF-1.4")
    for own, sources in ((None, [None, "document"]), (True, ["user", "document"]), (False, ["document", "document"])):
        found = exported("vault.zip", io.BytesIO(content), len(content), own=own)
        assert found is not None
        assert [item.file.facts.source for item in found if item.file] == sources


def test_a_title_of_nothing_but_opened_tags_takes_no_longer_than_its_length() -> None:
    page = b'<!DOCTYPE NETSCAPE-Bookmark-file-1><A HREF="https://a.org" ADD_DATE="1">' + b"<b " * 500_000 + b"</A>"
    found = exported("bookmarks.html", io.BytesIO(page), len(page))
    assert found is not None  # a search that is quadratic takes hours, and the suite is stopped
    assert len(list(found)) == 1


def test_a_table_with_a_field_that_is_too_long_is_told_and_raises_nothing(tmp_path: Path) -> None:
    rows = "".join(f"Word {at},Book,Ada,,2026-05-01 10:00:00\n" for at in range(30))
    table = f"Highlight,Book Title,Book Author,Note,Highlighted at\n{rows}{'x' * 200_000},Book,Ada,,\n"
    found = list(items(put(tmp_path, "readwise.csv", table.encode())))
    assert [item.skipped is None for item in found] == [True] * 30 + [False]


def test_a_page_of_links_without_ends_takes_no_longer_than_its_length() -> None:
    page = b"<!DOCTYPE NETSCAPE-Bookmark-file-1>" + b"<A x" * 200_000 + b"<A " + b"a" * 200_000 + b">" * 10 + b"<A x>" * 200_000
    assert exported("bookmarks.html", io.BytesIO(page), len(page)) is None


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("2026-03-02.md", "2026-03-02"),
        ("Daily/2026-03-02 Lunch.md", "2026-03-02"),
        ("20260302.txt", "2026-03-02"),
        ("Notes of 2026-02-30.md", None),
        ("Call 2026-03-021.md", None),
        ("Flat.md", None),
    ],
)
def test_a_note_that_is_called_by_a_day_is_of_that_day(tmp_path: Path, name: str, day: str | None) -> None:
    path = tmp_path / "vault" / name
    path.parent.mkdir(parents=True)
    path.write_text("Had lunch with Ada.", encoding="utf-8")
    (found,) = items(tmp_path / "vault")
    assert found.file is not None
    written = datetime.fromtimestamp(path.stat().st_mtime, UTC).date().isoformat()
    assert (found.file.facts.observed_at or "")[:10] == (day or written)


CALENDAR = "BEGIN:VCALENDAR\r\n" + "BEGIN:VEVENT\r\nSUMMARY:Choir\r\nEND:VEVENT\r\n" * 3 + "END:VCALENDAR\r\n"
CONTACTS = "BEGIN:VCARD\r\nFN:Jonas Weber\r\nEND:VCARD\r\n" * 4
MAILS = "From a@x.org Thu Mar  5 10:00:00 2026\nFrom: a@x.org\nSubject: Boat\n\nIt is blue.\n\n" * 5


def test_a_calendar_contacts_and_a_mailbox_are_as_many_things_as_are_in_them(tmp_path: Path) -> None:
    folder = tmp_path / "all"
    for name, content in (("cal.ics", CALENDAR), ("people.vcf", CONTACTS), ("all.mbox", MAILS), ("boat.md", "BEGIN:VEVENT\n")):
        put(folder, name, content)
    put(folder, "empty.vcf", "")
    assert {each.label: each.things for each in items(folder)} == {
        "cal.ics": 3, "people.vcf": 4, "mails 1 to 5": 5, "boat.md": 1, "empty.vcf": 1,
    }  # fmt: skip
    account = survey(items(folder))
    assert (account.found, account.skipped) == (14, 1)
    assert "14 things" in account.told(dry=True)


def test_a_chat_of_whatsapp_is_read_a_month_each_and_so_is_one_that_has_grown(tmp_path: Path) -> None:
    lines = "[12.05.26, 09:14:33] Ada: The boat is blue.\n[02.06.26, 10:00:00] Me: I sold it.\n"
    before = list(items(put(tmp_path, "Chat with Ada.txt", lines)))
    assert [item.label for item in before] == ["Chat with Ada, 2026-05", "Chat with Ada, 2026-06"]
    grown = list(items(put(tmp_path, "Chat with Ada.txt", f"{lines}[01.07.26, 10:00:00] Me: I miss it.\n")))
    assert [item.key for item in grown[:2]] == [item.key for item in before]
    assert survey(grown).told(dry=True).endswith("3 would be read, 0 left out. 3 messages in all.")


def test_what_chatgpt_was_to_know_of_its_owner_is_his_and_read_once(tmp_path: Path) -> None:
    about = "I am a nurse in Leeds.\nI keep bees."
    told = node("r", "user", "", 0, "a")
    told["message"] |= {
        "content": {
            "content_type": "user_editable_context",
            "user_profile": f"The user provided the following information about themselves:\n```{about}```",
            "user_instructions": "The user provided the additional info about how to respond:\n```Be brief.```",
        }
    }
    talks = [
        {"title": name, "current_node": "a", "mapping": {"t": told, "a": node("t", "user", f"I have a {name}.", 1)}}
        for name in ("boat", "goat")
    ]
    found = list(items(put(tmp_path, "conversations.json", talks)))
    assert [item.label for item in found] == ["What ChatGPT was to know", "boat", "goat"]
    assert (written(found[0]), found[0].request and found[0].request.source) == (about, "user")
    assert found[0].date == "2025-05-04"


def test_the_marks_of_sources_are_left_out_of_replies_and_what_was_brought_with_them_is_known(tmp_path: Path) -> None:
    reply = (
        "The ferry leaves at nine \ue200cite\ue202turn0search1\ue202turn2news3\ue201. \ue203It\ue204 is small【4†source】, says "
        '\ue200entity\ue202["city","Ghent","in Flanders"]\ue201 on \ue200url\ue202its page\ue202https://gent.be\ue201 '
        "citeturn0search1turn1view0."
    )
    mapping = {"a": node(None, "user", "What does 【4†source】 mean?", 0, "b"), "b": node("a", "assistant", reply, 1)}
    talk = {"title": "Ferry", "current_node": "b", "mapping": mapping}
    (item,) = items(put(tmp_path, "conversations.json", [talk]))
    assert said(item) == [
        ("user", "What does 【4†source】 mean?"),
        ("assistant", "The ferry leaves at nine. It is small, says Ghent on its page."),
    ]
    marked = item.former
    while marked and reply not in [words for _, words in said(marked)]:
        marked = marked.former
    assert marked
    assert item.key == marked.key


def test_googles_page_about_its_archive_is_left_out(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "takeout.zip", "w") as archive:
        archive.writestr(
            "Takeout/Archiv_Übersicht.html", "<html><title>Archiv</title><body>Deine Daten liegen bereit.</body></html>"
        )
        archive.writestr(
            "Takeout/Keep/boat.json", json.dumps({"isTrashed": False, "title": "Boat", "textContent": "It is blue."})
        )
    found = {item.label: item.skipped for item in items(tmp_path / "takeout.zip")}
    assert found == {"Takeout/Archiv_Übersicht.html": "it lists what is in Google's archive", "Boat": None}


def test_of_two_accounts_of_one_program_each_has_a_source(tmp_path: Path) -> None:
    path = put(tmp_path, "conversations.json", [BRANCHED])
    named = [{item.source_id for item in items(path, account=account)} for account in (None, "Work")]
    assert named == [{"conversations.json (ChatGPT)"}, {"conversations.json (Work) (ChatGPT)"}]
    mine, works = (next(iter(items(path, account=account))) for account in (None, "Work"))
    assert mine.key != works.key


ENEX = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export4.dtd">
<en-export export-date="20240601T100000Z" application="Evernote" version="10.88.4">
  <note><title>Packing &amp; keys</title><created>20240501T093000Z</created><updated>20240502T093000Z</updated>
    <tag>trip</tag><tag>home</tag>
    <content><![CDATA[<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!DOCTYPE en-note SYSTEM "http://xml.evernote.com/pub/enml2.dtd">
<en-note><div>The spare key is with Ines&nbsp;&amp; Tom.</div><div><br/></div><h2>To take</h2>
<div><en-todo checked="true"/>tent</div>
<ul style="--en-todo:true;"><li style="--en-checked:false;"><div>stove</div></li></ul>
<en-crypt cipher="AES" length="128">c2VjcmV0</en-crypt>
<table><tr><td>berth</td><td>12</td></tr></table><en-media type="image/png" hash="a"/></en-note>]]></content>
    <resource><data encoding="base64">
JVBERi0x
LjQ=
</data><mime>application/pdf</mime><resource-attributes><file-name>berth.pdf</file-name></resource-attributes></resource>
    <resource><data encoding="base64">iVBORw==</data><mime>image/png</mime></resource>
  </note>
  <note><title>Ferries</title><content><![CDATA[<en-note><p>The ferry leaves at nine.</p></en-note>]]></content>
    <created>20240503T093000Z</created>
    <note-attributes><source>web.clip7</source><source-url>https://ferry.example/</source-url></note-attributes></note>
</en-export>
"""


def test_notes_of_evernote_are_read_with_their_lists_tags_dates_and_what_is_attached(tmp_path: Path) -> None:
    found = list(items(put(tmp_path, "Home.enex", ENEX)))
    assert {item.label: item.skipped for item in found} == {
        "berth.pdf": None,
        "attachment.png, attached to “Packing & keys”": "pictures, recordings and the like are not read",
        "Packing & keys: what is encrypted in it": "it needs a password",
        "Packing & keys": None,
        "Ferries": None,
    }
    assert {item.source_id for item in found if not item.skipped} == {"Home.enex (Evernote)"}
    packing, ferries = (item for item in found if item.request)
    lines = [line for line in written(packing).splitlines() if line]
    assert lines == [
        "# Packing & keys",
        "The spare key is with Ines & Tom.",
        "## To take",
        "- [x] tent",
        "- [ ] stove",
        "berth | 12",
    ]
    assert packing.request
    assert ferries.request
    assert (packing.request.source, packing.date, packing.request.metadata.tags) == ("user", "2024-05-01", ["trip", "home"])
    assert (ferries.request.source, ferries.date) == ("document", "2024-05-03")
    assert written(ferries).endswith("Source: https://ferry.example/")
    pdf = next(item.file for item in found if item.file)
    assert (pdf.content, pdf.facts.source) == (b"%PDF-1.4", "document")
    again = exported("Home.enex", io.BytesIO(ENEX.encode()), len(ENEX.encode()))
    assert again is not None
    assert [item.key for item in again] == [item.key for item in found]


def test_of_a_notebook_that_is_damaged_the_notes_before_are_read(tmp_path: Path) -> None:
    at = ENEX.index("<note><title>Ferries")
    *_, packing, damaged = items(put(tmp_path, "Home.enex", ENEX[:at] + "<note><title>A \x01 & B"))
    assert packing.label == "Packing & keys"
    assert damaged.skipped is not None
    assert "Export the notebook anew" in damaged.skipped


def test_a_notebook_that_declares_entities_is_refused(tmp_path: Path) -> None:
    declared = '<!DOCTYPE en-export [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
    bomb = f'<?xml version="1.0"?>{declared}<en-export><note><title>&b;</title></note></en-export>'
    (refused,) = items(put(tmp_path, "Bomb.enex", bomb))
    assert refused.skipped == "it cannot be read: it declares entities, which no notebook of Evernote does"


def test_what_is_attached_to_notes_is_held_one_by_one() -> None:
    data = "JVBERi0x" * 250_000
    resource = f"<resource><data>{data}</data><mime>application/pdf</mime></resource>"
    content = f"<en-export><note><title>Files</title>{resource * 10}</note></en-export>".encode()
    found = exported("Home.enex", io.BytesIO(content), len(content))
    assert found is not None
    tracemalloc.start()
    try:
        sizes = [len(item.file.content) for item in found if item.file]
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert sizes == [1_500_000] * 10
    assert peak < 16_000_000


DAY_ONE = {
    "metadata": {"version": "1.0"},
    "entries": [
        {
            "uuid": "A1",
            "creationDate": "2024-05-04T22:30:00Z",
            "timeZone": "Europe/Brussels",
            "tags": ["sea"],
            "text": "# At the sea\n\n![](dayone-moment://AB12)\nI bought a boat for 900 euros\\. It is blue\\!",
            "photos": [{"identifier": "AB12", "type": "jpeg"}],
            "location": {"placeName": "Harbour", "country": "Belgium"},
        },
        {
            "uuid": "A2",
            "creationDate": "2024-05-06T10:00:00Z",
            "richText": json.dumps(
                {"contents": [{"text": "Nora called.\n"}, {"embeddedObjects": []}, {"text": "She moved to Porto."}]}
            ),
        },
        {"uuid": "A3", "creationDate": "2024-05-07T10:00:00Z", "photos": []},
    ],
}


def test_entries_of_day_one_are_the_owners_on_the_day_it_was_there(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "Export.zip", "w") as archive:
        archive.writestr("Journal.json", json.dumps(DAY_ONE))
        archive.writestr("photos/AB12.jpeg", b"JPEG")
    found = list(items(tmp_path / "Export.zip"))
    assert {item.label: item.skipped for item in found} == {
        "At the sea": None,
        "Nora called.": None,
        "the entry of 2024-05-07": "it holds no words",
        "photos/AB12.jpeg": "pictures, recordings and the like are not read",
    }
    sea, nora, *_ = found
    assert (written(sea), sea.date) == ("# At the sea\n\nI bought a boat for 900 euros. It is blue!", "2024-05-05")
    assert (written(nora), sea.source_id) == ("Nora called.\nShe moved to Porto.", "Export.zip (Day One)")
    assert sea.request
    assert (sea.request.source, sea.request.metadata.tags) == ("user", ["sea"])


def bundle(folder: str, words: str, **told: Any) -> dict[str, bytes]:
    info = {"type": "net.daringfireball.markdown", "version": 2, "creatorIdentifier": "net.shinyfrog.bear", **told}
    return {f"{folder}/text.markdown": words.encode(), f"{folder}/info.json": json.dumps(info).encode()}


@pytest.mark.parametrize("name", ["Bear 2026.zip", "Backup.bear2bk", "folder"])
def test_notes_of_bear_are_read_with_their_dates_and_what_describes_them_is_no_document(tmp_path: Path, name: str) -> None:
    files = {
        **bundle(
            "Oars.textbundle", "# Oars\n\nThe oars are 2.4 m.", **{"net.shinyfrog.bear": {"creationDate": "2025-05-04T10:00:00Z"}}
        ),
        **bundle("b/Rope.textbundle", "The rope is blue.", creationDate="2025-05-06T10:00:00Z"),
        **bundle("Old.textbundle", "Nothing.", **{"net.shinyfrog.bear": {"trashed": 1}}),
        "Oars.textbundle/assets/oar.png": b"PNG",
        "own/info.json": b'{"berth": 12}',
    }
    for path, content in files.items():
        put(tmp_path / "folder", path, content)
    if name != "folder":
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            for path, content in files.items():
                archive.writestr(path, content)
    found = {item.label: item for item in items(tmp_path / name)}
    assert {label: item.skipped for label, item in found.items()} == {
        "Oars.markdown": None,
        "Rope.markdown": None,
        "Old": "it lies in Bear's trash",
        "Oars.textbundle/assets/oar.png": "pictures, recordings and the like are not read",
        "own/info.json": None,
    }
    assert [found[each].date for each in ("Oars.markdown", "Rope.markdown")] == ["2025-05-04", "2025-05-06"]
    assert found["Oars.markdown"].file is not None
    assert found["Oars.markdown"].file.name == "Oars.markdown"
    assert found["Oars.markdown"].file.facts.source == "user"


def test_one_bundle_is_read_as_a_folder_and_packed(tmp_path: Path) -> None:
    for path, content in bundle("Oars.textbundle", "The oars are 2.4 m.").items():
        put(tmp_path, path, content)
    with zipfile.ZipFile(tmp_path / "Oars.textpack", "w") as archive:
        for path in (tmp_path / "Oars.textbundle").iterdir():
            archive.write(path, f"Oars.textbundle/{path.name}")
    for name in ("Oars.textbundle", "Oars.textpack"):
        assert [item.label for item in items(tmp_path / name)] == ["Oars.markdown"]
    content = (tmp_path / "Oars.textpack").read_bytes()
    assert exported("Oars.textpack", io.BytesIO(content), len(content)) is not None


def test_a_chat_of_messenger_is_read_in_the_letters_and_the_order_in_which_it_was_written(tmp_path: Path) -> None:
    def bytewise(words: str) -> str:
        return words.encode().decode("latin-1")

    chat = {
        "participants": [{"name": bytewise("Zoë Müller")}, {"name": "Ada"}],
        "messages": [
            {"sender_name": bytewise("Zoë Müller"), "timestamp_ms": 1714818700000, "content": bytewise("Ich wohne in Köln ❤")},
            {"sender_name": "Ada", "timestamp_ms": 1714818600000, "content": "I sold the boat – really."},
            {"sender_name": "Ada", "timestamp_ms": 1714818500000, "photos": [{"uri": "x.jpg"}]},
            {"sender_name": "Ada", "timestamp_ms": 1714818400000, "content": "Liked a message"},
        ],
        "title": bytewise("Zoë Müller"),
    }
    (talk, left) = items(put(tmp_path, "message_1.json", chat))
    assert said(talk) == [("Ada", "I sold the boat – really."), ("Zoë Müller", "Ich wohne in Köln ❤")]
    assert (talk.label, talk.date, talk.source_id) == (
        "Zoë Müller, 2024-05",
        "2024-05-04",
        "message_1.json (Meta: Zoë Müller and Ada)",
    )
    assert left.label == "Zoë Müller: 2 without words"


def test_what_programs_for_notes_put_beside_the_words_is_no_memory(tmp_path: Path) -> None:
    fields = "id: 0123456789abcdef0123456789abcdef\nparent_id: \ncreated_time: 2024-05-04T10:00:00.000Z\nis_todo: 0\ntype_: {}"
    put(tmp_path, "n/boat.md", f"Boat\n\nIt is in berth 12.\nPrice: 900\n\n{fields.format(1)}")
    put(tmp_path, "n/book.md", f"Home\n\n{fields.format(2)}")
    put(tmp_path, "n/Templates/Daily.md", "# {{date:YYYY}}\n- Mood: {{mood}}\n")
    put(tmp_path, "n/own.md", "id: 12\n\nThe boat is blue.\n")
    put(tmp_path, "n/map.canvas", {"nodes": [{"type": "text", "text": "Sell the boat"}, {"type": "file", "file": "own.md"}]})
    kept = [
        {
            "content_type": "Note",
            "created_at": "2024-05-04T10:00:00.000Z",
            "content": {"title": "Keys", "text": "Ines has them."},
        },
        {"content_type": "Tag", "content": {"title": "home"}},
        {"content_type": "Note", "content": "004:abcdef"},
    ]
    put(tmp_path, "n/backup.txt", {"version": "004", "items": kept})
    found = list(items(tmp_path / "n"))
    assert {item.label: written(item) for item in found if item.request} == {
        "Boat": "# Boat\n\nIt is in berth 12.\nPrice: 900",
        "Sell the boat": "Sell the boat",
        "Keys": "# Keys\n\nInes has them.",
    }
    assert {item.date for item in found if item.request} == {"2024-05-04", None}
    assert [item.label for item in found if item.file] == ["own.md"]
    assert {item.label: item.skipped for item in found if item.skipped} == {
        "book.md": "it is a notebook, a tag or a file of Joplin's, and no note",
        "Templates/Daily.md": "it is a template: what stands in it is filled in where it is used",
        "Tag": "it is no note",
        "a note": "it is encrypted. Make a backup that is not",
    }


def test_the_bookmarks_of_firefox_are_read_with_their_folders(tmp_path: Path) -> None:
    link = {"title": "How to sail", "dateAdded": 1714818600000000, "type": "text/x-moz-place", "uri": "https://sail.example/a"}
    place = {"title": "", "type": "text/x-moz-place", "uri": "place:type=6"}
    menu = {"title": "Boats", "type": "text/x-moz-place-container", "children": [{**link, "tags": "sea"}, place]}
    root = {"title": "", "type": "text/x-moz-place-container", "root": "placesRoot", "children": [menu]}
    page, query = items(put(tmp_path, "bookmarks.json", root))
    assert written(page) == "Saved page: “How to sail” (https://sail.example/a), filed under Boats, sea."
    assert (page.date, page.source_id) == ("2024-05-04", "bookmarks.json (Firefox)")
    assert query.skipped == "it is no page on the web"


def test_of_notions_two_tables_of_one_database_the_whole_one_is_read(tmp_path: Path) -> None:
    for name in ("Boats 0123456789abcdef0123456789abcdef.csv", "Boats 0123456789abcdef0123456789abcdef_all.csv"):
        put(tmp_path, f"n/{name}", "Name,Berth\nBlue,12\n")
    assert [item.skipped for item in items(tmp_path / "n")] == [
        "its rows are read from the table beside it that has all of them",
        None,
    ]


def test_a_month_of_any_length_is_read_in_parts_in_little_memory() -> None:
    row = b"[12.05.26, 09:14:33] Ada: " + b"The boat is blue. " * 200 + b"\n"
    content = row * 1_500
    found = exported("_chat.txt", io.BytesIO(content), len(content))
    assert found is not None
    tracemalloc.start()
    try:
        labels = [(item.label, len(item.request.messages or ()) if item.request else 0) for item in found]
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert labels[0][0] == "Ada, 2026-05"
    assert labels[1][0] == "Ada, 2026-05 (part 2)"
    assert sum(count for _, count in labels) == 1_500
    assert peak < 12_000_000


def test_what_is_too_long_for_a_memory_is_cut_between_messages_lines_or_words() -> None:
    messages = [Message(content=f"I have {number} boats. " * 9) for number in range(4)]
    messages.append(Message(name="Ada", content=" ".join(map(str, range(400))) + "\n" + " ".join(map(str, range(900)))))
    long_one = conversation("x", "Boats", messages)
    parts, cut = [long_one], True
    while cut:
        halves = [each.halves() for each in parts]
        cut = any(halves)
        parts = [part for each, pair in zip(parts, halves, strict=True) for part in (pair or (each,))]
    told = [message for part in parts if part.request for message in part.request.messages or ()]
    assert "".join(each.content for each in told) == "".join(each.content for each in messages)
    assert len({part.key for part in parts}) == len(parts)
    assert all(len(each.content) < 400 for each in told)
    assert all(each.content.endswith((" ", "\n")) for each in told[:-1])
    assert note("x", "A note", "short").halves() is None
