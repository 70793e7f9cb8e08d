"""The probe's bot: tries what no bot may, and tells what it got at.

A contestant's process reads it as it reads any bot.  `TARGETS` is put in front of
it: the paths, the port and the process that it is to try.
"""

import ctypes
import fcntl
import mmap
import os
import resource
import socket
import threading
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

TARGETS: dict[str, Any] = globals().get("TARGETS", {})
_IPC_CREAT = 0o1000
_MS_REMOUNT_BIND = 0x1020


def read() -> bool:
    with open(TARGETS["file"]) as file:
        return bool(file.read())


def list_() -> bool:
    folder, name = os.path.split(TARGETS["file"])
    return name in os.listdir(folder)


def write() -> bool:
    for folder in TARGETS["folders"]:
        # A file without a name: it is gone with its descriptor.
        try:
            os.close(os.open(folder, os.O_TMPFILE | os.O_WRONLY))
        except OSError:
            continue
        return True
    return False


def create() -> bool:
    for folder in ("/tmp", "/var/tmp", "/dev/shm", "/dev", ".", "/"):
        path = os.path.join(folder, TARGETS["name"])
        try:
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY))
        except OSError:
            continue
        os.unlink(path)
        return True
    return False


def connect() -> bool:
    with socket.create_connection(("127.0.0.1", TARGETS["port"]), timeout=2):
        return True


def socket_() -> bool:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("\0" + TARGETS["name"])
        return True


def signal() -> bool:
    os.kill(TARGETS["referee"], 0)
    return True


def renice() -> bool:
    pid = TARGETS["referee"]
    os.setpriority(os.PRIO_PROCESS, pid, os.getpriority(os.PRIO_PROCESS, pid))
    return True


def environment() -> bool:
    with open(f"/proc/{TARGETS['referee']}/environ", "rb") as file:
        return bool(file.read(1))


def lock() -> bool:
    with open(os.__file__, "rb") as shared:
        fcntl.flock(shared, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True


def shared() -> bool:
    memory = _libc().shmget(TARGETS["number"], 4096, _IPC_CREAT | 0o600)
    if memory < 0:
        return False
    _libc().shmctl(memory, 0, None)
    return True


def fork() -> bool:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return True


def program() -> bool:
    child = os.posix_spawn("/bin/true", ["true"], {})
    os.waitpid(child, 0)
    return True


def mount() -> bool:
    nothing = ctypes.c_char_p()
    done: int = _libc().mount(nothing, b"/", nothing, _MS_REMOUNT_BIND, nothing)
    return done == 0


def memory() -> bool:
    mmap.mmap(-1, 2 * TARGETS["memory"], mmap.MAP_PRIVATE | mmap.MAP_ANON).close()
    return True


def limits() -> bool:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard + 1, hard + 1))
    return True


def _libc() -> Any:
    return ctypes.CDLL(None, use_errno=True)


def succeeds(attempt: Callable[[], bool]) -> bool:
    try:
        return attempt()
    except (OSError, MemoryError, ValueError, OverflowError):
        return False


def load_game(path: str) -> None:
    # A program finds nothing of arena, and is asked for no game.
    from arena.registry import load

    load(path)


def thread() -> None:
    worker = threading.Thread(target=time.sleep, args=(0,))
    worker.start()
    worker.join()


def why_not(need: Callable[..., Any], *arguments: str) -> str:
    try:
        need(*arguments)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


if TARGETS:
    for name in TARGETS["attempts"]:
        attempt = globals().get(name + "_") or globals()[name]
        if succeeds(attempt):
            print("got", name)
    if reason := why_not(thread):
        print("lacks threads:", reason)
    for module in TARGETS["modules"]:
        if reason := why_not(import_module, module):
            print(f"lacks {module}:", reason)
    for name, path in TARGETS["games"].items():
        if reason := why_not(load_game, path):
            print(f"no game {name}:", reason)
    print("done")
