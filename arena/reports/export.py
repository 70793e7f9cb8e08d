"""The games of a league for other programs."""

import json
from collections.abc import Iterator

from arena.league.results.store import Store
from arena.reports.results_pass import not_of_this_league


def export_lines(store: Store, moves: bool = False) -> Iterator[str]:
    """Yield one JSON object a game, without line ends, in the order of the plan.

    Keys: `game_id`, `fixture_id`, `match_id`, `label`, `seats` (names of the bots),
    `returns`, `scores`, `termination`, `forfeits`, `decisions` and `seconds` (charged
    to all seats together).  Lists are in seat order.  With secret luck also
    `commitment`, the one to the league's luck key.  With `moves` also `moves`, the
    chance outcomes and actions in order, from which the game can be replayed.  What
    is played under a label, `leaderboard.json` says once for all its games.

    Raises:
        RecordError: the file is damaged or holds no league, or games of another one.
    """
    info = store.info()
    names = {entry.id: entry.name for entry in info.entries}
    for record in store.records(history=moves):
        if not names.keys() >= {*record.seats}:
            raise not_of_this_league(store, record)
        line = {
            "game_id": record.game_id,
            "fixture_id": record.fixture_id,
            "match_id": record.match_id,
            "label": record.label,
            "seats": [names[entry] for entry in record.seats],
            "returns": record.returns,
            "scores": record.scores,
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


def _escaped(line: str) -> str:
    """Return JSON that says the same, and in which nothing acts on a terminal."""
    if line.isprintable():
        return line
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in line)
