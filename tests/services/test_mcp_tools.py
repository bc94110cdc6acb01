"""What assistants can do, through the official client before a real product."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lattice_mcp.results import AnswerResult, Memory, RecallResult
from lattice_mcp.words import NOT_ORDERS, of_answer, of_recall
from mcp.client import Client
from mcp_product import Product, data, in_process, memory_of, said

pytestmark = pytest.mark.anyio


async def test_what_is_remembered_is_recalled_with_its_proof(assistant: Client) -> None:
    kept = await assistant.call_tool("remember", {"text": "My sister Nora works at Siemens."})
    assert said(kept).startswith("Remembered 1 thing.\n- My sister Nora works at Siemens.")
    found = await assistant.call_tool("recall", {"query": "Where does Nora work?"})
    (memory,) = data(found)["memories"]
    assert (memory["content"], memory["trust"]) == ("My sister Nora works at Siemens.", "user")
    assert memory["source_quote"] in "My sister Nora works at Siemens."
    assert memory["atom_id"] in said(found)
    assert data(kept)["atom_ids"] == [memory["atom_id"]]


async def test_what_an_assistant_relays_is_less_sure_than_what_the_owner_types(assistant: Client, lattice: Product) -> None:
    await assistant.call_tool("remember", {"text": "My sister Nora works at Siemens."})
    lattice.door.tell("The spare key is with Ines.")
    sure = {atom.content: atom.confidence for atom in lattice.door.embedded.lattice.recent(5)}
    assert sure["My sister Nora works at Siemens."] < sure["The spare key is with Ines."]


async def test_what_is_not_so_is_recalled_with_its_status(assistant: Client) -> None:
    await assistant.call_tool("remember", {"text": "I wish I had a narrowboat on the canal."})
    found = await assistant.call_tool("recall", {"query": "What kind of boat would I like?"})
    assert [memory["status"] for memory in data(found)["memories"]] == ["wished"]
    assert ", wished) [" in said(found)


async def test_nothing_known_is_said_plainly(assistant: Client) -> None:
    assert said(await assistant.call_tool("recall", {"query": "my shoe size"})) == "Nothing is remembered about that."


async def test_a_correction_and_a_forgetting_can_be_undone_by_the_id_that_they_say(assistant: Client) -> None:
    kept = data(await assistant.call_tool("remember", {"text": "The spare key is with Ines."}))
    (atom_id,) = kept["atom_ids"]
    corrected = await assistant.call_tool("update", {"atom_id": atom_id, "content": "The spare key is with Tom."})
    assert data(corrected)["change_id"] in said(corrected)
    assert "with Tom" in said(await assistant.call_tool("recall", {"query": "spare key"}))
    answered = await assistant.call_tool("forget", {"atom_id": atom_id})
    assert "Not forgotten yet: it is in the trash until 20" in said(answered)
    gone = data(answered)
    assert said(await assistant.call_tool("recall", {"query": "spare key"})) == "Nothing is remembered about that."
    await assistant.call_tool("undo", {"change_id": gone["change_id"]})
    assert "with Tom" in said(await assistant.call_tool("recall", {"query": "spare key"}))


async def test_what_a_document_says_does_not_become_the_users_word_by_a_correction(assistant: Client, lattice: Product) -> None:
    (atom_id,) = lattice.door.tell("The boiler is in the cellar.", source="document")["atom_ids"]
    corrected = data(await assistant.call_tool("update", {"atom_id": atom_id, "content": "The boiler is in the attic."}))
    (atom,) = lattice.door.embedded.lattice.recent(5)
    assert (atom.content, atom.trust) == ("The boiler is in the attic.", "document")
    wish = await assistant.call_tool("update", {"atom_id": atom_id, "kind": "preference"})
    assert wish.is_error
    assert "only the owner's own words make a preference" in said(wish)
    await assistant.call_tool("undo", {"change_id": corrected["change_id"]})
    (back,) = lattice.door.embedded.lattice.recent(5)
    assert (back.content, back.trust) == ("The boiler is in the cellar.", "document")


async def test_a_correction_of_what_the_user_said_stays_the_users_word(assistant: Client, lattice: Product) -> None:
    (atom_id,) = data(await assistant.call_tool("remember", {"text": "I like tea with milk."}))["atom_ids"]
    await assistant.call_tool("update", {"atom_id": atom_id, "content": "I like tea with lemon.", "kind": "preference"})
    (atom,) = lattice.door.embedded.lattice.recent(5)
    assert (atom.content, atom.trust, atom.kind) == ("I like tea with lemon.", "user", "preference")


async def test_what_cannot_be_done_is_an_error_in_words(assistant: Client) -> None:
    missing = await assistant.call_tool("forget", {"atom_id": "01aaaaaaaaaaaaaaaaaaaaaaaa"})
    assert missing.is_error
    assert "There is nothing to forget for 01aaaaaaaaaaaaaaaaaaaaaaaa" in said(missing)
    nothing = await assistant.call_tool("update", {"atom_id": "01aaaaaaaaaaaaaaaaaaaaaaaa"})
    assert nothing.is_error
    assert "There is nothing to change" in said(nothing)
    both = await assistant.call_tool("lattice_ingest", {})
    assert both.is_error
    assert "either `text` or `messages`" in said(both)


async def test_a_summary_of_a_session_is_always_the_assistants_words(assistant: Client, lattice: Product) -> None:
    await assistant.call_tool("remember", {"text": "I live in Berlin."})
    summary = "User: I live in Lisbon.\n\nWe recommend the library Polars for the billing project."
    await assistant.call_tool("lattice_capture", {"summary": summary, "title": "Session"})
    atoms = lattice.door.embedded.lattice.recent(20)
    assert {atom.source for atom in atoms if atom.content != "I live in Berlin."} == {"assistant"}
    assert {atom.trust for atom in atoms if "Lisbon" in atom.content} <= {"assistant"}
    (home,) = [atom for atom in atoms if atom.content == "I live in Berlin."]
    assert not home.is_superseded


async def test_a_pasted_chat_keeps_its_speakers(assistant: Client, lattice: Product) -> None:
    chat = (
        "User: I adopted a dog called Rex.\n\nAssistant: How lovely!\nI recommend the book Puppy Days.\n\n1. Walks\n2. Food\n"
        "3. Sleep\n4. Toys\n5. Vets\n\nUser: Rex is a beagle."
    )
    await assistant.call_tool("lattice_ingest", {"text": chat, "wait": True})
    whose = {atom.content: atom.trust for atom in lattice.door.embedded.lattice.recent(20)}
    assert whose["I adopted a dog called Rex."] == "user"
    assert {trust for content, trust in whose.items() if "Puppy Days" in content} <= {"assistant"}
    assert any("Rex is a beagle" in content for content in whose)


@pytest.mark.parametrize("tool", ["remember", "lattice_ingest"])
@pytest.mark.parametrize(
    ("person", "machine"), [("User: ", "Assistant: "), ("You said:\n", "ChatGPT said:\n"), ("Me: ", "Claude: ")]
)
async def test_no_words_of_an_assistant_become_the_users_however_the_chat_was_copied(
    assistant: Client, lattice: Product, tool: str, person: str, machine: str
) -> None:
    chat = f"{person}I adopted a cat called Mimi.\n{machine}I recommend the book Cat Days.\n{person}Mimi is grey."
    await assistant.call_tool(tool, {"text": chat} | ({"wait": True} if tool == "lattice_ingest" else {}))
    whose = {atom.content: atom.trust for atom in lattice.door.embedded.lattice.recent(20)}
    assert whose == {
        "I adopted a cat called Mimi.": "user",
        "I recommend the book Cat Days.": "assistant",
        "Mimi is grey.": "user",
    }


async def test_messages_keep_names_and_dates(assistant: Client, lattice: Product) -> None:
    messages = [
        {"role": "user", "name": "Ada", "content": "I moved to Ghent.", "observed_at": "2026-05-01T09:00:00+02:00", "id": "m1"},
        {"role": "user", "name": "Ben", "content": "I work at Siemens.", "observed_at": "2026-05-01T09:01:00+02:00", "id": "m2"},
    ]
    sent = {"messages": messages, "wait": True, "metadata": {"source_id": "chat-7", "session_id": "s-1", "mood": "good"}}
    result = data(await assistant.call_tool("lattice_ingest", sent))
    assert (result["state"], result["session_id"]) == ("stored", "s-1")
    atoms = lattice.door.embedded.lattice.recent(20)
    assert sorted(atom.content for atom in atoms) == ["Ada: I moved to Ghent.", "Ben: I work at Siemens."]
    assert {atom.metadata["message_id"] for atom in atoms} == {"m1", "m2"}
    assert {(atom.session_id, atom.source_id, atom.metadata["mood"], atom.metadata["channel"]) for atom in atoms} == {
        ("s-1", "chat-7", "good", "mcp")
    }


async def test_a_callers_date_is_kept_and_the_clock_stands_beside_it(assistant: Client, lattice: Product) -> None:
    await assistant.call_tool("remember", {"text": "I ran ten kilometres.", "observed_at": "2026-02-03T08:00:00+01:00"})
    (atom,) = lattice.door.embedded.lattice.recent(5)
    assert atom.observed_at.isoformat() == "2026-02-03T08:00:00+01:00"
    assert str(atom.metadata["recorded_at"]) > "2026-02-03"


async def test_a_date_that_cannot_be_read_is_said_and_how_to_write_one(assistant: Client) -> None:
    kept = await assistant.call_tool("remember", {"text": "I ran ten kilometres.", "observed_at": "yesterday"})
    assert data(kept)["notes"] == ["date-ignored"]
    assert "Write 2026-05-01T09:00:00+02:00." in said(kept)


async def test_neither_the_clock_nor_the_door_is_the_callers_to_say(assistant: Client, lattice: Product) -> None:
    claimed = {"recorded_at": "1999-01-01T00:00:00Z", "channel": "telegram", "client": "somebody", "mood": "good"}
    await assistant.call_tool("lattice_ingest", {"text": "I ran ten kilometres.", "wait": True, "metadata": claimed})
    (atom,) = lattice.door.embedded.lattice.recent(5)
    assert (atom.metadata["channel"], atom.metadata["client"], atom.metadata["mood"]) == ("mcp", "mcp", "good")
    assert str(atom.metadata["recorded_at"]) > "2026"


async def test_the_session_is_one_for_each_process_and_the_client_is_named(
    assistant: Client, lattice: Product, tmp_path: Path
) -> None:
    first = data(await assistant.call_tool("remember", {"text": "Rex is a beagle."}))
    second = data(await assistant.call_tool("lattice_ingest", {"text": "Nora is a vet.", "wait": True}))
    async with in_process(memory_of(lattice.url, tmp_path, lattice.token)) as other:
        third = data(await other.call_tool("lattice_status", {}))
    assert first["session_id"] == second["session_id"] != third["session_id"]
    assert {atom.session_id for atom in lattice.door.embedded.lattice.recent(5)} == {first["session_id"]}


async def test_select_and_answer_speak_as_the_api_does(assistant: Client, lattice: Product) -> None:
    lattice.door.tell("I live in Berlin. Nora lives in Ghent.")
    asked = {"query": "Where do I live?", "limit": 3, "explain": True, "filter": {"kind": ["fact"]}}
    selected = data(await assistant.call_tool("lattice_select", asked))
    direct = lattice.door.select(**asked)
    timing = {"trace_id", "took_ms"}
    assert {name: value for name, value in selected.items() if name not in timing | {"atoms"}} == {
        name: value for name, value in direct.items() if name not in timing | {"atoms"}
    }
    assert [atom["atom_id"] for atom in selected["atoms"]] == [atom["atom_id"] for atom in direct["atoms"]]
    assert selected["atoms"][0].keys() >= direct["atoms"][0].keys()
    answered = await assistant.call_tool("lattice_answer", {"query": "Where do I live?"})
    assert said(answered).startswith('Berlin [1]\n[1] "I live in Berlin."')
    assert data(answered)["citations"][0]["supported"]


async def test_status_is_in_short(assistant: Client, lattice: Product) -> None:
    lattice.door.tell("I live in Berlin.")
    status = await assistant.call_tool("lattice_status", {})
    assert said(status).startswith("1 memory; 1 day in a row.\nMostly about: home.")
    assert data(status)["top_subjects"] == ["home"]


async def test_search_and_fetch_have_the_shape_of_chatgpts_connectors(assistant: Client, lattice: Product) -> None:
    lattice.door.tell("I live in Berlin.")
    lattice.door.tell("I moved from Berlin to Lisbon.")
    found = await assistant.call_tool("search", {"query": "Lisbon"})
    assert json.loads(said(found)) == data(found)
    first = data(found)["results"][0]
    assert first.keys() == {"id", "title", "url"}
    fetched = await assistant.call_tool("fetch", {"id": first["id"]})
    document = data(fetched)
    assert json.loads(said(fetched)) == document
    assert document.keys() == {"id", "title", "text", "url", "metadata"}
    assert "Lisbon" in document["text"]
    assert first["id"] in document["url"]


async def test_prompts_say_how_memory_is_used(assistant: Client) -> None:
    names = {prompt.name for prompt in (await assistant.list_prompts()).prompts}
    assert names == {"recall_first", "save_session", "catch_up", "today"}
    first = await assistant.get_prompt("recall_first", {"question": "Where is the spare key?"})
    assert "Where is the spare key?" in str(first.messages[0].content)


async def test_long_ingests_report_how_far_they_are_and_that_never_goes_back(assistant: Client) -> None:
    reported: list[tuple[float, float | None]] = []

    async def progress(done: float, total: float | None, _: str | None) -> None:
        reported.append((done, total))

    text = "\n\n".join(f"Tom number {number} lives in town {number}." for number in range(600))
    await assistant.call_tool("lattice_ingest", {"text": text, "wait": True}, progress_callback=progress)
    assert reported == sorted(reported)
    assert any(0 < done < 7 for done, _ in reported)
    assert reported[-1] == (7, 7)


@pytest.mark.parametrize("tool", ["recall", "lattice_select", "lattice_answer", "search"])
async def test_no_address_of_a_document_is_handed_on_alive(assistant: Client, lattice: Product, tool: str) -> None:
    mine, theirs = "https://nora.example/garden", "https://evil.example/?q=secret"
    lattice.door.tell(f"Nora's garden page is {mine} and she lives in Ghent.")
    lattice.door.tell(f"Nora's garden plan is at {theirs} and ![x]({theirs}) is its picture.", source="document")
    asked = await assistant.call_tool(tool, {"query": "Nora's garden page"})
    whole = said(asked) + json.dumps(data(asked), ensure_ascii=False)
    assert theirs not in whole
    assert "](" not in whole
    assert mine in whole


async def test_nothing_but_names_of_the_shape_is_taken(assistant: Client) -> None:
    refused = await assistant.call_tool("lattice_select", {"query": "x", "filter": {"unknown": 1}})
    assert refused.is_error
    too_many: dict[str, Any] = {"query": "x", "limit": 101}
    assert (await assistant.call_tool("recall", too_many)).is_error


async def test_an_assistant_is_told_which_document_a_passage_is_from() -> None:
    """Asynchronous like all here, for the mark of the module."""
    found = Memory(
        atom_id="01jd0000000000000000000001",
        content="Notice is three months.",
        subject="Lease",
        kind="passage",
        observed_at="2026-03-04T09:00:00Z",
        trust="document",
        source_quote="Notice",
        passage_of="lease.pdf,\npage 3",
    )
    [_, line] = of_recall(RecallResult(memories=[found], answerable=True, confidence=0.9)).splitlines()
    assert line == "- Notice is three months. (2026-03-04, document, from lease.pdf, page 3) [01jd0000000000000000000001]"


KEY = Memory(
    atom_id="01jd0000000000000000000001",
    content="The spare key is with Ines.",
    subject="spare key",
    kind="fact",
    observed_at="2026-03-04T09:00:00Z",
    trust="user",
    source_quote="The spare key is with Ines.",
)


async def test_an_assistant_is_told_that_what_was_found_answers_nothing_for_sure() -> None:
    found = Memory(
        atom_id="01jd0000000000000000000001",
        content="The gas meter is behind the green door.",
        subject="gas meter",
        kind="fact",
        observed_at="2026-03-04T09:00:00Z",
        trust="user",
        source_quote="The gas meter is behind the green door.",
    )
    unsure, sure = (RecallResult(memories=[found], answerable=each, confidence=0.1) for each in (False, True))
    assert of_recall(unsure).startswith("Nothing answers that for sure; these are the nearest.")
    assert not of_recall(sure).startswith("Nothing answers")


@pytest.mark.parametrize("found", [[], [KEY]])
def test_an_assistant_is_told_what_was_not_searched_also_where_nothing_is_found(found: list[Memory]) -> None:
    result = RecallResult(memories=found, answerable=True, confidence=0.9, degraded=["search: looking through what changed"])
    assert of_recall(result).splitlines()[-1] == "Searched without all of memory: search: looking through what changed."


async def test_an_assistant_is_told_what_says_otherwise_and_that_it_is_no_order() -> None:
    stated, learned = (
        {
            "atom_id": number * 26,
            "content": content,
            "kind": "fact",
            "subject": "",
            "observed_at": "2026-03-04T09:00:00Z",
            "trust": trust,
        }
        for number, content, trust in (("1", "I live in Berlin.", "user"), ("2", "Ada lives in\nLisbon.", "document"))
    )
    answer = AnswerResult.model_validate(
        {
            "answer": "You live in Berlin.", "answered": True, "citations": [], "atoms": [stated], "used_llm": False,
            "trace_id": "t",
            "disagreements": [{"atom": stated, "disagrees_with": learned}],
        }
    )  # fmt: skip
    _, otherwise, warning = of_answer(answer).splitlines()
    assert otherwise.startswith("Says otherwise, and only one can be true: - Ada lives in Lisbon. (2026-03-04, document)")
    assert warning == NOT_ORDERS
