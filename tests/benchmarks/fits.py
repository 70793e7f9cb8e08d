"""How long it takes to fit large leagues, and in how much memory."""

import os
import time
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from simulated import (
    LABEL,
    chances,
    even_luck,
    evenly,
    play_round_robin,
    results_of,
)
from timing import Row, peak_memory

from arena.ratings import elo
from arena.ratings._pool import Tables, build_pool


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
        ("open_ends", "limits of the undefeated"),
    ):
        setattr(elo, attribute, _time(steps, step, getattr(elo, attribute)))
    forget_peak()
    _time(steps, "whole fit", elo.fit_pool)(pool, LABEL, None)
    rows = [_row(name, step, *spent) for step, spent in steps.items()]
    rows[-1]["peak, GB"] = round(peak_memory() / 1e9, 2)
    return rows


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


def forget_peak() -> None:
    """Make the peak of this process's memory what it has now."""
    Path("/proc/self/clear_refs").write_text("5")
