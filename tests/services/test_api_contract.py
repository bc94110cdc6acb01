"""The OpenAPI document is complete, and true: what it says comes back is what comes back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from lattice_api.limits import RequestLimits

from tests.services.door import Door, address, opened

if TYPE_CHECKING:  # a second to import, and one slow test needs it
    from schemathesis import Case


@pytest.fixture(scope="module")
def remembering(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    """A product that knows a few things, for requests that are made up."""
    with opened(tmp_path_factory.mktemp("contract") / "data") as door:
        door.tell("I live in Berlin.", metadata={"observed_at": "2026-01-10T10:00:00Z"})
        door.tell("I moved from Berlin to Lisbon.", metadata={"observed_at": "2026-05-14T10:00:00Z"})
        yield door


@pytest.fixture(scope="module")
def document(remembering: Door) -> dict[str, Any]:
    written: dict[str, Any] = remembering.app.openapi()
    return written


LEFT_OUT = {"/api/login", "/api/logout", "/api/tokens", "/api/tokens/{name}"}
"""Made-up requests would run into the limit of tries, or revoke the token they are sent with."""


NO_SHAPE_SAYS = {
    "/api/atoms": "is no cursor: send the one that the page before gave",
    "/api/atoms/related": "Name an `atom_id` or a `subject`",
    "/api/difference": "`start` is not before `end`",
    "/api/forget": "Say a name, or words, that what is to be forgotten holds",
    "/api/graph/subgraph": "Name either an `atom_id` or a `subject`",
    "/api/imports": "The metadata is not JSON|is not known for the export of a program",
    "/api/ingest-file": "The metadata is not JSON",
}
"""Rules between parameters, between two dates, and of what is in a text or a file, that OpenAPI does not express: the words with
which a request that keeps to the shapes may be refused for one. All other refusals of such a request are a failure."""


@pytest.mark.slow
def test_every_route_answers_made_up_requests_as_the_document_says(remembering: Door) -> None:
    import schemathesis

    schema = schemathesis.openapi.from_asgi("/openapi.json", remembering.app, headers=headers(remembering))
    operations = [each.ok() for each in schema.get_all_operations()]
    remembering.app.state.ending.set()  # or the changes would be told for ever
    asked = [operation for operation in operations if operation.path not in LEFT_OUT]
    assert len(asked) == len(operations) - 5
    for operation in asked:
        ask(operation, remembering)


def ask(operation: Any, door: Door) -> None:
    """Some requests that keep to the shapes, which are taken, and some that do not, which are refused.

    What happens without a token is not asked: it comes along here, and `test_access.py` does. A request that breaks a shape by an
    object in its address is not held to be refused: it is written there as a name given twice, which is a text again.
    """
    from schemathesis import GenerationMode
    from schemathesis.specs.openapi.checks import ignored_auth, negative_data_rejection, positive_data_acceptance

    @settings(max_examples=12, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(GenerationMode.POSITIVE) | operation.as_strategy(GenerationMode.NEGATIVE))
    def answers_as_documented(case: Case) -> None:
        door.app.state.limits = RequestLimits()
        answer = case.call(headers=headers(door))
        unasked = [ignored_auth]
        if any(isinstance(value, (dict, list)) for value in (case.query or {}).values()):
            unasked.append(negative_data_rejection)
        rule = NO_SHAPE_SAYS.get(operation.path)
        known = rule and answer.status_code == 422 and re.search(rule, answer.json()["detail"])
        if known or answer.status_code == 412:  # which is about what there is, as 404 and 409 are
            unasked.append(positive_data_acceptance)
        case.validate_response(answer, headers=headers(door), excluded_checks=unasked)

    answers_as_documented()


def headers(door: Door) -> dict[str, str]:
    return {"authorization": f"Bearer {door.token}", "host": "localhost:7337"}


def test_a_method_that_does_not_go_with_a_path_is_told_all_that_do(remembering: Door, document: dict[str, Any]) -> None:
    for path, operations in document["paths"].items():
        there = {method.upper() for method in operations}
        refused = remembering.http.request("PUT", address(path))
        assert refused.status_code == 405, path
        assert set(refused.headers["allow"].split(", ")) == there, path


def test_every_route_documents_its_answer_and_its_refusals(document: dict[str, Any]) -> None:
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            responses = operation["responses"]
            assert operation["description"], (method, path)
            assert {"400", "500"} <= set(responses), (method, path)
            for status, response in responses.items():
                [(media, content)] = response["content"].items()
                assert content.get("schema") or content["itemSchema"], (method, path, status)
                if status >= "4" and (path, status) != ("/ready", "503"):
                    assert media == "application/problem+json", (method, path, status)
                    assert content["schema"]["$ref"].endswith("/Problem")


def test_the_document_says_which_routes_need_a_token_and_of_which_scope(document: dict[str, Any]) -> None:
    assert set(document["components"]["securitySchemes"]) == {"token", "session", "page_key"}
    assert document["security"] == [{"token": []}, {"session": [], "page_key": []}]
    free = {path for path, operations in document["paths"].items() for each in operations.values() if each.get("security") == []}
    assert free == {"/health", "/ready", "/api/login"}
    for path, operations in document["paths"].items():
        for operation in operations.values():
            assert ("Scope:" in operation["description"]) == (path not in free)
            assert ("401" in operation["responses"]) == (path not in free or path == "/api/login")


def test_the_shapes_of_atoms_and_captures_are_named(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    assert {"Problem", "CaptureReply", "AtomReply", "SelectReply", "AnswerReply", "AtomViewReply", "ChangeReply"} <= set(schemas)
    assert "HTTPValidationError" not in schemas
