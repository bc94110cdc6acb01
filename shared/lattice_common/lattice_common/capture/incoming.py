"""A file that is being uploaded: bytes are counted, so that none beyond the limit reach the disk, whatever was announced."""

from __future__ import annotations

from typing import IO

from lattice_common.errors import InvalidInput
from lattice_common.ports.journal import Upload


class Incoming:
    """The bytes of a file as they arrive. `limit` is in bytes (LATTICE_MAX_FILE_BYTES). `upload` is for the journal alone."""

    def __init__(self, upload: Upload, limit: int) -> None:
        self.upload = upload
        self._limit = limit

    @property
    def size(self) -> int:
        """Return the number of bytes so far."""
        return self.upload.size

    def opened(self) -> IO[bytes]:
        """Return the bytes so far, from their beginning; the caller closes it."""
        return self.upload.opened()

    def write(self, chunk: bytes) -> None:
        """Append a chunk. Raise `InvalidInput` (413) beyond the limit, `Unavailable` (507) when the disk is full."""
        if self.upload.size + len(chunk) > self._limit:
            raise too_large(self._limit)
        self.upload.write(chunk)

    def sha256(self) -> str:
        """Return the SHA-256 of the bytes so far, in lower-case hex."""
        return self.upload.sha256()


def too_large(limit: int) -> InvalidInput:
    """Return the error for a file beyond the limit, in the same words everywhere."""
    return InvalidInput(
        f"The file has more than {limit:,} bytes, which is the limit (LATTICE_MAX_FILE_BYTES). Split it, or raise the limit; "
        "mailboxes and exports of any size: lattice import export.",
        status=413,
        field="file",
    )
