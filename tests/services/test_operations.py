"""What runs, and how well: the log, `/metrics`, `/ops`, and the dashboards and alerts that are made for them (infra/ops).

The log that dashboards are held to is one that the embedded product wrote.
"""

from __future__ import annotations

import io
import json
import logging
import os
import re
import shutil
import subprocess
import threading
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml
from lattice_api.access import PAGE_KEY_HEADER
from lattice_api.operations import Looking
from lattice_api.vitals import Vitals
from lattice_common.adapters.files.backup_archive import note_backup
from lattice_common.adapters.files.egress_log import EgressLog
from lattice_common.adapters.system_clock import SystemClock
from lattice_common.logs import configure
from lattice_common.ports.language_model import Message, ModelRequest
from lattice_common.settings import Settings
from lattice_worker.heartbeat import Heartbeat

from infra import operations
from infra.ops import provision
from tests.pipeline.modelled import memories, memory
from tests.services.door import Door, opened, sign_in
from tests.services.model_behaviours import answer
from tests.services.model_server import model_server

OPS = Path(operations.__file__).parent / "ops"
SAID = "My sister Philippa plays the cello, and keeps the spare key."
ASKED = "Which year did the marzipan submarine of Napoleon sink?"
WORDS = ("Philippa", "cello", "marzipan", "submarine", "Mars")

Line = dict[str, Any]


@contextmanager
def logged() -> Iterator[io.StringIO]:
    """What is logged as in a container."""
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    stream = io.StringIO()
    configure("info", json=True, stream=stream)
    try:
        yield stream
    finally:
        root.handlers = handlers
        root.setLevel(level)


def looking(door: Door) -> Looking:
    found: Looking = door.app.state.look
    return found


def reads(body: dict[str, Any]) -> str:
    """A model that makes something up beside what was said."""
    if "response_format" not in body:
        return "Philippa keeps it [1]."
    return memories(memory("My sister Philippa plays the cello.", SAID), memory("I live on Mars.", "I live on Mars."))


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """A real log, and what `/metrics` said at its end."""
    root = tmp_path_factory.mktemp("operations") / "data"
    with logged() as stream, model_server(answer(reads, usage=None)) as server, opened(
        root, llm_provider="openai", llm_base_url=server.base_url, llm_model="scripted:latest", llm_api_key="none",
        llm_patience_seconds=180.0, llm_prompt_price=3.0, llm_completion_price=15.0, consolidate=False,
    ) as door:  # fmt: skip
        capture_id = door.http.post("/api/ingest", json={"text": SAID}).json()["capture_id"]
        ended = door.embedded.lattice.wait_for(capture_id, 180.0).receipt
        assert ended is not None
        assert ended.rejected == 1
        door.select(ASKED)
        assert door.http.post("/api/answer", json={"query": "Who plays the cello?"}).status_code == 200
        assert door.http.post("/api/answer", json={"query": ASKED}).status_code == 200
        note_backup(root, root / "backup.tar.gz", datetime.now(UTC) - timedelta(hours=1))
        Vitals(looking(door).look).say()

        def breaks() -> Any:
            raise ValueError(SAID)

        Vitals(breaks).say()
        metrics = door.http.get("/metrics").text
    return stream.getvalue(), metrics


@pytest.fixture(scope="module")
def lines(told: tuple[str, str]) -> list[Line]:
    return [json.loads(line) for line in told[0].splitlines()]


def of(lines: list[Line], query: str) -> list[Line]:
    """The lines that a panel's query picks: it asks for events, or for levels, and may ask for more."""
    events = re.search(r"event:(?:\(([^)]*)\)|(\w+))", query)
    if query.startswith("level:"):
        return [each for each in lines if each["level"] in ("warning", "error")]
    assert events is not None, query
    names = (events.group(1) or events.group(2)).split(" OR ")
    assert set(names) <= {each["event"] for each in lines}, f"no line of {names} was logged"
    return [each for each in lines if each["event"] in names]


PANELS = [panel for panels in operations.DASHBOARDS.values() for panel in panels]
ADDED = {"@timestamp", "service"}
"""By what collects the log."""


def test_no_word_of_the_owners_is_in_the_log(told: tuple[str, str]) -> None:
    assert not [word for word in WORDS if word in told[0]]
    assert not [word for word in WORDS if word in told[1]]


@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: panel.id)
def test_a_panel_refers_only_to_fields_that_its_events_have(lines: list[Line], panel: operations.Panel) -> None:
    there = {name for line in of(lines, panel.query) for name in line}
    wanted = {metric.field for metric in panel.metrics if metric.field} | ({panel.split} if panel.split else set())
    if panel.title == "Milliseconds by stage":  # without documents nobody looks for passages of them
        wanted -= {"passages_ms"} - there
    assert wanted - ADDED <= there
    assert wanted <= set(operations.FIELDS)


@pytest.mark.parametrize("title", operations.SEARCHES)
def test_a_saved_search_shows_only_fields_that_some_event_has(lines: list[Line], title: str) -> None:
    query, columns = operations.SEARCHES[title]
    named = set(re.findall(r"(\w+):", query)) | set(columns)
    there = {name for line in lines for name in line} | ADDED
    assert of(lines, query)
    assert named <= there
    assert named <= set(operations.FIELDS)


def test_monitors_ask_for_fields_that_vitals_have(lines: list[Line]) -> None:
    [vitals] = [each for each in of(lines, "event:vitals") if each["level"] == "info"]
    for monitor in operations.monitors():
        text = json.dumps(monitor["inputs"])
        asked = set(re.findall(r'"(?:range|term)": \{"([@\w]+)"', text)) - {"@timestamp", "event"}
        assert asked, monitor["name"]
        assert asked <= set(vitals), monitor["name"]
    assert (vitals["writer_up"], vitals["waiting"], vitals["longest_wait_seconds"], vitals["backups"]) == (True, 0, 0.0, 1)
    assert 3500 < vitals["backup_age_seconds"] < 3800
    assert 0 < vitals["disk_free_percent"] <= 100


KINDS = {"keyword": (str, list), "long": (int,), "double": (int, float), "boolean": (bool,), "date_nanos": (str,)}


def test_every_field_is_indexed_as_what_it_is(lines: list[Line]) -> None:
    for line in lines:
        for name, value in line.items():
            if name in operations.FIELDS and value is not None:
                kinds = KINDS[operations.FIELDS[name]["type"]]
                assert isinstance(value, kinds), f"{name} of {line['event']} is {value!r}"
                assert isinstance(value, bool) == (operations.FIELDS[name]["type"] == "boolean"), name


def test_what_happened_is_in_the_log(lines: list[Line]) -> None:
    by_event = {each["event"]: each for each in lines}
    finished, called = by_event["capture_finished"], by_event["model_called"]
    assert (finished["state"], finished["rejected"]) == ("stored", 1)
    assert 0.0 <= finished["seconds"] < 60.0
    assert by_event["candidates_rejected"]["count"] == 1
    assert min(called["prompt"], called["completion"]) > 0
    assert called["cost"] == pytest.approx((called["prompt"] * 3.0 + called["completion"] * 15.0) / 1_000_000, abs=1e-6)
    answers = [each for each in lines if each["event"] == "answered"]
    assert [each["answered"] for each in answers] == [True, False]
    assert all({"took_ms", "seed_ms", "score_ms", "degraded", "used_llm"} <= set(each) for each in answers)
    failed = next(each for each in lines if each["event"] == "vitals" and each["level"] == "error")
    assert failed["error"] == "ValueError"


def test_dashboards_hold_together() -> None:
    """Each reference leads to an object of the file, and each panel of a dashboard to a reference."""
    objects = [json.loads(line) for line in operations.saved_objects().splitlines()]
    known = {(each["type"], each["id"]) for each in objects}
    assert len(known) == len(objects)
    for each in objects:
        assert {(reference["type"], reference["id"]) for reference in each["references"]} <= known
        if each["type"] == "dashboard":
            placed = {panel["panelRefName"] for panel in json.loads(each["attributes"]["panelsJSON"])}
            assert placed == {reference["name"] for reference in each["references"]}
        if each["type"] == "visualization":
            state = json.loads(each["attributes"]["visState"])
            series = [one["data"]["id"] for one in state["params"].get("seriesParams", ())]
            assert set(series) <= {one["id"] for one in state["aggs"] if one["schema"] == "metric"}


def names_in(query: str) -> set[str]:
    return set(re.findall(r"\blattice_[a-z_]+", query))


def test_grafana_and_the_rules_ask_for_numbers_that_are_there(told: tuple[str, str]) -> None:
    there = set(re.findall(r"^(lattice_[a-z_]+)", told[1], re.MULTILINE)) | {"lattice_degraded"}  # nothing is lacking here
    asked = {name for _, queries in operations.GRAFANA.values() for query in queries for name in names_in(query)}
    rules = yaml.safe_load((OPS / "alerts.yml").read_text())["groups"][0]["rules"]
    asked |= {name for rule in rules for name in names_in(rule["expr"])}
    assert asked <= there
    scraped = yaml.safe_load((OPS / "prometheus.yml").read_text())
    assert scraped["rule_files"] == ["alerts.yml"]
    assert scraped["scrape_configs"][0]["static_configs"] == [{"targets": ["127.0.0.1:7337"]}]


def test_alerts_have_the_same_limits_everywhere() -> None:
    rules = {each["alert"]: each["expr"] for each in yaml.safe_load((OPS / "alerts.yml").read_text())["groups"][0]["rules"]}
    assert rules["LatticeAcceptedNotStored"].endswith(f"> {operations.LONGEST_WAIT}")
    assert rules["LatticeDiskLow"].endswith(f"< {operations.LEAST_ROOM / 100}")
    assert f"> {operations.OLDEST_BACKUP_DAYS} * 86400" in rules["LatticeBackupOld"]
    script = (Path(operations.__file__).parent.parent / "services/api/lattice_api/ui/ops.js").read_text()
    assert f"MOST_WAIT = {operations.LONGEST_WAIT};" in script
    assert f"LEAST_ROOM = {operations.LEAST_ROOM};" in script
    assert f"OLDEST_BACKUP = {operations.OLDEST_BACKUP_DAYS} * 86_400;" in script


@pytest.fixture(scope="module")
def promtool() -> str:
    """Prometheus' own check, of Debian's package `prometheus`."""
    found = shutil.which("promtool")
    if found is None:
        pytest.skip("promtool is not there (apt install prometheus)")
    return found


def test_prometheus_itself_takes_the_rules_and_where_to_ask(promtool: str, tmp_path: Path) -> None:
    token = tmp_path / "lattice-token"
    token.write_text("of the scope read")
    shutil.copy(OPS / "alerts.yml", tmp_path)
    scraping = (OPS / "prometheus.yml").read_text()
    (tmp_path / "prometheus.yml").write_text(scraping.replace("/etc/prometheus/lattice-token", str(token)))
    said = subprocess.run(
        [promtool, "check", "config", "--lint=all", "--lint-fatal", tmp_path / "prometheus.yml"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.returncode == 0, said.stdout + said.stderr
    rules = yaml.safe_load((OPS / "alerts.yml").read_text())["groups"][0]["rules"]
    assert f"{len(rules)} rules found" in said.stdout


def test_prometheus_itself_reads_what_the_product_counts(promtool: str, told: tuple[str, str]) -> None:
    """It may not like all names that it reads: those are taken."""
    said = subprocess.run([promtool, "check", "metrics"], input=told[1], capture_output=True, text=True, check=False)
    assert "error while linting" not in said.stderr, said.stderr
    assert said.returncode in (0, 3), said.stderr


def test_prometheus_itself_sounds_each_alert_when_its_time_has_come(promtool: str, tmp_path: Path) -> None:
    """Each in a world of its own, in which all else is well; and none where all is."""
    shutil.copy(OPS / "alerts.yml", tmp_path)
    well = {
        "lattice_capture_longest_wait_seconds": "0",
        "lattice_writer_up": "1",
        "lattice_disk_free_bytes": "90",
        "lattice_disk_total_bytes": "100",
        "lattice_backup_timestamp_seconds": "0",
        'lattice_captures{state="dead"}': "0",
        'lattice_degraded{part="model"}': "0",
    }
    worlds: list[tuple[str, dict[str, str], str]] = [
        ("", {}, "2h"),
        ("LatticeAcceptedNotStored", {"lattice_capture_longest_wait_seconds": "601"}, "1m"),
        ("LatticeWriterGone", {"lattice_writer_up": "0"}, "6m"),
        ("LatticeWriterGone", {"lattice_writer_up": "_"}, "6m"),
        ("LatticeDiskLow", {"lattice_disk_free_bytes": "9"}, "6m"),
        ("LatticeBackupOld", {"lattice_backup_timestamp_seconds": "-700000"}, "2h"),
        ("LatticeBackupOld", {"lattice_backup_timestamp_seconds": "_"}, "2h"),
        ("LatticeSetAside", {'lattice_captures{state="dead"}': "1"}, "6m"),
        ("LatticeDegraded", {'lattice_degraded{part="model"}': "1"}, "11m"),
    ]
    rules = {each["alert"]: each for each in yaml.safe_load((OPS / "alerts.yml").read_text())["groups"][0]["rules"]}
    assert {name for name, _, _ in worlds} == {"", *rules}

    def world(name: str, wrong: dict[str, str], at: str) -> dict[str, Any]:
        series = [{"series": each, "values": f"{value}x240"} for each, value in {**well, **wrong}.items()]
        labels = {"state": "dead"} if name == "LatticeSetAside" else {}
        return {
            "interval": "30s",
            "input_series": series,
            "alert_rule_test": [
                {"eval_time": at, "alertname": each, "exp_alerts": [sounds(rules[each], labels)] if each == name else []}
                for each in rules
            ],
        }

    def sounds(rule: dict[str, Any], labels: dict[str, str]) -> dict[str, Any]:
        return {"exp_labels": {**rule["labels"], **labels}, "exp_annotations": rule["annotations"]}

    trial = tmp_path / "trial.yml"
    trial.write_text(yaml.safe_dump({"rule_files": ["alerts.yml"], "tests": [world(*each) for each in worlds]}))
    said = subprocess.run([promtool, "test", "rules", trial], capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stdout + said.stderr


# Fluent Bit


def in_docker(line: str, service: str, tag: str = "lattice") -> str:
    """A line as Docker's json-file driver writes it, with the options of docker-compose.yml."""
    attrs = {"com.docker.compose.service": service, "tag": tag}
    written = {"log": line + "\n", "stream": "stderr", "attrs": attrs, "time": "2026-11-23T07:14:52.123456789Z"}
    return json.dumps(written)


def collected(config: Line, line: str) -> Line | None:
    """What the configuration makes of a line, by the meaning that Fluent Bit's manual gives each of these filters; None where it
    is left out."""
    parsers = {each["name"]: each for each in config["parsers"]}
    record = parsed(parsers[config["pipeline"]["inputs"][0]["parser"]], line)
    for each in config["pipeline"]["filters"]:
        if record is not None:
            record = FILTERS[each["name"]](record, each, parsers)
    return record


def parsed(parser: Line, text: str) -> Line | None:
    """By a parser of JSON, which takes the time out of what it reads."""
    assert parser["format"] == "json"
    try:
        record: Any = json.loads(text)
    except ValueError:
        return None
    if not isinstance(record, dict):
        return None
    moment = record.get(parser["time_key"])
    if moment is not None:
        assert parser["time_format"] == "%Y-%m-%dT%H:%M:%S.%L"
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z?", moment), "the format of the parser's time"
    return {name: value for name, value in record.items() if name != parser["time_key"] or parser["time_keep"]}


def grepped(record: Line, given: Line, _: Line) -> Line | None:
    key, pattern = given["regex"].split(" ", 1)
    found: Any = record
    for first, further in re.findall(r"^\$?(\w+)|\['([^']+)'\]", key):
        found = found.get(first or further) if isinstance(found, dict) else None
    return record if isinstance(found, str) and re.search(pattern, found) else None


def parsed_inside(record: Line, given: Line, parsers: Line) -> Line:
    inner = parsed(parsers[given["parser"]], record[given["key_name"]])
    if inner is None:
        return record
    rest = record if given["reserve_data"] else {}
    return {**{name: each for name, each in rest.items() if given["preserve_key"] or name != given["key_name"]}, **inner}


def lifted(record: Line, given: Line, _: Line) -> Line:
    assert given["operation"] == "lift"
    return {**{name: each for name, each in record.items() if name != given["nested_under"]}, **record[given["nested_under"]]}


def modified(record: Line, given: Line, _: Line) -> Line:
    old, new = given["rename"].split(" ")
    renamed = {new if name == old and new not in record else name: each for name, each in record.items()}
    return {name: each for name, each in renamed.items() if name != given["remove"]}


FILTERS: dict[str, Any] = {"grep": grepped, "parser": parsed_inside, "nest": lifted, "modify": modified}


@pytest.fixture(scope="module")
def fluent_bit() -> dict[str, Any]:
    config: dict[str, Any] = yaml.safe_load((OPS / "fluent-bit.yaml").read_text())
    return config


def test_real_lines_come_through_the_collector_as_they_were_logged(lines: list[Line], fluent_bit: dict[str, Any]) -> None:
    for line in lines:
        if not re.fullmatch(r"[a-z_]+", line["event"]):
            continue
        found = collected(fluent_bit, in_docker(json.dumps(line), "api"))
        assert found == {
            **{name: value for name, value in line.items() if name != "timestamp"},
            "service": "api",
            "stream": "stderr",
        }


def test_what_is_no_event_of_ours_is_not_collected(lines: list[Line], fluent_bit: dict[str, Any]) -> None:
    event = json.dumps(lines[0])
    assert collected(fluent_bit, in_docker(event, "api", tag="another")) is None
    assert collected(fluent_bit, json.dumps({"log": event, "stream": "stderr", "time": "2026-11-23T07:14:52.1Z"})) is None
    assert collected(fluent_bit, in_docker(f"[WARN ] took[5ms] source[{{{SAID}}}]", "opensearch")) is None
    assert collected(fluent_bit, in_docker(json.dumps({"event": SAID, "level": "warning"}), "worker")) is None
    assert collected(fluent_bit, "half a li") is None


def test_the_collector_writes_where_the_template_the_retention_and_the_alerts_look(fluent_bit: dict[str, Any]) -> None:
    [output] = fluent_bit["pipeline"]["outputs"]
    index = f"{output['logstash_prefix']}-2026.11.23"
    pattern = re.compile(operations.INDEX.replace("*", ".*"))
    assert pattern.fullmatch(index)
    assert not pattern.fullmatch("lattice-atoms-1")
    assert (output["host"], output["port"], output["time_key"]) == ("opensearch", 9200, "@timestamp")
    assert operations.retention()["policy"]["ism_template"][0]["index_patterns"] == [operations.INDEX]
    assert all(each["inputs"][0]["search"]["indices"] == [operations.INDEX] for each in operations.monitors())


# What puts all of it there


class Engines(BaseHTTPRequestHandler):
    """Answers as OpenSearch and Dashboards do to what is provisioned; `server.held` is what they hold."""

    def do_GET(self) -> None:
        self._answer(
            404 if "/policies/" in self.path and self.path not in self.server.held else 200, {"_seq_no": 3, "_primary_term": 1}
        )  # type: ignore[attr-defined]

    def do_PUT(self) -> None:
        self.server.held[self.path] = self._body()  # type: ignore[attr-defined]
        self._answer(200, {})

    def do_POST(self) -> None:
        body, held = self._body(), self.server.held  # type: ignore[attr-defined]
        if self.path.endswith("/monitors/_search"):
            name = json.loads(body)["query"]["match_phrase"]["monitor.name"]
            hits = [
                {"_id": key.rpartition("/")[2]}
                for key, each in held.items()
                if "/monitors/" in key and json.loads(each)["name"] == name
            ]
            self._answer(200 if any("/monitors/" in key for key in held) else 404, {"hits": {"hits": hits}})
        elif self.path.endswith("/monitors"):
            held[f"{self.path}/m{len(held)}"] = body
            self._answer(201, {})
        else:
            held[self.path] = body
            assert self.headers["osd-xsrf"] == "true"
            lines = [line for line in body.decode().splitlines() if line.startswith("{")]
            self._answer(200, {"success": self.server.takes, "successCount": len(lines), "errors": ["refused"]})  # type: ignore[attr-defined]

    def _body(self) -> bytes:
        return self.rfile.read(int(self.headers["content-length"]))

    def _answer(self, status: int, body: Any) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


@pytest.fixture
def engines(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    server: Any = ThreadingHTTPServer(("127.0.0.1", 0), Engines)
    server.held, server.takes = {}, True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    for name in ("OPENSEARCH_URL", "DASHBOARDS_URL"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{server.server_port}")
    yield server
    server.shutdown()
    server.server_close()


def test_all_is_provisioned_once_however_often_it_is_done(engines: Any, capsys: pytest.CaptureFixture[str]) -> None:
    provision.main()
    provision.main()
    monitors = [json.loads(body) for path, body in engines.held.items() if "/monitors/" in path]
    assert [each["name"] for each in monitors] == [each["name"] for each in operations.monitors()]
    assert json.loads(engines.held["/_index_template/ops-lattice"]) == operations.index_template()
    assert any("ops-lattice?if_seq_no=3" in path for path in engines.held)
    objects = len(operations.saved_objects().splitlines())
    assert f"{len(monitors)} alerts, {objects} saved objects" in capsys.readouterr().out


def test_what_is_not_taken_is_said(engines: Any) -> None:
    engines.takes = False
    with pytest.raises(SystemExit, match="refused"):
        provision.main()


# The page


def test_the_page_asks_who_it_is_and_holds_nothing_of_its_own(door: Door) -> None:
    sent = door.anybody.get("/ops", headers={"accept": "text/html"})
    assert (sent.status_code, sent.headers["location"]) == (303, "/login?next=%2Fops")
    assert door.anybody.get("/api/ops").status_code == 401
    sign_in(door.anybody, token=door.token)
    key = door.anybody.headers.pop(PAGE_KEY_HEADER)
    page = door.anybody.get("/ops")
    assert page.status_code == 200
    assert "default-src 'self'" in page.headers["content-security-policy"]
    assert not re.search(r"<script(?![^>]*src=)|style=|\son\w+=", page.text)
    assert door.anybody.get("/api/ops").status_code == 401
    assert door.anybody.get("/api/ops", headers={PAGE_KEY_HEADER: key}).status_code == 200
    for address in re.findall(r'(?:src|href)="(/ui/[^"]+)"', page.text):
        assert door.anybody.get(address).status_code == 200, address


def test_the_page_is_told_how_it_runs_and_no_word(door: Door) -> None:
    door.tell(SAID)
    door.http.post("/api/answer", json={"query": ASKED})
    reply = door.http.get("/api/ops")
    seen = reply.json()
    assert (seen["writer_up"], seen["captures"], seen["longest_wait"]) == (True, {"waiting": 0, "dead": 0}, 0.0)
    assert seen["ended"] == {"stored": 1}
    assert seen["found_after"]["count"] == 1
    assert (seen["asked"], seen["unanswered"]) == (1, 1)
    assert seen["backup"] is None
    assert len(seen["days"]) == 7
    assert {name: seen["days"][0][name] for name in ("told", "ended", "starts", "tokens", "cost")} == {
        "told": 1, "ended": 1, "starts": 1, "tokens": 0, "cost": 0.0,
    }  # fmt: skip
    assert seen["disk"]["total"] > seen["disk"]["free"] > 0
    assert {"event", "at", "level", "kind"} <= set(next(each for each in seen["events"] if each["event"] == "failure"))
    assert not [word for word in WORDS if word in reply.text]


def test_what_went_to_a_model_elsewhere_is_told_without_its_words(door: Door) -> None:
    ledger = EgressLog(door.root, SystemClock())
    ledger.recording_leaving("models.example", "whisper", 2_000)
    said = ModelRequest(purpose="answer", messages=(Message("user", SAID),), max_tokens=100, redacted={"EMAIL": 2})
    ledger.leaving("models.example", "large", said, 17)
    told = door.http.get("/api/ops").json()["left"]
    assert [(each["host"], each["model"], each["purpose"]) for each in told] == [
        ("models.example", "large", "answer"),
        ("models.example", "whisper", "transcribe"),
    ]
    assert told[0]["tags"] == {"EMAIL": 2}
    assert (told[0]["characters"], told[0]["tokens"], told[1]["bytes"]) == (len(SAID), 17, 2_000)


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["a pipe", "a folder"])
def test_the_page_is_shown_whatever_stands_in_place_of_a_log(door: Door, make: Callable[[Path], None]) -> None:
    for name in ("starts.jsonl", "backups.jsonl", "egress.jsonl", "rejected.jsonl", f"tokens/{SystemClock().now().date()}.jsonl"):
        path = door.root / "logs" / name
        path.unlink(missing_ok=True)
        path.parent.mkdir(exist_ok=True)
        make(path)
    seen = door.http.get("/api/ops")
    assert seen.status_code == 200, seen.text
    assert {each["log"] for each in seen.json()["events"] if each["event"] == "log_not_read"} >= {"starts", "backups", "egress"}


def test_what_waits_is_counted_with_its_age(tmp_path: Path) -> None:
    with opened(tmp_path / "data", start=False) as door:
        assert door.http.post("/api/ingest", json={"text": SAID}).status_code == 202
        first, second = (door.http.get("/api/ops").json() for _ in range(2))
        assert first["captures"]["waiting"] == 1
        assert 0.0 < first["longest_wait"] < second["longest_wait"]
        assert "lattice_capture_longest_wait_seconds 0.0\n" not in door.http.get("/metrics").text


def test_calls_and_their_cost_are_shown_at_the_owners_prices(tmp_path: Path) -> None:
    from lattice_common.adapters.models.open_language_model import open_ledger

    chosen = Settings(_env_file=None, data_dir=tmp_path, llm_prompt_price=2.0, llm_completion_price=10.0)  # type: ignore[call-arg]
    ledger = open_ledger(chosen, SystemClock())
    for _ in range(2):
        ledger.spend(model="m", purpose="extract", prompt=1_000_000, completion=100_000)
    ledger.spend(model="m", purpose="answer", prompt=10, completion=0)
    assert [(each.purpose, each.calls, each.prompt, each.cost) for each in ledger.today()] == [
        ("answer", 1, 10, 0.00002),
        ("extract", 2, 2_000_000, 6.0),
    ]


def test_the_workers_failures_come_with_its_heartbeat(door: Door) -> None:
    """In a deployment the API sees no line of the worker's log."""
    beat = door.root / "index" / "writer.json"
    Heartbeat(beat, door.embedded).beat()
    said = json.loads(beat.read_text())
    assert isinstance(said["recent"], list)
    said["recent"] = [
        {"at": 4_102_444_800.0, "level": "warning", "event": "capture_dead", "capture_id": "c1", "reason": "no /a/b/room"}
    ]
    beat.write_text(json.dumps(said))
    first = door.http.get("/api/ops").json()["events"][0]
    assert first == {
        "at": "2100-01-01T00:00:00+00:00",
        "level": "warning",
        "event": "capture_dead",
        "capture_id": "c1",
        "reason": "no room",
    }


@pytest.mark.servers
def test_opensearch_takes_the_template_and_finds_what_the_alerts_ask_for(opensearch_url: str, lines: list[Line]) -> None:
    def send(method: str, path: str, body: Any) -> Any:
        request = urllib.request.Request(  # noqa: S310 - the server of the tests
            f"{opensearch_url}{path}", json.dumps(body).encode(), {"content-type": "application/json"}, method=method
        )
        with urllib.request.urlopen(request, timeout=30) as answered:  # noqa: S310 - the same
            return json.load(answered)

    send("PUT", "/_index_template/ops-lattice", operations.index_template())
    index = "ops-lattice-2026.11.23"
    try:
        for line in lines:
            send("POST", f"/{index}/_doc?refresh=true", {**line, "@timestamp": line["timestamp"]})
        mapped = send("GET", f"/{index}/_mapping", None)[index]["mappings"]["properties"]
        assert {name: each["type"] for name, each in mapped.items()} == {
            name: each["type"] for name, each in operations.FIELDS.items()
        }
        for panel in PANELS:
            found = send("GET", f"/{index}/_search", {"size": 0, "query": {"query_string": {"query": panel.query}}})
            assert found["hits"]["total"]["value"] > 0 or "degraded:*" in panel.query, panel.title
    finally:
        send("DELETE", f"/{index}", None)
        send("DELETE", "/_index_template/ops-lattice", None)
