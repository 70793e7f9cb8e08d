"""Who a contestant reports to."""

from typing import TYPE_CHECKING, Protocol

from arena.referee.contestant.misconduct import Misconduct
from arena.referee.contestant.requests import Pending
from arena.worker.protocol import Answer, BotInfo, Done

if TYPE_CHECKING:
    from arena.referee.contestant.contestant import Contestant


class ContestantListener(Protocol):
    """What a contestant tells of: the match it plays in."""

    def on_ready(self, who: "Contestant", bots: tuple[BotInfo, ...]) -> None:
        """The bot's file has been read, for the first time or again."""

    def on_reply(
        self, who: "Contestant", pending: Pending, reply: Done | Answer, seconds: float
    ) -> None:
        """A request was answered, `seconds` after its clock began to run."""

    def on_pondering(self, who: "Contestant", pending: Pending, seconds: float) -> None:
        """Before this request came, CPU seconds were used while others decided."""

    def on_misconduct(
        self, who: "Contestant", pending: Pending, fault: Misconduct, seconds: float
    ) -> None:
        """A request failed by the bot's own doing."""

    def on_refusal(self, who: "Contestant", fault: Misconduct) -> None:
        """The bot can't be started; it is out of all games of the match."""

    def requests_to_repeat(self, who: "Contestant") -> list[Pending]:
        """Everything a new process must be asked, to take over all open games."""

    def settle(self) -> None:
        """Go on, after one or more calls of the above."""
