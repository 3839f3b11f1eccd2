"""A relay that counts: between a browser and a server on this machine, it sees every byte that is sent."""

import contextlib
import socket
import socketserver
import threading

CHUNK = 65_536


class Relay(socketserver.ThreadingTCPServer):
    """Passes everything on to the server at a port; `sent` is what came back, headers, frames and all."""

    daemon_threads = True
    request_queue_size = 100

    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", 0), _Passing)
        self.server, self.sent, self._counting = port, 0, threading.Lock()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def count(self, size: int) -> None:
        with self._counting:
            self.sent += size

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()


class _Passing(socketserver.BaseRequestHandler):
    server: Relay

    def handle(self) -> None:
        with socket.create_connection(("127.0.0.1", self.server.server)) as behind:
            back = threading.Thread(target=self._back, args=(behind,), daemon=True)
            back.start()
            _copy(self.request, behind)
            back.join()

    def _back(self, behind: socket.socket) -> None:
        _copy(behind, self.request, self.server)


def _copy(source: socket.socket, target: socket.socket, counting: Relay | None = None) -> None:
    with contextlib.suppress(OSError):
        while part := source.recv(CHUNK):
            if counting:
                counting.count(len(part))
            target.sendall(part)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)
