"""Runs a module of this folder as a command, and reads the report that it leaves."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.crash.faults import missing


def reported(module: str, tmp_path: Path, *arguments: str) -> dict[str, Any]:
    """Return the report of `python -m tests.crash.MODULE`; skipped where what it needs is missing, which fails in CI."""
    if why := missing():
        if os.environ.get("CI"):
            pytest.fail(f"In CI nothing of tests.crash may be skipped: {why}")
        pytest.skip(why)
    told = tmp_path / "report.json"
    command = [sys.executable, "-m", f"tests.crash.{module}", "--json", str(told), *arguments]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}  # its stores lie where those of tests do, in memory where there is room
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    sys.stdout.write(done.stdout)
    assert told.exists(), done.stderr[-2000:]
    report: dict[str, Any] = json.loads(told.read_text())
    return report
