"""All that `arena report` writes of a league: pages, grades, and reports of plugins."""

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from arena.errors import ConfigError
from arena.games import GameSpecError, get_game
from arena.league.config.info import LeagueInfo
from arena.league.config.league_file import load_config
from arena.league.config.settings import Watch
from arena.league.config.students import with_settings
from arena.league.results.store import Store
from arena.plugins import REPORTS
from arena.registry import load
from arena.reports.games import Games, read_games
from arena.reports.grading.aliases import alias_key, aliases_for
from arena.reports.grading.gradebook import write_grades
from arena.reports.grading.private import organiser_names
from arena.reports.pages.oddities_page import write_oddities
from arena.reports.pages.write import write_pages
from arena.reports.replay.packs import pack_of
from arena.reports.report import Report, read_report
from arena.reports.watched import watch_in_force
from arena.reports.writing import make_folder


def publish(
    store: Store,
    results: Path,
    folder: Path,
    config: Path | None = None,
    *,
    with_aliases: bool | None = None,
    private: bool = False,
) -> list[str]:
    """Write the pages into `folder`, all else beside the games in `results`.

    Grading, pseudonyms and who may watch which games are those of the file `config`, or
    those that the league was played with.  By default pages show aliases if the league
    has pseudonyms.  With `private` they are for the instructor alone.  Return lines to
    print.

    Raises:
        ConfigError: a game is not installed, or the settings do not fit the league.
    """
    info, where = store.info(), str(results)
    _check_games(info, results)
    text = None
    if config is not None:
        settings = load_config(config)
        info, where = with_settings(info, settings), str(config)
        text = settings.alias_text
    if with_aliases is None:
        with_aliases = info.pseudonyms and not private
    report = read_report(store)
    lines = [*write_grades(report, info, results, where)]
    lines += write_oddities(report, results)
    if with_aliases:
        key = alias_key(info, results, text)
        report = read_report(store, aliases_for(info, results, key))
    watch = watch_in_force(info.watch, is_anonymous=with_aliases)
    report = replace(report, watch=watch)
    if private:
        # To rate a league again takes seconds, and mostly nobody has another name.
        if organiser_names(info, results):
            report = _named_for_organiser(store, info, results)
        report = _private(report)
    called = Path("results", results.absolute().name) if with_aliases else results
    games = read_games(store, report)
    problems = write_pages(report, games, store, folder, str(called))
    lines += [f"note: {problem}" for problem in problems]
    who = "bots under aliases" if with_aliases else "bots"
    lines.append(
        f"pages of {len(report.rows)} {who}, {len(games.replays)} games to replay: "
        f"open {folder / 'index.html'}"
    )
    if report.watch == Watch.ALL and len(games.replays) < len(games.refs):
        lines.append(
            f"note: the pages have room for {len(games.replays):,} of "
            f"{len(games.refs):,} games; arena report {shlex.quote(str(results))} "
            "--open shows every game"
        )
    lines += write_plugin_reports(report, games, results)
    return lines


def write_for_one(store: Store, results: Path, folder: Path) -> Mapping[str, str]:
    """Write private pages into `folder` whose replays are made when they are wanted.

    Return the name of each entry by its id, for `replay_for_one`.

    Raises:
        ConfigError: a game is not installed.
        RecordError: the pages can't be written.
    """
    info = store.info()
    _check_games(info, results)
    report = _private(_named_for_organiser(store, info, results))
    games = read_games(store, report)
    games = replace(games, replays=frozenset(games.refs.ids))
    write_pages(report, games, store, folder, str(results), on_demand=True)
    return report.names


def replay_for_one(results: Path, names: Mapping[str, str], game_id: str) -> str:
    """Return the pack with a game of a league, which may be played meanwhile.

    Raises:
        RecordError: the store can't be read.
    """
    with Store.read(results) as store, store.snapshot():
        return pack_of(store, names, game_id, str(results), private=True)


def _named_for_organiser(store: Store, info: LeagueInfo, results: Path) -> Report:
    return read_report(store, called=organiser_names(info, results))


def _private(report: Report) -> Report:
    return replace(report, watch=Watch.ALL, is_private=True)


def _check_games(info: LeagueInfo, results: Path) -> None:
    """Check that all games are installed, as replays need their rules.

    Raises:
        ConfigError: one is not.
    """
    for label in info.labels:
        try:
            get_game(label.game, label.players, label.options)
        except GameSpecError as error:
            raise ConfigError(
                f"{results}: {label.label}",
                f"{error}; install the plugin that this league was played with",
            ) from None


def write_plugin_reports(report: Report, games: Games, results: Path) -> Iterator[str]:
    """Write the report of every plugin; yield the outcome of each, in a sentence.

    It is a function of `report`, `games` and a folder, which is `results/NAME` and is
    there.  One that fails harms no other.
    """
    for name, path in sorted(REPORTS.items()):
        folder = results / name
        try:
            make_folder(folder)
            load(path)(report, games, folder)
        except (Exception, SystemExit) as error:
            yield (
                f"note: report {name} ({path}): can't be written: "
                f"{type(error).__name__}: {error}"
            )
        else:
            yield f"report {name}: in {folder}"
