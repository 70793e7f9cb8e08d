"""The text of a trial, for the author of the bot."""

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

from tabulate import SEPARATING_LINE, tabulate

from arena.check.file_check import Refusal
from arena.check.shared_state import shared_state
from arena.check.trial import (
    MAX_GAMES,
    OUTPUT_LIMITS_BYTES,
    Difference,
    LabelTrial,
    Trial,
)
from arena.league.config.league_file import LeagueConfig
from arena.records.decision_times import TimesCounter
from arena.records.game_record import Fault, GameRecord
from arena.referee.contestant.misconduct import MAX_PRINTED_BYTES
from arena.referee.isolation import AUTO, TRUSTED_ONLY, Isolation, is_as_strong
from arena.referee.sandbox import SANDBOXES, Sandbox
from arena.referee.sandbox.level import ATTEMPTS
from arena.referee.work_unit import Limits
from arena.registry import load
from arena.reports.fault_text import fault_text
from arena.text import counted, duration, listed, wrapped

_EXAMPLE = Path("configs/classroom.yaml")
_KINDS = ("random", "sensible")
_SUMS = ("CPU", "slept", "wall")
_MIN_SLEPT_S = 0.02
"""In all, to be worth a sentence."""
_MIN_PONDERED_S = 0.005
"""The same, of CPU time while others decided."""
_MAX_ATTEMPTS = 4
"""Of those that a level stops; the text names no more."""
_REPLAY = "arena replay"
_ID_CHARS = 8
"""Of a game's id; so many tell all games of a trial apart."""


_CAUSES = (
    (
        "Something is kept between games: keep it in self.",
        "It does not even repeat by itself: take random numbers from self.rng, and "
        "don't look at a clock.",
    ),
    (
        "Something is kept between games: keep it under the game's table, from begin "
        "to end.",
        "It does not even repeat by itself: take random numbers from a generator with "
        "the seed of begin, and don't look at a clock.",
    ),
)
"""Why games can't be repeated, of bots in Python and of programs: because of other
games, or of itself."""


@dataclass(frozen=True, slots=True)
class CheckTerms:
    """The terms of a trial, and where its games are."""

    config: LeagueConfig
    isolation: Isolation
    league: Path | None
    """The file that the terms are from; None for the defaults."""
    folder: Path
    """Of its results."""


def refusal_text(refusal: Refusal, file: str, width: int) -> str:
    """Return what is wrong with a file, and what a league would do with it."""
    heard = refusal.misconduct
    fault = Fault(
        seat=0,
        entry="",
        step=0,
        termination=heard.termination,
        message=heard.message,
        traceback=heard.traceback,
        output=heard.output,
    )
    if refusal.classes:
        head = ""
        verdict = f"{file} would be entered, and forfeit all its games."
    else:
        head = f"{file} can't be entered"
        verdict = f"{file} would not be entered."
    text = fault_text(fault, file, head=head, width=width)
    return f"{text}\n\n{_paragraph(verdict, width)}"


def progress_text(trial: Trial) -> str:
    """Return how far a trial has come: `zombie_dice 40 of 40, ox_blocks 3 of 40`."""
    return ", ".join(
        f"{label.label} {len(label.records)} of {label.planned}"
        for label in trial.labels
    )


def interrupted_text(trial: Trial, folder: Path) -> str:
    """Return a sentence on what a trial has shown until it was interrupted."""
    name = trial.entry.name
    if not trial.tried:
        return f"interrupted: {name} has not played a whole game so far"
    games = f"{counted(trial.tried, 'game')} ({progress_text(trial)})"
    for label in trial.labels:
        if label.fault is not None:
            record, fault = label.fault
            forfeits = sum(label.forfeits for label in trial.labels)
            return (
                f"interrupted: {name} has forfeited {forfeits} of {games}; the first: "
                f"{_replay(folder, record, fault.step)}"
            )
    return f"interrupted: {name} has played {games} without a fault"


def trial_text(trial: Trial, terms: CheckTerms, width: int) -> str:
    """Return the results of a trial, with a verdict at the end."""
    entry = trial.entry
    games = ", ".join((*(x.label for x in trial.labels), *trial.untried))
    head = f"{entry.name} ({entry.bot} in {entry.file}) plays {games}"
    parts = [_paragraph(head, width), _results(trial)]
    parts.append(_times(trial, terms.config.limits))
    for label in trial.labels:
        if label.fault is not None:
            parts.append(_fault(trial, label.fault, terms.folder, width))
            break
    facts = [*_facts(trial, terms)]
    column = max(len(name) for name, _ in facts) + 2
    parts.append(
        "\n".join(
            f"{name:{column}}{text}"
            if text.startswith(_REPLAY)
            else _paragraph(f"{name:{column}}{text}", width, " " * column)
            for name, text in facts
        )
    )
    parts.append(_paragraph(" ".join(_verdict(trial)), width))
    return "\n\n".join(parts)


def _results(trial: Trial) -> str:
    rows = [["game", "games", "forfeits", *_KINDS]]
    for label in trial.labels:
        won = [_won(label, kind) for kind in _KINDS]
        counts = [str(len(label.records)), str(label.forfeits)]
        rows.append([label.label, *counts, *won])
    return _table(rows)


def _times(trial: Trial, limits: Limits) -> str:
    rows = [["game", "decisions", "median", "slowest", "of limit", *_SUMS]]
    for label in trial.labels:
        own = label.times
        rows.append([label.label, str(own.decisions), *_quantiles(own, limits)])
        rows[-1] += [
            duration(seconds) if seconds else "0"
            for seconds in (own.charged - own.slept, own.slept, own.wall)
        ]
    return _table(rows)


def _table(rows: list[list[str]]) -> str:
    # As a row of its own the header gets no padding, and 80 columns are enough.
    header, *others = rows
    return tabulate(
        [header, SEPARATING_LINE, *others],
        tablefmt="simple",
        colalign=("left", *["right"] * (len(header) - 1)),
        disable_numparse=True,
    )


def _won(label: LabelTrial, kind: str) -> str:
    if kind not in label.score:
        return "-"
    won, games = label.score[kind]
    return f"{won:.3g}/{games}"


def _quantiles(times: TimesCounter, limits: Limits) -> list[str]:
    if not times.decisions:
        return ["-", "-", "-"]
    percent = 100 * times.slowest / limits.move
    share = f"{percent:.2g} %" if percent < 100 else f"{percent:.0f} %"
    return [_seconds(times.quantile(0.5)), _seconds(times.slowest), share]


def _seconds(seconds: float) -> str:
    if seconds < 0.1:
        return f"{1000 * seconds:.2g} ms"
    return f"{seconds:.3g} s"


def _fault(
    trial: Trial, fault: tuple[GameRecord, Fault], folder: Path, width: int
) -> str:
    record, what = fault
    replay = _replay(folder, record, what.step)
    return fault_text(what, trial.entry.name, replay=replay, width=width)


def _replay(folder: Path, record: GameRecord, step: int | None = None) -> str:
    at = "" if step is None else f" --step {step}"
    return f"{_REPLAY} {shlex.quote(str(folder))} {record.game_id[:_ID_CHARS]}{at}"


def _facts(trial: Trial, terms: CheckTerms) -> Iterator[tuple[str, str]]:
    """Yield the other facts, each with a title."""
    limits = terms.config.limits
    if trial.is_clean:
        yield (
            "games",
            "won and played with each partner; so few say little of its strength",
        )
        yield (
            "time",
            f"CPU time and sleep of a decision; the limit is {_seconds(limits.move)}, "
            f"with {_seconds(limits.bank)} in reserve for each game; "
            f"{', '.join(_SUMS)}: the sums over all decisions",
        )
        yield "reading", _reading(trial, limits)
        if trial.memory is not None:
            limit = f"{limits.memory} MiB" if limits.memory else "none"
            of_what = "data" if trial.entry.command else "address space"
            size = f"{-(-trial.memory // 2**20)} MiB of {of_what}"
            yield "memory", f"{size}; the limit is {limit}"
        yield "output", _output(trial, limits)
        yield from _repeats(trial, terms.folder)
    yield from _sleep(trial)
    yield from _pondering(trial)
    for line in _kept(trial):
        yield "look at", line
    yield "isolation", _isolation(terms)
    yield "limits", _limits(terms)
    loss = _loss(trial)
    if trial.is_clean and loss is not None:
        yield "a loss", _replay(terms.folder, loss)


def _reading(trial: Trial, limits: Limits) -> str:
    """Say what it takes to read a bot and to begin its games, and how often that is."""
    took = _seconds(trial.reading_s)
    of_each = f"; the limit of each is {_seconds(limits.start)}"
    games = sum(len(label.records) for label in trial.labels)
    begun = _seconds(sum(label.begin_s for label in trial.labels) / max(1, games))
    if trial.entry.command:
        return (
            f"{took} until it has answered load, whenever it is started, and {begun} "
            f"for begin and end in each game{of_each}"
        )
    if trial.is_read_for_each_game:
        return f"{took} for its file, anew in each game: {begun} to begin one{of_each}"
    return (
        f"{took} for its file, whenever a process is started for it, and {begun} to "
        f"begin and end each game{of_each}"
    )


def _sleep(trial: Trial) -> Iterator[tuple[str, str]]:
    slept = sum(label.times.slept for label in trial.labels)
    decisions = sum(label.times.decisions for label in trial.labels)
    if slept >= _MIN_SLEPT_S and decisions:
        yield (
            "sleep",
            f"it slept for {duration(slept)} in {counted(decisions, 'decision')}, "
            f"{_seconds(slept / decisions)} in each: that is charged like computing, "
            "and its games wait for it",
        )


def _pondering(trial: Trial) -> Iterator[tuple[str, str]]:
    pondered = sum(label.times.pondered for label in trial.labels)
    if pondered >= _MIN_PONDERED_S:
        yield (
            "stopped",
            f"it went on computing for {duration(pondered)} while others decided (does "
            "it leave a thread behind?), so it was stopped until it was asked again",
        )


def _loss(trial: Trial) -> GameRecord | None:
    """Return a game that the bot has lost, if there is one."""
    for label in trial.labels:
        for record in label.records:
            if record.places[record.seats.index(trial.entry.id)] > 1:
                return record
    return None


def _output(trial: Trial, limits: Limits) -> str:
    if trial.entry.command:
        return (
            "what it prints to standard error is shown in replays; the limit is "
            f"{MAX_PRINTED_BYTES >> 20} MiB a game"
        )
    bounds = [label.printed for label in trial.labels]
    most = f"the limit is {limits.output} bytes a game"
    if None in bounds:
        tried = max(
            (cap for cap in OUTPUT_LIMITS_BYTES if cap < limits.output), default=0
        )
        return f"it prints more than {tried} bytes in a game; {most}"
    largest = max((b for b in bounds if b is not None), default=0)
    if not largest:
        return f"it prints nothing; {most}"
    return f"it prints up to {largest} bytes in a game; {most}"


def _repeats(trial: Trial, folder: Path) -> Iterator[tuple[str, str]]:
    for label in trial.labels:
        if label.difference is not None:
            record, step = label.difference.record, label.difference.step
            is_program = bool(trial.entry.command)
            yield (
                "repeats",
                _apart(label, label.difference, _CAUSES[is_program]),
            )
            yield "", _replay(folder, record, step)
            return
    games = counted(sum(label.repeated for label in trial.labels), "game")
    text = f"yes: {games} came out the same when played again, each by itself"
    yield "repeats", text


def _apart(label: LabelTrial, difference: Difference, causes: tuple[str, str]) -> str:
    among, alone = difference.decisions
    return (
        f"no: {label.label}, decision {difference.step}: {among} among other games, "
        f"{alone} in the same game by itself. {causes[difference.is_alone]}"
    )


def _kept(trial: Trial) -> Iterator[str]:
    if trial.entry.command or trial.is_read_for_each_game:
        return  # It is no Python, or nothing that it keeps outlives a game.
    for path in trial.entry.hand_in.paths:
        if path.suffix != ".py":
            continue
        for line, what in shared_state(path):
            yield f"{path.name}:{line}: {what}"


def _isolation(terms: CheckTerms) -> str:
    here = terms.isolation
    text = str(here)
    if here.warning():
        text += f"; {TRUSTED_ONLY}"
    graded = terms.config.require_isolation or terms.config.isolation
    if terms.league is None or graded == AUTO or is_as_strong(here.level, graded):
        return text
    kept = _level(graded).contains - _level(here.level).contains
    words = [attempt.words for attempt in ATTEMPTS if attempt.name in kept]
    some = ", ".join(words[:_MAX_ATTEMPTS]) or "see which other files there are"
    more = " and more (arena doctor lists it)" * (len(words) > _MAX_ATTEMPTS)
    return f"{text}. The league is played at {graded}: there a bot can't {some}{more}"


def _level(name: str) -> type[Sandbox]:
    found: type[Sandbox] = load(SANDBOXES[name])
    return found


def _limits(terms: CheckTerms) -> str:
    if terms.league is not None:
        return f"those of {terms.league}"
    text = "the defaults; --league CONFIG takes those of a league"
    return text + f", such as {_EXAMPLE}" * _EXAMPLE.exists()


def _verdict(trial: Trial) -> Iterator[str]:
    """Yield what was seen, and how little that says."""
    name = trial.entry.name
    if not trial.is_clean:
        faults = [
            f"{label.label} ({listed(label.reasons)}, in {label.forfeits} of "
            f"{counted(len(label.records), 'game')})"
            for label in trial.labels
            if label.reasons
        ]
        yield f"{name} would forfeit: {', '.join(faults)}."
        if trial.untried:
            yield f"Not tried after that: {', '.join(trial.untried)}."
        return
    least = min(trial.labels, key=lambda label: len(label.records))
    games = len(least.records)
    of_each = ""
    if len(trial.labels) > 1:
        or_more = " or more" * (trial.tried > games * len(trial.labels))
        of_each = f", {games}{or_more} of each of the {len(trial.labels)}"
    yield f"{name}: no fault in {counted(trial.tried, 'game')}{of_each}."
    if not trial.repeats:
        yield "But its games can't be repeated."
    rate, missed = _missed(games)
    odds = (
        f"A bot that fails in 1 of {rate} games would seem clean in {missed} of 100 "
        "such checks"
    )
    more = min(MAX_GAMES, 10 * least.per_partner)
    if trial.is_cut or more <= least.per_partner:
        yield f"{odds}."
    else:
        many = least.planned * more // least.per_partner
        left = round(100 * (1 - 1 / rate) ** many)
        yield f"{odds}; with --games {more} in {left or 'hardly any'} of them."
    for label in trial.labels:
        if label.is_cut:
            yield _why_cut(label, trial)


def _missed(games: int) -> tuple[int, int]:
    """Return how rare a fault may be missed, and in how many of 100 trials that is.

    It is rare enough to be missed in most of them: one of so many games.
    """
    rate, factors = 2, cycle((2.5, 2, 2))
    while rate < 2 * games:
        rate = round(rate * next(factors))
    return rate, round(100 * (1 - 1 / rate) ** games)


def _why_cut(label: LabelTrial, trial: Trial) -> str:
    """Say why a bot was not tried in all games, and how it would be."""
    games = len(label.records)
    each = label.times.charged / games
    parts = f"a game takes it {_seconds(each)}"
    begun = label.begin_s / games
    if begun > each / 2:
        what = "read its file" if trial.is_read_for_each_game else "begin it"
        parts += f", {_seconds(begun)} of that to {what}"
    return (
        f"It is slow, so it played {games} of {label.planned} games of {label.label}: "
        f"{parts}. With --games {label.per_partner} it plays all of them, however long "
        "they take."
    )


def _paragraph(text: str, width: int, indent: str = "  ") -> str:
    return "\n".join(wrapped(text, width, indent))
