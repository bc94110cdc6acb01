"""The errors of Lattice, as one tree.

    LatticeError
    ├── InvalidInput     what was sent cannot be taken (HTTP 400, 413, 415, 422)
    ├── NotAllowed       who asks may not (HTTP 401, 403)
    ├── NotFound         the thing named is not there (HTTP 404)
    ├── Conflict         the thing has changed, or is held by somebody else (HTTP 409, 412)
    │   └── NotTheWriter     nothing may be written any more: another writer took over, or the folder is of a newer version
    ├── NotConfigured    a setting is missing; carries the line to put into `.env` (HTTP 501)
    ├── Unavailable      a resource is away for now; the only one that is retried (HTTP 503, 507)
    │   └── ModelUnavailable a language model is away, slow, failing or spent: whoever asked goes on without it
    └── Corrupt          something on disk is not what was written (HTTP 500)

Expected ends of work (a duplicate, a rejected capture, no answer) are values, not errors. Every message names the thing, the
cause and the next step. Doors translate once.
"""

from __future__ import annotations


class LatticeError(Exception):
    """Root of all errors raised on purpose."""


class InvalidInput(LatticeError):
    """The input cannot be accepted. `status` is the fitting HTTP status; `field` names the offending field."""

    def __init__(self, message: str, *, status: int = 422, field: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.field = field


class NotAllowed(LatticeError):
    """The caller may not do this. `status` is 401 (unknown) or 403 (known, or from elsewhere, and refused)."""

    def __init__(self, message: str, *, status: int = 403) -> None:
        super().__init__(message)
        self.status = status


class NotFound(LatticeError):
    """The thing named does not exist."""


class Conflict(LatticeError):
    """The thing has changed meanwhile, or is held by somebody else. `status` is 409, or 412 for a stale `If-Match`."""

    def __init__(self, message: str, *, status: int = 409) -> None:
        super().__init__(message)
        self.status = status


class NotTheWriter(Conflict):
    """This process may not write any more: another writer took over, or the folder is of a newer version."""


class NotConfigured(LatticeError):
    """A setting is missing. `env_line` is what to put into `.env`."""

    def __init__(self, message: str, *, env_line: str) -> None:
        super().__init__(message)
        self.env_line = env_line


class Unavailable(LatticeError):
    """A resource is away for now. `status` is 503, or 507 when the disk is full; `retry_after` is in seconds."""

    def __init__(self, message: str, *, status: int = 503, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.retry_after = retry_after


class ModelUnavailable(Unavailable):
    """A language model is away, slow, failing, or the day's tokens are spent. The caller continues without it."""


class Corrupt(LatticeError):
    """Something on disk is not what was written."""
