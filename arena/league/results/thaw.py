"""Open a frozen league: a folder with all that it takes to play a league again.

    league.yaml     the league's file, with paths into this folder
    bots/1/NAME/    bot files with all that belongs to them, by the folder they were in
    manifest.json   hashes, and what else the results depend on
    students.csv, divisions/leaderboard.json    if the league's file names them

Nothing in it tells when or where it was made: the same league gives the same bytes.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

import msgspec

from arena.errors import ConfigError
from arena.league.config.league_file import LeagueConfig, load_config
from arena.league.results.installed_versions import installed_versions

LEAGUE = "league.yaml"
MANIFEST = "manifest.json"


class Manifest(msgspec.Struct, frozen=True, kw_only=True, tag_field="form", tag=1):
    """The facts and hashes of a frozen league."""

    league: str
    seed: int
    config: str
    """SHA-256 of the league's file that it was made from."""
    rules: dict[str, str]
    """Version of each game's rules."""
    versions: dict[str, str]
    """Of Python, arena and all that bots may import."""
    files: dict[str, str]
    """SHA-256 of each other file, by its path in the folder."""

    def encode(self) -> bytes:
        """Return the bytes of its file."""
        return msgspec.json.format(msgspec.json.encode(self), indent=2) + b"\n"


@dataclass(frozen=True, slots=True)
class OpenLeague:
    """A league's file or a frozen league, read and checked."""

    config: LeagueConfig
    results: Path
    """Where its results go by default."""
    notes: tuple[str, ...] = ()
    """What has changed since the league was frozen, a sentence each."""
    frozen: Path | None = None
    """The folder of a frozen league."""


def open_league(path: Path, seed: int | None = None) -> OpenLeague:
    """Read a league's file, or a frozen league (folder or file) and check its files.

    `seed` makes the luck of a league's file public, whatever the file says.  A league
    with public luck has a results folder of its own, and so has a frozen league, so
    that it replaces no games of bots that have changed since.

    Raises:
        ConfigError: something in it is wrong, or a frozen league has been changed.
    """
    folder = path if os.path.isdir(path) else path.parent
    is_frozen = path.name == LEAGUE and (folder / MANIFEST).is_file()
    if folder != path and not is_frozen:
        config = load_config(path)
        if seed is not None:
            config = replace(config, seed=seed)
        public = "" if config.seed is None else f"-seed-{config.seed}"
        return OpenLeague(config, Path("results") / f"{config.name}{public}")
    if seed is not None:
        raise ConfigError(
            "--seed",
            f"{folder} is a frozen league, which has its own luck; leave it out",
        )
    manifest = _verified(folder)
    config = replace(load_config(folder / LEAGUE), seed=manifest.seed, form=1)
    return OpenLeague(
        config,
        Path("results") / f"{folder.resolve().name}-frozen",
        tuple(_changes(manifest, config)),
        folder,
    )


def rules(config: LeagueConfig) -> dict[str, str]:
    """Return the version of each game's rules."""
    return dict(sorted((g.spec.name, g.game.rules_version) for g in config.games))


def versions(config: LeagueConfig) -> dict[str, str]:
    """Return the versions of all software that the league's results depend on."""
    modules = sorted({*config.library.modules, "scipy"})
    found = installed_versions(modules, [game.spec.path for game in config.games])
    return dict(sorted(found.items()))


def read_file(path: Path) -> bytes:
    """Return the contents of a file.

    Raises:
        ConfigError: it can't be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise ConfigError(str(path), f"can't be read ({error.strerror})") from None


def digest(data: bytes) -> str:
    """Return the SHA-256 of a file, as `sha256sum` prints it."""
    return sha256(data).hexdigest()


def _verified(folder: Path) -> Manifest:
    """Return the manifest of a folder, once all files have the hashes that it names.

    Raises:
        ConfigError: they have not.
    """
    path = folder / MANIFEST
    try:
        manifest = msgspec.json.decode(path.read_bytes(), type=Manifest)
    except FileNotFoundError:
        raise ConfigError(
            str(folder),
            f"is no frozen league, as it has no {MANIFEST}; expected a league's file, "
            "or a folder that `arena freeze` has written",
        ) from None
    except (OSError, msgspec.MsgspecError) as error:
        raise ConfigError(
            str(path),
            f"is no manifest of `arena freeze` ({error}); restore it from a copy",
        ) from None
    there = set(_files(folder))
    for name in sorted({*manifest.files, *there}):
        where = str(folder / name)
        if name not in manifest.files:
            raise ConfigError(
                where, "was not there when the league was frozen; remove it"
            )
        if name not in there:
            raise ConfigError(
                where, "is missing from the frozen league; restore it from a copy"
            )
        if digest(read_file(folder / name)) != manifest.files[name]:
            raise ConfigError(
                where,
                "has been changed since the league was frozen; restore it from a copy",
            )
    return manifest


def _files(folder: Path) -> Iterator[str]:
    """Yield the paths of all files below a folder but the manifest."""
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        is_folder = path.is_dir() and not path.is_symlink()
        if not (is_folder or "__pycache__" in path.parts or name == MANIFEST):
            yield name


def _changes(manifest: Manifest, config: LeagueConfig) -> Iterator[str]:
    """Yield a sentence for each fact that results depend on and that has changed."""
    for game, version in rules(config).items():
        if manifest.rules.get(game) != version:
            yield (
                f"{game} has other rules here than when the league was frozen: its "
                "games can't come out the same"
            )
    here = versions(config)
    for name, then in manifest.versions.items():
        now = here.get(name, "not installed")
        if now == then:
            continue
        if name.startswith("the files of "):
            yield f"{name} are others than when the league was frozen"
        else:
            yield f"{name} is {now} here, and was {then} when the league was frozen"
