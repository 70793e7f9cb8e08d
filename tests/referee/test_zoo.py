"""A bot that misbehaves loses exactly its games, and is told why.

At the strongest level that this machine gives; `test_zoo_levels.py` is about all.
"""

import re
from pathlib import Path

import pytest
from matches import HONEST, bot, bot_at, play, task, without_seconds
from msgspec.structs import replace
from zoo_cases import FAULTS, HARMLESS, HASTY, LIMITED_FAULTS, Case

from arena.referee.record import Termination


def is_slow(case: Case) -> bool:
    """Say whether each game takes its time."""
    return Termination.TIMEOUT in case.ends or case.patient or case.limits is HASTY


@pytest.mark.parametrize("case", FAULTS + LIMITED_FAULTS, ids=lambda case: case.name)
def test_culprit_forfeits_its_games(case: Case) -> None:
    games = 1 if is_slow(case) else 4
    culprit = bot(f"{case.file}.py")
    for record in play(task(culprit, HONEST, games=games, limits=case.limits)):
        seat = record.seats.index("Culprit")
        assert record.termination in case.ends
        assert record.forfeits == tuple(other == seat for other in (0, 1))
        assert record.returns == tuple(float(other != seat) for other in (0, 1))
        assert record.places == tuple(2 if other == seat else 1 for other in (0, 1))
        (fault,) = record.faults
        assert (fault.seat, fault.entry) == (seat, "Culprit")
        assert fault.termination == record.termination
        assert re.match(case.message, fault.message), fault.message
        assert "\n" not in fault.message


@pytest.mark.parametrize(
    "case",
    [case for case in HARMLESS if case.against == "honest"],
    ids=lambda case: case.name,
)
def test_harmless_oddity_costs_nothing(case: Case) -> None:
    games = 1 if case.file in ("loops_in_end", "stalls") else 12
    odd, twin = bot(f"{case.file}.py"), replace(HONEST, id="Culprit")
    records, expected = (
        play(task(first, HONEST, games=games, limits=case.limits))
        for first in (odd, twin)
    )
    assert without_seconds(records) == without_seconds(expected)


TEXTS = [
    ("def act(self, obs)\n", r"culprit.py:5: SyntaxError: expected ':'"),
    ("def act(self, obs):\n        x = 1\n\treturn x\n", "culprit.py:7: TabError: "),
    (
        "def act(self, obs):\n        return (\n",
        "culprit.py:6: SyntaxError: '.' was nev",
    ),
    ("def act(self, obs):\n        return '\0'\n", "culprit.py.*: .*null"),
    ("def act(self, obs):\n        return '\udcff'\n", r"culprit.py.*: .*utf-8"),
]


@pytest.mark.parametrize(("text", "message"), TEXTS)
def test_text_that_is_no_python(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "culprit.py"
    start = "from arena import Bot\n\n\nclass Culprit(Bot):\n    "
    file.write_bytes((start + text).encode(errors="surrogateescape"))
    for record in play(task(bot_at(file, "Culprit"), HONEST, games=2)):
        (fault,) = record.faults
        assert fault.termination == Termination.START_FAILURE
        assert re.match(message, fault.message), fault.message
