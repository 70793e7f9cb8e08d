"""Remedies for names that there are not, or that stand for nothing yet."""

import dis
import inspect
import linecache
import re
import sys
from collections.abc import Iterable
from importlib.util import find_spec

from arena.worker.remedies.raised import Raised, observation_in
from arena.worker.remedies.remedy import IN_SELF, Remedy, name_hint

_AT_THE_TOP = "put this at the top of the file: "
_PACKAGES = {"np": "numpy", "pd": "pandas", "sp": "scipy", "tf": "tensorflow"}
"""Packages by the names that all the world gives them."""
_HOMES = {
    "random": "choice choices randint randrange sample shuffle uniform",
    "math": "ceil exp factorial floor log sqrt",
    "collections": "Counter defaultdict deque namedtuple OrderedDict",
    "itertools": "chain combinations groupby permutations product",
    "functools": "cache lru_cache partial reduce",
    "copy": "copy deepcopy",
    "statistics": "mean median stdev",
    "dataclasses": "dataclass",
    "enum": "Enum IntEnum StrEnum",
    "fractions": "Fraction",
    "pathlib": "Path",
    "typing": "Any Dict List Optional Set Tuple Union",
}
"""The modules of names that are often used without an import."""
_OTHER_LANGUAGES = {
    "null nil undefined NULL nullptr": "Python calls it None",
    "true TRUE": "Python calls it True",
    "false FALSE": "Python calls it False",
    "this": "Python calls it self",
    "Math": "write import math at the top of the file, and math in place of Math",
    "println printf console cout": "Python calls it print(...)",
    "xrange": "Python 3 calls it range",
    "raw_input": "nobody can answer it here: decide by what you see",
    "unicode basestring": "Python 3 calls it str",
    "unichr": "Python 3 calls it chr",
    "long": "Python 3 calls it int",
    "cmp": "Python 3 has none; for a sort write key= or functools.cmp_to_key",
    "execfile": "import it as a module",
    "get_ipython display": "take it out: it is for notebooks",
    "reload": "take it out: a bot is read once",
}
"""What other languages, and Python 2, say in place of a name."""
_IN_FUNCTION = "in this function it is not the {} of the file"


def _unknown_name(raised: Raised) -> str:
    """Return the name that there is not; empty if that is not the error."""
    error = raised.error
    if not isinstance(error, NameError) or isinstance(error, UnboundLocalError):
        return ""
    return _name_in(raised, error)


def _name_in(raised: Raised, error: NameError) -> str:
    match = re.search("'(.*?)'", raised.message)
    return error.name or (match[1] if match else "")


def _no_bot(raised: Raised) -> str:
    is_one = _unknown_name(raised) == "Bot"
    return f"{_AT_THE_TOP}from arena import Bot" if is_one else ""


def _no_self(raised: Raised) -> str:
    name, frame = _unknown_name(raised), raised.frame
    if not name or frame is None or not hasattr(frame.f_locals.get("self"), name):
        return ""
    return f"did you mean self.{name}?"


def _no_obs_before(raised: Raised) -> str:
    name, seen = _unknown_name(raised), observation_in(raised.frame)
    if not name or seen is None:
        return ""
    is_one = not name.startswith("_") and hasattr(seen[1], name)
    return f"did you mean {seen[0]}.{name}?" if is_one else ""


def _defined_later(raised: Raised) -> str:
    name = _name_at_the_top(raised)
    if not name or raised.frame is None:
        return ""
    begin = re.compile(rf"(?:class|def)[ \t]+{re.escape(name)}\b")
    lines = linecache.getlines(raised.frame.f_code.co_filename)
    for number, line in enumerate(lines, 1):
        if number > raised.frame.f_lineno and begin.match(line):
            return f"{name} is there only below line {number}: move this line below it"
    return ""


def _defined_nowhere(raised: Raised) -> str:
    name = _name_at_the_top(raised)
    if not name[:1].isupper() or not raised.rest.startswith("("):
        return ""
    return f"no class {name} is above this line: take {name}(...) out, or write it"


def _name_at_the_top(raised: Raised) -> str:
    """Return the name that there is not, if code outside of all functions needs it."""
    frame = raised.frame
    is_one = frame is not None and frame.f_code.co_name == "<module>"
    return _unknown_name(raised) if is_one else ""


def _no_quotes(raised: Raised) -> str:
    name, seen = _unknown_name(raised), observation_in(raised.frame)
    is_one = name and seen is not None and name in seen[1].legal_actions
    brackets = " and without ()" * raised.rest.startswith("(")
    return f"an action is a text: write {name!r}, in quotes{brackets}" * bool(is_one)


def _own_name(raised: Raised) -> str:
    name, frame = _unknown_name(raised), raised.frame
    if not name or frame is None:
        return ""
    own = {*frame.f_locals, *frame.f_globals} - {*frame.f_builtins}
    return name_hint(name, sorted(own))


def _other_language(raised: Raised) -> str:
    name = _unknown_name(raised)
    found = (todo for names, todo in _OTHER_LANGUAGES.items() if name in names.split())
    return next(found, "") if name else ""


def _no_import(raised: Raised) -> str:
    name = _unknown_name(raised)
    if not name:
        return ""
    for module, names in _HOMES.items():
        # What is not called may be a variable of the same name.
        is_used = raised.rest.startswith("(") or not name.islower()
        if name in names.split() and is_used:
            return f"{_AT_THE_TOP}from {module} import {name}"
    if not raised.rest.startswith("."):
        return ""
    if name in sys.stdlib_module_names:
        return f"{_AT_THE_TOP}import {name}"
    package = _PACKAGES.get(name, name)
    if package not in {"numpy", *_PACKAGES.values()} or find_spec(package) is None:
        return ""
    return f"{_AT_THE_TOP}import {package}" + f" as {name}" * (name != package)


def _builtin_name(raised: Raised) -> str:
    name, frame = _unknown_name(raised), raised.frame
    return name_hint(name, frame.f_builtins) if name and frame is not None else ""


def _unbound(raised: Raised) -> str:
    error, frame = raised.error, raised.frame
    if not isinstance(error, UnboundLocalError) or frame is None:
        return ""
    name = _name_in(raised, error)
    known = {**frame.f_builtins, **frame.f_globals}
    if name not in known:
        return ""
    start = _IN_FUNCTION.format(name)
    if name not in frame.f_globals:
        start = f"in this function it is not Python's {name}"
    value = known[name]
    if inspect.ismodule(value) or callable(value):
        return f"{start}, as it is given a value here: give that another name"
    return f"{start}; {IN_SELF}"


def _no_value_yet(raised: Raised) -> str:
    error, frame = raised.error, raised.frame
    if not isinstance(error, UnboundLocalError) or frame is None:
        return ""
    name = _name_in(raised, error)
    for step in dis.get_instructions(frame.f_code):
        if step.opname == "DELETE_FAST" and step.argval == name:
            return ""
    return (
        "not every way through the function gives it a value: give it one at the start"
    )


def _misspelt_import(raised: Raised) -> str:
    pattern = r"cannot import name '(\w+)' from '([\w.]+)'"
    match = re.match(pattern, raised.message)
    if not isinstance(raised.error, ImportError) or match is None:
        return ""
    module = sys.modules.get(match[2])
    return name_hint(match[1], vars(module)) if module is not None else ""


def _relative_import(raised: Raised) -> str:
    is_one = isinstance(raised.error, ImportError)
    if not is_one or "no known parent" not in raised.message:
        return ""
    return "write it without the dot, which is for a folder with an __init__.py"


_MODULES = {
    "pip ensurepip": "a bot can install nothing.",
    "requests httpx aiohttp urllib2 urllib3 httplib": "a bot has no network.",
    "pygame matplotlib Tkinter": "a bot has no screen.",
    "cPickle": "Python 3 calls it pickle.",
    "Queue": "Python 3 calls it queue.",
    "StringIO cStringIO": "Python 3 has it in io.",
    "ConfigParser": "Python 3 calls it configparser.",
    "thread": "Python 3 calls it threading.",
}
"""What is said of modules that no bot has."""


def module_hint(name: str, known: Iterable[str]) -> str:
    """Say what to do in place of importing a module, as a sentence; or nothing.

    `known` are the modules that are there; those in folders with dots.
    """
    for names, todo in _MODULES.items():
        if name in names.split():
            return todo
    known = list(known)
    inside = [other for other in known if other.endswith(f".{name}")]
    if inside:
        return f"did you mean {inside[0]!r}?"
    # `random_bot` is no slip of `random`, nor the other way round.
    parts = name.split("_")
    others = (x for x in known if x not in parts and name not in x.split("_"))
    return name_hint(name, others)


OF_NAMES: tuple[Remedy[Raised], ...] = (
    Remedy("missing import of Bot", _no_bot),
    Remedy("missing self before a name", _no_self),
    Remedy("missing obs before a name", _no_obs_before),
    Remedy("name that is defined later", _defined_later),
    Remedy("missing quotes", _no_quotes),
    Remedy("misspelt name", _own_name),
    Remedy("name of another language", _other_language),
    Remedy("missing import", _no_import),
    Remedy("misspelt name of Python's", _builtin_name),
    Remedy("class that is defined nowhere", _defined_nowhere),
    Remedy("variable of the file that is changed", _unbound),
    Remedy("variable without a value", _no_value_yet),
    Remedy("misspelt import from a module", _misspelt_import),
    Remedy("relative import outside of a package", _relative_import),
)
