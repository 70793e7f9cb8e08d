"""Measures how far the ratings can be trusted, on leagues whose truth is known.

    python tests/benchmarks/ratings.py [--json] [--leagues N] [SECTION ...]

Leagues are simulated from known strengths, and the numbers of the study that the method
was chosen by stand beside what is found.
"""

import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from math import sqrt
from multiprocessing import get_context
from pathlib import Path
from typing import Any

sys.path += [str(Path(__file__).parents[1] / name) for name in ("", "ratings")]

import numpy as np
from many_games import Pattern, limits_of, patterns, play, true_overall
from marks import measure_marks
from separated import SETTINGS, measure
from simulated import (
    LABEL,
    chances,
    correlation,
    even_luck,
    evenly,
    play_adaptively,
    play_round_robin,
    play_tables,
    play_with_luck,
    projected,
    results_of,
    sequential_elo,
)
from timing import Row, command_line, peak_memory, rounded, show

from arena.ratings import MEAN_ELO
from arena.ratings.claims import MAX_LOOKS, better, cut
from arena.ratings.elo import fit as elo
from arena.ratings.elo.luck_share import take_luck
from arena.ratings.elo.pool import Floats, Pool, Tables, build_pool
from arena.ratings.labels import fit_label, label_rows
from arena.ratings.match_ups.surprises import LabelGames, surprises

Play = Callable[[np.random.Generator], Pool]

WITHIN = (0.935, 0.965)
"""Between which the coverage of the 95 % intervals must lie."""
FACTORS = (16.0, 32.0)
"""K of sequential Elo."""
RHOS = (-0.35, 0.0, 0.41)


@dataclass(frozen=True)
class Scenario:
    """A kind of league whose truth is known."""

    name: str
    truth: Floats
    """Elo of each bot; mean 0."""
    play: Play = field(repr=False)
    chance: Floats = field(repr=False)
    study: float | None = None
    """RMSE that the study found."""
    named: bool = True
    """Whether the coverage is promised."""

    def pools(self, leagues: int) -> Iterator[Pool]:
        """Yield leagues, the same each time."""
        for number in range(leagues):
            yield self.play(np.random.default_rng([number, *self.name.encode()]))


def pairs(
    name: str,
    truth: Floats,
    games: int,
    rho: float,
    play: Callable[..., Pool] = play_round_robin,
    **more: Any,
) -> Scenario:
    """Return leagues with so many games a pair, in seat-swapped fixtures."""
    chance = chances(truth)
    shared = even_luck(chance, rho)
    name = f"{name}, {games} games a pair, rho {rho:+.2f}"
    played = partial(play, chance=chance, fixtures=games // 2, shared=shared)
    return Scenario(name, truth, played, chance, **more)


def tables(bots: int, spread: float, groups: int, shared: float) -> Scenario:
    """Return leagues at tables of four; luck follows the seat in some fixtures."""
    truth = evenly(bots, spread)
    name = f"{bots} bots at tables of 4, {groups} groups, luck {shared:.0%} shared"
    play = partial(play_tables, strengths=truth, groups=groups, size=4, shared=shared)
    return Scenario(name if spread else f"equal: {name}", truth, play, chances(truth))


def dominant(lead: float) -> Scenario:
    """Return leagues of one bot so far ahead of seven others."""
    truth = np.array([lead, *[0.0] * 7])
    return pairs(f"8 bots, one +{lead:.0f}", truth - lead / 8, 10, 0.0, named=False)


def half_and_half() -> Scenario:
    """Return leagues in which bots differ in what their games have in common."""
    truth = evenly(20, 400.0)
    chance = chances(truth)
    odd = np.arange(20) % 2
    shared = odd[:, None] * odd * even_luck(chance, 0.41)
    shared += (1 - odd[:, None]) * (1 - odd) * even_luck(chance, -0.35)
    play = partial(play_round_robin, chance=chance, fixtures=20, shared=shared)
    name = "20 bots, 40 games a pair, rho -0.35, 0 and +0.41 by pair"
    return Scenario(name, truth, play, chance, named=False)


def intransitive(rho: float) -> Scenario:
    """Return leagues with match-ups 80 Elo better or worse than strength says."""
    strengths = evenly(20, 400.0)
    sign = np.triu(np.random.default_rng(80).choice([-80.0, 80.0], (20, 20)), 1)
    gap = strengths[:, None] - strengths + sign - sign.T
    chance = 1.0 / (1.0 + 10.0 ** (-gap / 400.0))
    shared = even_luck(chance, rho)
    play = partial(play_round_robin, chance=chance, fixtures=20, shared=shared)
    name = f"20 bots, match-ups +-80, 40 games a pair, rho {rho:+.2f}"
    return Scenario(name, projected(chance), play, chance, named=False)


def adaptive() -> Scenario:
    """Return adaptive leagues; intervals rest on their confirmation."""
    truth = evenly(8, 300.0)
    return pairs("8 bots, adaptive", truth, 40, -0.35, play_adaptively, named=False)


LARGE = [
    pairs("20 bots", evenly(20, 400.0), 40, rho, study=study)
    for rho, study in zip(RHOS, (10.7, None, None), strict=True)
]
SMALL = [
    pairs("20 bots", evenly(20, 400.0), 4, rho, study=study)
    for rho, study in zip(RHOS, (33.7, None, None), strict=True)
]
MIDDLE = pairs("20 bots", evenly(20, 400.0), 10, -0.35, study=21.2, named=False)


def measure_coverage(leagues: int) -> list[Row]:
    """Count how often the 95 % intervals hold the truth."""
    scenarios = [
        *LARGE,
        *SMALL,
        *(
            tables(bots, 400.0, groups, shared)
            for bots, shared in ((12, 1.0), (12, 0.5), (20, 0.5))
            for groups in (24, 40, 60, 120, 240)
        ),
        pairs("8 bots, spread 1400", evenly(8, 1400.0), 40, 0.0, named=False),
        dominant(600.0),
        dominant(800.0),
        *(
            pairs(f"{bots} bots, spread 100", evenly(bots, 100.0), g, rho, named=False)
            for bots in (2, 3, 5)
            for g in (10, 20, 40, 100)
            for rho in (-0.35, 0.0)
        ),
        half_and_half(),
        intransitive(-0.35),
        intransitive(0.41),
        adaptive(),
    ]
    return [_coverage(scenario, leagues) for scenario in scenarios]


def _coverage(scenario: Scenario, leagues: int) -> Row:
    covers, widths, errors, correlations = [], [], [], []
    for pool in scenario.pools(leagues):
        fits = fit_label(LABEL, pool, None, winner_only=False)
        ratings = (fits.confirmed or fits.fit).ratings
        low = np.array([r.elo_low for r in ratings])
        high = np.array([r.elo_high for r in ratings])
        below = np.array([r.open_below for r in ratings])
        above = np.array([r.open_above for r in ratings])
        names = list(pool.entries)
        middle = [names.index(name) for name in fits.certain.middle[0]]
        elos = MEAN_ELO + scenario.truth - scenario.truth[middle].mean()
        covers.append((below | (low <= elos)) & (above | (elos <= high)))
        widths.append(np.where(below | above, np.nan, (high - low) / 2.0))
        errors.append([r.elo for r in fits.fit.ratings] - elos)
        correlations.append(correlation(pool, scenario.chance))
    covered = np.array(covers)
    rate = float(covered.mean())
    # Bots of one league have errors in common.
    error = float(covered.mean(axis=1).std() / sqrt(leagues))
    return {
        "scenario": scenario.name,
        "rho found": rounded(np.mean(correlations), 2),
        "coverage": rounded(rate, 3),
        "SE": rounded(error, 4),
        "worst bot": rounded(covered.mean(axis=0).min(), 3),
        "promise": _within(rate) if scenario.named else None,
        "half-width": rounded(np.nanmean(widths), 1),
        "RMSE": rounded(np.sqrt(np.square(errors).mean()), 1),
        "study": scenario.study,
    }


def measure_elo(leagues: int) -> list[Row]:
    """Compare the fit with Elo that is updated game by game, on the same games."""
    return [_elo(scenario, leagues) for scenario in (LARGE[0], MIDDLE, SMALL[0])]


def _elo(scenario: Scenario, leagues: int) -> Row:
    shuffles = 20
    rng = np.random.default_rng(16)
    fitted = []
    moved: dict[float, list[Floats]] = {k: [] for k in FACTORS}
    for pool in scenario.pools(leagues):
        fitted.append([r.elo for r in elo.fit_pool(pool, LABEL, None).ratings])
        orders = [rng.permutation(pool.games) for _ in range(shuffles)]
        for k in FACTORS:
            moved[k].append(sequential_elo(pool, orders, k))
    truth = MEAN_ELO + scenario.truth

    def rmse(elos: Any) -> float | None:
        return rounded(np.sqrt(np.square(np.array(elos) - truth).mean()), 1)

    row: Row = {
        "scenario": scenario.name,
        "fit": rmse(fitted),
        "study": scenario.study,
    }
    for k, found in moved.items():
        row[f"K={k:.0f}"] = rmse(found)
        row[f"K={k:.0f}, over shuffles"] = rounded(
            np.sqrt(np.var(found, axis=1, ddof=1).mean()), 1
        )
    return row


def measure_claims(leagues: int) -> list[Row]:
    """Count wrong claims about the order, at most one a league."""
    scenarios = [
        *LARGE,
        *SMALL,
        MIDDLE,
        tables(12, 400.0, 60, 1.0),
        tables(20, 400.0, 240, 0.5),
        dominant(600.0),
        half_and_half(),
        adaptive(),
        *(pairs("20 equal bots", np.zeros(20), 40, rho) for rho in RHOS),
        pairs("20 equal bots", np.zeros(20), 4, -0.35),
        pairs("5 equal bots", np.zeros(5), 10, 0.0),
        tables(12, 0.0, 60, 0.5),
        pairs("8 equal bots, adaptive", np.zeros(8), 40, -0.35, play_adaptively),
    ]
    return [_claims(scenario, leagues) for scenario in scenarios]


def _claims(scenario: Scenario, leagues: int) -> Row:
    truth = scenario.truth
    k = len(truth)
    limit = 0.02
    if len(set(truth.tolist())) < k:
        # Any claim about equals is wrong, and so is one table in twenty: give or take.
        limit = 0.05 + 2.0 * sqrt(0.05 * 0.95 / leagues)
    names = [f"bot{i:04}" for i in range(k)]
    worse = truth[:, None] < truth
    wrong = np.zeros((leagues, 4), np.bool_)
    decided, plainly, widths = [], [], []
    for number, pool in enumerate(scenario.pools(leagues)):
        fits = fit_label(LABEL, pool, None, winner_only=False)
        rows = label_rows(fits)
        elos = np.array([rows[name].elo for name in names], np.float64)
        low = np.array([rows[name].rank_low for name in names])
        high = np.array([rows[name].rank_high for name in names])
        gap = elos[:, None] - elos
        error = np.sqrt(fits.fit.variance())
        looks = 1 if fits.confirmed is None else MAX_LOOKS + 1
        better = gap > cut(k, fits.fit.df, looks) * error
        plain = gap > 1.96 * error
        false = worse | (truth[:, None] == truth)
        order = sorted(range(k), key=lambda i: (-round(float(elos[i]), 1), i))
        separated = [(i, j) for i, j in pairwise(order) if rows[names[i]].is_separated]
        # Who has n worse than himself, and m equals, may be k - n - m to k - n.
        best = 1 + (truth[:, None] < truth).sum(axis=1)
        worst = k - (truth[:, None] > truth).sum(axis=1)
        wrong[number] = (
            any(false[i, j] for i, j in separated),
            (better & false).any(),
            ((low > best) | (high < worst)).any(),
            (plain & false).any(),
        )
        decided.append(better.sum())
        plainly.append(plain.sum())
        widths.append(high - low + 1)
    everything = k * (k - 1) / 2.0
    share = wrong.mean(axis=0)
    any_wrong = float(wrong[:, :3].any(axis=1).mean())
    return {
        "scenario": scenario.name,
        "wrong": rounded(any_wrong, 4),
        "promise": _kept(any_wrong <= limit),
        "separated": rounded(share[0], 4),
        "better": rounded(share[1], 4),
        "rank": rounded(share[2], 4),
        "pairs decided": rounded(np.mean(decided) / everything, 3),
        "ranks wide": rounded(np.mean(widths), 1),
        "|z|>1.96: wrong": rounded(share[3], 3),
        "decided": rounded(np.mean(plainly) / everything, 3),
    }


def measure_overall(leagues: int) -> list[Row]:
    """Count how often overall intervals hold the truth, and claims deny it."""
    return [_overall(pattern, leagues) for pattern in patterns()]


def _overall(pattern: Pattern, leagues: int) -> Row:
    truth = true_overall(pattern.truth)
    k = len(truth)
    false = truth[:, None] <= truth + 1e-6
    covered, anchored, errors, decided = [], [], [], []
    open_held, opened, wrong = 0, 0, 0
    for number in range(leagues):
        table = play(pattern, number)
        assert table.overall is not None
        low, high, tied = limits_of(table)
        elos = MEAN_ELO + truth - truth[tied].mean()
        held = (low <= elos) & (elos <= high)
        covered.append(held[tied].mean())
        opened += int((~tied).sum())
        open_held += int(held[~tied].sum())
        own = np.array([row.elo for row in sorted(table.rows, key=lambda r: r.entry)])
        errors.append(np.square(own - elos)[tied].mean())
        apart = better(table.overall)
        wrong += bool((apart & false).any())
        decided.append(apart.sum())
        # Relative to one in the middle, whose own interval is a point.
        low, high, _ = limits_of(play(pattern, number, f"bot{k // 2:04}"))
        gaps = MEAN_ELO + truth - truth[k // 2]
        held = (low <= gaps + 1e-6) & (gaps - 1e-6 <= high)
        tied[k // 2] = False
        anchored.append(held[tied].mean())
    rate, of_anchored = float(np.mean(covered)), float(np.mean(anchored))
    return {
        "leagues of 8 bots, 4 games": pattern.name,
        "coverage": rounded(rate, 3),
        "SE": rounded(np.std(covered) / sqrt(leagues), 4),
        "anchored": rounded(of_anchored, 3),
        "promise": _within(rate, of_anchored),
        "open a league": rounded(opened / leagues, 2),
        "bounds of these": rounded(open_held / opened, 3) if opened else None,
        "wrong claims": rounded(wrong / leagues, 4),
        "pairs decided": rounded(np.mean(decided) / (k * (k - 1) / 2.0), 3),
        "RMSE": rounded(np.sqrt(np.mean(errors)), 1),
    }


def measure_luck(leagues: int) -> list[Row]:
    """Compare Elo from results, without luck, and with as much taken as helps."""
    return [
        row
        for bots, spread, fixtures in (
            (8, 300.0, 5),
            (8, 300.0, 20),
            (8, 1000.0, 5),
            (8, 1000.0, 20),
            (3, 300.0, 5),
        )
        for row in _luck(bots, spread, fixtures, leagues)
    ]


def _luck(bots: int, spread: float, fixtures: int, leagues: int) -> Iterator[Row]:
    truth = evenly(bots, spread)
    chance = chances(truth)
    true = projected(chance)
    found: dict[str, list[tuple[Any, ...]]] = {"none": [], "all": [], "as it helps": []}
    shares = []
    for number in range(leagues):
        rng = np.random.default_rng([number, bots, round(spread), fixtures])
        pool = play_with_luck(rng, chance, fixtures, 0.8)
        taken = take_luck(pool)
        assert taken is not None
        shares.append(taken.share)
        for name, own in zip(found, (pool, pool, taken.pool), strict=True):
            fit = elo.fit_pool(own, LABEL, None, adjusted=name != "none")
            low = [-np.inf if r.open_below else r.elo_low for r in fit.ratings]
            high = [np.inf if r.open_above else r.elo_high for r in fit.ratings]
            own_elo = np.array([rating.elo for rating in fit.ratings])
            names = [rating.entry for rating in fit.ratings]
            middle = [names.index(name) for name in fit.middle[0]]
            elos = MEAN_ELO + true - true[middle].mean()
            gap = own_elo[:, None] - own_elo
            apart = gap > cut(bots, fit.df) * np.sqrt(fit.variance())
            found[name].append(
                (
                    own_elo - elos,
                    (low <= elos) & (elos <= high),
                    apart.sum(),
                    (apart & (truth[:, None] < truth)).any(),
                    own_elo.argmax() == 0,
                )
            )
    for name, rows in found.items():
        errors, covered, decided, wrong, champions = map(
            np.array, zip(*rows, strict=True)
        )
        rate = float(covered.mean())
        yield {
            "leagues": f"{bots} bots, spread {spread:.0f}, {fixtures} fixtures",
            "luck taken": name,
            "share": rounded(np.mean(shares), 2) if name == "as it helps" else None,
            "RMSE": rounded(np.sqrt(np.square(errors).mean()), 1),
            "coverage": rounded(rate, 3),
            "right champion": rounded(champions.mean(), 3),
            "pairs decided": rounded(decided.mean() / (bots * (bots - 1) / 2.0), 3),
            "wrong claims": rounded(wrong.mean(), 4),
        }


def measure_separated(leagues: int) -> list[Row]:
    """Judge leagues whose groups stand apart, and limits of one end by themselves."""
    rows = []
    for setting in SETTINGS:
        row: Row = measure(setting, leagues)
        kept = row["all"] >= WITHIN[0] and (row["it holds"] or 1.0) >= 0.975
        rows.append(
            {
                name: rounded(value, 4) if isinstance(value, float) else value
                for name, value in row.items()
            }
            | {"promise": _kept(kept)}
        )
    return rows


def measure_speed() -> list[Row]:
    """Fit large leagues, each in a process of its own and on one core.

    Where others keep the cores busy, threads of BLAS would mostly wait for each other.
    """
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    rows = []
    for bots, fixtures, from_results in (
        (200, 20, True),
        (200, 20, False),
        (1000, 5, False),
    ):
        # A process that is new has no other's memory.
        with get_context("spawn").Pool(1) as processes:
            rows += processes.apply(_fit_large, (bots, fixtures, from_results))
    return rows


def _fit_large(bots: int, fixtures: int, from_results: bool) -> list[Row]:
    rng = np.random.default_rng(bots)
    chance = chances(evenly(bots, 800.0))
    pool = play_round_robin(rng, chance, fixtures, even_luck(chance, -0.2))
    (table,) = pool.tables
    # As results come: each when it is played.
    order = rng.permutation(pool.games)
    shuffled = Tables(
        seats=table.seats[order],
        places=table.places[order],
        forfeits=table.forfeits[order],
        clusters=table.clusters[order],
    )
    pool = pool._replace(tables=(shuffled,))
    name = f"{bots} bots, {pool.games:,} games"
    steps: dict[str, tuple[float, float]] = {}
    if from_results:
        results = results_of(pool)
        _time(steps, "arrays from results", build_pool)(results)
        return [_row(name, step, *spent) for step, spent in steps.items()]
    for attribute, step in (
        ("compare", "comparisons"),
        ("solve", "solution"),
        ("cluster_errors", "errors"),
        ("separate", "what limits what"),
        ("find_ends", "limits of gaps"),
    ):
        setattr(elo, attribute, _time(steps, step, getattr(elo, attribute)))
    # Make the peak of memory what it is now.
    Path("/proc/self/clear_refs").write_text("5")
    _time(steps, "whole fit", elo.fit_pool)(pool, LABEL, None)
    rows = [_row(name, step, *spent) for step, spent in steps.items()]
    rows[-1]["peak, GB"] = round(peak_memory() / 1e9, 2)
    steps = {}
    step = "pairs that surprise"
    _time(steps, step, surprises)([LabelGames(LABEL, pool)], {})
    return [*rows, _row(name, step, *steps[step])]


def _time(
    steps: dict[str, tuple[float, float]], step: str, function: Callable[..., Any]
) -> Callable[..., Any]:
    def timed(*args: Any, **kwargs: Any) -> Any:
        started = time.process_time(), time.perf_counter()
        found = function(*args, **kwargs)
        steps[step] = (
            time.process_time() - started[0],
            time.perf_counter() - started[1],
        )
        return found

    return timed


def _row(name: str, step: str, cpu: float, wall: float) -> Row:
    return {"fit": name, "step": step, "CPU, s": round(cpu, 2), "s": round(wall, 2)}


def _within(*rates: float) -> str:
    """Say whether intervals hold the truth as often as they should, or more often."""
    if max(rates) > WITHIN[1] and min(rates) >= WITHIN[0]:
        return "wider"
    return _kept(min(rates) >= WITHIN[0])


def _kept(holds: bool) -> str:
    return "kept" if holds else "NOT KEPT"


SECTIONS: dict[str, Callable[[int], list[Row]]] = {
    "coverage": measure_coverage,
    "elo": measure_elo,
    "claims": measure_claims,
    "overall": measure_overall,
    "separated": measure_separated,
    "luck": measure_luck,
    "marks": measure_marks,
    "speed": lambda _: measure_speed(),
}


def main() -> None:
    """Measure what the command line names, or all."""
    parser = command_line(__doc__, leagues=400)
    parser.add_argument("section", nargs="*", choices=[[], "all", *SECTIONS])
    arguments = parser.parse_args()
    found = {}
    chosen = arguments.section or ["all"]
    for name in SECTIONS if "all" in chosen else chosen:
        found[name] = SECTIONS[name](arguments.leagues)
        if not arguments.json:
            show({name: found[name]}, as_json=False)
    if arguments.json:
        show(found, as_json=True)


if __name__ == "__main__":
    main()
