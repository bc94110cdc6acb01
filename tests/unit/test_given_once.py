"""What is to be read again is ordered once, however often the writer looks before it is done."""

from __future__ import annotations

from collections.abc import Callable

from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.adapters.memory.journal import MemoryJournal
from lattice_common.domain.receipt import Receipt
from lattice_common.ingest.extract.extractor import RuleExtractor
from lattice_common.ports.journal import AgainMark
from lattice_common.upkeep.read_again import ReadAgain


class Back(RuleExtractor):
    """The language model answers; `meanwhile` happens first, and once."""

    def __init__(self, meanwhile: Callable[[], None] = lambda: None) -> None:
        super().__init__()
        self.meanwhile = meanwhile

    def when_back(self, then: Callable[[bool], None], /) -> None:
        now, self.meanwhile = self.meanwhile, lambda: None
        now()
        then(True)


def test_it_is_ordered_anew_only_when_the_former_command_is_done_and_left_some_of_it() -> None:
    journal, clock, rung = MemoryJournal(), FixedClock(), list[str]()
    capture = clock.new_id()
    again = ReadAgain(journal, Back(), clock, rung.append)
    again.look()
    assert rung == []
    journal.mark_again(AgainMark(capture, ()))
    for _ in range(3):
        again.look()
    assert len(rung) == 1
    journal.finish(Receipt(rung[0], "stored", clock.now()))
    for _ in range(3):
        again.look()
    assert len(rung) == 2
    journal.finish(Receipt(rung[1], "stored", clock.now()))
    journal.clear_again(capture)
    again.look()
    assert len(rung) == 2


def test_who_looks_while_the_model_is_asked_orders_nothing() -> None:
    journal, clock, rung = MemoryJournal(), FixedClock(), list[str]()
    extractor = Back()
    again = ReadAgain(journal, extractor, clock, rung.append)
    extractor.meanwhile = again.look
    for _ in range(2):
        journal.mark_again(AgainMark(clock.new_id(), ()))
    again.look()
    assert len(rung) == len(set(rung)) == 2
