"""Attacks on the server of `arena report --open`: whoever else asks gets nothing."""

import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Barrier, BrokenBarrierError, Thread
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect
from recorded import Recorded, recorded

from arena.errors import RecordError
from arena.league.results.store import Store
from arena.reports import local_server
from arena.reports.games import read_games
from arena.reports.local_server import LocalServer
from arena.reports.pages.write import write_pages
from arena.reports.replay.packs import pack_of
from arena.reports.report import read_report

__all__ = ["recorded"]

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
        self.port = parts.port or 0
        self.secret = parts.path.strip("/")
        self.host = f"127.0.0.1:{self.port}"

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port))

    def send(self, request: bytes) -> bytes:
        """Send a request; return the answer, which is empty if there is none."""
        answer = b""
        with suppress(ConnectionError), self.connect() as stream:
            stream.sendall(request)
            while part := stream.recv(65536):
                answer += part
        return answer

    def get(
        self, path: str, *, method: str = "GET", hosts: list[str] | None = None
    ) -> tuple[int, str]:
        """Return status and body of what lies at a path, which is sent as it is."""
        lines = [f"{method} {path} HTTP/1.1"]
        lines += [f"Host: {host}" for host in hosts or [self.host]]
        answer = self.send("\r\n".join([*lines, "", ""]).encode())
        head, _, body = answer.partition(b"\r\n\r\n")
        return int(head.split()[1]), body.decode()

    def page(self, path: str) -> tuple[int, str]:
        return self.get(f"/{self.secret}/{path}")


def serve(
    folder: Path,
    attack: Callable[[Asker], None],
    pack: Callable[[str], str] = lambda game_id: SCRIPT,
) -> list[str]:
    """Serve pages for as long as an attack on them takes; return what is noted."""
    notes: list[str] = []
    with LocalServer(folder, pack, notes.append) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            attack(Asker(server.address))
        finally:
            server.shutdown()
            thread.join()
    return notes


def test_who_has_the_address_sees_pages_and_replays(folder: Path) -> None:
    def attack(asker: Asker) -> None:
        assert asker.page("index.html") == (200, PAGE)
        assert asker.page("") == (200, PAGE)
        assert asker.page("bots/ana.html") == (200, f"{PAGE}: Ana")
        assert asker.page("replays/ab12.js") == (200, SCRIPT)

    serve(folder, attack)


def test_a_name_that_leads_here_is_no_name_of_ours(folder: Path) -> None:
    """A page elsewhere can let its own name lead to 127.0.0.1 (DNS rebinding)."""

    def attack(asker: Asker) -> None:
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
            status, body = asker.get(path, hosts=hosts)
            assert (status, PAGE in body) == (404, False), hosts
        assert b" 404 " in asker.send(f"GET {path} HTTP/1.0\r\n\r\n".encode())
        here = f"localhost:{asker.port}"
        assert asker.get(path, hosts=[here]) == (200, PAGE)

    serve(folder, attack)


def test_nobody_sees_anything_without_the_secret(folder: Path) -> None:
    """Bots and other users of the machine can ask, too."""
    secrets = []

    def attack(asker: Asker) -> None:
        secrets.append(asker.secret)
        own = asker.secret
        for path in (
            *("/", "/index.html", "//index.html", f"/{own}", f"/./{own}/index.html"),
            *(f"/{own[:-1]}/index.html", f"/{own}x/index.html", f"/x/{own}/index.html"),
            *(f"/{own.swapcase()}/index.html", f"/?{own}/index.html", f"{own}/"),
            f"x/{own}/index.html",
            f"http://{asker.host}/{own}/index.html",
        ):
            status, body = asker.get(path)
            assert (status, PAGE in body) == (404, False), path

    serve(folder, attack)
    serve(folder, attack)
    assert len({*secrets}) == 2
    assert all(len(secret) >= 32 for secret in secrets)


def test_it_listens_to_this_machine_alone(folder: Path) -> None:
    def attack(asker: Asker) -> None:
        # This leads here too, but no other machine's packets come from there.
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.2", asker.port))

    serve(folder, attack)


def test_no_path_leads_out_of_the_pages(folder: Path) -> None:
    def attack(asker: Asker) -> None:
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
            status, body = asker.page(path)
            assert status == 404, path
            assert PAGE not in body
            assert "luck" not in body

    asked: list[str] = []

    def pack(game_id: str) -> str:
        asked.append(game_id)
        return ""

    serve(folder, attack, pack)
    assert not asked


def test_it_can_be_read_and_nothing_else(folder: Path) -> None:
    def attack(asker: Asker) -> None:
        path = f"/{asker.secret}/index.html"
        for method in ("POST", "PUT", "DELETE", "HEAD", "OPTIONS", "CONNECT", "get"):
            status, body = asker.get(path, method=method)
            assert (status, PAGE in body) == (501, False), method
        for request in (b"\r\n\r\n", b"\0" * 99 + b"\r\n\r\n", b"GET /\r\n\r\n"):
            assert PAGE.encode() not in asker.send(request)

    serve(folder, attack)


def test_no_page_elsewhere_can_hold_or_keep_what_is_shown(folder: Path) -> None:
    def attack(asker: Asker) -> None:
        words = f"GET /{asker.secret}/index.html HTTP/1.1\r\nHost: {asker.host}"
        origin = "Origin: http://evil.example"
        answer = asker.send(f"{words}\r\n{origin}\r\n\r\n".encode())
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

    def pack(game_id: str) -> str:
        asked.append(game_id)
        return SCRIPT

    def attack(asker: Asker) -> None:
        start = f"GET /{asker.secret}/".encode()
        for request in (
            start + b"a" * 10**6,
            start + b"\r\na: b" * 10**6,
            b"\n" * 10**6,
        ):
            assert PAGE.encode() not in asker.send(request)
        assert (asker.page(f"replays/{'a' * 65}.js"))[0] == 404
        assert (asker.page(f"replays/{'a' * 64}.js"))[0] == 200
        assert asker.page("index.html") == (200, PAGE)

    serve(folder, attack, pack)
    assert asked == ["a" * 64]


def test_who_says_nothing_makes_room_for_who_asks(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_server._Handler, "timeout", 3600)

    def attack(asker: Asker) -> None:
        most = local_server.MOST_CONNECTIONS
        silent = [asker.connect() for _ in range(most + 3)]
        # A few letters are no request.
        silent[1].sendall(b"GET /")
        assert asker.page("index.html") == (200, PAGE)
        for stream in silent[:3]:
            stream.settimeout(60)
            assert stream.recv(1) == b""
        for stream in silent:
            stream.close()

    serve(folder, attack)


def test_replays_are_made_one_by_one(folder: Path) -> None:
    meeting = Barrier(2)
    alone: list[str] = []

    def pack(game_id: str) -> str:
        with suppress(BrokenBarrierError):
            meeting.wait(0.2)
            raise AssertionError("two are made at once")
        meeting.reset()
        alone.append(game_id)
        return game_id

    def attack(asker: Asker) -> None:
        with ThreadPoolExecutor(3) as pool:
            paths = [f"replays/{number}.js" for number in range(3)]
            found = [*pool.map(asker.page, paths)]
        assert found == [(200, str(number)) for number in range(3)]

    assert not serve(folder, attack, pack)
    assert len(alone) == 3


def test_a_replay_that_can_not_be_made_harms_no_other(folder: Path) -> None:
    def pack(game_id: str) -> str:
        if game_id == "bad":
            raise RecordError("x/league.sqlite: is damaged")
        if game_id == "worse":
            raise ValueError(game_id)
        return SCRIPT

    def attack(asker: Asker) -> None:
        for game_id in ("bad", "worse"):
            assert (asker.page(f"replays/{game_id}.js"))[0] == 500
        assert asker.page("replays/good.js") == (200, SCRIPT)

    assert serve(folder, attack, pack) == [
        "replays/bad.js: can't be shown: x/league.sqlite: is damaged",
        "replays/worse.js: can't be shown: worse",
    ]


@pytest.mark.exhaustive
def test_a_browser_shows_all_pages_and_a_replay_by_these_rules(
    recorded: Recorded, browser: Browser, tmp_path: Path
) -> None:
    """What the rules for its pages forbid would be on the console."""
    with Store.read(recorded.folder) as store:
        report = read_report(store)
        games = read_games(store, report)
        write_pages(report, games, store, tmp_path / "pages", "x", on_demand=True)

    def pack(game_id: str) -> str:
        with Store.read(recorded.folder) as store:
            return pack_of(store, report.names, game_id, "x")

    def attack(asker: Asker) -> None:
        wrong: list[str] = []
        address = f"http://{asker.host}/{asker.secret}/"
        with browser.new_context() as context:
            page = context.new_page()
            page.on("console", lambda m: wrong.append(m.text))
            page.on("requestfailed", lambda r: wrong.append(r.url))
            page.goto(address)
            links = page.locator("nav[aria-label=Pages] a")
            for name in links.evaluate_all("all => all.map(a => a.href)"):
                page.goto(name)
                page.wait_for_load_state("networkidle")
            page.locator("#games a[href*=replay]").first.click()
            expect(page.locator("#drawing svg").first).to_be_visible()
            page.goto(f"{address}replay.html#1234567890")
            expect(page.locator("#message")).to_contain_text("hold no replay")
        assert not wrong

    assert not serve(tmp_path / "pages", attack, pack)
