"""What a `Filter` keeps, for the suites of both indexes: three documents, the filters on them, and filters drawn at random."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st
from lattice_common.domain.recall import Filter

DAY = datetime(2026, 3, 1, 12, tzinfo=UTC)

KEPT: list[tuple[Filter, list[str]]] = [
    (Filter(kind=("event",)), ["b"]),
    (Filter(kind=("event", "goal")), ["b", "c"]),
    (Filter(session_id=("s1",)), ["a", "b"]),
    (Filter(source_id=("demo",)), ["c"]),
    (Filter(after=DAY + timedelta(days=1)), ["b", "c"]),
    (Filter(before=DAY + timedelta(days=1)), ["a"]),
    (Filter(after=DAY + timedelta(days=1), before=DAY + timedelta(days=2)), ["b"]),
    (Filter(session_id=("s1",), kind=("goal",)), []),
    (Filter(session_id=("unheard of",)), []),
    (Filter(), ["a", "b", "c"]),
]
"""Of a (session s1, day 0, a fact), b (session s1, day 1, an event) and c (source demo, day 2, a goal)."""

filters = st.builds(
    Filter,
    session_id=st.sampled_from([(), ("s1",), ("s1", "s2")]),
    kind=st.sampled_from([(), ("event",)]),
    after=st.sampled_from([None, DAY + timedelta(days=1)]),
    before=st.sampled_from([None, DAY + timedelta(days=3)]),
)
