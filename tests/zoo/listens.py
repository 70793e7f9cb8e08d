"""Waits for others to talk to it."""

import socket

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        try:
            with socket.socket() as server:
                server.bind(("127.0.0.1", 0))
                server.listen()
                return f"leaked: listens at port {server.getsockname()[1]}"
        except OSError:
            return "stop"
