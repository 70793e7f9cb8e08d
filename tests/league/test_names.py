"""Names in the tables are fit to print, and nobody can be taken for another."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hand_ins import kept
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.league.entries.bot_file import BotFile
from arena.league.entries.enrolment import _tell_apart
from arena.league.entries.entry import Entry
from arena.league.entries.looks import fit_to_print, is_mixed, looks_of
from arena.league.entries.names import name_apart, name_for_organiser, renamed
from arena.league.entries.telling import telling_parts

ALIKE = [
    ("random", "Random"),
    ("random", "r\u0430ndom"),  # Cyrillic.
    ("Random", "R\u0430ndom"),
    ("experts", "\u0435\u0445\u0440\u0435rts"),
    ("HAMBOT", "\u041d\u0410\u041c\u0412\u041e\u0422"),
    ("zoo", "z\u03bf\u03bf"),  # Greek.
    ("KATE", "\u039a\u0391\u03a4\u0395"),
    ("ohu", "\u0585\u0570\u057d"),  # Armenian.
    ("rollouts", "roll0uts"),
    ("rollouts", "rol1outs"),
    ("rollouts", "roIlouts"),
    ("Illia", "lllia"),
    ("modern", "modem"),
    ("wow", "vvow"),
    ("ana", "\u00e1na"),
    ("ana", "ana\u0301\u0301"),
    ("ana", "an\u0251"),
    ("ana", "\u1d00na"),
    ("lukasz", "\u0142ukasz"),
    ("random", "\uff52\uff41\uff4e\uff44\uff4f\uff4d"),
    ("random", "\U0001d42bandom"),
]
APART = [
    ("ana", "ina"),
    ("bot 1", "bot 2"),
    ("ian", "lan"),
    ("random", "random_bot"),
    ("機器人", "机器人"),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_names_that_look_alike_count_as_the_same(one: str, other: str) -> None:
    assert one != other
    assert looks_of(fit_to_print(one)) & looks_of(fit_to_print(other))


@pytest.mark.parametrize(("one", "other"), APART)
def test_names_that_differ_are_apart(one: str, other: str) -> None:
    assert not looks_of(one) & looks_of(other)


INVISIBLE = (
    *("\u200b", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u034f", "\u115f", "\u3164"),
    *("\u2800", "\ufe0f", "\u180b", "\u202e", "\u2066", "\u061c", "\U000e0041"),
    *("\U000e0100", "\x00", "\x1b"),
)


@pytest.mark.parametrize("sign", INVISIBLE)
def test_what_nobody_sees_makes_no_other_name(sign: str) -> None:
    said = fit_to_print(f"{sign}ran{sign}dom{sign}")
    assert said.replace(" ", "") == "random"
    assert fit_to_print(sign) == ""


def test_a_file_whose_name_looks_like_another_is_told() -> None:
    names = ("random_bot", "zoe", "random_bot\u3164", "r\u0430ndom_bot")
    files = [BotFile(Path(f"/bots/{name}.py")) for name in names]
    _tell_apart(files, 2)
    said = "its name, '{}', looks like 'random_bot.py'; rename it"
    assert {file.path.stem: file.notes for file in files} == {
        "random_bot": [],
        "zoe": [],
        names[2]: [said.format(r"random_bot\u3164.py")],
        names[3]: [said.format(r"r\u0430ndom_bot.py")],
    }


def test_accents_are_not_piled_up() -> None:
    assert len(fit_to_print("z" + "\u0301\u0302\u0330" * 30)) == 2


def entry(stem: str, name: str, cls: str = "Bot") -> Entry:
    path = Path(f"/bots/{stem}.py")
    own = kept("code", path.name)
    return Entry(f"{stem}:{cls}", name, path, cls, {}, (), own, stem=stem)


def shown(*entries: Entry, staff: tuple[str, ...] = ()) -> list[str]:
    return [found.name for found in name_apart(entries, staff)]


FAKE = "r\u0430ndom"


def test_names_without_end_are_not_read_to_their_end() -> None:
    """To put 130,000 accents in order takes a minute."""
    assert fit_to_print(" " * 1000 + "x") == ""
    assert fit_to_print("x" + "\u0323\u0301" * 65_000) == fit_to_print("x\u0301")


def test_who_looks_like_another_goes_by_the_file() -> None:
    entries = (entry("ben", FAKE), entry("random_bot", "random"), entry("zoe", "zoe"))
    assert shown(*entries) == ["ben", "random_bot", "zoe"]
    ((olds, why),) = renamed(entries, name_apart(entries))
    assert olds == entries[:2]
    # It is told letter by letter, or who reads it would see no difference.
    assert why == (
        r"the names 'random' and 'r\u0430ndom' look alike; the tables say ben, "
        "random_bot; give each bot a name of its own"
    )


def test_in_a_league_that_was_frozen_before_only_capitals_are_alike() -> None:
    entries = (entry("ben", FAKE), entry("cy", "Random"), entry("staff", "random"))
    found = [bot.name for bot in name_apart(entries, form=1)]
    assert found == [FAKE, "Random (cy)", "random (staff)"]


def test_in_a_league_that_was_frozen_before_the_whole_file_is_told() -> None:
    entries = [entry(f"{who}_12_3_my_bot", "my_bot") for who in ("ana", "ben")]
    found = [bot.name for bot in name_apart(entries, form=5)]
    assert found == ["my_bot (ana_12_3_my_bot)", "my_bot (ben_12_3_my_bot)"]


def test_the_bots_of_the_staff_keep_their_names() -> None:
    entries = (entry("ben", FAKE), entry("cy", "random"), entry("staff", "random"))
    assert shown(*entries, staff=("staff:Bot",)) == ["ben", "cy", "random"]


def test_nobody_goes_by_what_another_is_known_by() -> None:
    """Neither by a name, nor by that of a file."""
    ana, ben = entry("ana_12_3_my_bot", "my_bot"), entry("ben_14_5_my_bot", "my_bot")
    for liar in ("ana", "Ana", "my_bot (ana)", "An\u0430", "the real ana"):
        assert shown(ana, ben, entry("cy_16_7_my_bot", liar)) == ["ana", "ben", "cy"]
    # Nor does who is called like a bot of the staff, or has a file that is.
    staff = replace(entry("x", "ana"), is_named=True, stem="")
    assert shown(ana, ben, staff) == ["my_bot (ana)", "ben", "ana"]
    # A word with the same letters in it is another one.
    assert shown(ana, ben, entry("cy", "Banana")) == ["ana", "ben", "Banana"]
    entries = (ana, ben, entry("cy_16_7_my_bot", "the real ana"))
    _, (_, why) = renamed(entries, name_apart(entries))
    assert why == (
        "the name 'the real ana' has in it what another bot goes by; the tables say "
        "cy; give each bot a name of its own"
    )


def test_bots_of_one_file_are_told_apart_by_their_names_or_classes() -> None:
    entries = (
        entry("ana", "Fast", "A"),
        entry("ana", "Slow", "B"),
        entry("ben", "Fast", "A"),
        entry("ben", "fast", "C"),
        entry("cy", "Slow", "S"),
    )
    assert shown(*entries) == [
        *("Fast (ana)", "Slow (ana)", "Fast (ben:A)", "fast (ben:C)", "cy")
    ]


def test_a_number_alone_is_no_name() -> None:
    assert shown(entry("7", "Bot"), entry("8", "Bot")) == ["Bot (7)", "Bot (8)"]


def test_a_file_that_looks_like_another_does_not_help() -> None:
    found = shown(
        entry("random_bot", "random"),
        entry("r\u0430ndom_bot", "random"),
        entry("r\u0430ndom_b\u043et", "random"),
    )
    looks = [looks_of(name) for name in found]
    assert not any(a & b for i, a in enumerate(looks) for b in looks[:i])


def test_a_name_of_two_alphabets_is_not_shown() -> None:
    # Cherokee: there is no end of letters that look like Latin ones.
    odd = entry("ben", "\u13a1andom")
    assert shown(odd) == ["ben"]
    ((_, why),) = renamed((odd,), name_apart((odd,)))
    assert why.startswith(r"the name '\u13a1andom' mixes letters of several alphabets;")
    assert shown(entry("\u13a1ob", odd.name)) == [f"{odd.name} (\u13a1ob)"]
    # Of two that nobody takes for one another there may be both.
    fine = ("AI机器人", "π-bot", "бот", "Ωmega 3"[1:], "naïve", "Zoë")
    assert shown(*(entry(f"f{i}", name) for i, name in enumerate(fine))) == [*fine]


def test_of_very_many_that_are_renamed_some_are_named() -> None:
    entries = [entry(f"s{i:02}", "P") for i in range(33)]
    ((those, why),) = renamed(entries, name_apart(entries))
    assert len(those) == 33
    assert why == (
        "the name 'P' is taken more than once; the tables say s00, s01, s02, s03, s04, "
        "… (33 in all); give each bot a name of its own"
    )


EXPORTED = {
    "canvas": [
        ("alderana_12345_678_my_bot", "alderana"),
        ("birchben_LATE_12346_679_my_bot", "birchben"),
        ("smithjo_12347_680_my_bot", "smithjo_12347"),
        ("smithjo_12348_681_superbot", "smithjo_12348"),
    ],
    "moodle": [
        ("Ana Alder_12345_assignsubmission_file/my_bot", "Ana Alder"),
        ("Ben O'Neil_12346_assignsubmission_file/my_bot", "Ben O'Neil"),
    ],
    "brightspace": [
        ("123-45 - Ana Alder - Dec 1, 2026 1000 AM/my_bot", "Ana Alder"),
        ("124-46 - Ana Birch - Dec 1, 2026 1001 AM/my_bot", "Ana Birch"),
        ("125-47 - Zoë Cedar - Dec 2, 2026 1002 AM/my_bot", "Zoë Cedar"),
    ],
    "blackboard": [
        ("HW1_aalder_attempt_2026-12-01-10-00-00_my_bot", "aalder"),
        ("HW1_bbirch_attempt_2026-12-01-10-00-01_my_bot", "bbirch"),
    ],
    "gradescope": [
        ("submission_111/my_bot", "submission_111"),
        ("submission_112/my_bot", "submission_112"),
    ],
    "clones": [("hw1-aalder/my_bot", "aalder"), ("hw1-bbirch/my_bot", "bbirch")],
    "collected": [(x, x) for x in ("ana-alder", "ana-birch", "ben-cedar")],
    "at the end": [
        ("my_bot_ana", "ana"),
        ("my_bot_ben", "ben"),
        ("my_bot", "my_bot"),
        ("my_bot_2", "my_bot_2"),
    ],
}


@pytest.mark.parametrize("name", EXPORTED)
def test_of_a_file_that_is_told_which_differs(name: str) -> None:
    files = dict(EXPORTED[name])
    assert telling_parts({file: file for file in files}) == files


PIECES = st.sampled_from(
    ["ana", "Ben", "my", "bot", "12", "7", "r\u0430n", "ran", "v2"]
)
GAPS = st.sampled_from(["_", "-", " ", "/", " - "])


@st.composite
def stems(draw: st.DrawFn) -> str:
    pieces = draw(st.lists(PIECES, min_size=1, max_size=6))
    return pieces[0] + "".join(draw(GAPS) + piece for piece in pieces[1:])


@given(st.lists(stems(), min_size=1, max_size=8, unique_by=str.casefold), st.data())
@settings(max_examples=150)
def test_no_two_look_alike_and_no_word_is_cut(
    files: Sequence[str], data: st.DataObject
) -> None:
    names = st.sampled_from(["my_bot", "ana", "Ben (ana)", "x", "r\u0430n"])
    entries = [
        replace(entry(f"{i}", data.draw(names)), shown=f"{file}.py")
        for i, file in enumerate(files)
    ]
    found = shown(*entries)
    looks = [looks_of(name) for name in found]
    assert not any(a & b for i, a in enumerate(looks) for b in looks[:i])
    assert not any(map(is_mixed, (x for x in found if "(" not in x)))
    for name, file in zip(found, files, strict=True):
        if name in file:
            before, _, after = f" {file} ".partition(name)
            assert not before[-1].isalnum()
            assert not after[0].isalnum()


def for_organiser(*entries: Entry, **students: str) -> list[str]:
    named = name_apart(entries)
    return [x.called for x in name_for_organiser(entries, named, (), students)]


def test_the_organiser_is_told_the_student_where_a_name_tells_nothing() -> None:
    files = ("f1", "f2", "f3", "f4", "f5", "f5")
    whose = ("ana", "ben", "ben", "cy", "dan", "dan")
    names = ("my_bot", "my_bot", "Fast", "Ana Alder", "my_bot", "my_bot")
    entries = [
        replace(entry(file, name, f"C{i}"), students=(who,))
        for i, (file, who, name) in enumerate(zip(files, whose, names, strict=True))
    ]
    called = {"ana": "Ana Alder", "ben": "Ben", "cy": "Cy", "dan": "Dan"}
    assert for_organiser(*entries, **called) == [
        "Ana Alder",
        "Ben",
        "Fast",
        "Cy",
        "my_bot (Dan, f5:C4)",
        "my_bot (Dan, f5:C5)",
    ]
    # Also where no other bot needs the student's name.
    assert for_organiser(*entries[2:4], **called) == ["Fast", "Cy"]
    team = [
        replace(entry(f"{x}bot", "my_bot"), students=tuple(x)) for x in ("abc", "d")
    ]
    long = {x: f"{x} von und zu Irgendwo-am-See" for x in "abcd"}
    assert for_organiser(*team, **long) == [f"{long['a']}, …", long["d"]]
    # All others see nothing of it.
    assert [x.name for x in name_apart(entries)] == [
        *("f1", "f2", "Fast", "Ana Alder", "my_bot (f5:C4)", "my_bot (f5:C5)")
    ]
