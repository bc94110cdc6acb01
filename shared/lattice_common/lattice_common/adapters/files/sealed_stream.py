"""An encrypted stream: AES-256-GCM in chunks, with a key derived from a passphrase by scrypt.

magic (16 bytes), log2 of scrypt's n (1), salt (16), check (16), nonce prefix (7), then chunks of 64 KiB, each with its tag

Each chunk is authenticated with its number and whether it is the last (the STREAM construction of Hoang, Reyhanitabar, Rogaway
and Vizár, 2015), and with the header: a change, omission, reordering or truncation is detected before a byte of that chunk is
given out. The check, from another part of scrypt's output, tells a wrong passphrase from damage.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import io
import secrets
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import BinaryIO, cast

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from lattice_common.errors import InvalidInput

MAGIC = b"lattice sealed 1"
CHUNK = 65_536
TAG = 16
_HEADER = struct.Struct(">16sB16s16s7s")
_NONCE = struct.Struct(">7sIB")

COST = 17
"""log2 of scrypt's n, with r 8 and p 1: 128 MB and half a second for each try (OWASP's first choice of 2023)."""
HIGHEST_COST = 20
"""The highest accepted cost: a forged header must not take all memory."""


@dataclass(frozen=True, slots=True)
class _Keys:
    cipher: AESGCM
    check: bytes


def is_sealed(beginning: bytes) -> bool:
    """Return whether a file that begins so was sealed here."""
    return beginning.startswith(MAGIC)


@contextlib.contextmanager
def sealed_into(out: BinaryIO, passphrase: str, *, cost: int = COST) -> Iterator[BinaryIO]:
    """Encrypt what is written to the stream into `out`; leaving it by an exception leaves an incomplete file, which is recognised
    as such. `cost` as above."""
    sealing = _Sealing(out, passphrase, cost)
    yield cast(BinaryIO, sealing)
    sealing.finish()


def opened(sealed: BinaryIO, passphrase: str, name: str) -> BinaryIO:
    """Return a stream of the decrypted content. It, and this call, raise `InvalidInput` for another passphrase, and for truncated
    or changed content; `name` is the file's name in messages. Closing it leaves `sealed` open."""
    return io.BufferedReader(_Opening(sealed, passphrase, name))


class _Sealing(io.RawIOBase):
    """`finish` writes the last chunk, without which nothing is complete. Closing does not, because an interrupted stream is
    closed, too."""

    def __init__(self, out: BinaryIO, passphrase: str, cost: int) -> None:
        super().__init__()
        salt, prefix = secrets.token_bytes(16), secrets.token_bytes(7)
        keys = _keys(passphrase, salt, cost)
        self._out = out
        self._cipher = keys.cipher
        self._prefix = prefix
        self._header = _HEADER.pack(MAGIC, cost, salt, keys.check, prefix)
        self._held = bytearray()
        self._number = 0
        out.write(self._header)

    def writable(self) -> bool:
        return True

    def write(self, content: object) -> int:
        given = bytes(content)  # type: ignore[call-overload]  # what has a buffer, as the base class has it
        self._held += given
        # The last chunk is known only when the stream is closed, so one is always held back.
        while len(self._held) > CHUNK:
            self._put(bytes(self._held[:CHUNK]), last=False)
            del self._held[:CHUNK]
        return len(given)

    def finish(self) -> None:
        """Write the last chunk, once all is written."""
        self._put(bytes(self._held), last=True)
        self._held.clear()
        self.close()

    def _put(self, content: bytes, *, last: bool) -> None:
        nonce = _NONCE.pack(self._prefix, self._number, last)
        self._out.write(self._cipher.encrypt(nonce, content, self._header))
        self._number += 1


class _Opening(io.RawIOBase):
    """Holds one decrypted chunk and the next, which shows whether it is the last."""

    def __init__(self, sealed: BinaryIO, passphrase: str, name: str) -> None:
        super().__init__()
        self._sealed = sealed
        self._name = name
        self._header = sealed.read(_HEADER.size)
        if len(self._header) < _HEADER.size or not is_sealed(self._header):
            raise InvalidInput(f"{name} is not encrypted by Lattice, or was cut off in its first bytes: look for another copy.")
        _, cost, salt, check, self._prefix = _HEADER.unpack(self._header)
        if not 1 <= cost <= HIGHEST_COST:
            raise InvalidInput(f"{name} asks for more memory than any backup of Lattice: it was changed. Look for another copy.")
        keys = _keys(passphrase, salt, cost)
        if not hmac.compare_digest(keys.check, check):
            raise InvalidInput(f"{name} was encrypted with another passphrase.")
        self._cipher = keys.cipher
        self._next = sealed.read(CHUNK + TAG)
        self._number = 0
        self._plain = b""
        self._ended = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]  # what has a buffer, as the base class has it
        while not self._plain and not self._ended:
            self._open_next()
        given = self._plain[: len(view)]
        view[: len(given)] = given
        self._plain = self._plain[len(given) :]
        return len(given)

    def _open_next(self) -> None:
        chunk, self._next = self._next, self._sealed.read(CHUNK + TAG)
        self._ended = not self._next
        nonce = _NONCE.pack(self._prefix, self._number, self._ended)
        try:
            self._plain = self._cipher.decrypt(nonce, chunk, self._header)
        except (InvalidTag, ValueError) as error:
            what = "was cut off, or changed, at its end" if self._ended else "was changed"
            place = f"{_HEADER.size + self._number * (CHUNK + TAG):,}"
            raise InvalidInput(f"{self._name} {what} (after byte {place}): look for another copy.") from error
        self._number += 1


@lru_cache(maxsize=2)
def _keys(passphrase: str, salt: bytes, cost: int) -> _Keys:
    """Return the keys of one stream, kept for whoever reads it next: a backup is tried as soon as it is made."""
    memory = 128 * 8 * 2**cost
    made = hashlib.scrypt(
        passphrase.encode("utf-8", "surrogatepass"), salt=salt, n=2**cost, r=8, p=1, maxmem=memory + 2**22, dklen=64
    )
    return _Keys(AESGCM(made[:32]), hashlib.sha256(made[32:]).digest()[:16])
