"""What a student reads of a mistake, and that his bot plays once he has followed it.

The files are as they would be written, the sentences those of the real referee.
"""

import re
import sys
from collections.abc import Iterable
from pathlib import Path

import golden_files
import of_classes
import of_errors
import of_files
import of_guests
import of_replies
import of_syntax
import pytest
import reading
import trio
from documents import BOTS, GUIDE, cells, section
from kept import KEPT, TWICE
from matrix import divided
from mistake import Mistake
from msgspec.structs import replace
from sandboxes import best_level, sandbox_of, why_not

from arena.check.shared_state import shared_state
from arena.games import derive_seed, game_class, game_paths
from arena.records.game_record import Fault, GameRecord
from arena.referee.contestant.misconduct import saying
from arena.referee.sandbox import LEVELS
from arena.referee.unit_player import UnitPlayer
from arena.referee.work_unit import EntrySpec, GameTask, Limits, WorkUnit
from arena.worker.compat.zombiedice.remedies import OF_FAILURES, OF_READINGS
from arena.worker.protocol import GameSpec
from arena.worker.remedies.of_errors import OF_ERRORS
from arena.worker.remedies.of_replies import OF_REPLIES

READ = (*of_files.MISTAKES, *of_syntax.MISTAKES)
"""Those that `test_reading.py` reads in its own process."""
SAMPLES = (
    *("misspelt method", "missing base", "bot of another file", "missing colon"),
    *("tabs and spaces", "UTF-16", "bracket left open"),
)
MISTAKES: tuple[Mistake, ...] = (
    *(mistake for mistake in READ if mistake.name in SAMPLES),
    *of_classes.MISTAKES,
    *of_errors.MISTAKES,
    *of_replies.MISTAKES,
    *of_guests.MISTAKES,
)
REMEDIES = (*OF_ERRORS, *OF_REPLIES, *OF_FAILURES, *OF_READINGS)
LIMITS = Limits(start=0.4, move=0.1, bank=0.0, memory=256, output=200_000)
# What has been remedied shall not fail by the speed of a machine.
REMEDIED_LIMITS = replace(LIMITS, start=4.0, move=2.0)
TOLD = "mistakes/told.txt"
WHICH = divided(("shown", "all"), lambda which: which == "shown")
"""The mistakes that the guide shows, or all of them."""
WEAK = ("limits", "process")
OF_SYSTEM = {mistake.name for mistake in of_errors.OF_SYSTEM}
LATENESS = r"after \d\.\d\d s of CPU time( in \d\.\d\d s)?"
PARTNER = BOTS / "random_bot.py"


def _entry(mistake: Mistake, folder: Path, *, remedied: bool) -> EntrySpec:
    """Write the files of a hand-in."""
    text = mistake.remedied if remedied else mistake.text
    beside = {**mistake.beside, **(mistake.remedied_beside if remedied else {})}
    path = folder / "mistake.py"
    texts = {path: text, **{folder / name: data for name, data in beside.items()}}
    for file, data in texts.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data.encode() if isinstance(data, str) else data)
    return EntrySpec(
        mistake.name,
        str(path),
        mistake.bot,
        files=tuple(map(str, texts)),
        folder=str(folder) if beside else "",
    )


def _play(
    mistakes: Iterable[Mistake], folder: Path, level: str = "", *, remedied: bool
) -> list[GameRecord]:
    """Play a game of each against a random bot; the seat is 0 of each."""
    records: list[GameRecord] = []
    by_game: dict[str, list[EntrySpec]] = {}
    for number, mistake in enumerate(mistakes):
        place = folder / str(number) / "hand_in"
        by_game.setdefault(mistake.game, []).append(
            _entry(mistake, place, remedied=remedied)
        )
    for game, entries in by_game.items():
        partner = EntrySpec("partner", str(PARTNER), "Random", files=(str(PARTNER),))
        unit = WorkUnit(
            label="label",
            game=GameSpec(game, game_paths()[game], game_class(game).min_players, {}),
            entries=(partner, *entries),
            games=tuple(
                GameTask(e.id, e.id, "match", derive_seed("test", 0), (number, 0))
                for number, e in enumerate(entries, 1)
            ),
            limits=REMEDIED_LIMITS if remedied else LIMITS,
            max_decisions=500,
            in_flight=4,
        )
        folders = [e.folder for e in entries if e.folder]
        _run(unit, folders, level or best_level(), records)
    return records


def _run(
    unit: WorkUnit, folders: list[str], level: str, records: list[GameRecord]
) -> None:
    async def play() -> None:
        with sandbox_of(level, folders) as sandbox:
            await UnitPlayer(unit, sandbox, records.append, busy=2).play()

    trio.run(play)


def _faults(
    mistakes: Iterable[Mistake], folder: Path, level: str = ""
) -> dict[str, Fault]:
    """Return the fault of each mistake, by its name."""
    records = _play(mistakes, folder, level, remedied=False)
    return {
        record.game_id: fault
        for record in records
        for fault in record.faults
        if fault.entry != "partner"
    }


def sentence(fault: Fault) -> str:
    """Return what is told, whatever the time it took."""
    return re.sub(LATENESS, "TIME", fault.message)


def _lines(text: str | bytes) -> set[str]:
    shown = text.decode(errors="replace") if isinstance(text, bytes) else text
    return {line.strip() for line in shown.splitlines() if line}


def _told(mistake: Mistake, fault: Fault) -> str:
    """Return the line of the golden file."""
    parts = [mistake.name, fault.termination, sentence(fault)]
    if "TIME" not in parts[2]:
        # The student's own lines, without Python's marks below them.
        shown = [line.strip() for line in fault.traceback.splitlines()]
        parts += [line for line in shown if line in _lines(mistake.text)]
    return " | ".join(parts) + "\n"


def _golden() -> dict[str, list[str]]:
    """Return the parts of each line of the golden file, by the name of the mistake."""
    lines = (golden_files.FOLDER / TOLD).read_text("utf-8").splitlines()
    return {parts[0]: parts for parts in (line.split(" | ") for line in lines)}


def _shown() -> set[str]:
    """Return the sentences of the guide."""
    rows = cells(section(GUIDE, "Common mistakes"))
    return {re.sub(LATENESS, "TIME", row[1].strip("`")) for row in rows}


def _as_shown(sentence: str) -> str:
    return sentence.replace("mistake.py", "my_bot.py").replace("Mistake", "MyBot")


def _chosen(which: str) -> list[Mistake]:
    """Return all mistakes, or those that the guide shows."""
    if which == "all" or golden_files.renewing:
        return [*MISTAKES]
    golden, shown = _golden(), _shown()
    names = {name for name, parts in golden.items() if _as_shown(parts[2]) in shown}
    return [mistake for mistake in MISTAKES if mistake.name in names]


@pytest.mark.parametrize("which", WHICH)
def test_a_mistake_is_named_with_its_line_and_the_remedy(
    which: str, tmp_path: Path
) -> None:
    mistakes = _chosen(which)
    faults = _faults(mistakes, tmp_path)
    told = [_told(mistake, faults[mistake.name]) for mistake in mistakes]
    if len(told) == len(MISTAKES):
        golden_files.check("".join(told), TOLD)
    assert told == [" | ".join(_golden()[x.name]) + "\n" for x in mistakes]
    assert faults["misspelt action"].output == "rolling\n"
    assert "Brains!" in faults["too many prints"].output


@pytest.mark.parametrize("which", WHICH)
def test_who_follows_the_remedy_has_a_bot_that_plays(
    which: str, tmp_path: Path
) -> None:
    remedied = [mistake for mistake in _chosen(which) if mistake.remedied]
    records = _play(remedied, tmp_path, remedied=True)
    assert len(records) == len(remedied) > 15
    assert [fault for record in records for fault in record.faults] == []


@pytest.mark.exhaustive
def test_the_referee_says_what_is_read(tmp_path: Path) -> None:
    mistakes = [mistake for mistake in READ if sys.version_info < mistake.until]
    records = _play(mistakes, tmp_path / "bad", remedied=False)
    faults = {record.game_id: f for record in records for f in record.faults}
    for mistake in mistakes:
        files = reading.files_of(mistake, tmp_path)
        line, message = reading.told(files, mistake.game)
        found = re.sub("^hand_in(/|(?=:))", "", sentence(faults[mistake.name]))
        found = f"mistake.py{found}" if found.startswith(":") else found
        assert (mistake.name, found) == (mistake.name, f"{line}: {saying(message)}")
    records = _play(mistakes, tmp_path / "good", remedied=True)
    assert len(records) == len(mistakes)
    assert [fault for record in records for fault in record.faults] == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("level", LEVELS)
def test_a_remedy_is_the_same_at_all_levels(level: str, tmp_path: Path) -> None:
    """Of mistakes that depend on the system; at the weak levels some are none."""
    if why_not(level):
        pytest.skip(why_not(level))
    # There these would start what outlives them.
    left_out = ("other programs", "several processes") if level in WEAK else ()
    mistakes = [
        mistake
        for mistake in MISTAKES
        if mistake.name in OF_SYSTEM and mistake.remedy not in left_out
    ]
    golden = {x.name: _golden()[x.name] for x in mistakes}
    faults = _faults(mistakes, tmp_path / "wrong", level)
    for name, fault in faults.items():
        if fault.termination == golden[name][1]:
            assert _remedy(sentence(fault)) == _remedy(golden[name][2]), name
    assert level in WEAK or golden.keys() == faults.keys()
    records = _play([x for x in mistakes if x.remedied], tmp_path, level, remedied=True)
    assert [fault for record in records for fault in record.faults] == []


def _remedy(sentence: str) -> str:
    """Return what stands in brackets at the end, or else the whole sentence."""
    match = re.search(r" \((?!.* \().*\)['\"]?$", sentence)
    return match[0].rstrip("'\"") if match else sentence


def test_each_remedy_has_a_mistake_and_names_are_unique() -> None:
    names = [mistake.name for mistake in MISTAKES]
    assert len(set(names)) == len(names)
    known = [remedy.mistake for remedy in REMEDIES]
    assert len(set(known)) == len(known)
    assert set(known) <= {mistake.remedy for mistake in MISTAKES}
    raised = {remedy.mistake for remedy in (*OF_ERRORS, *OF_FAILURES)}
    told = {name: parts[2] for name, parts in _golden().items()}
    names = [mistake.name for mistake in MISTAKES if mistake.remedy in raised]
    assert [name for name in names if _remedy(told[name]) == told[name]] == []


def test_the_guide_shows_the_sentences_as_they_are(tmp_path: Path) -> None:
    golden = _golden()
    assert [*golden] == [mistake.name for mistake in MISTAKES]
    told = {_as_shown(parts[2]) for parts in golden.values()}
    file = tmp_path / "my_bot.py"
    file.write_text(KEPT)
    told |= {sentence for _, sentence in shared_state(file)}
    told.add(f"my_bot.py: {TWICE}")
    assert len(_shown()) > 20
    assert _shown() <= told
