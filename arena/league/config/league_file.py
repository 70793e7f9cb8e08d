"""A league's YAML file, checked: every mistake is one sentence that names the key."""

import os
import re
import reprlib
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import yaml

from arena.errors import ConfigError
from arena.games import (
    Game,
    GameSpecError,
    game_class,
    game_paths,
    get_game,
)
from arena.league.built_in.bots import built_in_bot, own_instead
from arena.league.config.info import EntryInfo, LabelInfo, LeagueInfo
from arena.league.config.keys import Keys
from arena.league.config.settings import (
    NEWEST_FORM,
    AnchorSettings,
    BeatsSettings,
    BotSettings,
    DivisionSettings,
    GameSettings,
    GradingSettings,
    LeagueSettings,
    Overall,
    Placing,
    RatedBy,
    ScheduleName,
    Watch,
)
from arena.league.config.small_file import read_small
from arena.referee.isolation import AUTO
from arena.referee.sandbox import SANDBOXES
from arena.referee.sandbox.library import Library, MissingPackageError, find_library
from arena.referee.work_unit import Limits, Restart
from arena.text import did_you_mean, plain_words
from arena.worker.compat import GUESTS
from arena.worker.protocol import GameSpec

S = TypeVar("S", bound=msgspec.Struct | None)
_STRUCTS: dict[str, type[msgspec.Struct]] = {
    "games": GameSettings,
    "bots": BotSettings,
    "limits": Limits,
    "anchor": AnchorSettings,
    "divisions": DivisionSettings,
    "grading": GradingSettings,
    "grading.beats": BeatsSettings,
}
_CHOICES: dict[str, type[StrEnum]] = {
    "restart": Restart,
    "schedule": ScheduleName,
    "placing": Placing,
    "watch": Watch,
}


@dataclass(frozen=True, slots=True)
class LeagueGame:
    """A game of the league, under its label."""

    label: str
    game: Game
    spec: GameSpec
    fixtures: int
    max_decisions: int
    weight: float
    placing: Placing

    @property
    def info(self) -> LabelInfo:
        """The facts of it that reports need."""
        return LabelInfo(
            label=self.label,
            game=self.spec.name,
            title=self.game.title,
            players=self.spec.players,
            options=self.spec.options,
            changed=self.game.changed_options,
            house_rules=self.game.house_rules(),
            weight=self.weight,
            placing=self.placing,
            scores_better=self.game.scores_better,
        )


@dataclass(frozen=True, slots=True)
class LeagueConfig:
    """A league as its file describes it."""

    path: Path
    name: str
    seed: int | None
    """Of public luck; None if the luck is secret."""
    bots: tuple[BotSettings, ...]
    """Files are absolute; folders of bots are among them as they were written."""
    games: tuple[LeagueGame, ...]
    anchor: AnchorSettings | None
    limits: Limits
    """Without what only files of before say."""
    in_flight: int
    isolation: str
    require_isolation: str | None
    restart: Restart
    quarantine: int
    packages: tuple[str, ...]
    schedule: ScheduleName
    references: tuple[str, ...]
    divisions: DivisionSettings | None
    """With an absolute path, as have the next."""
    grading: GradingSettings | None
    pseudonyms: bool | str | None
    watch: Watch | None
    most_bots: int | None
    luck_adjustment: bool
    by: RatedBy
    overall: Overall
    library: Library
    """Everything that bots may import, `packages` and the games' modules among it."""
    shared: tuple[Path, ...] = ()
    """Absolute paths of the files and folders that all bots may import."""
    ponder: bool | None = None
    """As in `LimitSettings`."""
    form: int = NEWEST_FORM
    """Less for a league that was frozen by an older version.  1: before there was
    secret luck; there a bot may also import all that lies beside it.  2: as today, but
    that a bot in quarantine is out of all games of the league, and its forfeits in a
    row are those in the order of the whole plan.  So it is in form 1, too.  3: as
    today, but that each class in a file that can't be read is an entry, as in 1 and 2.
    4: as today, but that copies of a student's bot are entries, folders of folders of
    bots are not looked through, and no file is shown with its folder; so in 1 to 3.
    5: as today, but that bots of one name have their file behind it; so in 1 to 4.
    """

    @property
    def quarantine_is_for_all(self) -> bool:
        """True if quarantine is for all games of the league, and not for a label."""
        return self.form < 3

    @property
    def known_files(self) -> tuple[Path, ...]:
        """The files and folders that it names beside those of bots."""
        students = self.grading.students if self.grading else None
        return (*self.shared, *([Path(students)] if students else ()), self.path)

    @property
    def game_names(self) -> tuple[str, ...]:
        """The name of each game that is played, once, under however many labels."""
        return tuple(dict.fromkeys(game.spec.name for game in self.games))

    @property
    def notes(self) -> list[str]:
        """What its file says for nothing, or in two senses, a sentence each."""
        here = self.path.parent.resolve()
        files = (Path(settings.file) for settings in self.bots)
        notes = [own_instead(x.name, x) for x in files if x.parent == here]
        return [*filter(None, notes), *self._old_keys()]

    def _old_keys(self) -> list[str]:
        if self.ponder is None:
            return []
        note = (
            "limits.ponder says nothing any more, as contestants are stopped while "
            "they are not asked; delete the line"
        )
        if self.ponder:
            return [note]
        return [f"{note} when the league begins anew, as its games have other ids then"]

    @property
    def alias_text(self) -> str:
        """The text that is mixed into aliases; may be empty."""
        return self.pseudonyms if isinstance(self.pseudonyms, str) else ""

    def info(
        self, isolation: str, entries: tuple[EntryInfo, ...], keys: Keys
    ) -> LeagueInfo:
        """Return the facts of it that reports need, without the roles of entries."""
        return LeagueInfo(
            name=self.name,
            seed=keys.seed,
            commitment=keys.commitment,
            earlier=keys.earlier,
            isolation=isolation,
            limits=self.limits,
            anchor=None,
            labels=tuple(game.info for game in self.games),
            entries=entries,
            luck_adjustment=self.luck_adjustment,
            by=self.by,
            overall=self.overall,
            packages=self.packages,
            grading=self.grading,
            pseudonyms=bool(self.pseudonyms),
            watch=self.watch,
        )


def load_config(path: Path) -> LeagueConfig:
    """Read and check a league's file.

    Its schedule and isolation are checked by those who play it: reports and rules need
    neither (`check_schedule`, `check_isolation`).

    Raises:
        ConfigError: it can't be read, or something in it is wrong.
    """
    raw = read_yaml(path)
    try:
        settings = msgspec.convert(raw, LeagueSettings)
    except msgspec.ValidationError as error:
        raise _explain(path, raw, str(error)) from None
    return make_config(path, settings)


def make_config(path: Path, settings: LeagueSettings) -> LeagueConfig:
    """Return the league of settings that stand, or might stand, in a file.

    Raises:
        ConfigError: something in them is wrong.
    """
    games = tuple(
        _league_game(path, f"games[{i}]", item) for i, item in enumerate(settings.games)
    )
    _check_games_differ(path, games)
    _check_limits(path, settings.limits)
    _check_watch(path, settings)
    # All other settings are taken as they are.
    made = {
        "path": path,
        "games": games,
        "limits": msgspec.convert(settings.limits, Limits, from_attributes=True),
        "ponder": settings.limits.ponder,
        "bots": tuple(_bots(path, settings.bots)),
        "divisions": _with_path(path, settings.divisions, "by"),
        "grading": _with_path(path, settings.grading, "students"),
        "library": (library := _library(path, settings.packages, games)),
        "shared": tuple(_shared(path, settings.shared, library)),
    }
    return LeagueConfig(**(msgspec.structs.asdict(settings) | made))


_MAX_NODES = 100_000
"""Texts, numbers, lists and mappings of a league's file, with what aliases repeat."""


class _UniqueKeys(yaml.SafeLoader):
    """Refuses a key that stands twice, which YAML would silently let win.

    It also refuses a few lines of aliases that stand for more than memory holds.
    """

    def construct_document(self, node: Any) -> Any:
        if _nodes(node, {}) > _MAX_NODES:
            raise yaml.YAMLError(
                f"expected up to {_MAX_NODES} values; found more, since its aliases "
                "repeat them"
            )
        return super().construct_document(node)

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for key_node, _ in node.value:
            key = key_node.value
            if not isinstance(key, str):
                continue
            if key in seen:
                raise yaml.MarkedYAMLError(
                    problem=f"the key {key!r} stands here twice",
                    problem_mark=key_node.start_mark,
                )
            seen.add(key)
        return super().construct_mapping(node, deep)


def _nodes(node: Any, known: dict[int, int]) -> int:
    """Return the number of nodes below one and itself, each as often as it is used.

    `known` has those of other nodes, by id.  A node inside of itself counts as one.
    """
    if id(node) not in known:
        known[id(node)] = 1
        below = node.value if isinstance(node, yaml.CollectionNode) else ()
        parts = chain.from_iterable(x if isinstance(x, tuple) else (x,) for x in below)
        known[id(node)] += sum(_nodes(part, known) for part in parts)
    return known[id(node)]


def read_yaml(path: Path) -> dict[str, Any]:
    """Return the contents of a league's file, unchecked.

    Raises:
        ConfigError: it can't be read, or is no mapping in YAML.
    """
    try:
        text = read_small(path).decode("utf-8")
    except OSError as error:
        raise ConfigError(str(path), f"can't be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise ConfigError(str(path), "is no text in UTF-8") from None
    try:
        raw = yaml.load(text, _UniqueKeys)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f"{path}:{mark.line + 1}:{mark.column + 1}" if mark else str(path)
        raise ConfigError(where, f"no valid YAML: {error.problem}") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        reason = str(error).split("\n")[0]
        raise ConfigError(str(path), f"no valid YAML: {reason}") from None
    if not isinstance(raw, dict):
        found = "an empty file" if raw is None else f"a {type(raw).__name__}"
        raise ConfigError(
            str(path), f"expected keys such as name, bots and games; found {found}"
        )
    return raw


def _league_game(path: Path, key: str, item: str | GameSettings) -> LeagueGame:
    settings = GameSettings(game=item) if isinstance(item, str) else item
    try:
        game = make_game(settings.game, settings.players, settings.options)
    except GameSpecError as error:
        if isinstance(item, str):
            raise ConfigError(f"{path}: {key}", error.problem) from None
        raise ConfigError(f"{path}: {key}.{error.key}", error.problem) from None
    options = plain(f"{path}: {key}.options", game.options_dict)
    return LeagueGame(
        label=settings.label or settings.game,
        game=game,
        spec=GameSpec(
            name=settings.game,
            path=game_paths()[settings.game],
            players=settings.players,
            options=options,
        ),
        fixtures=settings.fixtures,
        max_decisions=settings.max_decisions or game.max_decisions,
        weight=settings.weight,
        placing=settings.placing,
    )


def make_game(name: str, players: int | None, options: dict[str, Any]) -> Game:
    """Return a game that may come from another package; None is the fewest players.

    Raises:
        GameSpecError: no such game, or not with these players or options, or the
            package is broken.
    """
    try:
        fewest = game_class(name).min_players
        return get_game(name, fewest if players is None else players, options)
    except GameSpecError:
        raise
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise GameSpecError("game", f"{name} can't be loaded ({reason})") from None


def _check_games_differ(path: Path, games: Iterable[LeagueGame]) -> None:
    labels: dict[str, int] = {}
    specs: dict[bytes, int] = {}
    for i, game in enumerate(games):
        first = labels.setdefault(game.label, i)
        if first != i:
            raise ConfigError(
                f"{path}: games[{i}].label",
                f"{game.label!r} is the label of games[{first}] too; "
                "give each game a label of its own",
            )
        spec = msgspec.json.encode((game.spec, game.max_decisions))
        first = specs.setdefault(spec, i)
        if first != i:
            raise ConfigError(
                f"{path}: games[{i}]",
                f"is the same game with the same options as games[{first}]",
            )


def _check_limits(path: Path, limits: Limits) -> None:
    if limits.game is not None and limits.game < limits.move:
        raise ConfigError(
            f"{path}: limits.game",
            f"expected at least the {limits.move:g} s that limits.move allows for one "
            f"decision; found {limits.game:g}",
        )


def _check_watch(path: Path, settings: LeagueSettings) -> None:
    if settings.pseudonyms and settings.watch == Watch.ALL:
        raise ConfigError(
            f"{path}: watch",
            "expected picked or none, as the league has pseudonyms: who can watch all "
            "games of a bot sees how it plays, and so whose it is; you can watch all "
            "with arena report --private",
        )


def _library(
    path: Path, packages: Sequence[str], games: Iterable[LeagueGame]
) -> Library:
    try:
        return find_library(packages, [game.spec.path for game in games])
    except MissingPackageError as error:
        raise ConfigError(
            f"{path}: packages[{packages.index(error.package)}]",
            f"{error.package!a} is not installed here; install it with pip, "
            "or leave it out",
        ) from None


def _bots(path: Path, bots: str | list[str | BotSettings]) -> Iterable[BotSettings]:
    for i, item in enumerate([bots] if isinstance(bots, str) else bots):
        settings = BotSettings(file=item) if isinstance(item, str) else item
        try:
            file = (path.parent / settings.file).resolve()
            own = None if file.exists() else built_in_bot(settings.file)
            if own is not None and settings.command is None:
                name = settings.name or settings.file
                settings = msgspec.structs.replace(settings, name=name)
                file = own
        except (OSError, ValueError, RuntimeError):
            raise ConfigError(
                f"{path}: bots[{i}]", f"no such file or folder: {settings.file!a}"
            ) from None
        params = plain(f"{path}: bots[{i}].params", settings.params)
        yield msgspec.structs.replace(settings, file=str(file), params=params)


def _shared(path: Path, shared: Sequence[str], library: Library) -> Iterator[Path]:
    """Yield the absolute paths of what all bots may import.

    Raises:
        ConfigError: there is no such module, or no bot could import it.
    """
    names: dict[str, int] = {}
    for i, item in enumerate(shared):
        where = f"{path}: shared[{i}]"
        # Only its folder may be a link: it is read as hand-ins are.
        file = Path(os.path.abspath(path.parent / item))
        is_package = os.path.isfile(file / "__init__.py")
        if not is_package and not (file.suffix == ".py" and os.path.lexists(file)):
            raise ConfigError(
                where,
                f"expected a file in Python, or a folder with an __init__.py; found no "
                f"such at {item!a}",
            )
        name = file.name.removesuffix(".py")
        if not name.isidentifier():
            raise ConfigError(where, f"{name!a} is no name that a bot can import")
        if name in {*sys.stdlib_module_names, *library.modules, *GUESTS}:
            raise ConfigError(
                where,
                f"{name} is the name of a module that bots have already; rename the "
                "file",
            )
        first = names.setdefault(name, i)
        if first != i:
            raise ConfigError(where, f"is called {name}, as shared[{first}] is")
        yield file


def _with_path(path: Path, settings: S, key: str) -> S:
    """Return settings with the path that they have at a key, if any, as absolute."""
    name = getattr(settings, key, None)
    if settings is None or name is None:
        return settings
    absolute = str((path.parent / name).resolve())
    return msgspec.structs.replace(settings, **{key: absolute})


def check_isolation(config: LeagueConfig) -> None:
    """Check that the isolation levels of a league are known here.

    Raises:
        ConfigError: one is not.
    """
    check_level(f"{config.path}: isolation", config.isolation, auto=True)
    check_level(f"{config.path}: require_isolation", config.require_isolation)


def check_level(where: str, name: str | None, *, auto: bool = False) -> None:
    """Check the name of an isolation level; with `auto` that is one too.

    Raises:
        ConfigError: there is no such level.
    """
    known = [*SANDBOXES]
    if auto:
        known.insert(0, AUTO)
    if name is not None and name not in known:
        raise ConfigError(
            where, f"no such isolation {name!r}; known are " + ", ".join(known)
        )


def plain(where: str, values: dict[str, Any]) -> dict[str, Any]:
    """Return values as a bot will get them; sets, which have no order, as lists.

    Raises:
        ConfigError: they hold themselves, a number of more than 64 bits, or keys that
            JSON does not have.
    """
    try:
        found: dict[str, Any] = msgspec.to_builtins(values, order="deterministic")
        msgspec.msgpack.encode(found)
        msgspec.json.encode(found)
    except (OverflowError, RecursionError, TypeError, ValueError) as error:
        raise ConfigError(where, f"can't be sent to a bot: {error}") from None
    return found


def _explain(path: Path, raw: Any, message: str) -> ConfigError:
    """Turn a message of msgspec's into one that names key, wish and finding."""
    problem, at_key, at = message.partition(" - at `key` in `$")
    if not at_key:
        problem, _, at = message.partition(" - at `$")
    key = at.rstrip("`").lstrip(".")
    where = f"{path}: {key}" if key else str(path)
    if at_key:
        return ConfigError(where, "expected text as keys; put anything else in quotes")
    unknown = re.search(r"unknown field `(.*)`", problem)
    if unknown:
        where = f"{path}: {key}.{unknown[1]}" if key else f"{path}: {unknown[1]}"
        return ConfigError(where, _unknown_key(unknown[1], key))
    missing = re.search(r"missing required field `(.*)`", problem)
    if missing:
        return ConfigError(where, f"the key {missing[1]!r} is missing")
    problem = re.sub(r"matching regex '.*'", "of letters, digits, _ . + -", problem)
    choices = _CHOICES.get(key.rpartition(".")[2])
    if choices and problem.startswith("Invalid enum value"):
        problem = f"Expected one of {', '.join(repr(x.value) for x in choices)}"
    found = reprlib.repr(_look_up(raw, key))
    return ConfigError(where, f"{plain_words(problem)}; found {found}")


def _unknown_key(name: str, key: str) -> str:
    part = re.sub(r"\[.*?\]", "", key)
    struct = _STRUCTS.get(part, LeagueSettings)
    fields = struct.__struct_fields__
    hint = did_you_mean(name, fields, f"known are {', '.join(fields)}")
    return f"unknown key; {hint}"


def _look_up(raw: Any, key: str) -> Any:
    value = raw
    for part in re.findall(r"[^.\[\]]+", key):
        try:
            value = value[int(part)] if part.isdigit() else value[part]
        except (KeyError, IndexError, TypeError):
            return value
    return value
