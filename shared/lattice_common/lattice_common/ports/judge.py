"""Judges short statements: how a new one relates to an old one, whether one answers a question, and what an utterance is meant
as."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from lattice_common.domain.judgement import Relatedness, UtteranceReading
from lattice_common.ports.embedder import Vectors


class Judge(Protocol):
    """Gives calibrated probabilities; the same texts give the same ones, whatever else is in the call, up to 1e-3.

    `model_id` names the weights. Texts are cut at some 120 tokens a row. Safe to call from several threads; makes no call that
    leaves the process. On two cores with 8-bit instructions, 12 pairs of one-line statements take 15 ms and an utterance 3 ms.
    """

    @property
    def model_id(self) -> str: ...

    @property
    def boundaries(self) -> Mapping[str, float]:
        """Return thresholds, found on statements that the judge was not trained on: probabilities of `ends` from which an older
        statement is retired (`certain`), its owner is asked (`likely`) and it is ranked after the newer one (`perhaps`), and of
        `updates` below which a rule that would retire it is overruled (`refuted`)."""
        ...

    def relations(self, pairs: Sequence[tuple[str, str]]) -> list[Relatedness]:
        """Return how the second, later statement of each pair relates to the first; in the order given."""
        ...

    def ends(self, found: Sequence[Relatedness], alike: Sequence[float], *, whole: bool = True) -> list[float]:
        """Return the probability that each of the statements compared with one piece of news is the one that it ends, given all
        the others; in the order given. `alike` are cosines, 0 where unknown; `whole` says whether these are all that it was
        compared with."""
        ...

    def seeks(self, vector: Vectors, embedder: str) -> tuple[Vectors, float]:
        """Return where to search for what a new statement may make untrue: its unit vector, turned so that it is near the
        statements that such news ends, and the cosine below which nothing is worth comparing. Return the vector itself and -1 for
        an unknown embedder `model_id`."""
        ...

    def answers(self, question: str, statements: Sequence[str]) -> list[float]:
        """Return the probability that each statement answers the question, 0 to 1, in the order given."""
        ...

    def lines_answer(self, question: str, lines: Sequence[str]) -> list[float]:
        """Return how surely each line of a document, shown below its headings, answers the question: 0 to 1, in the order given.
        They are read beside each other by a regression (`recall/document_lines.py`), which calibrates them."""
        ...

    def utterances(self, texts: Sequence[str]) -> list[UtteranceReading]:
        """Return the reading of each text, in the order given."""
        ...

    def meant(self, parts: Sequence[tuple[str, str]]) -> list[UtteranceReading]:
        """Return the reading of the second text of each pair, which is a part of the first, or all of it; in the order given."""
        ...
