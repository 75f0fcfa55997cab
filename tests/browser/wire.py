"""A wire between browser and site that can be cut: a browser set "offline" keeps the connections it has."""

import socket
import threading
from contextlib import suppress
from urllib.parse import urlsplit


class Wire:
    """Hands bytes on, both ways. `url` is the site as seen through it; `cut()` breaks every open connection, new ones work."""

    def __init__(self, site_url: str) -> None:
        self.target = urlsplit(site_url).hostname, urlsplit(site_url).port
        self.door = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.door.getsockname()[1]}"
        self.ends: list[socket.socket] = []
        threading.Thread(target=self._open, daemon=True).start()

    def _open(self) -> None:
        with suppress(OSError):
            while True:
                near, _address = self.door.accept()
                far = socket.create_connection(self.target)
                self.ends += [near, far]
                for source, sink in ((near, far), (far, near)):
                    threading.Thread(target=self._hand_on, args=(source, sink), daemon=True).start()

    def _hand_on(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                sink.sendall(data)
        self._close([source, sink])

    def cut(self) -> None:
        ends, self.ends = self.ends, []
        self._close(ends)

    def close(self) -> None:
        self.door.close()
        self.cut()

    @staticmethod
    def _close(ends: list[socket.socket]) -> None:
        for end in ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
