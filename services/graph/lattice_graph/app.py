"""The graph as a service: reads the sidecars of a data folder that it never writes, and answers over HTTP.

`python -m lattice_graph` serves the folder that the settings name, and those of further owners below `/spaces/NAME`. It is for
the services of one deployment, on a network of their own; with `LATTICE_GRAPH_TOKEN` it asks for that token.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import uvicorn
from fastapi import FastAPI, Request, Response
from lattice_common.adapters.embedded.garbage import LongLived, loading
from lattice_common.adapters.embedded.graph import EmbeddedGraph
from lattice_common.domain.space import SPACES_FOLDER
from lattice_common.errors import LatticeError, NotAllowed
from lattice_common.logs import configure, logger
from lattice_common.settings import Settings
from lattice_common.spaces import spaces_of

from lattice_graph.reload import Follower
from lattice_graph.routes import open_router, reply, router

log = logger(__name__)


def create_app(root: Path, token: str | None = None, others: Mapping[str, Path] | None = None) -> FastAPI:
    """Yield the app over the data folder `root`, and below `/spaces/NAME` over each of `others`; the graphs are loaded when this
    returns (each about 2 s at 100,000 atoms)."""
    long_lived = LongLived()
    folders = [root, *(others or {}).values()]
    with loading():
        graphs = [EmbeddedGraph(folder) for folder in folders]
    long_lived.loaded()
    followers = [Follower(folder, graph, long_lived.committed) for folder, graph in zip(folders, graphs, strict=True)]

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        for follower in followers:
            follower.start()
        yield
        for follower, graph in zip(followers, graphs, strict=True):
            follower.stop()
            graph.close()
        long_lived.closed()

    first, *further = (_app_over(*both, token) for both in zip(graphs, followers, strict=True))
    first.router.lifespan_context = lifespan
    first.include_router(open_router)
    first.state.followers = followers
    for name, app in zip(others or {}, further, strict=True):
        first.mount(f"/{SPACES_FOLDER}/{name}", app)
    return first


def _app_over(graph: EmbeddedGraph, follower: Follower, token: str | None) -> FastAPI:
    app = FastAPI(title="Lattice graph", docs_url=None, redoc_url=None, openapi_url=None)
    app.state.graph, app.state.follower, app.state.token = graph, follower, token
    app.include_router(router)

    @app.exception_handler(LatticeError)
    def refused(_: Request, error: LatticeError) -> Response:
        return reply({"detail": str(error)}, error.status if isinstance(error, NotAllowed) else 503)

    return app


def serve(settings: Settings) -> None:
    """Serve until told to stop."""
    configure(settings.log_level, json=settings.log_json)
    token = settings.graph_token.get_secret_value() if settings.graph_token else None
    others = {space.name: space.settings.data_dir for space in spaces_of(settings)[1:]}
    app = create_app(settings.data_dir, token, others)
    log.info("graph_serves", nodes=app.state.graph.stats().nodes)
    uvicorn.run(app, host=settings.graph_host, port=settings.graph_port, log_config=None, access_log=False, server_header=False)
