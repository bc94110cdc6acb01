"""Judges short statements: how a new one relates to an old one, whether one answers a question, what an utterance is meant as."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from lattice_common.domain.judgement import Relatedness, UtteranceReading
from lattice_common.ports.embedder import Vectors


class Judge(Protocol):
    """Calibrated probabilities; the same texts give the same ones, whatever stands beside them in a call, up to 1e-3.

    `model_id` names the weights. Texts are cut at some 120 tokens a row. Safe to call from several threads; makes no call that
    leaves the process. On two cores with 8-bit instructions: 12 pairs of one-line statements take 15 ms, an utterance 3 ms.
    """

    @property
    def model_id(self) -> str: ...

    @property
    def boundaries(self) -> Mapping[str, float]:
        """Found on statements that it was not trained on: probabilities of `ends` from which an older statement is retired
        (`certain`), its owner asked (`likely`) and it comes after the newer one (`perhaps`), and of `updates` below which a rule
        that would retire it is overruled (`refuted`)."""
        ...

    def relations(self, pairs: Sequence[tuple[str, str]]) -> list[Relatedness]:
        """Return how the second statement of each pair, which was said later, relates to the first; in the order given."""
        ...

    def ends(self, found: Sequence[Relatedness], alike: Sequence[float], *, whole: bool = True) -> list[float]:
        """Return the probability that each of the statements which one piece of news was compared with is what it ends, seen
        beside all the others; in the order given. `alike` are cosines, 0 where unknown; `whole` says whether these are all it was
        compared with."""
        ...

    def seeks(self, vector: Vectors, embedder: str) -> tuple[Vectors, float]:
        """Return where to look for what a new statement may make untrue: its unit vector, turned so that it is near those of the
        statements that such news ends, and the cosine below which nothing is worth comparing. The vector itself and -1 where
        nothing is known of the embedder with this `model_id`."""
        ...

    def answers(self, question: str, statements: Sequence[str]) -> list[float]:
        """Return the probability that each statement answers the question, 0 to 1, in the order given."""
        ...

    def utterances(self, texts: Sequence[str]) -> list[UtteranceReading]:
        """Return what each text is meant as, in the order given."""
        ...
