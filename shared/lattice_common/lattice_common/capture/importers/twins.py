"""Files of an export that are left out, with the reason: what another one beside them holds once more, and what a program notes
of the account beside its conversations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import islice

KEEP = (b'"textContent"', b'"listContent"', b'"isTrashed"')
"""Keys of which Google Keep's notes have at least one."""
MOST_PROBED = 20
"""How many files of a folder are opened to see whether it is Keep's."""


TELEGRAM = (b'"personal_information"', b'"from_id"')
"""Keys of which an export of Telegram as JSON has one near its beginning."""
_TELEGRAMS_PAGE = re.compile(r"(?:export_results|messages\d*)\.html")
CONVERSATIONS = re.compile(r"conversations(?:-\d+)?\.json")
"""What ChatGPT and Claude call their conversations; a long export has several such files."""
_OF_CHATGPT = {
    "user.json": "it says whose account it was",
    "user_settings.json": "it holds the settings of the account",
    "message_feedback.json": "it says which answers were rated, and no words of anybody",
    "shared_conversations.json": "it lists links to conversations, which are read from their own file",
    "model_comparisons.json": "it compares answers of models, and the one that was taken is in its conversation",
    "export_manifest.json": "it lists the files of the export",
    "chat.html": "the conversations are read from the JSON beside it",
}
"""What ChatGPT puts beside the conversations, and why it is left out."""


class Twins:
    """The files of an export by their names, and how the beginning of one is read."""

    def __init__(self, names: Iterable[str], head: Callable[[str], bytes]) -> None:
        self._names = frozenset(names)
        self._head = head

    def reason(self, name: str) -> str | None:
        """Return why a file is left out; None for one that is not."""
        *folders, base = re.split(r"[/\\]", name)
        folder = name.removesuffix(base)
        stem, _, ending = base.rpartition(".")
        if base in _OF_CHATGPT and any(self._holds(each, (b'"mapping"',)) for each in self._conversations_in(folder)):
            return _OF_CHATGPT[base]
        if base == "archive_browser.html" or (ending == "html" and re.fullmatch(r"(?:.*[/\\])?Takeout[/\\]", folder)):
            return "it lists what is in Google's archive"  # the one page beside the folders, in each language with another name
        if ending in ("html", "htm") and self._holds(f"{folder}{stem}.json", KEEP):
            return "Keep's note is read from the JSON beside it"
        if base == "Labels.txt" and folders and self._is_of_keep(folder):
            return "it lists the labels of Keep's notes, which have them"
        if _TELEGRAMS_PAGE.fullmatch(base) and any(self._holds(each, TELEGRAM) for each in self._results_above(folder)):
            return "the chats are read from result.json"
        if ending == "csv" and f"{folder}{stem}_all.csv" in self._names:
            return "its rows are read from the table beside it that has all of them"
        if base in ("index.html", "chat.md") and self._holds(f"{folder}data.json", (b'"reactions"',)):
            return "the chat is read from data.json beside it"
        if base == "index.html" and self._holds(f"{folder}chat.md", (b"[20",)):
            return "the chat is read from chat.md beside it"
        return None

    def _holds(self, name: str, marks: tuple[bytes, ...]) -> bool:
        if name not in self._names:
            return False
        head = self._head(name)
        return any(mark in head for mark in marks)

    def _results_above(self, folder: str) -> list[str]:
        return [name for name in self._names if name.endswith("result.json") and folder.startswith(name[: -len("result.json")])]

    def _conversations_in(self, folder: str) -> list[str]:
        return [name for name in self._names if name.startswith(folder) and CONVERSATIONS.fullmatch(name[len(folder) :])]

    def _is_of_keep(self, folder: str) -> bool:
        beside = re.compile(re.escape(folder) + r"[^/\\]+\.json")
        notes = (each for each in self._names if beside.fullmatch(each))
        return any(self._holds(each, KEEP) for each in islice(notes, MOST_PROBED))
