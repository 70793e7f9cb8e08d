"""What a rating reads: one `Result` for each game that was played."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of one played game.

    Raises:
        ValueError: the tuples differ in length, there are fewer than two seats,
            an entry sits twice, or a place is below 1.
    """

    label: str
    """The game's label in the league; each label is rated on its own."""
    fixture: str
    """The fixture it belongs to: its games share their luck, so they form one
    cluster in every interval."""
    seats: tuple[str, ...]
    """Names of the entries in seat order."""
    places: tuple[int, ...]
    """Place of each seat in seat order; 1 is best, ties share a place."""
    forfeits: tuple[bool, ...]
    """Whether each seat lost by its own fault, in seat order."""

    def __post_init__(self) -> None:
        n = len(self.seats)
        if n < 2 or len(self.places) != n or len(self.forfeits) != n:
            raise ValueError(
                f"{self.fixture}: expected one place and one forfeit for each of two "
                f"or more seats; found {n} seats, {len(self.places)} places, "
                f"{len(self.forfeits)} forfeits"
            )
        if len(set(self.seats)) != n:
            raise ValueError(
                f"{self.fixture}: expected each entry in one seat; found {self.seats}"
            )
        if min(self.places) < 1:
            raise ValueError(
                f"{self.fixture}: expected places from 1; found {self.places}"
            )
