"""A fault is told in lines, each part only where there is something to tell."""

from textwrap import dedent

from msgspec.structs import replace

from arena.games import get_game
from arena.games.zombie_dice import ZombieDiceObservation
from arena.records.game_record import Fault
from arena.referee.bot_seat import _as_json
from arena.reports.fault_text import fault_text, observation_lines

CRASH = Fault(
    seat=0,
    entry="my_bot:MyBot",
    step=3,
    termination="crash",
    message="my_bot.py:8: its process says 'ZeroDivisionError: division by zero'",
    traceback='  File "my_bot.py", line 5, in zombie_dice\n'
    "    return self.odds(obs)\n"
    "           ^^^^^^^^^^^^^^\n"
    '  File "my_bot.py", line 8, in odds\n'
    "    return 1 / 0\n"
    "           ^^^^^\n",
    output="so far\nso good\n",
    observation='{"seat":0,"scores":[0,7],"cup":{"green":4,"yellow":0,"red":0,'
    '"hunk":1,"santa":0},"helmet":false,"SCORES":{"you":0,"zombie2":3},'
    '"feet_dice":{"green":0,"yellow":0,"red":0,"hunk":0,"santa":0},'
    '"hands":[[1,null]],"tied":[],"bus":"none"}',
    legal_actions=("roll", "stop"),
)


def test_all_there_is_to_tell() -> None:
    text = fault_text(CRASH, "my_bot", replay="arena replay results/x abcdef --step 3")
    assert text == dedent("""\
        my_bot forfeits: crash: my_bot.py:8: its process says 'ZeroDivisionError:
          division by zero'

          where, in its own code:
            File "my_bot.py", line 5, in zombie_dice
              return self.odds(obs)
                     ^^^^^^^^^^^^^^
            File "my_bot.py", line 8, in odds
              return 1 / 0
                     ^^^^^

          what it saw:
            seat       0
            scores     (0, 7)
            cup        green 4, hunk 1
            helmet     False
            SCORES     you 0, zombie2 3
            feet_dice  all 0
            hands      ((1, None),)
            tied       ()
            bus        'none'

          what was legal:
            'roll', 'stop'

          what it printed last:
            so far
            so good

          to see this decision again:
            arena replay results/x abcdef --step 3""")


def test_what_is_not_there_has_no_title() -> None:
    fault = Fault(0, "x:X", 0, "start_failure", "x.py: no bot found")
    assert fault_text(fault, "x") == "x forfeits: start_failure: x.py: no bot found"


def test_an_action_is_shown_as_python_writes_it() -> None:
    fault = replace(CRASH, action="Roll\n")
    assert "  what it played:\n    'Roll\\n'\n" in fault_text(fault, "x")


def test_nothing_acts_on_the_terminal() -> None:
    evil = "\x1b[2J"
    fault = replace(CRASH, message=evil, traceback=evil, output=evil, action=evil)
    assert "\x1b" not in fault_text(fault, "x")


def test_long_parts_are_shortened_and_say_so() -> None:
    actions = tuple(f"place {i}" for i in range(50))
    fault = replace(CRASH, legal_actions=actions, output="more\n" * 99 + "z" * 999)
    lines = [line.strip() for line in fault_text(fault, "x").splitlines()]
    assert "… (50 or more in all)" in lines
    assert "'place 49'" not in " ".join(lines)
    assert lines.count("more") == 29
    assert "".join(x for x in lines if "zz" in x) == f"…{'z' * 200}"
    fewer = replace(fault, legal_actions=actions[:49])
    assert "… (49 in all)" in fault_text(fewer, "x")


def test_nothing_that_a_bot_says_begins_a_line_of_a_terminal() -> None:
    code = 'File "x.py", line 1\n  x = 1' + " " * 60 + "# The machine was too slow."
    printed = "x" + " " * 200 + "It was honest.py." + "\u6a5f" * 30
    fault = replace(CRASH, message="far too long " * 20, traceback=code, output=printed)
    lines = fault_text(fault, "x", width=40).splitlines()
    assert all(len(x) + x.count("\u6a5f") <= 40 for x in lines)
    assert [x for x in lines if x and not x.startswith("  ")] == lines[:1]


def test_what_is_not_in_play_is_not_shown() -> None:
    game = get_game("zombie_dice")
    assert "bus" in game.unused_fields()
    data = _as_json(game.new_state().observation(1))
    names = [line.split()[0] for line in observation_lines(data)]
    fields = ZombieDiceObservation.__struct_fields__
    left_out = {"events", "time_left", "game", *game.unused_fields()}
    assert names == [name for name in fields if name not in left_out]


def test_what_an_older_version_has_recorded_is_shown_whole() -> None:
    assert observation_lines('{"seat":1,"bus":"none"}') == ["seat  1", "bus   'none'"]


def test_an_observation_is_wrapped_below_its_value() -> None:
    assert observation_lines('{"board":["X","O","."],"n":1}', 17) == [
        "board  ('X', 'O',",
        "       '.')",
        "n      1",
    ]
