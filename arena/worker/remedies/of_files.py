"""Remedies for a file without a bot, and for bots without a method for a game."""

import ast
import inspect
import linecache
import os
import re
import sys
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import NamedTuple

from arena.bot import Bot
from arena.games import game_paths
from arena.text import did_you_mean
from arena.worker.remedies.bad_code import MAX_FILE_BYTES
from arena.worker.remedies.of_text import other_file
from arena.worker.remedies.remedy import Remedy

_MAX_NAMES = 5
_DECIDES = (
    *("action", "getaction", "chooseaction", "selectaction", "nextaction"),
    *(
        "move",
        "getmove",
        "choosemove",
        "makemove",
        "selectmove",
        "nextmove",
        "bestmove",
    ),
    *("getbestmove", "getbestaction", "pickaction", "pickmove", "decide", "decision"),
    *("makedecision", "choose", "play", "taketurn", "playturn", "turn", "step"),
    *("evalstep", "policy", "predict", "strategy", "agent", "myagent", "run", "call"),
)
"""What other frameworks call what decides, without `_`, in small letters."""
_SEEN = ("obs", "observation", "state", "gamestate", "board")
"""What other frameworks call what is seen."""
_BEGIN = r"\s*(#*)\s*class\s+(\w+)\s*\(\s*(?:arena\.)?Bot\b"


class NoBot(NamedTuple):
    """Something in a file that has no bot, or in a bot that plays nothing."""

    games: Sequence[str]
    """Those of the league."""
    module: ModuleType
    name: str = ""
    """What it is called; empty for the file or the bot as a whole."""
    value: object = None
    """A class, a function, an instance of a bot, or a definition in the text."""
    around: str = ""
    """What a definition is inside of."""
    bot: type[Bot] | None = None
    """The bot that plays nothing, if there is one."""

    @property
    def text(self) -> str | None:
        """The text of the file; None if it is too long to look at."""
        text = "".join(linecache.getlines(_file(self.module)))
        return text if len(text) <= MAX_FILE_BYTES else None

    @property
    def is_own(self) -> bool:
        """True of what the file itself defines."""
        return getattr(self.value, "__module__", None) == self.module.__name__

    @property
    def game(self) -> str:
        """The best name for a method that decides."""
        return self.games[0] if len(self.games) == 1 else "act"


def cases(
    games: Sequence[str], module: ModuleType, bots: Sequence[type[Bot]] = ()
) -> Iterator[NoBot]:
    """Yield all in a file that may be why it has no bot, or why `bots` play nothing."""
    around = NoBot(games, module, bot=bots[0] if bots else None)
    for bot in bots:
        for name, value in vars(bot).items():
            if name == "__call__" or not name.startswith("__"):
                yield around._replace(name=name, value=value, bot=bot)
    for name, value in vars(module).items():
        if isinstance(value, (type, Bot)) or inspect.isfunction(value):
            yield around._replace(name=name, value=value)
    tree = _parsed(around.text or "")
    for node, place in _definitions(tree):
        yield around._replace(name=node.name, value=node, around=place)
    for bot in bots:
        yield around._replace(bot=bot)
    yield around


def names_in(module: ModuleType) -> str:
    """Return the classes and functions of a module, as far as they are its own."""
    names = [
        f"{'class' if isinstance(value, type) else 'function'} {name}"
        for name, value in vars(module).items()
        if getattr(value, "__module__", None) == module.__name__
        and (isinstance(value, type) or inspect.isfunction(value))
    ]
    return ", ".join(names[:_MAX_NAMES])


def _file(module: ModuleType | None) -> str:
    file = getattr(module, "__file__", None)
    return file if type(file) is str else ""


def _parsed(text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


def _definitions(
    tree: ast.Module,
) -> Iterator[tuple[ast.ClassDef | ast.FunctionDef, str]]:
    """Yield definitions inside of others or of a main block, with what is around."""
    left: list[tuple[ast.AST, str]] = [(tree, "")]
    while left:
        block, place = left.pop()
        if isinstance(block, ast.ClassDef):
            place = f"class {block.name}"
        elif isinstance(block, (ast.FunctionDef, ast.AsyncFunctionDef)):
            place = f"{block.name}()"
        elif isinstance(block, ast.If) and "'__main__'" in ast.dump(block.test):
            place = "if __name__ == ..."
        for node in ast.iter_child_nodes(block):
            if isinstance(node, (ast.stmt, ast.ExceptHandler)):
                left.append((node, place))
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and place:
                yield node, place


# A file without a bot.


def _begins(case: NoBot, name: str) -> str:
    """Say how a class has to begin, and what that needs."""
    known = next((own for own, x in vars(case.module).items() if x is Bot), "")
    if not known and getattr(vars(case.module).get("arena"), "Bot", None) is Bot:
        known = "arena.Bot"
    if known:
        return f"write class {name}({known}):"
    return f"write from arena import Bot at the top, and class {name}(Bot):"


def _plain(name: str) -> str:
    return re.sub("[_0-9]", "", name).lower()


def _takes(function: object, first: int) -> bool:
    """Say whether a function takes from one to three values behind the `first`."""
    if isinstance(function, staticmethod):
        function, first = function.__func__, 0
    code = getattr(function, "__code__", None)
    return code is not None and 1 <= code.co_argcount - first <= 3


def _decider(cls: type) -> str:
    """Return the method that decides in another framework; nothing if none does."""
    own = {_plain(n): n for n, x in vars(cls).items() if _takes(x, 1)}
    return next((own[name] for name in _DECIDES if name in own), "")


def _other_kind(case: NoBot) -> str:
    if case.name or not case.text:
        return ""
    return other_file(case.text.encode(errors="replace"))


def _empty(case: NoBot) -> str:
    is_one = not case.name and case.text is not None and not case.text.strip()
    return "the file is empty: has it been saved?" if is_one else ""


def _own_base(case: NoBot) -> str:
    if case.name != "Bot" or not isinstance(case.value, type) or case.value is Bot:
        return ""
    if any(value.__base__ is case.value for value in _classes(case.module)):
        return (
            "this is a class Bot of your own: take it out, and write from arena import "
            "Bot at the top"
        )
    return (
        "this is a class Bot of your own: write from arena import Bot at the top, and "
        "class MyBot(Bot): here"
    )


def _classes(module: ModuleType) -> list[type]:
    return [value for value in vars(module).values() if isinstance(value, type)]


def _no_base(case: NoBot) -> str:
    value = case.value
    if not isinstance(value, type) or not case.is_own or issubclass(value, Bot):
        return ""
    if not any(hasattr(value, name) for name in (*case.games, "act")):
        return ""
    # What it inherits from may be its own, too.
    root = [c for c in value.__mro__ if c.__module__ == value.__module__][-1].__name__
    return f"{root} does not inherit from Bot: {_begins(case, root)}"


def _hidden(case: NoBot) -> str:
    is_one = case.name.startswith("_") and case.is_own
    if (
        not is_one
        or not isinstance(case.value, type)
        or not issubclass(case.value, Bot)
    ):
        return ""
    return (
        f"{case.name} begins with _, as do classes that only others inherit from: call "
        f"it {case.name.lstrip('_') or 'MyBot'}"
    )


def _inside(case: NoBot) -> str:
    node = case.value
    if not isinstance(node, ast.ClassDef):
        return ""
    bases = {getattr(base, "attr", getattr(base, "id", "")) for base in node.bases}
    methods = {getattr(inner, "name", "") for inner in node.body}
    if "Bot" not in bases and not methods & {*case.games, "act"}:
        return ""
    if case.around.startswith("if"):
        return (
            f"class {case.name} is there only if the file is started as a program: "
            "move it out of the block if __name__ ..., into the first column"
        )
    return f"class {case.name} is inside {case.around}: move it into the first column"


def _of_another_file(case: NoBot) -> str:
    cls = case.value if isinstance(case.value, type) else type(case.value)
    if not issubclass(cls, Bot) or cls is Bot or cls.__module__ == case.module.__name__:
        return ""
    name = cls.__name__
    place = os.path.basename(_file(sys.modules.get(cls.__module__))) or "another file"
    known = vars(case.module).get(name) is cls
    first = "" if known else f"from {cls.__module__} import {name}, and "
    return (
        f"{name} is defined in {place}, and counts only as a bot of that file: "
        f"write in {os.path.basename(_file(case.module))} "
        f"{first}class My{name}({name}): pass"
    )


def _function(case: NoBot) -> str:
    if not inspect.isfunction(case.value) or case.name not in (*case.games, "act"):
        return ""
    return (
        f"{case.name} is a function, and a bot is a class: {_begins(case, 'MyBot')} "
        f"above it, then indent it, with def {case.name}(self, obs):"
    )


def _class_of_another_framework(case: NoBot) -> str:
    if not isinstance(case.value, type) or not case.is_own or case.bot is not None:
        return ""
    method = _decider(case.value)
    if not method:
        return ""
    return (
        f"{case.name} does not inherit from Bot: {_begins(case, case.name)} and in "
        f"place of its {method} def {case.game}(self, obs):"
    )


def _function_of_another_framework(case: NoBot) -> str:
    if not inspect.isfunction(case.value) or not case.is_own or case.bot is not None:
        return ""
    if not _takes(case.value, 0):
        return ""
    code = case.value.__code__
    named = [
        name
        for name, value in vars(case.module).items()
        if _plain(name) in _DECIDES
        and _takes(value, 0)
        and case._replace(value=value).is_own
    ]
    sees = _plain(code.co_varnames[0]) in _SEEN
    if case.name not in named if named else not sees:
        return ""
    values = ", ".join(["obs", "None", "None"][: code.co_argcount])
    return (
        f"{case.name} is a function, and a bot is a class: {_begins(case, 'MyBot')} "
        f"below it, and in it def {case.game}(self, obs): return {case.name}({values})"
    )


def _in_no_code(case: NoBot) -> str:
    if case.name or not case.text:
        return ""
    known = {getattr(node, "name", "") for node in ast.walk(_parsed(case.text))}
    for number, line in enumerate(case.text.split("\n"), 1):
        found = re.match(_BEGIN, line[:200])
        if not found or found[2] in known:
            continue
        if found[1]:
            return f"class {found[2]} of line {number} is a comment: take its # out"
        return f"class {found[2]} of line {number} is inside of quotes: take them out"
    return ""


OF_FILES: tuple[Remedy[NoBot], ...] = (
    Remedy("notebook that Python can read", _other_kind),
    Remedy("empty file", _empty),
    Remedy("class Bot of one's own", _own_base),
    Remedy("missing base", _no_base),
    Remedy("bot whose name begins with _", _hidden),
    Remedy("bot inside of something else", _inside),
    Remedy("bot of another file", _of_another_file),
    Remedy("function for a bot", _function),
    Remedy("class of another framework", _class_of_another_framework),
    Remedy("function of another framework", _function_of_another_framework),
    Remedy("bot that is no code", _in_no_code),
)


# A bot without a method for a game.


def _lacks(case: NoBot) -> str:
    return f"{case.bot.__name__ if case.bot else ''} has no method named after a game"


def _outside(case: NoBot) -> str:
    is_one = inspect.isfunction(case.value) and case.is_own and case.bot is not None
    if not is_one or case.name not in (*case.games, "act"):
        return ""
    if case.name in vars(case.bot):
        return ""
    return (
        f"{_lacks(case)}; {case.name} stands outside of the class: indent it by four "
        "spaces"
    )


def _method_inside(case: NoBot) -> str:
    is_one = isinstance(case.value, ast.FunctionDef) and case.around.endswith("()")
    if not is_one or case.name not in (*case.games, "act"):
        return ""
    method = case.around.removesuffix("()")
    return (
        f"{_lacks(case)}; {case.name} is inside {case.around}: begin it in the same "
        f"column as def {method}"
    )


def _misspelt(case: NoBot) -> str:
    if not _is_method(case) or case.name in game_paths():
        return ""
    plain = _plain(case.name)
    known = {_plain(game): game for game in case.games}
    meant = next((game for short, game in known.items() if short in plain), "")
    if plain == "act":
        meant = "act"
    hint = f"did you mean {meant!r}?" if meant else ""
    hint = hint or did_you_mean(case.name, case.games)
    return f"{_lacks(case)}; it has {case.name!r}, {hint}" if hint else ""


def _is_method(case: NoBot) -> bool:
    if not inspect.isroutine(case.value) or case.bot is None:
        return False
    return vars(case.bot).get(case.name) is case.value and case.name not in vars(Bot)


def _of_another_game(case: NoBot) -> str:
    if case.name or case.bot is None:
        return ""
    played = [name for name in game_paths() if callable(getattr(case.bot, name, None))]
    if not played:
        return ""
    return (
        f"{case.bot.__name__} plays {', '.join(played)}, and here only "
        f"{', '.join(case.games)} is played"
    )


def _no_method(case: NoBot) -> str:
    is_one = case.bot is not None and case.name in (*case.games, "act")
    if not is_one or callable(case.value) or isinstance(case.value, ast.AST):
        return ""
    return (
        f"{_lacks(case)}; its {case.name} is no method: write "
        f"def {case.name}(self, obs):"
    )


def _method_of_another_framework(case: NoBot) -> str:
    if not _is_method(case) or case.bot is None:
        return ""
    if _decider(case.bot) != case.name:
        return ""
    return (
        f"{_lacks(case)}; write def {case.game}(self, obs): in place of its {case.name}"
    )


def _only_method(case: NoBot) -> str:
    if not _is_method(case) or case.bot is None or not _takes(case.value, 1):
        return ""
    others = [n for n in vars(case.bot) if n not in vars(Bot) and n != case.name]
    if any(inspect.isroutine(vars(case.bot)[n]) for n in others if n[:2] != "__"):
        return ""
    return (
        f"{_lacks(case)}; if its {case.name} decides, write "
        f"def {case.game}(self, obs): in place of it"
    )


def _nothing(case: NoBot) -> str:
    if case.name or case.bot is None:
        return ""
    todo = f"def {case.games[0]}(self, obs):"
    if len(case.games) > 1:
        todo = f"one for {', '.join(case.games)}, or def act(self, obs): for all"
    return f"{_lacks(case)}; write {todo}"


OF_METHODS: tuple[Remedy[NoBot], ...] = (
    Remedy("method outside of its class", _outside),
    Remedy("method inside of another", _method_inside),
    Remedy("misspelt method", _misspelt),
    Remedy("value for a method", _no_method),
    Remedy("method of another game", _of_another_game),
    Remedy("method of another framework", _method_of_another_framework),
    Remedy("method of another name", _only_method),
    Remedy("missing method", _nothing),
)
