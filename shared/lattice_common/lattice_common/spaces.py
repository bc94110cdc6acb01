"""The memories of several people in one deployment, and where each is kept.

A *space* is a whole memory: a data folder with its own journal, atoms, engines, logs, tokens and inbox. Each owner that
`LATTICE_OWNERS` names has one, and all of them share one more. The first owner's is the data folder itself, so that an existing
memory becomes theirs in place; the others are below it, in `spaces`. Without `LATTICE_OWNERS` there is one memory, and no spaces.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from lattice_common.domain.space import SHARED, SPACES_FOLDER
from lattice_common.errors import InvalidInput, NotConfigured
from lattice_common.settings import Settings

HEADER = "lattice-space"
"""The header by which a request reaches the shared space instead of its owner's own."""

MOST_OWNERS = 20
"""Limit, because each space has its own threads, engines and columns in memory."""

LONGEST_INDEX_NAME = 61
"""Characters that the setting accepts."""

_NAME = re.compile(r"[a-z][a-z0-9-]{0,30}")


@dataclass(frozen=True, slots=True)
class Space:
    """A memory of a deployment: `settings` are those of a product that has nothing else."""

    name: str
    settings: Settings


def owners_of(settings: Settings) -> tuple[str, ...]:
    """Return the names in LATTICE_OWNERS, in order; empty where there is one memory only. Raise `NotConfigured` for an invalid or
    repeated name, and for settings under which owners could not be separated."""
    names = tuple(each.strip() for each in settings.owners.split(",") if each.strip())
    if not names:
        return ()
    line = "LATTICE_OWNERS=ada,ben"
    for name in names:
        if not _NAME.fullmatch(name) or name == SHARED:
            raise NotConfigured(
                f"LATTICE_OWNERS has {name[:40]!r}, which is no name for a space: up to 31 of a-z, 0-9 and -, beginning with a "
                f"letter, and not {SHARED!r}, which all of them share.",
                env_line=line,
            )
    if len(set(names)) < len(names):
        raise NotConfigured("LATTICE_OWNERS has a name twice. Each owner has one space: leave the second out.", env_line=line)
    if len(names) > MOST_OWNERS:
        message = f"LATTICE_OWNERS has more than {MOST_OWNERS} names. Give some people a Lattice of their own."
        raise NotConfigured(message, env_line=line)
    longest = max(len(_index_name(settings, name)) for name in (*names, SHARED))
    if longest > LONGEST_INDEX_NAME:
        raise NotConfigured(
            f"LATTICE_INDEX_NAME={settings.index_name} leaves no room for the owners' names behind it: both have at most "
            f"{LONGEST_INDEX_NAME} characters, and these {longest}.",
            env_line="LATTICE_INDEX_NAME=lattice-atoms",
        )
    if not settings.auth:
        raise NotConfigured(
            "LATTICE_OWNERS tells owners apart by their tokens, and LATTICE_AUTH is off. Put this into .env: LATTICE_AUTH=true",
            env_line="LATTICE_AUTH=true",
        )
    return names


def spaces_of(settings: Settings) -> tuple[Space, ...]:
    """Return the spaces of all owners, the first one's first, and the shared one last; empty where there is one memory only.
    Raise as `owners_of` does."""
    owners = owners_of(settings)
    return tuple(Space(name, _settings_in(settings, name, owners[0])) for name in (*owners, SHARED)) if owners else ()


def space_of(settings: Settings, name: str) -> Space:
    """Return one of `spaces_of`. Raise `InvalidInput` where there is none of that name."""
    spaces = spaces_of(settings)
    found = next((each for each in spaces if each.name == name), None)
    if found is None:
        there = f"there are {', '.join(each.name for each in spaces)}" if spaces else "LATTICE_OWNERS names nobody"
        raise InvalidInput(f"There is no space named {name[:40]!r}: {there}.", field="owner")
    return found


def _settings_in(settings: Settings, name: str, first: str) -> Settings:
    """Return the settings of one space: what concerns one memory is its own, and so is its part of the engines; servers, models
    and limits are the deployment's."""
    if name == first:
        return settings
    backups = settings.backup_dir or settings.data_dir.with_name(f"{settings.data_dir.name}-backups")
    return settings.model_copy(
        update={
            "data_dir": settings.data_dir / SPACES_FOLDER / name,
            "inbox_dir": None,
            "access_dir": settings.access_dir / SPACES_FOLDER / name if settings.access_dir else None,
            "backup_dir": backups / SPACES_FOLDER / name,
            "api_token": None,
            "owner_names": "",
            "index_name": _index_name(settings, name),
            "graph_url": f"{settings.graph_url.rstrip('/')}/{SPACES_FOLDER}/{name}",
        }
    )


def _index_name(settings: Settings, name: str) -> str:
    """Return the name of a space's indexes: no other index has two hyphens behind the deployment's name."""
    return f"{settings.index_name}--{name}"
