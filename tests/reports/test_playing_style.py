"""How each bot plays beside all others, from the games of a league."""

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import pytest
from leagues import bot, fault, fill, finished, label_of, league

import arena.reports.playing_style as module
from arena.games import Table, derive_seed, get_game
from arena.games.style import Count, Measure, Style
from arena.league.results.store import Store
from arena.records.game_record import GameRecord
from arena.reports.games import read_games
from arena.reports.playing_style import (
    LabelStyle,
    PlayingStyles,
    StyleLine,
    playing_styles,
)
from arena.reports.report import read_report

LABEL = label_of("zombie_dice", "zombie_dice", 2)
COWARD, TWO, BROKEN, OTHER = (
    bot(name, "zombie_dice") for name in ("Coward", "Two", "Broken", "Other")
)


def choose(table: Table, who: str) -> str:
    state = table.state
    if who == COWARD.id:
        return "stop"
    return "stop" if state.shotguns >= 2 else "roll"  # type: ignore[attr-defined]


def games_of(pairs: Sequence[tuple[str, str]], number: int) -> list[GameRecord]:
    """Return so many games of each pair, in both orders; Broken forfeits at once."""
    records = []
    for pair in pairs:
        for k in range(number):
            seats = pair if k % 2 else pair[::-1]
            faults = tuple(
                fault(seat, BROKEN) for seat in (0, 1) if seats[seat] == BROKEN.id
            )
            game_id = f"g{len(records):04}"
            seed = derive_seed("style", game_id)
            records.append(
                finished(
                    Table(get_game("zombie_dice"), seed),
                    "zombie_dice",
                    seats,
                    lambda table, seats=seats: choose(
                        table, seats[table.state.current_player()]
                    ),
                    faults=faults,
                    game_id=game_id,
                )
            )
    return records


def styles_of(folder: Path, records: Sequence[GameRecord]) -> PlayingStyles:
    fill(folder, league([COWARD, TWO, BROKEN, OTHER], [LABEL]), records)
    with Store.read(folder) as store:
        report = read_report(store)
        return playing_styles(store, report, read_games(store, report))


def lines(styles: PlayingStyles, name: str) -> dict[str, StyleLine]:
    (own,) = styles.by_bot[name]
    return {line.title: line for line in own.lines}


def test_a_bot_stands_beside_all_others(tmp_path: Path) -> None:
    styles = styles_of(tmp_path, games_of([(COWARD.id, TWO.id)], 10))
    coward, two = lines(styles, "Coward"), lines(styles, "Two")
    assert coward["Rolls in a turn"].own_text == "1.0"
    on = two["Rolls on with 1 shotgun"]
    assert (on.own_text, on.others_text) == ("100 %", "0 %")
    assert coward["Rolls on with 1 shotgun"].own == 0
    assert on.values > 5
    # Of two bots each is all others of the other one.
    for title in {*coward} & {*two}:
        assert coward[title].others == two[title].own
        assert coward[title].own == two[title].others
    assert styles.problems == ()


def test_the_summary_has_what_differs_most_and_no_luck(tmp_path: Path) -> None:
    styles = styles_of(tmp_path, games_of([(COWARD.id, TWO.id)], 20))
    (own,) = styles.by_bot["Two"]
    start, told = own.summary.rstrip(".").split(": ")
    assert start == "Most unlike the others"
    parts = told.split("; ")
    assert "rolls on with 1 shotgun 100 % (others 0 %)" in parts
    far = sorted(own.lines, key=lambda line: -line.distance)
    assert [part.split(" (")[0].lower() for part in parts] == [
        f"{line.title} {line.own_text}".lower() for line in far[:3]
    ]
    # Two that play alike differ by luck alone, whatever the numbers are.
    alike = styles_of(tmp_path / "alike", games_of([(TWO.id, OTHER.id)], 20))
    for name in ("Two", "Other"):
        (own,) = alike.by_bot[name]
        assert own.summary == ""
        assert any(line.own != line.others for line in own.lines)


def test_the_summary_has_what_a_bot_does_before_what_follows() -> None:
    parts = [(module.FROM_AHEAD.title, 0.79, 2.0), ("Turns that bust", 0.48, 0.4)]
    lines = [StyleLine(x, "", True, own, 0.3, 90, far) for x, own, far in parts]
    assert LabelStyle("dice", 9, tuple(lines)).summary == (
        "Most unlike the others: turns that bust 48 % (others 30 %); loses from ahead "
        "79 % (others 30 %)."
    )


@pytest.mark.parametrize("value", [0.1, 2.7, 3.0])
def test_bots_of_equal_values_are_no_distance_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: float
) -> None:
    """Sums of 0.1 are rounded, so that nothing is quite equal."""
    measure = Measure("same", "Same", "Always the same.")
    style = Style(
        get_game("zombie_dice"),
        [measure],
        lambda _game, history: (Count(seat, "same", value) for seat in (0, 0, 0, 1)),
    )
    monkeypatch.setattr(module, "find_style", lambda _game: style)
    styles = styles_of(tmp_path, games_of([(COWARD.id, TWO.id)], 9))
    assert lines(styles, "Two")["Same"].distance == 0.0


def test_what_a_bot_has_forfeited_is_not_its_style(tmp_path: Path) -> None:
    pairs = [(COWARD.id, TWO.id), (BROKEN.id, TWO.id)]
    styles = styles_of(tmp_path, games_of(pairs, 10))
    assert styles.by_bot["Broken"] == ()
    assert styles.by_bot["Two"][0].games == 20


def test_a_lead_that_is_lost_is_counted(tmp_path: Path) -> None:
    """Brains that were banked in the first half of all that happened."""
    records = games_of([(COWARD.id, TWO.id)], 20)
    leads: dict[str, list[bool]] = {COWARD.id: [], TWO.id: []}
    for record in records:
        state = get_game("zombie_dice").new_state()
        for x in record.history[: len(record.history) // 2]:
            state.apply(x)
        ahead = state.scores().index(max(state.scores()))
        if len({*state.scores()}) == 2:
            leads[record.seats[ahead]].append(record.places[ahead] > 1)
    styles = styles_of(tmp_path, records)
    shown = 0
    for who in (COWARD, TWO):
        line = lines(styles, who.name).get("Loses from ahead")
        own = leads[who.id]
        assert (line is not None) == (len(own) >= 5)
        if line is not None:
            shown += 1
            assert (line.values, line.own) == (len(own), sum(own) / len(own))
    assert shown


def test_of_many_games_those_with_the_lowest_ids_are_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = games_of([(COWARD.id, TWO.id)], 30)
    few = styles_of(tmp_path / "few", records[:10])
    monkeypatch.setattr(module, "MAX_GAMES", 10)
    many = styles_of(tmp_path / "many", Random(1).sample(records, len(records)))
    assert many == few


def test_so_many_processes_find_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = games_of([(COWARD.id, TWO.id)], 10)
    alone = styles_of(tmp_path / "alone", records)
    monkeypatch.setattr(module, "_MIN_POOL_GAMES", 1)
    monkeypatch.setattr(module, "_GAMES_PER_JOB", 3)
    monkeypatch.setattr(module, "count_cores", lambda: 2)
    assert styles_of(tmp_path / "pool", records) == alone


def test_with_few_values_nothing_is_said(tmp_path: Path) -> None:
    (game, *_) = games_of([(COWARD.id, TWO.id)], 1)
    styles = styles_of(tmp_path, [game])
    assert "Stops behind in its last turn" not in lines(styles, "Two")
    for name in ("Coward", "Two"):
        assert all(line.values >= 5 for line in lines(styles, name).values())


def _raise(game: object, history: object) -> list[object]:
    raise RuntimeError("no style today")


@pytest.mark.parametrize(
    ("count", "problem"),
    [
        (_raise, "RuntimeError: no style today"),
        (lambda game, history: [(7, "busts", 1)], "ValueError: it counts for seat 7"),
        (
            lambda game, history: [(0, "luck", 1)],
            "ValueError: it counts 'luck', which is no measure",
        ),
        (
            lambda game, history: [(0, "busts", float("nan"))],
            "ValueError: it counts nan for busts",
        ),
        (lambda game, history: [7], "TypeError"),
    ],
    ids=["raises", "seat", "measure", "value", "shape"],
)
def test_a_style_that_is_not_sound_is_told_in_a_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    count: Callable[[object, object], list[object]],
    problem: str,
) -> None:
    monkeypatch.setattr("arena.games.zombie_dice.style.count", count)
    styles = styles_of(tmp_path, games_of([(COWARD.id, TWO.id)], 2))
    (told,) = styles.problems
    expected = f"game zombie_dice: its playing style can't be counted: {problem}"
    assert told.startswith(expected)
    assert not any(styles.by_bot.values())
