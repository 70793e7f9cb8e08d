"""Which keys a league is played with, after its file, its results and their secret."""

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from arena.errors import ConfigError, RecordError
from arena.league.config.info import PlayedLuck
from arena.league.config.keys import Keys
from arena.league.config.league_file import LeagueConfig
from arena.league.results.secret import (
    Secret,
    read_secret,
    secret_path,
    write_secret,
)
from arena.league.results.store import Store
from arena.text import counted


@dataclass(frozen=True, slots=True)
class ChosenKeys:
    """The keys that a league is to be played with."""

    keys: Keys
    secret: Secret | None = None
    """What is to be written before a game is played; None if all is there."""
    notes: tuple[str, ...] = ()
    """Facts that the instructor should know, a sentence each."""
    is_revealed: bool = False
    """True if anybody may know the luck key: no game is played with it any more."""

    def check_missing(self, results: Path, missing: int) -> None:
        """Check that so many games of a results folder may be played.

        Raises:
            RecordError: the luck key was revealed.
        """
        if missing and self.is_revealed:
            raise RecordError(
                f"{secret_path(results)}: the luck of this league has been revealed, "
                f"and {counted(missing, 'game')} would be played with it; play all "
                "games again with new luck by --fresh"
            )

    def keep(self, results: Path) -> None:
        """Write the keys beside a results folder, if they are new.

        Raises:
            RecordError: they can't be written.
        """
        if self.secret is not None:
            write_secret(results, self.secret)


def find_secret(results: Path, store: Store | None) -> Secret | None:
    """Return the keys that go with a results folder; None if it needs new ones.

    `store` is that of the folder, if it has one.

    Raises:
        RecordError: its games were played with other keys or with public luck, or their
            keys are missing or can't be read.
    """
    played = None if store is None else store.luck()
    if played is not None and not played.is_older and not played.commitment:
        raise RecordError(
            f"{results}: holds a league with public luck (seed {played.seed}), and "
            "this one has secret luck; choose another folder with --results"
        )
    secret = read_secret(results)
    path = secret_path(results)
    if played is None or not played.commitment:
        return secret
    if secret is None:
        raise RecordError(
            f"{path}: the keys of the league in {results} are missing (its folder may "
            "have been moved or renamed without them); bring them here with `arena "
            "secret import`, or play the league anew into another folder with --results"
        )
    check_own(secret, results, played)
    return secret


def check_own(secret: Secret, results: Path, played: PlayedLuck) -> None:
    """Check that keys are those of the league in a results folder.

    Raises:
        RecordError: they are not.
    """
    keys = secret.keys
    if played.commitment not in ("", keys.commitment, *keys.earlier):
        raise RecordError(
            f"{secret_path(results)}: has the keys of another league than {results}; "
            "bring its own here with `arena secret import`"
        )


def choose_keys(
    config: LeagueConfig,
    results: Path,
    store: Store | None,
    *,
    fresh: bool = False,
    frozen: Secret | None = None,
) -> ChosenKeys:
    """Return the keys of the league in a results folder, or new ones; write nothing.

    With `fresh` the luck key is a new one.  `store` is that of the folder, if it has
    one; `frozen` has the keys of a frozen league.

    Raises:
        ConfigError: there is no `fresh` public luck, nor any of a frozen league.
        RecordError: its games were played with other luck, or their keys are missing or
            can't be read.
    """
    played = None if store is None else store.luck()
    if config.seed is not None:
        return _public(config, config.seed, results, played, fresh=fresh)
    text = config.alias_text
    if frozen is not None:
        return _as_frozen(frozen, text, results, played, fresh=fresh)
    there = find_secret(results, store)
    if there is None:
        return _new(text, results, played)
    if fresh:
        secret = replace(there.redraw(), pseudonyms=text)
        again = counted(len(secret.keys.earlier), "time")
        note = (
            f"luck is drawn anew ({again} by now), and all games are played again; "
            "if this run is broken off, go on without --fresh"
        )
        return ChosenKeys(secret.keys, secret, (note,))
    notes = [*_not_made_here(results, played), *_history(results, played)]
    kept = _kept(there, text, there, notes)
    return dataclasses.replace(kept, is_revealed=there.is_spent)


def _kept(
    secret: Secret, text: str, there: Secret | None, notes: Iterable[str]
) -> ChosenKeys:
    """Return keys with a text for aliases, which are written if they are not there."""
    secret = replace(secret, pseudonyms=text)
    return ChosenKeys(secret.keys, None if secret == there else secret, tuple(notes))


def _public(
    config: LeagueConfig,
    seed: int,
    results: Path,
    played: PlayedLuck | None,
    *,
    fresh: bool,
) -> ChosenKeys:
    if fresh:
        raise ConfigError(
            "--fresh",
            f"the luck of this league is public (seed {seed}), so none can be drawn; "
            "leave out --fresh or the seed",
        )
    if played is not None and played.commitment:
        raise RecordError(
            f"{results}: holds a league with secret luck, and the luck of seed {seed} "
            "is public; choose another folder with --results"
        )
    notes = [
        f"the luck of this league is public: who knows the seed {seed} can work out "
        "all dice and cards; leave the seed out in a league that counts"
    ]
    if config.pseudonyms is True:
        notes.append(
            f"{config.path}: pseudonyms: aliases are made with a secret key, and "
            "public luck has none; for pages with aliases set it to a text"
        )
    text = config.alias_text
    there = read_secret(results) if text else None
    secret = None
    if text and (there is None or there.pseudonyms != text):
        secret = replace(there or Secret.draw(), pseudonyms=text)
    return ChosenKeys(Keys.of_seed(seed), secret, tuple(notes))


def _new(text: str, results: Path, played: PlayedLuck | None) -> ChosenKeys:
    """Return new keys for a folder without any."""
    notes = [
        f"the luck of this league hangs on {secret_path(results)}: keep a copy, and "
        "show it to nobody"
    ]
    return _kept(Secret.draw(), text, None, [*notes, *_history(results, played)])


def _not_made_here(results: Path, played: PlayedLuck | None) -> list[str]:
    """Return a sentence on keys that are older than the first game."""
    if played is not None and played.commitment:
        return []
    return [
        f"{secret_path(results)} has been there since before the first game of this "
        "league; if neither you nor arena put it there, remove it, and new keys are "
        "made"
    ]


def _history(results: Path, played: PlayedLuck | None) -> list[str]:
    """Return a sentence on games that are not played with these keys."""
    if played is None or played.commitment:
        return []
    return [
        f"the games in {results} were played with public luck: they stay there as "
        "history, and all are played again with secret luck"
    ]


def _as_frozen(
    frozen: Secret,
    text: str,
    results: Path,
    played: PlayedLuck | None,
    *,
    fresh: bool,
) -> ChosenKeys:
    """Return the keys of a frozen league for a folder that has these, or none.

    Luck that has been revealed is good for the games that were played with it.
    """
    if fresh:
        raise ConfigError(
            "--fresh",
            "a frozen league is played with the luck that it was frozen with; leave "
            "this out",
        )
    secret = read_secret(results)
    has_other_keys = secret is not None and not secret.has_keys_of(frozen)
    has_other_games = (
        played is not None
        and not played.is_older
        and played.commitment != frozen.keys.commitment
    )
    if has_other_keys or has_other_games:
        raise RecordError(
            f"{results}: holds a league with other luck than the frozen one; choose "
            "another folder with --results"
        )
    kept = _kept(secret or frozen, text, secret, _history(results, played))
    return ChosenKeys(frozen.keys, kept.secret, kept.notes)
