"""Fits whether what was found answers a question (`recall/answerable.py`): LightGBM (`uv sync --group rank`).

    python -m bench.fit_answerable [--write] [--stores FOLDER] [--samples FILE]

Fitted on the memories D and H of `train/data`, which the judge was not trained on, each in a store of its own and those of D in
one, on words of their statements alone (so that keywords are known to be answered), and on the dev halves of `bench/notes` and of
`tests/data/abstention`. Prints, for questions of memories that each fold of five has not seen, what the floor does, and the
curve that it was chosen from. `--samples` keeps what was found for each question; asking takes some minutes, fitting seconds.
The held-out files are asked by `bench.answerable` only. The trees
without the judge that are packaged are of an earlier fit (docs/decisions/0036).
"""

from __future__ import annotations

import json
import random
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
import numpy.typing as npt
from lattice_common import logs
from lattice_common.domain.recall import Query
from lattice_common.domain.score import Weights
from lattice_common.domain.trees import Tree
from lattice_common.language.text import query_tokens
from lattice_common.recall.answerable import (
    FEATURES,
    NEVER_AGAINST,
    NEVER_AGAINST_ALONE,
    NEVER_FOR,
    WITHOUT_JUDGE,
    Found,
    Signs,
    age_known,
    best_found,
    doubt_of,
    features,
)
from lattice_common.recall.confidence import signs
from lattice_common.recall.pipeline import Recall
from lattice_common.recall.question import Search
from lattice_common.recall.weights import load_weights, weights_for
from rich.progress import track

from bench.evidence import UNANSWERABLE, Asked, Corpus, bench_model, filled, lives, memories, notes
from bench.fit_talk_order import flat
from bench.fitting import arguments, beside_recall, kept
from bench.quality import recall_over

FILE = "answerable.json"
Floats = npt.NDArray[np.float64]

SHARES = {"own": 2.0, "one store": 1.0, "few": 1.5, "notes": 2.5, "keywords": 0.7, "something else": 1.0}
"""What each kind of question counts, answerable and not alike; a kind with twenty questions does not outweigh one of five hundred
by more than that."""
SHARES_ALONE = {**SHARES, "own": 1.0, "something else": 0.7}
"""The same without the judge: nothing else tells a near miss."""
ROUNDS = 120
PARAMETERS: dict[str, Any] = {
    "objective": "binary", "num_leaves": 6, "learning_rate": 0.05, "min_data_in_leaf": 30, "feature_fraction": 0.6,
    "bagging_fraction": 0.7, "bagging_freq": 1, "lambda_l2": 5.0, "seed": 1, "deterministic": True, "verbose": -1,
    "num_threads": 1,
}  # fmt: skip
REFUSED, REFUSED_ALONE = 0.03, 0.02
"""Share of answerable questions below the floor, in the mean over the kinds."""
FOLDS = 5
FOREIGN = 8
"""Questions of another memory's owner that each memory is asked."""
KEYWORDS = 8
"""Statements of each memory whose words are sought."""
CURVE = (0.01, 0.015, 0.02, 0.03, 0.05, 0.08, 0.12)


@dataclass(frozen=True, slots=True)
class Sample:
    """What was found for a question, and whether it has an answer. `group`: what is held out together; `unread`: what is found
    where the judge reads nothing, for the order is another one then; `doubt`: what
    counts against an answer beside the trees."""

    kind: str
    group: str
    question: str
    answerable: bool
    found: tuple[Found, ...]
    signs: Signs
    chances: tuple[float, ...]
    unread: tuple[Found, ...]
    unread_signs: Signs
    doubt: float


def samples(stores: Path | None) -> list[Sample]:
    """Every question, asked through the product."""
    model, weights = bench_model(), load_weights()
    own, together = lives("D")
    own += lives("H")[0]
    corpora = [(corpus, "own") for corpus in own] + [(together, "one store")]
    corpora += [(replace(corpus, asked=tuple(keywords(corpus))), "keywords") for corpus in own]
    corpora += [(replace(corpus, asked=tuple(each)), "something else") for corpus, each in elsewhere(own)]
    corpora += [(corpus, "few") for corpus in memories()] + [(notes(), "notes")]
    collected: list[Sample] = []
    for corpus, kind in track(corpora, "telling and asking"):
        with filled(corpus, model, stores) as (product, folder):
            recall = recall_over(product, folder, meaning=True, judge=model.judge)
            asked_here = [asked for asked in corpus.asked if asked.half != "held-out"]
            given = [sample_of(recall, asked, kind, corpus.name, weights) for asked in asked_here]
            collected += [each for each in given if each is not None]
    return collected


def sample_of(recall: Recall, asked: Asked, kind: str, store: str, weights: Weights) -> Sample | None:
    """What recall finds for a question with and without the judge; None where it finds nothing."""
    read, unread = (recall.search(Query(asked.text), judged=judged) for judged in (True, False))
    found, otherwise = best_found(read), best_found(unread)
    if read.reading is None or not found or not otherwise:
        return None
    chances = read.reading.answers(asked.text, [each.content for each in found])
    group = next((gold.partition("/")[0] for gold in sorted(asked.gold) if "/" in gold), store)
    about = (kind, group, asked.text, asked.answerable)
    seen, unseen = (_signs(each, weights) for each in (read, unread))
    row = features(asked.text, found, seen, chances)
    doubt = doubt_of(row, found, seen, lacks_age=age_known(read.question, found, is_read=True) is False)
    return Sample(*about, tuple(found), seen, tuple(map(float, chances)), tuple(otherwise), unseen, doubt)


def _signs(search: Search, weights: Weights) -> Signs:
    seen = signs(search, weights_for(search, weights))
    return Signs(seen["slot"], seen["absent"], seen["literal"])


def keywords(corpus: Corpus) -> Iterable[Asked]:
    """A few words of some statements, as people look for what they know is there."""
    chance = random.Random(corpus.name)
    told = [request for request in corpus.told if len(query_tokens(request.text or "")) >= 5]
    for request in chance.sample(told, min(KEYWORDS, len(told))):
        words = [word.strip(".,;:!?()\"'") for word in (request.text or "").split()]
        words = [word for word in words if query_tokens(word)]
        some = chance.choice((2, 3, 3, 4, 5))
        first = chance.randrange(max(1, len(words) - some))
        chosen: Sequence[int] = range(first, min(first + some, len(words)))
        if chance.random() < 0.5:
            chosen = sorted(chance.sample(range(len(words)), min(some, len(words))))
        gold = frozenset((str(request.metadata.source_id),)) if request.metadata else frozenset()
        yield Asked(" ".join(words[at] for at in chosen), gold, "keyword")


def elsewhere(own: Sequence[Corpus]) -> Iterable[tuple[Corpus, list[Asked]]]:
    """Each memory with questions that another one's owner asked: about something else altogether."""
    for corpus, other in zip(own, [*own[1:], own[0]], strict=True):
        chosen = random.Random(corpus.name).sample(list(other.asked), FOREIGN)
        yield corpus, [Asked(each.text, frozenset(), UNANSWERABLE, each.half) for each in chosen]


def rows_of(given: Sequence[Sample], *, judged: bool) -> Floats:
    if judged:
        return np.concatenate([features(each.question, each.found, each.signs, each.chances) for each in given])
    return np.concatenate([features(each.question, each.unread, each.unread_signs, None) for each in given])


def weights_of(given: Sequence[Sample], shares: Mapping[str, float]) -> Floats:
    """Each kind its share, and as much for what is answerable as for what is not."""
    counts: dict[tuple[str, bool], int] = {}
    for each in given:
        counts[each.kind, each.answerable] = counts.get((each.kind, each.answerable), 0) + 1
    weights = np.array([shares[each.kind] / counts[each.kind, each.answerable] for each in given])
    return weights / weights.mean()


def trained(rows: Floats, given: Sequence[Sample], names: Sequence[str]) -> lightgbm.Booster:
    """What the judge gives, and values such as are asked for, never count against an answer."""
    against = NEVER_AGAINST if names == FEATURES else (*NEVER_AGAINST, *NEVER_AGAINST_ALONE)
    order = [1 if name in against else -1 if name in NEVER_FOR else 0 for name in names]
    truth = np.array([float(each.answerable) for each in given])
    data = lightgbm.Dataset(rows, truth, weight=weights_of(given, SHARES if names == FEATURES else SHARES_ALONE))
    return lightgbm.train({**PARAMETERS, "monotone_constraints": order}, data, ROUNDS)


def fit(given: Sequence[Sample], *, judged: bool) -> dict[str, Any]:
    """Trees, floor and curve, as `answerable.json` has them; prints what questions of unseen memories get."""
    names = FEATURES if judged else WITHOUT_JUDGE
    rows = rows_of(given, judged=judged)
    fold = np.array([_fold(each, given) for each in given])
    unseen = np.zeros(len(given))
    for at in range(FOLDS):
        kept = [each for each, number in zip(given, fold, strict=True) if number != at]
        model = trained(rows[fold != at], kept, names)
        unseen[fold == at] = np.asarray(model.predict(rows[fold == at], raw_score=True))
    unseen -= np.array([each.doubt for each in given]) if judged else 0.0
    floor = _floor(unseen, given, REFUSED if judged else REFUSED_ALONE)
    print("with the judge" if judged else "without the judge")
    for kind in SHARES:
        print(f"  {kind}: " + _said(unseen, given, kind, floor))
    curve = [{"refused": share, "floor": round(_floor(unseen, given, share), 3)} for share in CURVE]
    for point in curve:
        refused = {kind: _refused(unseen, given, kind, point["floor"]) for kind in ("own", "one store", "few")}
        point["unanswerable_refused"] = {kind: round(share[1], 3) for kind, share in refused.items()}
        print(f"  floor {point['floor']}: {share_of(refused)}")
    model = trained(rows, given, names)
    trees = [tree for each in model.dump_model()["tree_info"] if (tree := flat(each["tree_structure"])).feature]
    return {"features": list(names), "floor": round(floor, 3), "curve": curve, "trees": [_short(tree) for tree in trees]}


def share_of(refused: dict[str, tuple[float, float]]) -> str:
    return ", ".join(f"{kind} {known:.1%} of the answerable, {other:.1%} of the rest" for kind, (known, other) in refused.items())


def _fold(sample: Sample, given: Sequence[Sample]) -> int:
    """A memory that is asked alone and among others is one."""
    known = _groups(given).get(sample.question, sample.group)
    return zlib.crc32(known.encode()) % FOLDS


_GROUPS: dict[int, dict[str, str]] = {}


def _groups(given: Sequence[Sample]) -> dict[str, str]:
    return _GROUPS.setdefault(id(given), {each.question: each.group for each in given if each.kind == "own"})


def _floor(values: Floats, given: Sequence[Sample], share: float) -> float:
    """Where `share` of the answerable questions lie below it, each kind counting the same."""
    kinds = np.array([each.kind if each.answerable else "" for each in given])
    chance = np.random.default_rng(0)
    drawn = [chance.choice(values[kinds == kind], 1000) for kind in SHARES if kind in kinds]
    return float(np.quantile(np.concatenate(drawn), share))


def _refused(values: Floats, given: Sequence[Sample], kind: str, floor: float) -> tuple[float, float]:
    below = [(each.answerable, value < floor) for each, value in zip(given, values, strict=True) if each.kind == kind]
    known = [refused for answerable, refused in below if answerable]
    others = [refused for answerable, refused in below if not answerable]
    return _mean(known), _mean(others)


def _mean(refused: Sequence[bool]) -> float:
    return sum(refused) / len(refused) if refused else float("nan")


def _said(values: Floats, given: Sequence[Sample], kind: str, floor: float) -> str:
    known, other = _refused(values, given, kind, floor)
    return f"refuses {known:.1%} of the answerable, {other:.1%} of the rest"


def _short(tree: Tree) -> dict[str, Any]:
    fields = asdict(tree)
    return {**fields, "threshold": [float(f"{each:.6g}") for each in tree.threshold]}


def main() -> None:
    args = arguments(__doc__, FILE)
    logs.configure("error", json=None)
    given = kept(args.samples, _read, lambda: samples(args.stores))
    content = {
        "comment": "Made by bench/fit_answerable.py from memories D and H of train/data and the dev halves of bench/notes and "
        "tests/data/abstention.",
        "judged": fit(given, judged=True),
        "unjudged": fit(given, judged=False),
    }
    if args.write:
        path = beside_recall(FILE)
        path.write_text(json.dumps(content, separators=(",", ":")) + "\n", encoding="utf-8")


def _read(line: dict[str, Any]) -> Sample:
    found, unread = (tuple(Found(**each) for each in line.pop(name)) for name in ("found", "unread"))
    read, otherwise = (Signs(**line.pop(name)) for name in ("signs", "unread_signs"))
    chances = tuple(line.pop("chances"))
    return Sample(**line, found=found, signs=read, chances=chances, unread=unread, unread_signs=otherwise)


if __name__ == "__main__":
    main()
