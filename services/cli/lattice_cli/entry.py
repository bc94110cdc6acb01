"""Where the two commands begin: Ctrl-C ends them without a traceback also while what they need is still being imported.

Nothing is imported at the top: there nothing could be caught.
"""

from __future__ import annotations

INTERRUPTED = 130
"""`exits.INTERRUPTED`, which is not imported yet."""


def lattice() -> None:
    """Run the command `lattice`."""
    _begin("lattice_cli.app")


def lc() -> None:
    """Run the command `lc`."""
    _begin("lattice_cli.lc")


def _begin(module: str) -> None:
    try:
        import importlib
        import os
        import signal

        former = signal.getsignal(signal.SIGINT)
        if former is signal.default_int_handler:  # a shell's `&` has it ignored
            # At once, since nothing is begun yet: raised amid an import it may come out as another error, or as none.
            signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
        main = importlib.import_module(module).main
        signal.signal(signal.SIGINT, former)
        main()
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None
