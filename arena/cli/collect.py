"""`arena collect`"""

import re
from collections.abc import Callable
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from arena.cli.views.collected import View
from arena.cli.views.events import print_note
from arena.cli.views.terminal import echo, tell, terminal_width
from arena.collect.collected import Collected
from arena.collect.collection import Wishes, collecting
from arena.collect.deadline import Deadline
from arena.collect.export_files import open_export
from arena.collect.platforms import understand
from arena.collect.platforms.pattern import read_pattern
from arena.collect.students_csv import write_students
from arena.collect.what_plays import what_plays
from arena.errors import ArenaError, ConfigError
from arena.games import game_paths
from arena.league.play.interrupts import run_interruptible, signals_as_interrupts
from arena.league.results.thaw import open_league
from arena.plugins import load_plugins
from arena.text import counted, one_line

_PATH = click.Path(path_type=Path)


@click.command()
@click.argument("exports", nargs=-1, required=True, metavar="EXPORT...", type=_PATH)
@click.option(
    "--into",
    "folder",
    required=True,
    type=_PATH,
    metavar="FOLDER",
    help="Where hand-ins are kept: a folder for each student, and students.csv. What "
    "lies there already stays.",
)
@click.option(
    "--students",
    type=_PATH,
    metavar="FILE",
    help="The list of students: a CSV file, such as the gradebook that the platform "
    "exports. [default: FOLDER/students.csv, if there is one]",
)
@click.option(
    "--key",
    metavar="COLUMN",
    help="The column of that file by which the gradebook knows students. [default: "
    "student]",
)
@click.option(
    "--deadline",
    metavar="TIME",
    help="What comes later is marked late: 2026-11-29 for the end of that day, or "
    "'2026-11-29 18:00', maybe with a zone (+01:00).",
)
@click.option(
    "--in-time",
    is_flag=True,
    help="What is late does not play; it is kept in FOLDER/_earlier.",
)
@click.option(
    "--attempts",
    type=click.Choice(["latest", "all"]),
    default="latest",
    help="Whether earlier attempts of a student are named in students.csv too. "
    "[default: latest]",
)
@click.option(
    "--pattern",
    metavar="REGEX",
    help="For any other export: how the paths in it say whose they are, with the named "
    "groups student and file, and maybe timestamp, attempt (a number), name, id and "
    "late: '(?P<student>[^/]+)/(?P<file>.+)'.",
)
@click.option(
    "--league",
    type=_PATH,
    metavar="CONFIG",
    help="Take games, packages and shared files from this league's file.",
)
def command(
    exports: tuple[Path, ...],
    folder: Path,
    students: Path | None,
    key: str | None,
    deadline: str | None,
    in_time: bool,
    attempts: str,
    pattern: str | None,
    league: Path | None,
) -> None:
    """Make hand-ins of what a learning platform exports.

    EXPORT is a zip, or a folder, as Canvas, Moodle, Blackboard, Gradescope,
    Brightspace, Sakai or GitHub Classroom give it. The table at the end says what was
    found, and what will play. Do it again with a later export: what is new is added,
    and a student keeps his folder.
    """
    load_plugins()
    if key is not None and students is None:
        raise ConfigError(
            "--key", "names a column of a file; give that with --students"
        )
    if in_time and attempts == "all":
        raise ConfigError(
            "--attempts",
            "names all that is kept in _earlier, where late ones are kept too; leave "
            "out --in-time, or take the latest",
        )
    wishes = Wishes(
        students=students,
        key=key,
        deadline=None if deadline is None else Deadline.parse(deadline),
        in_time=in_time,
        all_attempts=attempts == "all",
    )
    config = None if league is None else open_league(league).config
    with signals_as_interrupts(), Console(stderr=True).status("") as status:
        collected = _collect(
            exports,
            folder,
            wishes,
            None if pattern is None else read_pattern(pattern),
            lambda name: status.update(Text(f"reading {one_line(name)}")),
        )
    games = len(game_paths()) if config is None else len(config.game_names)
    counting = {
        row.place: None
        for row in collected.rows
        if row.counts and row.place is not None
    }
    problem = None
    playing = None
    try:
        asking = Text(f"asking {counted(len(counting), 'hand-in')} what they play")
        with Console(stderr=True).status(asking):
            playing, warning = run_interruptible(
                what_plays, [*counting], str(folder), config
            )
        print_note(warning)
    except ArenaError as error:
        problem = error
    view = View(collected, playing, games)
    tell(f"{view.exports()}\n")
    echo(view.table(terminal_width()))
    for note in view.notes():
        print_note(note)
    tell(f"\n{view.summary()}")
    if problem is not None:
        raise problem
    echo()
    tell(view.next_steps(league, all_attempts=wishes.all_attempts))


def _collect(
    exports: tuple[Path, ...],
    folder: Path,
    wishes: Wishes,
    pattern: re.Pattern[str] | None,
    show: Callable[[str], None],
) -> Collected:
    for export in exports:
        if folder.resolve().is_relative_to(export.resolve()):
            raise ConfigError(
                "--into",
                f"{folder} lies in the export {export}; name a folder outside of it",
            )
    with collecting(folder, wishes) as collector:
        for export in exports:
            real = export.resolve()
            show(real.name)
            stem = real.name if real.is_dir() else real.stem.removesuffix(".tar")
            with open_export(export) as files:
                collector.take(real.name, understand(stem, files, pattern))
        collected = collector.put_in_place()
        write_students(collected, all_attempts=wishes.all_attempts)
    return collected
