"""The bots of the zoo: what each needs, what must keep it, and what it ends by.

`test_zoo.py` proves what each of them is told, `test_zoo_levels.py` what each level
of isolation keeps from them.
"""

from dataclasses import dataclass
from typing import Literal

from msgspec.structs import replace

from arena.referee.record import Limits, Restart, Termination

T = Termination
QUICK = Limits(start=10.0, move=0.2, bank=0.0, margin=0.05, memory=256, output=200_000)
"""For matches in which a fault is awaited; no honest decision comes near to them."""
HASTY = replace(QUICK, start=0.5)
"""For those that hang before their first decision."""
ROOMY = replace(QUICK, move=5.0)
"""For those that take their time to fill the memory."""

EVERYWHERE = frozenset({"namespaces", "filters", "limits", "process"})
LIMITED = EVERYWHERE - {"process"}
FILTERED = LIMITED - {"limits"}
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
    """What its fault's message matches at the strongest level."""
    kept: frozenset[str] = EVERYWHERE
    """The levels that must keep it from doing harm."""
    kept_as_root: frozenset[str] | None = None
    """The same where root runs the league, if that is less."""
    bites: bool = True
    """Whether it does its harm on any system, as any user, if nothing keeps it from
    it: then it must do so at `process`, or it proves nothing elsewhere."""
    dangerous: bool = False
    """Runs only where it must be kept: it would harm the machine."""
    needs: tuple[str, ...] = ()
    """Constructor parameters that tell it what to attack."""
    against: Literal["honest", "slow", "twin"] = "honest"
    title: str = ""
    """What the table calls it, if not by its file."""
    games: int = 1
    limits: Limits = QUICK
    restart: Restart = Restart.MATCH
    patient: bool = False
    """Takes seconds, but hardly any CPU time: several can run at once."""

    @property
    def name(self) -> str:
        """What the table calls it."""
        return self.title or self.file

    def is_kept(self, level: str, root: bool) -> bool:
        """Say whether a level must keep it from doing harm."""
        if root and self.kept_as_root is not None:
            return level in self.kept_as_root
        return level in self.kept

    def must_bite(self, root: bool) -> bool:
        """Say whether it must do its harm where nothing keeps it from it."""
        return self.bites and not self.dangerous and not self.is_kept("process", root)

    def may_run(self, level: str, root: bool) -> bool:
        """Say whether it does the machine no harm there."""
        return not self.dangerous or self.is_kept(level, root)


AT = r"\w+\.py:\d+: "
UNDECIDED = f"{AT}it had not decided after"
UNREADY = f"{AT}it was not ready for the game after"
UNREAD = f"{AT}its file was not read after"
RETURNED = r"\w+\.py:\d+: act\(\) returned "

FAULTS = (
    Case("loops", (T.TIMEOUT,), r"loops.py:8: .* CPU time \(does this while loop ever"),
    Case("loops_later", (T.TIMEOUT,), rf"{UNDECIDED} \d+\.\d\d s of CPU time"),
    Case("loops_ignoring_sigterm", (T.TIMEOUT,), UNDECIDED),
    Case("loops_catching_all", (T.TIMEOUT,), UNDECIDED),
    Case("holds_the_gil", (T.TIMEOUT,), UNDECIDED),
    Case("bombs_with_regex", (T.TIMEOUT,), r"bombs_.*:10: .*\(too much to compute\?\)"),
    Case(
        "sleeps",
        (T.TIMEOUT,),
        rf"{UNDECIDED} .* s of waiting \(asleep\?\)",
        patient=True,
    ),
    Case(
        "stops_itself",
        (T.TIMEOUT,),
        r"it had not decided after .* s of waiting \(asleep\?\)",
        patient=True,
    ),
    Case("patches_time", (T.TIMEOUT,), UNDECIDED),
    Case("patches_worker", (T.START_FAILURE,), UNREAD, limits=HASTY),
    Case("hangs_in_del", (T.TIMEOUT,), UNDECIDED),
    Case("sends_half_a_frame", (T.TIMEOUT,), UNDECIDED),
    Case("loops_in_start", (T.TIMEOUT,), UNREADY, limits=HASTY),
    Case("import_loops", (T.START_FAILURE,), UNREAD, limits=HASTY),
    Case("import_sleeps", (T.START_FAILURE,), UNREAD, limits=HASTY, patient=True),
    Case("raises", (T.CRASH,), "raises.py:9: ZeroDivisionError: division by zero"),
    Case("raises_in_init", (T.CRASH,), "raises_in_init.py:8: KeyError: 'missing'"),
    Case("raises_in_start", (T.CRASH,), "raises_in_start.py:8: RuntimeError: not "),
    Case("raises_keyboard_interrupt", (T.CRASH,), ".*interrupt.py:8: KeyboardInt"),
    Case("raises_base_exception", (T.CRASH,), "raises_.*.py:12: Oops: base"),
    Case("raises_unprintable", (T.CRASH,), "raises_.*.py:13: Oops: .its message"),
    Case("raises_surrogates", (T.CRASH,), "raises_.*.py:8: FileNotFoundError: no su"),
    Case("bad_parameters", (T.CRASH,), r"bad_.*:7: TypeError: .*'threshold'"),
    Case("recurses", (T.CRASH,), "recurses.py:8: RecursionError: maximum recursion"),
    Case("aborts", (T.CRASH,), "its process was ended by SIGABRT"),
    Case("segfaults", (T.CRASH,), "its process was ended by SIGSEGV"),
    Case("overflows_the_stack", (T.CRASH,), "(its process was ended by SIG|over)"),
    Case("raises_system_exit", (T.EXIT,), "raises_system_exit.py:8: SystemExit: 1"),
    Case("calls_sys_exit", (T.EXIT,), "calls_sys_exit.py:10: SystemExit"),
    Case("leaves_a_thread_at_exit", (T.EXIT,), "leaves_.*.py:16: SystemExit: nobody"),
    Case("exits_0", (T.EXIT,), "its process ended itself with status 0"),
    Case("exits_3", (T.EXIT,), "its process ended itself with status 3"),
    Case("closes_descriptors", (T.EXIT,), "its process ended itself with status 1"),
    Case(
        "closes_descriptors_and_stays",
        (T.INVALID_REPLY,),
        "closed its pipe",
        patient=True,
    ),
    Case("hoards_at_once", (T.MEMORY,), "hoards_at_once.py:8: MemoryError"),
    Case("raises_memory_error", (T.MEMORY,), "raises_.*.py:8: MemoryError: said to"),
    Case("kills_itself", (T.MEMORY,), r"its process was killed .* \(memory\?\)"),
    Case(
        "prints_endlessly",
        (T.OUTPUT_FLOOD,),
        r".*:9: printed more than 200000 bytes in",
    ),
    Case("prints_endlessly_catching_all", (T.OUTPUT_FLOOD,), ".*:10: printed more "),
    Case(
        "returns_none",
        (T.INVALID_REPLY,),
        rf"{RETURNED}None: a path through it has no re",
    ),
    Case("returns_int", (T.INVALID_REPLY,), rf"{RETURNED}1 \(int\)"),
    Case("returns_list", (T.INVALID_REPLY,), rf"{RETURNED}\['stop'\] \(list\)"),
    Case("returns_nan", (T.INVALID_REPLY,), rf"{RETURNED}nan \(float\)"),
    Case("returns_subclass", (T.INVALID_REPLY,), rf"{RETURNED}'stop' \(Action\)"),
    Case("returns_evil_number", (T.INVALID_REPLY,), rf"{RETURNED}1 \(Action\)"),
    Case("returns_evil_float", (T.INVALID_REPLY,), rf"{RETURNED}inf \(Action\)"),
    Case("returns_unshowable", (T.INVALID_REPLY,), rf"{RETURNED}a value that can't be"),
    Case("returns_long_number", (T.INVALID_REPLY,), rf"{RETURNED}a value that can't "),
    Case("returns_megabyte", (T.INVALID_REPLY,), rf"{RETURNED}'stopstop"),
    Case("returns_surrogate", (T.INVALID_REPLY,), rf"{RETURNED}'stop\\udcff' \(str\)"),
    Case(
        "returns_nonsense", (T.ILLEGAL_ACTION,), r".*:7: act\(\) played 'bite'; legal "
    ),
    Case(
        "returns_other_games_action",
        (T.ILLEGAL_ACTION,),
        ".* is an action of ox_blocks, and ",
    ),
    Case("writes_to_descriptors", (T.INVALID_REPLY,), "sent a frame of .* bytes, over"),
    Case("sends_a_huge_frame", (T.INVALID_REPLY,), "sent a frame of 1048576 bytes, ov"),
    Case("sends_a_deep_frame", (T.INVALID_REPLY,), "sent bytes that are not a reply"),
    Case("floods_replies", (T.INVALID_REPLY,), "sent bytes that are not a reply"),
    Case("floods_replies_at_import", (T.START_FAILURE, T.INVALID_REPLY), "sent "),
    Case("writes_small_garbage", (T.INVALID_REPLY,), "sent bytes that are not a reply"),
    Case("answers_twice", (T.INVALID_REPLY,), "sent a reply nobody had asked for"),
    Case("forges_a_fault", (T.CRASH, T.INVALID_REPLY), "sent |its process did not say"),
    Case("repeats_its_reply", (T.INVALID_REPLY,), "sent "),
    Case("import_fails", (T.START_FAILURE,), "import_fails.py:5: IndexError: list"),
    Case("import_raises_base_exception", (T.START_FAILURE,), ".*.py:15: Oops: base"),
    Case("import_exits", (T.START_FAILURE,), r".* status 0 \(while its file was being"),
    Case("import_calls_sys_exit", (T.START_FAILURE,), ".*py:13: SystemExit: done"),
    Case("import_segfaults", (T.START_FAILURE,), r".* SIGSEGV \(while its file was "),
    Case("imports_missing_package", (T.START_FAILURE,), ".*py:3: ModuleNotFoundError"),
    Case(
        "imports_forbidden_package", (T.START_FAILURE,), ".*py:3: ModuleNotFoundError"
    ),
    Case("imports_referee", (T.START_FAILURE,), ".*py:4: .*Error"),
    Case(
        "no_bot", (T.START_FAILURE,), "no_bot.py:4: no bot found; Culprit does not in"
    ),
    Case("misspelt_method", (T.START_FAILURE,), ".*py:7: .*'zombi_dice', did you mean"),
)
"""Kept by the referee alone, at any level, and explained to their authors."""

LIMITED_FAULTS = (
    Case(
        "hoards",
        (T.MEMORY,),
        "hoards.py:10: MemoryError",
        limits=ROOMY,
        kept=LIMITED,
        dangerous=True,
    ),
    Case(
        "import_hoards",
        (T.START_FAILURE,),
        "import_hoards.py:13: MemoryError",
        limits=ROOMY,
        kept=LIMITED,
        dangerous=True,
    ),
    Case(
        "hoards_mappings",
        (T.CRASH, T.MEMORY),
        "hoards_mappings.py:12: .*memory",
        kept=LIMITED,
    ),
    Case(
        "writes_endlessly",
        (T.OUTPUT_FLOOD,),
        r"writes_endlessly.py:11: OSError: .*large",
        kept=LIMITED,
        bites=False,
    ),
    Case("forks", (T.CRASH, T.NATURAL), "forks.py:11: PermissionError"),
    Case("forks_and_exits", (T.CRASH, T.EXIT), "forks_and_exits.py:11: Permission"),
    Case(
        "daemonises",
        (T.CRASH, T.EXIT),
        "daemonises.py:12: PermissionError",
        kept=LIMITED,
        kept_as_root=FILTERED,
    ),
)
"""Kept by the limits on resources, or by a filter."""

HARMLESS = (
    Case("import_prints"),
    Case("prints_some"),
    Case("writes_some"),
    Case("raises_in_end"),
    Case("exits_in_end"),
    Case("loops_in_end"),
    Case("hangs_at_exit"),
    Case("leaves_a_thread"),
    Case("stalls"),
    Case("patches_random"),
    Case("patches_rules"),
    Case("exits_while_idle", (T.NATURAL, T.EXIT), against="slow", patient=True),
    Case("speaks_unasked", (T.NATURAL, T.INVALID_REPLY), against="slow", patient=True),
)
"""Odd, but nothing that they lose a game by; the last two, if nothing was asked."""

ATTACKS = (
    Case("reads_environment"),
    Case("reads_standard_input"),
    Case("finds_descriptors"),
    Case("searches_the_heap"),
    Case("guesses_the_dice"),
    Case("kills_group"),
    Case("types_into_terminal"),
    Case("bombs_with_threads", kept=LIMITED),
    Case("hoards_descriptors", kept=LIMITED),
    Case("raises_its_limits", kept=LIMITED),
    Case("raises_its_priority", kept=LIMITED, bites=False),
    Case("reads_referee", kept=LIMITED, needs=("referee",), bites=False),
    Case("hoards_in_the_kernel", kept=FILTERED),
    Case("kills_parent", kept=FILTERED, needs=("referee",)),
    Case("kills_sibling", kept=FILTERED, needs=("victim",)),
    Case("slows_others", kept=FILTERED, needs=("victim",)),
    Case("spies_on_processes", kept=FILTERED, needs=("victim",)),
    Case("reads_sibling", kept=FILTERED, needs=("victim",)),
    Case("debugs_sibling", kept=FILTERED, needs=("victim",), bites=False),
    Case("reads_memory", kept=FILTERED, needs=("victim",), bites=False),
    Case("reads_canary", kept=FILTERED, needs=("canary",)),
    Case("looks_at_canary", kept=HIDDEN, needs=("canary",)),
    Case("reads_bots", kept=FILTERED),
    Case("reads_home", kept=FILTERED, needs=("home",)),
    Case("changes_what_is_there", kept=FILTERED, needs=("canary",)),
    Case("plants_files", kept=FILTERED, needs=("mark", "canary", "home")),
    Case("plants_modules", kept=FILTERED, needs=("mark", "home")),
    Case("import_plants_files", kept=FILTERED),
    Case("connects", kept=FILTERED, needs=("tcp", "udp", "unix")),
    Case("listens", kept=FILTERED),
    Case("unshares", kept=FILTERED, bites=False),
    Case("changes_root", kept=LIMITED, bites=False),
    Case("opens_io_uring", kept=FILTERED, bites=False),
    Case("runs_programs", kept=LIMITED, kept_as_root=FILTERED),
    Case("becomes_another_program", kept=FILTERED),
    Case(
        "ponders",
        kept=THREADLESS,
        kept_as_root=frozenset(),
        against="slow",
        bites=False,
    ),
)
"""They take what is not theirs, and play on honestly if they can't."""

TWINS = (
    Case(
        "whispers_by_file",
        (T.ADJUDICATED,),
        kept=FILTERED,
        needs=("mark", "me"),
        against="twin",
    ),
    Case(
        "whispers_by_shared_memory",
        (T.ADJUDICATED,),
        kept=FILTERED,
        needs=("key", "me"),
        against="twin",
    ),
    Case(
        "whispers_by_queue",
        (T.ADJUDICATED,),
        kept=FILTERED,
        needs=("mark", "key", "me"),
        against="twin",
    ),
    Case(
        "whispers_by_socket",
        (T.ADJUDICATED,),
        kept=FILTERED,
        needs=("mark", "me"),
        against="twin",
    ),
    Case(
        "whispers_by_flock",
        (T.ADJUDICATED,),
        kept=FILTERED,
        needs=("me",),
        against="twin",
    ),
    Case(
        "whispers_by_lock",
        (T.ADJUDICATED,),
        kept=FILTERED,
        needs=("me",),
        against="twin",
    ),
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
    Case(
        "ponders",
        (T.TIMEOUT, T.NATURAL),
        title="ponders (ponder: false)",
        against="slow",
        limits=replace(QUICK, ponder=False),
    ),
)
"""What a league's settings keep or let pass, whatever the level."""

DANGEROUS = (
    Case("bombs_with_forks", kept=FILTERED, dangerous=True),
    Case("kills_everyone", kept=FILTERED, dangerous=True),
    Case("fills_disk", kept=FILTERED, dangerous=True, needs=("mark", "home")),
    Case("fills_inodes", kept=FILTERED, dangerous=True, needs=("mark", "home")),
    Case("mounts", kept=FILTERED, dangerous=True, needs=("canary",)),
)
"""Tried last, and only at a level that has kept all others."""

CASES = (
    *FAULTS,
    *LIMITED_FAULTS,
    *HARMLESS,
    *ATTACKS,
    *TWINS,
    *SETTINGS,
    *DANGEROUS,
)
