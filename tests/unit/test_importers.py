"""Conversations as other programs export them."""

from __future__ import annotations

import json

import pytest
from lattice_common.capture.importers.chat import Imported, read_chat
from lattice_common.capture.request import Message
from lattice_common.errors import InvalidInput

ANDROID = """12/05/2026, 09:14 - Messages and calls are end-to-end encrypted.
12/05/2026, 09:14 - Ada: I moved to Ghent
and I love it
13/05/2026, 21:03 - Bruno K.: Great!
"""
IOS = """\u200e[12.05.26, 09:14:33] Ada: I moved to Ghent
[13.05.26, 9:03:10 PM] Bruno: Great!
"""
LOCOMO = {
    "sample_id": "conv-1",
    "conversation": {
        "speaker_a": "Ada",
        "speaker_b": "Bruno",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Ada", "dia_id": "D1:1", "text": "I moved to Ghent."},
            {"speaker": "Bruno", "dia_id": "D1:2", "text": "Look at this!", "blip_caption": "a photo of a kayak"},
        ],
        "session_2_date_time": "10:00 am on 9 May, 2023",
        "session_2": [{"speaker": "Ada", "dia_id": "D2:1", "text": "Nice."}],
    },
}
CHATGPT = [
    {
        "title": "Moving",
        "mapping": {
            "root": {"message": None},
            "b": {
                "message": {
                    "id": "m2",
                    "author": {"role": "assistant"},
                    "create_time": 1746352801.5,
                    "content": {"content_type": "text", "parts": ["Congratulations!"]},
                }
            },
            "a": {
                "message": {
                    "id": "m1",
                    "author": {"role": "user"},
                    "create_time": 1746352800.0,
                    "content": {"content_type": "text", "parts": ["I moved to Ghent.", {"asset": 1}]},
                }
            },
            "s": {"message": {"id": "m0", "author": {"role": "system"}, "content": {"parts": [""]}}},
        },
    }
]


def read(content: object, name: str = "file") -> list[Imported]:
    return read_chat(content.encode() if isinstance(content, str) else json.dumps(content).encode(), name=name)


def messages(imported: Imported) -> list[Message]:
    assert imported.request.messages is not None
    return imported.request.messages


def test_locomo_gives_a_conversation_for_each_session_with_its_date_and_ids() -> None:
    first, second = read([LOCOMO], "locomo.json")
    assert [(each.name, each.id) for each in messages(first)] == [("Ada", "D1:1"), ("Bruno", "D1:2")]
    assert messages(first)[1].content == "Look at this! [shares a photo of a kayak]"
    assert {each.observed_at for each in messages(first)} == {"2023-05-08T13:56:00+00:00"}
    assert first.request.metadata.session_id == "locomo.json:conv-1:session_1"
    assert second.request.metadata.observed_at == "2023-05-09T10:00:00+00:00"


def test_chatgpts_export_is_read_in_the_order_it_was_written() -> None:
    [imported] = read(CHATGPT, "conversations.json")
    assert [(each.role, each.content, each.id) for each in messages(imported)] == [
        ("user", "I moved to Ghent.", "m1"),
        ("assistant", "Congratulations!", "m2"),
    ]
    assert messages(imported)[0].observed_at == "2025-05-04T10:00:00+00:00"
    assert imported.request.metadata.title == "Moving"


@pytest.mark.parametrize("text", [ANDROID, IOS])
def test_whatsapps_export_is_read_with_names_and_times(text: str) -> None:
    [imported] = read(text, "chat.txt")
    ada, bruno = messages(imported)
    assert ada.name == "Ada"
    assert ada.content.startswith("I moved to Ghent")
    assert (ada.observed_at or "")[:16] == "2026-05-12T09:14"
    assert (bruno.observed_at or "")[:16] == "2026-05-13T21:03"
    assert bruno.content == "Great!"


def test_months_come_first_where_a_date_says_so() -> None:
    [imported] = read("05/12/2026, 09:14 - Ada: Hi there\n05/13/2026, 09:15 - Ada: Bye\n")
    assert [(each.observed_at or "")[:10] for each in messages(imported)] == ["2026-05-12", "2026-05-13"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (  # what WhatsApp says itself, on Android
            "12/05/2026, 09:14 - Messages and calls are end-to-end encrypted. No one outside of this chat can read them.\n"
            "12/05/2026, 09:14 - You created group “Family: us”\n"
            "12/05/2026, 09:15 - Ada: I moved to Ghent\n\nNote: it rains\n"
            "12/05/2026, 09:16 - Bruno left\nand this is no word of Ada's\n"
            "12/05/2026, 09:17 - \u202a+32 470 11 12 13\u202c: <Media omitted>\n"
            "12/05/2026, 09:18 - +32 470 11 12 13: IMG-20260512-WA0001.jpg (file attached)\nThe boat\n"
            "12/05/2026, 09:19 - Ada: Good <This message was edited>\n"
            "12/05/2026, 09:20 - Ada: This message was deleted\n",
            [("Ada", "I moved to Ghent\nNote: it rains"), ("+32 470 11 12 13", "The boat"), ("Ada", "Good")],
        ),
        (  # the same, on iOS
            "[12/05/26, 09:14:33] Family: \u200eMessages and calls are end-to-end encrypted.\r\n"
            "[12/05/26, 09:15:00] ~\u202fAda: I moved to Ghent\r\nSince May\r\n"
            "\u200e[12/05/26, 09:16:00] Bruno: \u200eimage omitted\r\n"
            "\u200e[12/05/26, 09:17:00] Bruno: The boat \u200e<attached: 00000012-PHOTO.jpg>\r\n",
            [("Ada", "I moved to Ghent\nSince May"), ("Bruno", "The boat")],
        ),
    ],
)
def test_what_whatsapp_says_itself_is_nobodys_words(text: str, expected: list[tuple[str, str]]) -> None:
    [imported] = read(text, "chat.txt")
    assert [(each.name, each.content) for each in messages(imported)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5/12/26, 9:14\u202fAM - Ada: Hi\n5/13/26, 12:05\u202fPM - Ada: Bye\n", ["2026-05-12T09:14", "2026-05-13T12:05"]),
        ("[5/3/26, 9:14:33\u202fPM] Ada: Hi\n[6/2/26, 12:05:00\u202fAM] Ada: Bye\n", ["2026-05-03T21:14", "2026-06-02T00:05"]),
        ("3/5/26 9:14 a. m. - Ada: Hola\n2/6/26 9:15 p. m. - Ada: Adiós\n", ["2026-05-03T09:14", "2026-06-02T21:15"]),
        ("5/3/26, 9:14\u202fAM - Ada: Hi\n", ["2026-05-03T09:14"]),
        ("03/05/2026, 9:14 am - Ada: Hi\n", ["2026-05-03T09:14"]),
        ("[2026-05-03, 09:14:33] Ada: Hi\n", ["2026-05-03T09:14"]),
        ("03-05-2026 09:14 - Ada: Dag\n", ["2026-05-03T09:14"]),
        ("31/02/2026, 09:14 - Ada: Hi\n", [""]),
    ],
)
def test_days_and_clocks_of_whatsapp_are_told_over_the_whole_file(text: str, expected: list[str]) -> None:
    [imported] = read(text)
    assert [(each.observed_at or "")[:16] for each in messages(imported)] == expected


def test_a_transcript_is_read_by_its_names() -> None:
    [imported] = read("Ada: I moved to Ghent.\nSince May.\n\n[10:02] Bruno: Great!\n")
    assert [(each.name, each.content) for each in messages(imported)] == [
        ("Ada", "I moved to Ghent.\nSince May."),
        ("Bruno", "Great!"),
    ]


@pytest.mark.parametrize(
    "content",
    [
        [{"role": "user", "content": "I moved."}, {"role": "assistant", "content": "Nice."}],
        {"messages": [{"role": "user", "text": "I moved."}, {"sender": "assistant", "text": "Nice."}]},
        '{"role": "user", "content": "I moved."}\n{"role": "assistant", "content": "Nice."}\n',
    ],
)
def test_lists_of_messages_are_read_however_they_are_wrapped(content: object) -> None:
    [imported] = read(content)
    assert [(each.role, each.content) for each in messages(imported)] == [("user", "I moved."), ("assistant", "Nice.")]


def test_what_an_assistant_said_in_a_copied_conversation_is_the_assistants() -> None:
    (chat,) = read("You said:\nI adopted a cat.\nChatGPT said:\nTry these:\n\nFood: fish\n")
    assert chat.request.messages == [
        Message(role="user", content="I adopted a cat."),
        Message(role="assistant", content="Try these:\n\nFood: fish"),
    ]


def test_dates_of_messages_are_read_as_seconds_milliseconds_or_text() -> None:
    dates = (1746352800, 1746352800000, "2025-05-04T10:00:00+00:00", 10**40, True)
    [imported] = read([{"content": "Hi", "timestamp": date} for date in dates])
    said_at = [each.observed_at for each in messages(imported)]
    assert said_at == ["2025-05-04T10:00:00+00:00"] * 3 + [None, None]


def test_the_same_file_has_the_same_keys_and_another_file_others() -> None:
    keys = [each.idempotency_key for each in read([LOCOMO])]
    assert keys == [each.idempotency_key for each in read([LOCOMO])]
    assert len(set(keys)) == 2
    assert not set(keys) & {each.idempotency_key for each in read([LOCOMO, LOCOMO])}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"   ",
        b"no name here\n",
        b"[]",
        b"{}",
        b"[1, 2]",
        b'{"messages": []}',
        b'{"messages": [{"role": "user"}]}',
        b"\xff\xfeA\0",
        b'{"mapping": {"a": {"message": {"content": null}}}}',
        b"[" * 5000,
        b'[{"content": 5}]',
        b'{"session_1": "x"}',
    ],
)
def test_a_file_without_conversations_is_refused(content: bytes) -> None:
    with pytest.raises(InvalidInput):
        read_chat(content, name="broken.json")
