"""Which older statement a new one makes outdated: rules first, a language model for what they leave open, trust above both."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lattice_common.adapters.memory.scripted_model import Saying, ScriptedModel
from lattice_common.capture.request import CaptureMetadata, IngestRequest
from lattice_common.composition import Embedded
from lattice_common.domain.atom import Atom
from lattice_common.ports.language_model import ModelRequest

from tests.pipeline.living import atoms_of, current, finished, say, send
from tests.pipeline.modelled import asked, open_modelled, sentence_by_sentence

BIKE = ("I ride a red bike to work.", "I ride a blue bike to work.")
"""One subject, nearly the same words, and no rule that knows whether both can be true."""


class Chooser:
    """A model that reads sentence by sentence, and finds outdated what `pairs` says: marks, or `every` pair it is offered."""

    def __init__(self, pairs: list[tuple[str, str]] | str) -> None:
        self._pairs = pairs
        self._read = sentence_by_sentence()
        self.offered: list[dict[str, object]] = []

    def __call__(self, request: ModelRequest) -> Saying:
        if request.purpose != "supersede":
            subject = "bike" if "bike" in str(request) else ""
            return str(self._read(request)).replace('"subject": ""', f'"subject": "{subject}"')
        statements = asked(request)["statements"]
        self.offered += statements
        every = [(each["new"], old["old"]) for each in statements for old in each["older"]]
        chosen = every if isinstance(self._pairs, str) else self._pairs
        return json.dumps({"outdated": [{"new": new, "old": old} for new, old in chosen]})


def living(root: Path, chooser: Chooser) -> Embedded:
    """Similarities are lower with hashed words than with meanings, so the threshold is, too."""
    store = open_modelled(root, ScriptedModel(chooser), similarity_updates=0.5, similarity_duplicate=0.99)
    store.start()
    return store


def by_words(store: Embedded, words: str) -> Atom:
    [found] = [atom for atom in atoms_of(store).values() if words in atom.content]
    return found


def test_the_model_chooses_among_what_it_is_offered(tmp_path: Path) -> None:
    chooser = Chooser("every")
    with living(tmp_path, chooser) as store:
        say(store, BIKE[0], observed_at="2026-01-01T10:00:00Z")
        newer = say(store, BIKE[1], observed_at="2026-02-01T10:00:00Z")
        red = by_words(store, "red")
        assert red.superseded_by == newer.atom_ids[0]
        assert "language model" in (red.superseded_reason or "")
        assert newer.atoms_updated == 1
        assert len(chooser.offered) == 1


@pytest.mark.parametrize("pairs", [[("n1", "o9")], [("n7", "o1")], [("o1", "n1")], [("n1", "01jd00000000000000000000zz")], []])
def test_marks_that_were_not_offered_choose_nothing(tmp_path: Path, pairs: list[tuple[str, str]]) -> None:
    chooser = Chooser(pairs)
    with living(tmp_path, chooser) as store:
        say(store, BIKE[0], observed_at="2026-01-01T10:00:00Z")
        say(store, BIKE[1], observed_at="2026-02-01T10:00:00Z")
        assert len(chooser.offered) == 1
        assert current(store) == sorted(BIKE)


def test_a_document_retires_nothing_that_its_owner_said_whatever_the_model_thinks(tmp_path: Path) -> None:
    chooser = Chooser("every")
    with living(tmp_path, chooser) as store:
        say(store, BIKE[0], observed_at="2026-01-01T10:00:00Z")
        metadata = CaptureMetadata(observed_at="2026-02-01T10:00:00Z")
        request = IngestRequest(text=BIKE[1], source="document", source_type="plain", metadata=metadata)
        finished(store, send(store, request))
        assert chooser.offered == []
        assert not by_words(store, "red").is_superseded


def test_nobody_is_asked_where_the_rules_are_sure_or_nothing_is_alike(tmp_path: Path) -> None:
    chooser = Chooser("every")
    with living(tmp_path, chooser) as store:
        say(store, "I live in Berlin.", observed_at="2026-01-01T10:00:00Z")
        say(store, "I moved from Berlin to Lisbon.", observed_at="2026-02-01T10:00:00Z")
        say(store, "The lighthouse is 40 metres high.", observed_at="2026-02-02T10:00:00Z")
        assert chooser.offered == []
        assert by_words(store, "I live in Berlin").is_superseded


def test_phone_numbers_replace_each_other_by_pattern_and_by_what_they_are_for(tmp_path: Path) -> None:
    chooser = Chooser([])
    with living(tmp_path, chooser) as store:
        for day, said in enumerate(
            [
                "Anna Weber's phone number is +49 151 1234567.",
                "My work phone number is 030 5550101.",
                "My home phone number is 030 5550202.",
                "Anna Weber's new phone number is +49 160 7654321.",
            ],
            start=1,
        ):
            say(store, said, observed_at=f"2026-01-0{day}T10:00:00Z")
        assert by_words(store, "1234567").is_superseded
        assert not by_words(store, "7654321").is_superseded
        assert not by_words(store, "5550101").is_superseded
        assert not by_words(store, "5550202").is_superseded
