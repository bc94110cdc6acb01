"""The product as the bot reaches it: the blocking client in threads of its own, for a program of one loop."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from lattice_common.client import LatticeClient
from lattice_common.client_replies import Json
from lattice_common.errors import LatticeError, NotAllowed, NotFound, Unavailable
from lattice_common.logs import logger
from lattice_common.settings import Settings

log = logger(__name__)

T = TypeVar("T")

AT_ONCE = 16
"""Answers and captures under way at the same time; more wait."""
TIMEOUT_SECONDS = 60.0
SAID_AGAIN_SECONDS = 3600.0
LET_IN = "Give both the same LATTICE_API_TOKEN, or none."
TOKEN_NAME = "cli-token"  # noqa: S105 - a file's name
"""The file with the token that the API leaves for programs of the same owner on the same machine."""


def token_of(settings: Settings) -> str | None:
    """Return `LATTICE_API_TOKEN`, else the token that the API wrote into its folder; None while there is neither. A deployment
    without a chosen token passes an empty one."""
    if settings.api_token is not None and (chosen := settings.api_token.get_secret_value().strip()):
        return chosen
    path: Path = (settings.access_dir or settings.data_dir) / TOKEN_NAME
    with contextlib.suppress(FileNotFoundError):
        return path.read_text(encoding="ascii").strip() or None
    return None


class Product:
    """The API as the bot reaches it. `token` is called for each new connection: the token may not exist yet when the bot
    starts."""

    def __init__(self, base_url: str, token: Callable[[], str | None]) -> None:
        self._base_url = base_url
        self._token = token
        self._idle: queue.SimpleQueue[LatticeClient] = queue.SimpleQueue()
        self._quiet_until = 0.0
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="bot-client")

    def close(self) -> None:
        self._threads.shutdown(wait=True, cancel_futures=True)
        while not self._idle.empty():
            self._idle.get_nowait().close()

    async def ask(self, work: Callable[[LatticeClient], T]) -> T:
        """Return what `work` makes of a client. Raise what it raises; `Unavailable` too where the API does not let the bot in
        now."""

        def run() -> T:
            with self._client() as client:
                return work(client)

        return await asyncio.get_running_loop().run_in_executor(self._threads, run)

    async def stream(self, opened: Callable[[LatticeClient], Iterator[Json]]) -> AsyncIterator[Json]:
        """Yield the items of a stream as they come. When the consumer stops, the stream ends with its next item. Raise the error
        that the API ended it with; `Unavailable` for one that passes."""
        loop = asyncio.get_running_loop()
        items: asyncio.Queue[Json | LatticeError | None] = asyncio.Queue()
        left = False

        def put(item: Json | LatticeError | None) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended: nobody listens
                loop.call_soon_threadsafe(items.put_nowait, item)

        def run() -> None:
            try:
                with self._client() as client:
                    for item in opened(client):
                        if left:
                            return
                        put(item)
                put(None)
            except LatticeError as error:
                put(error)

        running = loop.run_in_executor(self._threads, run)
        try:
            while (item := await items.get()) is not None:
                if isinstance(item, LatticeError):
                    raise item
                if item["type"] == "error":
                    problem = item["problem"]
                    passes = problem.get("status") in (503, 507)
                    raise (Unavailable if passes else LatticeError)(str(problem["detail"]))
                yield item
            await running
        finally:
            left = True

    @contextlib.contextmanager
    def _client(self) -> Iterator[LatticeClient]:
        """Lend a client that nobody else uses meanwhile. A client is discarded after an error, for its token may have changed."""
        try:
            client = self._idle.get_nowait()
        except queue.Empty:
            client = LatticeClient(self._base_url, self._token(), TIMEOUT_SECONDS)
        try:
            yield client
        except NotAllowed as error:
            client.close()
            if error.status != 429 and time.monotonic() >= self._quiet_until:
                self._quiet_until = time.monotonic() + SAID_AGAIN_SECONDS
                log.warning("request_failed", reason=f"Lattice does not let its bot in ({error.status}). {LET_IN}")
            raise Unavailable(f"Lattice does not let its bot in now: {error}") from error
        except BaseException:
            client.close()
            raise
        self._idle.put(client)


def atoms_of(client: LatticeClient, atom_ids: Sequence[str]) -> list[Json]:
    """Return those that are still there."""
    found = []
    for atom_id in atom_ids:
        with contextlib.suppress(NotFound):  # replaced or deleted in the meantime
            found.append(client.atom(atom_id))
    return found
