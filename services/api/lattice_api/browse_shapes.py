"""What the route for the text of a capture answers."""

from __future__ import annotations

from lattice_common.lattice import Lattice
from lattice_common.recall.source_view import SourceText, title_of

from lattice_api.shapes import Json, successors


def source_text_json(found: SourceText, lattice: Lattice) -> Json:
    """Return a stretch of what was said, with what was remembered from it."""
    capture = found.capture
    replaced = successors([each.atom for each in found.remembered], lattice)
    return {
        "capture_id": capture.capture_id,
        "source_id": capture.source_id,
        "session_id": capture.session_id,
        "title": title_of(capture),
        "channel": capture.channel,
        "observed_at": capture.observed_at,
        "original": capture.original.name if capture.original else None,
        "text": found.text,
        "start": found.start,
        "total": found.total,
        "remembered": [
            {
                "atom_id": each.atom.atom_id,
                "content": each.atom.content,
                "is_superseded": each.atom.is_superseded,
                "start": each.start,
                "end": each.end,
                **replaced.get(each.atom.atom_id, {}),
            }
            for each in found.remembered
        ],
        "memories": found.memories,
        "turns": [{"speaker": turn.speaker or turn.role, "start": turn.start, "end": turn.end} for turn in found.turns],
        "places": found.places,
    }
