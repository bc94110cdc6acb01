"""A start on a real disk that takes nothing: `unshare --user --map-root-user --mount python -m tests.services.small_disk …`.

In the folder that is its first argument, two disks of their own are mounted and a memory lived in on each: one whose process was
killed at work, and one that was closed. Then each disk is filled or made read-only (the second argument), and the product started
as `lattice up` starts it. It prints one JSON object a disk of what was seen; the test beside it says what is wanted.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

import httpx2
from lattice_api.access import PAGE_KEY_HEADER
from lattice_api.app import Door, serve
from lattice_api.token_file import TokenFile
from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.composition import open_embedded, read_only
from lattice_common.composition.models import Model
from lattice_common.settings import Settings

from tests.pipeline.living import PATIENCE, say
from tests.services.door import opened

DISK_MB = 24
TOLD = "Ingrid in flat 12 has my spare key."
QUESTION = {"query": "Who has my spare key?"}
TOKEN = "".join("0123456789abcdefghijklmnopqrstuv"[(7 * n) % 32] for n in range(40))


def mount(folder: Path, *options: str) -> None:
    subprocess.run(["mount", "-t", "tmpfs", "-o", ",".join(options), "small", str(folder)], check=True)


def lived_in(root: Path, *, is_killed: bool) -> None:
    """Something was told; where IS_KILLED the process that took it was killed in the middle of its work."""
    if not is_killed:
        with opened(root) as door:
            door.tell(TOLD)
        return
    if os.fork() == 0:
        store = open_embedded(Settings(data_dir=root, embed_model="none", llm_provider="none"), model=Model(HashedEmbedder()))
        store.start()
        say(store, TOLD)
        os.kill(os.getpid(), 9)
    os.wait()


def fill(folder: Path) -> Path:
    """Not a byte is left, nor a name."""
    ballast = folder / "ballast"
    with ballast.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(65536))
        except OSError:
            pass
    while os.statvfs(folder).f_favail:
        try:
            (folder / f"name-{os.statvfs(folder).f_favail}").touch()
        except OSError:
            break
    return ballast


def seen(door: Door, make_room: Any) -> dict[str, Any]:
    """What somebody sees who comes now, and once there is room."""
    code = door.login_url.rpartition("code=")[2]
    with httpx2.Client(base_url=door.url, trust_env=False, timeout=PATIENCE) as http:
        signed_in = http.post("/api/login", json={"code": code})
        http.headers[PAGE_KEY_HEADER] = signed_in.json()["page_key"]
        http.headers["origin"] = door.url
        ready = http.get("/ready")
        found = {
            "reads_only": door.reads_only,
            "signed_in": signed_in.status_code,
            "found": [atom["content"] for atom in http.post("/api/select", json=QUESTION).json()["atoms"]],
            "answer": http.post("/api/answer", json=QUESTION).json()["answer"],
            "listed": http.get("/api/status").json()["atoms"],
            "page": http.get("/").status_code,
            "told": http.post("/api/ingest", json={"text": "My aunt lives in Ghent."}).status_code,
            "refusal": http.post("/api/ingest", json={"text": "My aunt lives in Ghent."}).json().get("detail"),
            "ready": ready.status_code,
            "parts": ready.json()["parts"],
            "status": http.get("/api/status").json()["writer"],
        }
        make_room()
        found |= {"told_later": told_when_there_is_room(http).get("state"), "ready_later": http.get("/ready").status_code}
        found["still_signed_in"] = http.get("/api/status").status_code
    return found


def told_when_there_is_room(http: httpx2.Client) -> dict[str, Any]:
    """Tell it until it is taken, as a client does: the server that only reads closes its idle connections when the one that
    writes takes its place, and a request may be on its way in one of them."""
    waiting = threading.Event()
    reply: dict[str, Any] = {}
    for _ in range(600):
        with contextlib.suppress(httpx2.RemoteProtocolError, httpx2.NetworkError):
            told = http.post("/api/ingest", json={"text": "My aunt lives in Ghent.", "wait": True})
            reply = told.json()
            if told.status_code == 200:
                return reply
        waiting.wait(0.05)
    return reply


def disk_with_a_memory(folder: Path, *, is_killed: bool) -> None:
    folder.mkdir()
    mount(folder, f"size={DISK_MB}m", "nr_inodes=4000")
    root = folder / "data"
    lived_in(root, is_killed=is_killed)
    token_file = TokenFile(root)
    if not token_file.tokens:
        token_file.add_token("first", ("read", "capture", "admin"))


def started_without_room(folder: Path, how: str) -> dict[str, Any]:
    root = folder / "data"
    if how == "full":
        os.environ["TMPDIR"] = str(folder)
        tempfile.tempdir = None  # looked up again: the disk before this one had another
    ballast = fill(folder) if how == "full" else None
    if ballast is None:
        mount(folder, "remount", "ro")

    def make_room() -> None:
        if ballast is None:
            mount(folder, "remount", "rw")
            return
        ballast.unlink()
        for path in folder.glob("name-*"):
            path.unlink()

    result: dict[str, Any] = {}

    def ready(door: Door) -> None:
        def look() -> None:
            try:
                result.update(seen(door, make_room))
            except Exception as error:  # noqa: BLE001 - printed below, and the test fails by it
                result["failed"] = repr(error)
            os.kill(os.getpid(), 2)

        threading.Thread(target=look).start()

    settings = Settings(data_dir=root, embed_model="none", llm_provider="none", port=0, inbox=root / "inbox")
    with contextlib.suppress(KeyboardInterrupt):
        serve(settings, on_ready=ready, on_progress=lambda *_: None)
    return result | {"left": [path.name for path in root.glob(".room*")]}


def main() -> None:
    folder, how = Path(sys.argv[1]), sys.argv[2]
    read_only.LOOK_SECONDS = 0.1
    read_only.load_model = lambda _: Model(HashedEmbedder())  # type: ignore[assignment]  # small, and the same as before
    disks = {"killed": folder / "killed", "closed": folder / "closed"}  # in this order: no thread is there yet where one forks
    for name, disk in disks.items():
        disk_with_a_memory(disk, is_killed=name == "killed")
    for name, disk in disks.items():
        print(json.dumps({"disk": name} | started_without_room(disk, how)))


if __name__ == "__main__":
    main()
