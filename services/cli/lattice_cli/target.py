"""Where the product is: the few settings that a quick command needs, without the second that reading all of them may take.

`lattice_common.settings` is the authority; with a `.env` in play it is asked, and a test holds the two to the same answers.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from lattice_common.adapters.files.server_address import server_address
from lattice_common.errors import InvalidInput

if TYPE_CHECKING:
    from lattice_common.settings import Settings

TOKEN_NAME = "cli-token"  # noqa: S105 - a file's name
"""The file beside the hashed tokens, readable by its owner only, that the API makes for the command line of the same user."""

ANYWHERE = frozenset({"0.0.0.0", "::", "localhost", "127.0.0.1", "::1"})  # noqa: S104 - compared, not bound
"""Addresses to listen on that this machine reaches as 127.0.0.1."""


@dataclass(frozen=True, slots=True)
class Target:
    """The data folder, its inbox, the folder of the tokens, and where the server listens when it runs."""

    data_dir: Path
    inbox: Path
    access_dir: Path
    base_url: str
    fixed_token: str | None
    given_url: str | None = None
    """The address that was given for the server; None where it follows from where it listens."""
    found_url: str | None = None
    """The address that the running server of the folder left there; None where one was given, or none runs."""

    @property
    def elsewhere(self) -> bool:
        """Return whether the server may be another machine, whose inbox is another one."""
        return urlsplit(self.base_url).hostname not in ANYWHERE

    @property
    def until(self) -> str:
        """Return what becomes of a note that is left in the inbox."""
        if self.elsewhere:
            return f"goes there with the next `lc` that reaches {self.base_url}"
        return "is taken in when it is (`lattice up`)"

    def token(self) -> str | None:
        """Return `LATTICE_API_TOKEN`, else the token that the API left for the command line; None when there is neither."""
        if self.fixed_token:
            return self.fixed_token
        try:
            return (self.access_dir / TOKEN_NAME).read_text(encoding="ascii").strip() or None
        except (FileNotFoundError, NotADirectoryError, PermissionError, UnicodeDecodeError):
            return None


def find_target(environ: Mapping[str, str] | None = None) -> Target:
    """Return the target that the environment names. Raise `InvalidInput` for an invalid port."""
    given = os.environ if environ is None else environ
    if Path(".env").exists():
        return _of_settings()
    data_dir = Path(given["LATTICE_DIR"]) if "LATTICE_DIR" in given else _default_dir()
    inbox = Path(given["LATTICE_INBOX"]) if "LATTICE_INBOX" in given else data_dir / "inbox"
    access_dir = Path(given["LATTICE_ACCESS_DIR"]) if given.get("LATTICE_ACCESS_DIR") else data_dir
    token = given.get("LATTICE_API_TOKEN")
    if not token and (path := given.get("LATTICE_API_TOKEN_FILE")):
        try:
            token = Path(path).read_text(encoding="utf-8").rstrip("\r\n")
        except OSError as error:
            raise InvalidInput(f"LATTICE_API_TOKEN_FILE={path} cannot be read: {error.strerror}.") from error
    port = given.get("LATTICE_WEB_PORT", "7337")
    if not port.isascii() or not port.isdigit() or int(port) > 65535:
        raise InvalidInput(
            f"LATTICE_WEB_PORT={port} is no port. Put a number from 1 to 65535 there, or take it out: 7337 is used."
        )
    stated = given.get("LATTICE_API_URL") or None
    by_hand = bool(stated) or "LATTICE_HOST" in given or int(given.get("LATTICE_WEB_PORT", "0")) > 0
    left = None if by_hand else server_address(data_dir)
    url = stated or left or base_url(given.get("LATTICE_HOST", "127.0.0.1"), int(port))
    return Target(data_dir, inbox, access_dir, url, token, stated, left)


def choose_owner(name: str) -> None:
    """Use the memory of one of several owners for the rest of this command: its folder, its inbox, its tokens. Raise
    `InvalidInput` for an unknown name."""
    from lattice_common.spaces import space_of

    given = _settings()
    settings = space_of(given, name).settings
    if settings is not given:  # the first owner's memory is what the settings name already
        os.environ.pop("LATTICE_API_TOKEN_FILE", None)
        for variable, value in {
            "LATTICE_DIR": settings.data_dir,
            "LATTICE_INBOX": settings.inbox,
            "LATTICE_ACCESS_DIR": settings.access_dir or settings.data_dir,
            "LATTICE_BACKUP_DIR": settings.backup_dir,
            "LATTICE_API_TOKEN": "",
            "LATTICE_OWNER_NAMES": "",
            "LATTICE_INDEX_NAME": settings.index_name,
            "LATTICE_GRAPH_URL": settings.graph_url,
        }.items():
            os.environ[variable] = str(value)
    os.environ["LATTICE_OWNERS"] = ""


def base_url(host: str, port: int) -> str:
    """Return where this machine reaches a server that listens on `host`."""
    return f"http://{'127.0.0.1' if host in ANYWHERE else host}:{port}"


def _default_dir() -> Path:
    from platformdirs import user_data_path  # needed only where no folder is named, and slow to import for a quick command

    return user_data_path("lattice")


def _settings() -> Settings:
    from lattice_common.settings import Settings  # pydantic takes longer than all the rest of a quick command

    return Settings()


def _of_settings() -> Target:
    settings = _settings()
    token = settings.api_token.get_secret_value() if settings.api_token else None
    stated = settings.api_url or None
    by_hand = bool(stated) or "host" in settings.model_fields_set or ("port" in settings.model_fields_set and settings.port > 0)
    left = None if by_hand else server_address(settings.data_dir)
    url = stated or left or base_url(settings.host, settings.port)
    return Target(settings.data_dir, settings.inbox, settings.access_dir or settings.data_dir, url, token, stated, left)
