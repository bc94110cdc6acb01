"""How long somebody waits for a language model."""

from __future__ import annotations

from lattice_common.ingest.extract.model.patience import Patience


def test_a_model_of_which_nothing_is_known_is_waited_for_a_little() -> None:
    assert Patience(2.5).seconds() == 2.5


def test_one_that_was_not_waited_for_is_not_waited_for_again_until_it_answers() -> None:
    patience = Patience(2.5)
    patience.ran_out()
    assert (patience.seconds(), patience.answers) == (0.0, False)
    patience.answered()
    assert (patience.seconds(), patience.answers) == (2.5, True)


def test_it_is_waited_for_as_it_answered_lately_up_to_where_that_is_too_long() -> None:
    patience = Patience(2.5)
    for took, waits in ((0.2, 2.5), (2.0, 4.0), (6.0, 10.0), (9.9, 10.0), (10.0, 0.0), (40.0, 0.0), (1.0, 2.5)):
        patience.answered(took)
        assert patience.seconds() == waits


def test_a_call_that_had_all_its_time_holds_up_no_import_until_something_is_answered() -> None:
    patience = Patience(2.5)
    patience.failed(all_its_time=False)
    assert (patience.hangs, patience.seconds()) == (False, 2.5)
    patience.failed(all_its_time=True)
    assert (patience.hangs, patience.seconds()) == (True, 0.0)
    patience.failed(all_its_time=False)
    assert patience.hangs
    patience.answered()
    assert not patience.hangs
