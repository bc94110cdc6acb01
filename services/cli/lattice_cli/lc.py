"""`lc`: store words, files and pipes and return at once; with the server away they wait in the inbox.

Imports are few, and the rest is imported where it is needed: `lc "text"` is to return in a quarter of a second.
"""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Sequence
from pathlib import Path

from lattice_common import __version__
from lattice_common.errors import InvalidInput, LatticeError

from lattice_cli import exits
from lattice_cli.target import Target, find_target

HELP = """\
Say something once; ask for it whenever.

  lc "The spare key is with Ines"          remember a sentence (quotes keep the shell off your punctuation)
  lc notes.md lease.pdf budget.xlsx        remember files, as somebody else's words (--note: as yours)
  pbpaste | lc                             remember what comes through a pipe
  lc status                                how much there is, on what, and how many days in a row
  lc clear                                 begin a new conversation and a new journey of the day; nothing is forgotten
  lc --do forget what I said about Tom     have something done; what goes is shown first

When Lattice is not running, what you say waits in the inbox folder and is taken in at its next start.
Questions are for `lattice ask "where is the spare key?"`. What went wrong can be taken back with `lattice undo ID`.
Exit codes: 0 kept, or waiting in the inbox; 1 refused or not read, 2 not understood, 130 stopped by Ctrl-C.
"""

WORDS = frozenset({"status", "clear"})
"""One of these alone is a command; `lc "status update: …"` is not."""


def main() -> None:
    """Run the command `lc`."""
    exits.end(lambda: run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Return the exit code: 0 done (kept, or waiting in the inbox), 1 refused or failed, 2 not understood."""
    options = _parser().parse_args(arguments)
    words: list[str] = options.what
    try:
        target = find_target()
        if options.do:
            from lattice_cli.do import do

            return do(_to_do(words), target, yes=options.yes, as_json=options.json)
        if len(words) == 1 and words[0] in WORDS:
            return _command(words[0], target, as_json=options.json)
        return _keep(words, target, source=options.source, wait=not options.no_wait, as_json=options.json)
    except LatticeError as error:
        sys.stderr.write(f"{exits.told(error)}\n")
        return exits.code_of(error)
    except KeyboardInterrupt:
        return exits.INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="lc", description=HELP, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "what", nargs="*", metavar="TEXT|FILE", help="words, or the paths of files; `-` or nothing reads the pipe"
    )
    parser.add_argument("-n", "--no-wait", action="store_true", help="do not wait to hear what was remembered")
    whose = parser.add_mutually_exclusive_group()
    whose.add_argument(
        "--document", dest="source", action="store_const", const="document", help="the files hold somebody else's words"
    )
    whose.add_argument("--note", dest="source", action="store_const", const="user", help="the files hold your own words")
    parser.add_argument(
        "--do", action="store_true", help="have it done: undo that, forget what I said about Tom, export my notes"
    )
    parser.add_argument("-y", "--yes", action="store_true", help="with --do: without asking first")
    parser.add_argument("--version", action="version", version=f"lattice {__version__}", help="say which version it is")
    parser.add_argument("--json", action="store_true", help="answer with JSON, for scripts")
    return parser


def _to_do(words: Sequence[str]) -> str:
    if not words:
        raise InvalidInput("Say what is to be done: lc --do undo that", field="usage")
    return " ".join(words)


def _command(word: str, target: Target, *, as_json: bool) -> int:
    if word == "clear":
        import json

        from lattice_cli.session import begin_anew, end_journey

        name = begin_anew(target.data_dir)
        end_journey(target)
        words = f"A new conversation begins ({name}). Nothing was forgotten: `lattice ask` still reaches it all."
        sys.stdout.write((json.dumps({"session_id": name}) if as_json else words) + "\n")
        return exits.OK
    from lattice_cli.status import lc_status  # brings the engines' readers with it, when the server is away

    return lc_status(target, as_json=as_json)


def _keep(words: Sequence[str], target: Target, *, source: str | None, wait: bool, as_json: bool) -> int:
    gc.disable()  # a process of a quarter of a second: what it would collect is gone sooner than that
    from lattice_cli.capture import Note, capture_files, capture_note

    notes: list[Note] = []
    if not words or list(words) == ["-"]:
        if sys.stdin.isatty():
            sys.stderr.write(HELP)
            return exits.USAGE
        notes.append(Note(_piped()))
    elif all(_is_file(word) for word in words):
        return capture_files([Path(word) for word in words], target, source=source, wait=wait, as_json=as_json)
    else:
        missing = [word for word in words if looks_like_path(word) and not _is_file(word)]
        if missing and (len(missing) == len(words) or any(_is_file(word) for word in words)):
            if Path(missing[0]).is_dir():
                raise InvalidInput(
                    f"{missing[0]} is a folder. Nothing was kept: `lattice import files` reads all that is in one."
                )
            raise InvalidInput(
                f"There is no file {missing[0]}. Nothing was kept: name files that are there, or say a whole sentence in quotes."
            )
        notes.append(Note(" ".join(words)))
    return max(capture_note(note, target, wait=wait, as_json=as_json) for note in notes)


def _piped() -> str:
    from lattice_common.capture.plain_text import decode, is_text  # only pipes and files need to guess an encoding

    content = sys.stdin.buffer.read()
    if not is_text(content):
        raise InvalidInput("What came through the pipe is no text. Nothing was kept: name a file, as in `lc lease.pdf`.")
    return decode(content).text


def _is_file(word: str) -> bool:
    try:
        return Path(word).is_file()
    except (OSError, ValueError):  # a sentence may be too long for a path, or hold a NUL
        return False


def looks_like_path(word: str) -> bool:
    """Return whether a word is a path: `notes.md`, `~/lease.pdf`, `./x`; not `and/or`, an address, or a sentence that ends in the
    name of a file."""
    if not word or any(mark in word for mark in (" ", "\n", "://")):
        return False
    return word.startswith(("/", "./", "../", "~/")) or _ends_like_document(Path(word).suffix.lower())


def _ends_like_document(suffix: str) -> bool:
    if not suffix:
        return False
    from lattice_common.domain.formats import BY_ENDING

    known = BY_ENDING.get(suffix.removeprefix("."))
    return known is not None and known.kind != "code"  # "example.com" and "v2.js" are words as well


if __name__ == "__main__":
    main()
