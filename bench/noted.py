"""Whether what an assistant notes of its user answers as well as what the user says: `python -m bench.noted [--author I …]`.

Of the memories of some authors in `train/data`, what begins with "I" or "My" is told once as it stands and once as an assistant
notes it ("User has …", "User's …"), each memory in a store of its own. Asked are the questions that such a statement answers, in
the words of the user: *right* where one is cited that answers, *wrong* where none of those told is.
"""

from __future__ import annotations

import argparse
import re
from dataclasses import replace

from lattice_common import logs
from lattice_common.capture.request import IngestRequest
from lattice_common.domain.recall import Query
from rich.console import Console
from rich.progress import track
from rich.table import Table

from bench.evidence import Asked, Corpus, GoldOf, bench_model, filled, lives
from bench.quality import recall_over

AUTHORS = ("I", "Q", "U", "V")
_BEGINS = (
    (re.compile(r"I['’]m\b|I am\b"), "User is"),
    (re.compile(r"I['’]ve\b|I have\b"), "User has"),
    (re.compile(r"I['’]ll\b"), "User will"),
    (re.compile(r"I don['’]t\b"), "User doesn't"),
    (re.compile(r"I can['’]t\b"), "User can't"),
    (re.compile(r"I do\b"), "User does"),
    (re.compile(r"My\b"), "User's"),
)
_VERB = re.compile(r"I ((?:now |also |always |only |usually |just |still )?)([a-z]+)\b")
_SAME = re.compile(
    r"\w+ed|was|had|got|went|took|gave|met|saw|bought|sold|paid|left|lost|kept|made|found|can|could|will|would|must|may|never|put|quit|read|started"
)


def noted(text: str) -> str | None:
    """Return what somebody says of themselves as an assistant notes it; None where it does not begin so."""
    begun = next((f"{words}{text[found.end() :]}" for pattern, words in _BEGINS if (found := pattern.match(text))), None)
    if begun is None and (verb := _VERB.match(text)):
        form = verb[2] if _SAME.fullmatch(verb[2]) else re.sub(r"(?<=[^aeiou])y$", "ie", verb[2]) + "s"
        begun = f"User {verb[1]}{form}{text[verb.end() :]}"
    if begun is None:
        return None
    return re.sub(r"\b(?:my|our)\b", "their", re.sub(r"\bme\b", "them", begun))


def of_author(author: str) -> list[tuple[Corpus, Corpus]]:
    """Return the memories that have such statements as they stand and as they are noted, with the questions that these answer."""
    found = []
    for corpus in lives(author)[0]:
        put = {_id(each): noted(each.text) for each in corpus.told}
        changed = {name for name, text in put.items() if text is not None}
        asked = tuple(each for each in corpus.asked if each.gold and each.gold <= changed)
        if asked:
            told = tuple(each.model_copy(update={"text": put[_id(each)] or each.text}) for each in corpus.told)
            found.append((replace(corpus, asked=asked), replace(corpus, told=told, asked=asked)))
    return found


def _id(request: IngestRequest) -> str:
    assert request.metadata is not None
    return str(request.metadata.source_id)


def right_of(corpus: Corpus) -> list[tuple[Asked, bool, bool]]:
    """Return each question, whether it was answered, and whether by what answers it."""
    model = bench_model()
    with filled(corpus, model, None) as (product, folder):
        recall, gold_of = recall_over(product, folder, meaning=True, judge=model.judge), GoldOf(product)
        found = []
        for asked in corpus.asked:
            answer = recall.answer(Query(asked.text))
            cited = {gold_of(atom) for atom in product.lattice.atoms([each.atom_id for each in answer.citations])}
            found.append((asked, answer.answered, not cited.isdisjoint(asked.gold)))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--author", action="append", help=f"letters of authors (default: {', '.join(AUTHORS)})")
    given = parser.parse_args()
    logs.configure("error", json=None)
    table = Table("author", "told", "questions", "right", "wrong", "refused")
    for author in given.author or AUTHORS:
        pairs = of_author(author)
        for name, place in (("as it stands", 0), ("as an assistant notes it", 1)):
            found = [each for pair in track(pairs, f"{author}, {name}", transient=True) for each in right_of(pair[place])]
            right, answered = (sum(each[at] and each[1] for each in found) for at in (2, 1))
            total = max(len(found), 1)
            shares = (right / total, (answered - right) / total, 1 - answered / total)
            table.add_row(author, name, str(len(found)), *(f"{each:.1%}" for each in shares))
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
