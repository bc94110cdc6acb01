"""Several owners behind one address: each request goes to the app of the space that it is for.

Every space has an app of its own, with its own product, tokens, sessions and limits, and nothing that leads to another's. What is
decided here is only which of them is asked; whether it answers, its own guard decides, by its own tokens. So a request that goes
to the wrong one is refused there.

    a token or a session of ada's                          -> ada
    the same, with the header `Lattice-Space: shared`      -> shared, which knows the tokens of all owners
    a token of the shared space's own                      -> shared
    what nobody knows, health, signing in                  -> the first owner's, which says so
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fastapi import FastAPI
from lattice_common.domain.space import SHARED
from lattice_common.logs import of_space
from lattice_common.settings import Settings
from lattice_common.spaces import HEADER, Space
from starlette.types import Receive, Scope, Send

from lattice_api.access import PAGE_KEY_HEADER, Access, bearer_in, sessions_in
from lattice_api.token_file import TokenFile

CALENDAR = "/calendar/"


@dataclass(frozen=True, slots=True)
class Part:
    """A space's app, and its access control."""

    app: FastAPI
    access: Access


def access_folder(settings: Settings) -> Path:
    """Return the folder of tokens and sessions."""
    return settings.access_dir or settings.data_dir


def accesses_of(spaces: Sequence[Space]) -> dict[str, Access]:
    """Return the access control by the name of the space: an owner's opens for that owner, the shared one's for all of them.
    Everybody signs in at the first."""
    found = {each.name: Access(TokenFile(access_folder(each.settings)), each.settings) for each in spaces}
    first, *others = found.values()
    if others:
        first.signs_in_for(others)
        found[SHARED].opens_for({name: access for name, access in found.items() if name != SHARED})
    return found


class SpaceRouter:
    """An ASGI app over those of the spaces, the first owner's first."""

    def __init__(self, parts: Mapping[str, Part]) -> None:
        self._parts = parts
        self._first = next(iter(parts))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        name = self._space_for(scope) if scope["type"] == "http" else self._first
        with of_space(name):
            await self._parts[name].app(scope, receive, send)

    def _space_for(self, scope: Scope) -> str:
        path: str = scope["path"]
        if path == "/api/login":
            return self._first
        if path.startswith(CALENDAR):
            return self._space_of_token(path.removeprefix(CALENDAR).removesuffix(".ics"))
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        # Any other name than this one is refused by the guard of the space that the sender is at home in.
        return SHARED if headers.get(HEADER) == SHARED else self._home_of(headers)

    def _home_of(self, headers: Mapping[str, str]) -> str:
        if (token := bearer_in(headers)) is not None:
            return self._space_of_token(token)
        cookies, key = sessions_in(headers.get("cookie", "")), headers.get(PAGE_KEY_HEADER)
        for name, part in self._parts.items():
            store = part.access.store
            if store.scopes_of_session(cookies, key) if key else store.has_session(cookies):
                return name
        return self._first

    def _space_of_token(self, token: str) -> str:
        return next((name for name, part in self._parts.items() if part.access.store.scopes_of_token(token)), self._first)
