"""Failures that a user notices, as a closed list: counted, logged and shown, without any content."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

Failure: TypeAlias = Literal["nothing_found", "no_answer", "reformulated", "model_away", "rejected", "conflict", "dead"]
"""`nothing_found`: a search below the floor. `no_answer`: a question that nothing known answers; `reformulated`: another question
in the same conversation within two minutes of that. `model_away`: an answer without the language model that was to write it.
`rejected`: a capture of which something was not proved, or that could not be read. `conflict`: a memory that contradicts what is
known. `dead`: a capture that was given up after its last attempt."""

FAILURES: tuple[Failure, ...] = get_args(Failure)
