"""What the routes for looking through memory answer, for the OpenAPI document and on the way out."""

from __future__ import annotations

from lattice_common.lattice import Lattice
from lattice_common.recall.browse import Difference
from lattice_common.recall.source_view import SourceText, title_of
from lattice_common.upkeep.trash import Trashed

from lattice_api.shapes import Json, successors


def difference_json(found: Difference, lattice: Lattice) -> Json:
    """Return what changed between two times."""
    return {
        "learned": [lattice.fields(atom) for atom in found.learned],
        "learned_count": found.learned_count,
        "replaced": [
            {
                "old": lattice.fields(each.old),
                "new": lattice.fields(each.new) if each.new else None,
                "at": each.at.isoformat(),
            }
            for each in found.replaced
        ],
        "replaced_count": found.replaced_count,
    }


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
        "observed_at": capture.observed_at.isoformat(),
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
        "places": [{"label": place.label, "start": place.start, "end": place.end} for place in found.places],
    }


def trashed_json(each: Trashed, lattice: Lattice) -> Json:
    """Return one deletion in the trash."""
    return {
        "change_id": each.change_id,
        "deleted_at": each.deleted_at.isoformat(),
        "until": each.until.isoformat(),
        "atoms": [lattice.fields(atom) for atom in each.atoms],
        "count": each.count,
    }
