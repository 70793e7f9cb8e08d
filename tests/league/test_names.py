"""Names in the tables are fit to print, and nobody can be taken for another."""

from pathlib import Path

import pytest
from hand_ins import kept

from arena.league.entries.bot_file import BotFile
from arena.league.entries.enrolment import _tell_apart
from arena.league.entries.entry import Entry
from arena.league.entries.names import fit_to_print, looks_of, name_apart, renamed

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


def test_who_looks_like_another_is_shown_with_the_file() -> None:
    entries = (entry("ben", FAKE), entry("random_bot", "random"), entry("zoe", "zoe"))
    assert shown(*entries) == [f"{FAKE} (ben)", "random (random_bot)", "zoe"]
    ((olds, why),) = renamed(entries, name_apart(entries))
    assert olds == entries[:2]
    # It is told letter by letter, or who reads it would see no difference.
    assert why == (
        r"the names 'random' and 'r\u0430ndom' look alike; the tables say "
        f"{FAKE} (ben), random (random_bot); give each bot a name of its own"
    )


def test_in_a_league_that_was_frozen_before_only_capitals_are_alike() -> None:
    entries = (entry("ben", FAKE), entry("cy", "Random"), entry("staff", "random"))
    found = [bot.name for bot in name_apart(entries, form=1)]
    assert found == [FAKE, "Random (cy)", "random (staff)"]


def test_the_bots_of_the_staff_keep_their_names() -> None:
    entries = (entry("ben", FAKE), entry("cy", "random"), entry("staff", "random"))
    found = shown(*entries, staff=("staff:Bot",))
    assert found == [f"{FAKE} (ben)", "random (cy)", "random"]


def test_a_file_that_looks_like_another_does_not_help() -> None:
    found = shown(
        entry("random_bot", "random"),
        entry("r\u0430ndom_bot", "random"),
        entry("r\u0430ndom_b\u043et", "random"),
    )
    looks = [looks_of(name) for name in found]
    assert not any(a & b for i, a in enumerate(looks) for b in looks[:i])


def test_a_name_of_two_alphabets_is_shown_with_the_file() -> None:
    # Cherokee: there is no end of letters that look like Latin ones.
    odd = entry("ben", "\u13a1andom")
    assert shown(odd) == [f"{odd.name} (ben)"]
    ((_, why),) = renamed((odd,), name_apart((odd,)))
    assert why.startswith(r"the name '\u13a1andom' mixes letters of several alphabets;")
    # Of two that nobody takes for one another there may be both.
    fine = ("AI机器人", "π-bot", "бот", "Ωmega 3"[1:], "naïve", "Zoë")
    assert shown(*(entry(f"f{i}", name) for i, name in enumerate(fine))) == [*fine]


def test_of_very_many_that_are_renamed_some_are_named() -> None:
    entries = [entry(f"s{i:02}", "P") for i in range(33)]
    ((those, why),) = renamed(entries, name_apart(entries))
    assert len(those) == 33
    assert why == (
        "the name 'P' is taken more than once; the tables say P (s00), P (s01), "
        "P (s02), P (s03), P (s04), … (33 in all); give each bot a name of its own"
    )
