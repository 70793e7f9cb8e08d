"""Open a frozen league: a folder with all that it takes to play a league again.

    league.yaml     the league's file, with paths into this folder
    bots/1/NAME/    bot files with all that belongs to them, by the folder they were in
    divisions/leaderboard.json    if the league's file names it; among what is private
                    if that league says whose its bots are
    manifest.json   hashes, and what else the results depend on
    private/        what is not handed on with the rest: the league's keys (secret.json)
                    and the students' file (students.csv); only the owner may read them

Nothing in it tells when or where it was made: the same league gives the same bytes.  A
league that was frozen before there was secret luck (form 1) has no private side.  What
else was different in older forms: `LeagueConfig.form`.
"""

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from errno import ELOOP
from hashlib import file_digest, sha256
from pathlib import Path
from types import MappingProxyType
from typing import Final

import msgspec

from arena.errors import ConfigError
from arena.games.chance import framed
from arena.league.config.league_file import LeagueConfig, load_config
from arena.league.config.settings import NEWEST_FORM
from arena.league.results.installed_versions import installed_versions
from arena.league.results.secret import Secret, decode_secret, read_private
from arena.referee.isolation import is_as_strong
from arena.referee.sandbox import SANDBOXES

LEAGUE = "league.yaml"
MANIFEST = "manifest.json"


PRIVATE = "private"
SECRET = f"{PRIVATE}/secret.json"
_IGNORE = f"{PRIVATE}/.gitignore"
_MOST_PRIVATE_BYTES = 2**28
"""Of a file there."""


class _Manifest(msgspec.Struct, frozen=True, kw_only=True):
    league: str
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


class OldManifest(_Manifest, frozen=True, kw_only=True, tag_field="form", tag=1):
    """The facts and hashes of a league that was frozen before luck could be secret."""

    seed: int


class Manifest(_Manifest, frozen=True, kw_only=True, tag_field="form", tag=NEWEST_FORM):
    """The facts and hashes of a frozen league."""

    seed: int | None
    """Of public luck."""
    commitment: str
    """Of secret luck: the SHA-256 of its key."""
    private: str
    """The hash of its private side as a whole (`private_digest`), empty without one: by
    one of its students' file alone, guesses at who hands in what could be tried."""

    @property
    def form(self) -> int:
        """As in `LeagueConfig`."""
        form = self.__struct_config__.tag
        assert isinstance(form, int)
        return form


class SecondManifest(Manifest, frozen=True, kw_only=True, tag_field="form", tag=2):
    """The same of one that was frozen before quarantine was for a label alone."""


class ThirdManifest(Manifest, frozen=True, kw_only=True, tag_field="form", tag=3):
    """The same of one that was frozen while each class of a broken file was entered."""


class FourthManifest(Manifest, frozen=True, kw_only=True, tag_field="form", tag=4):
    """The same of one that was frozen while copies of a student's bot were entries."""


class FifthManifest(Manifest, frozen=True, kw_only=True, tag_field="form", tag=5):
    """The same of one that was frozen while all files stood behind bots of one name."""


MANIFESTS: Final[Mapping[int, type[Manifest]]] = MappingProxyType(
    {
        2: SecondManifest,
        3: ThirdManifest,
        4: FourthManifest,
        5: FifthManifest,
        NEWEST_FORM: Manifest,
    }
)
"""Those with a private side, by `LeagueConfig.form`."""


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
    digest: str = ""
    """SHA-256 of its manifest."""
    secret: Secret | None = None
    """Its keys; None if its luck is public, or it is not frozen."""


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
    data, manifest = _verified(folder)
    config = load_config(folder / LEAGUE)
    _check_inside(folder, config)
    if isinstance(manifest, OldManifest):
        config = replace(config, seed=manifest.seed, form=1)
    else:
        config = replace(config, form=manifest.form)
    return OpenLeague(
        config,
        Path("results") / f"{folder.resolve().name}-frozen",
        (*_trust(config), *_changes(manifest, config)),
        folder,
        digest(data),
        _private_side(folder, manifest) if isinstance(manifest, Manifest) else None,
    )


def _check_inside(folder: Path, config: LeagueConfig) -> None:
    """Check that a frozen league is made of nothing but its own files.

    Who has made it decides what its manifest says, but not what else is read here.

    Raises:
        ConfigError: it names others.
    """
    paths = [(f"bots[{i}]", x.file) for i, x in enumerate(config.bots)]
    paths += [(f"shared[{i}]", str(x)) for i, x in enumerate(config.shared)]
    if config.divisions is not None and config.divisions.by is not None:
        paths.append(("divisions.by", config.divisions.by))
    if config.grading is not None and config.grading.students is not None:
        paths.append(("grading.students", config.grading.students))
    for key, path in paths:
        if not Path(path).resolve().is_relative_to(folder.resolve()):
            raise ConfigError(
                f"{folder / LEAGUE}: {key}",
                f"{path} is no part of the frozen league, and `arena freeze` names "
                "nothing else; restore it from a copy",
            )


def _trust(config: LeagueConfig) -> Iterator[str]:
    """Yield a sentence if the bots of a frozen league may do more than others."""
    level = config.isolation
    if level in SANDBOXES and not is_as_strong(level, "filters"):
        yield (
            f"its file asks for isolation {level}, at which its bots can do here what "
            "you can: if it comes from somebody else, play it with --isolation auto"
        )


def rules(config: LeagueConfig) -> dict[str, str]:
    """Return the version of each game's rules."""
    return dict(sorted((g.spec.name, g.game.rules_version) for g in config.games))


def versions(config: LeagueConfig) -> dict[str, str]:
    """Return the versions of all software that the league's results depend on."""
    modules = sorted({*config.library.modules, "pluggy", "scipy"})
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


def private_digest(files: Mapping[str, bytes]) -> str:
    """Return a hash of all files of a private side, by their paths in the folder."""
    parts = [part for pair in sorted(files.items()) for part in pair]
    return digest(framed(*parts)) if parts else ""


def _verified(folder: Path) -> tuple[bytes, OldManifest | Manifest]:
    """Return the manifest of a folder, once all files have the hashes that it names.

    All but those of its private side.

    Raises:
        ConfigError: they have not.
    """
    path = folder / MANIFEST
    if os.path.lexists(path) and (path.is_symlink() or not path.is_file()):
        raise ConfigError(str(path), "is a link or no file; restore it from a copy")
    try:
        data = path.read_bytes()
        manifest = msgspec.json.decode(
            data,
            type=OldManifest
            | SecondManifest
            | ThirdManifest
            | FourthManifest
            | Manifest,
        )
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
    if isinstance(manifest, Manifest):
        there = {name for name in there if not name.startswith(f"{PRIVATE}/")}
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
        if _digest_of(folder / name) != manifest.files[name]:
            raise ConfigError(
                where,
                "has been changed since the league was frozen; restore it from a copy",
            )
    return data, manifest


def _private_side(folder: Path, manifest: Manifest) -> Secret | None:
    """Return the keys of a frozen league, once its private side is found to be whole.

    Raises:
        ConfigError: it is missing, or not as it was.
        RecordError: others may read it.
    """
    names = [x for x in _files(folder) if x.startswith(f"{PRIVATE}/") and x != _IGNORE]
    if manifest.private and not names:
        raise ConfigError(
            str(folder),
            f"is a frozen league without its private side, which has its keys; bring "
            f"the folder {PRIVATE} here from where the league was frozen",
        )
    files = {
        name: read_private(folder / name, _MOST_PRIVATE_BYTES) or b"" for name in names
    }
    if private_digest(files) != manifest.private:
        raise ConfigError(
            str(folder / PRIVATE),
            "is not as it was when the league was frozen; restore it from a copy",
        )
    if manifest.seed is not None:
        return None
    secret = decode_secret(files.get(SECRET, b""), folder / SECRET)
    if secret.keys.commitment != manifest.commitment:
        raise ConfigError(
            str(folder / SECRET),
            f"has other keys than {MANIFEST} says; restore both from a copy",
        )
    return secret


def _digest_of(path: Path) -> str:
    """Return the SHA-256 of a file, of any size; nothing of what is a link or no file.

    Raises:
        ConfigError: it can't be read.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with open(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                return ""
            return file_digest(file, "sha256").hexdigest()
    except OSError as error:
        if error.errno == ELOOP:
            return ""
        raise ConfigError(str(path), f"can't be read ({error.strerror})") from None


def _files(folder: Path) -> Iterator[str]:
    """Yield the paths of all files below a folder but the manifest."""
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        is_folder = path.is_dir() and not path.is_symlink()
        if not (is_folder or "__pycache__" in path.parts or name == MANIFEST):
            yield name


def _changes(manifest: _Manifest, config: LeagueConfig) -> Iterator[str]:
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
