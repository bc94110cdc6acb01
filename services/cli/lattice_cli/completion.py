"""`lattice completion`: what a shell needs to complete commands, to be put where the shell looks for it."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated

import typer

FIRST_TAB = """
if [ "$funcstack[1]" = "_lattice" ]; then
  _lattice_completion "$@"
fi"""
"""The beginning of the file for zsh, which reads it from its `fpath` at the first Tab, as the completing function."""


class Shell(StrEnum):
    """Shells that can be served."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


def completion(shell: Annotated[Shell, typer.Argument(help="Yours.")]) -> None:
    """Print what makes your shell complete the commands and options of `lattice`.

    \b
    Examples:
    bash  lattice completion bash > ~/.local/share/bash-completion/completions/lattice
    zsh   lattice completion zsh > ~/.zfunc/_lattice        (with fpath+=~/.zfunc before compinit)
    fish  lattice completion fish > ~/.config/fish/completions/lattice.fish
    """
    # Brings what looks for the shell that one is in; typer does not say that it exports it.
    from typer.completion import get_completion_script  # type: ignore[attr-defined]

    script = get_completion_script(prog_name="lattice", complete_var="_LATTICE_COMPLETE", shell=shell.value)
    sys.stdout.write(script + (FIRST_TAB if shell is Shell.ZSH else "") + "\n")
