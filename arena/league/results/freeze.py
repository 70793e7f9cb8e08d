"""Freeze a league: copy its file, its bots, and all else that its results depend on.

No bot is run.  The folder appears in one step, once it is complete.
"""

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import trio
import yaml

from arena.errors import ConfigError, RecordError
from arena.league.config.league_file import LeagueConfig, read_yaml
from arena.league.config.students import STUDENTS_FILE
from arena.league.config.whose_bots import FILE as WHOSE_BOTS
from arena.league.entries.bot_file import BotFile, files_of
from arena.league.entries.enrolment import take_in, take_in_shared
from arena.league.entries.hand_ins.depot import Depot, temporary_depot
from arena.league.entries.hand_ins.hand_in import HandIn
from arena.league.entries.patterns import is_pattern, pattern_of
from arena.league.entries.sources import is_package
from arena.league.results.league_keys import choose_keys, find_secret
from arena.league.results.secret import Secret
from arena.league.results.store import FILE_NAME, Store
from arena.league.results.thaw import (
    LEAGUE,
    MANIFEST,
    MANIFESTS,
    PRIVATE,
    SECRET,
    Manifest,
    OldManifest,
    OpenLeague,
    digest,
    open_league,
    private_digest,
    read_file,
    rules,
    versions,
)
from arena.league.schedule.core import check_schedule
from arena.league.schedule.divisions import LEADERBOARD
from arena.referee.sandbox.level import start_folder

_PRIVATE_MODES = 0o700, 0o600
"""Of the folder and of its files."""
_SHARED = "shared"
_RANKS = f"divisions/{LEADERBOARD}"


@dataclass(frozen=True, slots=True)
class Frozen:
    """A league that has been frozen."""

    folder: Path
    files: int
    """Number of files, without the manifest."""
    digest: str
    """SHA-256 of the manifest, which has those of all other files."""
    notes: tuple[str, ...]


def freeze(
    path: Path, output: Path | None = None, results: Path | None = None
) -> Frozen:
    """Write a frozen league into `output`, or else into `frozen/NAME`.

    `path` is a league's file, or a frozen league.  The keys are those of the `results`,
    or else of where a league goes by default; if it has none yet, they are drawn.

    Raises:
        ConfigError: something in it is wrong or has changed meanwhile, there is
            something at `output` already, or it can't be written there.
        RecordError: the keys of its results are missing, or can't be used.
    """
    league = open_league(path)
    config = league.config
    check_schedule(config)
    folder = output or Path("frozen") / config.name
    if os.path.lexists(folder):
        raise ConfigError(
            str(folder), "is there already; remove it, or choose another with --output"
        )
    results = results or league.results
    with temporary_depot() as depot:
        return _freeze(league, folder, results, depot)


def _freeze(league: OpenLeague, folder: Path, results: Path, depot: Depot) -> Frozen:
    config = league.config
    original = _Original(config, depot)
    sources = original.sources
    contents = {name: read_file(source) for name, source in sources.items()}
    contents[LEAGUE] = original.text
    executable = {name for name, x in sources.items() if os.access(x, os.X_OK)}
    secret, notes = league.secret, [*league.notes, *original.notes]
    if config.seed is None and secret is None:
        secret, drawn = _keys_of(config, results)
        notes += drawn
    private = {x: contents.pop(x) for x in [*contents] if x.startswith(f"{PRIVATE}/")}
    if secret is not None:
        private[SECRET] = secret.encode()
    manifest = _manifest(config, contents, private, secret)
    with _in_one_step(folder) as temporary:
        for name, data in contents.items():
            place = temporary / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
            if name in executable:
                place.chmod(place.stat().st_mode | 0o111)
        (temporary / MANIFEST).write_bytes(manifest.encode())
        _write_private(temporary, private)
        _check_unchanged(original, _Original(config, depot), contents | private)
    return Frozen(
        folder=folder,
        files=len(contents) + len(private),
        digest=digest(manifest.encode()),
        notes=(*notes, *_not_as_played(results, original.bots)),
    )


def _manifest(
    config: LeagueConfig,
    contents: dict[str, bytes],
    private: dict[str, bytes],
    secret: Secret | None,
) -> Manifest | OldManifest:
    """Return the manifest of these files; an old frozen league stays one."""
    facts: dict[str, Any] = {
        "league": config.name,
        "seed": config.seed,
        "config": digest(read_file(config.path)),
        "rules": rules(config),
        "versions": versions(config),
        "files": {name: digest(data) for name, data in sorted(contents.items())},
    }
    if config.form == 1:
        return OldManifest(**facts)
    return MANIFESTS[config.form](
        **facts,
        commitment="" if secret is None else secret.keys.commitment,
        private=private_digest(private),
    )


def _keys_of(config: LeagueConfig, results: Path) -> tuple[Secret, list[str]]:
    """Return the keys of a results folder, and a note if they are drawn only now."""
    if (results / FILE_NAME).exists():
        with Store.read(results) as store:
            secret = find_secret(results, store)
    else:
        secret = find_secret(results, None)
    if secret is not None:
        return secret, []
    # Nobody else may draw any meanwhile.
    with Store.open(results) as store:
        chosen = choose_keys(config, results, store)
        if chosen.secret is None:
            return _keys_of(config, results)
        chosen.keep(results)
        return chosen.secret, list(chosen.notes)


def _write_private(folder: Path, files: dict[str, bytes]) -> None:
    """Write the private side of a frozen league, which only the owner may read."""
    if not files:
        return
    for_folder, for_files = _PRIVATE_MODES
    (folder / PRIVATE).mkdir(mode=for_folder)
    (folder / PRIVATE / ".gitignore").write_text("*\n")
    for name, data in files.items():
        for parent in reversed(Path(name).parents):
            (folder / parent).mkdir(mode=for_folder, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        with open(os.open(folder / name, flags, for_files), "wb") as file:
            file.write(data)


class _Original:
    """The files of a league as they are now, and where each is copied to."""

    def __init__(self, config: LeagueConfig, depot: Depot) -> None:
        self.path = config.path
        self.bots, shared = _read(config, depot)
        self.notes = [
            f"{file.shown}: not kept: {file.problem}"
            for file in self.bots
            if file.hand_in is None
        ]
        self.bots = [file for file in self.bots if file.hand_in is not None]
        self._places = _places(config, [file.path.parent for file in self.bots])
        self.sources: dict[str, Path] = {}
        """The paths of all files to copy, by their new paths."""
        self.origins: dict[str, Path] = {}
        """Where those of hand-ins were read."""
        for file in self.bots:
            self._check(file)
            self._copy(file.hand_in, file.path.parent, self._places[file.path.parent])
        for path, hand_in in zip(config.shared, shared, strict=True):
            self._copy(hand_in, path.parent, _SHARED)
        raw = read_yaml(config.path)
        raw["bots"] = list(self._items(config, raw.get("bots", [None])))
        if not raw["bots"]:
            raise ConfigError(f"{config.path}: bots", "there is no bot file to be kept")
        if shared:
            raw["shared"] = [f"{_SHARED}/{hand_in.name}" for hand_in in shared]
        if config.grading is not None and config.grading.students is not None:
            students = STUDENTS_FILE
            if config.form > 1:
                students = f"{PRIVATE}/{STUDENTS_FILE}"
            self.sources[students] = Path(config.grading.students)
            raw["grading"] = {**raw["grading"], "students": students}
        if config.divisions is not None and config.divisions.by is not None:
            by, place = Path(config.divisions.by), Path(_RANKS)
            if config.form > 1 and (by / WHOSE_BOTS).is_file():
                place = PRIVATE / place
                self.sources[str(place.parent / WHOSE_BOTS)] = by / WHOSE_BOTS
            self.sources[str(place)] = by / LEADERBOARD
            raw["divisions"] = {**raw["divisions"], "by": str(place.parent)}
        text = yaml.safe_dump(raw, sort_keys=False, allow_unicode=True)
        note = f"# Frozen: {MANIFEST} has the hash of every file here.\n"
        self.text = (note + text).encode()
        """The league's file with the new paths of its files."""

    def _items(self, config: LeagueConfig, raw: object) -> Iterator[object]:
        """Yield the items of `bots:` with their new paths; nothing for empty folders.

        `raw` is what the league's file says there.
        """
        items = raw if isinstance(raw, list) else [raw]
        for item, settings in zip(items, config.bots, strict=True):
            path = Path(settings.file)
            if is_pattern(path):
                places = [
                    self._matched(file)
                    for file in self.bots
                    if any(own is settings for _, own in file.settings)
                ]
            elif path in self._places and all(file.path != path for file in self.bots):
                places = [self._places[path]]
            else:
                own = (file for file in self.bots if file.path == path)
                places = [self._matched(file) for file in own][:1]
            for place in filter(None, places):
                keys = {**item, "file": place} if isinstance(item, dict) else {}
                if settings.name is not None:
                    # A bot of arena's own has one though the file gives it none.
                    keys |= {"file": place, "name": settings.name}
                yield keys or place

    def _matched(self, file: BotFile) -> str | None:
        """Return the place of a hand-in in words that name it as one."""
        place = self._place(file.path)
        ((_, settings), *_) = file.settings
        is_one = file.command or not settings.is_plain or is_package(file.path)
        if place is None or is_one or not file.path.is_dir():
            return place
        return str(pattern_of(Path(place)))

    def _place(self, path: Path) -> str | None:
        folder = self._places.get(path.parent)
        return None if folder is None else f"{folder}/{path.name}"

    def _copy(self, hand_in: HandIn | None, folder: Path, place: str) -> None:
        """Note where the files of a hand-in are, and where they are to be."""
        assert hand_in is not None
        for name in hand_in.own:
            self.sources[f"{place}/{name}"] = Path(hand_in.home, name)
            self.origins[f"{place}/{name}"] = folder / name

    def _check(self, file: BotFile) -> None:
        """Check that a bot can be copied.

        Raises:
            ConfigError: the place of its program does not allow it.
        """
        where, _ = file.settings[0]
        assert file.hand_in is not None
        if file.command and "/" in file.command[0]:
            program = Path(start_folder(str(file.path), file.command), file.command[0])
            own = {str(file.path.parent / name) for name in file.hand_in.files}
            if (
                not os.path.isabs(file.command[0])
                and os.path.normpath(program) not in own
            ):
                raise ConfigError(
                    f"{where}.command",
                    f"{file.command[0]} lies outside of the bot's files, so it can't "
                    "be kept with them; put it there, or give its absolute path",
                )


def _places(config: LeagueConfig, folders: Iterable[Path]) -> dict[Path, str]:
    """Return the new paths of folders with hand-ins, and of those that these lie in.

    The names of folders may be part of the ids of bots, so they stay.
    """
    outer = {Path(x.file) for x in config.bots if x.command is None and x.is_plain}
    places: dict[Path, str] = {}
    numbers: dict[Path, int] = {}
    for folder in folders:
        above = [*reversed(folder.parents)] if config.form > 4 else []
        top = next((x for x in above if x in outer), folder)
        number = numbers.setdefault(top, len(numbers) + 1)
        places[top] = f"bots/{number}/{top.name}"
        inner = folder.relative_to(top)
        places[folder] = str(Path(places[top], inner))
    return places


def _read(config: LeagueConfig, depot: Depot) -> tuple[list[BotFile], list[HandIn]]:
    """Return the hand-ins of a league, and what it shares, as they are read now.

    Raises:
        ConfigError: what is shared can't be read.
    """
    bots = files_of(
        config.bots,
        f"{config.path}: bots",
        form=config.form,
        shared=config.shared,
    )
    where = f"{config.path}: shared"

    async def read() -> list[HandIn]:
        await take_in(
            bots,
            config.game_names,
            depot,
            where,
            shared=config.shared,
            form=config.form,
        )
        return await take_in_shared(config.shared, depot, where)

    return bots, trio.run(read)


def _check_unchanged(
    then: _Original, now: _Original, contents: dict[str, bytes]
) -> None:
    """Check that nothing has changed since it was read.

    Raises:
        ConfigError: something has, so the copies may never have existed together.
    """
    for name, path in sorted({**then.sources, **now.sources}.items()):
        is_in_both = name in then.sources and name in now.sources
        if not is_in_both or read_file(path) != contents[name]:
            origins = {**then.origins, **now.origins}
            raise _changed(origins.get(name, path))
    if now.text != contents[LEAGUE]:
        raise _changed(now.path)


def _changed(path: Path) -> ConfigError:
    return ConfigError(
        str(path), "has been changed while the league was frozen; do it again"
    )


@contextmanager
def _in_one_step(folder: Path) -> Iterator[Path]:
    """Yield a folder that gets its name at the end of the block; an error removes it.

    Raises:
        ConfigError: it can't be written.
    """
    temporary = folder.with_name(f".{folder.name}.{os.getpid()}")
    try:
        try:
            temporary.mkdir(parents=True)
            yield temporary
            os.rename(temporary, folder)
        except BaseException:
            shutil.rmtree(temporary, ignore_errors=True)
            raise
    except OSError as error:
        raise ConfigError(
            str(folder),
            f"can't be written ({error.strerror}); choose another with --output",
        ) from None


def _not_as_played(results: Path, files: Iterable[BotFile]) -> Iterator[str]:
    """Yield a sentence for each bot that has changed since the league was played."""
    try:
        with Store.read(results) as store:
            entries = store.info().entries
    except RecordError:
        return
    codes = {file.hand_in.code for file in files if file.hand_in is not None}
    for name in dict.fromkeys(
        entry.file for entry in entries if entry.code not in codes
    ):
        yield (
            f"{name} is not as it was when {results} was played; to keep what counts, "
            "run the league first"
        )
