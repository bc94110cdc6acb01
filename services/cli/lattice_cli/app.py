"""`lattice`: start it, ask it, look after it.

The files of this package import at their top what is quick; settings, engines, models and rich are imported by the command that
needs them, so that `lattice --help` and quick commands don't wait a second for what they don't use.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer
from lattice_common import __version__
from lattice_common.errors import InvalidInput, LatticeError, NotConfigured
from typer.core import TyperGroup
from typer.main import get_command

from lattice_cli import (
    archive,
    ask,
    assistants,
    audit,
    autostart,
    backup,
    changes,
    completion,
    edit,
    exits,
    follow,
    forget,
    graph,
    health,
    hook,
    imports,
    inside,
    learn,
    models,
    page,
    recipes,
    review,
    show,
    telegram,
    today,
    tokens,
    up,
    who,
)
from lattice_cli.target import choose_owner

EXAMPLES = """\b
Examples:
  lattice up --demo                          start, with a small life to try it on
  lattice open                               open its page in your browser, signed in
  lc "The spare key is with Ines"            tell it something (see `lc --help`)
  lattice ask "where is the spare key?"      ask, with citations
  lattice atoms spare key                    list what is remembered of something
  lattice forget --about Tom                 forget, after seeing what goes with it (--now: at once)
  lattice review                             say what still holds of what newer things may have made untrue
  lattice edit ID                            correct it in your editor (`lattice undo` takes that back)
  lattice import chat WhatsApp.txt           read a conversation
  lattice export --format markdown me.md     take everything out
  lattice backup lattice.tar.gz              all that is yours in one file (`lattice restore`)
  lattice --owner ben token add phone        the same, and all else, for one of several owners
  lattice doctor                             see whether all is well; changes nothing

\b
Exit codes: 0 done, 1 found nothing or was refused (doctor: found something), 2 not understood, 3 Lattice is not running,
130 stopped by Ctrl-C, 141 nobody read on (`| head`).
"""


class Commands(TyperGroup):
    """The command group. A sentence in place of a command is answered with the two commands that take sentences."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and len(args[0].split()) > 1:
            said = f'"{args[0]}"'
            raise InvalidInput(f"{said} is no command. To ask it: lattice ask {said}   To tell it: lc {said}", field="usage")
        return super().resolve_command(ctx, args)


def _say_version(asked: bool) -> None:
    if asked:
        sys.stdout.write(f"lattice {__version__}\n")
        raise typer.Exit


def _options(
    ctx: typer.Context,
    _version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_say_version, help="Say which version it is.")
    ] = False,
    owner: Annotated[
        str | None, typer.Option("--owner", help="Whose memory, where there are several (LATTICE_OWNERS); or `shared`.")
    ] = None,
) -> None:
    """Handle the options before a command."""
    if owner is not None:
        if ctx.invoked_subcommand == "up":
            raise InvalidInput("`lattice up` serves all owners at once: leave --owner out.", field="usage")
        choose_owner(owner)


app = typer.Typer(
    name="lattice",
    cls=Commands,
    callback=_options,
    help="A personal memory that runs on your own machine.",
    epilog=EXAMPLES,
    context_settings={"help_option_names": ["--help", "-h"]},  # `lc` has both, too
    no_args_is_help=True,
    rich_markup_mode=None,  # rich takes longer to import than the help to print
    pretty_exceptions_enable=False,  # they print the values of variables, and those are what the owner said
)

app.command()(up.up)
app.command(name="open")(page.open_page)
app.command()(ask.ask)
app.command()(health.status)
app.command()(health.doctor)
app.command()(health.rebuild)
app.command()(audit.audit)
app.command()(inside.stats)
app.command()(inside.trace)
app.command()(inside.debug)
app.command()(models.calibrate)
app.command()(models.fetch)
app.command()(show.atoms)
app.command()(show.show)
app.command()(edit.edit)
app.command()(show.history)
app.command()(show.diff)
app.command()(show.timeline)
app.command()(show.profile)
app.command()(today.today)
app.command()(show.rejected)
app.command()(show.captures)
app.command()(review.review)
app.command()(who.who)
app.command()(changes.undo)
app.command()(changes.merge)
app.command()(forget.forget)
app.command()(changes.retry)
app.command()(changes.export)
app.command()(backup.backup)
app.command()(backup.restore)
app.command()(completion.completion)
app.command()(assistants.mcp)
app.command()(recipes.mcp_config)
app.add_typer(archive.archiving, name="archive")
app.add_typer(graph.graph, name="graph")
app.add_typer(hook.hook, name="hook")
app.add_typer(imports.importing, name="import")
app.command()(follow.follow)
app.add_typer(imports.demo, name="demo")
app.add_typer(tokens.app, name="token")
app.add_typer(learn.learning, name="learn")
app.add_typer(telegram.pairing, name="pair")
app.add_typer(autostart.service, name="service")


def main() -> None:
    """Run the command `lattice`."""
    exits.end(_run)


@functools.cache
def _command() -> Callable[..., Any]:
    """Return the command with all those below it, made once: the parameters of all of them are read from their functions."""
    return get_command(app)


def _run() -> int:
    try:
        _command()(prog_name="lattice")  # completion asks by this name, whatever the program was started as
    except LatticeError as error:
        sys.stderr.write(f"{exits.told(error)}\n")
        if isinstance(error, NotConfigured) and error.env_line and error.env_line not in str(error):
            sys.stderr.write(f"Put this into .env: {error.env_line}\n")
        return exits.code_of(error)
    except KeyboardInterrupt:
        return exits.INTERRUPTED
    return exits.OK


if __name__ == "__main__":
    main()
