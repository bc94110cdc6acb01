"""The harness of `make bench-peers`: what is told and asked, what counts as found, and what is shown of it."""

from __future__ import annotations

import json
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from lattice_common.capture.request import CaptureMetadata, IngestRequest, Message

from bench.evidence import Asked, Corpus
from bench.peers.basic_memory_notes import file_name
from bench.peers.lattice_product import one_by_one
from bench.peers.measure import LIMIT, WARM_UP, measured
from bench.peers.plain import Bm25, fused
from bench.peers.report import COLUMNS, figure, markdown, row
from bench.peers.system import Told
from bench.peers.texts import OTHER, OWN, TALK, Collection, Question, Text, collection

ROOT = Path(__file__).parents[2]
PEERS = ROOT / "bench" / "peers" / ".venv" / "bin" / "python"

TALKED = Corpus(
    "conv-1",
    (
        IngestRequest(
            messages=[
                Message(id="D1:1", name="Ada", content="My dog is called Rex.", observed_at="2026-01-05T09:00:00Z"),
                Message(id="D1:2", name="Ben", content="Mine is a cat."),
            ],
            source_type="chat",
            metadata=CaptureMetadata(session_id="conv-1:one", observed_at="2026-01-04T09:00:00Z"),
        ),
    ),
    (
        Asked("What is Ada's pet called?", frozenset({"D1:1"}), "4"),
        Asked("Who is Ada's cat?", frozenset({"D1:2"}), "unanswerable"),
    ),
)
NOTED = Corpus(
    "notes",
    (
        IngestRequest(text="Oats are in the pantry.", metadata=CaptureMetadata(source_id="2026-01-02")),
        IngestRequest(text="Coffee. Wilma has a key.", metadata=CaptureMetadata(source_id="long/2026-01-03")),
    ),
    (
        Asked("Where is breakfast?", frozenset({"2026-01-02"}), "plain", "held-out"),
        Asked("Wilma key", frozenset({"2026-01-03#2"}), "keyword", "held-out"),
        Asked("Who has a key?", frozenset({"2026-01-03#2"}), "plain", "dev"),
    ),
)


def test_a_conversation_is_told_turn_by_turn_and_asked_what_something_answers() -> None:
    told = collection(TALKED)

    assert [text.plain for text in told.texts] == ["Ada: My dog is called Rex.", "Ben: Mine is a cat."]
    assert [text.at for text in told.texts] == ["2026-01-05T09:00:00Z", "2026-01-04T09:00:00Z"]
    assert told.questions == (Question("What is Ada's pet called?", ("D1:1",), TALK),)


def test_the_gold_sentence_of_a_long_note_is_the_note_and_what_was_fitted_to_is_not_asked() -> None:
    told = collection(NOTED)

    assert [text.id for text in told.texts] == ["2026-01-02", "2026-01-03"]
    assert [(each.gold, each.kind) for each in told.questions] == [(("2026-01-02",), OTHER), (("2026-01-03",), OWN)]


def test_text_by_text_a_turn_keeps_its_speaker_its_time_and_its_conversation() -> None:
    (turn, _), note = one_by_one(collection(TALKED).texts), one_by_one(collection(NOTED).texts)[0]

    assert turn.messages is not None
    assert (turn.messages[0].name, turn.messages[0].content) == ("Ada", "My dog is called Rex.")
    assert (turn.messages[0].id, turn.metadata.session_id) == ("D1:1", "conv-1:one")
    assert (note.text, note.metadata.source_id) == ("Oats are in the pantry.", "2026-01-02")


def test_fusion_prefers_what_both_found() -> None:
    assert fused([["a", "b"], ["c", "b"]]) == ["b", "a", "c"]


def test_bm25_finds_by_any_word_whatever_else_stands_in_the_question(tmp_path: Path) -> None:
    system = Bm25(tmp_path)
    system.tell([Told("1", "Oats are in the pantry.", None), Told("2", "The key hangs by the door.", None)])

    assert system.find('Keys, AND "doors" (which?) OR text:nothing', 20) == ["2"]
    assert system.find("umbrella", 20) == []


class _Remembers:
    """Finds texts that share a word, in the order in which they were told."""

    def __init__(self) -> None:
        self.told: list[Told] = []
        self.settled = False
        self.asked: list[str] = []

    def version(self) -> str:
        return "1.0"

    def tell(self, texts: Sequence[Told]) -> None:
        self.told += texts

    def settle(self) -> None:
        self.settled = True

    def find(self, question: str, limit: int) -> list[str]:
        assert self.settled
        assert limit == LIMIT
        self.asked.append(question)
        return [each.id for each in self.told if set(question.split()) & set(each.text.split())]

    def close(self) -> None: ...


def test_every_question_is_asked_once_after_a_warm_up() -> None:
    system = _Remembers()
    questions = [f"dog {number}" for number in range(WARM_UP + 3)]

    values = measured(system, [Told("a", "a dog", None), Told("b", "a cat", None)], questions)

    assert system.asked == questions[:WARM_UP] + questions
    assert values["found"] == [["a"]] * len(questions)
    assert len(values["find_s"]) == len(values["find_cpu_s"]) == len(questions)
    assert values["settled_s"] >= values["told_s"] >= 0


def _run(found: list[list[str]], **changed: Any) -> dict[str, Any]:
    values: dict[str, Any] = {"version": "x 1.0", "python": "3.12.1", "told_s": 2.0, "settled_s": 4.0, "settled_cpu_s": 1.0}
    values |= {"find_s": [0.001, 0.1], "find_cpu_s": [0.001, 0.003], "peak_mb": 100.0, "disk_mb": 3.0, "found": found}
    return values | changed


TOLD = Collection(
    "conv-1",
    tuple(Text(f"D1:{n}", "…", "Ada", None, None) for n in range(8)),
    (Question("one", ("D1:1", "D1:2"), TALK), Question("two", ("D1:3",), TALK)),
)


def test_recall_is_the_share_of_gold_among_the_first_results_and_repeats_take_places() -> None:
    late = ["D1:9"] * 10 + ["D1:3"]

    made = row("x", [(TOLD, _run([["D1:1", "D1:1", "D1:7"], late]))])

    assert made.recall == {(TALK, 10): 0.25, (TALK, 20): 0.75}


def test_a_row_sums_texts_and_disk_and_takes_the_largest_memory() -> None:
    run = _run([[], []])

    made = row("x", [(TOLD, run), (TOLD, run | {"peak_mb": 250.0})])

    assert (made.texts_per_second, made.settled_per_second, made.settled_per_cpu_second) == (4.0, 2.0, 8.0)
    assert (made.memory_mb, made.disk_mb) == (250.0, 6.0)
    assert (made.p50_ms, made.p95_ms, made.cpu_ms) == pytest.approx((50.5, 100.0, 2.0))


def test_the_table_has_a_cell_for_each_column_and_the_versions_below() -> None:
    head, _, line, empty, versions = markdown([row("x", [(TOLD, _run([["D1:1"], []]))])]).splitlines()

    assert head.count("|") == line.count("|") == len(COLUMNS) + 1
    assert line.startswith("| x | 25.0 | 25.0 |  |  | 50.5 / 100.0 |")
    assert (empty, versions) == ("", "- x: x 1.0; Python 3.12.1")


def test_the_figure_is_well_formed_and_its_bars_are_as_long_as_what_was_found() -> None:
    rows = [row("Lattice", [(TOLD, _run([["D1:1", "D1:2"], ["D1:3"]]))]), row("<peer>", [(TOLD, _run([["D1:1"], []]))])]

    drawn = ET.fromstring(figure(rows))  # noqa: S314 - what was drawn a moment ago

    _, ours, theirs = drawn.findall("{http://www.w3.org/2000/svg}rect")
    assert float(ours.get("width", 0)) == pytest.approx(4 * float(theirs.get("width", 0)), abs=0.2)
    assert "<peer>" in [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")]


def test_file_names_tell_ids_apart() -> None:
    assert [file_name(each) for each in ("D1:1", "D11:1", "2026-01-02")] == ["d1-1.md", "d11-1.md", "2026-01-02.md"]


@pytest.mark.slow
@pytest.mark.skipif(not PEERS.exists(), reason="mem0 and basic-memory are not installed: `make bench-peers` installs them")
@pytest.mark.parametrize("system", ["mem0", "basic-memory"])
def test_a_peer_finds_what_it_was_told(system: str, tmp_path: Path) -> None:
    told = collection(TALKED)
    texts = [asdict(Told(each.id, each.plain, each.at)) for each in told.texts]
    task = tmp_path / "task.json"
    task.write_text(json.dumps({"texts": texts, "questions": [each.text for each in told.questions], "requests": []}))

    command = [str(PEERS), "-m", "bench.peers.measure", system, str(task), str(tmp_path / "store")]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True, timeout=300)

    values = json.loads(done.stdout.splitlines()[-1])
    assert values["found"][0][0] == "D1:1"
    assert values["disk_mb"] > 0
