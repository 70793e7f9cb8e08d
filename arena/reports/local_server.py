"""A server of a league's pages for one person, on this machine alone.

Other users of the machine, bots, and pages of others in the same browser can reach its
port.  So it answers to nobody but who knows its address, which holds a secret; to no
other name, as any name can be made to lead here; with nothing but the files that were
there when it began and the replays of games; and nobody keeps it from answering others.
"""

import re
import secrets
from collections.abc import Callable
from hmac import compare_digest
from pathlib import Path

import trio

MOST_CONNECTIONS = 64
"""At the same time.  If there are more, who has asked for nothing yet has to go."""
_MOST_BYTES = 8192
"""Of a request."""
_ASKING_S = 5.0
_ANSWERING_S = 60.0
_START = re.compile(rb"([A-Za-z]+) (\S+) HTTP/1\.[01]")
_HOST = re.compile(rb"^host:[ \t]*(.*?)[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_REPLAY = re.compile(r"replays/([0-9A-Za-z]{1,64})\.js")
_KINDS = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
}
_WORDS = {200: "OK", 404: "Not Found", 405: "Method Not Allowed", 500: "Failed"}
_HEADERS = "\r\n".join(
    (
        "Connection: close",
        "Cache-Control: no-store",
        "Content-Security-Policy: default-src 'none'; script-src 'self'; "
        "style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'",
        "Cross-Origin-Resource-Policy: same-origin",
        "Referrer-Policy: no-referrer",
        "X-Content-Type-Options: nosniff",
    )
)
_Answer = tuple[int, str, bytes]
"""Status, kind and content."""


class LocalServer:
    """Serves the pages in a folder, and replays that are made when they are wanted."""

    def __init__(
        self,
        folder: Path,
        pack: Callable[[str], str],
        note: Callable[[str], None],
    ) -> None:
        """Take the pages that are there now.

        `pack` returns the script with the replay of a game, by the start of its id;
        `note` is told why one could not be made.
        """
        self._files = {
            path.relative_to(folder).as_posix(): path
            for path in folder.rglob("*")
            if path.is_file() and not path.is_symlink()
        }
        self._pack = pack
        self._note = note
        self._secret = secrets.token_hex(32)
        self._silent: list[trio.CancelScope] = []
        self._one_by_one = trio.CapacityLimiter(1)

    async def serve(
        self, task_status: trio.TaskStatus[str] = trio.TASK_STATUS_IGNORED
    ) -> None:
        """Serve until cancelled; the status is started with the address of the pages.

        Raises:
            OSError: there is no port to be had.
        """
        (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
        host = f"127.0.0.1:{listener.socket.getsockname()[1]}"
        async with trio.open_nursery() as nursery:
            await nursery.start(
                trio.serve_listeners,
                lambda stream: self.answer(stream, host),
                [listener],
            )
            task_status.started(f"http://{host}/{self._secret}/")

    async def answer(self, stream: trio.abc.Stream, host: str) -> None:
        """Answer one request, and hang up; `host` is the name that leads here."""
        try:
            request = await self._request(stream)
            if request is not None:
                with trio.move_on_after(_ANSWERING_S):
                    await stream.send_all(_message(await self._find(request, host)))
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass  # They have gone.
        finally:
            await trio.aclose_forcefully(stream)

    async def _request(self, stream: trio.abc.Stream) -> bytes | None:
        """Return a request without its body; None if it is too long, or too slow."""
        request = b""
        with trio.move_on_after(_ASKING_S) as scope:
            self._silent.append(scope)
            for longest in self._silent[:-MOST_CONNECTIONS]:
                longest.cancel()
            try:
                while len(request) <= _MOST_BYTES:
                    part = await stream.receive_some(_MOST_BYTES)
                    request += part
                    head, end, _ = request.partition(b"\r\n\r\n")
                    if end:
                        return head
                    if not part:
                        return None
            finally:
                self._silent.remove(scope)
        return None

    async def _find(self, request: bytes, host: str) -> _Answer:
        start, _, headers = request.partition(b"\r\n")
        asked = _START.fullmatch(start)
        names = [host.encode(), host.replace("127.0.0.1", "localhost").encode()]
        hosts = _HOST.findall(headers)
        if asked is None or len(hosts) != 1 or hosts[0] not in names:
            return _failed(404)
        method, target = asked.groups()
        root, _, rest = target.partition(b"/")
        secret, slash, path = rest.partition(b"/")
        is_known = compare_digest(secret, self._secret.encode())
        if root or not slash or not is_known:
            return _failed(404)
        if method != b"GET":
            return _failed(405)
        return await self._content(path.decode("latin-1") or "index.html")

    async def _content(self, path: str) -> _Answer:
        """Return what lies at a path, which is one of those known or nothing."""
        file = self._files.get(path)
        replay = _REPLAY.fullmatch(path)
        try:
            if file is not None:
                return 200, _KINDS.get(file.suffix, "text/plain"), file.read_bytes()
            if replay is not None:
                made = await trio.to_thread.run_sync(
                    self._pack, replay[1], limiter=self._one_by_one
                )
                return 200, _KINDS[".js"], made.encode()
        except Exception as error:  # Games and drawings of packages raise anything.
            self._note(f"{path}: can't be shown: {error}")
            return _failed(500)
        return _failed(404)


def _failed(status: int) -> _Answer:
    return status, "text/plain", _WORDS[status].encode()


def _message(answer: _Answer) -> bytes:
    status, kind, content = answer
    head = (
        f"HTTP/1.1 {status} {_WORDS[status]}\r\n{_HEADERS}\r\n"
        f"Content-Type: {kind}\r\nContent-Length: {len(content)}\r\n\r\n"
    )
    return head.encode() + content
