"""A reranker that counts words in common, for tests: no model, and what it prefers is seen at once."""

from __future__ import annotations

from collections.abc import Sequence

from lattice_common.language.text import words


class WordReranker:
    """A `Reranker`: the share of the question's words that a text has."""

    @property
    def model_id(self) -> str:
        return "words-in-common"

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        asked = set(words(question))
        return [len(asked & set(words(text))) / max(1, len(asked)) for text in texts]
