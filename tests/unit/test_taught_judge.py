"""What the judge is taught of by larger encoders: the rows are those that it reads elsewhere, and the losses what they say."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the dependency group `train` is not installed")
pytest.importorskip("lightgbm", reason="the dependency group `rank` is not installed")

from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.adapters.models.packaged_minilm import package_folder

from train.batches import LONGEST, Row, Tokens, tensors
from train.beside import UNRELATED
from train.corpus import SOME_TRUE_STATUS, endings, lives, memories, pairs, utterances
from train.distil.assembly import Batch, Held
from train.distil.course import Course
from train.distil.descent import Pace, descend_in_time
from train.distil.draws import Draw, batches, drawn_rows
from train.distil.learn import answers_of, go_on
from train.distil.objective import loss_of, soft_loss
from train.distil.reader import Reader
from train.distil.rows import LABELLED, UNKNOWN, Candidate, Corpus, Table, table_of, tables
from train.distil.taught import read_taught, write_taught
from train.distil.teacher import bucket, renumbered
from train.encoder import Judge
from train.fit import (
    NOT_UPDATES,
    choice_loss,
    rows_of_histories,
    rows_of_lives,
    rows_of_memories,
    rows_of_pairs,
    rows_of_utterances,
)
from train.negatives import nearest_in_lives, nearest_statements

if TYPE_CHECKING:
    from torch import Tensor

CPU = torch.device("cpu")
OUTPUTS = {"relation": 4, "news": 4, "answers": 1, "lines": 1, "utterance": 24}


@pytest.fixture(scope="module")
def tokens() -> Tokens:
    return Tokens(package_folder())


def paired(tokens: Tokens, texts: list[tuple[str, str]], head: str = "relation", target: int = 0) -> Table:
    return table_of(tokens, head, (Candidate(old, new, (target,), number // 3) for number, (old, new) in enumerate(texts)))


def assert_same(batch: Batch, rows: list[Row]) -> None:
    """Compare what is assembled with what `train.batches` makes; a batch may be wider, and is then empty there."""
    for name, ours, theirs in zip(("ids", "types", "mask"), (batch.ids, batch.types, batch.mask), tensors(rows), strict=False):
        wide = theirs.shape[1]
        assert torch.equal(ours[:, :wide], theirs), name
        assert not ours[:, wide:].any(), name
    assert torch.equal(batch.target, tensors(rows)[3])


def test_pairs_are_assembled_as_the_judge_reads_them_elsewhere(tokens: Tokens) -> None:
    found = pairs("train")[::400]
    table = table_of(tokens, "relation", (Candidate(pair.old, pair.new, (pair.label,), at) for at, pair in enumerate(found)))
    assert_same(Held(table, CPU).batch(np.arange(len(found))), rows_of_pairs(tokens, found))


def test_utterances_are_assembled_as_the_judge_reads_them_elsewhere(tokens: Tokens) -> None:
    found = [*utterances("train")[::2000], *endings("train")[:3]]
    given = (Candidate(each.text, None, (each.intent, each.status, each.kind), at) for at, each in enumerate(found))
    batch = Held(table_of(tokens, "utterance", given), CPU).batch(np.arange(len(found)))
    assert_same(batch, rows_of_utterances(tokens, found))
    assert SOME_TRUE_STATUS in batch.target[:, 1]
    assert batch.labelled


@pytest.mark.parametrize(("head", "marked"), [("relation", "relation"), ("news", "relation"), ("lines", "answers")])
def test_long_texts_are_cut_where_the_judge_cuts_them(tokens: Tokens, head: str, marked: str) -> None:
    short, long, longer = "Ada moved to Bergen.", "word " * 90, "other words " * 200
    texts = [(first, second) for first in (short, long, longer) for second in (short, long, longer)]
    held = Held(paired(tokens, texts, head), CPU)
    rows = [Row(head, *tokens.of(marked, old, new), (0.0,)) for old, new in texts]
    batch = held.batch(np.arange(len(texts)))
    assert_same(batch, rows)
    assert batch.ids.shape[1] == LONGEST
    some = np.array([7, 0, 4])
    assert_same(held.batch(some), [rows[place] for place in some])


@pytest.fixture(scope="module")
def found() -> Corpus:
    """Two lives with a piece of news each that concerns something, and a memory in which something was replaced."""
    told = [replace(life, news=tuple(each for each in life.news if each.updates)[:1]) for life in lives("train")[:2]]
    known = [next(each for each in memories("train") if any(q[3] == "current" and q[2] for q in each.questions))]
    return Corpus(pairs("train")[:40], [], told, known, known, [])


@pytest.fixture(scope="module")
def small(tokens: Tokens, found: Corpus) -> dict[str, Table]:
    return tables(tokens, HashedEmbedder(), found, random.Random(3))


def read_of(table: Table, place: int) -> tuple[tuple[int, ...], int]:
    return tuple(table.tokens[table.starts[place] : table.starts[place + 1]].tolist()), int(table.target[place, 0])


def test_what_is_labelled_is_read_as_in_training_without_teachers(tokens: Tokens, found: Corpus, small: dict[str, Table]) -> None:
    embedder, chance = HashedEmbedder(), random.Random(1)
    nearest = nearest_statements(embedder, found.memories)
    expected = {
        "lives": rows_of_lives(tokens, found.lives, nearest_in_lives(embedder, found.lives), chance),
        "asked": rows_of_memories(tokens, found.memories, nearest, chance),
        "histories": rows_of_histories(tokens, found.memories, nearest, chance),
    }
    other = {"lives": UNRELATED, "asked": 0, "histories": int(NOT_UPDATES)}
    for part, rows in expected.items():
        table = small[part]
        labelled = [read_of(table, place) for place in np.flatnonzero(table.place == LABELLED).tolist()]
        assert labelled == [(tuple(row.ids), int(row.target[0])) for row in rows if row.target[0] != other[part]], part
        assert labelled, part
        assert {int(label) for label in table.target[table.place != LABELLED, 0]} == {other[part]}, part


def test_what_stands_elsewhere_is_of_another_life_and_has_no_label(
    tokens: Tokens, found: Corpus, small: dict[str, Table]
) -> None:
    table = small["other_lives"]
    assert set(table.target[:, 0].tolist()) == {UNKNOWN}
    assert not Held(table, CPU).labelled
    for place, group in enumerate(table.group.tolist()):
        news, elsewhere = found.lives[group].news[0].text, found.lives[1 - group].statements
        assert read_of(table, place)[0] in [tuple(tokens.of("relation", said, news)[0]) for said in elsewhere]


def test_a_batch_holds_every_row_once_and_groups_whole(tokens: Tokens) -> None:
    texts = [("word " * (number % 17 + 1), "news") for number in range(60)]
    table = paired(tokens, texts, "news")
    chance = np.random.default_rng(1)
    found = batches(table, np.arange(60), 7, chance)
    assert sorted(np.concatenate(found).tolist()) == list(range(60))
    groups = [set(table.group[places].tolist()) for places in found]
    assert sum(map(len, groups)) == len(set(table.group.tolist()))
    assert max(map(len, found)) <= 9


def test_a_draw_keeps_what_is_labelled_and_as_many_others_of_each_text(tokens: Tokens) -> None:
    places = [LABELLED, LABELLED, *range(6), *range(4)]
    groups = [0, 0, *[0] * 6, *[1] * 4]
    given = (Candidate("a", "b", (3,), group, place) for group, place in zip(groups, places, strict=True))
    table = table_of(tokens, "news", given)
    drawn = [drawn_rows(table, Draw(close=1, far=2), np.random.default_rng(seed)).tolist() for seed in range(30)]
    assert all({0, 1, 2, 8} <= set(rows) for rows in drawn)
    assert {len(rows) for rows in drawn} == {8}
    assert set().union(*drawn) == set(range(12))
    assert len({len(drawn_rows(table, Draw(far=9, share=0.5), np.random.default_rng(seed))) for seed in range(30)}) == 4


@pytest.mark.parametrize("head", sorted(OUTPUTS))
def test_teachers_that_give_the_same_leave_nothing_to_learn(head: str) -> None:
    given = torch.randn(6, OUTPUTS[head], generator=torch.Generator().manual_seed(2), requires_grad=True)
    soft_loss(head, given, given.detach()).backward()
    assert given.grad is not None
    assert given.grad.abs().max() < 1e-6


def one_batch(head: str, target: list[float], soft: Tensor | None, labelled: bool = True) -> Batch:
    empty = torch.zeros(len(target), 1, dtype=torch.long)
    return Batch(head, empty, empty, empty, torch.tensor(target)[:, None], torch.zeros(len(target)).long(), soft, labelled)


def test_of_a_row_without_a_label_only_teachers_count() -> None:
    given, soft = torch.tensor([[2.0], [-1.0]]), torch.tensor([[0.5], [3.0]])
    batch = one_batch("answers", [UNKNOWN, UNKNOWN], soft, labelled=False)
    assert loss_of(batch, given, 0.3) == soft_loss("answers", given, soft)


def test_without_teachers_the_share_of_teachers_is_nothing() -> None:
    given = torch.tensor([[2.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.0]])
    batch = one_batch("news", [0.0, 3.0], None)
    assert loss_of(batch, given, 0.8) == loss_of(batch, given, 0.0)


def test_the_choice_is_among_the_rows_of_a_group_and_none_of_them() -> None:
    scores = torch.tensor([1.0, 400.0, -2.0, 0.5, -300.0], requires_grad=True)
    right = torch.tensor([True, False, True, False, True])
    groups = torch.tensor([4, 7, 4, 4, 9])
    powers = np.exp([1.0, -2.0, 0.5])
    expected = (np.log(1 + powers.sum()) - np.log(powers[0] + powers[1]) + 400 + 300) / 3
    loss = choice_loss(scores, right, groups)
    assert loss.item() == pytest.approx(expected, rel=1e-6)
    loss.backward()
    assert scores.grad is not None
    assert scores.grad[4] == pytest.approx(-1 / 3)


class Small(torch.nn.Module):
    """Stands for an encoder: a vector for each token, their mean, and one head."""

    def __init__(self) -> None:
        super().__init__()
        self.words = torch.nn.Embedding(30_522, 8)
        self.still = torch.nn.Linear(8, 8)
        self.relation = torch.nn.Linear(8, 4)

    def forward(self, batch: Batch) -> Tensor:
        given: Tensor = self.relation(self.still(self.words(batch.ids).mean(1)))
        return given


def ticks() -> Callable[[], float]:
    """Return a clock that goes on by a second whenever it is read."""
    told = count()
    return lambda: float(next(told))


def trained(held: Held, learning: list[str]) -> tuple[Small, dict[str, Tensor]]:
    """Two steps, without teachers; the weights before."""
    torch.manual_seed(4)
    model = Small()
    before = {name: values.clone() for name, values in model.state_dict().items()}
    course = Course({"pairs": Draw()}, 4, Pace(3, 0.1), seed=1)
    parts = [getattr(model, name) for name in learning]
    descend_in_time(
        model,
        course.epochs({"pairs": held}),
        lambda batch: course.loss(batch, model(batch)),
        course.pace,
        learning=parts,
        heads=[model.relation],
        clock=ticks(),
    )
    return model, before


@pytest.mark.lengthy
def test_training_ends_with_the_time_and_changes_only_what_learns(tokens: Tokens, capsys: pytest.CaptureFixture[str]) -> None:
    held = Held(paired(tokens, [("Ada lives in Bergen.", f"Ada moved, {number}.") for number in range(12)]), CPU)
    model, before = trained(held, ["words", "relation"])
    assert "ended after 2 steps" in capsys.readouterr().out
    changed = {name for name, values in model.state_dict().items() if not torch.equal(values, before[name])}
    assert changed == {"words.weight", "relation.weight", "relation.bias"}
    assert not model.training
    assert all(weight.requires_grad for weight in model.parameters())


@pytest.mark.lengthy
def test_the_last_layers_go_on_and_their_copies_learn_by_themselves(tokens: Tokens) -> None:
    """One turn of eight rows: two steps."""
    torch.manual_seed(5)
    told = [("Ada lives in Bergen.", f"Ada moved to the {floor}th floor.") for floor in range(4, 12)]
    held = {"pairs": Held(paired(tokens, told), CPU), "asked": Held(paired(tokens, told, "answers", 1), CPU)}
    reader = Reader(Judge(package_folder()))
    before = {name: values.clone() for name, values in reader.state_dict().items()}
    pace = Pace(math.inf, 1e-3, turns=1)
    answers = answers_of(reader, held, Course({"asked": Draw()}, 4, pace, seed=1))
    assert all(torch.equal(values, before[name]) for name, values in reader.state_dict().items())
    assert not torch.equal(answers.state_dict()["layers.0.wide.weight"], before["encoder.layers.4.wide.weight"])
    assert not torch.equal(answers.state_dict()["heads.answers.weight"], before["encoder.answers.weight"])
    go_on(reader, held, Course({"pairs": Draw()}, 4, pace, seed=1))
    changed = {name for name, values in reader.state_dict().items() if not torch.equal(values, before[name])}
    assert {name.split(".")[2] for name in changed if "layers" in name} == {"4", "5"}
    assert {name for name in changed if "layers" not in name} == {"encoder.relation.weight", "encoder.relation.bias"}


def test_tokens_far_apart_share_an_offset_and_near_ones_have_their_own() -> None:
    found = bucket(torch.arange(-200, 201))
    near = found[200 - 7 : 200 + 8].tolist()
    assert near == [7, 6, 5, 4, 3, 2, 1, 0, 17, 18, 19, 20, 21, 22, 23]
    assert set(found.tolist()) == set(range(32)) - {16}
    assert len(set(found[:73].tolist())) == 1


def test_words_are_found_in_the_vocabulary_of_the_teacher(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("vocabularies")
    (folder / "ours.txt").write_text("[PAD]\n[UNK]\n[CLS]\n[SEP]\nword\nother\n", encoding="utf-8")
    (folder / "theirs.txt").write_text("<s>\n<pad>\n</s>\n<unk>\n[UNK]\nword\n", encoding="utf-8")
    assert renumbered(folder / "ours.txt", folder / "theirs.txt") == [1, 4, 0, 2, 5, 4]


def test_what_was_taught_is_read_as_it_was_written(tokens: Tokens, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("taught") / "build" / "taught.npz"
    table = paired(tokens, [("Ada lives in Bergen.", "Ada moved.")] * 5, "news", 3)
    soft = np.random.default_rng(0).random((5, 4)).astype(np.float16)
    write_taught(path, {"lives": table}, {"lives": soft})
    tables, given = read_taught(path)
    assert tables["lives"].head == "news"
    for name in ("tokens", "starts", "firsts", "target", "group", "place"):
        assert np.array_equal(getattr(tables["lives"], name), getattr(table, name)), name
    assert np.array_equal(given["lives"], soft)


def test_rows_are_drawn_alike_from_one_seed(tokens: Tokens) -> None:
    held = Held(paired(tokens, [(f"word {random.Random(number).random()}", "news") for number in range(20)]), CPU)
    course = Course({"pairs": Draw()}, 4, Pace(1, 0.1), seed=5)
    first, second = (next(course.epochs({"pairs": held})) for _ in range(2))
    assert [batch().ids.tolist() for batch in first] == [batch().ids.tolist() for batch in second]
