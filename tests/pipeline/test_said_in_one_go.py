"""News that lies in several sentences together: they are stored apart and judged as what was said."""

from __future__ import annotations

from pathlib import Path

from lattice_common.adapters.memory.scripted_judge import ScriptedJudge
from lattice_common.domain.judgement import Relatedness

from tests.pipeline.living import current, say, started

SELLER = "My fish seller is Bapi, at Lake Market."
THEN = "2026-03-01T10:00:00Z"
LEGS, CUSTOMER = "Bapi's legs have given out.", "I am now a customer of Jhuma."
CERTAIN, LIKELY = 0.97, 0.7


def test_what_the_whole_ends_is_retired_though_no_sentence_of_it_does_alone(tmp_path: Path) -> None:
    judge = ScriptedJudge({(SELLER, f"{LEGS} {CUSTOMER}"): CERTAIN, (SELLER, LEGS): 0.2, (SELLER, CUSTOMER): 0.4})
    with started(tmp_path, judge=judge) as store:
        say(store, SELLER, observed_at=THEN)
        say(store, f"{LEGS} {CUSTOMER}")
        retired = next(atom for atom in store.stores.catalogue.all() if atom.content == SELLER)
        by = next(atom for atom in store.stores.catalogue.all() if atom.atom_id == retired.superseded_by)
        assert by.content == CUSTOMER, "the likeliest sentence is named as the reason"
        assert set(current(store)) == {LEGS, CUSTOMER}


def test_what_one_sentence_ends_alone_is_retired_whatever_stands_beside_it(tmp_path: Path) -> None:
    judge = ScriptedJudge({(SELLER, CUSTOMER): CERTAIN, (SELLER, f"{LEGS} {CUSTOMER}"): 0.1})
    with started(tmp_path, judge=judge) as store:
        say(store, SELLER, observed_at=THEN)
        say(store, f"{LEGS} {CUSTOMER}")
        assert SELLER not in current(store)


def test_the_owner_is_asked_once_about_what_was_said_in_two_sentences(tmp_path: Path) -> None:
    judge = ScriptedJudge({(SELLER, each): LIKELY for each in (LEGS, CUSTOMER, f"{LEGS} {CUSTOMER}")})
    with started(tmp_path, judge=judge) as store:
        say(store, SELLER, observed_at=THEN)
        say(store, f"{LEGS} {CUSTOMER}")
        new = store.stores.catalogue.all()
        assert [tie.type for atom in new for tie in atom.relations if tie.type == "may_update"] == ["may_update"]


def test_what_is_said_again_beside_something_else_holds(tmp_path: Path) -> None:
    class Repeated(ScriptedJudge):
        def relation(self, pair: tuple[str, str]) -> Relatedness:
            return Relatedness(0.0, 0.0, 1.0, 0.0) if pair == (SELLER, SELLER) else super().relation(pair)

    with started(tmp_path, judge=Repeated({(SELLER, f"{SELLER} {LEGS}"): LIKELY, (SELLER, LEGS): 0.2})) as store:
        say(store, SELLER, observed_at=THEN)
        say(store, f"{SELLER} {LEGS}")
        assert set(current(store)) == {SELLER, LEGS}
        assert not [
            tie for atom in store.stores.catalogue.all() for tie in atom.relations if tie.type in ("may_update", "updates")
        ]


def test_in_a_longer_text_each_sentence_stands_for_itself(tmp_path: Path) -> None:
    names = ("Anna", "Ben", "Cleo", "Dina", "Emil")
    text = " ".join(f"{name} plays the tuba on Mondays." for name in names)
    judge = ScriptedJudge({(SELLER, text): CERTAIN})
    with started(tmp_path, judge=judge) as store:
        say(store, SELLER, observed_at=THEN)
        say(store, text)
        assert SELLER in current(store)
        assert text not in {newer for _, newer in judge.asked}


def test_what_the_same_sentence_says_will_come_back_is_asked_about(tmp_path: Path) -> None:
    covers, legs = "Jhuma sells the fish these days,", "but Bapi will be back."
    judge = ScriptedJudge({(SELLER, text): CERTAIN for text in (f"{covers} {legs}", "Jhuma sells the fish these days")})
    with started(tmp_path, judge=judge) as store:
        say(store, SELLER, observed_at=THEN)
        say(store, f"{covers} {legs}")
        assert SELLER in current(store)
        assert [tie.type for atom in store.stores.catalogue.all() for tie in atom.relations] == ["may_update"]
