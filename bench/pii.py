"""How much personal data redaction finds, per kind: `python -m bench.pii`. On the labelled set of tests/data/pii.

The rules and that set have the same authors. `--strange` puts in values of others: names, addresses, numbers and cards as the
package Faker makes them for the same languages (`uv run --with faker python -m bench.pii --strange`).
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lattice_common.domain.redaction import BY_RULES, Redaction

from tests.data.pii.labelled import Labelled, Maker, labelled

SHOWN = 40
"""Values of a kind that are named of those that were missed."""


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
    """Whether a value can be read in a redacted text: all of it, or a word of a name, or four of a number's digits in a row."""
    if value in redacted:
        return True
    plain = re.sub(r"<[A-Z]+_\d+_k3f9>", " ", redacted)
    if kind in ("PHONE", "IBAN", "CARD"):
        return any(part in plain for part in re.findall(r"\d{4,}", value))
    if kind == "PERSON":
        return any(re.search(rf"\b{re.escape(word)}\b", plain) for word in value.split() if len(word) > 3)
    return False


def strange() -> dict[str, Maker]:
    """Makers of values that nobody here thought of."""
    from faker import Faker
    from stdnum.iban import is_valid

    makers = {"en": Faker(["en_US", "en_GB", "en_IN"]), "de": Faker(["de_DE", "de_AT", "de_CH"]), "ru": Faker("ru_RU")}
    for maker in makers.values():
        maker.seed_instance(20261122)

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
    given = parser.parse_args(arguments)
    tally = tallied(labelled(3000, makers=strange() if given.strange else None))
    lines = [f"{'kind':10}{'values':>8}{'found':>9}"]
    lines += [f"{kind:10}{each.total:8}{1 - len(each.leaked) / each.total:9.4f}" for kind, each in sorted(tally.items())]
    for kind, each in sorted(tally.items()):
        missed = sorted(set(each.leaked))
        lines += [f"\n{kind} missed: {'; '.join(missed[:SHOWN])}{' …' if len(missed) > SHOWN else ''}"] if missed else []
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
