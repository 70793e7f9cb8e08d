"""What the reports say of games and faults, in a terminal and on a page alike."""

from collections import Counter
from math import inf

import yaml

from arena.league.config.info import LabelInfo
from arena.records.game_record import Termination
from arena.reports.report import Report
from arena.reports.results_pass import Forfeit
from arena.reports.times import ALL
from arena.text import counted, cut, one_line

_MAX_MESSAGE = 200
_NEAR_LIMIT = 0.8
"""Share of the move limit that is worth a word."""


def about(label: LabelInfo) -> str:
    """Return what is played under a label: the game, its table and its options.

    Options are written as in a league's file; those at their defaults are left out.
    """
    text = f"{label.title}, tables of {label.players}"
    if label.changed:
        options = {name: label.options[name] for name in label.changed}
        flow = yaml.safe_dump(
            options,
            default_flow_style=True,
            sort_keys=False,
            allow_unicode=True,
            width=inf,
        )
        text += f"; {flow.strip()[1:-1]}"
    return text


def forfeit_summary(report: Report, *, examples: bool) -> list[str]:
    """Return one line for each bot that forfeited: how often and why.

    Bots with the most forfeits come first.  An example is the message of the first
    forfeit in the order of the league's plan; it may quote seconds or addresses,
    which differ from run to run.
    """
    by_bot: dict[str, list[Forfeit]] = {}
    for forfeit in report.forfeits:
        by_bot.setdefault(forfeit.bot, []).append(forfeit)
    lines = []
    for bot, forfeits in sorted(by_bot.items(), key=lambda x: (-len(x[1]), x[0])):
        reasons = Counter(forfeit.fault.termination for forfeit in forfeits)
        line = f"{bot}: {counted(len(forfeits), 'forfeit')}: {by_reason(reasons)}"
        if examples:
            message = one_line(forfeits[0].fault.message)
            line += f"; first: {cut(message, _MAX_MESSAGE)}"
        lines.append(line)
    return lines


def by_reason(reasons: Counter[str]) -> str:
    """Return how often games were forfeited by what, the most frequent first."""
    return ", ".join(
        f"{count} {'quarantined' if reason == Termination.QUARANTINE else reason}"
        for reason, count in sorted(reasons.items(), key=lambda x: (-x[1], x[0]))
    )


def quarantined(report: Report) -> list[str]:
    """Return one sentence for each bot that is quarantined: why, for how many games."""
    by_bot: dict[str, list[Forfeit]] = {}
    for forfeit in report.forfeits:
        if forfeit.fault.termination == Termination.QUARANTINE:
            by_bot.setdefault(forfeit.bot, []).append(forfeit)
    return [
        f"Quarantined: {bot}, {counted(len(forfeits), 'game')} "
        f"{one_line(forfeits[0].fault.message)}"
        for bot, forfeits in sorted(by_bot.items())
    ]


def run_notes(report: Report) -> list[str]:
    """Return what the instructor should know after a run, a sentence each."""
    # That they are too slow is said already.
    late = {
        forfeit.bot
        for forfeit in report.forfeits
        if forfeit.fault.termination == Termination.TIMEOUT
    }
    return quarantined(report) + [
        f"{row.bot}: its slowest decision took {row.slowest:.3g} s, the move limit is "
        f"{row.limit:g} s"
        for row in report.times
        if row.label == ALL
        and row.bot not in late
        and row.slowest is not None
        and row.slowest > _NEAR_LIMIT * row.limit
    ]
