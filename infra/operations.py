"""What `infra/ops/` holds for OpenSearch, OpenSearch Dashboards and Grafana, made from one list of what there is to see.

`python -m infra.generated` writes the files; tests hold each field and each metric named here to a log and to `/metrics` that the
product itself wrote.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]

INDEX = "ops-lattice-*"
PATTERN_ID = "lattice-events"
KEPT_DAYS = 30

WORD, WHOLE, DECIMAL, FLAG = {"type": "keyword"}, {"type": "long"}, {"type": "double"}, {"type": "boolean"}
STAGES = ("understand", "seed", "heirs", "expand", "period", "score", "rerank", "judge", "diversify", "currency", "passages")
"""Of a question: each is a field of `selected` and `answered`, in milliseconds."""
FIELDS: dict[str, Json] = {
    "@timestamp": {"type": "date_nanos"},
    **dict.fromkeys(("service", "level", "event", "capture_id", "trace_id", "state", "reason", "code", "kind", "shape"), WORD),
    **dict.fromkeys(("degraded", "index", "engine", "purpose", "model", "log", "error", "where"), WORD),
    **dict.fromkeys(
        ("atoms", "atoms_new", "atoms_updated", "rejected", "count", "characters", "bytes", "waiting", "dead"), WHOLE
    ),
    **dict.fromkeys(("disk_free_bytes", "backups", "citations", "doubts", "prompt", "completion", "epoch", "left_out"), WHOLE),
    **dict.fromkeys(("took_ms", *(f"{stage}_ms" for stage in STAGES)), DECIMAL),
    **dict.fromkeys(("seconds", "longest_wait_seconds", "disk_free_percent", "backup_age_seconds", "cost"), DECIMAL),
    **dict.fromkeys(("answerable", "answered", "used_llm", "fell_back", "writer_up"), FLAG),
}
"""What is indexed of an event. All else of a line stays in it, unindexed."""

LONGEST_WAIT, LEAST_ROOM, OLDEST_BACKUP_DAYS, SILENT_MINUTES = 600, 10, 8, 5


def index_template() -> Json:
    """For the daily indexes that Fluent Bit writes."""
    return {
        "index_patterns": [INDEX],
        "priority": 200,
        "template": {
            "settings": {"index": {"number_of_shards": 1, "number_of_replicas": 0, "refresh_interval": "5s"}},
            "mappings": {"dynamic": False, "properties": dict(sorted(FIELDS.items()))},
        },
    }


def retention() -> Json:
    """Index State Management: an index goes when it is `KEPT_DAYS` old."""
    old = {"state_name": "gone", "conditions": {"min_index_age": f"{KEPT_DAYS}d"}}
    return {
        "policy": {
            "description": f"Events of Lattice are kept for {KEPT_DAYS} days.",
            "default_state": "kept",
            "states": [
                {"name": "kept", "actions": [], "transitions": [old]},
                {"name": "gone", "actions": [{"delete": {}}], "transitions": []},
            ],
            "ism_template": [{"index_patterns": [INDEX], "priority": 200}],
        }
    }


def monitors() -> list[Json]:
    """The alerts. Each looks at the last minutes of `vitals`, which the API says every minute."""
    return [
        _monitor(
            "Accepted but not stored for 10 minutes",
            {"range": {"longest_wait_seconds": {"gt": LONGEST_WAIT}}},
            "> 0",
            severity="1",
        ),
        # No vitals at all count as well: then the API, or what collects its log, is gone.
        _monitor("Writer gone", {"term": {"writer_up": True}}, "== 0", severity="1", minutes=SILENT_MINUTES),
        _monitor("Disk low", {"range": {"disk_free_percent": {"lt": LEAST_ROOM}}}, "> 0", severity="1"),
        _monitor(
            f"Backup older than {OLDEST_BACKUP_DAYS} days, or none",
            {
                "bool": {
                    "minimum_should_match": 1,
                    "should": [
                        {"range": {"backup_age_seconds": {"gt": OLDEST_BACKUP_DAYS * 86_400}}},
                        {"term": {"backups": 0}},
                    ],
                }
            },
            "> 0",
            severity="3",
        ),
        _monitor("Captures set aside", {"range": {"dead": {"gt": 0}}}, "> 0", severity="3"),
    ]


def _monitor(name: str, condition: Json, hits: str, *, severity: str, minutes: int = 2) -> Json:
    since = {
        "range": {"@timestamp": {"gte": f"{{{{period_end}}}}||-{minutes}m", "lte": "{{period_end}}", "format": "epoch_millis"}}
    }
    query = {"size": 0, "query": {"bool": {"filter": [since, {"term": {"event": "vitals"}}, condition]}}}
    script = {"source": f"ctx.results[0].hits.total.value {hits}", "lang": "painless"}
    return {
        "type": "monitor",
        "name": f"Lattice: {name}",
        "monitor_type": "query_level_monitor",
        "enabled": True,
        "schedule": {"period": {"interval": 1, "unit": "MINUTES"}},
        "inputs": [{"search": {"indices": [INDEX], "query": query}}],
        "triggers": [
            {"query_level_trigger": {"name": name, "severity": severity, "condition": {"script": script}, "actions": []}}
        ],
    }


@dataclass(frozen=True, slots=True)
class Metric:
    """One figure of a panel: an aggregation (`count` needs no field), with its name on the panel."""

    how: str
    field: str | None = None
    label: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """A panel: `query` picks events, `split` divides them by a word; `shape` is how it is drawn."""

    title: str
    query: str
    metrics: tuple[Metric, ...]
    split: str | None = None
    shape: str = "line"

    @property
    def id(self) -> str:
        return "lattice-" + "-".join("".join(each if each.isalnum() else " " for each in self.title.lower()).split())


COUNT = (Metric("count"),)
DASHBOARDS: dict[str, tuple[Panel, ...]] = {
    "Lattice: captures": (
        Panel("Captures in", "event:capture_accepted", COUNT, shape="histogram"),
        Panel("Captures ended, by state", "event:capture_finished", COUNT, "state", "histogram"),
        Panel(
            "Seconds from told to found",
            "event:capture_finished AND state:stored",
            (Metric("percentiles", "seconds"), Metric("max", "seconds", "longest")),
        ),
        Panel(
            "Waiting, and set aside", "event:vitals", (Metric("max", "waiting", "waiting"), Metric("max", "dead", "set aside"))
        ),
        Panel("Longest wait in seconds", "event:vitals", (Metric("max", "longest_wait_seconds", "longest wait"),)),
        Panel("Not believed, by reason", "event:candidates_rejected", (Metric("sum", "count", "candidates"),), "reason", "table"),
    ),
    "Lattice: recall": (
        Panel("Milliseconds of a search", "event:selected", (Metric("percentiles", "took_ms"),)),
        Panel("Milliseconds of an answer", "event:answered", (Metric("percentiles", "took_ms"),)),
        Panel(
            "Milliseconds by stage",
            "event:(selected OR answered)",
            tuple(Metric("avg", f"{stage}_ms", stage) for stage in STAGES),
        ),
        Panel("Answered, or refused", "event:answered", COUNT, "answered", "histogram"),
        Panel("Went without", "event:(selected OR answered) AND degraded:*", COUNT, "degraded", "histogram"),
        Panel("Failures", "event:failure", COUNT, "kind", "table"),
    ),
    "Lattice: machine": (
        Panel("Calls to language models", "event:model_called", COUNT, "purpose", "histogram"),
        Panel(
            "Tokens",
            "event:model_called",
            (Metric("sum", "prompt", "read"), Metric("sum", "completion", "written")),
            None,
            "histogram",
        ),
        Panel("Cost", "event:model_called", (Metric("sum", "cost", "cost"),), "model", "histogram"),
        Panel("Disk free, in percent", "event:vitals", (Metric("min", "disk_free_percent", "free"),)),
        Panel("Age of the last backup in seconds", "event:vitals", (Metric("max", "backup_age_seconds", "age"),)),
        Panel("Starts", "event:store_opened", COUNT, "service", "histogram"),
        Panel("Warnings and errors", "level:(warning OR error)", COUNT, "event", "table"),
    ),
}

SEARCHES: dict[str, tuple[str, tuple[str, ...]]] = {
    "Lattice: everything that went wrong": (
        "level:(warning OR error) OR event:failure",
        ("service", "event", "kind", "reason", "capture_id", "error"),
    ),
    "Lattice: captures that ended": ("event:capture_finished", ("state", "seconds", "atoms_new", "rejected", "capture_id")),
    "Lattice: not believed": ("event:candidates_rejected", ("reason", "count", "capture_id")),
    "Lattice: answers": ("event:answered", ("answered", "took_ms", "citations", "used_llm", "degraded", "trace_id")),
    "Lattice: language models": ("event:model_called", ("model", "purpose", "prompt", "completion", "cost")),
}


def saved_objects() -> str:
    """An NDJSON file for the import of OpenSearch Dashboards: the index pattern, searches, panels, and dashboards of them."""
    objects = [_index_pattern()]
    objects += [_search(title, query, columns) for title, (query, columns) in SEARCHES.items()]
    objects += [_visualization(panel) for panels in DASHBOARDS.values() for panel in panels]
    objects += [_dashboard(title, panels) for title, panels in DASHBOARDS.items()]
    return "".join(json.dumps(each, sort_keys=True) + "\n" for each in objects)


def _index_pattern() -> Json:
    attributes = {"title": INDEX, "timeFieldName": "@timestamp"}
    return {"type": "index-pattern", "id": PATTERN_ID, "attributes": attributes, "references": []}


def _source(query: str) -> Json:
    """What a search or a panel looks in; the index pattern is a reference beside it."""
    found = {
        "query": {"query": query, "language": "lucene"},
        "filter": [],
        "indexRefName": "kibanaSavedObjectMeta.searchSourceJSON.index",
    }
    return {"searchSourceJSON": json.dumps(found)}


_TO_PATTERN = [{"name": "kibanaSavedObjectMeta.searchSourceJSON.index", "type": "index-pattern", "id": PATTERN_ID}]


def _search(title: str, query: str, columns: tuple[str, ...]) -> Json:
    return {
        "type": "search",
        "id": "lattice-search-" + "-".join(title.removeprefix("Lattice: ").split()),
        "attributes": {
            "title": title,
            "description": "",
            "hits": 0,
            "columns": list(columns),
            "sort": [["@timestamp", "desc"]],
            "version": 1,
            "kibanaSavedObjectMeta": _source(query),
        },
        "references": _TO_PATTERN,
    }


def _visualization(panel: Panel) -> Json:
    state = {"title": panel.title, "type": panel.shape, "aggs": _aggregations(panel), "params": _parameters(panel)}
    return {
        "type": "visualization",
        "id": panel.id,
        "attributes": {
            "title": panel.title,
            "description": "",
            "uiStateJSON": "{}",
            "version": 1,
            "visState": json.dumps(state),
            "kibanaSavedObjectMeta": _source(panel.query),
        },
        "references": _TO_PATTERN,
    }


def _aggregations(panel: Panel) -> list[Json]:
    found = []
    for number, metric in enumerate(panel.metrics, 1):
        parameters: Json = {"field": metric.field} if metric.field else {}
        parameters |= {"customLabel": metric.label} if metric.label else {}
        parameters |= {"percents": [50, 95]} if metric.how == "percentiles" else {}
        found.append(_aggregation(number, metric.how, "metric", parameters))
    number = len(found) + 1
    if panel.shape != "table":
        over = {"field": "@timestamp", "interval": "auto", "min_doc_count": 1, "drop_partials": False, "extended_bounds": {}}
        found.append(_aggregation(number, "date_histogram", "segment", over))
        number += 1
    if panel.split:
        first = panel.metrics[0]
        by = "1" if first.how != "percentiles" else "_key"
        words = {"field": panel.split, "size": 20, "order": "desc", "orderBy": by, "otherBucket": False, "missingBucket": False}
        found.append(_aggregation(number, "terms", "bucket" if panel.shape == "table" else "group", words))
    return found


def _aggregation(number: int, how: str, schema: str, parameters: Json) -> Json:
    return {"id": str(number), "enabled": True, "type": how, "schema": schema, "params": parameters}


def _parameters(panel: Panel) -> Json:
    if panel.shape == "table":
        return {"perPage": 20, "showPartialRows": False, "showMetricsAtAllLevels": False, "showTotal": True, "totalFunc": "sum"}
    series = [
        {
            "show": True,
            "type": panel.shape,
            "mode": "stacked" if panel.shape == "histogram" else "normal",
            "data": {"id": str(number), "label": metric.label or metric.field or "Count"},
            "valueAxis": "ValueAxis-1",
            "drawLinesBetweenPoints": True,
            "showCircles": True,
        }
        for number, metric in enumerate(panel.metrics, 1)
    ]
    return {
        "type": panel.shape,
        "addLegend": True,
        "addTooltip": True,
        "addTimeMarker": False,
        "legendPosition": "right",
        "times": [],
        "grid": {"categoryLines": False},
        "categoryAxes": [
            {
                "id": "CategoryAxis-1", "type": "category", "position": "bottom", "show": True, "title": {}, "style": {},
                "scale": {"type": "linear"}, "labels": {"show": True, "filter": True, "truncate": 100},
            }
        ],
        "valueAxes": [
            {
                "id": "ValueAxis-1", "name": "LeftAxis-1", "type": "value", "position": "left", "show": True, "style": {},
                "scale": {"type": "linear", "mode": "normal"}, "title": {"text": ""},
                "labels": {"show": True, "rotate": 0, "filter": False, "truncate": 100},
            }
        ],
        "seriesParams": series,
    }  # fmt: skip


def _dashboard(title: str, panels: tuple[Panel, ...]) -> Json:
    placed = [
        {
            "version": "3.6.0",
            "panelIndex": str(at),
            "gridData": {"x": at % 2 * 24, "y": at // 2 * 14, "w": 24, "h": 14, "i": str(at)},
            "embeddableConfig": {},
            "panelRefName": f"panel_{at}",
        }
        for at in range(len(panels))
    ]
    return {
        "type": "dashboard",
        "id": "lattice-dashboard-" + title.removeprefix("Lattice: "),
        "attributes": {
            "title": title,
            "description": "",
            "hits": 0,
            "version": 1,
            "timeRestore": True,
            "timeFrom": "now-24h",
            "timeTo": "now",
            "refreshInterval": {"pause": False, "value": 60_000},
            "optionsJSON": json.dumps({"useMargins": True, "hidePanelTitles": False}),
            "panelsJSON": json.dumps(placed),
            "kibanaSavedObjectMeta": {
                "searchSourceJSON": json.dumps({"query": {"query": "", "language": "lucene"}, "filter": []})
            },
        },
        "references": [{"name": f"panel_{at}", "type": "visualization", "id": each.id} for at, each in enumerate(panels)],
    }


GRAFANA: dict[str, tuple[str, dict[str, str]]] = {
    "Captures, unfinished and set aside": ("short", {"lattice_captures": "{{state}}"}),
    "Told today, and of that ended": ("short", {"lattice_told_today": "told", "lattice_ended_today": "ended"}),
    "Longest wait": ("s", {"lattice_capture_longest_wait_seconds": "longest wait"}),
    "How the latest captures ended": ("short", {"lattice_captures_ended": "{{state}}"}),
    "From told to found": ("s", {"lattice_found_after_seconds": "{{quantile}}"}),
    "Recall by stage, 19 of 20 within": ("s", {'lattice_recall_seconds{quantile="0.95"}': "{{stage}}"}),
    "Share answered": (
        "percentunit",
        {
            '1 - sum(increase(lattice_failures_total{kind="no_answer"}[1h])) '
            '/ sum(increase(lattice_recall_total{stage="answer"}[1h]))': "answered"
        },
    ),
    "Answers go without": ("short", {"lattice_degraded": "{{part}}"}),
    "Failures an hour": ("short", {"sum by (kind) (increase(lattice_failures_total[1h]))": "{{kind}}"}),
    "Not believed, by reason": ("short", {"lattice_rejected": "{{reason}}"}),
    "Calls to language models today": ("short", {"lattice_model_calls_today": "{{model}} {{purpose}}"}),
    "Tokens today": ("short", {"lattice_model_tokens_today": "{{purpose}} {{kind}}"}),
    "Cost today": ("short", {"lattice_model_cost_today": "{{model}} {{purpose}}"}),
    "Disk free": ("percentunit", {"lattice_disk_free_bytes / lattice_disk_total_bytes": "free"}),
    "Age of the last backup": ("s", {"time() - lattice_backup_timestamp_seconds": "age"}),
    "Starts a day": ("short", {"changes(lattice_started_timestamp_seconds[1d])": "starts"}),
    "Writer up": ("short", {"lattice_writer_up": "writer"}),
}
"""Panels: unit, and queries with their legends."""


def grafana() -> Json:
    """A dashboard for a Grafana that has that Prometheus; it asks which when it is imported."""
    panels = [
        {
            "id": at + 1,
            "type": "timeseries",
            "title": title,
            "datasource": {"type": "prometheus", "uid": "${DS_PROMETHEUS}"},
            "gridPos": {"x": at % 2 * 12, "y": at // 2 * 8, "w": 12, "h": 8},
            "fieldConfig": {"defaults": {"unit": unit, "min": 0}, "overrides": []},
            "targets": [
                {"refId": chr(ord("A") + number), "expr": query, "legendFormat": legend}
                for number, (query, legend) in enumerate(queries.items())
            ],
        }
        for at, (title, (unit, queries)) in enumerate(GRAFANA.items())
    ]
    asked = {
        "name": "DS_PROMETHEUS",
        "label": "Prometheus",
        "type": "datasource",
        "pluginId": "prometheus",
        "pluginName": "Prometheus",
    }
    return {
        "__inputs": [asked],
        "title": "Lattice",
        "uid": "lattice",
        "schemaVersion": 39,
        "editable": True,
        "refresh": "30s",
        "time": {"from": "now-24h", "to": "now"},
        "panels": panels,
    }


def pretty(made: Json | list[Json]) -> str:
    """As a file."""
    return json.dumps(made, indent=2) + "\n"
