"""The held-out tables of the shipped judge, through the product's own adapter: `python -m train.report`, two minutes.

`dev` is what temperatures and boundaries were found on; `test` was only ever printed.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
from lattice_common.adapters.models.onnx_judge import FOLDER, OnnxJudge

from train.calibrate import answer_logits, compared_news, relation_logits, softmax, utterance_logits
from train.corpus import RELATIONS, STATUSES, Split, memories, pairs, utterances

UPDATES = RELATIONS.index("updates")
UNREAL = [STATUSES.index(name) for name in ("wish", "hypothetical", "quoted", "joke", "rejected")]
SHARES = (0.0025, 0.005, 0.01, 0.02, 0.05, 0.1)

Truths = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]


def relation_lines(judge: OnnxJudge, split: Split) -> Iterator[str]:
    found = pairs(split)
    given = softmax(relation_logits(judge, found), judge.description.temperatures["relation"])
    labels = np.array([pair.label for pair in found])
    updates, truth = given[:, UPDATES], labels == UPDATES
    yield f"relation: {len(found)} pairs, most likely label right {np.mean(given.argmax(1) == labels):.1%}"
    for share in SHARES:
        boundary = float(np.quantile(updates[~truth], 1 - share, method="higher"))
        yield f"  updates found where {share:.2%} of all else is taken for them: {np.mean(updates[truth] > boundary):.1%}"
    for name in ("en", "other"):
        own = np.array([(pair.lang == "en") == (name == "en") for pair in found])
        yield f"  {name}: {own.sum()} pairs, label right {np.mean(given[own].argmax(1) == labels[own]):.1%}"
    yield from reliability(updates, truth)


def ending_lines(judge: OnnxJudge, split: Split) -> Iterator[str]:
    """News told to whole memories: what it ends is retired, asked about, or missed."""
    news = compared_news(judge, split, parts=False)
    given = [np.array(judge.ends(each.found, each.alike)) for each in news]
    alone = [np.array([found.updates for found in each.found]) for each in news]
    ending = sum(int(each.ended.sum()) for each in news)
    yield f"news: {len(news)} in {len({each.life for each in news})} memories, which end {ending} statements"
    for name, scores in (("read together", given), ("pair by pair", alone)):
        worst = np.array([np.max(score[~each.ended], initial=0.0) for each, score in zip(news, scores, strict=True)])
        right = np.concatenate([score[each.ended] for each, score in zip(news, scores, strict=True)])
        shares = (f"{np.mean(right > np.quantile(worst, 1 - share, method='higher')):.1%} at {share:.2%}" for share in SHARES)
        yield f"  {name}, ended statements found where that share of the news is wrong of another: " + ", ".join(shares)
    for name, outcome in (("retired", "certain"), ("retired or asked about", "likely")):
        least = judge.boundaries[outcome]
        kept = [each.possible(outcome, score) >= least for each, score in zip(news, given, strict=True)]
        right = np.concatenate([chosen[each.ended] for each, chosen in zip(news, kept, strict=True)])
        wrong = np.mean([bool(chosen[~each.ended].any()) for each, chosen in zip(news, kept, strict=True)])
        yield f"  {name}: {right.mean():.1%} of what is ended, something else by {wrong:.2%} of the news"
    yield from reliability(np.concatenate(given), np.concatenate([each.ended for each in news]))


def reliability(given: Floats, truth: Truths, bins: int = 10) -> Iterator[str]:
    """A reliability diagram in text, and the expected calibration error."""
    error = 0.0
    yield "  said  true"
    for low in np.arange(bins) / bins:
        inside = (given >= low) & ((given < low + 1 / bins) | (low + 1 / bins >= 1))
        if inside.any():
            said, was = given[inside].mean(), truth[inside].mean()
            error += abs(said - was) * inside.mean()
            yield f"  {said:.2f}  {was:.2f}  {'#' * round(20 * was):20} {inside.sum()}"
    yield f"  expected calibration error {error:.3f}"


def utterance_lines(judge: OnnxJudge, split: Split) -> Iterator[str]:
    found = utterances(split)
    intent, status, kind = utterance_logits(judge, found)
    right = np.array([row.argmax() == each.intent for row, each in zip(intent, found, strict=True)])
    yield f"utterance: {len(found)}, intent right {right.mean():.1%}"
    languages = sorted({each.lang for each in found})
    shares = {language: right[np.array([each.lang == language for each in found])].mean() for language in languages}
    yield "  " + ", ".join(f"{language} {share:.0%}" for language, share in shares.items())
    tells = np.array([each.status >= 0 for each in found])
    truth = np.array([each.status for each in found])[tells]
    said = status[tells].argmax(1)
    kinds = np.array([each.kind for each in found])[tells]
    right_kind = np.mean(kind[tells].argmax(1) == kinds)
    yield f"  of {tells.sum()} that tell: status right {np.mean(said == truth):.1%}, kind {right_kind:.1%}"
    unreal = np.isin(truth, UNREAL)
    yield (
        f"  asserted taken for asserted {np.mean(said[truth == 0] == 0):.1%}; wished, supposed, quoted, joked and dropped taken "
        f"for asserted {np.mean(said[unreal] == 0):.1%}"
    )
    parts = {name: np.mean(said[truth == number] == number) for number, name in enumerate(STATUSES) if (truth == number).any()}
    yield "  " + ", ".join(f"{name} {share:.0%}" for name, share in parts.items())


def answer_lines(judge: OnnxJudge, split: Split) -> Iterator[str]:
    given, truth, question, answerable = answer_logits(judge, split)
    best, first = [], []
    for number in range(question.max() + 1):
        own = question == number
        best.append(given[own].max())
        first.append(bool(truth[own][given[own].argmax()]))
    sure, there = np.array(best), np.array([answerable[question == number][0] for number in range(question.max() + 1)])
    area = np.mean(sure[there][:, None] > sure[~there][None, :])
    yield (
        f"answers: {there.sum()} questions in {len(memories(split))} memories, right statement first "
        f"{np.mean(np.array(first)[there]):.1%}; {(~there).sum()} near misses, AUC {area:.3f}"
    )
    for share in (0.01, 0.03, 0.05):
        boundary = np.quantile(sure[there], share)
        yield f"  {share:.0%} of what is answerable refused: {np.mean(sure[~there] < boundary):.1%} of the near misses refused"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=FOLDER)
    judge = OnnxJudge(parser.parse_args().folder)
    splits: tuple[Split, ...] = ("dev", "test")
    for split in splits:
        print(f"== {split}")
        for lines in (relation_lines, ending_lines, utterance_lines, answer_lines):
            print("\n".join(lines(judge, split)))


if __name__ == "__main__":
    main()
