"""The lines that tell how far a league is, where there is no terminal."""

import time

import pytest

from arena.cli.views.progress import progress_view
from arena.league.play.recorder import Progress


def test_the_time_that_is_left_comes_from_the_games_and_not_from_the_start(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    with progress_view() as show:
        # Loading the bots takes 50 s; then ten games a second are played.
        for seconds, played in ((0.0, 0), (50.0, 4), (60.0, 104), (70.0, 204)):
            now[0] = seconds
            show(Progress(planned=1004, recorded=played, played=played))
    assert capsys.readouterr().err.splitlines() == [
        "0 of 1004 games",
        "4 of 1004 games",
        "104 of 1004 games, about 2 min left",
        "204 of 1004 games, about 80 s left",
    ]


def test_who_held_the_league_up_before_counts_no_more_after_a_minute(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    with progress_view() as show:
        # One game in twenty seconds; then, with the bot in quarantine, ten a second.
        for seconds, played in [
            *((20.0 * n, n) for n in range(1, 16)),
            *((300.0 + 10.0 * n, 15 + 100 * n) for n in range(1, 8)),
        ]:
            now[0] = seconds
            show(Progress(planned=1715, recorded=played, played=played))
    lines = capsys.readouterr().err.splitlines()
    assert lines[14] == "15 of 1715 games, about 9.4 h left"
    assert lines[-1] == "715 of 1715 games, about 2 min left"
