"""Backups as the settings ask for them: where they go, how often, and what seals them. A part of the composition root."""

from __future__ import annotations

from pathlib import Path

from lattice_common.adapters.files.backup_archive import is_reachable
from lattice_common.adapters.files.backup_schedule import BackupKeeper, Schedule
from lattice_common.ports.clock import Clock
from lattice_common.settings import Settings


def backup_passphrase(settings: Settings) -> str | None:
    """Return what backups are sealed with; None where they are plain."""
    secret = settings.backup_passphrase
    return secret.get_secret_value() or None if secret is not None else None


def backup_folder(settings: Settings) -> Path:
    """Return where scheduled backups go."""
    return settings.backup_dir or settings.data_dir.with_name(f"{settings.data_dir.name}-backups")


def open_backups(settings: Settings, clock: Clock) -> BackupKeeper:
    """Return what keeps to the schedule of backups, where there is one."""
    every = settings.backup_every
    schedule = Schedule(backup_folder(settings), every, settings.backup_keep, backup_passphrase(settings)) if every else None
    return BackupKeeper(settings.data_dir, schedule, clock)


def reaches_backup(settings: Settings, file: str) -> bool:
    """Return whether a forgetting can take its words out of a backup that was written there."""
    return is_reachable(Path(file), backup_passphrase(settings))
