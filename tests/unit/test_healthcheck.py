"""What a container's health check finds: a heartbeat that is old, torn, missing or stuck; a service that does not answer."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI, Response
from fastapi.responses import JSONResponse
from lattice_common.healthcheck import STALE_SECONDS, trouble, troubles

from tests.serving import serving


def beat(path: Path, **fields: Any) -> str:
    path.write_text(json.dumps({"at": time.time(), "stuck": None, **fields}))
    return str(path)


def test_a_fresh_heartbeat_is_healthy(tmp_path: Path) -> None:
    assert trouble(beat(tmp_path / "writer.json")) is None


def test_an_old_heartbeat_is_none(tmp_path: Path) -> None:
    assert trouble(beat(tmp_path / "writer.json", at=time.time() - STALE_SECONDS + 5)) is None
    assert "heartbeat was 6" in str(trouble(beat(tmp_path / "writer.json", at=time.time() - STALE_SECONDS - 5)))


def test_a_writer_that_is_stuck_is_not_healthy_however_fresh_it_is(tmp_path: Path) -> None:
    assert trouble(beat(tmp_path / "writer.json", stuck="it hangs")) == "it hangs"


def test_of_several_owners_every_writer_has_to_be_well(tmp_path: Path) -> None:
    places = {name: tmp_path / "spaces" / name / "index" for name in ("ben", "shared", "gone")} | {"ada": tmp_path / "index"}
    for place in places.values():
        place.mkdir(parents=True)
        beat(place / "writer.json")
    first = str(tmp_path / "index" / "writer.json")
    beat(places["gone"] / "writer.json", at=0)  # an owner who is not there any more
    assert troubles(first, "ada, ben") is None
    beat(places["ben"] / "writer.json", stuck="it hangs")
    assert troubles(first, "ada, ben") == "ben: it hangs"
    assert troubles(first, "") is None
    (places["shared"] / "writer.json").unlink()
    assert str(troubles(first, "ada,ben")).startswith("ben: it hangs; shared: there is no heartbeat")


@pytest.mark.parametrize("content", [None, b"", b"{", b"[]", b"{}", b'{"at": "noon"}', b"\xff"])
def test_what_is_no_heartbeat_is_said_to_be_none(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "writer.json"
    if content is not None:
        path.write_bytes(content)
    assert "there is no heartbeat" in str(trouble(str(path)))


def test_a_service_is_healthy_when_it_answers_200() -> None:
    app = FastAPI()

    @app.get("/health")
    def health() -> dict[str, str]:
        return {"status": "ok"}

    @app.get("/ill")
    def ill() -> Response:
        return Response(status_code=503)

    with serving(app) as url:
        assert trouble(f"{url}/health") is None
        assert trouble(f"{url}/ill") == "it answers 503"
    assert "does not answer" in str(trouble(f"{url}/health"))


def test_a_product_whose_writer_is_gone_is_not_healthy_and_says_why() -> None:
    app = FastAPI()

    @app.get("/ready")
    def ready() -> Response:
        parts = {"journal": "up", "writer": "it broke: start Lattice again", "judge": "off"}
        return JSONResponse({"ready": False, "parts": parts}, 503)

    with serving(app) as url:
        assert trouble(f"{url}/ready") == "it answers 503 (writer: it broke: start Lattice again)"


def test_the_image_with_the_writer_in_it_asks_whether_it_is_ready() -> None:
    images = (Path(__file__).parents[2] / "infra" / "Dockerfile").read_text(encoding="utf-8").split("\nFROM ")
    solo = next(image for image in images if image.partition("\n")[0].endswith(" AS solo"))
    assert "http://127.0.0.1:7337/ready" in solo


def test_the_command_says_it_with_its_exit_code(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "lattice_common.healthcheck"]
    assert subprocess.run([*command, beat(tmp_path / "writer.json")], check=False).returncode == 0
    ill = subprocess.run([*command, str(tmp_path / "nothing")], check=False, capture_output=True, text=True)
    assert ill.returncode == 1
    assert "there is no heartbeat" in ill.stderr
