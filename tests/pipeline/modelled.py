"""A store whose captures a scripted model reads, and models that read by simple means."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.adapters.memory.scripted_model import Saying, ScriptedModel
from lattice_common.adapters.models.open_language_model import ModelsInUse
from lattice_common.composition import Embedded, Model, open_embedded
from lattice_common.ingest.pace import Pace
from lattice_common.language.sentences.split import sentences
from lattice_common.ports.clock import Clock
from lattice_common.ports.judge import Judge
from lattice_common.ports.language_model import LanguageModel, ModelRequest
from lattice_common.settings import Settings

from tests.pipeline.living import PATIENCE

Reader = Callable[[ModelRequest], Saying]


def open_modelled(
    root: Path,
    model: LanguageModel | None,
    *,
    clock: Clock | None = None,
    judge: Judge | None = None,
    pace: Pace = Pace(),  # noqa: B008 - frozen
    **settings: Any,
) -> Embedded:
    """The embedded product with a language model that reads captures; its writer is not started."""
    in_use = ModelsInUse(model, None, lambda: {"provider": "scripted", "available": True, "reason": None}, lambda: None)
    made = Settings(data_dir=root, embed_model="none", **{"llm_model": "scripted", "llm_patience_seconds": PATIENCE, **settings})
    return open_embedded(made, clock=clock, model=Model(HashedEmbedder(), judge=judge), models=in_use, pace=pace)


def asked(request: ModelRequest) -> dict[str, Any]:
    """The data of a question to a model, from between its marks."""
    [said] = [message.content for message in request.messages if message.role == "user"][:1]
    head, _, rest = said.partition("\nBEGIN ")
    word, _, body = rest.partition("\n")
    assert head.endswith(f"END {word}.")
    assert body.endswith(f"\nEND {word}")
    data: dict[str, Any] = json.loads(body.removesuffix(f"\nEND {word}"))
    return data


def texts(data: dict[str, Any]) -> list[str]:
    """What a model is to read: the words of each turn, or the text."""
    return [turn["text"] for turn in data["turns"]] if "turns" in data else [data["text"]]


def memories(*found: dict[str, Any]) -> str:
    """An answer with these."""
    return json.dumps({"memories": list(found)}, ensure_ascii=False)


def memory(content: str, quote: str | None = None, kind: str = "fact", **more: Any) -> dict[str, Any]:
    return {"content": content, "quote": quote or content, "kind": kind, "subject": "", "entities": [], **more}


def sentence_by_sentence(reword: Callable[[str], str] = str) -> Reader:
    """A model that takes each sentence for a fact, in words of its own; asked whether it is there, or what is outdated, it says
    nothing of use."""

    def read(request: ModelRequest) -> str:
        if request.purpose not in ("extract", "repair") or request.schema is None:
            return '{"outdated": []}'
        found = [text[span.start : span.end] for text in texts(asked(request)) for span in sentences(text, 0, len(text))]
        return memories(*(memory(reword(sentence), sentence) for sentence in found))

    return read


def away() -> ScriptedModel:
    """A model that cannot be reached until its `up` is set."""
    return ScriptedModel(sentence_by_sentence(lambda sentence: f"Noted: {sentence}"), up=False)
