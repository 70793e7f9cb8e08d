"""Remedies for values that are not what the code takes them for."""

import ast
import builtins
import linecache
import re
from random import Random
from types import FunctionType, ModuleType

from arena.bot import Bot
from arena.worker.remedies.raised import UNKNOWN, Raised, said, shown
from arena.worker.remedies.remedy import Remedy, name_hint

_ASK_FIRST = "ask first whether it is empty, as many things are at the beginning"
_RETURN_NONE = (
    "sort reverse append extend insert remove clear add discard update shuffle"
)
"""Methods that change something and return nothing."""
_ATTRIBUTES = {
    "iteritems": "Python 3 calls it items()",
    "itervalues": "Python 3 calls it values()",
    "iterkeys": "Python 3 calls it keys()",
    "has_key": "Python 3 writes it with in: key in d",
    "length size": "write len(...) around it",
    "push push_back": "Python calls it append",
    "contains includes": "write it with in: x in y",
    "toString": "write str(...) around it",
    "toLowerCase": "Python calls it lower()",
    "toUpperCase": "Python calls it upper()",
    "trim": "Python calls it strip()",
    "charAt": "write [i] in place of .charAt(i)",
    "equals": "write == in place of it",
    "next": "Python 3 writes next(...) around it",
}
"""Attributes that other languages, and Python 2, have of the types below."""
_PLAIN_TYPES = (str, bytes, list, tuple, dict, set, frozenset)
_OF_MODULES = {
    "string.letters": "string.ascii_letters",
    "string.lowercase": "string.ascii_lowercase",
    "string.uppercase": "string.ascii_uppercase",
    "string.maketrans": "str.maketrans",
    "string.join": "' '.join(words)",
    "sys.maxint": "sys.maxsize",
    "time.clock": "time.process_time",
    "itertools.izip": "zip",
    "itertools.imap": "map",
    "itertools.ifilter": "filter",
    "datetime.now": "datetime.datetime.now",
    "datetime.today": "datetime.date.today",
    "numpy.int": "int",
    "numpy.float": "float",
    "numpy.bool": "bool",
    "numpy.object": "object",
    "numpy.str": "str",
    "numpy.bool8": "np.bool_",
    "numpy.float_": "np.float64",
    "numpy.product": "np.prod",
    "numpy.cumproduct": "np.cumprod",
    "numpy.alltrue": "np.all",
    "numpy.sometrue": "np.any",
    "numpy.in1d": "np.isin",
    "numpy.row_stack": "np.vstack",
    "numpy.trapz": "np.trapezoid",
    "numpy.NaN": "np.nan",
    "numpy.Inf": "np.inf",
    "numpy.infty": "np.inf",
}
"""What modules no longer have, or never had, and what to write."""
_MAX_LINE_CHARS = 200
_NUMBERS = "int|float|complex|bool"


def _is_none(raised: Raised) -> str:
    if "NoneType" not in raised.message or not raised.is_own:
        return ""
    code = raised.code
    if not isinstance(raised.error, TypeError | AttributeError) or code is None:
        return ""
    for node in (code, *ast.iter_child_nodes(code)):
        if isinstance(node, ast.Constant):
            continue
        if raised.value(node) is None and shown(node):
            name = shown(node)
            if method := _kept_none(raised, name):
                return (
                    f"{method}() returns None and changes what stands before its dot: "
                    f"use that in place of {name}"
                )
            return f"{name} is None here: ask first, with if {name} is not None:"
        if isinstance(node, ast.Call) and (words := _gives_none(raised, node, code)):
            return words
    return ""


def _kept_none(raised: Raised, name: str) -> str:
    """Return the method whose None was kept under a name; nothing if none is seen."""
    frame = raised.own_frame
    if frame is None or not name.isidentifier():
        return ""
    lines = linecache.getlines(frame.f_code.co_filename)
    for line in reversed(lines[frame.f_code.co_firstlineno - 1 : frame.f_lineno]):
        found = re.search(rf"\b{name}\s*=\s*[\w.]+\.(\w+)\(", line[:_MAX_LINE_CHARS])
        if found:
            return found[1] * (found[1] in [*_RETURN_NONE.split(), "apply"])
    return ""


def _gives_none(raised: Raised, call: ast.Call, whole: ast.expr) -> str:
    """Say what to do about a call that has returned None."""
    func = call.func
    if call is whole and "not callable" in raised.message:
        return ""
    name = func.attr if isinstance(func, ast.Attribute) else shown(func)
    if call is whole and not re.search("iterable|unpack", raised.message):
        return ""
    if isinstance(raised.value(func), FunctionType):
        return f"{name}() has returned None: does each way through it end with return?"
    if isinstance(func, ast.Attribute) and name in _RETURN_NONE.split():
        return f"{name}() changes it and returns None: write that in a line before"
    if name == "print":
        return "print() returns None: leave it out"
    return ""


def _uncallable(raised: Raised) -> str:
    code = raised.code
    if not isinstance(code, ast.Call) or not isinstance(raised.error, TypeError):
        return ""
    if "object is not callable" not in raised.message:
        return ""
    value, name = raised.value(code.func), shown(code.func)
    if value is UNKNOWN or callable(value) or not name:
        return ""
    if isinstance(value, ModuleType):
        return f"{name} is a module: write {name}.NAME(...)"
    if isinstance(code.func, ast.Name) and hasattr(builtins, name):
        return (
            f"{name} is a variable of yours here, and not Python's {name}: give it "
            "another name"
        )
    if isinstance(value, list | tuple | dict | str):
        return f"{name} is no function here: a part of it is written {name}[...]"
    if isinstance(value, Random):
        return f"write {name}.random()"
    if isinstance(value, int | float):
        return f"{name} is a number here: to multiply write * before the bracket"
    return ""


def _method_uncalled(raised: Raised) -> str:
    kind = "['\"](?:function|(?:builtin_function_or_)?method)['\"]"
    is_one = re.search(kind, raised.message)
    if re.search(f"{kind} and {kind}", raised.message):
        return ""
    if not isinstance(raised.error, TypeError) or "Did you mean" in raised.message:
        return ""
    return "call the method, with () behind its name" if is_one else ""


def _no_order(raised: Raised) -> str:
    pattern = r"not supported between instances of '(\w+)' and '\1'"
    match = re.search(pattern, raised.message)
    if not isinstance(raised.error, TypeError) or match is None:
        return ""
    is_one = isinstance(raised.code, ast.Call) and match[1] != "NoneType"
    return "these have no order: say by what to compare, with key=" if is_one else ""


def _text_and_number(raised: Raised) -> str:
    kinds = set(re.findall(rf"\b({_NUMBERS}|str)\b", raised.message))
    code = raised.code
    if not isinstance(raised.error, TypeError) or "str" not in kinds or len(kinds) < 2:
        return ""
    if not isinstance(code, ast.BinOp | ast.Compare):
        return ""
    texts = map(raised.value, ast.iter_child_nodes(code))
    start = "one is a text, the other a number: write"
    if any(type(text) is str and text.strip().isdecimal() for text in texts):
        return f"{start} int(...) around the text"
    is_sum = isinstance(code, ast.BinOp) and isinstance(code.op, ast.Add)
    return f"{start} str(...) around the number" if is_sum else ""


def _no_whole_number(raised: Raised) -> str:
    pattern = (
        "'float' object cannot be interpreted as an integer"
        "|indices must be integers(?: or slices)?, not '?float"
    )
    code = raised.code
    if not isinstance(raised.error, TypeError) or code is None:
        return ""
    if re.search(pattern, raised.message) is None:
        return ""
    for node in ast.walk(code):  # Of 0.1, int(...) would make 0.
        value = raised.value(node)
        if isinstance(value, float) and not value.is_integer():
            return ""
    return "write // in place of /, or int(...) around it"


def _wrong_self(raised: Raised) -> str:
    """Say what is wrong with a call of a method of the bot's own."""
    code, error = raised.code, raised.error
    if not isinstance(error, TypeError) or not raised.is_own:
        return ""
    if not isinstance(code, ast.Call) or not isinstance(code.func, ast.Attribute):
        return ""
    function, owner = raised.value(code.func), raised.value(code.func.value)
    if not isinstance(function, FunctionType) or f"{function.__name__}() " not in str(
        error
    ):
        return ""
    name, names = function.__name__, function.__code__.co_varnames
    taken = [*names[: function.__code__.co_argcount]]
    if isinstance(owner, Bot) and "were given" in raised.message:
        if code.args and shown(code.args[0]) == "self" == (taken or [""])[0]:
            return f"leave self out of the brackets in self.{name}(...)"
        if "self" not in taken and len(taken) == len(code.args):
            return f"write def {name}({', '.join(['self', *taken])}):"
    if isinstance(owner, type) and taken[:1] == ["self"] and "missing" in str(error):
        return f"write self.{name}(...)"
    return ""


def _takes_no_arguments(raised: Raised) -> str:
    code = raised.code
    if not isinstance(raised.error, TypeError) or not isinstance(code, ast.Call):
        return ""
    if not raised.message.startswith("object.__init__() takes exactly one argument"):
        return ""
    is_super = shown(code.func) == "super().__init__"
    return "write super().__init__(), or leave it out" if is_super else ""


def _no_base_method(raised: Raised) -> str:
    error = raised.error
    if not isinstance(error, AttributeError) or type(error.obj) is not super:
        return ""
    name = getattr(raised.called, "__name__", "")
    is_one = error.name == name and bool(name)
    return "no class above has it: decide in this method" if is_one else ""


def _index(raised: Raised) -> str:
    code = raised.code
    if not isinstance(raised.error, IndexError) or not isinstance(code, ast.Subscript):
        return ""
    value, name = raised.value(code.value), shown(code.value)
    if type(value) not in (list, tuple, str) or not name or not raised.is_own:
        return ""
    length = len(value)  # type: ignore[arg-type]
    if "assignment" in raised.message:
        return f"{name} has {length} here: {name}.append(...) adds one"
    if not length:
        return f"{name} is empty here: ask first, with if {name}:"
    return f"{name} has {length} here: the last is {name}[{length - 1}]"


def _key(raised: Raised) -> str:
    code = raised.code
    if not isinstance(raised.error, KeyError) or not isinstance(code, ast.Subscript):
        return ""
    value, name, key = raised.value(code.value), shown(code.value), shown(code.slice)
    if type(value) is not dict or not name or not key or not raised.is_own:
        return ""
    wanted = raised.value(code.slice)
    if isinstance(wanted, str):
        hint = name_hint(wanted, [k for k in value if isinstance(k, str)])
        if hint:
            return hint
    start = f"{name} is empty here" if not value else f"{name} has no such key here"
    if re.match(r"\s*[-+]=", raised.rest):
        return (
            f"{start}: to count from 0, write {name}[{key}] = {name}.get({key}, 0) + 1"
        )
    return f"{start}: ask first, with if {key} in {name}:"


def _recursion(raised: Raised) -> str:
    if not isinstance(raised.error, RecursionError):
        return ""
    names = [trace.tb_frame.f_code.co_name for trace in raised.own_traces[-50:]]
    again = [name for name in names if names.count(name) > 2]
    if not again:
        return ""
    return f"{again[-1]}() is called again from itself: let it return at some depth"


def _attribute_of_another_language(raised: Raised) -> str:
    error = raised.error
    if not isinstance(error, AttributeError) or not error.name:
        return ""
    if error.name == "next" and not hasattr(type(error.obj), "__next__"):
        return ""
    if not isinstance(error.obj, _PLAIN_TYPES) and error.name not in ("next", "sort"):
        return ""
    if type(error.obj) is type({}.keys()) and error.name == "sort":
        return "write sorted(...) around it"
    if error.name == "add" and type(error.obj) is list:
        return "of a list it is append"
    if type(error.obj) is tuple and hasattr(list, error.name):
        return "a tuple can't be changed: make a list of it first, list(...)"
    items = _ATTRIBUTES.items()
    return next((todo for names, todo in items if error.name in names.split()), "")


def _not_in_module(raised: Raised) -> str:
    match = re.match(r"module '(\w+)' has no attribute '(\w+)'", raised.message)
    if not isinstance(raised.error, AttributeError) or match is None:
        return ""
    write = _OF_MODULES.get(f"{match[1]}.{match[2]}", "")
    return f"write {write}" if write else ""


OF_VALUES: tuple[Remedy[Raised], ...] = (
    Remedy("None for a value", _is_none),
    Remedy("call of what is no function", _uncallable),
    Remedy("method without brackets", _method_uncalled),
    Remedy("values without an order", _no_order),
    Remedy("self in the wrong place", _wrong_self),
    Remedy("argument for object", _takes_no_arguments),
    Remedy("decision that is left to the class above", _no_base_method),
    Remedy("index out of range", _index),
    Remedy("missing key", _key),
    Remedy("endless recursion", _recursion),
    Remedy("attribute of another language", _attribute_of_another_language),
    Remedy("name that a module has no more", _not_in_module),
    Remedy(
        "nothing to choose from",
        said(
            (ValueError, IndexError, StopIteration),
            "(max|min)\\(\\) (arg is an empty sequence|iterable argument is empty)"
            "|choose from an empty sequence|pop from (an )?empty"
            "|requires at least one data point|no median for empty data"
            "|'a' cannot be empty|of an empty sequence|zero-size array",
            _ASK_FIRST,
        ),
    ),
    Remedy("text and number", _text_and_number),
    Remedy(
        "text for an index",
        said(
            TypeError,
            "^(list|tuple) indices must be integers or slices, not str",
            "its parts have numbers, from 0; names are for a dict",
        ),
    ),
    Remedy("float for a whole number", _no_whole_number),
    Remedy(
        "tuple that is changed",
        said(
            TypeError,
            "^'tuple' object does not support item (assignment|deletion)",
            "a tuple can't be changed: make a list of it first, list(...)",
        ),
    ),
    Remedy(
        "text that is changed",
        said(
            TypeError,
            "^'str' object does not support item (assignment|deletion)",
            "a text can't be changed: make a new one",
        ),
    ),
    Remedy(
        "what has no order",
        said(
            TypeError,
            "^'(set|dict_keys|dict_values|dict_items|map|filter|zip|generator)' object "
            "is not subscriptable|^object of type '(map|filter|zip|generator)' has no",
            "make a list of it first: list(...), or sorted(...) of a set",
        ),
    ),
    Remedy(
        "list for a key",
        said(
            TypeError,
            "^(cannot use '\\w+' as a .*\\()?unhashable type: 'list'",
            "make a tuple of it: tuple(...)",
        ),
    ),
    Remedy(
        "change inside a loop",
        said(
            RuntimeError,
            "changed size during iteration|mutated during iteration",
            "go through a copy: for x in list(...)",
        ),
    ),
    Remedy(
        "what is not in a list",
        said(
            ValueError,
            "is not in list|not in list$|not in tuple$|^substring not found",
            "ask first with if ... in ...",
        ),
    ),
    Remedy(
        "coroutine for a value",
        said(
            TypeError,
            "'coroutine' (object is not|and|is not)|and 'coroutine'|type 'coroutine'",
            "write await before it, or def without async",
        ),
    ),
    Remedy(
        "end of a sequence",
        lambda raised: (
            "nothing is left: write next(..., None), which gives None then"
            if isinstance(raised.error, StopIteration)
            and raised.is_own
            and isinstance(raised.code, ast.Call)
            else ""
        ),
    ),
    Remedy(
        "class of another program in a pickle",
        said(
            AttributeError,
            r"^Can't get attribute '(\w+)' on <module '(\w+)",
            "the module that wrote the pickle had {0}: define or import it in {1} too",
        ),
    ),
)
