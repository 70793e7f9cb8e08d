"""The zygote: a small trusted process that contestants are forked from.

It has everything loaded that a contestant needs, runs nothing of a bot's, and has
one thread.  Each request is a datagram with a `Confinement` and descriptors: the
contestant's pipes, its output, one for its exit status, and with Landlock one of
what it may open, so that nobody finds the paths of others here.  The reply carries a
pidfd, which names the new process whatever namespace it is in.

Where the zygote is the first process of a namespace, and the kernel lets it, each
contestant is *apart*: it has a pid namespace of its own, in which numbers of
processes and threads say nothing of others, and a user namespace of its own, in
which the limit on threads counts nobody else's.  It is the second process there:
signals that the first one sends itself, as to abort, do nothing.
"""

import gc
import inspect
import os
import select
import socket
import sys
import threading
from array import array
from contextlib import suppress
from importlib import import_module
from importlib.machinery import FileFinder, PathFinder
from importlib.util import find_spec
from random import Random
from typing import NamedTuple

import msgspec
from msgspec.structs import force_setattr, replace

from arena.bot import Bot
from arena.games import TERMINAL, Game, Table, game_class, game_paths, get_game
from arena.worker.confinement import (
    end_pid_namespace,
    enter_user_namespace,
    leave_pid_namespace,
    make_undumpable,
    start_pid_namespace,
)
from arena.worker.confinement.limits import limit_resources
from arena.worker.protocol import Confinement, pack
from arena.worker.serve import serve
from arena.worker.stack_dump import dump_stack

READY_APART = b"ready, each apart"
READY_TOGETHER = b"ready, all together"
FORKED = b"forked"
_MAX_REQUEST_BYTES = 1 << 16
_MAX_DESCRIPTORS = 5
_FIRST_DECISIONS = 500
_OFTEN_IMPORTED = (
    "collections copy dataclasses enum functools heapq inspect itertools json math "
    "operator random re statistics string sys time traceback typing"
)
_NO_MODULE = "no_module_of_this_name"
_decode = msgspec.msgpack.Decoder(Confinement).decode


def run_zygote(descriptor: int, folders: list[str], modules: list[str]) -> None:
    """Fork contestants as asked for at a socket, until its other end is closed.

    `folders` are those of packages, and `modules` are loaded ahead.
    """
    make_undumpable()
    for name in (*_OFTEN_IMPORTED.split(), *modules):
        import_module(name)
    _warm_up()
    # Contestants inherit that they dump their stacks: to set it up takes its time.
    dump_stack(1)
    # A confined process can't list the folders of modules; that they have been
    # listed here is enough.
    find_spec(_NO_MODULE)
    for folder in folders:
        PathFinder.find_spec(_NO_MODULE, [folder])
    keep_listings()
    gc.collect()
    # Objects that are never touched stay in memory that all contestants share.
    gc.freeze()
    server = socket.socket(fileno=descriptor)
    os.set_inheritable(descriptor, False)
    apart = os.getpid() == 1 and _can_be_apart()
    server.send(READY_APART if apart else READY_TOGETHER)
    _ForkServer(server, apart=apart).run()
    # The end of the first process of its namespace is the end of all others.
    os._exit(0)


def keep_listings() -> None:
    """Have the folders of modules never be listed again, even if they change.

    Python would list one that somebody installs something into.  A confined process
    could not, and would find none of its modules any more.
    """
    for finder in sys.path_importer_cache.values():
        if isinstance(finder, FileFinder):
            vars(finder)["_fill_cache"] = lambda: None


def _warm_up() -> None:
    """Do once what every contestant would do first: fill tables, compile patterns.

    Its first decisions take several times as long as those that follow.
    """
    inspect.signature(Bot)
    for name in game_paths():
        # A game that can't be played with its defaults is passed over.
        with suppress(Exception):
            _play(get_game(name, game_class(name).min_players), _FIRST_DECISIONS)


def _play(game: Game, decisions: int) -> None:
    """Play at random, one game after another, and decode observations as bots do."""
    rng = Random(0)
    decode = msgspec.msgpack.Decoder(game.observation_type).decode
    left = decisions
    for number in range(decisions):
        table = Table(game, number.to_bytes(4, "little"))
        while table.advance() != TERMINAL:
            if not left:
                return
            seen = decode(pack(table.observe(0.0)))
            force_setattr(seen, "game", game)
            table.act(rng.choice(seen.legal_actions))
            left -= 1


class _Forked(NamedTuple):
    """The process ids of a fork and of the first process of its namespace."""

    pid: int
    """0 in the new process."""
    first: int = 0
    """0 if it is in the zygote's namespace."""


def _fork_apart() -> _Forked:
    """Fork into a new pid namespace.

    Raises:
        OSError: the kernel refuses.
    """
    first = start_pid_namespace()
    try:
        pid = os.fork()
    except OSError:
        leave_pid_namespace()
        end_pid_namespace(first)
        raise
    if pid:
        leave_pid_namespace()
    return _Forked(pid, first)


def _can_be_apart() -> bool:
    """Try out with a fork what contestants need to be apart."""
    try:
        forked = _fork_apart()
    except OSError:
        return False
    if forked.pid == 0:
        with suppress(BaseException):
            enter_user_namespace()
            # Before Linux 5.14 the user's other processes would count too.
            limit_resources(memory=0, cpu=0, tasks=2)
            threading.Thread(target=int).start()
            os._exit(0)
        os._exit(1)
    _, status = os.waitpid(forked.pid, 0)
    end_pid_namespace(forked.first)
    return status == 0


class _ForkServer:
    def __init__(self, server: socket.socket, *, apart: bool) -> None:
        self._server = server
        self._apart = apart
        self._request = bytearray(_MAX_REQUEST_BYTES)
        self._poll = select.poll()
        self._poll.register(server, select.POLLIN)
        self._children: dict[int, tuple[_Forked, int]] = {}
        """With the descriptor for the status, by pidfd."""

    def run(self) -> None:
        while True:
            for descriptor, _ in self._poll.poll():
                if descriptor in self._children:
                    self._bury(descriptor)
                elif not self._answer():
                    return

    def _answer(self) -> bool:
        size, descriptors = self._receive()
        if not size:
            return False
        try:
            forked = _fork_apart() if self._apart else _Forked(os.fork())
        except OSError as error:
            for descriptor in descriptors:
                os.close(descriptor)
            self._server.send(f"fork: {error.strerror}".encode())
            return True
        if forked.pid == 0:
            self._become_contestant(bytes(self._request[:size]), descriptors)
        status = descriptors.pop(3)
        pidfd = os.pidfd_open(forked.pid)
        socket.send_fds(self._server, [FORKED], [pidfd])
        for descriptor in descriptors:
            os.close(descriptor)
        self._children[pidfd] = (forked, status)
        self._poll.register(pidfd, select.POLLIN)
        return True

    def _receive(self) -> tuple[int, list[int]]:
        """Return the size of the next request, and the descriptors with it."""
        descriptors = array("i")
        space = socket.CMSG_SPACE(_MAX_DESCRIPTORS * descriptors.itemsize)
        size, ancillary, _, _ = self._server.recvmsg_into([self._request], space)
        for _, _, data in ancillary:
            descriptors.frombytes(data)
        # A contestant would find in its memory what was asked for others.
        self._request[size:] = bytes(_MAX_REQUEST_BYTES - size)
        return size, [*descriptors]

    def _bury(self, pidfd: int) -> None:
        self._poll.unregister(pidfd)
        os.close(pidfd)
        forked, descriptor = self._children.pop(pidfd)
        _, status = os.waitpid(forked.pid, 0)
        # The referee may have closed its end.
        with suppress(OSError):
            os.write(descriptor, status.to_bytes(4, "little"))
        os.close(descriptor)
        if forked.first:
            end_pid_namespace(forked.first)

    def _become_contestant(self, request: bytes, descriptors: list[int]) -> None:
        """Become a contestant; does not return."""
        try:
            read_fd, write_fd, output, _, *rulesets = descriptors
            for target in (1, 2):
                os.dup2(output, target)
            kept = sorted((read_fd, write_fd, *rulesets))
            low = 3
            for descriptor in kept:
                os.closerange(low, descriptor)
                low = descriptor + 1
            os.closerange(low, 1 << 20)
            os.setsid()
            confinement = _decode(request)
            if self._apart:
                enter_user_namespace()
            else:
                # The limit would be one for all of them together.
                confinement = replace(confinement, tasks=None)
            serve(read_fd, write_fd, confinement, *rulesets)
        except BaseException as error:
            print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
        finally:
            os._exit(1)
