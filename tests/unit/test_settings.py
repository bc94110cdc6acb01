"""What stands in the environment becomes a setting, or one sentence that says why not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from lattice_common.errors import NotConfigured
from lattice_common.settings import Settings, mistyped

SECRET = "from-a-file-0123456789"


@pytest.fixture(autouse=True)
def without_env_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("beside", [None, ""])
def test_a_secret_is_taken_from_its_file_when_the_setting_itself_is_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, beside: str | None
) -> None:
    """docker-compose.yml hands on an empty LLM_API_KEY when nobody has set one."""
    (tmp_path / "key").write_text(f"{SECRET}\n")
    monkeypatch.setenv("LLM_API_KEY_FILE", str(tmp_path / "key"))
    monkeypatch.delenv("LLM_API_KEY", raising=False)
    if beside is not None:
        monkeypatch.setenv("LLM_API_KEY", beside)
    key = Settings().llm_api_key
    assert key is not None
    assert key.get_secret_value() == SECRET


def test_the_environment_wins_over_a_file_and_a_file_over_env(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "key").write_text(SECRET)
    (tmp_path / ".env").write_text("LLM_API_KEY=from-dot-env\n")
    monkeypatch.delenv("LLM_API_KEY", raising=False)
    assert Settings().llm_api_key.get_secret_value() == "from-dot-env"  # type: ignore[union-attr]
    monkeypatch.setenv("LLM_API_KEY_FILE", str(tmp_path / "key"))
    assert Settings().llm_api_key.get_secret_value() == SECRET  # type: ignore[union-attr]
    monkeypatch.setenv("LLM_API_KEY", "from-the-environment")
    assert Settings().llm_api_key.get_secret_value() == "from-the-environment"  # type: ignore[union-attr]


def test_a_variable_of_another_program_is_no_setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Shells set HOST, and many a container PORT and MODE."""
    (tmp_path / ".env").write_text("OWNERS=ada,ben\n")
    for name, value in {"HOST": "0.0.0.0", "PORT": "8080", "MODE": "server"}.items():
        monkeypatch.setenv(name, value)
    settings = Settings()
    assert (settings.host, settings.port, settings.mode, settings.owners) == ("127.0.0.1", 7337, "embedded", "")
    monkeypatch.setenv("lattice_web_port", "7338")
    assert Settings().port == 7338, "names in small letters count, as they did"


@pytest.mark.parametrize(("content", "reason"), [(None, "No such file or directory"), (b"\xff\xfe", "it is no text")])
def test_a_file_that_cannot_be_read_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | None, reason: str
) -> None:
    if content is not None:
        (tmp_path / "key").write_bytes(content)
    monkeypatch.setenv("LLM_API_KEY_FILE", str(tmp_path / "key"))
    monkeypatch.delenv("LLM_API_KEY", raising=False)
    with pytest.raises(NotConfigured, match=reason) as refused:
        Settings()
    assert "LLM_API_KEY_FILE" in str(refused.value)


def test_a_value_that_is_not_allowed_is_told_with_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LATTICE_DENSE_TOP_K", "many")
    with pytest.raises(
        NotConfigured, match="LATTICE_DENSE_TOP_K=many is not allowed: Input should be a valid integer"
    ) as refused:
        Settings()
    assert refused.value.env_line == "LATTICE_DENSE_TOP_K=20"


@pytest.mark.lengthy
@pytest.mark.parametrize(
    "service", ["api", *(pytest.param(each, marks=pytest.mark.slow) for each in ("bot", "graph", "mcp", "worker"))]
)
def test_a_service_ends_with_a_sentence_and_no_traceback(service: str, tmp_path: Path) -> None:
    environment = {"PATH": "/usr/bin", "LATTICE_DIR": str(tmp_path / "data"), "LATTICE_OPENSEARCH_SHARDS": "0"}
    module = [sys.executable, "-m", f"lattice_{service}"]
    done = subprocess.run(module, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("LATTICE_OPENSEARCH_SHARDS=0 is not allowed: Input should be greater than or equal to 1.")
    assert "Traceback" not in done.stderr


def test_what_was_given_for_a_secret_is_not_repeated() -> None:
    with pytest.raises(NotConfigured) as refused:
        Settings(LLM_API_KEY=["sk-not-to-be-shown"])
    assert "sk-not-to-be-shown" not in str(refused.value)
    assert refused.value.__cause__ is None


def test_a_name_that_no_setting_has_is_told_with_the_one_that_was_meant() -> None:
    given = ["LATTICE_DATA_DIR", "LATTICE_WEBPORT", "LATTICE_DIR", "LATTICE_API_TOKEN_FILE", "LATTICE_OFFLINE_IMAGES", "PATH"]
    assert mistyped(given) == {"LATTICE_DATA_DIR": "LATTICE_DIR", "LATTICE_WEBPORT": "LATTICE_WEB_PORT"}
    assert mistyped(["LATTICE_SOMETHING_OF_MINE"]) == {}
