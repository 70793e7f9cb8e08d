"""The files of the live page: a folder that opens from a disk or any static host.

The page asks for `state.js` again and again, a script that says what is new.
"""

import os
import re
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import msgspec

from arena.games.registry import OUR_GAMES
from arena.league.results.database import check_room
from arena.reports.live.board import LiveBoard
from arena.reports.live.watching import WatchedGame
from arena.reports.pages.site import STATIC, rendered
from arena.reports.replay.drawings import GUARD, drawing_scripts
from arena.reports.replay.packs import FOLDER as REPLAYS
from arena.reports.writing import make_folder, write_text

FOLDER = "live"
_SCRIPTS = ("replay_data.js", "replay_panels.js", "live.js")
_STYLES = ("site.css", "replay.css", "live.css")
_KEPT_GAMES = 4
"""Replays that are there at a time: a page may still be loading an older one."""
_LEFT = re.compile(r"\.[\w.]+\.\d+")
"""A file that was not put in place, as `write_text` calls it."""


class LivePage:
    """The live page in a results folder."""

    def __init__(self, results: Path, seconds: float) -> None:
        """Take where it lies, and how often it is written."""
        self.folder = results / FOLDER
        self._seconds = seconds
        self._drawings: list[str] | None = None
        self._is_guarded = False
        self._games: list[str] = []
        """Ids of games whose replays are there, oldest first."""
        self._beat = 0

    def write(
        self, board: LiveBoard, game: WatchedGame | None, labels: set[str]
    ) -> None:
        """Write the page anew; `labels` are the names of the games that are played.

        Each file is replaced in one step.

        Raises:
            RecordError: it can't be written.
        """
        check_room(self.folder)
        if self._drawings is None:
            self._begin(labels)
        html = rendered("live_board.html", board=board)
        self._beat += 1
        state = {
            "beat": self._beat,
            "stamp": sha256(html.encode()).hexdigest()[:12],
            "state": board.state,
            "seconds": self._seconds,
            "html": html,
            "said": board.said,
            "game": None,
        }
        if game is not None:
            self._write_game(game)
            state["game"] = {"id": game.game_id, "title": game.title}
        text = msgspec.json.encode(state).decode()
        self._write("state.js", f"arena.live({text});\n")
        self._write(
            "index.html",
            rendered(
                "live.html",
                board=board,
                stamp=state["stamp"],
                seconds=max(1, round(self._seconds)),
                drawings=self._drawings,
                is_guarded=self._is_guarded,
                shows_games=game is not None or bool(self._games),
            ),
        )

    def _begin(self, games: set[str]) -> None:
        """Write what never changes, and remove what an earlier run has left."""
        for folder in (self.folder, self.folder / "static", self.folder / REPLAYS):
            make_folder(folder)
            for name in os.listdir(folder):
                is_old = folder.name == REPLAYS and name.endswith(".js")
                if is_old or _LEFT.fullmatch(name):
                    (folder / name).unlink()
        for name in (*_STYLES, *_SCRIPTS):
            self._write(f"static/{name}", (STATIC / name).read_text("utf-8"))
        scripts, _ = drawing_scripts(games)
        own = [f"replay_{name}.js" for name in scripts]
        drawings = [x for x, y in zip(scripts, own, strict=True) if y not in _SCRIPTS]
        for name in drawings:
            self._write(f"static/replay_{name}.js", scripts[name])
        self._is_guarded = not OUR_GAMES.keys() >= games
        if self._is_guarded:
            self._write("static/replay_guard.js", GUARD.read_text("utf-8"))
        self._drawings = drawings

    def _write_game(self, game: WatchedGame) -> None:
        if game.game_id not in self._games:
            self._write(f"{REPLAYS}/{game.game_id}.js", game.pack)
            self._games.append(game.game_id)
        while len(self._games) > _KEPT_GAMES:
            old = self.folder / REPLAYS / f"{self._games.pop(0)}.js"
            with suppress(OSError):
                old.unlink()

    def _write(self, path: str, text: str) -> None:
        write_text(self.folder / path, [text], "make room or allow writing there")
