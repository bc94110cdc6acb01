"""The token of the command line: whoever starts the product and whoever types on this machine are one and the same user.

It is kept in plain in the data folder, for its owner only, beside memories that are in plain there too: who can read it can
read those.
"""

from __future__ import annotations

from pathlib import Path

from lattice_common.adapters.files import durable
from lattice_common.errors import Corrupt, Unavailable
from lattice_common.logs import logger

from lattice_api.token_file import SCOPES, TokenFile

log = logger(__name__)

FILE_NAME = "cli-token"
TOKEN_NAME = "cli"  # noqa: S105 - what it is called in the list of tokens


def keep_local_token(store: TokenFile, data_dir: Path) -> None:
    """Make the file, unless the token in it is known already. Revoking the token `cli` makes another one at the next start."""
    path = data_dir / FILE_NAME
    try:
        if store.scopes_of_token(durable.read(path, limit=1000).decode("ascii", "replace").strip()):
            return
    except (FileNotFoundError, Corrupt):
        # What is there instead of a file is left alone by the write below: its rename replaces a link, and fails on a folder.
        pass
    try:
        store.revoke_token(TOKEN_NAME)
        durable.write(path, f"{store.add_token(TOKEN_NAME, SCOPES)}\n".encode())
    except Unavailable:
        log.warning("access_not_written")  # the disk takes nothing: the next start tries again
