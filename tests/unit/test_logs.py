"""What a log line holds: ids, durations and counts; no secret, nothing of what was said, whatever failed.

docs/security-checks.md, S20.
"""

from __future__ import annotations

import errno
import json
import logging
import re
from collections.abc import Iterator
from functools import partial
from io import StringIO
from typing import Any

import pytest
from lattice_common.errors import Unavailable
from lattice_common.logs import MOST_OF_A_KIND, Repeats, configure, logger

SAID = "Ingrid in flat 12 has my spare key"
SECRETS = {
    "an API key": "sk-proj-AbCd1234AbCd1234AbCd1234",
    "a key of no known maker": "Zx81Qw93Er74Ty52Ui06Op35As17Df28Gh49",
    "a bearer token": "0123456789abcdefghij",
    "a short token": "hunter2",
    "a session": "Kx_93hfbqp0-sd",
    "a bot's token": "123456789:AAF-abcdefghijklmnopqrstuvwxyz0123456",
    "one of ours": "lattice_Q7mZ3aXw9LcV2bNf8KdJ6hGs4TyRp1Eu0iOx5WqM",
    "a password in an address": "s3cr3tpw",
    "a key that is called one": "sk-proj-XyZw1234XyZw1234XyZw1234",
    "a code": "one-time-code",
}
LINES = {
    "an API key": "the key {} is not known",
    "a key of no known maker": "401 for {}",
    "a bearer token": "headers: Authorization: Bearer {}",
    "a short token": "sent {{'authorization': '{}'}}",
    "a session": "Cookie: theme=dark; lattice_session={}",
    "a bot's token": "https://api.telegram.org/bot{}/getMe cannot be reached",
    "one of ours": "who sent {}?",
    "a password in an address": "redis://lattice:{}@redis:6379/0 is away",
    "a key that is called one": "api key: {}/more?x=1 is refused",
    "a code": "GET /login?code={} HTTP/1.1",
}


@pytest.fixture(params=[True, False], ids=["json", "console"])
def written(request: pytest.FixtureRequest) -> Iterator[StringIO]:
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    stream = StringIO()
    configure("debug", json=request.param, stream=stream)
    yield stream
    root.handlers = handlers
    root.setLevel(level)


def fail(error: Exception) -> None:
    raise error


def logged_with(error: Exception, written: StringIO, *, by: str = "lattice_common.test") -> str:
    try:
        fail(error)
    except Exception:
        if by.startswith("lattice"):
            logger(by).exception("capture_failed", capture_id="01m7wn75w2ecgja07tfe8tr9q6")
        else:
            logging.getLogger(by).exception("something of a library")
    return written.getvalue()


@pytest.mark.parametrize("what", SECRETS)
def test_no_secret_is_written_wherever_it_stands(what: str, written: StringIO) -> None:
    secret, line = SECRETS[what], LINES[what].format(SECRETS[what])
    log: Any = logger("lattice_common.test")
    log.warning("queue_away", reason=line)
    logging.getLogger("some.library").warning(line)
    logging.getLogger("some.library").error("%s failed", line)
    logged_with(Unavailable(line), written)
    assert secret not in written.getvalue()
    assert written.getvalue().count("hidden") >= 4


@pytest.mark.parametrize("name", ["authorization", "llm_api_key", "set_cookie", "graph_token", "password"])
def test_a_field_that_is_called_a_secret_is_blanked(name: str, written: StringIO) -> None:
    log: Any = logger("lattice_common.test")
    log.warning("queue_away", **{name: "abc"})
    assert "abc" not in written.getvalue()


@pytest.mark.parametrize("by", ["lattice_common.test", "some.library"])
def test_of_a_failure_its_kind_and_place_are_written_and_not_its_words(by: str, written: StringIO) -> None:
    told = logged_with(ValueError(f"cannot read {SAID!r}"), written, by=by)
    assert "ValueError" in told
    assert re.search(r"test_logs\.py:\d+ fail", told)
    assert "Ingrid" not in told
    assert told.count("\n") == 1, "one event is one line"


def test_what_lattice_itself_says_of_a_failure_is_written(written: StringIO) -> None:
    told = logged_with(Unavailable("cannot write journal: the disk is full"), written)
    assert "the disk is full" in told


def test_the_cause_of_a_failure_is_named(written: StringIO) -> None:
    try:
        try:
            fail(KeyError(SAID))
        except KeyError as error:
            raise RuntimeError(SAID) from error
    except RuntimeError:
        logger("lattice_common.test").exception("writer_failed")
    assert "RuntimeError from KeyError" in written.getvalue()
    assert "Ingrid" not in written.getvalue()


def test_ids_counts_and_times_stand_as_they_are(written: StringIO) -> None:
    logger("lattice_common.test").info("capture_finished", capture_id="01m7wn75w2ecgja07tfe8tr9q6", atoms=3, seconds=0.25)
    told = written.getvalue()
    assert "01m7wn75w2ecgja07tfe8tr9q6" in told
    assert "hidden" not in told
    if told.startswith("{"):
        assert json.loads(told)["atoms"] == 3


def test_what_cannot_open_files_any_more_does_not_fill_the_disk_with_its_log(written: StringIO) -> None:
    for _ in range(10 * MOST_OF_A_KIND):
        logging.getLogger("asyncio").error("socket.accept() out of system resource\nsocket: %s", "<socket>")
        try:
            fail(OSError(errno.EMFILE, "Too many open files"))
        except OSError:
            logger("lattice_common.test").exception("capture_failed")
    lines = written.getvalue().splitlines()
    assert sum("out of system resource" in line for line in lines) == MOST_OF_A_KIND
    assert sum("Too many open files" in line for line in lines) == MOST_OF_A_KIND


def test_the_first_line_of_the_next_minute_says_how_many_were_left_out() -> None:
    now = 0.0
    repeats = Repeats(lambda: now, most=2)
    record = partial(logging.LogRecord, "asyncio", logging.ERROR, "", 0, "out of %s", ("files",), None)
    assert [repeats.filter(record()) for _ in range(5)] == [True, True, False, False, False]
    now = 61.0
    assert repeats.filter(late := record())
    assert late.getMessage() == "out of files (3 more of these were left out)"
    assert repeats.filter(next_one := record())
    assert next_one.getMessage() == "out of files"
