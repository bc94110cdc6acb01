"""A small invented life, told in short captures over eight months, to try the product on.

`life.json` says how many days ago each was told; the dates are made relative to the day it is loaded, so that "last week" stays
last week. Everything has the source id `demo`, by which it is found and removed.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from importlib import resources
from typing import Any

import orjson

from lattice_common.capture.importers.chat import Imported
from lattice_common.capture.request import CaptureMetadata, IngestRequest, Message

SOURCE_ID = "demo"


def demo_life(now: datetime, load_id: str) -> list[Imported]:
    """Return the captures in the order they were told. `load_id` is of this loading: what was removed can be loaded again."""
    told = orjson.loads(resources.files(__package__).joinpath("life.json").read_bytes())
    return [Imported(_request(each, now), f"demo:{load_id}:{number}") for number, each in enumerate(told)]


def _request(told: dict[str, Any], now: datetime) -> IngestRequest:
    at = _moment(now, told["days_ago"], told["at"])
    metadata = CaptureMetadata(
        source_id=SOURCE_ID, session_id=f"demo-{at.date()}", observed_at=at.isoformat(), title=told.get("title"), channel="demo"
    )
    if "chat" not in told:
        return IngestRequest(text=told["text"], priority="bulk", metadata=metadata)
    messages = [
        Message(role=role, content=words, observed_at=(at + timedelta(minutes=number)).isoformat())
        for number, (role, words) in enumerate(told["chat"])
    ]
    return IngestRequest(messages=messages, source_type="chat", priority="bulk", metadata=metadata)


def _moment(now: datetime, days_ago: int, at: str) -> datetime:
    hour, minute = at.split(":")
    moment = (now - timedelta(days=days_ago)).replace(hour=int(hour), minute=int(minute), second=0, microsecond=0)
    return min(moment, now)
