"""The bots of the zoo: what each needs, what must keep it, and what it ends by.

`test_zoo_levels.py` proves what each level of isolation keeps from them, and what
their authors are told.
"""

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from msgspec.structs import replace

from arena.records.game_record import Termination
from arena.referee.work_unit import Limits, Restart

T = Termination
QUICK = Limits(start=10.0, move=0.1, bank=0.0, margin=0.05, memory=256, output=200_000)
"""For units in which a fault of the clock is awaited; no honest decision comes near
to them."""
ROOMY = replace(QUICK, start=60.0, move=5.0)
"""For all others: those that take their time to fall may be on a slow machine."""
HASTY = replace(QUICK, start=0.3)
"""For those that hang before their first decision."""
UNHURRIED = replace(QUICK, start=2.0)
"""The same where Python has to be started and the library to be imported first."""
FORKING = ("namespaces", "filters")
"""The levels at which contestants are forked from a process that waits for it, so that
a new one costs little."""

EVERYWHERE = frozenset({"namespaces", "filters", "limits", "process"})
LIMITED = EVERYWHERE - {"process"}
FILTERED = LIMITED - {"limits"}
UNFILTERED = EVERYWHERE - FILTERED
HIDDEN = frozenset({"namespaces"})
THREADLESS = frozenset({"limits"})
"""Where an ordinary user's bot can't start a thread."""


@dataclass(frozen=True, slots=True)
class Case:
    """One bot of the zoo, and what is expected of it and of those who keep it."""

    file: str
    """Name of its file, without `.py`."""
    ends: tuple[Termination, ...] = (T.NATURAL,)
    """How its games may end where it is kept; natural if it plays on honestly."""
    message: str = ""
    """A pattern for the message of its fault at the strongest level."""
    deed: str = ""
    """Which of the things that this bot can do it does."""
    kept: frozenset[str] = EVERYWHERE
    """The levels that must keep it from doing harm."""
    kept_as_root: frozenset[str] | None = None
    """The same where root runs the league, if that is less."""
    bites: bool = True
    """True if it does its harm on any system, as any user, if nothing keeps it from
    it: then it must do so at `process`, or it proves nothing elsewhere."""
    dangerous: bool = False
    """Runs only where it must be kept: it would harm the machine."""
    needs: tuple[str, ...] = ()
    """Constructor parameters that tell it what to attack."""
    against: Literal["honest", "slow", "twin"] = "honest"
    title: str = ""
    """Its name in the table, if not its file and its deed."""
    games: int = 1
    often: bool = False
    """True if four games are played where that costs little: each of them must end as
    the first does, and as if there were no others."""
    limits: Limits = ROOMY
    restart: Restart = Restart.MATCH
    patient: bool = False
    """Takes seconds, but hardly any CPU time: several can run at once."""

    @property
    def name(self) -> str:
        """Its name in the table."""
        return self.title or ": ".join(filter(None, (self.file, self.deed)))

    def is_kept(self, level: str, root: bool) -> bool:
        """Say whether a level must keep it from doing harm."""
        if root and self.kept_as_root is not None:
            return level in self.kept_as_root
        return level in self.kept

    def must_bite(self, level: str, root: bool) -> bool:
        """Say whether it must do its harm, as nothing keeps it from it there."""
        is_free = level == "process" and not self.is_kept(level, root)
        return self.bites and not self.dangerous and is_free

    def is_expected(self, level: str, root: bool) -> bool:
        """Say whether anything is expected of it at a level."""
        return self.is_kept(level, root) or self.must_bite(level, root)

    def may_run(self, level: str, root: bool) -> bool:
        """Say whether it does the machine no harm there."""
        return not self.dangerous or self.is_kept(level, root)

    def games_at(self, level: str) -> int:
        """Return the number of games that it plays at a level."""
        return 4 if self.often and level in FORKING else self.games

    def limits_at(self, level: str) -> Limits:
        """Return the limits of its unit at a level."""
        hasty = self.limits is HASTY and level not in FORKING
        return UNHURRIED if hasty else self.limits


def cases(
    file: str, ends: tuple[Termination, ...], deeds: Mapping[str, str], **more: Any
) -> Iterator[Case]:
    """Return the cases of a file that can do several things, with their messages."""
    for deed, message in deeds.items():
        yield Case(file, ends, message, deed, **more)


def attack(deed: str, **more: Any) -> Case:
    """Return the case of one of the attacks, called after it."""
    return Case("attacks", deed=deed, title=deed, **more)


CRASH, EXIT, MEMORY = (T.CRASH,), (T.EXIT,), (T.MEMORY,)
INVALID, TIMEOUT, UNSTARTED = (T.INVALID_REPLY,), (T.TIMEOUT,), (T.START_FAILURE,)
NATURAL, FLOOD, ILLEGAL = (T.NATURAL,), (T.OUTPUT_FLOOD,), (T.ILLEGAL_ACTION,)
AT = r"\w+\.py:\d+: "
SAYS = AT + "its process says ['\"]"
UNDECIDED = f"{AT}it had not decided after"
UNREADY = f"{AT}it was not ready for the game after"
UNREAD = f"{AT}its file was not read after"
ASLEEP = r"it had not decided after .* s of waiting \(asleep\?\)"
RETURNED = rf"{SAYS}act\(\) returned "
LOOPS = {
    "later": rf"{UNDECIDED} \d+\.\d\d s of CPU time",
    "ignoring_signals": UNDECIDED,
    "catching_all": UNDECIDED,
    "within_one_instruction": UNDECIDED,
    "in_a_regex": r"hangs.py:\d+: .*\(too much to compute\?\)",
    "in_del": UNDECIDED,
}
RAISED = {
    "in init": "KeyError: 'missing'",
    "in start": "RuntimeError: not today",
    "keyboard interrupt": "KeyboardInterrupt",
    "base": "Base: base",
    "unprintable": "Unprintable: .its message",
    "surrogates": "FileNotFoundError: no such table",
}
DIED = {
    "abort": "its process was ended by SIGABRT",
    "segfault": "its process was ended by SIGSEGV",
    "overflow_the_stack": "(its process was ended by SIG|over)",
    "recurse": rf"{SAYS}RecursionError: maximum recursion",
}
SPARED = {
    "kill_itself": rf"{SAYS}PermissionError",
    "stop_itself": rf"{SAYS}PermissionError",
}
"""Signals that no filtered process can send itself."""
LEFT = {
    "exit_0": "its process ended itself with status 0",
    "exit_3": "its process ended itself with status 3",
    "close_descriptors": "its process ended itself with status 1",
}
RETURNS = {
    "none": "None: a path through it has no re",
    "int": r"1 \(int\)",
    "list": r"\['stop'\] \(list\)",
    "nan": r"nan \(float\)",
    "evil number": r"1 \(Number\)",
    "evil float": r"inf \(Float\)",
    "unshowable": "a value that can't be",
    "long number": "a value that can't be",
    "megabyte": "'stopstop",
    "surrogate": r"'stop\\+udcff' \(str\)",
}
TRAPS = {
    "returns trap": "a value that can't be shown",
    "returns deep": "a value that can't be shown",
    "leaving": r"a value that can't be shown \(Leaving\): put \[0\] behind it for",
    "endless": r"\['roll'\] \(Endless\): put \[0\] behind it for 'roll'",
}
TRAPPED = {
    "misses trap": "AttributeError: no such thing",
    "misses deep": "AttributeError: no such thing",
    "unread": "Unread: ",
    "unnoted": "Unnoted",
    "untold": r"Untold: \(its message can't be shown",
    "variables": "NameError: name 'shotgun_count' is not defined",
}
BLAME = "the machine was too slow, honest.py:3 is to blame"
OWN_LINE = r"blames_others\.py:\d+: its process says"
BLAMED = {
    "raises a reason": f"{OWN_LINE} 'RuntimeError: {BLAME}'$",
    "renames its error": f"{OWN_LINE} 'honest.py:3: {BLAME}'$",
    "adds a note": rf"{OWN_LINE} 'RuntimeError \({BLAME}\)'$",
    "ends a quotation": rf"{OWN_LINE} 'RuntimeError: bad\\' {BLAME} \"x\" \\u2019”",
    "turns the line": rf"{OWN_LINE} 'RuntimeError: \\u202e\\x1b\[2J\\r{BLAME}'$",
    "compiles as another": f"{OWN_LINE} 'ZeroDivisionError: ",
    "calls another": f"{OWN_LINE} 'ZeroDivisionError: ",
    "calls a name": f"{OWN_LINE} 'ZeroDivisionError: ",
    "raises a syntax error": rf"{OWN_LINE} 'SyntaxError: {BLAME} \(honest",
    "renames a method": f"{OWN_LINE} 'ZeroDivisionError: ",
}
FORGED = {
    "forges a frame": f"blames_others.py: its process says 'honest.py:3: {BLAME}'$",
    "forges a line": f"blames_others.py: its process says '{BLAME}'$",
    "forges a name": f"{OWN_LINE} '{BLAME}'$",
}
PLAYED_A_REASON = rf"{AT}act\(\) played \"roll'; {BLAME} \(it was legal\u2019\"; legal"
SENT = {
    "garbage": "sent 10 bytes where a reply was expected: '.. garbage' ",
    "a huge frame": r"sent \d+ bytes where a reply was expected: '\\x00.*…' ",
    "a deep frame": r"sent \d+ bytes where a reply was expected: ",
    "empty frames": r"sent 4 bytes where a reply was expected: '(\\x00){4}' ",
    "no message": "sent 6 bytes where a reply was expected: ",
    "an answer": r"sent a reply nobody had asked for \(does it fork, or write to ",
}

SLOW_FAULTS = (
    Case(
        "loops",
        TIMEOUT,
        r"loops.py:8: .* CPU time( in .* s)? \(does this while loop ever",
        limits=QUICK,
    ),
    *cases("hangs", TIMEOUT, LOOPS, limits=QUICK),
    *cases("hangs", TIMEOUT, {"asleep": AT + ASLEEP}, limits=QUICK, patient=True),
    Case(
        "dies",
        TIMEOUT,
        deed="stop_itself",
        title="dies: stop_itself (unfiltered)",
        kept=UNFILTERED,
        limits=QUICK,
        patient=True,
    ),
    *cases("sends", TIMEOUT, {"half a frame": UNDECIDED}, limits=QUICK),
    *cases("blames_others", CRASH, FORGED, limits=QUICK),
    *cases(
        "traps",
        TIMEOUT,
        {"returns slow": UNDECIDED, "misses slow": UNDECIDED},
        limits=QUICK,
    ),
    *cases("hangs", TIMEOUT, {"in_start": UNREADY}, limits=HASTY),
    Case("patches_time", TIMEOUT, UNDECIDED, limits=QUICK),
    Case("patches_worker", UNSTARTED, UNREAD, limits=HASTY),
    Case("import_loops", UNSTARTED, UNREAD, limits=HASTY),
    Case("import_sleeps", UNSTARTED, UNREAD, limits=HASTY, patient=True),
    *cases(
        "dies", INVALID, {"close_descriptors_and_stay": "closed its pipe"}, patient=True
    ),
)
QUICK_FAULTS = (
    Case(
        "raises",
        CRASH,
        "raises.py:9: its process says 'ZeroDivisionError: division by zero",
    ),
    *cases("raises_oddly", CRASH, {deed: SAYS + text for deed, text in RAISED.items()}),
    *cases("raises_oddly", EXIT, {"system exit": f"{SAYS}SystemExit: 1"}),
    *cases("raises_oddly", EXIT, {"sys.exit": f"{SAYS}SystemExit"}),
    *cases("raises_oddly", MEMORY, {"memory error": f"{SAYS}MemoryError: said to"}),
    Case(
        "bad_parameters", CRASH, r"bad_.*:7: its process says .TypeError: .*'threshold'"
    ),
    *cases("dies", CRASH, DIED),
    *cases("dies", EXIT, LEFT),
    *cases("dies", MEMORY, {"ask_for_much_memory": f"{SAYS}MemoryError"}),
    Case(
        "dies",
        MEMORY,
        deed="kill_itself",
        title="dies: kill_itself (unfiltered)",
        kept=UNFILTERED,
    ),
    *cases("dies", CRASH, SPARED, kept=FILTERED, bites=False),
    Case(
        "leaves_a_thread_at_exit",
        EXIT,
        "leaves_.*.py:16: its process says .SystemExit: nobody",
    ),
    *cases("prints", FLOOD, {"endlessly": f"{SAYS}printed more than 200000 bytes in"}),
    *cases("prints", FLOOD, {"endlessly_catching_all": f"{SAYS}printed more "}),
    *cases(
        "returns", INVALID, {deed: RETURNED + text for deed, text in RETURNS.items()}
    ),
    *cases(
        "returns",
        ILLEGAL,
        dict.fromkeys(("nonsense", "subclass"), rf"{AT}act\(\) played 'bite'; legal "),
    ),
    *cases("traps", INVALID, {deed: RETURNED + text for deed, text in TRAPS.items()}),
    *cases("traps", CRASH, {deed: SAYS + text for deed, text in TRAPPED.items()}),
    *cases("traps", FLOOD, {"returns loud": SAYS, "misses loud": SAYS}),
    *cases("returns", ILLEGAL, {"other game's": ".* is an action of ox_blocks, and "}),
    *cases("sends", INVALID, SENT),
    *cases("blames_others", CRASH, BLAMED),
    *cases(
        "blames_others",
        INVALID,
        {"says it with its result": rf"{OWN_LINE} .act\(\) returned {BLAME} \(Shown\)"},
    ),
    *cases("blames_others", ILLEGAL, {"plays a reason": PLAYED_A_REASON}),
    Case("floods_replies_at_import", (T.START_FAILURE, T.INVALID_REPLY), "sent "),
    Case(
        "forges_a_fault",
        (T.CRASH, T.INVALID_REPLY),
        "sent |forges_a_fault.py: its process did not say",
    ),
    Case("repeats_its_reply", INVALID, "sent "),
    Case(
        "import_fails",
        UNSTARTED,
        "import_fails.py:5: its process says .IndexError: list",
    ),
    Case(
        "import_raises_base_exception",
        UNSTARTED,
        ".*.py:15: its process says .Oops: base",
    ),
    Case("import_exits", UNSTARTED, r".* status 0 \(while its file was being"),
    Case(
        "import_calls_sys_exit",
        UNSTARTED,
        ".*py:13: its process says .SystemExit: done",
    ),
    Case("import_segfaults", UNSTARTED, r".* SIGSEGV \(while its file was "),
    Case(
        "imports_missing_package",
        UNSTARTED,
        ".*py:3: its process says .ModuleNotFoundError",
    ),
    Case(
        "imports_forbidden_package",
        UNSTARTED,
        ".*py:3: its process says .ModuleNotFoundError",
    ),
    Case(
        "imports_referee",
        UNSTARTED,
        ".*py:4: its process says .ModuleNotFoundError: No module",
    ),
    Case(
        "no_bot",
        UNSTARTED,
        "no_bot.py:4: its process says .no bot found; Culprit does not in",
    ),
    Case("misspelt_method", UNSTARTED, ".*py:7: .*'zombi_dice', did you mean"),
)
"""Kept by the referee alone, at any level, and explained to their authors."""

LIMITED_FAULTS = (
    *cases(
        "dies",
        MEMORY,
        {"fill_memory": f"{SAYS}MemoryError"},
        kept=LIMITED,
        dangerous=True,
    ),
    Case(
        "import_hoards",
        UNSTARTED,
        "import_hoards.py:13: its process says .MemoryError",
        kept=LIMITED,
        dangerous=True,
    ),
    Case(
        "hoards_mappings",
        (T.CRASH, T.MEMORY),
        "hoards_mappings.py:12: .*memory",
        kept=LIMITED,
    ),
    *cases(
        "prints",
        FLOOD,
        {"endlessly_past_stdout": f"{SAYS}OSError: .*large"},
        kept=LIMITED,
        bites=False,
    ),
    Case(
        "forks", (T.CRASH, T.NATURAL), "forks.py:11: its process says .PermissionError"
    ),
    Case(
        "forks_and_exits",
        (T.CRASH, T.EXIT),
        "forks_and_exits.py:11: its process says .Permission",
    ),
    Case(
        "daemonises",
        (T.CRASH, T.EXIT),
        "daemonises.py:12: its process says .PermissionError",
        kept=LIMITED,
        kept_as_root=FILTERED,
    ),
)
"""Kept by the limits on resources, or by a filter."""

HARMLESS = (
    Case("import_prints"),
    *cases("prints", NATURAL, {"some": "", "some_past_stdout": ""}),
    *cases("ends_badly", NATURAL, {"raises": "", "exits": ""}),
    Case("hangs_at_exit"),
    Case("leaves_a_thread"),
    Case("patches_random"),
    Case("patches_rules"),
)
"""Odd, but nothing that they lose a game by."""
SLOW_HARMLESS = (
    *cases("ends_badly", NATURAL, {"loops": ""}, limits=QUICK),
    Case("stalls", limits=QUICK),
    Case("exits_while_idle", (T.NATURAL, T.EXIT), against="slow", patient=True),
    Case("speaks_unasked", (T.NATURAL, T.INVALID_REPLY), against="slow", patient=True),
)
"""The last two only if nothing was asked."""

PLACES = ("mark", "home")
VICTIM = ("victim",)
CANARY = ("canary",)
SEARCHES = (
    *("opens", "lists", "loads_by_hand", "asks_loaders", "goes_round_the_guard"),
    "reads_metadata",
)
ATTACKS = (
    attack("reads_environment"),
    attack("reads_standard_input"),
    attack("finds_descriptors"),
    Case("searches_the_heap"),
    Case("guesses_the_dice"),
    attack("kills_group"),
    attack("types_into_terminal"),
    # The referee counts threads where nothing else does, a moment later.
    attack("bombs_with_threads", kept=LIMITED, bites=False),
    attack("hoards_descriptors", kept=LIMITED),
    Case("raises_its_limits", kept=LIMITED),
    attack("raises_its_priority", kept=LIMITED, bites=False),
    attack("reads_referee", kept=LIMITED, needs=("referee",), bites=False),
    Case("hoards_in_the_kernel", kept=FILTERED),
    attack("kills_parent", kept=FILTERED, needs=("referee",)),
    attack("kills_sibling", kept=FILTERED, needs=VICTIM),
    attack("slows_others", kept=FILTERED, needs=VICTIM),
    attack("spies_on_processes", kept=FILTERED, needs=VICTIM),
    attack("reads_sibling", kept=FILTERED, needs=VICTIM),
    attack("debugs_sibling", kept=FILTERED, needs=VICTIM, bites=False),
    attack("reads_memory", kept=FILTERED, needs=VICTIM, bites=False),
    attack("reads_canary", kept=FILTERED, needs=CANARY),
    attack("looks_at_canary", kept=HIDDEN, needs=CANARY),
    attack("reads_bots", kept=FILTERED),
    attack("reads_home", kept=FILTERED, needs=("home",)),
    attack("changes_what_is_there", kept=FILTERED, needs=CANARY),
    attack("plants_files", kept=FILTERED, needs=(*PLACES, "canary")),
    attack("plants_modules", kept=FILTERED, needs=PLACES),
    Case("import_plants_files", kept=FILTERED),
    *cases("seeks_values", NATURAL, dict.fromkeys(SEARCHES, ""), kept=FILTERED),
    *cases("seeks_values", NATURAL, dict.fromkeys(("imports", "remembers"), "")),
    # Nobody has compiled them where they have not been run yet.
    Case("seeks_values", deed="unmarshals", kept=FILTERED, bites=False),
    attack("connects", kept=FILTERED, needs=("tcp", "udp", "unix")),
    attack("listens", kept=FILTERED),
    attack("unshares", kept=FILTERED, bites=False),
    attack("changes_root", kept=LIMITED, bites=False),
    attack("opens_io_uring", kept=FILTERED, bites=False),
    attack("runs_programs", kept=LIMITED, kept_as_root=FILTERED),
    attack("becomes_another_program", kept=FILTERED),
    Case("ponders", against="slow"),
)
"""They take what is not theirs, and play on honestly if they can't."""

WHISPERS = {
    "file": ("mark", "me"),
    "shared_memory": ("key", "me"),
    "queue": ("mark", "key", "me"),
    "socket": ("mark", "me"),
    "flock": ("me",),
    "lock": ("me",),
}
TWINS = tuple(
    Case(
        "whispers",
        (T.ADJUDICATED,),
        deed=f"by_{way}",
        title=f"whispers_by_{way}",
        kept=FILTERED,
        needs=needs,
        against="twin",
    )
    for way, needs in WHISPERS.items()
)
"""Two of the same author that let each other know more than the rules tell them."""

SETTINGS = (
    Case("keeps_a_global", kept=frozenset(), games=4),
    Case(
        "keeps_a_global",
        title="keeps_a_global (restart: game)",
        games=4,
        restart=Restart.GAME,
    ),
)
"""Cases that a league's settings decide, whatever the level."""

DANGEROUS = (
    attack("bombs_with_forks", kept=FILTERED, dangerous=True),
    attack("kills_everyone", kept=FILTERED, dangerous=True),
    attack("fills_disk", kept=FILTERED, dangerous=True, needs=PLACES),
    attack("fills_inodes", kept=FILTERED, dangerous=True, needs=PLACES),
    attack("mounts", kept=FILTERED, dangerous=True, needs=CANARY),
)
"""Tried last, and only at a level that has kept all others."""

CASES = (
    *SLOW_FAULTS,
    *(dataclasses.replace(case, often=True) for case in (*QUICK_FAULTS, *HARMLESS)),
    *LIMITED_FAULTS,
    *SLOW_HARMLESS,
    *ATTACKS,
    *TWINS,
    *SETTINGS,
    *DANGEROUS,
)
