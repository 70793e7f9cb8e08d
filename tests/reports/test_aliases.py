"""Aliases: they stay, they differ, and nothing says whose they are."""

import json
import re
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from leagues import bot, fault, fill, game, league, report_of
from msgspec.structs import replace

from arena.errors import ConfigError, RecordError
from arena.league.config.info import EntryInfo, LeagueInfo
from arena.league.config.settings import BeatsSettings, GradingSettings
from arena.league.results.secret import Secret, write_secret
from arena.league.results.store import Store
from arena.league.schedule.identity import match_seed, rules_of, seed_id
from arena.records.game_record import GameRecord
from arena.reports.anonymity import hide_fault
from arena.reports.files import write_files
from arena.reports.forfeits import Forfeit, quarantined
from arena.reports.games import read_games
from arena.reports.grading.alias_words import ADJECTIVES, ANIMALS
from arena.reports.grading.aliases import alias_key, aliases_for
from arena.reports.report import Report, read_report
from arena.reports.tables.notes import run_notes
from arena.reports.tables.terminal import leaderboard_text


def secretive(name: str, *labels: str, **parts: str) -> EntryInfo:
    """Return the sole bot of a file that is called like nothing else here."""
    file = f"{name.lower()}_file"
    own = {"id": f"{file}:{name}Class", "file": f"{file}.py", "code": f"{name}Code"}
    return bot(name, *labels, **(own | parts))


REF = secretive("Reff", "dice", "run")
ANCHOR = secretive("Anchorr", "dice", "run")
STAFF = secretive("Stafff", "dice", "run")
ANNABEL = secretive("Annabel", "dice", "run")
BENEDICT = secretive("Benedict", "dice")
CYRIL = secretive("Cyril", "dice", "run", refused="cyril_file.py:3: broken by Cyril")
KNOWN = (REF, ANCHOR, STAFF)
SECRETIVE = (ANNABEL, BENEDICT, CYRIL)
TRAITOR = fault(
    0,
    BENEDICT,
    "illegal_action",
    message="benedict_file.py:3: Benedict says so",
    traceback='File "benedict_file.py", line 3, in BenedictClass',
    output="I am Benedict",
    action="benedict",
    observation='{"brains": 2}',
    legal_actions=("roll", "stop"),
)
GAMES = [
    game(0, (ANNABEL, BENEDICT), (1, 2)),
    game(1, (BENEDICT, ANNABEL), (2, 1), faults=(TRAITOR,)),
    game(2, (CYRIL, ANNABEL), (2, 1), faults=(fault(0, CYRIL, "quarantine"),)),
    game(3, (ANNABEL, CYRIL), (1, 2), faults=(fault(1, CYRIL, "start_failure"),)),
    *(game(4 + n, (REF, ANNABEL), (1, 2), "run") for n in range(2)),
    *(game(6 + n, (ANCHOR, STAFF), (1, 2)) for n in range(2)),
    *(game(8 + n, (ANCHOR, BENEDICT), (2, 1)) for n in range(2)),
]


def secret_league(entries: Sequence[EntryInfo] = (*KNOWN, *SECRETIVE)) -> LeagueInfo:
    rejected = (("dorothy.py", "has no bot of Dorothy's"),)
    return replace(
        league(entries, ["dice", "run"], (ANCHOR.id, 1000.0), rejected),
        references=(REF.id,),
        grading=GradingSettings(beats=[BeatsSettings(bot="stafff_file", points=1.0)]),
        pseudonyms=True,
    )


def key_of(text: str = "a secret of the course") -> bytes:
    """Return the key of aliases with public luck."""
    return alias_key(secret_league(), Path("none"), text)


KEY = key_of()


def aliases_in(folder: Path, info: LeagueInfo, key: bytes = KEY) -> dict[str, str]:
    folder.mkdir(exist_ok=True)
    return aliases_for(info, folder, key)


def rows(folder: Path) -> list[str]:
    path = folder / "private" / "aliases.csv"
    return path.read_text(encoding="utf-8").splitlines()


def test_there_are_words_for_65536_aliases() -> None:
    for words in (ADJECTIVES, ANIMALS):
        assert len(words) == len(set(words)) == 256
        for word in words:
            assert re.fullmatch("[a-z]{3,11}", word)


def test_an_alias_is_two_words_and_known_bots_keep_their_names(tmp_path: Path) -> None:
    names = aliases_for(secret_league(), tmp_path, KEY)
    assert list(names) == [who.id for who in (*KNOWN, *SECRETIVE)]
    assert [names[who.id] for who in KNOWN] == ["Reff", "Anchorr", "Stafff"]
    aliases = [names[who.id] for who in SECRETIVE]
    assert len(set(aliases)) == 3
    for alias in aliases:
        first, second = alias.lower().split(" ")
        assert alias == alias.title()
        assert first in ADJECTIVES
        assert second in ANIMALS


def test_the_secret_alone_gives_the_same_aliases_again(tmp_path: Path) -> None:
    info = secret_league()
    one = aliases_in(tmp_path / "one", info)
    two = aliases_in(tmp_path / "two", replace(info, entries=info.entries[::-1]))
    other = aliases_in(tmp_path / "three", info, key_of("another secret"))

    # Named here, so that no later version gives others.
    assert one[ANNABEL.id] == "Blithe Whippet"
    assert two == one
    assert rows(tmp_path / "two") == rows(tmp_path / "one")
    assert not {other[who.id] for who in SECRETIVE} & {one[x.id] for x in SECRETIVE}


def test_aliases_stay_when_bots_come_and_go(tmp_path: Path) -> None:
    info = secret_league()
    before = aliases_for(info, tmp_path, KEY)
    newcomer = secretive("Edmund", "dice")
    changed = replace(
        info,
        entries=(*KNOWN, CYRIL, newcomer),
    )
    between = aliases_for(changed, tmp_path, key_of("a secret that has been changed"))
    after = aliases_for(info, tmp_path, KEY)
    assert between[CYRIL.id] == before[CYRIL.id]
    assert between[newcomer.id] not in before.values()
    assert after == before
    assert any(newcomer.id in row for row in rows(tmp_path))


def test_no_two_of_many_bots_share_an_alias(tmp_path: Path) -> None:
    many = tuple(secretive(f"Bot{n}", "dice") for n in range(2000))
    names = aliases_for(secret_league((*KNOWN, *many)), tmp_path, KEY)

    # Some thirty pairs would, if it were left to chance.
    assert len({name.casefold() for name in names.values()}) == 2003


def test_no_alias_is_the_name_of_a_bot(tmp_path: Path) -> None:
    info = secret_league()
    alias = aliases_in(tmp_path / "one", info)[ANNABEL.id]
    thief = replace(secretive("Edmund", "dice"), name=alias)
    stolen = replace(info, entries=(*info.entries, thief))
    assert alias not in aliases_in(tmp_path / "two", stolen).values()
    # A name that stays in sight is not to be given twice, even if it was given before.
    known = replace(stolen, references=(thief.id,))
    names = aliases_in(tmp_path / "one", known)
    assert names[thief.id] == alias
    assert names[ANNABEL.id] != alias


def test_the_file_says_whose_they_are_and_is_private(tmp_path: Path) -> None:
    students = tmp_path / "students.csv"
    students.write_text(
        "student,file\nann,annabel_file.py\nanton,annabel_file\n", encoding="utf-8"
    )
    info = secret_league()
    assert info.grading is not None
    info = replace(info, grading=replace(info.grading, students=str(students)))
    names = aliases_for(info, tmp_path, KEY)
    found = rows(tmp_path)
    assert found[0] == "alias,entry,bot,file,student"
    assert found[1:] == sorted(found[1:])
    assert (
        f'{names[ANNABEL.id]},{ANNABEL.id},Annabel,annabel_file.py,"ann, anton"'
        in found
    )
    assert not any("Reff" in row for row in found)
    assert stat.S_IMODE((tmp_path / "private").stat().st_mode) == 0o700


def test_an_instructor_may_give_an_alias_by_hand(tmp_path: Path) -> None:
    info = secret_league()
    evil = replace(ANNABEL, id="=evil:Evil")
    info = replace(info, entries=(*KNOWN, evil))
    before = aliases_for(info, tmp_path, KEY)
    path = tmp_path / "private" / "aliases.csv"
    text = path.read_text(encoding="utf-8")
    assert "'=evil:Evil" in text
    path.write_text(
        "\ufeff" + text.replace(before[evil.id], "Nimble Fingers"), encoding="utf-8"
    )

    for _ in range(2):
        assert aliases_for(info, tmp_path, KEY)[evil.id] == "Nimble Fingers"


HEADER = "alias,entry,bot,file,student\n"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("alias,bot\n", ":1: expected the columns alias, entry, bot, file, student; "),
        (f"{HEADER}A B,x\n", ":2: expected 5 cells; "),
        (
            f"{HEADER}A B,x,,,\na b,y,,,\n",
            ":3: the alias 'a b' of y is empty or here twice; ",
        ),
        (f"{HEADER},x,,,\n", ":2: the alias '' of x is empty or here twice; "),
    ],
)
def test_a_spoilt_file_is_not_written_over(
    tmp_path: Path, text: str, problem: str
) -> None:
    path = tmp_path / "private" / "aliases.csv"
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RecordError) as caught:
        aliases_for(secret_league(), tmp_path, KEY)
    assert str(caught.value) == (
        f"{path}{problem}mend it, or remove the file to have all aliases made anew"
    )
    assert path.read_text(encoding="utf-8") == text


def test_public_luck_has_no_aliases_without_a_text(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="luck of this league is public, so it has"):
        alias_key(secret_league(), tmp_path / "results")


SECRET = Secret(b"luck" * 8, b"ids." * 8, b"name" * 8)


def keyed_league(secret: Secret = SECRET) -> LeagueInfo:
    return replace(secret_league(), seed=None, commitment=secret.keys.commitment)


def test_aliases_hang_on_the_key_beside_the_results(tmp_path: Path) -> None:
    def given(text: str | None, **keys: Any) -> dict[str, str]:
        results = tmp_path / f"results {text} {[*keys.items()]}".replace("/", "-")
        secret = replace(SECRET, **keys)
        write_secret(results, secret)
        info = keyed_league(secret)
        names = aliases_in(results, info, alias_key(info, results, text))
        return {who.id: names[who.id] for who in SECRETIVE}

    def differ(one: dict[str, str], other: dict[str, str]) -> bool:
        return not {*one.values()} & {*other.values()}

    plain = given(None)
    assert plain == given("")
    assert plain == given(None, luck=b"LUCK" * 8, ids=b"IDS." * 8)
    assert plain == given(None, luck=b"LUCK" * 8, spent=(b"luck" * 8,))
    assert differ(plain, given(None, aliases=b"NAME" * 8))
    # A text is mixed in: either that of the last run, or another one.
    mixed = given("Ein Geheimnis")
    assert mixed == given(None, pseudonyms="Ein Geheimnis")
    assert plain == given("", pseudonyms="Ein Geheimnis")
    assert differ(plain, mixed)
    assert differ(mixed, given("Ein Geheimnis", aliases=b"NAME" * 8))


def test_without_their_own_keys_there_are_no_aliases(tmp_path: Path) -> None:
    results = tmp_path / "results"
    with pytest.raises(RecordError, match="the keys of this league are missing, and"):
        alias_key(keyed_league(), results)
    write_secret(results, replace(SECRET, luck=b"another." * 4))
    with pytest.raises(RecordError, match="has the keys of another league than"):
        alias_key(keyed_league(), results)


def test_published_ids_do_not_undo_aliases(tmp_path: Path) -> None:
    """Who knows the ids, the luck key and the code still lacks the key of ids."""
    terms = "any terms"
    rules = rules_of("zombie_dice", 2, {}, ())
    pair = [ANNABEL.id, BENEDICT.id]
    match = match_seed(SECRET.luck, rules, pair, terms)
    published = seed_id(match, SECRET.ids)
    for key in (b"", SECRET.luck, bytes(32), published.encode()):
        assert seed_id(match, key) != published
    public = match_seed(7, rules, pair, terms)
    assert seed_id(public, b"") == public.hex()[:16]


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> tuple[Report, Report]:
    folder = tmp_path_factory.mktemp("results")
    info = secret_league()
    fill(folder, info, GAMES)
    with Store.read(folder) as store:
        return read_report(store), read_report(store, aliases_for(info, folder, KEY))


def test_nothing_that_is_written_says_whose_an_alias_is(
    reports: tuple[Report, Report], tmp_path: Path
) -> None:
    named, hidden = reports

    def texts(report: Report, folder: Path) -> dict[str, str]:
        folder.mkdir()
        found = {
            path.name: path.read_text(encoding="utf-8")
            for path in write_files(report, folder)
        }
        found["terminal"] = leaderboard_text(report, 200)
        found["notes"] = "\n".join(run_notes(report))
        return found

    secrets = re.compile("annabel|benedict|cyril|dorothy", re.IGNORECASE)
    open_texts = texts(named, tmp_path / "named")
    assert all(secrets.search(text) for text in open_texts.values())
    for name, text in texts(hidden, tmp_path / "hidden").items():
        assert not secrets.search(text), name
        assert ("Reff" in text) is (name not in ("faults.csv", "notes")), name
    assert (named.is_anonymous, hidden.is_anonymous) == (False, True)


def test_nothing_in_the_report_says_it_but_the_names(
    reports: tuple[Report, Report],
) -> None:
    _, hidden = reports
    (traitor,) = (x for x in hidden.forfeits if x.fault.termination == "illegal_action")
    assert traitor.file == ""
    assert traitor.bot == hidden.names[BENEDICT.id]
    assert traitor.opponents == (hidden.names[ANNABEL.id],)
    assert traitor.fault == replace(
        TRAITOR,
        entry="",
        message="the reason is told to its author only",
        traceback="",
        output="",
        action="",
    )
    assert [(e.id, e.name, e.file, e.refused, e.code) for e in hidden.refused] == [
        (*[hidden.names[CYRIL.id]] * 2, "", "the reason is told to its author only", "")
    ]
    assert hidden.rejected == ()
    assert hidden.anchor == ("Anchorr", 1000.0)


def test_a_quarantine_is_told_without_the_words_of_anybody() -> None:
    told = replace(TRAITOR, termination="quarantine", message="not played: ana:Bot ...")
    forfeit = Forfeit("g", "zombie_dice", "Quiet Gopher", "", (), hide_fault(told))
    assert quarantined([forfeit] * 81) == [
        "Quarantined: Quiet Gopher, 81 games of zombie_dice not played: it had "
        "forfeited too many games in a row before"
    ]


def test_the_order_of_the_plan_is_hidden_as_well(tmp_path: Path) -> None:
    # In a plan bots come by their ids: who is first there is known by that alone.
    info = secret_league()
    pairs = [(ANNABEL, BENEDICT), (ANNABEL, CYRIL), (BENEDICT, CYRIL)]
    games = [
        game(
            10 * (3 - n) + k,
            pair if k % 2 else pair[::-1],
            (2, 1),
            faults=(fault(0, pair[1 - k % 2]),),
        )
        for n, pair in enumerate(pairs)
        for k in range(4)
    ]
    plan = [played.game_id for played in games]
    assert plan != sorted(plan)
    fill(tmp_path, info, games)
    with Store.open(tmp_path) as store:
        store.begin(info, plan)
        names = aliases_for(info, tmp_path, KEY)
        reports = read_report(store), read_report(store, names)
        named, hidden = (read_games(store, report).refs for report in reports)
    for found, report in zip((plan, sorted(plan)), reports, strict=True):
        assert [forfeit.game_id for forfeit in report.forfeits] == found
    assert named.ids == plan
    assert hidden.ids == sorted(plan)
    back = {names[who.id]: who.name for who in SECRETIVE}
    assert {(x.game_id, tuple(back[bot] for bot in x.bots)) for x in hidden} == {
        (x.game_id, x.bots) for x in named
    }


def test_bots_of_one_student_count_as_one_under_aliases_too(tmp_path: Path) -> None:
    """And others do not, though what says whose they are is hidden alike."""
    ann, bea, cyd, dee = (
        secretive(name, "dice", "run", code=name)
        for name in ("Ann", "Bea", "Cyd", "Dee")
    )
    one = [replace(x, owners=("hash",)) for x in (cyd, dee)]
    info = replace(secret_league([ANCHOR, ann, bea, *one]), references=(), grading=None)
    wins = {
        "dice": [(ANCHOR, ann), (ann, bea), (bea, cyd), (cyd, dee), (ANCHOR, dee)],
        "run": [(dee, cyd), (cyd, bea), (bea, ANCHOR), (ann, ANCHOR)],
    }
    games: list[GameRecord] = []
    for label, pairs in wins.items():
        for pair in pairs:
            games += [game(len(games), pair, (1, 2), label)]
            games += [game(len(games), pair[::-1], (2, 1), label)]
    fill(tmp_path, info, games)
    with Store.read(tmp_path) as store:
        names = aliases_for(info, tmp_path, KEY)
        named, hidden = read_report(store), read_report(store, names)
    back = {names[x.id]: x.name for x in info.entries}
    elo = {row.bot: row.elo for row in named.rows}
    assert None not in elo.values()
    assert {back[row.bot]: row.elo for row in hidden.rows} == elo
    strangers = report_of(replace(info, entries=(ANCHOR, ann, bea, cyd, dee)), games)
    assert {row.bot: row.elo for row in strangers.rows} != elo


def test_aliases_change_no_number(reports: tuple[Report, Report]) -> None:
    named, hidden = reports

    def numbers(report: Report, names: dict[str, str]) -> dict[str, object]:
        return {
            names[row.bot]: (row.rank, row.elo, row.elo_low, row.games, row.forfeits)
            for row in report.rows
        }

    real = {name: name for name in named.names.values()}
    back = {alias: named.names[id_] for id_, alias in hidden.names.items()}
    assert numbers(hidden, back) == numbers(named, real)
    assert json.dumps(hidden.weights) == json.dumps(named.weights)
