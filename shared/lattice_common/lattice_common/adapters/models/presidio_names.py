"""Names of people found by presidio and its language models: the extra `pii`. Nothing is fetched from the web for it.

Only spaCy's recogniser of names is asked: e-mail addresses, numbers and the like are found by our own patterns, and presidio's
recogniser of e-mail addresses would fetch a list of suffixes.
"""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Callable, Iterator
from typing import Any

from lattice_common.errors import ModelUnavailable
from lattice_common.language.pii.span import PiiSpan

_MODELS = {"en": "en_core_web_sm", "de": "de_core_news_sm", "ru": "ru_core_news_sm", "fr": "fr_core_news_sm"}
"""Of each language the smallest that spaCy has; those that are installed are used."""

MISSING = (
    "LATTICE_NER_MODEL is presidio, which is not installed with a language model, so nothing is sent to another machine: install "
    "the extra `pii` and run `python -m spacy download en_core_web_sm`, or leave LATTICE_NER_MODEL empty to find names by rules."
)


def presidio_missing() -> bool:
    """Return whether presidio, or every language model for it, is not there. Imports nothing."""
    there = importlib.util.find_spec("presidio_analyzer") is not None
    return not (there and _installed())


def presidio_names() -> Callable[[str], Iterator[PiiSpan]]:
    """Return a finder of names; it loads its models at the first text, in seconds. Raises `ModelUnavailable` where it cannot."""
    lock = threading.Lock()
    analyzers: list[tuple[Any, str]] = []

    def find(text: str) -> Iterator[PiiSpan]:
        with lock:
            if not analyzers:
                analyzers.extend(_load())
            found = [
                each
                for analyzer, language in analyzers
                for each in analyzer.analyze(text=text, language=language, entities=["PERSON"])
            ]
        for each in found:
            yield from _words(text, each.start, each.end)

    return find


def _words(text: str, start: int, end: int) -> Iterator[PiiSpan]:
    """Yield each word of a name by itself, as the rules give them."""
    at = start
    for word in text[start:end].split():
        at = text.index(word, at)
        yield PiiSpan(at, at + len(word), "PERSON")
        at += len(word)


def _installed() -> list[tuple[str, str]]:
    return [(language, name) for language, name in _MODELS.items() if importlib.util.find_spec(name) is not None]


def _load() -> list[tuple[Any, str]]:
    if presidio_missing():
        raise ModelUnavailable(MISSING)
    # An extra that takes seconds to import and is seldom installed.
    from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
    from presidio_analyzer.nlp_engine import NlpEngineProvider
    from presidio_analyzer.predefined_recognizers import SpacyRecognizer

    try:
        installed = _installed()
        models = [{"lang_code": language, "model_name": name} for language, name in installed]
        engine = NlpEngineProvider(nlp_configuration={"nlp_engine_name": "spacy", "models": models}).create_engine()
        languages = [language for language, _ in installed]
        registry = RecognizerRegistry(
            recognizers=[SpacyRecognizer(supported_language=each, supported_entities=["PERSON"]) for each in languages],
            supported_languages=languages,
        )
        analyzer = AnalyzerEngine(registry=registry, nlp_engine=engine, supported_languages=languages)
    except (OSError, ValueError, ImportError) as error:
        raise ModelUnavailable(MISSING) from error
    return [(analyzer, language) for language in languages]
