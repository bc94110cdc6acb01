"""Whether a field for how somebody felt about a thing would answer questions better: `python -m bench.tone [--show]`.

Questions about one authored life (`bench/tone/life.json`), most of which ask for what pleased its owner or what did not; each
thing was told of gladly, crossly and neither. The product's own list of `DEPTH` is put in order again by score plus weight times
how well the tone of a statement fits the asked one, where the tone is

* *known*: labelled by hand, which no reader of texts can beat, with the asked tone known as well;
* *embedded*: how much nearer the statement's vector is to a glad sentence than to a cross one, by the product's own embedder.

For both the best of several weights is shown, chosen on these same questions: an upper bound. How often such questions are asked
at all is counted in the questions of `train/data`.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lattice_common import logs
from lattice_common.capture.request import CaptureMetadata, IngestRequest
from lattice_common.domain.recall import Query, Selected
from lattice_common.ports.embedder import Embedder

from bench.evidence import Asked, Corpus, GoldOf, bench_model, filled
from train.corpus import memories

LIFE = Path(__file__).parent / "tone" / "life.json"
DEPTH = 15
WEIGHTS = (0.5, 1.0, 2.0, 3.0, 4.0, 6.0)
GLAD = "I loved it, it made me happy."
CROSS = "I hated it, it made me sad and angry."
_FEELING = re.compile(
    r"\b(happy|glad|joy|enjoy(ed)?|love[ds]?|proud|relieved|moved|beautiful|best|like[ds]?|sad|angry|annoy(s|ed)?|upset|afraid|"
    r"worried|hate[ds]?|disappointed|wrong|badly|worst|complain(ed)?|feel|felt|mood)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Tried:
    """One question: its list with scores, what is gold, the tone it asks for."""

    asked: int
    gold: frozenset[str]
    found: tuple[tuple[str, float], ...]
    text: str


def tried(life: Mapping[str, Sequence[Mapping[str, object]]]) -> tuple[list[Tried], dict[str, float]]:
    """The product's answers, and the tone of each statement by its vector, −1 to 1."""
    told = tuple(
        IngestRequest(
            text=str(each["text"]),
            priority="bulk",
            metadata=CaptureMetadata(source_id=str(each["id"]), observed_at=f"{each['date']}T18:00:00Z"),
        )
        for each in life["statements"]
    )
    gold = {str(each["q"]): frozenset(map(str, each["gold"])) for each in life["questions"]}  # type: ignore[call-overload]
    corpus = Corpus("tone", told, tuple(Asked(text, names, "tone", "en") for text, names in gold.items()))
    model = bench_model()
    with filled(corpus, model) as (product, _):
        gold_of = GoldOf(product)
        found = [
            Tried(
                int(str(each["asked"])),
                gold[str(each["q"])],
                _listed(product.lattice.select(Query(str(each["q"]), limit=DEPTH)).atoms, gold_of),
                str(each["q"]),
            )
            for each in life["questions"]
        ]
        embedder = product.stores.embedder
        assert embedder is not None
        return found, embedded_tones(embedder, {str(each["id"]): str(each["text"]) for each in life["statements"]})


def _listed(atoms: Sequence[Selected], gold_of: GoldOf) -> tuple[tuple[str, float], ...]:
    return tuple((gold_of(each.atom) or "", each.score) for each in atoms)


def embedded_tones(embedder: Embedder, texts: Mapping[str, str]) -> dict[str, float]:
    """Cosine to a glad sentence less that to a cross one, spread to −1…1 over the statements."""
    glad, cross = embedder.embed_query(GLAD), embedder.embed_query(CROSS)
    vectors = embedder.embed(list(texts.values()))
    raw = vectors @ glad - vectors @ cross
    middle, most = float(raw.mean()), float(abs(raw - raw.mean()).max()) or 1.0
    return {name: (float(value) - middle) / most for name, value in zip(texts, raw, strict=True)}


def hits(found: Sequence[Tried], tone: Callable[[str], float], weight: float) -> tuple[float, float]:
    """Percent of questions whose gold is first, and among the first five."""
    first = five = 0
    for each in found:
        ranked = sorted(each.found, key=lambda one: -(one[1] + weight * each.asked * tone(one[0])))
        names = list(dict.fromkeys(name for name, _ in ranked))
        first += bool(each.gold & set(names[:1]))
        five += bool(each.gold & set(names[:5]))
    return 100 * first / len(found), 100 * five / len(found)


def asked_elsewhere() -> tuple[int, int]:
    """Questions of the training memories with a word for a feeling, and all of them."""
    texts = [text for split in ("train", "dev", "test") for memory in memories(split) for text, *_ in memory.questions]
    return sum(bool(_FEELING.search(text)) for text in texts), len(texts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", action="store_true", help="list the questions whose answer is not first")
    show = parser.parse_args().show
    logs.configure("error", json=None)
    life = json.loads(LIFE.read_text(encoding="utf-8"))
    found, embedded = tried(life)
    known = {str(each["id"]): float(each["tone"]) for each in life["statements"]}
    for name, kept in (("asking for a tone", True), ("asking for none", False)):
        some = [each for each in found if bool(each.asked) is kept]
        print(f"{name}: {len(some)} questions; first / among five, percent")
        print("  as it is        {:5.1f} {:5.1f}".format(*hits(some, known.__getitem__, 0.0)))
        for label, tones in (("known tone", known), ("embedded tone", embedded)):
            best = max((hits(some, lambda each, of=tones: of.get(each, 0.0), weight), weight) for weight in WEIGHTS)
            print(f"  {label:15} {best[0][0]:5.1f} {best[0][1]:5.1f}  (weight {best[1]})")
    if show:
        for each in found:
            if not each.gold & {name for name, _ in each.found[:1]}:
                print(f"  {each.text}: {[name for name, _ in each.found[:5]]}, gold {sorted(each.gold)}")
    print("of {1} questions of train/data {0} have a word for a feeling".format(*asked_elsewhere()))


if __name__ == "__main__":
    main()
