"""What a person does with the keys of a results folder: moves them, reveals them."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.errors import RecordError
from arena.league.results.database import locked
from arena.league.results.league_keys import check_own, find_secret
from arena.league.results.secret import (
    Secret,
    decode_secret,
    read_secret,
    secret_path,
    write_secret,
)
from arena.league.results.store import FILE_NAME, Store
from arena.text import counted

_MOST_BYTES = 2**20


def shown(results: Path) -> list[str]:
    """Return what anybody may know of the luck of a league: a line for each fact.

    Raises:
        RecordError: there is no league, a file can't be read, or the keys there are
            those of another league.
    """
    with _store(results) as store:
        played = None if store is None else store.luck()
    path = secret_path(results)
    if played is not None and not played.commitment and not played.is_older:
        return [f"luck: public, all of it comes from the seed {played.seed}"]
    secret = read_secret(results)
    if secret is None and (played is None or not played.commitment):
        raise RecordError(
            f"{results}: no league with secret luck here, and no private file {path}; "
            "name the folder that `arena league` has written"
        )
    if secret is None:
        assert played is not None
        return [
            f"commitment: {played.commitment}",
            f"private file: {path} is missing; `arena secret import` brings it back",
        ]
    if played is not None:
        check_own(secret, results, played)
    times = len(secret.keys.earlier)
    state = "revealed: new games take new luck (arena league CONFIG --fresh)"
    return [
        f"commitment: {secret.keys.commitment}",
        f"private file: {path}",
        f"drawn anew: {counted(times, 'time')}",
        f"key: {state if secret.is_spent else 'secret'}",
    ]


def export_secret(results: Path, file: Path) -> None:
    """Copy the keys of a results folder into a file that only the owner may read.

    Raises:
        RecordError: there are none, or other ones in the file, or it can't be written.
    """
    secret = _kept(results)
    if file.resolve().is_relative_to(results.resolve()):
        raise RecordError(
            f"{file}: lies among the results, which may be handed on; name a file that "
            "stays with you"
        )
    data = secret.encode()
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        if _read(file) != data:
            raise RecordError(
                f"{file}: is there already, and does not hold these keys; name another "
                "file"
            ) from None
        return
    except OSError as error:
        raise _unwritten(file, error) from None
    try:
        with open(descriptor, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
    except OSError as error:
        file.unlink(missing_ok=True)
        raise _unwritten(file, error) from None


def import_secret(file: Path, results: Path) -> None:
    """Make the keys in a file those of a results folder.

    Raises:
        RecordError: they are no keys, the folder has other ones, or its games were
            played with other ones; or they can't be written.
        BusyError: a league is being played there.
    """
    secret = decode_secret(_read(file), file)
    try:
        results.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritten(results.parent, error) from None
    with _at_rest(results) as store:
        there = read_secret(results)
        if there is not None and there != secret:
            raise RecordError(
                f"{secret_path(results)}: is there already, and its keys are not those "
                f"of {file}; move it away first"
            )
        _check_not_public(results, store)
        played = None if store is None else store.luck()
        known = "", secret.keys.commitment, *secret.keys.earlier
        if played is not None and played.commitment not in known:
            raise RecordError(
                f"{file}: has not the keys that the games in {results} were played "
                f"with: their commitment is {played.commitment}, and that of the file "
                f"{secret.keys.commitment}"
            )
        if there is None:
            write_secret(results, secret)


def reveal(results: Path) -> Secret:
    """Give the luck key of a league away; nothing more is played with it.

    Raises:
        RecordError: there are no keys, or the league is not played to its end.
        BusyError: it is being played.
    """
    with _at_rest(results) as store:
        secret = _found(results, store)
        if secret.is_spent:
            return secret
        missing = (
            0 if store is None else store.planned() - sum(store.isolations().values())
        )
        if missing:
            raise RecordError(
                f"{results}: {counted(missing, 'game')} of this league are not played "
                "yet, and nobody may know their luck; run it to its end first"
            )
        secret = secret.spend()
        # Before anybody sees it.
        write_secret(results, secret)
        return secret


def _kept(results: Path) -> Secret:
    """Return the keys of a results folder.

    Raises:
        RecordError: there are none, or not those of its games.
    """
    with _store(results) as store:
        return _found(results, store)


def _found(results: Path, store: Store | None) -> Secret:
    _check_not_public(results, store)
    secret = find_secret(results, store)
    if secret is None:
        raise RecordError(
            f"{secret_path(results)}: there are no keys yet; the first run of the "
            "league draws them"
        )
    return secret


def _check_not_public(results: Path, store: Store | None) -> None:
    """Check that the luck of a league is not public.

    Raises:
        RecordError: it is.
    """
    played = None if store is None else store.luck()
    if played is not None and not played.is_older and not played.commitment:
        raise RecordError(
            f"{results}: all of its luck comes from a public seed ({played.seed}), so "
            "there are no keys"
        )


@contextmanager
def _store(results: Path) -> Iterator[Store | None]:
    """Open the games of a results folder for reading, if there are any."""
    if not (results / FILE_NAME).exists():
        yield None
        return
    with Store.read(results) as store:
        yield store


@contextmanager
def _at_rest(results: Path) -> Iterator[Store | None]:
    """Open the games of a results folder, if there are any, and let nobody play there.

    Raises:
        BusyError: somebody does.
    """
    if not results.is_dir():
        yield None
        return
    with locked(results), _store(results) as store:
        yield store


def _read(file: Path) -> bytes:
    """Return the contents of a file of keys, wherever a person has put it."""
    try:
        with open(file, "rb") as source:
            return source.read(_MOST_BYTES)
    except OSError as error:
        raise RecordError(f"{file}: can't be read ({error.strerror})") from None


def _unwritten(file: Path, error: OSError) -> RecordError:
    return RecordError(
        f"{file}: can't be written ({error.strerror}); name another file"
    )
