"""External programs that convert unsupported files: LibreOffice for `.doc` and `.ppt`, tesseract for pictures.

They are used where they are installed, one file at a time, in a folder of their own that is removed afterwards: with limits on
memory, processor and wall time, and killed with everything they started when those are exceeded. Their output is as untrusted as
the file, and is read in the same way.
"""

from __future__ import annotations

import contextlib
import functools
import os
import resource
import shutil
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lattice_common.logs import logger

log = logger(__name__)

OFFICE_MEMORY = 3 << 30
"""Bytes of address space: LibreOffice reserves two gigabytes and uses a tenth of them."""
OCR_MEMORY = 1 << 30
DOTS_PER_INCH = 200
"""Resolution of a scanned page as a picture: what tesseract needs for the letters of a letter."""
MOST_PAGES = 100
"""Pages of a scan that are read."""


@dataclass(frozen=True, slots=True)
class Program:
    """How a program is called, and how to install it where it is missing."""

    names: tuple[str, ...]
    package: str
    memory: int

    @property
    def path(self) -> str | None:
        return next((found for name in self.names if (found := shutil.which(name))), None)


OFFICE = Program(("soffice", "libreoffice"), "libreoffice-writer-nogui libreoffice-impress-nogui", OFFICE_MEMORY)
OCR = Program(("tesseract",), "tesseract-ocr", OCR_MEMORY)
PAGES = Program(("pdftoppm",), "poppler-utils", OCR_MEMORY)
COUNT = Program(("pdfinfo",), "poppler-utils", OCR_MEMORY)


def run(program: Program, arguments: Sequence[str], folder: Path, seconds: float) -> bytes | None:
    """Return the program's output; None where it is missing, fails, or takes longer than `seconds`."""
    path = program.path
    if path is None:
        return None
    out = folder / ".output"
    with out.open("wb") as into:
        process = subprocess.Popen(  # noqa: S603 - a program of the system's, a file of ours, and nothing of a file on the line
            [path, *arguments],
            cwd=folder,
            env=_environment(folder),
            stdin=subprocess.DEVNULL,
            stdout=into,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            _limit(process.pid, program.memory, seconds)
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            log.warning("converter_killed", program=Path(path).name)
            return None
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    return out.read_bytes() if process.returncode == 0 else None


def _limit(process: int, memory: int, seconds: float) -> None:
    limits = getattr(resource, "prlimit", None)  # Linux has it; elsewhere the wall time holds
    if limits is None:
        return
    with contextlib.suppress(ProcessLookupError):  # it is done already
        limits(process, resource.RLIMIT_AS, (memory, memory))
        limits(process, resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
        limits(process, resource.RLIMIT_CORE, (0, 0))


def _environment(folder: Path) -> dict[str, str]:
    """Return an environment with nothing of ours except the path to programs."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "TESSDATA_PREFIX") if name in os.environ}
    return {**kept, "HOME": str(folder), "TMPDIR": str(folder), "OMP_THREAD_LIMIT": "1"}


@functools.cache
def languages() -> str:
    """Return the languages of tesseract, joined in its notation ("eng+deu"); "eng" where it does not say, "" without tesseract.

    Cached per process: it starts the program.
    """
    path = OCR.path
    if path is None:
        return ""
    try:
        asked = subprocess.run([path, "--list-langs"], capture_output=True, text=True, check=False, timeout=20)  # noqa: S603 - a program of the system's
    except (OSError, subprocess.TimeoutExpired) as error:
        log.warning("converter_failed", program=Path(path).name, error=str(error))
        return "eng"
    found = [line.strip() for line in asked.stdout.splitlines()[1:] if line.strip() not in ("", "osd", "equ")]
    return "+".join(sorted(found, key=lambda each: each != "eng")) or "eng"
