"""What Lattice does, without its doors: capture, ingest, recall, upkeep, and the adapters they run on."""

import os

__version__ = "0.1.0"

# Nothing leaves the machine. onnxruntime (from 1.29) reports each model that is loaded, and a number it gives the machine, to its
# makers unless this stands in the environment before it is loaded; the hub's client reports what it fetches.
os.environ.update(ORT_DISABLE_TELEMETRY="1", HF_HUB_DISABLE_TELEMETRY="1", DO_NOT_TRACK="1")
