"""Tables from names to import paths, such as those of games and isolation levels."""

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any


class Registry(Mapping[str, str]):
    """The import path (`module:attribute`) of each name; imported when it is needed."""

    def __init__(
        self,
        clash: str,
        paths: Mapping[str, str] | None = None,
        check_name: Callable[[str], None] | None = None,
    ) -> None:
        """Begin with some paths.

        Args:
            clash: the sentence where a name has a path already; it may have `{name}`,
                `{old}` and `{new}`.
            check_name: raises `ValueError` for a name that can't be registered.
        """
        self._clash = clash
        self._paths = dict(paths or {})
        self._check_name = check_name

    def __getitem__(self, name: str) -> str:
        return self._paths[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)

    def register(self, name: str, path: str) -> None:
        """Add a name; to add it with the same path again changes nothing.

        Raises:
            ValueError: the name can't be registered, or has another path.
        """
        if self._check_name is not None:
            self._check_name(name)
        old = self._paths.setdefault(name, path)
        if old != path:
            raise ValueError(self._clash.format(name=name, old=old, new=path))


def load(path: str) -> Any:
    """Import the module of an import path and return the attribute that it names."""
    module, _, attribute = path.partition(":")
    return getattr(import_module(module), attribute)


def module_of(path: str) -> str:
    """Return the module of an import path."""
    return path.partition(":")[0]
