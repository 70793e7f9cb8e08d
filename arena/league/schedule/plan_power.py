"""The power of a plan: how well its games will tell any two bots apart."""

from math import inf

from arena.league.config.league_file import LeagueConfig
from arena.league.config.settings import Overall, Placing
from arena.league.schedule.core import Schedule
from arena.league.schedule.plan import Plan
from arena.ratings.power import (
    Power,
    label_precision,
    overall_precision,
    power,
    spread,
)


def plan_power(
    config: LeagueConfig, schedule: Schedule, plan: Plan
) -> tuple[dict[str, Power], Power | None]:
    """Return the power of a plan under each label, and over several labels together.

    Under a label that nobody plays no difference can be seen, however large.  Together
    they are said of those that are ranked, if there are two.
    """
    powers = {}
    parts = []
    players: list[set[str]] = []
    references = schedule.references
    shared = plan.shared_by_label() if references else {}
    for game in config.games:
        matches = [match for match in plan.matches if match.label == game.label]
        if not matches:
            powers[game.label] = Power(0.0, inf)
            continue
        playing = {entry.id for match in matches for entry in match.entries}
        players.append(playing)
        k, seats = len(playing), game.spec.players
        games = sum(map(len, matches))
        factor = 1.0
        if references:
            factor = spread(shared[game.label], playing.difference(references))
        found = label_precision(
            k,
            seats,
            games * (seats - 1) / (k * (k - 1)),
            winner_only=game.placing is Placing.WINNER,
            factor=factor,
        )
        powers[game.label] = power(k, found, looks=schedule.looks(game.label))
        parts.append((game.weight, found))
    if len(powers) == 1 or not players:
        return powers, None
    of_any = config.overall is Overall.ANY
    ranked = set.union(*players) if of_any else set.intersection(*players)
    if len(ranked) < 2:
        return powers, None
    looks = max(schedule.looks(game.label) for game in config.games)
    return powers, power(len(ranked), overall_precision(parts), looks=looks)
