"""Loads the file of a bot: once, or anew for each game.

A file of arena's bots is loaded once, and its games share all that the bots keep
outside of their instances.  Guests keep most things there, so a file that imports a
guest's module is loaded again for each game, together with its own modules.
"""

import builtins
import re
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import module_from_spec
from pathlib import Path
from types import ModuleType

from arena.bot import Bot
from arena.worker.compat import Guest
from arena.worker.explain import LoadError
from arena.worker.find_bots import find_bots
from arena.worker.imports import SourceLoader, install_import_guard, own_module_spec
from arena.worker.start import Start

_MAIN = "__main__"
_MAIN_BLOCK = re.compile(rb"""^if\b.*\b__name__\b.*['"]__main__['"]""", re.M)


class LoadedFile:
    """The modules and bots of a file that was loaded once."""

    __slots__ = ("bots", "guests", "module", "modules")

    def __init__(self) -> None:
        self.module = ModuleType("")
        self.bots: dict[str, type[Bot]] = {}
        """By class name."""
        self.guests: dict[str, Guest] = {}
        """Guests whose modules it has imported, by the modules' names."""
        self.modules: dict[str, ModuleType] = {}
        """Its own modules and those of its guests, while it is not active."""

    @property
    def is_content(self) -> bool:
        """True if a guest has found its bots in the file."""
        return any(guest.is_content for guest in self.guests.values())


class FileLoader:
    """Loads a bot's file or package from the text of its files, any number of times.

    `sources` are path and text of every Python file.  From now on this process can
    import these, Python's own modules, the top-level `modules` and the guests (import
    paths by module name), and nothing else; of a package that has one of `parts`, no
    others.  With a `folder`, it may also look there on the disk for compiled ones.
    """

    def __init__(
        self,
        path: Path,
        sources: Sequence[tuple[str, bytes]],
        modules: Sequence[str],
        guests: Mapping[str, str],
        parts: Sequence[str] = (),
        folder: str = "",
    ) -> None:
        """Prepare to load it.

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
            raise LoadError("not a Python file")
        self.start = Start(self._file)
        self._own = install_import_guard(path, texts, modules, guests, parts, folder)
        name = re.sub(r"\W", "_", stem)
        # A bot called random.py must not become everyone's `random`.
        # To make one set of these would copy much memory that contestants share.
        taken = (sys.stdlib_module_names, modules, guests, sys.modules)
        is_taken = any(stem in names for names in taken)
        if is_taken or name != stem or not name.isidentifier():
            name = f"bot_{name}"
        self._name = name
        self._mentioned = [g for g in guests if _mentions(texts[self._file], g)]
        """Guests that it may import later than at its loading."""
        self._has_guard = _MAIN_BLOCK.search(texts[self._file]) is not None
        self._is_script = False
        """True if guests find its bots only if it is run, not imported."""
        self._is_first = True
        self._active = LoadedFile()

    def load(self) -> LoadedFile:
        """Load it; its modules are active from now on.

        Raises:
            BaseException: whatever its code raises.
        """
        loaded = self._run(_MAIN if self._is_script else self._name)
        if self._is_first:
            self._is_first = False
            loaded = self._run_as_script(loaded)
        loaded.bots = self._bots(loaded)
        return loaded

    @property
    def guests(self) -> Mapping[str, Guest]:
        """Those of what is active, by the names of their modules."""
        return self._own.guests

    def _run_as_script(self, loaded: LoadedFile) -> LoadedFile:
        """Load it again as a script if no guest has found bots in it so far.

        Without success, `loaded` stays.
        """
        if not loaded.guests or loaded.is_content or not self._has_guard:
            return loaded
        try:
            script = self._run(_MAIN)
            if script.is_content:
                self._is_script = True
                return script
        except (Exception, SystemExit):
            self.activate(loaded)
            if not self._bots(loaded):
                raise
        self.activate(loaded)
        return loaded

    def _bots(self, loaded: LoadedFile) -> dict[str, type[Bot]]:
        bots = find_bots(loaded.module)
        for guest in loaded.guests.values():
            bots.update(guest.bots(loaded.module))
        return bots

    def _run(self, name: str) -> LoadedFile:
        """Run its code in a new module that calls itself `name`."""
        loaded = LoadedFile()
        self.activate(loaded)
        self.start.restore()
        spec = own_module_spec(self._name, self._file, self._own)
        assert isinstance(spec.loader, SourceLoader)
        code = spec.loader.get_code(self._name)
        assert code is not None
        loaded.module = sys.modules[self._name] = module_from_spec(spec)
        vars(loaded.module).update(__name__=name, __builtins__=builtins)
        sys.modules[_MAIN] = loaded.module
        try:
            exec(code, vars(loaded.module))
        except (Exception, SystemExit):
            if not loaded.is_content:
                raise
        for guest in self._mentioned:
            import_module(guest)
        return loaded

    def activate(self, loaded: LoadedFile) -> None:
        """Let imports find the modules of `loaded` from now on."""
        if loaded is self._active:
            return
        left, self._active = self._active, loaded
        left.modules = {}
        for name in self._own.names:
            module = sys.modules.pop(name, None)
            if module is not None:
                left.modules[name] = module
        sys.modules.update(loaded.modules)
        # So a pickle names what a script has made.
        sys.modules[_MAIN] = loaded.module
        self._own.guests = loaded.guests


def _mentions(text: bytes, module: str) -> bool:
    pattern = rf"^[ \t]*(?:import|from)[ \t]+{module}\b"
    return re.search(pattern.encode(), text, re.M) is not None
