"""docs/extending.md, done: its blocks are put into a copy of the product, which then has what they add."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import lattice_common
import pytest
from lattice_cli.lc import looks_like_path
from lattice_common.domain.formats import FORMATS

from tests.services.door import opened
from tests.serving import serving

PAGE = Path(__file__).parents[2] / "docs" / "extending.md"
SHIPPED = Path(lattice_common.__file__).parent
_BLOCK = re.compile(r"^(?P<said>[^\n]+):\n\n```\w+\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
_NEW = re.compile(r"A new file \*\*(?P<path>[^*]+)\*\*")
_INTO = re.compile(r"In `(?P<path>[^`]+)`, above `(?P<anchor>[^`]+)`")

REFERENCES = (
    b"TY  - BOOK\nTI  - The Boat Book\nAU  - Ines Maier\nPY  - 2019\nER  - \nTY  - JOUR\nTI  - On Goats\nAU  - Tom Bell\nER  - \n"
)

LOOK = """
import json, sys
from pathlib import Path
from lattice_common.capture.readers.limits import Limits
from lattice_common.capture.readers.read import read
from lattice_common.capture.request import IngestRequest
from lattice_common.composition.memory import open_in_memory
from lattice_common.domain.recall import Query
from lattice_common.settings import Settings, settings_page

path = Path(sys.argv[1])
reading = read(path, path.name, Limits(), lambda done, total: None)
settings = Settings(_env_file=None, embed_model="none")
with open_in_memory(settings) as product:
    product.lattice.accept(IngestRequest(text="The spare key is with Ines."))
    found = product.lattice.select(Query("Where is the spare key?", explain=True))
answer = {"text": reading.text, "signals": list(found.atoms[0].signals), "greeting": settings.greeting, "page": settings_page()}
print(json.dumps(answer))
"""


@dataclass(frozen=True)
class Extended:
    """What the extended copy of the product said, and the files of their own that the page shows."""

    text: str
    signals: list[str]
    greeting: str
    page: str
    files: dict[str, str]


@pytest.fixture(scope="module")
def extended(tmp_path_factory: pytest.TempPathFactory) -> Extended:
    root = tmp_path_factory.mktemp("extended")
    copy = root / "shared" / "lattice_common" / "lattice_common"
    shutil.copytree(SHIPPED, copy, ignore=shutil.ignore_patterns("__pycache__"), copy_function=_copied)
    files: dict[str, str] = {}
    for block in _BLOCK.finditer(PAGE.read_text(encoding="utf-8")):
        said, code = block["said"].strip(), block["code"]
        if into := _INTO.fullmatch(said):
            path = root / into["path"]
            before, anchor, after = path.read_text(encoding="utf-8").partition(f"\n{into['anchor']}")
            assert anchor, f"{into['path']} has no line {into['anchor']!r}"
            path.write_text(f"{before}\n{code}{anchor[1:]}{after}", encoding="utf-8")
        elif made := _NEW.search(said):
            files[made["path"]] = code
    for name, code in files.items():
        (root / name).write_text(code, encoding="utf-8")
    library = root / "library.ris"
    library.write_bytes(REFERENCES)
    environment = {**os.environ, "PYTHONPATH": str(copy.parent), "LATTICE_GREETING": "Welcome back"}
    done = subprocess.run(
        [sys.executable, "-c", LOOK, str(library)], capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr
    return Extended(**json.loads(done.stdout.splitlines()[-1]), files=files)


def _copied(source: str, target: str) -> None:
    """Weights of models are tens of megabytes, and are not changed."""
    if source.endswith((".py", ".json")):
        shutil.copyfile(source, target)
    else:
        Path(target).symlink_to(source)


def test_a_new_reader_reads_its_files(extended: Extended) -> None:
    assert "| The Boat Book | Ines Maier | 2019 |" in extended.text
    assert "On Goats" in extended.text


def test_a_new_signal_counts_in_the_score(extended: Extended) -> None:
    assert "fresh" in extended.signals


def test_a_new_setting_is_read_and_documented(extended: Extended) -> None:
    assert extended.greeting == "Welcome back"
    assert "## `LATTICE_GREETING`\n\nWhat the page says first.\n\nDefault: `Hello`." in extended.page


def test_a_new_door_tells_and_asks(extended: Extended, tmp_path: Path) -> None:
    path = tmp_path / "remind.py"
    path.write_text(extended.files["remind.py"], encoding="utf-8")
    with opened(tmp_path / "data") as door, serving(door.app) as address:
        words = ["The", "spare", "key", "is", "with", "Ines."]
        done = subprocess.run([sys.executable, path, address, door.token, *words], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "The spare key is with Ines.\n", "")


def test_the_command_line_takes_for_a_file_what_is_called_like_one_that_is_read() -> None:
    documents = [each for each in FORMATS if each.kind != "code"]
    assert [each.kind for each in documents if not looks_like_path(f"lease.{each.endings[0]}")] == []
    words = ("and/or", "Ines.", "example.com", "v1.2", "setup.py", "read lease.pdf")
    assert [each for each in words if looks_like_path(each)] == []
