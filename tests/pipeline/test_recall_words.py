"""Questions in the words of what was told, with and without search by meaning; and slots, which are asked in other words."""

from __future__ import annotations

from pathlib import Path

import pytest
from lattice_common.composition import Model, open_embedded
from lattice_common.domain.recall import Query
from lattice_common.recall.pipeline import RecallOptions
from lattice_common.settings import Settings
from recalled_store import atom, recall_over

BESIDE = {"capture_id": "coffee", "session_id": "coffee"}
TOLD = [
    atom("Coffee with the neighbours, lovely people.", 1, **BESIDE),
    atom("Ingrid in flat 12 has my spare key, and her dog is called Bruno.", 2, **BESIDE),
    atom("The street party is in June.", 3, **BESIDE),
    atom("The key of the piano is sticky again.", 4),
    atom("Wifi password at the library is turquoise-heron.", 5),
    atom("The password of the tax portal is on the blue card.", 6),
    atom("Filter for the range hood: part number DX-7714-B.", 7),
    atom("Switched to a standing desk, back pain is much better.", 8),
]
WAYS = (
    pytest.param({}, id="with meaning"),
    pytest.param({"options": RecallOptions(dense_seeds=False)}, id="no model"),
    pytest.param({"meaning": False}, id="dense leg away"),
)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Who has my spare key?", "Ingrid in flat 12"),
        ("wifi password", "Wifi password"),
        ("DX-7714-B", "Filter for"),
        ("What is Bruno?", "Ingrid in flat 12"),
    ],
)
def test_rare_words_of_a_question_find_the_sentence_they_stand_in_first(
    way: dict[str, object], question: str, found: str
) -> None:
    selection = recall_over(TOLD, **way).select(Query(question))  # type: ignore[arg-type]  # one of WAYS
    assert selection.atoms[0].atom.content.startswith(found)
    assert selection.answerable


@pytest.mark.parametrize("way", WAYS)
def test_the_sentence_is_found_too_where_it_does_not_tell_what_is_asked(way: dict[str, object]) -> None:
    selection = recall_over(TOLD, **way).select(Query("How much did Ingrid's dog get?"))  # type: ignore[arg-type]  # one of WAYS
    assert selection.atoms[0].atom.content.startswith("Ingrid in flat 12")


@pytest.mark.parametrize("way", WAYS)
def test_where_we_live_is_answered_by_the_move_and_the_address(way: dict[str, object]) -> None:
    home = [
        atom("Now that we live out here I cycle to work.", 11),
        atom("The new address is 14 Alder Road.", 12),
        atom("I moved to Alder Road today.", 13),
    ]
    chosen = recall_over([*TOLD, *home], **way).select(Query("Where do we live?")).atoms  # type: ignore[arg-type]  # one of WAYS
    assert {selected.atom.seq for selected in chosen[:2]} == {12, 13}


def test_where_somebody_else_lives_is_no_question_about_me() -> None:
    homes = [atom("I live in Berlin.", 11), atom("Marta lives in Kraków.", 12)]
    for question, number in (("Where does Marta live?", 12), ("Where do I live now?", 11)):
        assert recall_over([*TOLD, *homes]).select(Query(question)).atoms[0].atom.seq == number


def test_without_meaning_other_weights_count() -> None:
    query = Query("wifi password", explain=True)
    with_meaning = recall_over(TOLD).select(query).atoms[0].signals
    without = recall_over(TOLD, meaning=False).select(query).atoms[0].signals
    assert "dense" in with_meaning
    assert "dense" not in without
    assert without["bm25"].weight > 0


def test_what_nobody_said_is_not_answered_with_what_somebody_else_did() -> None:
    talk = [
        atom("Marta: I adopted a grey cat last week.", 21, speaker="Marta", entities=("Marta",)),
        atom("Jonas: That is lovely!", 22, speaker="Jonas", entities=("Jonas",)),
        atom("Jonas: My sister studies law.", 23, speaker="Jonas", entities=("Jonas",)),
    ]
    recall = recall_over(talk)
    hers, his = (recall.select(Query(f"Which grey cat did {name} adopt?")).confidence for name in ("Marta", "Jonas"))
    assert hers > his


def test_a_model_that_is_missing_is_named_once(tmp_path: Path) -> None:
    with open_embedded(Settings(data_dir=tmp_path), model=Model(None, "no such model")) as product:
        assert product.lattice.status().degraded == ("dense: no such model",)
        assert product.lattice.select(Query("Anything?")).degraded == ("dense: no such model",)
