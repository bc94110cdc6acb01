"""Backups as the settings configure them: their folder, schedule and passphrase. Part of the composition root."""

from __future__ import annotations

from pathlib import Path

from lattice_common.adapters.files.backup_archive import is_reachable
from lattice_common.adapters.files.backup_schedule import BackupKeeper, Schedule
from lattice_common.ports.clock import Clock
from lattice_common.settings import Settings


def backup_passphrase(settings: Settings) -> str | None:
    """Return the passphrase that backups are encrypted with; None where they are not encrypted."""
    secret = settings.backup_passphrase
    return secret.get_secret_value() or None if secret is not None else None


def backup_folder(settings: Settings) -> Path:
    """Return the folder of scheduled backups."""
    return settings.backup_dir or settings.data_dir.with_name(f"{settings.data_dir.name}-backups")


def open_backups(settings: Settings, clock: Clock) -> BackupKeeper:
    """Return the keeper of the backup schedule, also where there is no schedule."""
    every = settings.backup_every
    schedule = Schedule(backup_folder(settings), every, settings.backup_keep, backup_passphrase(settings)) if every else None
    return BackupKeeper(settings.data_dir, schedule, clock)


def reaches_backup(settings: Settings, file: str) -> bool:
    """Return whether forgetting can remove words from a backup that was written to `file`."""
    return is_reachable(Path(file), backup_passphrase(settings))
