"""A server of a league's pages for one person, on this machine alone.

Other users of the machine, bots, and pages of others in the same browser can reach its
port.  So it answers to nobody but who knows its address, which holds a secret; to no
other name, as any name can be made to lead here; with nothing but the files that were
there when it began and the replays of games; and who asks for nothing makes room.
"""

import re
import secrets
import socket
from collections.abc import Callable
from contextlib import suppress
from hmac import compare_digest
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socketserver import TCPServer
from threading import Lock
from typing import Any

MOST_CONNECTIONS = 64
"""At the same time.  If there are more, who has asked for nothing yet has to go."""
_HERE = "127.0.0.1"
_REPLAY = re.compile(r"replays/([0-9A-Za-z]{1,64})\.js")
_KINDS = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
}
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class LocalServer(ThreadingHTTPServer):
    """Serves the pages in a folder, and replays that are made when they are wanted."""

    request_queue_size = MOST_CONNECTIONS

    def __init__(
        self,
        folder: Path,
        pack: Callable[[str], str],
        note: Callable[[str], None],
    ) -> None:
        """Take the pages that are there now, and listen.

        `pack` returns the script with the replay of a game, by the start of its id;
        `note` is told why one could not be made.

        Raises:
            OSError: there is no port to be had.
        """
        super().__init__((_HERE, 0), _Handler)
        self._files = {
            path.relative_to(folder).as_posix(): path
            for path in folder.rglob("*")
            if path.is_file() and not path.is_symlink()
        }
        self._pack = pack
        self._note = note
        self._one_by_one = Lock()
        self._silent: list[socket.socket] = []
        self._secret = secrets.token_hex(32)
        port = self.server_address[1]
        self._hosts = [[f"{_HERE}:{port}"], [f"localhost:{port}"]]
        self.address = f"http://{_HERE}:{port}/{self._secret}/"

    def server_bind(self) -> None:
        """Listen, and ask nobody what this machine is called."""
        TCPServer.server_bind(self)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Read and answer a request in a thread of its own."""
        self._silent.append(request)
        if len(self._silent) > MOST_CONNECTIONS:
            with suppress(OSError):  # They may have gone by themselves.
                self._silent.pop(0).shutdown(socket.SHUT_RDWR)
        super().process_request(request, client_address)

    def has_asked(self, request: Any) -> None:
        """Note that a connection is silent no more."""
        with suppress(ValueError):  # It may have had to make room.
            self._silent.remove(request)

    def shutdown_request(self, request: Any) -> None:
        """Hang up."""
        self.has_asked(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of those who have gone before they were answered."""

    def path_of(self, target: str, hosts: list[str]) -> str | None:
        """Return the path that is asked for; None if nobody should get anything."""
        root, _, rest = target.partition("/")
        secret, slash, path = rest.partition("/")
        is_known = compare_digest(secret.encode(), self._secret.encode())
        if root or not slash or not is_known or hosts not in self._hosts:
            return None
        return path or "index.html"

    def content(self, path: str) -> tuple[HTTPStatus, str, bytes]:
        """Return status, kind and content of what lies at a path."""
        file = self._files.get(path)
        replay = _REPLAY.fullmatch(path)
        try:
            if file is not None:
                kind = _KINDS.get(file.suffix, "text/plain")
                return HTTPStatus.OK, kind, file.read_bytes()
            if replay is not None:
                with self._one_by_one:
                    return HTTPStatus.OK, _KINDS[".js"], self._pack(replay[1]).encode()
        except Exception as error:  # Games and drawings of packages raise anything.
            self._note(f"{path}: can't be shown: {error}")
            return HTTPStatus.INTERNAL_SERVER_ERROR, "text/plain", b""
        return HTTPStatus.NOT_FOUND, "text/plain", b""


class _Handler(BaseHTTPRequestHandler):
    """Answers one request, which must be complete within some seconds."""

    timeout = 5
    server: LocalServer

    def do_GET(self) -> None:
        """Answer with what lies at a path, to who may have it."""
        self.server.has_asked(self.connection)
        hosts = self.headers.get_all("Host", [])
        path = self.server.path_of(self.path, hosts)
        if path is None:
            self.send_error(HTTPStatus.NOT_FOUND)
        else:
            self._answer(*self.server.content(path))

    def send_error(
        self, code: int, message: str | None = None, explain: str | None = None
    ) -> None:
        """Answer with a status alone."""
        self._answer(HTTPStatus(code), "text/plain", b"")

    def _answer(self, status: HTTPStatus, kind: str, content: bytes) -> None:
        self.send_response_only(status)
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Keep no log: the path of a request holds the secret."""
