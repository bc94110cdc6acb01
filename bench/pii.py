"""How much personal data redaction finds, per kind: `python -m bench.pii`. On the labelled set of tests/data/pii."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass

from lattice_common.domain.redaction import BY_RULES, Redaction

from tests.data.pii.labelled import Labelled, labelled


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


def main() -> None:
    tally = tallied(labelled(3000))
    lines = [f"{'kind':10}{'values':>8}{'found':>9}"]
    lines += [f"{kind:10}{each.total:8}{1 - len(each.leaked) / each.total:9.4f}" for kind, each in sorted(tally.items())]
    missed = sorted({value for each in tally.values() for value in each.leaked})
    sys.stdout.write("\n".join([*lines, "", "missed: " + ("; ".join(missed[:40]) or "none")]) + "\n")


if __name__ == "__main__":
    main()
