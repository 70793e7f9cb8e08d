"""`ratings.json` is enough to compare any two bots, as its page says."""

import json
import re
from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from leagues import entry, game, label_info, league, report_of, value_of
from msgspec.structs import replace

from arena.ratings import Fit
from arena.records.game_record import GameRecord
from arena.reports import ratings_file
from arena.reports.ratings_file import ratings_json
from arena.reports.report import Report

PAGE = (Path(__file__).parents[2] / "results" / "README.md").read_text()
SECTION = PAGE.split("\n## `ratings.json`\n")[1].split("\n## ")[0]
CODE, OVERALL = re.findall(r"```python\n(.*?)```", SECTION, re.DOTALL)
BOTS = [entry(name, "ox_blocks") for name in ("experts", "two_ply", "random")]
STRENGTH = {"experts": 3.0, "two_ply": 2.0, "random": 1.0}


def season(rounds: int) -> list[GameRecord]:
    """Return fixtures of every pair, each won in proportion to its strength."""
    rng = Random(4)
    games: list[GameRecord] = []
    for a, b in [*combinations(BOTS, 2)] * rounds:
        for seats in ((a, b), (b, a)):
            first, second = (STRENGTH[who.name] for who in seats)
            places = (1, 2) if rng.random() < first / (first + second) else (2, 1)
            games.append(game(len(games), seats, places, "ox_blocks"))
    return games


@cache
def report(rounds: int, **options: Any) -> Report:
    games = season(rounds)
    rng = Random(5)
    luck = {g.game_id: (rng.uniform(-0.3, 0.3),) for g in games}
    info = league(BOTS, (label_info("ox_blocks"),), **options)
    return report_of(info, games, luck, [value_of("ox_blocks")])


def fits(report: Report) -> dict[str, Fit | None]:
    (board,) = report.boards
    assert board.fits is not None
    return {
        "elo": board.fits.fit,
        "confirmed": board.fits.confirmed,
        "results": board.fits.results,
    }


@pytest.mark.parametrize("anchor", [None, (BOTS[2].id, 1200.0)])
@pytest.mark.parametrize("rounds", [3, 40])
def test_the_pages_lines_give_the_error_of_a_difference(
    rounds: int,
    anchor: tuple[str, float] | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = report(rounds, anchor=anchor)
    (tmp_path / "ratings.json").write_text(ratings_json(found))
    monkeypatch.chdir(tmp_path)
    exec(CODE, {})
    difference, error = map(float, capsys.readouterr().out.split("+-"))
    fit = fits(found)["elo"]
    assert fit is not None
    # Both kinds of error are tried: with few fixtures, curvature counts.
    assert any(fit.few) is (rounds == 3)
    elo = {rating.entry: rating.elo for rating in fit.ratings}
    index = [rating.entry for rating in fit.ratings].index
    assert difference == pytest.approx(elo["experts"] - elo["two_ply"], abs=0.02)
    variance = fit.variance()[index("experts"), index("two_ply")]
    assert error == pytest.approx(variance**0.5, rel=1e-4)


def test_all_fits_are_there() -> None:
    anchor = (BOTS[2].id, 1200.0)
    found = report(40, exploring=(24, 120), anchor=anchor)
    whole = json.loads(ratings_json(found))
    assert whole["anchor"] == {"bot": "random", "elo": 1200.0}
    assert whole["weights"] == {"ox_blocks": 1.0}
    for name, fit in fits(found).items():
        assert fit is not None
        told = whole["labels"]["ox_blocks"][name]
        assert told["games"] == fit.games == {"elo": 240}.get(name, 144)
        assert told["clusters"] == fit.clusters
        assert told["bots"] == ["experts", "random", "two_ply"]
        assert told["seats"] == [{"players": 2, "seat": 1}]
        assert told["pools"] == [["experts", "random", "two_ply"]]
        assert told["anchored"] is True
        assert told["limits"] == fit.limits.tolist()
        assert told["middle"] == [["random"]]
        assert told["few"] == list(fit.few)
        assert told["df"] == (None if fit.df == np.inf else fit.df)
        for key, numbers in {
            "elo": [rating.elo for rating in fit.ratings],
            "seat_elo": [term.elo for term in fit.seat_terms],
            "phantoms": fit.phantoms,
            "covariance": fit.covariance,
            "curvature": fit.curvature,
        }.items():
            assert np.array(told[key]) == pytest.approx(
                np.array(numbers), rel=5e-6, abs=6e-4
            )
        assert np.array(told["covariance"]).shape == (4, 4)
    plain = json.loads(ratings_json(report(40)))
    assert plain["labels"]["ox_blocks"]["confirmed"] is None
    assert plain["anchor"] is None


def test_without_games_there_are_no_fits() -> None:
    whole = json.loads(ratings_json(report_of(league(BOTS))))
    assert (whole["labels"], whole["weights"]) == ({}, {})
    assert whole["overall"] is None


def test_every_key_is_explained() -> None:
    whole = json.loads(ratings_json(report(3)))
    told = re.findall(r"^\| (`.*?`) \|", SECTION, re.MULTILINE)
    keys = [key for cell in told for key in re.findall(r"`(\w+)`", cell)]
    expected = {*whole["labels"]["ox_blocks"]["elo"], *whole["overall"]}
    assert sorted(keys) == sorted(expected)
    for key in whole:
        assert f"`{key}`" in SECTION


def two_games() -> Report:
    """Return a league of two games, in which one bot of four plays only one."""
    cy = entry("cy", "ox_blocks")
    games = [*season(20)]
    for g in season(12):
        games.append(
            replace(g, label="run", game_id=f"r{g.game_id}", fixture_id=g.fixture_id)
        )
    for n, who in enumerate([*BOTS] * 4):
        games.append(
            game(1000 + n, (who, cy), (1, 2) if n % 4 else (2, 1), "ox_blocks")
        )
    labels = (label_info("ox_blocks"), replace(label_info("run"), weight=2.0))
    bots = [replace(who, labels=("ox_blocks", "run")) for who in BOTS]
    return report_of(league([*bots, cy], labels), games)


def test_the_overall_elo_can_be_made_of_the_fits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = two_games()
    whole = json.loads(ratings_json(found))
    overall = whole["overall"]
    assert overall["bots"] == ["experts", "random", "two_ply"]
    assert overall["shares"] == pytest.approx([1 / 3] * 3)
    printed = {row.bot: row.elo for row in found.rows if row.rank is not None}
    assert dict(zip(overall["bots"], overall["elo"], strict=True)) == pytest.approx(
        printed, abs=0.06
    )
    assert found.overall is not None
    assert np.array(overall["variance"]) == pytest.approx(
        found.overall.variance, rel=5e-6, abs=6e-4
    )
    (tmp_path / "ratings.json").write_text(ratings_json(found))
    monkeypatch.chdir(tmp_path)
    exec(OVERALL, {})
    lines = capsys.readouterr().out.splitlines()
    made = {bot: float(elo) for bot, elo in map(str.split, lines)}
    # The zero is free: here the mean over the field is 0.
    assert sum(made.values()) == pytest.approx(0.0, abs=0.2)
    assert made["experts"] - made["random"] == pytest.approx(
        printed["experts"] - printed["random"],  # type: ignore[operator]
        abs=0.2,
    )


def test_what_is_infinite_is_null() -> None:
    assert ratings_file._numbers(np.array([np.inf, 2.0])) == [None, 2.0]


@given(st.floats(-1e6, 1e6).filter(lambda x: abs(x) < 999_999.5))
def test_numbers_have_six_digits(number: float) -> None:
    (found,) = ratings_file._numbers(np.array([number]))
    assert abs(found - number) <= max(0.0005, 5e-6 * abs(number)) * (1 + 1e-9)
    digits = f"{abs(found):f}".rstrip("0").replace(".", "").lstrip("0")
    assert len(digits) <= 6
    assert len(repr(found)) <= 9
    assert repr(found) != "-0.0"


@given(st.floats(-1e5, 1e5), st.floats(-1e-9, 1e-9))
def test_the_last_bits_do_not_show(number: float, noise: float) -> None:
    """But where a number lies exactly between two that are written."""
    near = number * (1.0 + noise)
    first, second = ratings_file._numbers(np.array([number, near]))
    unit = max(0.001, 10.0 ** (np.floor(np.log10(max(abs(number), 1e-3))) - 5))
    if abs((abs(number) / unit) % 1.0 - 0.5) > 0.01:
        assert first == second
