"""Reads the file of a bot: once, or anew for each game.

Bots of arena are read once, and what they keep outside of their instances is shared.
Guests keep most things there, so a file that imports a guest's module is read again
for each game, together with what it imports from beside it; each reading has modules
of its own.
"""

import re
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from importlib.util import module_from_spec
from pathlib import Path
from types import ModuleType

from arena.bot import Bot
from arena.worker.compat import Guest
from arena.worker.imports import SourceLoader, install, spec_of
from arena.worker.loader import LoadError, find_bots

_GUARD = re.compile(rb"""^if\b.*\b__name__\b.*['"]__main__['"]""", re.M)


class Reading:
    """What has come of a file, read once."""

    __slots__ = ("bots", "guests", "module", "modules")

    def __init__(self) -> None:
        self.module = ModuleType("")
        self.bots: dict[str, type[Bot]] = {}
        """By class name."""
        self.guests: dict[str, Guest] = {}
        """Those whose modules it has imported, by the modules' names."""
        self.modules: dict[str, ModuleType] = {}
        """Its own modules and those of its guests, while another reading is active."""

    @property
    def is_content(self) -> bool:
        """Whether a guest has got what it wants of the file."""
        return any(guest.is_content for guest in self.guests.values())


class Source:
    """A bot's file, or the folder of a package, with all that it consists of as text.

    It is made from `sources`, path and text of every Python file.  From now on this
    process imports these, Python's own modules, the top-level `modules` and the guests
    (import paths by module name), and nothing else.
    """

    def __init__(
        self,
        path: Path,
        sources: Sequence[tuple[str, bytes]],
        modules: Sequence[str],
        guests: Mapping[str, str],
    ) -> None:
        """Prepare to read it.

        Raises:
            LoadError: it is no Python file.
        """
        texts = dict(sources)
        self._file = str(path / "__init__.py")
        stem = path.name
        if self._file not in texts:
            self._file = str(path)
            stem = path.stem
        if self._file not in texts or not self._file.endswith(".py"):
            raise LoadError(f"{path.name}: not a Python file")
        self._own = install(path, texts, modules, guests)
        name = re.sub(r"\W", "_", stem)
        # A bot called random.py must not become everyone's `random`.
        taken = {*sys.stdlib_module_names, *modules, *guests, *sys.modules}
        if stem in taken or name != stem or not name.isidentifier():
            name = f"bot_{name}"
        self._name = name
        self._mentioned = [g for g in guests if _mentions(texts[self._file], g)]
        """Guests that it may import later than while it is read."""
        self._has_guard = _GUARD.search(texts[self._file]) is not None
        self._is_script = False
        """Whether it does what a guest wants only if it is run, not imported."""
        self._is_first = True
        self._active = Reading()

    def read(self) -> Reading:
        """Read it; its modules are active from now on.

        Raises:
            BaseException: whatever its code raises.
        """
        reading = self._run("__main__" if self._is_script else self._name)
        if self._is_first:
            self._is_first = False
            reading = self._run_as_script(reading)
        reading.bots = find_bots(reading.module)
        for guest in reading.guests.values():
            reading.bots.update(guest.bots(reading.module))
        return reading

    def _run_as_script(self, reading: Reading) -> Reading:
        """Run it once more if no guest is content with what has been run so far.

        If that brings nothing the first reading stays.
        """
        if not reading.guests or reading.is_content or not self._has_guard:
            return reading
        with suppress(Exception, SystemExit):
            script = self._run("__main__")
            if script.is_content:
                self._is_script = True
                return script
        self.turn_to(reading)
        return reading

    def _run(self, name: str) -> Reading:
        """Run its code in a new module that calls itself `name`."""
        reading = Reading()
        self.turn_to(reading)
        spec = spec_of(self._name, self._file, self._own)
        assert isinstance(spec.loader, SourceLoader)
        code = spec.loader.get_code(self._name)
        assert code is not None
        reading.module = sys.modules[self._name] = module_from_spec(spec)
        vars(reading.module)["__name__"] = name
        try:
            exec(code, vars(reading.module))
        except (Exception, SystemExit):
            if not reading.is_content:
                raise
        for guest in self._mentioned:
            import_module(guest)
        return reading

    def turn_to(self, reading: Reading) -> None:
        """Let imports find the modules of a reading from now on."""
        if reading is self._active:
            return
        left, self._active = self._active, reading
        left.modules = {}
        for name in self._own.names:
            module = sys.modules.pop(name, None)
            if module is not None:
                left.modules[name] = module
        sys.modules.update(reading.modules)
        self._own.guests = reading.guests


def _mentions(text: bytes, module: str) -> bool:
    pattern = rf"^[ \t]*(?:import|from)[ \t]+{module}\b"
    return re.search(pattern.encode(), text, re.M) is not None
