"""Talks to whoever listens on this machine."""

import socket

from arena import Bot


class Culprit(Bot):
    def __init__(self, tcp, udp, unix):
        loopback = "127.0.0.1"
        self.peers = {
            "tcp": (socket.AF_INET, socket.SOCK_STREAM, (loopback, tcp)),
            "udp": (socket.AF_INET, socket.SOCK_DGRAM, (loopback, udp)),
            "unix": (socket.AF_UNIX, socket.SOCK_STREAM, "\0" + unix),
        }

    def act(self, obs):
        reached = []
        for name, (family, kind, address) in self.peers.items():
            try:
                with socket.socket(family, kind) as peer:
                    peer.connect(address)
                    peer.send(b"brains")
                    reached.append(name)
            except OSError:
                pass
        return f"leaked: reached {' '.join(reached)}" if reached else "stop"
