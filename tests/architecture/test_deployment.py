"""docker-compose.yml and what is generated beside it say what the settings say."""

from __future__ import annotations

import re
import subprocess
import textwrap
from pathlib import Path
from typing import Any

import pytest
import yaml
from lattice_common.adapters.files.converters import OCR, PAGES
from lattice_common.adapters.models.open_embedder import FETCHED
from lattice_common.model_gate import PORT
from lattice_common.settings import Settings, setting_names
from source_tree import ROOT

from infra.generated import DEPLOYMENT, GENERATED, GROUPS, env_example
from infra.parts import base

COMPOSE = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
SERVICES: dict[str, Any] = yaml.safe_load(COMPOSE)["services"]
OWN = {name: each for name, each in SERVICES.items() if str(each["image"]).startswith("lattice-")}
OF_THE_CONTAINER = {"TZ", "PUID", "PGID", "REMAP_SIGTERM", "OPENSEARCH_URL", "DASHBOARDS_URL"}
"""What is no setting of Lattice: the time zone, the owner, how Celery takes a signal, and where `provision` puts things."""
SO_IN_A_CONTAINER = {
    "LATTICE_DIR",
    "LATTICE_GRAPH_HOST", "LATTICE_GRAPH_PORT", "LATTICE_HOST", "LATTICE_MCP_HOST", "LATTICE_MCP_PORT", "LATTICE_WEB_PORT",
    "LATTICE_LOG_JSON",
}  # fmt: skip
"""Where it keeps things, listens and writes: its image says so, whatever the host says."""
OPS = ("collector", "dashboards")
"""Images of others that the profile `ops` adds."""
ONCE = ("prepare", "provision")
"""Run at the start, and end."""


@pytest.mark.parametrize("name", GENERATED)
def test_what_is_made_from_the_code_is_up_to_date(name: str) -> None:
    assert (ROOT / name).read_text(encoding="utf-8") == GENERATED[name](), "run `make docs`"


def test_every_setting_is_in_the_example_once_and_none_is_set() -> None:
    lines = env_example().splitlines()
    named = [found.group(1) for line in lines if (found := re.match(r"#([A-Z_]+)=", line))]
    assert sorted(named) == sorted([*setting_names(), *DEPLOYMENT])
    assert all(line.startswith("#") for line in lines if line)
    assert set(GROUPS) <= set(setting_names())


def test_the_example_says_the_defaults(tmp_path: Any) -> None:
    """All taken in, they change nothing."""
    taken = tmp_path / ".env"
    taken.write_text(re.sub(r"^#(?=[A-Z_]+=.)", "", env_example(), flags=re.MULTILINE))
    fields = {name: value for name, value in Settings(_env_file=taken)}  # type: ignore[call-arg]  # noqa: C416 - a model is iterable, not a mapping
    assert fields == dict(Settings(_env_file=None))  # type: ignore[call-arg]


@pytest.mark.parametrize("service", OWN)
def test_what_a_container_is_told_are_settings(service: str) -> None:
    told = set(OWN[service].get("environment", {}))
    known = {*setting_names(), *(f"{name}_FILE" for name in setting_names()), *OF_THE_CONTAINER}
    assert told - known == set()


def test_what_can_be_set_from_outside_is_a_setting_or_explained() -> None:
    asked = set(re.findall(r"(?<!\$)\$\{([A-Z_]+)", COMPOSE))
    assert asked - {*setting_names(), *DEPLOYMENT} == set()
    assert set(DEPLOYMENT) <= asked


def test_the_engines_get_none_of_the_settings() -> None:
    """What is in .env may be a key for something else."""
    for name, each in SERVICES.items():
        if name not in OWN:
            assert "env_file" not in each, name
            assert not [key for key in each.get("environment", {}) if key.startswith(("LATTICE_", "LLM_"))], name


@pytest.mark.parametrize("service", ["api", "worker"])
def test_whatever_the_owner_sets_reaches_those_who_read_it(service: str) -> None:
    """But for what is so inside the containers, whatever the host says."""
    assert OWN[service]["env_file"] == [{"path": ".env", "required": False}]
    fixed = OWN[service]["environment"]
    assert (fixed["LATTICE_MODE"], fixed["LATTICE_DIR"], fixed["LATTICE_INBOX"]) == ("server", "/data", "/data/inbox")
    if service == "api":
        assert (fixed["LATTICE_HOST"], fixed["LATTICE_WEB_PORT"]) == ("0.0.0.0", 7337)


@pytest.mark.parametrize("service", ["bot", "graph", "mcp"])
def test_whatever_a_door_reads_of_the_settings_reaches_it(service: str) -> None:
    """They are told settings one by one. Without its owners a door gave one what another had told."""
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "services" / service).rglob("*.py"))
    names = dict(zip(Settings.model_fields, setting_names(), strict=True))
    read = {names[each] for each in re.findall(r"\bsettings\.([a-z_]+)", code) if each in names}
    if re.search(r"\b(owners|spaces)_of\(settings\)", code):
        read.add("LATTICE_OWNERS")
    told = {name.removesuffix("_FILE") for name in OWN[service]["environment"]}
    assert read - told - SO_IN_A_CONTAINER == set()
    assert "LATTICE_OWNERS" in read


def test_images_of_engines_are_pinned_to_a_version_and_those_of_the_tests_are_the_same() -> None:
    from tests import servers

    images = {name: each["image"] for name, each in SERVICES.items() if name not in OWN}
    engines = {name: image for name, image in images.items() if name not in OPS}
    assert engines == {"opensearch": servers.OPENSEARCH, "qdrant": servers.QDRANT, "redis": servers.REDIS}
    assert images["dashboards"].rpartition(":")[2] == images["opensearch"].rpartition(":")[2], "they go by the same version"
    assert all(re.search(r":v?\d+\.\d+\.\d+$", image) for image in images.values())


NETWORKS: dict[str, Any] = yaml.safe_load(COMPOSE)["networks"]
DOCKERFILE = (ROOT / "infra" / "Dockerfile").read_text(encoding="utf-8")
AS_ROOT_ONCE = "prepare"
"""Makes folders and secrets before the others start, on no network."""
LASTING = [name for name in OWN if name != AS_ROOT_ONCE]


@pytest.mark.parametrize("service", LASTING)
def test_a_service_of_ours_may_do_little(service: str) -> None:
    """Also one that only a profile starts."""
    each = OWN[service]
    assert each["user"] == "${PUID:-1000}:${PGID:-1000}"
    assert each["read_only"] is True
    assert each["cap_drop"] == ["ALL"]
    assert "cap_add" not in each
    assert each["security_opt"] == ["no-new-privileges:true"]
    assert each["pids_limit"]
    assert each["mem_limit"]
    assert all("noexec" in mount and "size=" in mount for mount in each["tmpfs"])


def test_images_that_read_files_read_pictures_and_scans() -> None:
    for target in ("worker", "solo"):
        of_the_image = DOCKERFILE.split(f" AS {target}\n")[1].split("\nFROM ")[0]
        assert "RUN /build/add-ocr $OCR_LANGUAGES" in of_the_image, target
    adds = (ROOT / "infra" / "image-add-ocr.sh").read_text(encoding="utf-8")
    assert all(f" {package} " in adds for package in (OCR.package, PAGES.package))


def test_what_runs_as_root_runs_once_and_on_no_network() -> None:
    once = SERVICES[AS_ROOT_ONCE]
    assert (once["user"], once["network_mode"], once["restart"]) == ("0:0", "none", "no")
    assert (once["read_only"], once["cap_drop"]) == (True, ["ALL"])
    assert set(once["cap_add"]) == {"CHOWN", "DAC_OVERRIDE", "FOWNER"}


@pytest.mark.parametrize("service", SERVICES)
def test_every_container_ends_in_time_and_tells_the_owners_time(service: str) -> None:
    each = SERVICES[service]
    assert each["init"] is True
    assert each["environment"]["TZ"] == "${TZ:-UTC}"
    if service not in ONCE:
        assert each["restart"] == "unless-stopped"
        assert re.fullmatch(r"\d+s", each["stop_grace_period"])


@pytest.mark.parametrize("service", [name for name in SERVICES if name not in (*ONCE, "collector")])
def test_every_container_is_looked_after(service: str) -> None:
    if "build" in SERVICES[service]:
        target = OWN[service]["build"]["target"]
        of_the_image = DOCKERFILE.split(f" AS {target}\n")[1].split("\nFROM ")[0]
        assert "HEALTHCHECK" in of_the_image
    else:
        assert SERVICES[service]["healthcheck"]["test"]


def test_who_needs_another_waits_until_that_is_well() -> None:
    for name, each in SERVICES.items():
        for other, how in each.get("depends_on", {}).items():
            wanted = "service_completed_successfully" if other == AS_ROOT_ONCE else "service_healthy"
            assert how["condition"] == wanted, f"{name} on {other}"
            assert how.get("required", True) is (other not in ("opensearch", "qdrant")), "they may be elsewhere"
    waiting = {name: set(each.get("depends_on", {})) - {AS_ROOT_ONCE} for name, each in OWN.items() if name in LASTING}
    engines = {"redis", "opensearch", "qdrant"}
    assert waiting == {
        "api": {*engines, "graph"},
        "worker": engines,
        "graph": set(),
        "bot": {"api"},
        "mcp": {"api"},
        "gate": set(),
        "provision": {"opensearch", "dashboards"},
    }


def test_ports_are_those_of_the_page_and_of_mcp_and_on_this_machine() -> None:
    published = {name: each["ports"] for name, each in SERVICES.items() if "ports" in each}
    assert set(published) == {"api", "mcp", "dashboards"}
    assert all(port.startswith("127.0.0.1:") for ports in published.values() for port in ports)
    assert SERVICES["mcp"]["profiles"] == ["mcp"]


def test_each_network_has_those_who_need_it_and_an_engines_leads_nowhere() -> None:
    members = {name: {who for who, each in SERVICES.items() if name in each.get("networks", [])} for name in NETWORKS}
    assert members == {
        "front": {"api"},
        "clusters": {"worker"},
        "models": {"api", "worker", "gate"},
        "outside": {"gate", "bot"},
        "doors": {"api", "bot", "mcp"},
        "assistants": {"mcp"},
        "queue": {"redis", "api", "worker"},
        "words": {"opensearch", "api", "worker"},
        "logs": {"opensearch", *OPS, "provision"},
        "views": {"dashboards"},
        "vectors": {"qdrant", "api", "worker"},
        "graphs": {"graph", "api", "worker"},
    }
    assert {name for name, each in NETWORKS.items() if (each or {}).get("internal")} == {
        "doors", "models", "queue", "words", "vectors", "graphs", "logs",
    }  # fmt: skip


@pytest.mark.parametrize("service", [*OPS, "provision"])
def test_what_the_profile_ops_adds_is_shut_in_like_the_others(service: str) -> None:
    each = SERVICES[service]
    assert each["profiles"] == ["ops"]
    assert (each["read_only"], each["cap_drop"], each["security_opt"]) == (True, ["ALL"], ["no-new-privileges:true"])
    assert not {"cap_add", "env_file", "network_mode", "privileged"} & set(each)
    assert each["pids_limit"]
    assert each["mem_limit"]
    assert all("noexec" in mount and "size=" in mount for mount in each["tmpfs"])
    writable = [volume for volume in each.get("volumes", ()) if not volume.endswith(":ro")]
    assert writable == (["collector:/state"] if service == "collector" else [])
    assert not [volume for volume in each["volumes"] if "LATTICE_DATA" in volume or "docker.sock" in volume]


def test_the_lines_of_every_container_say_whose_they_are() -> None:
    """By which the collector knows them, among those of all containers of the machine."""
    for name, each in SERVICES.items():
        assert each["logging"]["options"]["tag"] == "lattice", name
        assert each["logging"]["options"]["labels"] == "com.docker.compose.service", name


def test_only_the_profile_ops_leads_to_the_dashboards() -> None:
    assert {name for name, each in SERVICES.items() if each.get("profiles") == ["ops"]} == {*OPS, "provision"}
    assert not [name for name, each in SERVICES.items() if set(OPS) & set(each.get("depends_on", {})) and name != "provision"]


@pytest.mark.parametrize("engine", ["redis", "qdrant"])
def test_an_engine_that_can_do_without_has_no_capability_and_writes_its_volume_alone(engine: str) -> None:
    each = SERVICES[engine]
    assert (each["read_only"], each["cap_drop"]) == (True, ["ALL"])
    assert "cap_add" not in each
    assert all("noexec" in mount and "size=" in mount for mount in each["tmpfs"])
    writable = [mount for mount in each["volumes"] if not mount.endswith(":ro")]
    assert len(writable) == 1


def test_what_each_service_of_ours_has_mounted_for_writing_is_what_it_must_write() -> None:
    """What a service tries to write besides is refused in a real deployment (tests/compose)."""
    writable = {
        name: {volume.partition(":/")[2] for volume in each.get("volumes", ()) if not volume.endswith(":ro")}
        for name, each in OWN.items()
        if name in LASTING
    }
    assert writable == {
        "api": {f"data/{name}" for name in ("journal", "inbox", "logs", "access")},
        "worker": {"data"},
        "graph": set(),
        "bot": {"data/bot", "data/inbox"},
        "mcp": {"data/inbox"},
        "gate": set(),
        "provision": set(),
    }


def test_the_api_is_given_no_key_that_writes_to_qdrant() -> None:
    def mounted(service: str) -> set[str]:
        return {volume.partition(":")[0] for volume in SERVICES[service]["volumes"] if "qdrant" in volume}

    assert mounted("api") == {"qdrant-reader-secrets"}
    assert mounted("worker") == {"qdrant-secrets"}
    assert OWN["worker"]["environment"]["LATTICE_QDRANT_API_KEY_FILE"] == "/secrets/qdrant/api_key"
    assert "read_only_api_key" in OWN["api"]["environment"]["LATTICE_QDRANT_API_KEY_FILE"]


def test_the_networks_of_the_doors_lead_out_only_where_the_owner_says_so() -> None:
    leads_out = {
        name: (NETWORKS[name]["driver_opts"])["com.docker.network.bridge.enable_ip_masquerade"]
        for name in ("front", "clusters", "assistants", "views")
    }
    assert leads_out == {
        "front": "${LATTICE_API_EGRESS:-false}",
        "clusters": "${LATTICE_WORKER_EGRESS:-false}",
        "assistants": "false",
        "views": "false",
    }
    assert {name for name, each in NETWORKS.items() if each is None} == {"outside"}


def test_the_gate_alone_leads_out_for_the_api_and_the_worker_and_is_told_the_model_and_nothing_else() -> None:
    gate = SERVICES["gate"]
    assert gate["command"] == ["python", "-m", "lattice_common.model_gate"]
    assert set(gate["environment"]) == {"TZ", "LLM_PROVIDER", "LLM_BASE_URL"}
    assert not {"volumes", "env_file", "ports"} & set(gate)
    for who in ("api", "worker"):
        assert OWN[who]["environment"]["LATTICE_LLM_GATE"] == f"${{LATTICE_LLM_GATE:-http://gate:{PORT}}}"
        assert "extra_hosts" not in OWN[who]


def test_the_builders_tool_is_pinned_by_hash_and_the_base_by_digest() -> None:
    from infra import bootstrap

    pinned = (ROOT / "infra" / "uv.txt").read_text()
    assert f"uv=={bootstrap.VERSION} " in pinned
    assert set(re.findall(r"sha256:([0-9a-f]{64})", pinned)) == {
        bootstrap.PINNED[wheel] for (system, _), wheel in bootstrap.WHEELS.items() if system == "Linux"
    }
    assert "--require-hashes" in DOCKERFILE
    assert {each for each in re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE) if ":" in each or "$" in each} == {"${PYTHON}"}
    assert re.search(r"^ARG PYTHON=python:[0-9.]+-slim@sha256:[0-9a-f]{64}$", DOCKERFILE, re.MULTILINE)


def overrides_in_the_manual() -> list[dict[str, Any]]:
    """What docs/operations.md tells owners to put into `docker-compose.override.yml`."""
    manual = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^    (?:services|networks):\n(?:    .*\n)+", manual, re.MULTILINE)
    return [yaml.safe_load(textwrap.dedent(block)) for block in blocks]


def test_what_the_manual_overrides_is_there() -> None:
    """A service that is not has to be a whole one; what is built has the argument."""
    overrides = overrides_in_the_manual()
    assert len(overrides) >= 8
    for each in overrides:
        assert set(each.get("networks", {})) <= set(NETWORKS)
        for name, service in each.get("services", {}).items():
            assert name in SERVICES or "image" in service, name
            assert set(service.get("networks", ())) <= set(NETWORKS), name
            for argument in service.get("build", {}).get("args", {}):
                assert f"ARG {argument}=" in DOCKERFILE.split(f" AS {name}\n")[1].split("\nFROM ")[0]


def test_models_are_looked_for_where_the_manual_mounts_them() -> None:
    [cache] = re.findall(r"XDG_CACHE_HOME=(\S+)", DOCKERFILE)
    mounted = {
        (name, volume)
        for each in overrides_in_the_manual()
        for name, service in each.get("services", {}).items()
        for volume in service.get("volumes", ())
        if cache in volume
    }
    expected = f"./models/lattice/models/{FETCHED}:{cache}/lattice/models/{FETCHED}:ro"
    assert mounted == {("api", expected), ("worker", expected)}


def test_where_no_registry_is_reached_the_base_that_is_there_is_taken_for_every_image_of_ours() -> None:
    offline = yaml.safe_load((ROOT / "infra" / "compose.offline.yml").read_text())["services"]
    built = {name: each["build"]["args"]["PYTHON"] for name, each in offline.items() if "build" in each}
    assert built == dict.fromkeys(("api", "worker", "graph", "bot", "mcp"), base())


def test_pip_fetches_the_builders_tool_by_its_hashes_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    from infra import bootstrap

    told: list[tuple[list[str], str]] = []

    def installed(command: list[str], **_: object) -> subprocess.CompletedProcess[bytes]:
        told.append((command, Path(command[-1]).read_text()))
        return subprocess.CompletedProcess(command, 1)

    monkeypatch.setattr(subprocess, "run", installed)
    assert not bootstrap.with_pip()
    [(command, wanted)] = told
    assert "--require-hashes" in command
    assert not any(each.startswith("uv") for each in command)
    assert wanted.split() == [f"uv=={bootstrap.VERSION}", *(f"--hash=sha256:{each}" for each in bootstrap.PINNED.values())]


def test_in_the_image_of_everything_lattice_is_started_as_everywhere() -> None:
    solo = DOCKERFILE.split(" AS solo\n")[1]
    assert 'CMD ["lattice", "up", "--no-browser"]' in solo
    # Its writer is in the same process, which answers /health when nothing is written any more.
    assert re.findall(r"HEALTHCHECK .*?(/\w+)\"\]", solo) == ["/ready"]
    assert "LATTICE_AUTH" not in DOCKERFILE


def test_dependencies_are_installed_before_our_source_is_there() -> None:
    """So that a change of ours installs nothing anew."""
    installs = re.findall(r"from=(tools|source),.*?/build/bin/add (.*?)\n(?!\s)", DOCKERFILE, re.DOTALL)
    assert len(installs) == DOCKERFILE.count("/build/bin/add ")
    for sees, arguments in installs:
        assert (sees == "tools") == ("--no-install-workspace" in arguments), arguments
