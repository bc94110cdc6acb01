"""`lattice ask`: a question, an answer as it is written, and where it comes from."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer
from lattice_common.errors import InvalidInput, Unavailable

from lattice_cli import exits

if TYPE_CHECKING:
    from lattice_common.client import LatticeClient


def ask(
    question: Annotated[
        list[str] | None, typer.Argument(help="The question, in your own words; `-` or nothing reads the pipe.")
    ] = None,
    as_of: Annotated[str | None, typer.Option("--as-of", metavar="DATE", help="As things stood then: 2026-05-01.")] = None,
    archived: Annotated[bool, typer.Option("--archived", help="Look in the archive as well.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The API's answer, for scripts.")] = False,
) -> None:
    """Ask what you once told. Exit code 1 when nothing answers it. A follow-up leans on what was asked before, until `lc clear`.

    \b
    Examples:
      lattice ask "where is the spare key?"
      lattice ask and the bike key?
      lattice ask --as-of 2026-01-01 "where do I live?"
      lattice ask --json "who is my dentist?" | jq -r .answer
    """
    from lattice_cli.connection import connected
    from lattice_cli.days import end_of
    from lattice_cli.session import current
    from lattice_cli.target import find_target

    moment = end_of(as_of, "--as-of")
    words = _words(question)
    target = find_target()
    session_id = current(target.data_dir)
    with connected(target) as client:
        if as_json:
            reply = client.answer(words, as_of=moment, session_id=session_id, channel="cli", include_archived=archived)
            sys.stdout.write(json.dumps(reply, ensure_ascii=False, indent=2) + "\n")
            answered = reply["answered"]
        else:
            answered = _streamed(client, words, session_id, moment, archived=archived)
    if not answered:
        raise typer.Exit(exits.FAILED)


TAKEN_BACK = "  ! What stands above is taken back: its writing did not end well. The answer:"


def _words(question: Sequence[str] | None) -> str:
    words = " ".join(question or [])
    if words in ("", "-"):
        if sys.stdin.isatty():
            raise InvalidInput('There is no question. Ask one: lattice ask "where is the spare key?"', field="usage")
        words = sys.stdin.read()
    if not words.strip():
        raise InvalidInput('The question is empty. Ask one: lattice ask "where is the spare key?"', field="usage")
    return words.strip()


def _streamed(client: LatticeClient, words: str, session_id: str, as_of: str | None, *, archived: bool) -> bool:
    """Return whether it was answered. On a terminal the words come as they are written; a pipe gets the answer as it is in the
    end."""
    live = sys.stdout.isatty()
    shown = ""
    final: dict[str, Any] | None = None
    events = client.query_stream(
        words, intent="ask", session_id=session_id, as_of=as_of, channel="cli", include_archived=archived
    )
    for event in events:
        match event["type"]:
            case "token" if live:
                sys.stdout.write(event["text"])
                sys.stdout.flush()
                shown += event["text"]
            case "citations_applied":
                final = event
            case "error":
                raise Unavailable(str(event["problem"]["detail"]))
    if final is None:
        raise Unavailable("The answer broke off before its end. Ask again.")
    if shown and shown.strip() != final["answer"].strip():
        # What was judged at the end takes the place of what was shown, which a terminal cannot take back.
        sys.stdout.write(f"\n\n{TAKEN_BACK}\n\n{final['answer']}")
    elif not shown:
        sys.stdout.write(final["answer"])
    sys.stdout.write("\n" + "".join(f"{line}\n" for line in _sources(final)))
    return bool(final["answered"])


def _sources(final: Mapping[str, Any]) -> Iterator[str]:
    if final["reformulated_query"]:
        yield f"  (understood as: {final['reformulated_query']})"
    if final["citations"]:
        yield ""
    for each in final["citations"]:
        origin = f", {each['source_id']}" if each["source_id"] else ""
        doubt = "" if each["supported"] else "  (not borne out)"
        yield f"  [{each['n']}] “{each['quote']}”  {each['observed_at'][:10]}{origin}  {each['atom_id']}{doubt}"
    for pair in final.get("disagreements", []):
        other = pair["disagrees_with"]
        yield f"  ! {_origin(other)} says otherwise: {other['content']}  {other['atom_id']}"
    for warning in final["warnings"]:
        yield f"  ! {warning}"


def _origin(atom: Mapping[str, Any]) -> str:
    return str((atom.get("metadata") or {}).get("title") or atom.get("source_id") or "Something else")
