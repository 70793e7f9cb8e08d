"""Which keys a league is played with, after its file, its results and their secret."""

from dataclasses import dataclass
from pathlib import Path

from arena.errors import ConfigError, RecordError
from arena.league.config.info import PlayedLuck
from arena.league.config.keys import Keys
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

    def keep(self, results: Path) -> None:
        """Write the keys beside a results folder, if they are new.

        Raises:
            RecordError: they can't be written.
        """
        if self.secret is not None:
            write_secret(results, self.secret)


def choose_keys(
    seed: int | None, results: Path, store: Store | None, *, fresh: bool = False
) -> ChosenKeys:
    """Return the keys of the league in a results folder, or new ones; write nothing.

    `seed` is that of public luck, None for secret luck; with `fresh` the luck key is a
    new one.  `store` is that of the folder, if it has one.

    Raises:
        ConfigError: there is no `fresh` public luck.
        RecordError: its games were played with other luck, their keys are missing or
            can't be read, or the luck key was revealed.
    """
    played = None if store is None else store.luck()
    if seed is not None:
        return _public(seed, results, played, fresh=fresh)
    if played is not None and not played.is_older and not played.commitment:
        raise RecordError(
            f"{results}: holds a league with public luck (seed {played.seed}), and "
            "this one has secret luck; choose another folder with --results"
        )
    secret = read_secret(results)
    path = secret_path(results)
    if secret is None:
        return _new(results, played)
    if played is not None and played.commitment not in (
        "",
        secret.keys.commitment,
        *secret.keys.earlier,
    ):
        raise RecordError(
            f"{path}: has the keys of another league than {results}; bring its own "
            "here with `arena secret import`"
        )
    if fresh:
        secret = secret.redraw()
        again = counted(len(secret.keys.earlier), "time")
        note = f"luck is drawn anew ({again} by now), and all games are played again"
        return ChosenKeys(secret.keys, secret, (note,))
    if secret.is_spent:
        raise RecordError(
            f"{path}: the luck of this league has been revealed, so nothing more can "
            "be played with it; play all games again with new luck by --fresh"
        )
    return ChosenKeys(secret.keys)


def _public(
    seed: int, results: Path, played: PlayedLuck | None, *, fresh: bool
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
    note = (
        f"the luck of this league is public: who knows the seed {seed} can work out "
        "all dice and cards; leave the seed out in a league that counts"
    )
    return ChosenKeys(Keys.of_seed(seed), notes=(note,))


def _new(results: Path, played: PlayedLuck | None) -> ChosenKeys:
    """Return new keys for a folder without any."""
    path = secret_path(results)
    if played is not None and played.commitment:
        raise RecordError(
            f"{path}: the keys of the league in {results} are missing (its folder may "
            "have been moved or renamed without them); bring them here with `arena "
            "secret import`, or play the league anew into another folder with --results"
        )
    secret = Secret.draw()
    notes = [
        f"the luck of this league hangs on {path}: keep a copy, and show it to nobody"
    ]
    if played is not None:
        notes.append(
            f"the games in {results} were played with public luck: they stay there as "
            "history, and all are played again with secret luck"
        )
    return ChosenKeys(secret.keys, secret, tuple(notes))
