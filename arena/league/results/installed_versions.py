"""Versions of all that is installed and that results of a league could depend on."""

import sys
from collections.abc import Iterable, Mapping
from importlib.metadata import packages_distributions, version
from importlib.util import find_spec
from pathlib import Path

from arena import __version__
from arena.games import derive_seed
from arena.registry import module_of

_FILES = "the files of "


def installed_versions(
    modules: Iterable[str], brought: Iterable[str]
) -> dict[str, str]:
    """Return the versions of Python, arena and the top-level `modules` of contestants.

    Code may change without its version, so there is also a hash of the files of arena
    and of whatever plugins bring (`brought`: import paths, `module:Class`).
    """
    found = {
        "Python": "{} {}.{}".format(sys.implementation.name, *sys.version_info),
        "arena": __version__,
    }
    owners = packages_distributions()
    for module in modules:
        if module != "arena":
            names = sorted(set(owners.get(module, ())))
            versions = " ".join(version(name) for name in names)
            found[module] = versions or "without a version"
    tops = {module_of(path).partition(".")[0] for path in brought}
    for module in sorted({"arena", *tops}):
        if (code := _hash(module)) is not None:
            found[_FILES + module] = code
    return found


def version_difference(here: Mapping[str, str], there: Mapping[str, str]) -> str:
    """Return the first difference of another machine as a sentence; empty if none."""
    for name in [*here, *sorted(there.keys() - here.keys())]:
        if name not in there:
            return f"{name.removeprefix(_FILES)} is not installed there"
        if name not in here:
            return f"{name.removeprefix(_FILES)} is installed there and not here"
        if here[name] != there[name]:
            if name.startswith(_FILES):
                return f"{name} are others there than here"
            return f"{name} is {there[name]} there and {here[name]} here"
    return ""


def _hash(module: str) -> str | None:
    """Return a hash of the Python files of a top-level module, if there is one."""
    spec = find_spec(module)
    if spec is None:
        return None
    if not spec.submodule_search_locations:
        return derive_seed("code", Path(spec.origin or "").read_bytes()).hex()[:32]
    parts: list[str | bytes] = []
    for place in spec.submodule_search_locations:
        folder = Path(place)
        for file in sorted(folder.rglob("*.py")):
            parts += [str(file.relative_to(folder)), file.read_bytes()]
    return derive_seed("code", *parts).hex()[:32]
