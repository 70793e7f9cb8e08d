"""Secret luck: who sees what of it, and what meets other luck."""

from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import get_args, get_type_hints

import msgspec
import pytest
from hand_ins import kept
from plans import entry, league, league_game, scheduled, tasks, whole

from arena.games import derive_seed
from arena.league.config.keys import Keys, commitment_to
from arena.league.config.league_file import LeagueConfig
from arena.league.config.settings import DivisionSettings, ScheduleName
from arena.league.entries.entry import Entry
from arena.league.play.cluster.messages import League, Load
from arena.league.results.secret import Secret
from arena.league.schedule.identity import fixture_seed, match_seed, rules_of
from arena.referee.service import Setup
from arena.referee.work_unit import GameTask, Limits, Restart, WorkUnit

KEYS = Keys(b"luck" * 8, b"ids." * 8, b"name" * 8)
OTHER_LUCK = Keys(b"LUCK" * 8, KEYS.ids, KEYS.aliases)
OTHER_IDS = Keys(KEYS.luck, b"IDS." * 8, KEYS.aliases)
OTHER_NAMES = Keys(KEYS.luck, KEYS.ids, b"NAME" * 8)
DICE = league_game("zombie_dice", fixtures=2)
ANA, BEN, CID = (entry(name) for name in ("ana", "ben", "cid"))
CONFIG = league(DICE)
Games = dict[tuple[str, ...], list[GameTask]]


def games_of(
    keys: Keys = KEYS,
    config: LeagueConfig = CONFIG,
    entries: Sequence[Entry] = (ANA, BEN, CID),
) -> Games:
    """Return the games of each match, by label and entries."""
    plan = scheduled(config, entries, keys).plan
    return {(match.label, *match.entry_ids): tasks(match) for match in plan.matches}


def seeds(games: Games) -> set[bytes]:
    return {task.seed for match in games.values() for task in match}


def ids(games: Games) -> set[str]:
    """Return the ids of games, fixtures and matches."""
    return {
        id_
        for match in games.values()
        for task in match
        for id_ in (task.game_id, task.fixture_id, task.match_id)
    }


def test_a_game_is_the_same_at_each_planning_and_its_seatings_share_their_luck() -> (
    None
):
    games = games_of()
    assert games == games_of()
    for match in games.values():
        assert len({task.match_id for task in match}) == 1
        for one, other in zip(match[::2], match[1::2], strict=True):
            assert (one.fixture_id, one.seed) == (other.fixture_id, other.seed)
            assert one.game_id != other.game_id
    assert len(seeds(games)) == 6
    assert len(ids(games)) == 3 + 6 + 12


def test_keys_do_not_meddle_with_each_other() -> None:
    games = games_of()
    fresh = games_of(OTHER_LUCK)
    assert not seeds(games) & seeds(fresh)
    assert not ids(games) & ids(fresh)
    renamed = games_of(OTHER_IDS)
    assert seeds(games) == seeds(renamed)
    assert not ids(games) & ids(renamed)
    assert games_of(OTHER_NAMES) == games


CHANGED = {
    "code": (replace(ANA, hand_in=kept("# a comment", "ana.py")), CONFIG),
    "params": (replace(ANA, params={"depth": 2}), CONFIG),
    "limits": (ANA, league(DICE, limits=Limits(move=0.25))),
    "restart": (ANA, league(DICE, restart=Restart.GAME)),
    "label": (ANA, league(replace(DICE, label="dice"))),
    "adjudication": (ANA, league(replace(DICE, max_decisions=77))),
}


@pytest.mark.parametrize("change", CHANGED)
def test_what_is_played_anew_meets_new_luck_and_nothing_else_changes(
    change: str,
) -> None:
    ana, config = CHANGED[change]
    before, after = games_of(), games_of(KEYS, config, (ana, BEN, CID))
    for group, games in after.items():
        if config is CONFIG and ana.id not in group:
            assert games == before[group]
            continue
        assert not seeds({group: games}) & seeds(before)
        assert not ids({group: games}) & ids(before)


def test_with_public_luck_a_changed_bot_meets_the_same_dice() -> None:
    """So it was in all leagues, and so it stays where the luck is no secret."""
    public = Keys.of_seed(2026)
    changed = replace(ANA, hand_in=kept("# a comment", "ana.py"))
    assert seeds(games_of(public)) == seeds(
        games_of(public, entries=(changed, BEN, CID))
    )


def test_labels_that_differ_only_in_when_they_are_cut_short_share_no_dice() -> None:
    config = league(DICE, replace(DICE, label="long", max_decisions=1000))
    games = games_of(KEYS, config)
    assert len(seeds(games)) == 12


def guesses(public: Sequence[int], entries: Sequence[Entry]) -> set[bytes]:
    """Return the seeds of all fixtures that a bot can work out from what it may know.

    It knows its league's file, who takes part, and the usual seeds.
    """
    spec = DICE.spec
    rules = rules_of(spec.name, 2, spec.options, DICE.game.changed_options)
    found = set()
    for seed in public:
        for one in entries:
            for other in entries:
                match = match_seed(seed, rules, [one.id, other.id], "")
                found |= {fixture_seed(match, "", number) for number in range(2)}
    return found


def test_a_bot_can_not_work_out_its_dice_from_what_is_public() -> None:
    """It recognises its fixture by `_arena_seed`, and then it knows all of its luck."""

    def told(games: Games) -> set[bytes]:
        return {
            derive_seed(seed, "bot", seat) for seed in seeds(games) for seat in (0, 1)
        }

    known = guesses(range(3), (ANA, BEN, CID)) | guesses([2026], (ANA, BEN, CID))
    recognised = {derive_seed(seed, "bot", seat) for seed in known for seat in (0, 1)}
    assert told(games_of(Keys.of_seed(2026))) <= recognised
    assert not told(games_of()) & recognised


def test_ids_do_not_show_the_luck_nor_luck_the_ids() -> None:
    public, secret = games_of(Keys.of_seed(7)), games_of()

    def shown(games: Games) -> set[str]:
        """Return what can be made of a known seed without the key of ids."""
        made = set()
        for seed in seeds(games):
            for digest in (seed, blake2b(seed).digest(), derive_seed("id", b"", seed)):
                made.add(digest.hex()[:16])
        return made

    assert shown(public) & ids(public)
    assert not shown(secret) & ids(secret)


def test_divisions_stay_when_luck_or_code_is_new_and_are_drawn_by_the_ids_key() -> None:
    config = league(
        DICE,
        schedule=ScheduleName.DIVISIONS,
        references=("ref",),
        divisions=DivisionSettings(size=4),
    )
    names = [f"bot{i:02}" for i in range(16)]
    bots = [entry("ref"), *map(entry, names)]
    changed = [
        bots[0],
        *(replace(bot, hand_in=kept("new", "bot.py")) for bot in bots[1:]),
    ]
    drawn = scheduled(config, bots, KEYS).divisions
    assert drawn == scheduled(config, bots, OTHER_LUCK).divisions
    assert drawn == scheduled(config, changed, KEYS).divisions
    assert drawn == scheduled(config, bots, OTHER_NAMES).divisions
    assert drawn != scheduled(config, bots, OTHER_IDS).divisions


def test_a_referee_is_told_the_seeds_of_its_own_fixtures_and_no_key() -> None:
    """Be it a process of this machine or a worker of a cluster: it gets a unit."""
    plan = scheduled(CONFIG, (ANA, BEN, CID), KEYS).plan
    told = [msgspec.msgpack.encode(whole(match)) for match in plan.matches]
    for data, match in zip(told, plan.matches, strict=True):
        own = {task.seed for task in tasks(match)}
        assert {seed for seed in seeds(games_of()) if seed in data} == own
        for key in (KEYS.luck, KEYS.ids, KEYS.aliases):
            assert isinstance(key, bytes)
            assert key not in data


def types_in(found: object, seen: set[object]) -> set[object]:
    """Return all types that a value of a type may hold."""
    if found not in seen:
        seen.add(found)
        parts = [*get_args(found)]
        if isinstance(found, type) and issubclass(found, msgspec.Struct):
            parts += get_type_hints(found).values()
        for part in parts:
            types_in(part, seen)
    return seen


def test_no_message_to_another_machine_has_room_for_a_key() -> None:
    sent: list[object] = [Setup, WorkUnit, League, Load]
    everything = set().union(*(types_in(found, set()) for found in sent))
    assert GameTask in everything
    assert not everything & {Keys, LeagueConfig, Secret}


def test_keys_are_never_printed() -> None:
    for text in (repr(KEYS), str(KEYS), f"{scheduled(CONFIG, (ANA, BEN), KEYS).plan}"):
        for key in (KEYS.luck, KEYS.ids, KEYS.aliases):
            assert isinstance(key, bytes)
            assert key.decode() not in text
            assert key.hex() not in text
    assert repr(KEYS) == f"Keys({commitment_to(b'luck' * 8)})"
    assert repr(Keys.of_seed(7)) == "Keys(7)"


def test_public_luck_has_no_commitment() -> None:
    assert (Keys.of_seed(7).seed, Keys.of_seed(7).commitment) == (7, "")
    assert KEYS.seed is None
    assert KEYS.commitment == (
        "4b6d3dedcfdb1bf5937be314cf725bd4354994a437ee65d2d525d73680a9db96"
    )
