"""The list of all games: its page, and a file for each label with what it lists.

A file is small enough to be loaded as a whole, about 40 bytes a game, half of them its
id.  Its columns have an item for each game; who can sit where and how a game can end is
there once, and a game has the numbers of both.
"""

import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from arena.records.game_record import Termination
from arena.reports.games import Games
from arena.reports.highlights import Reason
from arena.reports.pages.site import Site
from arena.reports.pages.slugs import slug

_FORFEIT = "forfeit"
"""Any termination that is somebody's fault."""
_ENDS = {
    Termination.NATURAL: "normal end",
    Termination.ADJUDICATED: "ended by the referee",
}
_LOOKS = (Reason.CLOSEST, Reason.LONGEST, Reason.UPSET)


def write_game_list(site: Site, games: Games) -> None:
    """Write `games.html`, and `games/0.js`, `games/1.js` … with the games of labels."""
    labels = site.report.labels
    by_label: dict[str, list[int]] = {label: [] for label in labels}
    for game, seating in enumerate(games.refs.seating):
        by_label[games.refs.seatings[seating].label].append(game)
    for number, (label, board) in enumerate(
        zip(labels, site.report.boards, strict=True)
    ):
        data = _compact(games, by_label[label], board.label.players)
        site.write_text(f"games/{number}.js", "".join(_script(number, data)))
    found = {end.termination for end in games.refs.ends} - {Termination.QUARANTINE}
    site.write(
        "games.html",
        "games.html",
        "All games",
        labels=[(label, len(by_label[label])) for label in labels],
        bots=sorted(games.by_bot, key=lambda bot: (bot.casefold(), bot)),
        endings=[
            (x, _ENDS.get(x) or x.replace("_", " ")) for x in Termination if x in found
        ],
        any_forfeit=_FORFEIT if any(any(x.forfeits) for x in games.refs.ends) else "",
        reasons=[r for r in _LOOKS if any(x.reason == r for x in games.highlights)],
        command=site.replay_command(""),
        to_open=(
            f"arena report {site.results} --open"
            if len(games.replays) < len(games.refs) and not site.report.is_anonymous
            else ""
        ),
    )


def _compact(games: Games, own: Sequence[int], players: int) -> dict[str, Any]:
    """Return the games of a label, in the form that the page reads."""
    refs = games.refs
    index = {refs.ids[game]: i for i, game in enumerate(own)}
    bots: dict[str, int] = {}
    seatings: dict[int, int] = {}
    kinds: dict[tuple[object, ...], int] = {}
    steps = {}
    looks: dict[str, list[int]] = {str(reason): [] for reason in _LOOKS}
    for highlight in games.highlights:
        at = index.get(highlight.game.game_id)
        if at is None:
            continue
        if highlight.step is not None:
            steps[str(at)] = highlight.step
        if highlight.reason in _LOOKS:
            looks[highlight.reason].append(at)
    ends = [refs.ends[refs.end[game]] for game in own]
    kind = [(end.termination, end.places, end.forfeits) for end in ends]
    seating = [seatings.setdefault(refs.seating[g], len(seatings)) for g in own]
    for i in seatings:
        for bot in refs.seatings[i].bots:
            bots.setdefault(bot, len(bots))
    replays = games.replays
    return {
        "players": players,
        "id_length": len(refs.ids[own[0]]) if own else 0,
        "bots": [[bot, slug(bot)] for bot in bots],
        "steps": steps,
        "looks": looks,
        # Most are the last one or the next one.
        "seating": [b - a for a, b in pairwise([0, *seating])],
        "kind": [kinds.setdefault(x, len(kinds)) for x in kind],
        "decisions": [refs.decisions[game] for game in own],
        "scores": [_plain(score) for end in ends for score in end.scores],
        "held": "".join("01"[refs.ids[game] in replays] for game in own),
        "ids": "".join(refs.ids[game] for game in own),
        "seatings": [bots[bot] for i in seatings for bot in refs.seatings[i].bots],
        "kinds": list(kinds),
    }


def _plain(score: float) -> float:
    """Return a score without a decimal point if it needs none."""
    return int(score) if score.is_integer() else score


def _script(number: int, data: dict[str, Any]) -> Iterator[str]:
    """Yield a script that hands over data, a line for each part of it."""
    yield f"arena.games({number}, {{\n"
    for key, value in data.items():
        yield f"{json.dumps(key)}: {json.dumps(value, separators=(',', ':'))},\n"
    yield "});\n"
