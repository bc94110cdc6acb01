"""Keeps the things of an export one by one, where it is dropped or sent whole: a few at a time, with an account of each.

Nothing is held as a whole: things come from the file one by one, and at most `OUTSTANDING` of them wait for their receipts. Each
is kept under a key made of what it says, so what was kept before, by any door, is known.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Protocol

from lattice_common.capture.importers.account import Account, Begun
from lattice_common.capture.importers.items import Item
from lattice_common.capture.incoming import Incoming
from lattice_common.capture.request import FileMetadata, IngestRequest
from lattice_common.domain.receipt import CaptureStatus
from lattice_common.errors import Conflict, InvalidInput, NotFound

OUTSTANDING = 1_000
"""How many receipts may be waited for while the next items are read: a label and an id are held for each."""

TOO_LONG = 413
"""The status of what is refused as longer than LATTICE_MAX_TEXT_BYTES."""


class Kept(Protocol):
    """The part of `lattice.Accepted` that is used here."""

    @property
    def status(self) -> CaptureStatus: ...


class Keeper(Protocol):
    """The part of `Lattice` that is used here."""

    def accept(self, request: IngestRequest, *, idempotency_key: str | None, channel: str | None) -> Kept: ...

    def receiving(self) -> AbstractContextManager[Incoming]: ...

    def accept_file(
        self,
        incoming: Incoming,
        name: str,
        request: FileMetadata,
        *,
        idempotency_key: str | None,
        channel: str | None,
        own: bool = False,
    ) -> Kept: ...

    def capture(self, capture_id: str) -> CaptureStatus: ...


def survey(found: Iterable[Item]) -> Account:
    """Return what is in an export, and keep nothing of it."""
    account = Account()
    for item in found:
        account.see(item)
        if item.skipped:
            account.leave_out(item, item.skipped)
    return account


def halves_if_long(item: Item, refused: Exception) -> tuple[Item, Item] | None:
    """Return the halves of an item that was refused as too long for the memory; None where it was refused otherwise."""
    return item.halves() if isinstance(refused, InvalidInput) and refused.status == TOO_LONG else None


class Intake:
    """One export on its way into a memory. Not thread-safe."""

    def __init__(self, found: Iterator[Item], keeper: Keeper, channel: str | None, most_waiting: int = OUTSTANDING) -> None:
        self._most_waiting = most_waiting
        self.account = Account()
        self._found = found
        self._keeper = keeper
        self._channel = channel
        self._in_hand: Item | None = None
        self._parts: list[Item] = []
        """What is left of an item that was too long to be kept as one, last first."""
        self._waiting: deque[Begun] = deque()
        self._is_through = False

    @property
    def waiting(self) -> int:
        """Return how many receipts are waited for."""
        return len(self._waiting)

    @property
    def is_through(self) -> bool:
        """Return whether everything in the export was stored or left out."""
        return self._is_through

    @property
    def has_room(self) -> bool:
        """Return whether more of it can be stored at once."""
        return not self._is_through and len(self._waiting) < self._most_waiting

    @property
    def oldest(self) -> str | None:
        """Return the capture whose receipt is waited for first."""
        return self._waiting[0].capture_id if self._waiting else None

    def go_on(self, most: int) -> None:
        """Store at most `most` items, while not too many receipts are waited for, and count the receipts that have come.

        Raise `Unavailable` where nothing can be stored now: the next call continues with the same item. Raise `InvalidInput` for
        an export that cannot be read further.
        """
        self.look_for_receipts()
        for _ in range(most):
            if not self.has_room:
                return
            if self._in_hand is None:
                self._in_hand = self._parts.pop() if self._parts else self._next()
                if self._in_hand is None:
                    self._is_through = True
                    return
            self._keep(self._in_hand)
            self._in_hand = None

    def _next(self) -> Item | None:
        item = next(self._found, None)
        if item is not None:
            self.account.see(item)
        return item

    def look_for_receipts(self) -> None:
        """Count the receipts that have come, oldest first."""
        while self._waiting:
            begun = self._waiting[0]
            try:
                receipt = self._keeper.capture(begun.capture_id).receipt
            except NotFound:  # forgotten meanwhile: nothing comes of it any more
                self._waiting.popleft()
                self.account.end(begun, "rejected", atoms_new=0, reason="it was forgotten meanwhile")
                continue
            if receipt is None:
                return
            self._waiting.popleft()
            self.account.end(begun, receipt.state, atoms_new=receipt.atoms_new, reason=receipt.reason)

    def _keep(self, item: Item) -> None:
        if item.skipped:
            self.account.leave_out(item, item.skipped)
            return
        try:
            status = self._kept_once(item).status
        except (InvalidInput, Conflict) as error:
            if (halves := halves_if_long(item, error)) is not None:
                self.account.cut(item)
                self._parts += reversed(halves)
            else:
                self.account.leave_out(item, str(error))
            return
        if status.receipt is not None:
            self.account.know(item)
        else:
            self._waiting.append(Begun(item.label, item.things, status.capture_id))

    def _kept_once(self, item: Item) -> Kept:
        try:
            return self._kept(item)
        except Conflict:
            if item.former is None:
                raise
            return self._kept_once(item.former)  # an earlier version brought it

    def _kept(self, item: Item) -> Kept:
        if item.request is not None:
            return self._keeper.accept(item.request, idempotency_key=item.key, channel=self._channel)
        if item.file is None:
            raise InvalidInput(f"{item.label} holds nothing.")
        with self._keeper.receiving() as incoming:
            incoming.write(item.file.content)
            return self._keeper.accept_file(
                incoming, item.file.name, item.file.facts, idempotency_key=item.key, channel=self._channel
            )
