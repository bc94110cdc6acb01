"""The graph service while it serves: it follows the sidecars, and says so when it cannot."""

from __future__ import annotations

from pathlib import Path

import pytest
from lattice_common.adapters.files.graph_log import FileGraphLog
from lattice_common.adapters.server.http_graph import HttpGraph
from lattice_common.domain.graph import GraphChange, Node
from lattice_common.errors import Unavailable
from lattice_graph.app import create_app

from tests.serving import serving
from tests.working import until


def follows(graph: HttpGraph) -> bool:
    try:
        graph.ping()
    except Unavailable:
        return False
    return True


def test_one_that_cannot_read_the_sidecars_says_so_serves_what_it_has_and_goes_on_when_it_can(tmp_path: Path) -> None:
    log = FileGraphLog(tmp_path)
    log.append(GraphChange((Node("atom:a"),)))
    with serving(create_app(tmp_path)) as url:
        graph = HttpGraph(url)
        assert (follows(graph), graph.stats().nodes) == (True, 1)

        (tmp_path / "graph").rename(tmp_path / "away")
        (tmp_path / "graph").touch()  # a file, where a folder was: not even root can look into it
        until("it to be said", lambda: not follows(graph))
        with pytest.raises(Unavailable, match="sidecars cannot be read"):
            graph.ping()
        assert graph.stats().nodes == 1
        (tmp_path / "graph").unlink()
        (tmp_path / "away").rename(tmp_path / "graph")
        log.append(GraphChange((Node("atom:b"),)))
        until("what came meanwhile to be there", lambda: follows(graph) and graph.stats().nodes == 2)
        graph.close()
    log.close()
