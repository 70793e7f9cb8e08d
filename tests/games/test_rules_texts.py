"""The rules in words: they state what is in force, with rulings and assumptions."""

import re
from typing import Any

import pytest

from arena.cli.views.rules_page import rules_page
from arena.games import get_game

MARK = re.compile(r"\((assumption, )?ruling (\d+)(?:; options? ([^)]*))?\)")
NAMES = ("ox_blocks", "zombie_run", "zombie_mania")
RUN = {
    "rounds": 10,
    "hand": 6,
    "copies": [7, 7, 7, 7, 7, 7, 8, 8, 11],
    "streets": 12,
    "hordes": 13,
    "round_cap": 33,
}

# (game, players, options, every number in the text outside of marks and notation).
# Seats are numbered from 0, rounds and positions from 1.
NUMBERS: list[tuple[str, int, dict[str, Any], set[int]]] = [
    ("ox_blocks", 2, {}, {0, 1, 2, 3, 6, 9}),
    ("ox_blocks", 2, {"size": 4}, {0, 1, 2, 4, 6, 16}),
    # Seats 0 and 1, of 2; a side of 4 cells, 16 blocks; 9 faces.
    (
        "ox_blocks",
        2,
        {"size": 4, "faces": [5, 3, 1], "removal": "must"},
        {0, 1, 2, 4, 16, 5, 3, 9},
    ),
    # 15 zombies on a Horde, 450 on 75 cards; 2 * 4 + 1 dealt, 66 left; 18 seats.
    ("zombie_run", 2, {}, {0, 1, 2, 4, 5, 9, 15, 18, 50, 66, 75, 450}),
    # 94 cards, 3 * 6 + 1 dealt; 195 and 361 zombies; room for 93 // 6 seats.
    (
        "zombie_run",
        3,
        RUN,
        {3, 10, 94, 12, 0, 13, 15, 7, 1, 6, 8, 11, 9, 2, 75, 33}
        | {15 * 13 + 7 * 21 + 8 * 15 + 11 * 9}
        | {93 // 6},
    ),
    # 8 dice of 6 faces, 3 zombies; 1 or 2 tokens, doubled; at most 6 or 4.
    ("zombie_mania", 2, {}, {0, 1, 2, 3, 4, 6, 8, 12}),
    ("zombie_mania", 5, {}, {0, 1, 2, 3, 4, 5, 6, 8}),
    ("zombie_mania", 5, {"tokens": 21, "games": 7}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 21}),
]


def text_of(name: str, players: int = 2, **options: Any) -> str:
    return get_game(name, players, options).rules_text()


def prose(text: str) -> str:
    """Return the sentences without marks, `x2`, and the lines of the notation."""
    lines = [line for line in text.splitlines() if not line.startswith(" ")]
    kept = [line for line in lines if not line.startswith("Actions")]
    return MARK.sub("", "\n".join(kept)).replace("x2", "")


@pytest.mark.parametrize(("name", "players", "options", "numbers"), NUMBERS)
def test_every_number_is_one_in_force(
    name: str, players: int, options: dict[str, Any], numbers: set[int]
) -> None:
    """So nothing that an option changes is stated by its default."""
    found = re.findall(r"\d+", prose(text_of(name, players, **options)))
    assert set(map(int, found)) == numbers


@pytest.mark.parametrize("name", NAMES)
def test_no_number_that_an_option_sets_is_written_as_a_word(name: str) -> None:
    words = r"\b(three|four|five|six|seven|eight|nine|ten|twelve|fifteen|fifty)\b"
    assert re.findall(words, prose(text_of(name)), re.IGNORECASE) == []


@pytest.mark.parametrize(
    ("name", "options", "says"),
    [
        ("ox_blocks", {}, ["3 x 3 cells", "9 blocks", "a line has 3 cells"]),
        ("ox_blocks", {}, ["6 faces of a block 2 show X, 2 show O and 2 are open"]),
        ("ox_blocks", {"size": 4}, ["4 x 4", "16 blocks", "line has 4", "remove d4"]),
        (
            "ox_blocks",
            {"faces": [1, 4, 1]},
            ["6 faces of a block 1 shows X, 4 show O and 1 is open"],
        ),
        ("ox_blocks", {}, ["the seat may take one block of the other", "    pass"]),
        ("ox_blocks", {"removal": "must"}, ["the seat must take one block of the oth"]),
        ("ox_blocks", {"faces": [1, 1, 0]}, ["no block is ever taken off the board"]),
        ("zombie_run", {"rounds": 1}, ["over 1 round ("]),
        ("zombie_run", {"rounds": 10}, ["over 10 rounds ("]),
        ("zombie_run", {"hand": 5}, ["dealt 5 cards", "positions, 1 to 5", "peek 1 5"]),
        ("zombie_run", {}, ["75 cards with 450 zombies in all"]),
        ("zombie_run", {}, ["15 Empty Streets with 0", "15 Zombie Hordes with 15"]),
        ("zombie_run", {}, ["5 cards with each number of zombies from 1 to 9 ("]),
        ("zombie_run", {}, ["for 2 to 18 seats (", "has the other 66."]),
        ("zombie_run", {"hordes": 1}, ["1 Zombie Horde with 15 (", "61 cards with 24"]),
        (
            "zombie_run",
            {"copies": [1, 2, 2, 2, 0, 3, 3, 3, 9]},
            [
                "1 card with 1 zombie, 2 cards with each number of zombies from 2 to "
                "4, 0 cards with 5 zombies, 3 cards with each number of zombies from "
                "6 to 8 and 9 cards with 9 zombies ("
            ],
        ),
        (
            "zombie_run",
            {},
            ["The latter is allowed with a card taken from the discard"],
        ),
        (
            "zombie_run",
            {"must_swap_from_discard": True},
            ["But a card taken from the discard pile must be kept"],
        ),
        ("zombie_run", {"round_cap": 1}, ["once each seat has had 1 turn in a round"]),
        ("zombie_mania", {}, ["each with 12 zombie tokens", "1 game is played"]),
        (
            "zombie_mania",
            {},
            ["blue 1, green 1 and brown 2", "Who wins the game is fi"],
        ),
        ("zombie_mania", {"tokens": 1}, ["each with 1 zombie token on its mat"]),
        ("zombie_mania", {"games": 3}, ["3 games are played", "After 3 games fewest"]),
        # And with a mark, what is not in force.
        ("ox_blocks", {"removal": "must"}, ["!the seat may", "!pass"]),
        ("ox_blocks", {"faces": [1, 1, 0]}, ["!Open:", "!remove", "!pass"]),
        ("zombie_run", {"must_swap_from_discard": True}, ["!The latter is allowed"]),
        ("zombie_run", RUN, ["!75 cards", "!15 Empty", "!15 Zombie", "!5 cards"]),
        ("zombie_run", RUN, ["!50 turn"]),
        ("zombie_mania", {"games": 3}, ["!is first, alone", "!A game that has no end"]),
        ("zombie_mania", {}, ["!series", "!set up anew"]),
    ],
)
def test_sentences_say_what_the_options_set(
    name: str, options: dict[str, Any], says: list[str]
) -> None:
    text = text_of(name, **options)
    for words in says:
        assert (words[1:] not in text) if words.startswith("!") else words in text


@pytest.mark.parametrize(
    ("name", "rulings", "assumptions"),
    [
        # 45 is about the leaflets, not about the play.
        ("ox_blocks", range(37, 45), {37, 38, 42, 43}),
        ("zombie_run", range(46, 57), {46, 47, 49, 53, 54}),
        ("zombie_mania", range(57, 70), {66, 67, 68}),
    ],
)
def test_rulings_and_assumptions_are_marked(
    name: str, rulings: range, assumptions: set[int]
) -> None:
    """Rulings 37 to 44, 46 to 56 and 57 to 69."""
    text = text_of(name, games=2) if name == "zombie_mania" else text_of(name)
    marks = MARK.findall(text)
    assert {int(number) for _, number, _ in marks} == set(rulings)
    assert {int(number) for mark, number, _ in marks if mark} == assumptions
    assert text.count("assumption, ruling") == sum(bool(mark) for mark, *_ in marks)
    assert text.splitlines()[-1].startswith("A ruling says how ")
    assert "An assumption is a ruling" in text.splitlines()[-1]


@pytest.mark.parametrize("name", NAMES)
def test_every_option_is_named_where_it_has_its_effect(name: str) -> None:
    game = get_game(name)
    named = [
        option
        for _, _, options in MARK.findall(game.rules_text())
        for option in re.findall(r"`(\w+)`", options)
    ]
    assert sorted(named) == sorted(game.options.__struct_fields__)


@pytest.mark.parametrize("name", NAMES)
def test_a_paragraph_is_one_line(name: str) -> None:
    for paragraph in text_of(name).split("\n\n"):
        first, *rest = paragraph.splitlines()
        assert not first.startswith(" ")
        assert all(line.startswith("    ") for line in rest)
        assert max(map(len, rest), default=0) <= 80


EVERYTHING = {"preset": "direct_to_video_sequel", "bus": True, "horde": True}
LISTED: list[tuple[str, dict[str, Any]]] = [
    ("zombie_dice", {}),
    ("zombie_dice", EVERYTHING),
    *((name, {}) for name in NAMES),
]


@pytest.mark.parametrize(("name", "options"), LISTED)
def test_it_is_listed_where_every_ruling_is_from(
    name: str, options: dict[str, Any]
) -> None:
    game = get_game(name, 2, options)
    page = rules_page(game, 80, rulings=True)
    cited = {int(number) for _, number, _ in MARK.findall(game.rules_text())}
    _, _, sources = page.partition("\nWhere the rulings are from:\n")
    assert [int(x) for x in re.findall(r"^    ( ?\d+)  ", sources, re.M)] == sorted(
        cited
    )


@pytest.mark.parametrize("name", ["zombie_dice", *NAMES])
def test_a_reader_who_does_not_ask_sees_no_number_of_a_ruling(name: str) -> None:
    game = get_game(name)
    page = " ".join(rules_page(game, 80).split())
    assert "uling" not in page
    assert " ." not in page
    assert page.count("(assumption") == game.rules_text().count("(assumption")
    named = re.findall(r"options? `[^)]*`", game.rules_text())
    assert re.findall(r"options? `[^)]*`", page) == named


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_rules_have_room_and_their_words_are_whole(width: int) -> None:
    game = get_game("zombie_dice", 2, EVERYTHING)
    page = rules_page(game, width, rulings=True)
    assert max(map(len, page.splitlines())) <= min(width, 80)
    text = " ".join(game.rules_text().split())
    assert text in " ".join(page.split())
