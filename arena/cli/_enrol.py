"""Bots that are named on the command line."""

from arena.cli._arguments import parse_bot
from arena.errors import ConfigError
from arena.league.config.settings import BotSettings
from arena.league.entries.enrolment import enrol
from arena.league.entries.entry import Entry
from arena.referee.sandbox import Sandbox
from arena.referee.work_unit import Limits


async def enrol_one(text: str, game: str, limits: Limits, sandbox: Sandbox) -> Entry:
    """Return the bot of `FILE[:CLASS]` that plays a game.

    Raises:
        ConfigError: there is no such bot, or there are several.
        LeagueError: the machine could not start a process.
    """
    path, bot = parse_bot(text)
    settings = BotSettings(file=str(path), bot=bot)
    enrolment = await enrol((settings,), (game,), limits, sandbox, text)
    if len(enrolment.entries) > 1:
        classes = ", ".join(entry.bot for entry in enrolment.entries)
        raise ConfigError(text, f"has several bots ({classes}); say {text}:CLASS")
    return enrolment.entries[0]
