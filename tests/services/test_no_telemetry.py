"""Nothing that Lattice is made of reports home: not to its makers, nor to those of its libraries."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

REPORTS = """
import onnxruntime
from onnx import TensorProto, helper

node = helper.make_node("Identity", ["x"], ["y"])
value = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1]) for name in ("x", "y")]
graph = helper.make_graph([node], "g", value[:1], value[1:])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=9)
onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
"""
"""onnxruntime keeps what it is going to report in a database in the home folder, so that can be seen without a network."""


def written_in_a_new_home(home: Path, code: str) -> list[str]:
    """The files that a process with this home leaves there. In CI the library reports nothing anyway, so it must not know."""
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG", "LD_LIBRARY_PATH", "PYTHONPATH")}
    subprocess.run([sys.executable, "-c", code], env={**kept, "HOME": str(home)}, check=True, timeout=120)
    return [str(path.relative_to(home)) for path in home.rglob("*") if path.is_file()]


def test_the_model_runtime_reports_nothing_from_within_lattice(tmp_path: Path) -> None:
    assert written_in_a_new_home(tmp_path, "import lattice_common\n" + REPORTS) == []


def test_without_lattice_it_would(tmp_path: Path) -> None:
    """Else the test above could not fail. Where a later version reports nothing of its own accord, both can go."""
    assert any("onnxruntime" in path for path in written_in_a_new_home(tmp_path, REPORTS))
