"""The memories of several owners, open side by side in one process, either to write or as a deployment's API reads them. Part of
the composition root.

Each is a product of its own over its own folder: nothing in one holds a reference to anything of another. They share only the
models, which hold no memory and are loaded once.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence

from lattice_common.adapters.files.space_folder import first_owner, keep_first_owner
from lattice_common.composition.models import Model, load_model, model_for
from lattice_common.composition.read_only import ReadingOnly, open_as_it_can
from lattice_common.composition.reader import Reader, open_reader
from lattice_common.composition.writer import Embedded
from lattice_common.errors import NotConfigured, Unavailable
from lattice_common.lattice import Lattice
from lattice_common.logs import logger, of_space
from lattice_common.settings import Settings
from lattice_common.spaces import Space, spaces_of
from lattice_common.upkeep.rebuild import OnProgress

log = logger(__name__)


class OpenSpaces:
    """Each space and its product, the first owner's first. A context manager, as each product is."""

    def __init__(self, opened: Sequence[tuple[Space, Embedded | ReadingOnly | Reader]], close: Callable[[], None]) -> None:
        self.opened = opened
        self._close = close

    @property
    def lattices(self) -> list[Lattice]:
        """Return the `Lattice` of each space."""
        return [each.lattice for _, each in self.opened]

    @property
    def reads_only(self) -> str | None:
        """Return why a space cannot be written, where one cannot."""
        return next((each.reads_only for _, each in self.opened if each.reads_only), None)

    @property
    def room_again(self) -> bool:
        """Return whether a space ended because the disk can be written now."""
        return any(each.room_again for _, each in self.opened)

    def when_broken(self, told: Callable[[], None]) -> None:
        """Call `told` when the writer of a space ends, or its folder has to be opened anew."""
        for _, each in self.opened:
            each.when_broken(told)

    def trouble(self) -> str | None:
        """Return why the process has to be started again; None where it has not."""
        found = ((space.name, product.trouble()) for space, product in self.opened)
        return next((f"{name}: {why}" for name, why in found if why), None)

    def start(self) -> None:
        """Start the work of every space."""
        for space, each in self.opened:
            with of_space(space.name):
                each.start()

    def __enter__(self) -> OpenSpaces:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()


def open_spaces(settings: Settings, *, model: Model | None = None, on_progress: OnProgress = lambda *_: None) -> OpenSpaces:
    """Open the memory of every owner, and the shared one, as their one writer; load the models where `model` is not given. Raise
    as `open_as_it_can` does, and `NotConfigured` where the folder's own memory belongs to another owner than the first."""
    spaces = spaces_of(settings)
    keep_first(settings, spaces[0].name)
    loaded = model or load_model(settings)
    opened: list[tuple[Space, Embedded | ReadingOnly | Reader]] = []
    with contextlib.ExitStack() as open_now:
        for space in spaces:
            with of_space(space.name):
                product = open_as_it_can(space.settings, model=model_for(space.settings, loaded), on_progress=on_progress)
            open_now.push(product)
            opened.append((space, product))
        return OpenSpaces(opened, open_now.pop_all().close)


def open_space_readers(settings: Settings) -> OpenSpaces:
    """Open the memory of every owner, and the shared one, as a deployment's API reads them; the worker writes. Raise
    `NotConfigured` where the folder's own memory belongs to another owner than the first."""
    spaces = spaces_of(settings)
    _refuse_another(settings, spaces[0].name, first_owner(settings.data_dir))
    loaded = load_model(settings)
    opened: list[tuple[Space, Embedded | ReadingOnly | Reader]] = []
    with contextlib.ExitStack() as open_now:
        for space in spaces:
            with of_space(space.name):
                reader = open_reader(space.settings, model=model_for(space.settings, loaded))
            open_now.push(reader)
            opened.append((space, reader))
        return OpenSpaces(opened, open_now.pop_all().close)


def keep_first(settings: Settings, first: str) -> None:
    """Record whose the folder's own memory is. Raise `NotConfigured` where it is somebody else's."""
    kept = first_owner(settings.data_dir)
    _refuse_another(settings, first, kept)
    if kept is None:
        try:
            keep_first_owner(settings.data_dir, first)
        except Unavailable:
            log.warning("access_not_written")  # the disk takes nothing: the next start tries again


def _refuse_another(settings: Settings, first: str, kept: str | None) -> None:
    """Raise `NotConfigured` where another order of names would give a memory to somebody else."""
    if kept not in (None, first):
        raise NotConfigured(
            f"The memory in {settings.data_dir} itself is {kept}'s, and LATTICE_OWNERS names {first} first, who would be given "
            f"it. Put {kept} first.",
            env_line=f"LATTICE_OWNERS={kept},{first}",
        )
