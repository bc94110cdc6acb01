"""How much personal data redaction finds, per kind, and how much else it takes: `python -m bench.pii`.

On the labelled set of tests/data/pii; the rules and that set have the same authors. `--strange` puts in values of others: names,
addresses, numbers and cards as the package Faker makes them for the same languages (`uv run --with faker python -m bench.pii
--strange`). `--held-out seed` has the same makers with another seed, `--held-out places` those of other countries; of both only
figures are printed, so that nobody writes rules for what they missed.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lattice_common.language.pii.redaction import BY_RULES, Redaction
from lattice_common.language.pii.span import spans_of

from tests.data.pii.labelled import Labelled, Maker, labelled
from tests.data.pii.plain import plain

SHOWN = 40
"""Values of a kind that are named of those that were missed."""
HERE = {"en": ("en_US", "en_GB", "en_IN"), "de": ("de_DE", "de_AT", "de_CH"), "ru": ("ru_RU",)}
ELSEWHERE = {
    "en": ("en_AU", "en_CA", "en_NZ", "en_IE", "nl_NL", "pl_PL", "pt_PT", "pt_BR"),
    "de": ("fr_FR", "it_IT", "es_ES", "nl_BE", "fr_CH"),
    "ru": ("ru_RU",),
}
"""Faker's locales for the texts of each language."""
SEALED = 20261125
"""The seed of what is held out. Who has looked at the values that it makes draws another."""
_TAG = re.compile(r"<[A-Z]+_\d+_k3f9>")
_TITLES = frozenset("Herr Frau Miss Dipl Univ Prof".split())  # noqa: SIM905 - words read better


@dataclass(frozen=True)
class Tally:
    """Of one kind: how many there were, and which could still be read, in whole or in a part that says something."""

    total: int = 0
    leaked: tuple[str, ...] = ()


def tallied(texts: Iterable[Labelled]) -> dict[str, Tally]:
    """What stayed of each kind."""
    tally: dict[str, Tally] = {}
    for each in texts:
        redacted = Redaction([each.text], BY_RULES, lambda: "k3f9").redact(each.text)
        for start, end, kind in each.spans:
            value = each.text[start:end]
            known = tally.get(kind, Tally())
            leaked = (*known.leaked, value) if stays(value, redacted, kind) else known.leaked
            tally[kind] = Tally(known.total + 1, leaked)
    return tally


def stays(value: str, redacted: str, kind: str) -> bool:
    """Whether a value can be read in a redacted text: all of it, a word of a name or of an address, four of a number's digits in
    a row, or three of those of an address. A title or a degree says nobody's name."""
    if value in redacted:
        return True
    left = _TAG.sub(" ", redacted)
    if kind in ("PHONE", "IBAN", "CARD"):
        return any(part in left for part in re.findall(r"\d{4,}", value))
    if kind == "ADDRESS" and any(re.search(rf"(?<!\d){part}(?!\d)", left) for part in re.findall(r"\d{3,}", value)):
        return True
    if kind in ("PERSON", "ADDRESS"):
        words = [word for word in re.findall(r"[^\W\d_]{4,}", value) if word not in _TITLES]
        return any(re.search(rf"\b{re.escape(word)}\b", left) for word in words)
    return False


def taken(texts: Iterable[Labelled]) -> tuple[int, int]:
    """Words that are not personal, and how many of them were replaced all the same."""
    words = hidden = 0
    for each in texts:
        personal = [span[:2] for span in each.spans]
        found = [(span.start, span.end) for span in spans_of(each.text, BY_RULES)]
        for word in re.finditer(r"\w+", each.text):
            if not _within(word, personal):
                words += 1
                hidden += _within(word, found)
    return words, hidden


def documents() -> Iterable[Labelled]:
    """The paragraphs of this project's documentation, in which nothing is personal."""
    for path in sorted((Path(__file__).parents[1] / "docs").glob("*.md")):
        for paragraph in path.read_text(encoding="utf-8").split("\n\n"):
            yield Labelled("en", paragraph, ())


def _within(word: re.Match[str], spans: Iterable[tuple[int, int]]) -> bool:
    return any(start < word.end() and word.start() < end for start, end in spans)


def strange(places: Mapping[str, Sequence[str]] = HERE, seed: int = 20261122) -> dict[str, Maker]:
    """Makers of values that nobody here thought of."""
    from faker import Faker
    from stdnum.iban import is_valid

    makers = {language: Faker(list(locales)) for language, locales in places.items()}
    for maker in makers.values():
        maker.seed_instance(seed)

    def by(name: str) -> Maker:
        return lambda language, _: " ".join(str(getattr(makers[language], name)()).split())

    def iban(language: str, _: random.Random) -> str:
        """Faker's British ones are a digit short, which no bank takes."""
        while not is_valid(made := str(makers[language].iban())):
            pass
        return made

    return {
        "PERSON": by("name"), "ADDRESS": by("address"), "PHONE": by("phone_number"), "EMAIL": by("email"), "IBAN": iban,
        "CARD": by("credit_card_number"), "IP": by("ipv4"),
    }  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--strange", action="store_true", help="values that another package makes")
    parser.add_argument("--held-out", choices=("seed", "places"), help="others of these, of which only figures are printed")
    given = parser.parse_args(arguments)
    makers = strange() if given.strange else None
    if given.held_out:
        makers = strange(HERE if given.held_out == "seed" else ELSEWHERE, seed=SEALED)
    texts = list(labelled(3000, seed=SEALED, makers=makers) if given.held_out else labelled(3000, makers=makers))
    began = time.perf_counter()
    tally = tallied(texts)
    spent = time.perf_counter() - began
    lines = [f"{'kind':10}{'values':>8}{'found':>9}"]
    lines += [f"{kind:10}{each.total:8}{1 - len(each.leaked) / each.total:9.4f}" for kind, each in sorted(tally.items())]
    lines += ["", f"{'not personal':22}{'words':>8}{'replaced':>10}"]
    for name, other in (("beside those values", texts), ("texts without any", plain(3000)), ("docs/*.md", documents())):
        words, hidden = taken(other)
        lines.append(f"{name:22}{words:8}{hidden / words:10.4f}")
    lines.append(f"\n{sum(len(each.text) for each in texts) / 1e6 / spent:.3f} million characters a second")
    for kind, each in () if given.held_out else sorted(tally.items()):
        missed = sorted(set(each.leaked))
        lines += [f"\n{kind} missed: {'; '.join(missed[:SHOWN])}{' …' if len(missed) > SHOWN else ''}"] if missed else []
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
