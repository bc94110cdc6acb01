"""A model's words as they come, made fit to be shown: citations renumbered, sentinels removed, addresses defanged.

What may become a mark is held back until it is complete, so it makes no difference where chunks are cut. Each character is
examined a bounded number of times.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from lattice_common.domain.visible import visible
from lattice_common.recall.synthesize.marks import CITATION, NO_INFO, defang, numbers_in

LONGEST_MARK = 120
"""Characters within which an opened mark must close; otherwise it is none."""
LONGEST_HELD = 2_000
"""Characters of an address that are waited for."""

# White space (a citation that is dropped takes it along) and the word after it; of other scripts each character is a word.
_UNFINISHED = re.compile(r"\s*(?:[\x21-\x7e]+|(?<!\S)\S*(?:://|www\.)\S*)?$")
_THINKING = re.compile(r"<(?:think(?:ing)?|thought|reasoning)>|\[THINK\]|<\|channel\|>(?:analysis|commentary)", re.IGNORECASE)
_THOUGHT = re.compile(r"</(?:think(?:ing)?|thought|reasoning)>|\[/THINK\]|<\|channel\|>final<\|message\|>", re.IGNORECASE)
_LONGEST_THOUGHT_MARK = 40
_SPECIAL = re.compile(r"<\|[a-z_]{2,24}\|>|</s>|<(?:end|start)_of_turn>")
"""Marks of models' own conversation formats, which endpoints with a wrong template let through."""
_OPENING = (("[", "]"), ("【", "】"), ("<", ">>"))


class Streamed:
    """`shown` is the answer so far: everything given out, except what turned out to be the model thinking aloud; `order` are the
    memories that it cites, in order of appearance; `no_info` is set once the model said that it does not know: then nothing more
    is given out."""

    def __init__(self, memories: int, allowed_urls: Collection[str]) -> None:
        self.shown = ""
        self.order: list[int] = []
        self.no_info = False
        self.taken = 0
        self._memories = memories
        self._allowed = allowed_urls
        self._held = ""
        self._thinking = False

    def feed(self, piece: str) -> str:
        """Return what can be shown now."""
        self.taken += len(piece)
        self._held += visible(piece)
        self._leave_out_thoughts()
        if self._thinking:
            return ""
        if NO_INFO.search(self._held):
            self.no_info = True
        if self.no_info:
            self._held = ""
            return ""
        cut = self._safe(self._held)
        ready, self._held = self._held[:cut], self._held[cut:]
        return self._given(ready)

    def end(self) -> str:
        """Return what was held back; called at the end of the stream."""
        ready, self._held = self._held.rstrip(), ""
        if self._thinking:
            return ""
        self.no_info = self.no_info or bool(NO_INFO.search(f"{ready}\n"))
        return "" if self.no_info else self._given(ready)

    def _leave_out_thoughts(self) -> None:
        """Remove the thinking aloud of some models before their answer, also where its beginning was left to the prompt's
        template and some of it was given out already."""
        while True:
            if thought := _THOUGHT.search(self._held):
                self._held = self._held[thought.end() :]
                self._thinking, self.shown = False, ""
                self.order.clear()
            elif not self._thinking and (begun := _THINKING.search(self._held)):
                self._held = self._held[begun.end() :]
                self._thinking = True
            else:
                break
        if self._thinking:
            self._held = self._held[-_LONGEST_THOUGHT_MARK:]

    def _given(self, ready: str) -> str:
        made = defang(CITATION.sub(self._renumbered, _SPECIAL.sub("", ready)), self._allowed)
        if not self.shown:
            made = made.lstrip()
        self.shown += made
        return made

    def _renumbered(self, match: re.Match[str]) -> str:
        cited = numbers_in(match, self._memories)
        for number in cited:
            if number not in self.order:
                self.order.append(number)
        marks = "".join(f"[{self.order.index(number) + 1}]" for number in cited)
        return f"{match[1]}{marks}" if marks else ""

    def _safe(self, held: str) -> int:
        """Return how much of what is held cannot become part of a mark any more."""
        if len(held) > LONGEST_HELD:
            return len(held)
        unfinished = _UNFINISHED.search(held)
        cut = unfinished.start() if unfinished else len(held)
        for opening, closing in _OPENING:
            at = held.rfind(opening, max(0, len(held) - LONGEST_MARK), cut)
            if at >= 0 and closing not in held[at:cut]:
                cut = at
                while cut and (held[cut - 1] == opening or held[cut - 1].isspace()):
                    cut -= 1
        return cut
