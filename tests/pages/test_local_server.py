"""Attacks on the server of `arena report --open`: whoever else asks gets nothing."""

import socket
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import trio
from trio.testing import MockClock, memory_stream_pair

from arena.errors import RecordError
from arena.reports import local_server
from arena.reports.local_server import LocalServer

PAGE = "what only the instructor may see"
SCRIPT = "arena.pack('ab', '')"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Pages, with something beside them that is none."""
    pages = tmp_path / "pages"
    (pages / "bots").mkdir(parents=True)
    (pages / "index.html").write_text(PAGE)
    (pages / "bots" / "ana.html").write_text(f"{PAGE}: Ana")
    (pages / "style.css").write_text("p {}")
    (tmp_path / "keys.json").write_text("the luck of the league")
    (pages / "link.html").symlink_to(tmp_path / "keys.json")
    return pages


class Asker:
    """A client that says exactly what it is told to."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self.address = address
        self.port = parts.port or 0
        self.secret = parts.path.strip("/")
        self.host = f"127.0.0.1:{self.port}"

    async def send(self, request: bytes) -> bytes:
        """Send a request; return the answer, which is empty if there is none."""
        answer = b""
        try:
            async with await trio.open_tcp_stream("127.0.0.1", self.port) as stream:
                await stream.send_all(request)
                async for part in stream:
                    answer += part
        except trio.BrokenResourceError:
            pass
        return answer

    async def get(
        self, path: str, *, method: str = "GET", hosts: list[str] | None = None
    ) -> tuple[int, str]:
        """Return status and body of what lies at a path, which is sent as it is."""
        lines = [f"{method} {path} HTTP/1.1"]
        lines += [f"Host: {host}" for host in hosts or [self.host]]
        answer = await self.send("\r\n".join([*lines, "", ""]).encode())
        head, _, body = answer.partition(b"\r\n\r\n")
        return int(head.split()[1]), body.decode()

    async def page(self, path: str) -> tuple[int, str]:
        return await self.get(f"/{self.secret}/{path}")


def serve(
    folder: Path,
    attack: Callable[[Asker], Awaitable[None]],
    pack: Callable[[str], str] = lambda game_id: SCRIPT,
) -> list[str]:
    """Serve pages for as long as an attack on them takes; return what is noted."""
    notes: list[str] = []

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            address = await nursery.start(LocalServer(folder, pack, notes.append).serve)
            await attack(Asker(address))
            nursery.cancel_scope.cancel()

    trio.run(main)
    return notes


def test_who_has_the_address_sees_pages_and_replays(folder: Path) -> None:
    async def attack(asker: Asker) -> None:
        assert await asker.page("index.html") == (200, PAGE)
        assert await asker.page("") == (200, PAGE)
        assert await asker.page("bots/ana.html") == (200, f"{PAGE}: Ana")
        assert await asker.page("replays/ab12.js") == (200, SCRIPT)

    serve(folder, attack)


def test_a_name_that_leads_here_is_no_name_of_ours(folder: Path) -> None:
    """A page elsewhere can let its own name lead to 127.0.0.1 (DNS rebinding)."""

    async def attack(asker: Asker) -> None:
        path = f"/{asker.secret}/index.html"
        for hosts in (
            ["evil.example"],
            [f"evil.example:{asker.port}"],
            ["127.0.0.1"],
            [f"127.0.0.1:{asker.port + 1}"],
            [f"127.0.0.1:{asker.port}.evil.example"],
            [asker.host, "evil.example"],
            ["evil.example", asker.host],
        ):
            status, body = await asker.get(path, hosts=hosts)
            assert (status, PAGE in body) == (404, False), hosts
        assert b" 404 " in await asker.send(f"GET {path} HTTP/1.0\r\n\r\n".encode())
        here = f"localhost:{asker.port}"
        assert await asker.get(path, hosts=[here]) == (200, PAGE)

    serve(folder, attack)


def test_nobody_sees_anything_without_the_secret(folder: Path) -> None:
    """Bots and other users of the machine can ask, too."""
    secrets = []

    async def attack(asker: Asker) -> None:
        secrets.append(asker.secret)
        own = asker.secret
        for path in (
            *("/", "/index.html", "//index.html", f"/{own}", f"//{own}/index.html"),
            *(f"/{own[:-1]}/index.html", f"/{own}x/index.html", f"/x/{own}/index.html"),
            *(f"/{own.swapcase()}/index.html", f"/?{own}/index.html", f"{own}/"),
            f"http://{asker.host}/{own}/index.html",
        ):
            status, body = await asker.get(path)
            assert (status, PAGE in body) == (404, False), path

    serve(folder, attack)
    serve(folder, attack)
    assert len({*secrets}) == 2
    assert all(len(secret) >= 32 for secret in secrets)


def test_it_listens_to_this_machine_alone(folder: Path) -> None:
    async def attack(asker: Asker) -> None:
        others = {x[4][0] for x in socket.getaddrinfo(socket.gethostname(), None)}
        for other in sorted(others - {"127.0.0.1", "::1"}):
            with pytest.raises(OSError, match="refused"):
                await trio.open_tcp_stream(other, asker.port)

    serve(folder, attack)


def test_no_path_leads_out_of_the_pages(folder: Path) -> None:
    async def attack(asker: Asker) -> None:
        (folder / "later.html").write_text(PAGE)
        for path in (
            *("../keys.json", "%2e%2e/keys.json", "..%2fkeys.json", "..\\keys.json"),
            *("bots/../../keys.json", "bots/../index.html", "./index.html"),
            *("/etc/passwd", "//etc/passwd", "bots", "bots/", "bots//ana.html"),
            *("index.html/", "index.html%00", "index.html\0", "INDEX.HTML"),
            *("replays/", "replays/.js", "replays/../x.js", "replays/a.b.js"),
            *("replays/a/b.js", "replays/%2e.js", "replays/ü.js", "replays/a.js.js"),
            *("link.html", "later.html", "index.html?x"),
        ):
            status, body = await asker.page(path)
            assert status == 404, path
            assert PAGE not in body
            assert "luck" not in body

    asked: list[str] = []
    serve(folder, attack, lambda game_id: asked.append(game_id) or "")
    assert not asked


def test_it_can_be_read_and_nothing_else(folder: Path) -> None:
    async def attack(asker: Asker) -> None:
        path = f"/{asker.secret}/index.html"
        for method in ("POST", "PUT", "DELETE", "HEAD", "OPTIONS", "CONNECT", "get"):
            status, body = await asker.get(path, method=method)
            assert (status, PAGE in body) == (405, False), method
        for request in (b"\r\n\r\n", b"\0" * 99 + b"\r\n\r\n", b"GET /\r\n\r\n"):
            assert PAGE.encode() not in await asker.send(request)

    serve(folder, attack)


def test_no_page_elsewhere_can_hold_or_keep_what_is_shown(folder: Path) -> None:
    async def attack(asker: Asker) -> None:
        words = f"GET /{asker.secret}/index.html HTTP/1.1\r\nHost: {asker.host}"
        origin = "Origin: http://evil.example"
        answer = await asker.send(f"{words}\r\n{origin}\r\n\r\n".encode())
        head = answer.partition(b"\r\n\r\n")[0].decode().lower()
        assert "access-control" not in head
        for line in (
            *("cache-control: no-store", "cross-origin-resource-policy: same-origin"),
            *("referrer-policy: no-referrer", "x-content-type-options: nosniff"),
        ):
            assert line in head.split("\r\n")
        for rule in ("default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"):
            assert rule in head

    serve(folder, attack)


def test_huge_requests_and_ids_are_not_read(folder: Path) -> None:
    asked: list[str] = []

    async def attack(asker: Asker) -> None:
        start = f"GET /{asker.secret}/".encode()
        for request in (
            start + b"a" * 10**6,
            start + b"\r\na: b" * 10**6,
            b"\n" * 10**6,
        ):
            assert PAGE.encode() not in await asker.send(request)
        assert (await asker.page(f"replays/{'a' * 65}.js"))[0] == 404
        assert (await asker.page(f"replays/{'a' * 64}.js"))[0] == 200
        assert await asker.page("index.html") == (200, PAGE)

    serve(folder, attack, lambda game_id: asked.append(game_id) or SCRIPT)
    assert asked == ["a" * 64]


def test_who_says_nothing_makes_room_for_who_asks(folder: Path) -> None:
    async def attack(asker: Asker) -> None:
        silent = [
            await trio.open_tcp_stream("127.0.0.1", asker.port)
            for _ in range(2 * local_server.MOST_CONNECTIONS)
        ]
        for _ in range(3):
            assert await asker.page("index.html") == (200, PAGE)
        for stream in silent:
            await stream.aclose()

    serve(folder, attack)


def test_few_replays_are_made_at_the_same_time(folder: Path) -> None:
    running: list[str] = []
    most: list[int] = []

    def pack(game_id: str) -> str:
        running.append(game_id)
        most.append(len(running))
        running.remove(game_id)
        return game_id

    async def attack(asker: Asker) -> None:
        found: dict[int, tuple[int, str]] = {}

        async def ask(number: int) -> None:
            found[number] = await asker.page(f"replays/{number}.js")

        asks = local_server.MOST_CONNECTIONS // 2
        async with trio.open_nursery() as nursery:
            for number in range(asks):
                nursery.start_soon(ask, number)
        assert found == {n: (200, str(n)) for n in range(asks)}

    serve(folder, attack, pack)
    assert max(most) == 1


def test_a_replay_that_can_not_be_made_harms_no_other(folder: Path) -> None:
    def pack(game_id: str) -> str:
        if game_id == "bad":
            raise RecordError("x/league.sqlite: is damaged")
        if game_id == "worse":
            raise ValueError(game_id)
        return SCRIPT

    async def attack(asker: Asker) -> None:
        for game_id in ("bad", "worse"):
            assert (await asker.page(f"replays/{game_id}.js"))[0] == 500
        assert await asker.page("replays/good.js") == (200, SCRIPT)

    assert serve(folder, attack, pack) == [
        "replays/bad.js: can't be shown: x/league.sqlite: is damaged",
        "replays/worse.js: can't be shown: worse",
    ]


def test_who_asks_slowly_is_not_waited_for(folder: Path) -> None:
    async def drip(stream: trio.abc.SendStream) -> None:
        while True:
            await stream.send_all(b"G")
            await trio.sleep(1)

    async def main() -> None:
        server = LocalServer(folder, lambda game_id: SCRIPT, print)
        ours, theirs = memory_stream_pair()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(partial(server.answer, ours, "127.0.0.1:1"))
            with pytest.raises(trio.BrokenResourceError):
                await drip(theirs)

    trio.run(main, clock=MockClock(autojump_threshold=0))
