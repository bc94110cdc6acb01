"""Passages of documents among the memories that were found: which of them answer, and at which places.

They are searched in indexes of their own, after the memories are ranked: each place goes to the memory or the passage with the
better evidence, and passages have only their share of the places. Without passages nothing is searched.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice

import numpy as np

from lattice_common.domain.passage import PASSAGE, Passage, is_passage, passage_id_for, shown_as_atom
from lattice_common.domain.recall import Filter, Hit, Selected, Signal
from lattice_common.errors import Unavailable
from lattice_common.language.glosses.gloss import english_gloss
from lattice_common.language.places.exonyms import also_called
from lattice_common.language.questions.asked_nouns import asked_nouns
from lattice_common.language.questions.asked_of_reply import asks_of_a_reply, names_an_assistant_of, topic_of
from lattice_common.language.text import analyze
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.ports.lexical_index import LexicalQuery
from lattice_common.ports.passages import PassageIndexes, PassageReader
from lattice_common.recall.asked_names import asked_names, names_somebody
from lattice_common.recall.from_passage import MOST_PARTS, parts_of, says, words_beside
from lattice_common.recall.question import Search

SEEDS = 40
"""Hits of each leg."""
READ = 20
"""The best of both legs, whose words are compared with the question's: a result shows a handful."""
QUOTED = 3
"""Best results of which an answer may quote a sentence."""
BESIDE = 0.4
"""Weight of a token in another passage of the same document: an invoice for "the wall box" need not repeat that in the line with
the sum."""
ABOUT = 0.6
"""Weight of a word in a title, a file's name or a heading, beside one in the passage itself."""
COSINE_UNKNOWN = 0.15
LITERAL, MEANT = 0.6, 1.0
"""Weights of the share of the question that occurs literally, and of the cosine. Fitted by bench/passages.py."""
OWN_WORDS = 0.10
"""Advantage of a memory: it says one thing, a passage ten, so more of the question is in a passage by chance."""
TOLD = 0.08
"""Advantage of the owner's own statements over documents, unless these are much nearer."""
OF_TALK = 0.15
"""Handicap of passages of conversations and notes, most of which is remembered already."""
LEAST = 0.35
"""Evidence below which a passage takes no place that a memory could have."""
SHARE = (1, 2, 3, 3, 4)
"""Most passages among the first one, two, … results; of more, two thirds."""
UNNAMED = 0.15
"""Handicap of what is of a document that names nobody whom the question names, neither there nor where it begins."""
HEAD = 3
"""First passages of a document, in which it says whose it is: whom a bill is for, whom a record is of."""
SURE, SPREAD = 0.80, 0.10
"""Evidence at which a passage answers with probability one half, and how fast that changes. Fitted by bench/passages.py."""


LIKE = 0.62
"""Cosine of two words that mean about the same ("fee", "charge"; "spouse", "wife"), beside words of one matter ("treasurer",
"secretary"; "boiler", "heating"), which are below."""
MOST_WORDS = 120
"""Words of what was found of a document that a noun is compared with."""
_LONG_WORD = re.compile(r"[^\W\d_]{4,}")


@dataclass(frozen=True, slots=True)
class PassageSearch:
    """The store and the indexes of passages."""

    store: PassageReader
    indexes: PassageIndexes
    catalogue: CatalogueReader


@dataclass(frozen=True, slots=True)
class FoundPassages:
    """Passages that may answer, best first, each with its evidence (0 to about 1.6)."""

    best: tuple[tuple[Passage, float], ...] = ()
    heads: Mapping[str, Set[str]] = field(default_factory=dict)
    """The words that documents begin with, by capture."""
    degraded: tuple[str, ...] = ()


def find_passages(search: Search, where: PassageSearch) -> FoundPassages:
    """Search both legs. One that is away is reported, never an error."""
    question = search.question
    asked = question.query.filter
    if not question.text or (asked.kind and PASSAGE not in asked.kind) or (question.period and question.period.only):
        return FoundPassages()  # a question only for a time asks for events, and a passage has no time of its own
    degraded: list[str] = []
    try:
        if not where.store.any_passages():
            return FoundPassages()
        within = _within(search)
        words = _by_words(search, where, within, degraded)
        near = _by_meaning(search, where, within, degraded)
        known = _not_archived(search, where, where.store.passages(_nearest(dict(words), dict(near))))
        heads = _heads([*(each.capture_id for each in known), *_documents_of(search.chosen)], where)
    except Unavailable as error:
        return FoundPassages((), {}, (f"passages: {error}",))
    return FoundPassages(_ranked(search, known, heads, dict(words), dict(near)), heads, tuple(degraded))


def _not_archived(search: Search, where: PassageSearch, known: Sequence[Passage]) -> Sequence[Passage]:
    """Return the passages except those of captures of which all memories are archived."""
    columns = search.columns
    if search.question.query.include_archived or not columns.archived[: search.count].any():
        return known
    seen: dict[str, bool] = {}
    for capture_id in dict.fromkeys(each.capture_id for each in known):
        rows = (columns.row_of.get(each, search.count) for each in where.catalogue.of_capture(capture_id))
        seen[capture_id] = any(not columns.archived[row] for row in rows if row < search.count)
    return [each for each in known if seen[each.capture_id]]


def _nearest(words: Mapping[str, float], near: Mapping[str, float]) -> list[str]:
    most = max(words.values(), default=0.0) or 1.0
    ids = dict.fromkeys([*words, *near])

    def order(passage_id: str) -> tuple[float, str]:
        # Equally good ones have a fixed order, however the legs answered, also in an index that was made anew.
        return -round(0.5 * words.get(passage_id, 0.0) / most + near.get(passage_id, COSINE_UNKNOWN), 4), passage_id

    return sorted(ids, key=order)[:READ]


def _within(search: Search) -> Filter | None:
    query = search.question.query
    asked = replace(query.filter, kind=())
    if query.as_of is not None:
        asked = replace(asked, before=min(asked.before, query.as_of) if asked.before else query.as_of)
    return asked or None


def _by_words(search: Search, where: PassageSearch, within: Filter | None, degraded: list[str]) -> Sequence[Hit]:
    tokens = search.question.tokens
    if not tokens:
        return ()
    try:
        return where.indexes.lexical.search(LexicalQuery({"text": tokens, "window": tokens}, {"window": ABOUT}), SEEDS, within)
    except Unavailable as error:
        degraded.append(f"lexical: {error}")
        return ()


def _by_meaning(search: Search, where: PassageSearch, within: Filter | None, degraded: list[str]) -> Sequence[Hit]:
    """Search with the vector of the question, where it was made by the model of the passages' vectors."""
    space = where.indexes.space
    if space is None or search.vector is None or search.space is None:
        return ()
    if search.space.embedder.model_id != space.embedder.model_id:
        return ()
    try:
        return space.dense.search(search.vector, SEEDS, within)
    except Unavailable as error:
        degraded.append(f"dense: {error}")
        return ()


def _ranked(
    search: Search,
    known: Sequence[Passage],
    heads: Mapping[str, Set[str]],
    words: Mapping[str, float],
    near: Mapping[str, float],
) -> tuple[tuple[Passage, float], ...]:
    tokens = {each.passage_id: _tokens("\n".join((*each.about, each.text))) for each in known}
    of_document = {capture_id: set(said) for capture_id, said in heads.items()}
    for each in known:
        of_document.setdefault(each.capture_id, set()).update(tokens[each.passage_id])
    of_reply = asks_of_a_reply(search.question.text)
    topic = topic_of(search.question.text) if of_reply else frozenset()
    asked = [token for token in search.question.tokens if token in topic] if topic else search.question.tokens
    weights = token_weights(asked, list(tokens.values()))
    most = max(words.values(), default=0.0) or 1.0
    evidence: list[tuple[float, float, Passage]] = []
    for each in known:
        beside = of_document[each.capture_id]
        sure = evidence_of(tokens[each.passage_id], near.get(each.passage_id), weights, beside)
        sure -= _unnamed(search, beside)
        sure -= OF_TALK if each.trust == "user" or (each.trust == "assistant" and not of_reply) else 0.0
        evidence.append((sure + 0.25 * words.get(each.passage_id, 0.0) / most, sure, each))
    evidence.sort(key=lambda found: (-round(found[0], 4), found[2].passage_id))
    return tuple((each, sure) for _, sure, each in evidence)


def _unnamed(search: Search, said: Set[str]) -> float:
    names = asked_names(search.question.text)
    return UNNAMED if names_somebody(search.question.text) and said.isdisjoint(names) else 0.0


@lru_cache(maxsize=2_048)
def _tokens(text: str) -> frozenset[str]:
    """Return the tokens of a text. Cached: the same passages are near to one question after another."""
    return frozenset(analyze(text))


def token_weights(asked: Sequence[str], texts: Sequence[Set[str]]) -> dict[str, float]:
    """Return the weight of each token of a question: the rarer among the results, the higher."""
    wanted = frozenset(asked)
    held = Counter(token for text in texts for token in wanted & text)
    count = len(texts)
    return {token: math.log(1.0 + (count - held[token] + 0.5) / (held[token] + 0.5)) + 0.3 for token in asked}


def evidence_of(tokens: Set[str], cosine: float | None, weights: Mapping[str, float], beside: Set[str] = frozenset()) -> float:
    """Return how far a text bears a question out, by its words, those `beside` it, and its meaning."""
    total = sum(weights.values())
    held = sum(
        weight if token in tokens else BESIDE * weight for token, weight in weights.items() if token in tokens or token in beside
    )
    literal = held / total if total else 0.0
    return LITERAL * literal + MEANT * (COSINE_UNKNOWN if cosine is None else max(cosine, 0.0))


def among(search: Search, chosen: Sequence[Selected], found: FoundPassages) -> tuple[Selected, ...]:
    """Return the memories in their order, with passages at the places where they bear the question out better."""
    if not found.best:
        return tuple(chosen)
    limit, explain = search.question.query.limit, search.question.query.explain
    memories = list(zip(chosen, _evidence_of_memories(search, chosen, found), strict=True))
    passages = [(each, sure) for each, sure in found.best if sure >= LEAST or not memories]
    if asks_of_a_reply(search.question.text):
        memories = _of_replies(search.question.text, memories, passages)
    result: list[Selected] = []
    taken = 0
    while len(result) < limit and (memories or passages):
        at_best = max((sure for _, sure in memories[:2]), default=-1.0)
        may = bool(passages) and (not memories or taken < share(len(result) + 1))
        if may and (not memories or passages[0][1] > at_best):
            passage, sure = passages.pop(0)
            taken += 1
            score = _score_between(result, memories)
            signals = {"passage": Signal(sure, 1.0, sure)} if explain else {}
            result.append(Selected(shown_as_atom(passage), score, signals))
        elif memories:
            result.append(memories.pop(0)[0])
        else:
            break
    return tuple(result)


def _of_replies(
    question: str, memories: Sequence[tuple[Selected, float]], passages: Sequence[tuple[Passage, float]]
) -> list[tuple[Selected, float]]:
    """Return memories without the owner's own words, for a question of what an assistant said; all where nothing of a reply was
    found, or where the owner speaks of somebody of that name."""
    found = (*(each.atom.trust for each, _ in memories), *(each.trust for each, _ in passages))
    others = [(each, sure) for each, sure in memories if each.atom.trust != "user"]
    own = [each.atom.content for each, _ in memories if each.atom.trust == "user"]
    return others if "assistant" in found and not names_an_assistant_of(question, own) else list(memories)


def share(places: int) -> int:
    """Return how many of so many places passages may have."""
    return SHARE[places - 1] if places <= len(SHARE) else max(SHARE[-1], places * 2 // 3)


def _score_between(before: Sequence[Selected], after: Sequence[tuple[Selected, float]]) -> float:
    """Return a score between those of two neighbours: results are in the order of their scores, and a passage gets that of its
    place."""
    if after:
        return after[0][0].score if not before else min(before[-1].score, after[0][0].score + 1e-6)
    return before[-1].score - 1e-6 if before else 0.0


def _evidence_of_memories(search: Search, chosen: Sequence[Selected], found: FoundPassages) -> list[float]:
    tokens = [_tokens(f"{each.atom.content}\n{each.atom.subject}") for each in chosen]
    texts = [*tokens, *(_tokens("\n".join((*passage.about, passage.text))) for passage, _ in found.best)]
    weights = token_weights(search.question.tokens, texts)
    sure = []
    for each, said in zip(chosen, tokens, strict=True):
        cosine = _cosine(search, each.atom.atom_id)
        told = TOLD if each.atom.trust == "user" else 0.0
        told -= (
            0.0
            if each.atom.trust in ("user", "assistant")
            else _unnamed(search, said | found.heads.get(each.atom.capture_id, said))
        )
        sure.append(evidence_of(said, cosine, weights) + OWN_WORDS + told)
    return sure


def _cosine(search: Search, atom_id: str) -> float | None:
    """Return the cosine of an atom, as the search knows it."""
    row = search.columns.row_of.get(atom_id)
    if search.ranked is None or row is None:
        return None
    candidates = search.ranked.candidates
    known = candidates.cosine[candidates.rows == row]
    return float(known[0]) if len(known) and np.isfinite(known[0]) else None


def confidence_of(found: FoundPassages) -> float:
    """Return how sure it is that the best passage answers, 0…1."""
    if not found.best:
        return 0.0
    return 1.0 / (1.0 + math.exp(-(found.best[0][1] - SURE) / SPREAD))


def heads_of(chosen: Sequence[Selected], where: PassageSearch) -> dict[str, frozenset[str]]:
    """Return the words that the documents found begin with, by capture; none where passages are away, which the search for them
    has reported."""
    try:
        return _heads(_documents_of(chosen), where)
    except Unavailable:
        return {}


def _documents_of(chosen: Sequence[Selected]) -> list[str]:
    return [each.atom.capture_id for each in chosen if each.atom.trust not in ("user", "assistant")]


def _heads(captures: Sequence[str], where: PassageSearch) -> dict[str, frozenset[str]]:
    """Return the words of the first passages of each capture: who is named there need not be named in each row below."""
    found: dict[str, frozenset[str]] = {}
    for passage in where.store.passages([passage_id_for(each, at) for each in dict.fromkeys(captures) for at in range(HEAD)]):
        found[passage.capture_id] = found.get(passage.capture_id, frozenset()) | _tokens(passage.text)
    return found


def silent(search: Search, chosen: Sequence[Selected], heads: Mapping[str, Set[str]] | None = None) -> frozenset[str]:
    """Return the captures of documents, of those found, that tell nothing of something that the question names, by that word, by
    one of its family, another name of a place, or a word that means about the same. For answers: where a noun is missing, it
    costs the embedding of some dozen words."""
    nouns = asked_nouns(search.question.text)
    atoms = [each.atom for each in chosen if each.atom.trust not in ("user", "assistant")]
    if not nouns or not atoms:
        return frozenset()
    found: set[str] = set()
    for capture_id, said in words_beside(atoms, heads).items():
        texts = [each.content for each in atoms if each.capture_id == capture_id]
        missing = [noun for noun in nouns if not says(said, f"{noun} {also_called(noun)}")]
        if missing and not any(english_gloss(text) for text in texts) and not _like(search, missing, texts):
            found.add(capture_id)
    return frozenset(found)


def _like(search: Search, nouns: Sequence[str], texts: Sequence[str]) -> bool:
    """Return whether each noun has a word in the texts that means about the same."""
    if search.space is None:
        return True
    words = dict.fromkeys(word.lower() for text in texts for word in _LONG_WORD.findall(text))
    known = list(islice(words, MOST_WORDS))
    if not known:
        return False
    vectors = search.space.embedder.embed([*nouns, *known])
    cosines = vectors[: len(nouns)] @ vectors[len(nouns) :].T
    return bool((cosines.max(axis=1) >= LIKE).all())


def nearness(search: Search, chosen: Sequence[Selected]) -> dict[str, float]:
    """Return the cosines of the sentences of the best passages, and of what was learned from documents, with the question. For
    answers: it costs the embedding of a few sentences."""
    best = chosen[:QUOTED]
    if search.space is None or search.vector is None or not best:
        return {}
    if best[0].atom.trust in ("user", "assistant") and not is_passage(best[0].atom):
        return {}  # the owner's words are not weighed
    texts: dict[str, None] = {}
    for each in best:
        if is_passage(each.atom):
            texts.update(dict.fromkeys(parts_of(each.atom.content)[:MOST_PARTS]))
        elif each.atom.trust not in ("user", "assistant"):
            texts[each.atom.content] = None
    vectors = search.space.embedder.embed(list(texts))
    return {text: float(vector @ search.vector) for text, vector in zip(texts, vectors, strict=True)}
