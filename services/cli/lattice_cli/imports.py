"""`lattice import` and `lattice demo`: much at once, with a bar, safe to repeat."""

from __future__ import annotations

import hashlib
import io
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, TypeAlias

import typer
from lattice_common.capture.written import written_at
from lattice_common.errors import Conflict, InvalidInput

from lattice_cli import exits
from lattice_cli.state import SourceNames
from lattice_cli.words import counted

if TYPE_CHECKING:
    from lattice_common.capture.importers.chat import Imported
    from lattice_common.capture.importers.items import Item
    from lattice_common.client import LatticeClient

    from lattice_cli.memory import Ended, Memory
    from lattice_cli.terminal import Steps

Take: TypeAlias = "Callable[[Memory], Iterable[Ended]]"
"""Stores one item in a memory, what is too long in parts."""

importing = typer.Typer(
    help="Read conversations, notes and documents, and folders of them.",
    epilog="Examples: lattice import chat WhatsApp.txt · lattice import text ~/notes · lattice import files ~/documents",
    no_args_is_help=True,
)
demo = typer.Typer(
    help="A small invented life, to try things on.",
    epilog="Examples: lattice demo load · lattice demo remove",
    no_args_is_help=True,
)

WAIT_SECONDS = 3600.0
"""How long to wait for a receipt; each is waited for only once the ones before it are there."""

DEMO_SOURCE = "demo"


@importing.command()
def chat(
    files: Annotated[list[str], typer.Argument(help="ChatGPT, WhatsApp, JSON, JSON lines, or `Name: words`; `-` is the pipe.")],
    me: Annotated[str | None, typer.Option("--me", help="Your name in them, where they do not say who you are.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The counts, for scripts.")] = False,
) -> None:
    """Read conversations: what a program exported as `lattice import export` does. Importing a file twice changes nothing.

    Example: lattice import chat conversations.json
    """
    with ExitStack() as opened:
        found = [_conversations(name, opened, me) for name in files]
        _import_items(chain.from_iterable(found), as_json=as_json)


def _conversations(name: str, opened: ExitStack, me: str | None) -> Iterable[Take]:
    """Return what keeps the conversations of a file, or of the pipe: an export's one by one, as they come from it."""
    from lattice_common.capture.importers.chat import read_chat
    from lattice_common.capture.importers.export import exported

    title = "pipe" if name == "-" else Path(name).name
    file = opened.enter_context(io.BytesIO(sys.stdin.buffer.read()) if name == "-" else _opened(Path(name)))
    size = file.seek(0, io.SEEK_END)
    file.seek(0)
    found = exported(title, file, size, own=True)
    if found is not None:
        return _exported_takes(_said_by(me, found))
    file.seek(0)
    return _takes(read_chat(file.read(), name=title), me)


def _said_by(me: str | None, found: Iterable[Item]) -> Iterable[Item]:
    return (item.said_by(me) for item in found) if me else found


def _exported_takes(found: Iterable[Item]) -> Iterator[Take]:
    """Yield what keeps each item of an export; what is left out is told, with the reason."""
    from lattice_cli.export import take_parts

    for item in found:
        if item.skipped:
            sys.stderr.write(f"{item.label}: {item.skipped}\n")
        else:
            yield partial(take_parts, item)


@importing.command()
def text(
    paths: Annotated[list[Path], typer.Argument(help="Text and markdown files, or folders of them.")],
    document: Annotated[bool, typer.Option("--document", help="Somebody else's words, not your own notes.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The counts, for scripts.")] = False,
) -> None:
    """Read notes: .txt, .text, .md, .markdown, with the date of each file. Importing one twice changes nothing.

    Example: lattice import text ~/notes
    """
    names = SourceNames()
    found = [_note(path, names.name(path, root), document=document) for given in paths for path, root in _notes_in(given)]
    if not found:
        raise InvalidInput(f"There is no text or markdown file in {', '.join(map(str, paths))}.")
    names.keep()
    _import_items(_takes(found), as_json=as_json)


@importing.command()
def files(
    paths: Annotated[list[Path], typer.Argument(help="Files of any kind, or folders of them.")],
    document: Annotated[bool, typer.Option("--document", help="All of it is somebody else's words.")] = False,
    note: Annotated[bool, typer.Option("--note", help="All of it is your own words.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The counts, for scripts.")] = False,
) -> None:
    """Read documents: PDF, Office, HTML, CSV, mails, text, code. Importing one twice changes nothing.

    Example: lattice import files ~/documents
    """
    if document and note:
        raise InvalidInput("Say either --document or --note: a file holds one or the other.", field="usage")
    source = "document" if document else "user" if note else None
    names = SourceNames()
    found = [(path, _facts(path, names.name(path, root), source)) for given in paths for path, root in _files_in(given)]
    if not found:
        raise InvalidInput(f"There is no file in {', '.join(map(str, paths))}.")
    names.keep()
    _import_items([partial(_take_file, path, facts) for path, facts in found], as_json=as_json)


@importing.command()
def export(
    path: Annotated[Path, typer.Argument(help="What a program exported: a file, a zip, or a folder.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Count what is in it, and keep nothing.")] = False,
    document: Annotated[bool, typer.Option("--document", help="Its notes are somebody else's words, not your own.")] = False,
    account: Annotated[
        str | None, typer.Option("--as", help="What you call the account, where you have several: each is taken back by itself.")
    ] = None,
    me: Annotated[
        str | None, typer.Option("--me", help="Your name in its chats, where the program does not say who you are.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The account, for scripts.")] = False,
) -> None:
    """Read what another program exported: ChatGPT, Claude, Gemini, Telegram, WhatsApp, Signal, mem0, MCP memory, Keep, Readwise,
    Pocket, bookmarks, Obsidian, Notion, Bear, Evernote, Day One, Apple Notes, mailboxes of any size. Stopped, it goes
    on where it was; twice, it changes nothing; `lattice import undo` takes it all back.

    Example: lattice import export --dry-run conversations.json
    """
    from lattice_cli.export import import_export, survey_export

    if dry_run:
        survey_export(path, own=not document, account=account, me=me, as_json=as_json)
    else:
        import_export(path, own=not document, account=account, me=me, as_json=as_json)


@importing.command()
def undo(
    name: Annotated[
        str, typer.Argument(help="What was imported, as the file or folder is called, or as `lattice import list` names it.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="For scripts.")] = False,
) -> None:
    """Take back all of an import; of a folder of notes one note, by the name in `lattice import list`. `lattice undo` of the id
    that it prints brings it back, and so does importing it again.

    Example: lattice import undo conversations.json
    """
    from lattice_cli.memory import open_memory
    from lattice_cli.terminal import Steps

    with Steps() as steps, open_memory(steps) as memory:
        source_id = _imported_as(name, memory)
        change_id = memory.remove_source(source_id)
    sys.stdout.write(
        (json.dumps({"change_id": change_id}) if as_json else f"All of {source_id} is in the trash ({change_id}).") + "\n"
    )


def _imported_as(name: str, memory: Memory) -> str:
    """Return the source of what was imported under a name, or from a path. Raise `Conflict` where several programs' exports had
    this name."""
    from lattice_common.capture.importers.programs import is_called

    path = Path(name)
    if path.is_file() and (known := SourceNames().known(path)) is not None and memory.has_source(known):
        return known
    if memory.has_source(name):
        return name
    found = [each for each in memory.sources() if is_called(each, path.name)]
    if len(found) > 1:
        undo = " or ".join(f'lattice import undo "{each}"' for each in found)
        raise Conflict(f"{len(found)} imports are called {path.name}. Say which: {undo}")
    return found[0] if found else path.name


@demo.command()
def load(as_json: Annotated[bool, typer.Option("--json", help="For scripts.")] = False) -> None:
    """Put the demo in, once; it takes an empty memory, so that nothing of yours is mixed with it.

    Example: lattice demo load
    """
    from lattice_cli.memory import open_memory
    from lattice_cli.terminal import Steps

    with Steps() as steps, open_memory(steps) as memory:
        new = load_into(memory, steps)
    sys.stdout.write((json.dumps({"atoms_new": new or 0, "was_there": new is None}) if as_json else _demo_told(new)) + "\n")


@demo.command()
def remove(as_json: Annotated[bool, typer.Option("--json", help="For scripts.")] = False) -> None:
    """Take all of the demo out again.

    Example: lattice demo remove
    """
    from lattice_cli.memory import open_memory
    from lattice_cli.terminal import Steps

    with Steps() as steps, open_memory(steps) as memory:
        change_id = memory.remove_source(DEMO_SOURCE)
    sys.stdout.write((json.dumps({"change_id": change_id}) if as_json else "The demo is gone.") + "\n")


@importing.command(name="list")
def list_(
    limit: Annotated[int, typer.Option("--limit", "-l", min=1, max=1000, help="At most this many.")] = 100,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line, for scripts.")] = False,
) -> None:
    """List what came from imports and files, the latest first. `lattice forget --source NAME` forgets one.

    Example: lattice import list
    """
    from lattice_cli.connection import connected

    with connected() as client:
        found = client.imports(limit)
    if not found:
        sys.stderr.write("Nothing was imported.\n")
        raise typer.Exit(exits.FAILED)
    for each in found:
        line = f"{each['last'][:10]}  {each['memories']:>7,}  {each['source_id']}"
        sys.stdout.write((json.dumps(each, ensure_ascii=False) if as_json else line) + "\n")


def load_demo(client: LatticeClient) -> str:
    """Load it into a running product; return what came of it, as a sentence."""
    from lattice_cli.memory import OverHttp
    from lattice_cli.terminal import Steps

    try:
        return _demo_told(load_into(OverHttp(client), Steps()))
    except Conflict as error:
        return str(error)


def load_into(memory: Memory, steps: Steps) -> int | None:
    """Return how many memories it made; None when it was there. Raise `Conflict` for a memory that holds something else."""
    from lattice_common.adapters.system_clock import SystemClock
    from lattice_common.capture.demo import demo_life

    if memory.has_source(DEMO_SOURCE):
        return None
    if count := memory.count():
        raise Conflict(
            f"There are {count:,} memories of your own here, and the demo would mix with them. "
            "Try it in another folder: LATTICE_DIR=/tmp/lattice-demo lattice up --demo"
        )
    clock = SystemClock()
    return sum(each.atoms_new for each in _taken(_takes(demo_life(clock.now(), clock.new_id())), memory, steps))


def _demo_told(new: int | None) -> str:
    told = "The demo is there already." if new is None else f"The demo is in: {new} memories."
    return f'{told} Try: lattice ask "where do I live now?"  Take it out with: lattice demo remove'


def _takes(found: Sequence[Imported], me: str | None = None) -> list[Take]:
    from lattice_common.capture.importers.items import Item

    from lattice_cli.export import take_parts

    items = (Item("", each.request, given_key=each.idempotency_key) for each in found)
    return [partial(take_parts, item) for item in _said_by(me, items)]


def _import_items(found: Iterable[Take], *, as_json: bool) -> None:
    from lattice_cli.memory import open_memory
    from lattice_cli.terminal import Steps

    with Steps() as steps, open_memory(steps) as memory:
        before = memory.count()
        ends = list(_taken(found, memory, steps))
        new = memory.count() - before
    states = [each.state for each in ends]
    dead = [each for each in ends if each.state == "dead"]
    counts = {"captures": len(ends), "atoms_new": new, **{state: states.count(state) for state in sorted(set(states))}}
    if as_json:
        sys.stdout.write(json.dumps(counts) + "\n")
    else:
        sys.stdout.write(f"Read {counted(len(ends), 'capture', 'captures')}: {counted(new, 'new memory', 'new memories')}.\n")
        for each in ends:
            if each.state == "rejected" and each.reason:
                sys.stderr.write(f"{each.capture_id} was set aside: {each.reason}\n")
        for each in dead:
            sys.stderr.write(f"{each.capture_id} could not be read: {each.reason}. Try again: lattice retry {each.capture_id}\n")
    if dead:
        raise typer.Exit(exits.FAILED)


def _taken(found: Iterable[Take], memory: Memory, steps: Steps) -> Iterator[Ended]:
    """Keep them all first, then wait for each; the bars count captures kept, captures read, and memories made."""
    kept: list[Ended] = []
    known = len(found) if isinstance(found, Sequence) else 0
    for number, each in enumerate(found, start=1):
        kept += each(memory)
        steps.count("captures kept", number, known)
    atoms = 0
    for number, begun in enumerate(kept, start=1):
        end = begun if begun.final else memory.wait(begun.capture_id, WAIT_SECONDS)
        atoms += end.atoms_new
        steps.count("captures read", number, len(kept))
        steps.count("memories", atoms, 0)
        yield end


def _files_in(given: Path) -> Iterator[tuple[Path, Path]]:
    """Yield all files of a folder except unfinished ones, or the file that was given."""
    from lattice_common.capture.inbox_names import named

    return _below(given, lambda path: named(path.name) == "file")


def _notes_in(given: Path) -> Iterator[tuple[Path, Path]]:
    """Yield the files of a folder whose names are those of text files, or the file that was given."""
    from lattice_cli.capture import TEXT_ENDINGS

    return _below(given, lambda path: bool(path.suffix) and path.suffix.lower() in TEXT_ENDINGS)


def _below(given: Path, wanted: Callable[[Path], bool]) -> Iterator[tuple[Path, Path]]:
    """Yield a file itself, or those below a folder that are `wanted`, without hidden ones; each with the folder that names it."""
    if not given.exists():
        raise InvalidInput(f"There is no {given}.")
    if given.is_file():
        yield given, given.parent
        return
    for path in sorted(given.rglob("*")):
        hidden = any(part.startswith(".") for part in path.relative_to(given).parts)
        if not hidden and path.is_file() and not path.is_symlink() and wanted(path):
            yield path, given


def _facts(path: Path, name: str, source: str | None) -> dict[str, Any]:
    from lattice_common.capture.importers.items import day_named

    noted = day_named(path.name) if path.suffix.lower() in (".md", ".markdown", ".txt") else None
    written = noted or written_at(path.stat().st_mtime)
    facts: dict[str, Any] = {
        "source_id": name,
        "channel": "import",
        "observed_at": written,
        "priority": "bulk",
    }
    return {**facts, "source": source} if source else facts


def _take_file(path: Path, facts: dict[str, Any], memory: Memory) -> list[Ended]:
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        known = hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()
        return [memory.take_file(path, facts, f"import:{digest}:{known}")]
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror}.") from error


def _note(path: Path, name: str, *, document: bool) -> Imported:
    from lattice_common.capture.importers.chat import Imported
    from lattice_common.capture.request import CaptureMetadata, IngestRequest

    from lattice_cli.capture import read_file

    note = read_file(path)
    request = IngestRequest.model_validate(
        {
            "text": note.text,
            "source": "document" if document else "user",
            "source_type": note.source_type,
            "priority": "bulk",
            "metadata": CaptureMetadata.model_validate({**note.facts, "source_id": name, "channel": "import"}),
        }
    )
    digest = hashlib.sha256(note.text.encode()).hexdigest()
    # The date is of the body, so it is of the key too: a file that was only touched is a duplicate, not a conflict.
    return Imported(request, f"import:{digest}:{hashlib.sha256(f'{name}|{note.facts}|{document}'.encode()).hexdigest()}")


def _opened(path: Path) -> IO[bytes]:
    try:
        return path.open("rb")
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror}.") from error
