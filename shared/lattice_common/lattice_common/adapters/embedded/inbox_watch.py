"""The inbox's watch: looks when the system says that something changed, and every ten seconds whatever it says.

Notices of the system may be lost (queues overflow, watches run out, network folders send none); they only make it quicker.
"""

from __future__ import annotations

import threading
from pathlib import Path

from lattice_common.adapters.embedded.folder_notices import changes_in
from lattice_common.capture.inbox import Inbox, InboxState
from lattice_common.errors import Unavailable
from lattice_common.logs import carried, logger

log = logger(__name__)

POLL_SECONDS = 10.0
"""How long a file lies there at most before it is looked at, where the system tells of no change."""


class InboxWatch:
    """Two threads from `start` to `stop`: one waits for notices, one looks. `settle_seconds` is that of the inbox, which looks
    from the start on."""

    def __init__(self, folder: Path, *, settle_seconds: float) -> None:
        self._folder = folder
        self._inbox: Inbox | None = None
        self._settle_seconds = max(settle_seconds, 0.05)
        self._stopping = threading.Event()
        self._wake = threading.Event()
        self._trouble: str | None = None
        self._threads: tuple[threading.Thread, ...] = ()

    def start(self, inbox: Inbox) -> None:
        self._inbox = inbox
        self._threads = (
            threading.Thread(target=carried(self._run), args=(inbox,), name="lattice-inbox", daemon=True),
            threading.Thread(target=carried(self._notice), name="lattice-inbox-notices", daemon=True),
        )
        for thread in self._threads:
            thread.start()

    def stop(self, timeout: float = 10.0) -> None:
        """Stop once the file in hand is finished; the rest is for the next start."""
        self._stopping.set()
        self._wake.set()
        for thread in self._threads:
            thread.join(timeout)

    def state(self) -> InboxState:
        return self._inbox.state() if self._inbox else InboxState()

    def trouble(self) -> str | None:
        """Return why what is dropped is not taken, or stays where it is; None while all is well."""
        return self._trouble or (self._inbox.trouble() if self._inbox else None)

    def _run(self, inbox: Inbox) -> None:
        while True:
            self._wake.clear()
            if self._stopping.is_set():  # after the clear: `stop` sets both, this one first
                inbox.close()
                return
            pause = POLL_SECONDS
            try:
                looked = inbox.look()
                pause = 0.0 if looked.more else self._settle_seconds if looked.pending else POLL_SECONDS
                self._trouble = None
            except Unavailable as error:
                self._trouble = f"nothing is taken: {error}"
                log.warning("inbox_left", reason="the journal cannot be written")
            except Exception:
                # Whatever one look met, the next one begins anew: nothing in the folder was lost.
                self._trouble = "nothing is taken: a look into the folder failed (the log says where); the next one begins anew"
                log.exception("inbox_left", reason="failed")
            self._wake.wait(pause)

    def _notice(self) -> None:
        try:
            for _ in changes_in(self._folder, stopping=self._stopping):
                self._wake.set()
        except (OSError, RuntimeError) as error:
            # No watches left, or a file system without them: polling goes on by itself.
            log.warning("inbox_left", reason=f"not watched, only polled: {type(error).__name__}")
