"""The change of the graph when an atom is stored or removed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lattice_common.domain.atom import Atom, normalize_subject
from lattice_common.domain.conclusion import KINDS
from lattice_common.domain.graph import SAME_SUBJECT_NEWEST, Edge, EdgeKind, GraphChange, Node, same_subject_edges
from lattice_common.language.people.tie import mentioned


def graph_change(
    atom: Atom, same_subject: Sequence[str] = (), previous_in_segment: str | None = None, *, same_hash: Sequence[str] = ()
) -> GraphChange:
    """Return the nodes and edges that an atom adds.

    `same_subject` are the ids of atoms about the same subject, newest first, of which the first 16 are linked;
    `previous_in_segment` is the id of the atom said just before in the same conversation or section; `same_hash` are the ids of
    atoms with the same normalised words.
    """
    return GraphChange(
        nodes=_unique_nodes(_nodes(atom)), edges=tuple(dict.fromkeys(_edges(atom, same_subject, previous_in_segment, same_hash)))
    )


def removal(atom: Atom) -> GraphChange:
    """Return the change that removes an atom and its edges; nodes that it shared with others stay."""
    return GraphChange(
        removed_nodes=(atom_node(atom.atom_id), *((insight_node(atom.atom_id),) if atom.kind == "insight" else ()))
    )


def together(changes: Iterable[GraphChange]) -> GraphChange:
    """Return several changes as one; none of them may remove what an earlier one adds."""
    every = list(changes)
    return GraphChange(
        nodes=_unique_nodes(node for change in every for node in change.nodes),
        edges=tuple(dict.fromkeys(edge for change in every for edge in change.edges)),
        removed_nodes=tuple(dict.fromkeys(node for change in every for node in change.removed_nodes)),
        removed_edges=tuple(dict.fromkeys(edge for change in every for edge in change.removed_edges)),
    )


def atom_node(atom_id: str) -> str:
    return f"atom:{atom_id}"


def subject_node(subject: str) -> str:
    """Return the node of a subject, however it is written."""
    return f"subject:{normalize_subject(subject)}"


def entity_node(entity: str) -> str:
    """Return the node of an entity, however it is written."""
    return f"entity:{normalize_subject(entity)}"


def insight_node(atom_id: str) -> str:
    """Return the node in which the memories meet that an insight sees together."""
    return f"insight:{atom_id}"


def source_node(atom: Atom) -> str:
    """Return the node of the source that the atom names, or else of its capture."""
    return f"source:{atom.source_id or atom.capture_id}"


def segment_node(atom: Atom) -> str | None:
    """Return the node of an atom's segment; None for an atom that was written by hand. It is named under the capture, within
    which segments are numbered."""
    return f"segment:{atom.capture_id}:{atom.segment_id}" if atom.segment_id else None


def _nodes(atom: Atom) -> Iterator[Node]:
    yield Node(atom_node(atom.atom_id), {"kind": atom.kind})
    if atom.kind == "insight" and any(_derives(atom)):
        yield Node(insight_node(atom.atom_id))
    segment = segment_node(atom)
    if segment:
        yield Node(source_node(atom))
        yield Node(segment)
    if normalize_subject(atom.subject):
        yield Node(subject_node(atom.subject))
    if atom.episode_id:
        yield Node(f"episode:{atom.episode_id}")
    for entity in mentioned(atom):
        if normalize_subject(entity):
            yield Node(entity_node(entity))


def _edges(atom: Atom, same_subject: Sequence[str], previous: str | None, same_hash: Sequence[str]) -> Iterator[Edge]:
    this = atom_node(atom.atom_id)
    segment = segment_node(atom)
    if segment:
        yield Edge(source_node(atom), segment, "source_contains_segment")
        yield Edge(segment, this, "segment_contains_atom")
    if normalize_subject(atom.subject):
        yield Edge(this, subject_node(atom.subject), "atom_has_subject")
    if atom.episode_id:
        yield Edge(f"episode:{atom.episode_id}", this, "episode_contains_atom")
    for entity in mentioned(atom):
        if normalize_subject(entity):
            yield Edge(this, entity_node(entity), "mentions")
    if previous and previous != atom.atom_id:
        yield Edge(atom_node(previous), this, "next_in_segment")
    yield from _to_atoms(atom, atom.supersedes, "supersedes")
    yield from _to_atoms(atom, same_hash, "same_hash")
    made_of = list(_derives(atom)) if atom.kind in KINDS else []
    yield from _conclusion_edges(atom, made_of)
    # A relation says that this atom updates, extends or derives from another without retiring it.
    others = [relation.target for relation in atom.relations if relation.target not in made_of]
    yield from _to_atoms(atom, others, "enriches")
    newest = [atom_node(other) for other in same_subject if other != atom.atom_id][:SAME_SUBJECT_NEWEST]
    yield from same_subject_edges(this, newest)


def _derives(atom: Atom) -> Iterator[str]:
    return (relation.target for relation in atom.relations if relation.type == "derives" and relation.target != atom.atom_id)


def _conclusion_edges(atom: Atom, made_of: Sequence[str]) -> Iterator[Edge]:
    """Yield the edges of a conclusion. The atoms of a synthesis support it; those of an insight are linked to a node of its
    own, as is the insight, so that a walk from fact to fact does not lead over it."""
    this = atom_node(atom.atom_id)
    if atom.kind == "synthesis":
        yield from (Edge(atom_node(other), this, "supports_semantic") for other in made_of)
    elif made_of:
        idea = insight_node(atom.atom_id)
        yield from (Edge(each, idea, "leads_to_idea") for each in (*map(atom_node, made_of), this))


def _to_atoms(atom: Atom, others: Iterable[str], kind: EdgeKind) -> Iterator[Edge]:
    return (Edge(atom_node(atom.atom_id), atom_node(other), kind) for other in others if other != atom.atom_id)


def _unique_nodes(nodes: Iterable[Node]) -> tuple[Node, ...]:
    """Return each node once, with its last fields (these are no part of its key, so a set does not do)."""
    return tuple({node.node_id: node for node in nodes}.values())
