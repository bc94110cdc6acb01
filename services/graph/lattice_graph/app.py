"""The graph as a service: reads the sidecars of a data folder that it never writes, and answers over HTTP.

`python -m lattice_graph` serves the folder that the settings name. It is for the services of one deployment, on a network of
their own; with `LATTICE_GRAPH_TOKEN` it asks for that token.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import uvicorn
from fastapi import FastAPI, Request, Response
from lattice_common.adapters.embedded.garbage import LongLived, loading
from lattice_common.adapters.embedded.graph import EmbeddedGraph
from lattice_common.errors import LatticeError, NotAllowed
from lattice_common.logs import configure, logger
from lattice_common.settings import Settings

from lattice_graph.reload import Follower
from lattice_graph.routes import open_router, reply, router

log = logger(__name__)


def create_app(root: Path, token: str | None = None) -> FastAPI:
    """The app over the data folder `root`; its graph is loaded when this returns (about 2 s at 100,000 atoms)."""
    long_lived = LongLived()
    with loading():
        graph = EmbeddedGraph(root)
    long_lived.loaded()
    follower = Follower(root, graph, long_lived.committed)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        follower.start()
        yield
        follower.stop()
        graph.close()
        long_lived.closed()

    app = FastAPI(title="Lattice graph", docs_url=None, redoc_url=None, openapi_url=None, lifespan=lifespan)
    app.state.graph, app.state.follower, app.state.token = graph, follower, token
    app.include_router(router)
    app.include_router(open_router)

    @app.exception_handler(LatticeError)
    def refused(_: Request, error: LatticeError) -> Response:
        return reply({"detail": str(error)}, error.status if isinstance(error, NotAllowed) else 503)

    return app


def serve(settings: Settings) -> None:
    """Until it is told to stop."""
    configure(settings.log_level, json=settings.log_json)
    token = settings.graph_token.get_secret_value() if settings.graph_token else None
    app = create_app(settings.data_dir, token)
    log.info("graph_serves", nodes=app.state.graph.stats().nodes)
    uvicorn.run(app, host=settings.graph_host, port=settings.graph_port, log_config=None, access_log=False, server_header=False)
