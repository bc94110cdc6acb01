"""A real bot between a real, embedded product and a Bot API on this machine; each can go away and come back."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import uvicorn
from lattice_bot.app import run
from lattice_bot.telegram_chats import Pace
from lattice_common.settings import Settings
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from tests.services.door import Door, opened
from tests.services.telegram_server import OWNER, TOKEN, TelegramServer, telegram_server
from tests.serving import listening

API_TOKEN = "k7rm-2qxd-94fh-owner-of-all"
QUICK = Pace(chat=0.01, burst=3, poll=1, retry=0.02, longest=0.1, look=0.1)
"""Of an impatient Telegram."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def settings_of(root: Path, telegram: str, **more: Any) -> Settings:
    known = {"data_dir": root, "api_token": API_TOKEN, "telegram_token": TOKEN, "telegram_api": telegram}
    return Settings(_env_file=None, **{**known, "telegram_users": str(OWNER), **more})  # type: ignore[arg-type]


@dataclass
class Life:
    """`door` is the product's, while it is there."""

    root: Path
    telegram: TelegramServer
    port: int = field(default_factory=free_port)
    users: str = str(OWNER)
    api_token: str = API_TOKEN
    morning: str = ""
    pace: Pace = QUICK
    door: Door | None = None
    refusing: dict[str, int] = field(default_factory=dict)
    """How many more requests for paths that begin so the API answers with 503."""
    _api: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)
    _stop: threading.Event = field(default_factory=threading.Event)
    _bot: threading.Thread | None = None
    _failed: list[BaseException] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def there(self) -> Door:
        assert self.door is not None
        return self.door

    def contents(self) -> list[str]:
        """What is in memory now, newest first."""
        return [atom.content for atom in self.there.embedded.lattice.recent(1000)]

    def start_api(self, **settings: Any) -> None:
        self.door = self._api.enter_context(opened(self.root, api_token=API_TOKEN, inbox_settle_seconds=0.0, **settings))
        config = uvicorn.Config(_refusing(self.door.app, self.refusing), log_config=None, lifespan="off", ws="none")
        self._api.enter_context(listening(config, self.port))

    def stop_api(self) -> None:
        self.door = None
        self._api.close()

    def start_bot(self) -> None:
        settings = settings_of(self.root, self.telegram.url, telegram_users=self.users, api_token=self.api_token)
        settings = settings.model_copy(update={"telegram_morning": self.morning})
        self._stop = threading.Event()

        def live() -> None:
            try:
                run(settings, self.url, self._stop, pace=self.pace)
            except Exception as error:  # noqa: BLE001 - shown by the test that stops it
                self._failed.append(error)

        self._bot = threading.Thread(target=live, name="bot")
        self._bot.start()

    def stop_bot(self) -> None:
        self._stop.set()
        if self._bot is not None:
            self._bot.join(20)
            assert not self._bot.is_alive(), "the bot did not stop"
        self._bot = None
        assert self._failed == []


@contextlib.contextmanager
def life(root: Path, *, pace: Pace = QUICK, **settings: Any) -> Iterator[Life]:
    """All three, running."""
    with telegram_server() as telegram:
        living = Life(root, telegram, pace=pace)
        try:
            living.start_api(**settings)
            living.start_bot()
            yield living
        finally:
            living.stop_bot()
            living.stop_api()


def _refusing(app: ASGIApp, refusing: dict[str, int]) -> ASGIApp:
    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        begin = next((each for each, left in refusing.items() if left > 0 and scope["path"].startswith(each)), None)
        if begin is None:
            await app(scope, receive, send)
            return
        refusing[begin] -= 1
        await JSONResponse({"detail": "Not now."}, status_code=503)(scope, receive, send)

    return answer
