"""`arena rules zombie_dice` says what is in force: the values, and the rulings."""

import re
from collections import Counter
from itertools import product
from typing import Any

import pytest

from arena.games import get_game
from arena.games.rulings import MARKS
from arena.games.zombie_dice import BUS, DICE, FACES, PRESETS, Die, ZombieDice

BIG_SUMMER = "big_summer_action_movie"
CHRISTMAS = "santa_claus_meets_the_zombies"
SEQUEL = "direct_to_video_sequel"
EVERYTHING = {"preset": SEQUEL, "bus": True, "horde": True}
FACES_OF_ITS_OWN = ["brain", "brain", "hoard of 4", "feet", "feet", "shotgun"]

BASE = {*range(1, 12), 13}
HEROES = {12, 14, 15, 17, 18, 19, 23}
"""With the Hunk and one or two of the others."""
SANTA = {12, 20, 21, 22}
BUS_RULINGS = set(range(24, 33))
HORDE = set(range(33, 37))
LOW = [16, 21, 29, 33, 34, 34]

RULINGS: list[tuple[dict[str, Any], set[int]]] = [
    ({}, BASE),
    ({"cup": "needed"}, BASE),
    ({"cup": "none"}, BASE - {2}),
    ({"preset": "all_yellow"}, BASE),
    ({"dice": {"green": 5, "hunk": 1}}, BASE | {12, 19, 23}),
    ({"dice": {"green": 5, "hottie": 1}}, BASE | {12, 19}),
    ({"preset": BIG_SUMMER}, BASE | HEROES),
    ({"preset": CHRISTMAS}, BASE | SANTA | {19}),
    ({"preset": SEQUEL}, BASE | HEROES | SANTA | {16}),
    ({"preset": SEQUEL, "cup": "none"}, (BASE | HEROES | SANTA | {16}) - {2, 18, 23}),
    ({"bus": True}, BASE | BUS_RULINGS),
    ({"horde": True}, BASE | HORDE),
    ({"horde": True, "horde_faces": FACES_OF_ITS_OWN}, (BASE | HORDE) - {34}),
    (EVERYTHING, set(range(1, 37))),
]

WORDS: list[tuple[dict[str, Any], list[str], list[str]]] = [
    (
        {},
        ["13 brains", "13 dice", "`base`", "until one of them is ahead"],
        [
            "Hunk",
            "Santa",
            "bus ",
            "Bus",
            "orde",
            "assumption, ruling",
            "order:",
            "count for several",
            "at most",
        ],
    ),
    ({"target": 21}, ["to 21 brains", "banked 21 brains"], ["13 brains"]),
    (
        {"tiebreak_rounds": 4},
        ["at most 4 rounds, after which they share the win"],
        ["until one of them"],
    ),
    ({"cup": "literal"}, ["fewer than 3, all brain dice"], ["remainder", "never"]),
    ({"cup": "needed"}, ["fewer dice than must be drawn"], ["remainder", "never"]),
    ({"cup": "rest_first"}, ["the remainder is drawn"], ["never return"]),
    (
        {"cup": "none", "preset": SEQUEL},
        ["never return"],
        ["even so", "are first put", "are noted", "stay on the table"],
    ),
    ({"preset": "all_yellow"}, ["`all_yellow`"], ["`base`"]),
    (
        {"dice": {"red": 4}},
        ["4 dice, chosen by this league (ruling 13; option `dice`)", "4 red"],
        ["`base`", "13 dice"],
    ),
    (
        {"preset": BIG_SUMMER},
        ["the Hunk the Hottie; the Hottie the Hunk.", "published dice"],
        ["Santa", "If two others", "helmet", "energy", "as it says"],
    ),
    (
        {"preset": CHRISTMAS},
        [
            "icons) has the faces",
            "Santa alone rescues nobody",
            "4 shotguns in place of 3",
            "stay on the table",
        ],
        ["Hunk", "Hottie", "rescue each other", "rescues are made"],
    ),
    (
        {"preset": SEQUEL},
        ["the Hunk the Hottie and Santa;", "both are", "from the roll that brings it"],
        ["before Santa", "named first", "the one that brings", "bus "],
    ),
    (
        {"preset": SEQUEL, "rescue": "first_only"},
        [
            "the Hunk the Hottie before Santa; the Hottie the Hunk before Santa; "
            "Santa the Hunk before the Hottie",
            "only the one named first is",
        ],
        ["both are", "Hottie and Santa;"],
    ),
    (
        {"preset": SEQUEL, "energy_drink": "later_rolls"},
        ["become brains like others, from the roll after the one that brings it"],
        ["like others, from the roll that"],
    ),
    (
        {"preset": SEQUEL, "faces": "manual"},
        ["each shotgun of the Hottie and Santa is a double one"],
        [],
    ),
    (
        {"preset": CHRISTMAS, "faces": "manual"},
        ["each shotgun of Santa is a double one"],
        ["Hottie"],
    ),
    (
        {"bus": True},
        ["12 faces", "Stop:", "Yield:", "Dead end:", "Run over:", "is gone until the"],
        ["a double one", "more brains does", "rescued", "drink", "one brain each"],
    ),
    (
        {"bus": True, "reboard": True},
        ["the bus may be boarded again"],
        ["and the bus is gone"],
    ),
    (
        {"preset": BIG_SUMMER, "bus": True},
        [
            "a double one",
            "more brains does",
            "also the Hunk and the Hottie, with one brain each",
            "Whom a shotgun has rescued is gone all the same",
        ],
        ["energy drink"],
    ),
    (
        {"preset": SEQUEL, "bus": True},
        ["Green dice among them stay feet under"],
        ["among them become brains"],
    ),
    (
        {"preset": SEQUEL, "bus": True, "yielded_green": "brains"},
        ["Green dice among them become brains under"],
        ["stay feet under"],
    ),
    (
        {"horde": True},
        ["to 20 brains", "14 dice", "these are a house default", "Horde: all brains"],
        ["13 brains", "13 dice", "chosen by this league", "bus ", "Hunk"],
    ),
    (
        {"horde": True, "horde_faces": FACES_OF_ITS_OWN, "target": 15},
        ["15 brains", "these are chosen by this league"],
        ["house default", "Horde: ", "the horde takes", "20"],
    ),
]


def options_id(options: dict[str, Any]) -> str:
    return ",".join(f"{key}={value}" for key, value in options.items()) or "default"


def rules(options: dict[str, Any], players: int = 2) -> str:
    return get_game("zombie_dice", players, options).rules_text()


def make(options: dict[str, Any]) -> ZombieDice:
    game = get_game("zombie_dice", 2, options)
    assert isinstance(game, ZombieDice)
    return game


def cited(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"ruling (\d+)", text)]


def read_faces(text: str) -> Counter[str]:
    """Return how many faces show what, from a list such as `2 brain, feet`."""
    found: Counter[str] = Counter()
    for part in text.split(", "):
        count, face = re.fullmatch(r"(?:(\d+) )?(.+)", part.strip()).groups()  # type: ignore[union-attr]
        found[face] += int(count or 1)
    return found


def listed_dice(text: str) -> dict[str, tuple[int, Counter[str]]]:
    rows = re.findall(r"^ +(\d+) (\w+) +(.+)$", text, re.MULTILINE)
    return {name: (int(n), read_faces(faces)) for n, name, faces in rows}


@pytest.mark.parametrize(
    ("options", "rulings"), RULINGS, ids=[options_id(o) for o, _ in RULINGS]
)
def test_the_rulings_that_apply_are_cited_and_no_others(
    options: dict[str, Any], rulings: set[int]
) -> None:
    assert set(cited(rules(options))) == rulings


@pytest.mark.parametrize(
    ("options", "said", "unsaid"), WORDS, ids=[options_id(o) for o, *_ in WORDS]
)
def test_the_words_are_those_of_the_options_in_force(
    options: dict[str, Any], said: list[str], unsaid: list[str]
) -> None:
    text = rules(options)
    assert [words for words in said if words not in text] == []
    assert [words for words in unsaid if words in text] == []


def test_the_seats_are_counted() -> None:
    assert "for 5 seats" in rules({}, players=5)


@pytest.mark.parametrize(
    "options",
    [
        *({"preset": preset} for preset in PRESETS),
        {"preset": SEQUEL, "faces": "manual"},
        {"preset": CHRISTMAS, "faces": "manual", "horde": True},
        {"horde": True, "horde_faces": FACES_OF_ITS_OWN},
        {"dice": {"yellow": 2, "red": 40, "hottie": 1}},
    ],
    ids=options_id,
)
def test_the_dice_listed_are_those_that_are_played(options: dict[str, Any]) -> None:
    game = make(options)
    assert listed_dice(game.rules_text()) == {
        die.name: (n, Counter(die.faces))
        for die, n in zip(game.setup.kinds, game.setup.dice, strict=True)
        if n
    }


def test_a_further_die_is_told_from_the_tables() -> None:
    """A die of the cup is a row of `setup.kinds`: the words know no dice by heart."""
    game = make({})
    blue = Die("green", "green", ("triple brain", "stop", "feet", "feet"))
    object.__setattr__(game.setup, "kinds", (blue, *game.setup.kinds[1:]))
    assert listed_dice(game.rules_text())["green"] == (6, Counter(blue.faces))
    assert "triple brain as 3 brains" in game.rules_text()


def test_ruling_24_the_faces_of_the_bus_are_all_told() -> None:
    found = re.search(r"never in the cup: (.+?) \(ruling 24", rules({"bus": True}))
    assert found
    assert read_faces(found[1]) == Counter(BUS.faces)


@pytest.mark.parametrize(
    "options",
    [{}, {"bus": True}, {"bus": True, "preset": "all_yellow"}, EVERYTHING],
    ids=options_id,
)
def test_the_actions_are_those_of_the_game(options: dict[str, Any]) -> None:
    game = make(options)
    told = game.rules_text().split("Actions:\n")[1].split("\n\n")[0]
    actions = [re.split(" {2,}", line.strip())[0] for line in told.split("\n")]
    assert tuple(actions) == game.actions


def test_faces_that_count_for_several_say_for_how_many() -> None:
    counting = re.search(r"count for several: (.+)\.", rules(EVERYTHING))
    assert counting
    shown = {face for die in (*DICE, BUS) for face in die.faces}
    told = {part.split(" as ")[0] for part in counting[1].split("; ")}
    assert told == {
        name
        for name in shown
        if FACES[name].brains > 1
        or FACES[name].shotguns > 1
        or (FACES[name].brains and FACES[name].shotguns)
    }


def assumptions(options: dict[str, Any]) -> list[int]:
    """Return the numbers of the rulings that are marked as assumptions."""
    found = re.findall(
        r"\(assumption, ruling (\d+)(?:; option `\w+`)?\)", rules(options)
    )
    return sorted(map(int, found))


def test_the_low_rulings_are_marked_as_assumptions_and_no_others() -> None:
    assert assumptions(EVERYTHING) == LOW
    marked = re.findall(r"(assumption, )?ruling (\d+)", rules(EVERYTHING))
    assert {int(n) for mark, n in marked if not mark} == set(range(1, 37)) - {
        16,
        21,
        33,
    }


@pytest.mark.parametrize(
    ("options", "marks"),
    [
        ({}, 1),
        ({"bus": True}, 2),
        ({"preset": "santa_claus_meets_the_zombies"}, 2),
        ({"horde_faces": ["feet"] * 6, "bus": True}, 0),
    ],
)
def test_ruling_34_only_what_is_in_force_and_matters_is_an_assumption(
    options: dict[str, Any], marks: int
) -> None:
    """Where the dice of lost brains go, and the horde's place in a roll."""
    assert assumptions({"horde": True, **options}).count(34) == marks


def test_every_option_is_named_with_its_ruling() -> None:
    named = set()
    for options in ({}, EVERYTHING, {"dice": {"green": 5}}):
        for group in re.findall(r"\(.*?ruling \d+; options? (.+?)\)", rules(options)):
            named |= set(re.findall(r"`(\w+)`", group))
    assert named == set(ZombieDice.options_type.__struct_fields__)


def test_the_marks_are_explained_at_the_end() -> None:
    assert rules({}).endswith(f"\n\n{MARKS}")


@pytest.mark.parametrize("preset", PRESETS)
def test_paragraphs_are_whole_sentences_on_a_line_and_lists_fit(preset: str) -> None:
    for bus, horde, cup in product((False, True), (False, True), ("literal", "none")):
        if (preset, cup) == ("all_yellow", "none"):
            continue
        options = {"preset": preset, "bus": bus, "horde": horde, "cup": cup}
        for line in rules(options).split("\n"):
            if line.startswith("    "):
                assert len(line) <= 80
            elif line:
                assert re.fullmatch(r"[A-Z].*[.:]", line)
                assert not re.search(r"  | [.,;]|[.,;][.,;]|None|\{|\}", line)


def test_without_the_horde_there_is_no_house_rule() -> None:
    assert make({"preset": SEQUEL, "bus": True}).house_rules() == ()


def test_ruling_33_the_house_rule_names_the_faces_and_their_source() -> None:
    default = make({"horde": True}).house_rules()[0]
    assert default == (
        "The faces of the Zombie Horde die are hoard of 2, hoard of 3, shotgun, "
        "2 feet, horde: a house default, as no publisher's list of them exists; the "
        "target of 20 brains is the manual's."
    )
    chosen = {"horde": True, "horde_faces": FACES_OF_ITS_OWN, "target": 15}
    (other,) = make(chosen).house_rules()
    assert other == (
        "The faces of the Zombie Horde die are 2 brain, hoard of 4, shotgun, 2 feet: "
        "chosen by this league, as no publisher's list of them exists; the target of "
        "15 brains is chosen by this league."
    )


@pytest.mark.parametrize(
    ("options", "place"),
    [
        ({}, ""),
        ({"bus": True}, "before the sign of the bus"),
        ({"preset": "santa_claus_meets_the_zombies"}, "after the energy drink"),
        (
            {"preset": SEQUEL, "bus": True},
            "after the energy drink and before the sign of the bus",
        ),
    ],
)
def test_ruling_34_house_rules_say_what_no_source_says_of_the_horde(
    options: dict[str, Any], place: str
) -> None:
    said = make({"horde": True, **options}).house_rules()[1:]
    order = (
        f"In one roll the horde takes effect {place}, as no source says which comes "
        "first."
    )
    assert said == (
        "The dice of brains that are lost to the horde go back to the cup, as no "
        "source says where they go.",
        *((order,) if place else ()),
    )
