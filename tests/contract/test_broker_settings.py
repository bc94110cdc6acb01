"""How Celery and its way to Redis are set up, as they have it themselves and not as it was written down."""

from __future__ import annotations

import pytest
from kombu import Connection
from lattice_common.adapters.server.celery_app import QUEUES, VISIBILITY_SECONDS, CeleryQueue, celery_app

NOWHERE = "redis://127.0.0.1:1/0"

WANTED = {
    "task_serializer": "json",
    "accept_content": ["json"],
    "result_serializer": "json",
    "task_ignore_result": True,
    "result_backend": None,
    "task_acks_late": True,
    "worker_prefetch_multiplier": 1,
    "worker_concurrency": 1,
    "worker_pool": "prefork",
    "task_retry_on_worker_lost": True,
    "task_reject_on_worker_lost": False,
    "task_soft_time_limit": 900,
    "task_time_limit": 1200,
    # A child has the whole store: it is not thrown away after so many tasks (docs/decisions/0006-celery-only-rings.md).
    "worker_max_tasks_per_child": None,
    "worker_max_memory_per_child": None,
    "broker_connection_retry_on_startup": True,
    "broker_connection_max_retries": None,
    "worker_soft_shutdown_timeout": 20,
}
"""By the names that Celery knows; one that it does not know is an error."""


def test_the_broker_is_set_up_as_was_measured() -> None:
    app = celery_app(NOWHERE)
    assert {name: getattr(app.conf, name) for name in WANTED} == WANTED


def test_a_task_is_given_again_to_nobody_while_it_runs() -> None:
    """The shortest of the three places counts: one that is shorter than a task has it run twice, for ever."""
    conf = celery_app(NOWHERE).conf
    places = [conf.visibility_timeout, *(getattr(conf, f"{name}_transport_options")["visibility_timeout"] for name in PLACES)]
    assert places == [VISIBILITY_SECONDS] * 3
    assert conf.task_time_limit * 10 < VISIBILITY_SECONDS


PLACES = ("broker", "result_backend")


@pytest.mark.servers
@pytest.mark.parametrize("side", ["worker", "API"])
def test_the_way_to_redis_is_as_it_was_measured(redis_url: str, side: str) -> None:
    """As the transport has it: it passes over an option that it does not know without a word."""
    app = celery_app(f"{redis_url}/0")
    if side == "API":
        CeleryQueue(app, "atoms").close()
    with Connection(app.conf.broker_url, transport_options=app.conf.broker_transport_options) as connection:
        channel = connection.default_channel
        found = {name: getattr(channel, name) for name in OPTIONS}
    assert found == OPTIONS


OPTIONS = {
    "visibility_timeout": VISIBILITY_SECONDS,
    "unacked_restore_interval": 10,
    "unacked_restore_throttle": 1,
    "queue_order_strategy": "priority",
    "socket_keepalive": True,
    "health_check_interval": 15,
    "socket_timeout": 30,
}


def test_what_is_urgent_is_taken_first() -> None:
    assert QUEUES == ("interactive", "bulk")
