"""The real product on a free port, and the two commands as a person types them."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import TypeVar

import pytest
import uvicorn
from lattice_api.access import Access
from lattice_api.app import create_app
from lattice_api.local_token import keep_local_token
from lattice_api.token_file import TokenFile
from lattice_cli import app, lc
from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.composition import Embedded, Model, open_embedded
from lattice_common.lattice import Lattice
from lattice_common.logs import configure
from lattice_common.ports.judge import Judge
from lattice_common.settings import Settings

from tests.serving import listening

T = TypeVar("T")

WITHIN = 20.0
"""Seconds; it takes less than one on an idle machine."""


@dataclass(frozen=True)
class Said:
    """What a command wrote, and how it ended."""

    code: int
    out: str
    err: str


class Screen(StringIO):
    def isatty(self) -> bool:
        return True


class _Keyboard(TextIOWrapper):
    def isatty(self) -> bool:
        return True


CHOSEN = (
    "LATTICE_INBOX",
    "LATTICE_ACCESS_DIR",
    "LATTICE_BACKUP_DIR",
    "LATTICE_API_TOKEN",
    "LATTICE_OWNER_NAMES",
    "LATTICE_INDEX_NAME",
    "LATTICE_GRAPH_URL",
)
"""What `--owner` sets beside the folder."""


class Shell:
    """Types commands in this process, in an environment of its own."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.data_dir = folder / "data"
        self._monkeypatch = monkeypatch
        for name in [name for name in os.environ if name.startswith("LATTICE_")]:
            monkeypatch.delenv(name)
        monkeypatch.chdir(folder)
        self.set("LATTICE_DIR", str(self.data_dir))
        self.set("XDG_STATE_HOME", str(folder / "state"))
        self.set("LATTICE_EMBED_MODEL", "none")
        self.set("LATTICE_WEB_PORT", "1")  # nobody listens there

    def set(self, name: str, value: str) -> None:
        self._monkeypatch.setenv(name, value)

    def lattice(self, *arguments: str, piped: bytes = b"", screen: type[StringIO] = StringIO) -> Said:
        return self._run(app.main, ["lattice", *arguments], piped, screen=screen)

    def as_owner(self, name: str, *arguments: str) -> Said:
        """`lattice --owner NAME …`: what it chooses is for this command."""
        with self._monkeypatch.context() as restored:
            for variable in ("LATTICE_DIR", "LATTICE_OWNERS"):
                restored.setenv(variable, os.environ[variable])
            for variable in CHOSEN:
                restored.setenv(variable, "")
                restored.delenv(variable)
            return self.lattice("--owner", name, *arguments)

    def lc(self, *arguments: str, piped: bytes = b"") -> Said:
        return self._run(lc.main, ["lc", *arguments], piped)

    def lattice_on_terminal(self, *arguments: str, typed: bytes) -> Said:
        """With somebody before it who types."""
        return self._run(app.main, ["lattice", *arguments], typed, screen=Screen, keyboard=_Keyboard)

    def _run(
        self,
        main: Callable[[], None],
        argv: list[str],
        piped: bytes,
        *,
        screen: type[StringIO] = StringIO,
        keyboard: type[TextIOWrapper] = TextIOWrapper,
    ) -> Said:
        out, err = screen(), StringIO()
        with self._monkeypatch.context() as patched:
            patched.setattr(sys, "argv", argv)
            patched.setattr(sys, "stdout", out)
            patched.setattr(sys, "stderr", err)
            patched.setattr(sys, "stdin", keyboard(BytesIO(piped)))
            try:
                main()
                code = 0
            except SystemExit as ended:
                code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        return Said(code, out.getvalue(), err.getvalue())


def after(seconds: float, found: Callable[[], list[T]]) -> list[T]:
    """What is found once there is something; bounded, for what another thread does by itself."""
    deadline = time.monotonic() + seconds
    while not (there := found()):
        assert time.monotonic() < deadline, "it did not happen"
    return there


@contextmanager
def running(shell: Shell, judge: Judge | None = None) -> Iterator[Lattice]:
    """The product of the shell's folder, where its commands find it."""
    with serving(shell, judge) as embedded:
        yield embedded.lattice


@contextmanager
def serving(shell: Shell, judge: Judge | None = None, *, start: bool = True) -> Iterator[Embedded]:
    """The same; its writer may be left to be started."""
    configure("error", json=True, stream=StringIO())
    settings = Settings(_env_file=None, data_dir=shell.data_dir, inbox_settle_seconds=0.0)
    with open_embedded(settings, model=Model(HashedEmbedder(), judge=judge)) as embedded:
        access = Access(TokenFile(settings.data_dir), settings)
        keep_local_token(access.store, settings.data_dir)
        config = uvicorn.Config(create_app(embedded.lattice, access, settings), log_config=None, lifespan="off")
        if start:
            embedded.start()
        try:
            with listening(config) as port:
                shell.set("LATTICE_WEB_PORT", str(port))
                yield embedded
        finally:
            shell.set("LATTICE_WEB_PORT", "1")
