"""What the API answers is described once: the client, MCP and the OpenAPI document have it from `lattice_common.api_schema`."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
from typing import get_type_hints

import lattice_common.api_schema
import pytest
from lattice_api.app import ROUTERS, described_app
from lattice_common.api_schema.replies import AnswerReply, CaptureReply, ReviewPairReply, ReviewReply, SelectedReply, SelectReply
from lattice_common.api_schema.server import StatusReply
from lattice_mcp import results
from pydantic import BaseModel
from source_tree import COMMON, nodes, product_files, relative
from typing_extensions import is_typeddict

pytestmark = pytest.mark.lengthy

SCHEMA = COMMON / "api_schema"


def shapes() -> set[str]:
    modules = [
        importlib.import_module(each.name)
        for each in pkgutil.iter_modules(lattice_common.api_schema.__path__, "lattice_common.api_schema.")
    ]
    return {name for module in modules for name, shape in inspect.getmembers(module) if is_typeddict(shape)} - {"TypedDict"}


def test_no_reply_is_described_anywhere_else() -> None:
    elsewhere = [
        f"{relative(path)}: {node.name}"
        for path in product_files()
        if path.parent != SCHEMA
        for node in nodes(path)
        if isinstance(node, ast.ClassDef) and node.name.endswith("Reply")
    ]
    assert elsewhere == []


def test_every_shape_is_in_the_document_of_the_api() -> None:
    described = described_app().openapi()["components"]["schemas"]
    assert len(shapes()) > 100
    assert shapes() <= described.keys()


def test_apps_share_the_routes_of_the_routers() -> None:
    """What `include_router` copies is built anew for each app, in its first request: 0.2 s of processor before the answer."""
    of_routers = [route for router in ROUTERS for route in router.routes]
    assert len(of_routers) > 50
    assert {id(route) for route in of_routers} <= {id(route) for route in described_app().routes}


MCP: tuple[tuple[type[BaseModel], type, set[str]], ...] = (
    (results.CaptureResult, CaptureReply, {"inbox", "session_id"}),
    (results.Memory, SelectedReply, set()),
    (results.Atom, SelectedReply, set()),
    (results.SelectResult, SelectReply, set()),
    (results.AnswerResult, AnswerReply, set()),
    (results.InReview, ReviewPairReply, set()),
    (results.ReviewResult, ReviewReply, {"note", "disagreeing"}),
    (results.StatusResult, StatusReply, {"top_subjects", "session_id"}),
)
"""What a tool tells of an answer of the API, in short, and what it adds."""


@pytest.mark.parametrize(("result", "reply", "own"), MCP, ids=lambda each: getattr(each, "__name__", ""))
def test_what_mcp_tells_of_an_answer_is_in_it(result: type[BaseModel], reply: type, own: set[str]) -> None:
    assert result.model_fields.keys() - get_type_hints(reply).keys() == own
