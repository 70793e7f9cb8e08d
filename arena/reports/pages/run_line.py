"""How a bot has done from run to run, drawn as a line."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from arena.league.results.past_runs import PastPlace, PastRun
from arena.reports.report import Report

_MOST_RUNS = 30
"""The last ones."""


@dataclass(frozen=True, slots=True)
class RunMark:
    """One run, with its place in the drawing: in percent, from the left and the top."""

    run: int
    """From 1, of all that are kept."""
    version: int
    """From 1, of all that this bot is known to have had; 0 if that is not known."""
    is_new: bool
    """True if its version is another than in the run before."""
    elo: str
    """`1644`, or `at most 370` if its range has one end only."""
    place: str
    """`2 of 6`."""
    at: tuple[float, float]
    ends: tuple[float, float]
    """The top and the bottom of the 95 % range; the Elo's own place where open."""


@dataclass(frozen=True, slots=True)
class RunLine:
    """The runs of a bot in one table, the oldest first."""

    label: str
    """Empty for the table of all games."""
    marks: tuple[RunMark, ...]
    low: int
    high: int
    """The Elo at the bottom and at the top."""

    @property
    def latest(self) -> str:
        """What the last run has changed, in a sentence; empty if nothing."""
        before, now = self.marks[-2:]
        if (before.elo, before.place) == (now.elo, now.place):
            return ""
        where = f" in {self.label}" if self.label else ""
        cause = "its new version" if now.is_new else "the run before"
        return (
            f"Since {cause}{where}: place {before.place} → {now.place}, Elo "
            f"{before.elo} → {now.elo}."
        )

    @property
    def line(self) -> str:
        """The path through all marks."""
        return _path(x.at for x in self.marks)

    @property
    def band(self) -> str:
        """The outline of all ranges."""
        upper = [(x.at[0], x.ends[0]) for x in self.marks]
        lower = [(x.at[0], x.ends[1]) for x in reversed(self.marks)]
        return _path([*upper, *lower]) + "z"


def run_lines(report: Report, bot: str) -> list[RunLine]:
    """Return how a bot has done in the table of all games, or else in each game.

    Only runs whose Elo is counted from the same point as now; with fewer than two of
    them there is no line.
    """
    if report.run is None:
        return []
    entry = next(id_ for id_, name in report.names.items() if name == bot)
    runs = [*enumerate([*report.past, report.run], 1)]
    alike = [(i, run) for i, run in runs if run.anchor == report.run.anchor]
    now = report.run.standing(entry)
    labels = [""] if now and now.overall else list(now.labels if now else ())
    lines = [_line(label, alike, entry) for label in labels]
    return [line for line in lines if line is not None]


def _line(
    label: str, runs: Sequence[tuple[int, PastRun]], entry: str
) -> RunLine | None:
    known: dict[str, int] = {}
    found: list[tuple[int, int, bool, PastPlace]] = []
    last = 0
    for number, run in runs:
        own = run.standing(entry)
        if own is None:
            continue
        place = own.labels.get(label) if label else own.overall
        if place is None:
            continue
        version = known.setdefault(own.version, len(known) + 1) if own.version else 0
        found.append((number, version, bool(last and version not in (0, last)), place))
        last = version or last
    found = found[-_MOST_RUNS:]
    if len(found) < 2:
        return None
    ends = [x for *_, p in found for x in (p.low, p.high) if x is not None]
    elos = [*ends, *(_told(p)[0] for *_, p in found)]
    low, high = min(elos) - 5.0, max(elos) + 5.0

    def down(elo: float) -> float:
        return round(100.0 * (high - elo) / (high - low), 1)

    step = 100.0 / len(found)
    marks = [
        RunMark(
            number,
            version,
            is_new,
            _told(place)[1],
            f"{place.place} of {place.players}",
            (round((i + 0.5) * step, 1), down(_told(place)[0])),
            (
                down(_told(place)[0] if place.high is None else place.high),
                down(_told(place)[0] if place.low is None else place.low),
            ),
        )
        for i, (number, version, is_new, place) in enumerate(found)
    ]
    return RunLine(label, tuple(marks), round(low), round(high))


def _told(place: PastPlace) -> tuple[float, str]:
    """Return where an Elo is drawn, and its text.

    Of a range with one end that is this end: the Elo itself says nothing then.
    """
    if place.low is None and place.high is not None:
        return place.high, f"at most {place.high:.0f}"
    if place.high is None and place.low is not None:
        return place.low, f"at least {place.low:.0f}"
    return place.elo, f"{place.elo:.0f}"


def _path(points: Iterable[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in points)
