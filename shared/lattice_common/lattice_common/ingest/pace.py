"""How the writer divides its time between those who wait, an import, and its own work."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pace:
    """Limits of time and number that the writer keeps to."""

    pause_seconds: float = 5.0
    """Pause after a failure of the disk or of an engine: the work waits, and no attempts are used up."""
    sweep_seconds: float = 30.0
    """How long an entry waits at most whose ring was lost."""
    part_characters: int = 40_000
    """How much of a long text is decided and written in one go: what is urgent waits for so much of it at most."""
    together: int = 64
    """Short interactive entries that are processed together, with one commit of the engines: with fifty clients, a second of
    work."""
    judged_at_once: int = 8
    """Captures of a group that are judged before their receipts, at 30 ms each. Where more come at once, the rules decide all of
    them and the judge follows a little later, as for an import; so none has to be written before the next is decided."""
    judged_seconds: float = 0.25
    """Time after which no further capture of a group is judged at once: on a busy machine many must not wait for what can follow
    later."""
    quiet_seconds: float = 1.0
    """How long the writer's own work waits after many were served: within this time fifty clients on a busy machine of two cores
    have all sent their next request."""
    poll_seconds: float = 10.0
    """How often the files of memories are looked through where the system tells nothing of changes."""
    migrated_at_once: int = 200
    """Memories from before there was a status that are looked at before the writer sees whether anybody waits: with the judge
    about half a second."""
    slow_seconds: float = 60.0
    """How long a file or a batch may go without progress before the status names it."""
