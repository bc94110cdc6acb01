"""Puts what this folder holds into OpenSearch and OpenSearch Dashboards, once per start of the profile `ops`, and ends.

The index template, the retention policy, the monitors (alerts), and the saved searches and dashboards. What is there already is
brought up to date; nothing is ever deleted. Only the standard library: it runs in an image that has Python and little else.
"""

from __future__ import annotations

import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PATIENCE_SECONDS = 300.0
TEMPLATE, POLICY = "ops-lattice", "ops-lattice"
DASHBOARDS_HEADERS = {"osd-xsrf": "true"}


class Refused(Exception):
    """An answer that is no success."""

    def __init__(self, status: int, said: str) -> None:
        super().__init__(f"{status}: {said[:500]}")
        self.status = status


def call(method: str, url: str, body: bytes | None = None, headers: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Send a request; the answer's JSON. Raises `Refused`, or `OSError` where nobody answers."""
    sent = {"content-type": "application/json", **(headers or {})}
    request = urllib.request.Request(url, data=body, method=method, headers=sent)  # noqa: S310 - services that the deployment names
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310 - the same
            found: dict[str, Any] = json.loads(answer.read() or b"{}")
            return found
    except urllib.error.HTTPError as error:
        raise Refused(error.code, error.read().decode("utf-8", "replace")) from error


def wait_for(url: str, patience: float = PATIENCE_SECONDS) -> None:
    """Until it answers well. Raises `TimeoutError`."""
    deadline = time.monotonic() + patience
    while True:
        try:
            call("GET", url)
            return
        except (OSError, Refused, ValueError) as error:
            if time.monotonic() > deadline:
                raise TimeoutError(f"{url} did not answer within {patience:.0f} s ({error})") from error
        time.sleep(2)  # a service that starts tells nobody when it listens


def put_template(opensearch: str) -> None:
    """What the fields of events are."""
    call("PUT", f"{opensearch}/_index_template/{TEMPLATE}", (HERE / "index-template.json").read_bytes())


def put_policy(opensearch: str) -> None:
    """How long they are kept. A policy that is there is replaced as the version that was read."""
    url, version = f"{opensearch}/_plugins/_ism/policies/{POLICY}", ""
    try:
        found = call("GET", url)
        version = f"?if_seq_no={found['_seq_no']}&if_primary_term={found['_primary_term']}"
    except Refused as error:
        if error.status != 404:
            raise
    call("PUT", url + version, (HERE / "retention.json").read_bytes())


def put_monitors(opensearch: str) -> int:
    """The alerts, each once by its name; how many there are."""
    url = f"{opensearch}/_plugins/_alerting/monitors"
    monitors = json.loads((HERE / "monitors.json").read_text(encoding="utf-8"))
    for monitor in monitors:
        query = {"size": 1, "query": {"match_phrase": {"monitor.name": monitor["name"]}}}
        try:
            hits = call("POST", f"{url}/_search", json.dumps(query).encode())["hits"]["hits"]
        except Refused as error:
            if error.status != 404:  # before the first monitor there is no index to look in
                raise
            hits = []
        body = json.dumps(monitor).encode()
        if hits:
            call("PUT", f"{url}/{hits[0]['_id']}", body)
        else:
            call("POST", url, body)
    return len(monitors)


def put_dashboards(dashboards: str) -> int:
    """Index pattern, searches and dashboards; how many objects. Raises `Refused` where one was not taken."""
    boundary = uuid.uuid4().hex
    head = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="dashboards.ndjson"\r\n'
        "Content-Type: application/ndjson\r\n\r\n"
    )
    body = head.encode() + (HERE / "dashboards.ndjson").read_bytes() + f"\r\n--{boundary}--\r\n".encode()
    headers = {"content-type": f"multipart/form-data; boundary={boundary}", **DASHBOARDS_HEADERS}
    told = call("POST", f"{dashboards}/api/saved_objects/_import?overwrite=true", body, headers)
    if not told.get("success"):
        raise Refused(200, json.dumps(told.get("errors", told)))
    return int(told["successCount"])


def main() -> None:
    opensearch, dashboards = os.environ["OPENSEARCH_URL"], os.environ["DASHBOARDS_URL"]
    try:
        wait_for(f"{opensearch}/_cluster/health")
        put_template(opensearch)
        put_policy(opensearch)
        monitors = put_monitors(opensearch)
        wait_for(f"{dashboards}/api/status")
        objects = put_dashboards(dashboards)
    except (OSError, Refused) as error:
        sys.exit(f"Not provisioned: {error}. It is tried again with `docker compose --profile ops up -d`.")
    sys.stdout.write(f"Provisioned: the index template, its retention, {monitors} alerts, {objects} saved objects.\n")


if __name__ == "__main__":
    main()
