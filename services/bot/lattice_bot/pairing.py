"""Whose bot it is: numeric user ids from the settings, and people who sent a pairing code; of several owners, each is one's.

A code has 40 bits, is shown by `lattice pair telegram`, works once within ten minutes, and is kept as a hash. A person has five
tries and all together have twenty in ten minutes; more void it. Strangers get no answer of any kind, also to a wrong code.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import sys
import time
from collections.abc import Collection
from pathlib import Path

from lattice_common.errors import NotConfigured

from lattice_bot.state import CODE_SECONDS, State

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Without those that are read as others (I, O, 0, 1)."""
LENGTH = 8

_CODE = re.compile(rf"^(?:/start(?:@\w+)?\s+)?([{LETTERS}]{{4}})-?([{LETTERS}]{{4}})$", re.IGNORECASE)


def folder_of(data_dir: Path) -> Path:
    """Return where the bot keeps what it must not forget."""
    return data_dir / "bot"


def new_code(folder: Path, *, owner: str = "", now: float | None = None) -> str:
    """Return a pairing code to show, such as `K7RM-2QXD`, for one owner's memory; the one before it is void."""
    code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
    state = State(folder)
    try:
        state.keep_code(_digest(code), (time.time() if now is None else now) + CODE_SECONDS, owner)
    finally:
        state.close()
    return f"{code[:4]}-{code[4:]}"


def pair(state: State, person: int, text: str, *, update_id: int | None = None, now: float | None = None) -> bool:
    """Return whether a stranger's words were the code: from then on they are the owner's."""
    found = _CODE.match(text.strip())
    if found is None:
        return False
    return state.redeem(
        person,
        _digest("".join(found.groups()).upper()),
        time.time() if now is None else now,
        update_id=update_id,
    )


def named_users(setting: str, owners: Collection[str] = ()) -> dict[int, str]:
    """Return the ids in LATTICE_TELEGRAM_USERS, each with whose it is: `41` the first owner's (empty), `7=ben` another's. Raises
    `NotConfigured` for what is no numeric id, for names can be taken by others, and for one who is none of `owners`."""
    found = {}
    for each in (one.strip() for one in setting.split(",") if one.strip()):
        number, _, owner = (part.strip() for part in each.partition("="))
        if not number.isascii() or not number.isdigit():
            raise NotConfigured(
                f"LATTICE_TELEGRAM_USERS has {number!r}, which is no numeric id. Take it out, and use `lattice pair telegram`.",
                env_line="LATTICE_TELEGRAM_USERS=",
            )
        if owner and owner not in owners:
            raise NotConfigured(
                f"LATTICE_TELEGRAM_USERS has {each!r}, and LATTICE_OWNERS names no {owner!r}: "
                f"{'it has ' + ', '.join(owners) if owners else 'there is one memory, so leave the name out'}.",
                env_line="LATTICE_TELEGRAM_USERS=",
            )
        found[int(number)] = owner
    return found


def show(folder: Path, owner: str = "") -> None:
    """Write the output of `lattice pair telegram`."""
    code = new_code(folder, owner=owner)
    sys.stdout.write(f"{code}\nSend this to your bot in Telegram, from your own account. It works once, for ten minutes.\n")


def _digest(code: str) -> str:
    return hashlib.sha256(f"lattice-pairing:{code}".encode()).hexdigest()
