"""What a contestant may import, and where these files are."""

import msgspec


class Library(msgspec.Struct, frozen=True):
    """Modules for contestants, beside Python's own and the bot's."""

    modules: tuple[str, ...]
    """Names of top-level modules, sorted."""
    read: tuple[str, ...]
    """Files and folders that hold them and Python itself: real, absolute paths."""
    search: tuple[str, ...]
    """Entries for `sys.path` beside those of Python's own modules, in order."""


class MissingPackageError(Exception):
    """A package is not installed; `package` is the name that was asked for."""

    def __init__(self, package: str) -> None:
        super().__init__(f"{package} is not installed")
        self.package = package
