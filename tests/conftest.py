"""For every test: properties are tried on the same examples each time, so that a red run can be run again.

Whoever looks for more gives `--hypothesis-profile=wild`: other examples each time, and ten times as many. No test meets a
language model that it did not bring along.
"""

from __future__ import annotations

import os

from hypothesis import settings

os.environ.setdefault("LLM_PROVIDER", "none")  # or a test would ask the Ollama of whoever runs it

settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("wild", derandomize=False, deadline=None, max_examples=1000)
settings.load_profile("steady")
