"""The games of a league for other programs."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from arena.league.config.info import LabelInfo, LeagueInfo
from arena.league.config.settings import RatedBy
from arena.league.results.store import Store
from arena.reports.in_common import in_common
from arena.reports.results_pass import not_of_this_league


def export_lines(store: Store, moves: bool = False) -> Iterator[str]:
    """Yield one JSON object a game, without line ends, in the order of the plan.

    `results/README.md` tells its keys.  From them alone every rating of the league can
    be worked out again, without knowing its games.

    Raises:
        RecordError: the file is damaged or holds no league, or games of another one.
    """
    info = store.info()
    names = {entry.id: entry.name for entry in info.entries}
    labels = {label.label: label for label in info.labels}
    rating = {label: _rating(info, names, x) for label, x in labels.items()}
    shared = in_common(info.entries)
    games = store.records_with_luck(history=moves)
    for index, (record, luck) in enumerate(games):
        if record.label not in labels or not names.keys() >= {*record.seats}:
            raise not_of_this_league(store, record)
        line: dict[str, Any] = {
            "game_id": record.game_id,
            "fixture_id": record.fixture_id,
            "match_id": record.match_id,
            "label": record.label,
            "seats": [names[entry] for entry in record.seats],
            "returns": record.returns,
            "scores": record.scores,
            "scores_better": labels[record.label].scores_better,
            "places": record.places,
            "luck": luck,
            "explores": info.explores(index),
            "rating": rating[record.label],
            "in_common": [shared[entry] for entry in record.seats],
            "termination": record.termination,
            "forfeits": record.forfeits,
            "decisions": record.decisions,
            "seconds": round(sum(record.seconds), 6),
        }
        if info.commitment:
            line["commitment"] = info.commitment
        if moves:
            line["moves"] = record.history
        yield _escaped(json.dumps(line, ensure_ascii=False))


def _rating(
    info: LeagueInfo, names: Mapping[str, str], label: LabelInfo
) -> dict[str, Any]:
    """Return what the league has chosen of how the games of a label are rated."""
    anchor = None
    if info.anchor is not None:
        entry, elo = info.anchor
        anchor = {"bot": names[entry], "elo": elo}
    return {
        "by": RatedBy.LUCK_ADJUSTED if info.takes_luck else RatedBy.RESULTS,
        "anchor": anchor,
        "placing": label.placing,
        "overall": info.overall,
        "weight": label.weight,
    }


def _escaped(line: str) -> str:
    """Return JSON that says the same, and in which nothing acts on a terminal."""
    if line.isprintable():
        return line
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in line)
