"""Serving the page to a browser on this machine, and to nobody else."""

from __future__ import annotations

import secrets
import webbrowser
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final

from .questions import answer
from .site import page

HOST: Final = "127.0.0.1"
LARGEST: Final = 20_000
"""How many bytes a question has at most."""

_TYPES = {"html": "text/html", "css": "text/css", "js": "text/javascript"}
_HEADERS = {
    "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin",
}  # fmt: skip


class Server(ThreadingHTTPServer):
    """A server of the page on this machine alone, at any free port.

    Attributes:
        address: the address of the page. It has a word that nobody guesses, so that other pages
            and other users cannot ask.
        content: the files of the page.
    """

    def __init__(self) -> None:
        super().__init__((HOST, 0), _Page)
        self.content = page("server")
        self.token = secrets.token_urlsafe(16)
        self.hosts = [f"{name}:{self.server_address[1]}" for name in (HOST, "localhost")]
        self.address = f"http://{self.hosts[0]}/{self.token}/"


class _Page(BaseHTTPRequestHandler):
    server: Server
    timeout = 20  # who sends nothing is let go

    def do_GET(self) -> None:
        """Answer with a file of the page."""
        if (name := self._asked()) is not None:
            found = self.server.content.get(name := name.partition("?")[0] or "index.html")
            kind = _TYPES.get(name.rpartition(".")[2], "text/plain")
            self._send(404 if found is None else 200, found or b"no such file", kind)

    def do_POST(self) -> None:
        """Answer a question."""
        name, length = self._asked(), self.headers.get("Content-Length", "")
        if name is None:
            return
        if name != "ask" or not length.isdecimal():
            self._send(404, b"questions have a length, and go to ask")
        elif len(length) > 9 or int(length) > LARGEST:
            self._send(413, b"a question has 20 kB at most")
        else:
            text = self.rfile.read(int(length)).decode(errors="replace")
            self._send(200, answer(text).encode(errors="replace"), "application/json")

    def _asked(self) -> str | None:
        """Return the name of what is asked for; who comes from elsewhere is refused."""
        host, origin = self.headers.get("Host", ""), self.headers.get("Origin")
        given, slash, name = self.path[1:].partition("/")
        is_own = slash and host in self.server.hosts and origin in (None, f"http://{host}")
        if is_own and secrets.compare_digest(given.encode(), self.server.token.encode()):
            return name
        self._send(403, b"the page is at the address that supremum explore printed")
        return None

    def _send(self, status: int, body: bytes, kind: str = "text/plain") -> None:
        self.send_response(status)
        about = {"Content-Type": f"{kind}; charset=utf-8", "Content-Length": str(len(body))}
        for header, value in {**about, **_HEADERS}.items():
            self.send_header(header, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Write nothing: one line with the address is enough."""


def serve(say: Callable[[str], object]) -> None:
    """Serve the page until Ctrl+C, and open it in a browser.

    Args:
        say: writes a line.
    """
    with Server() as running:
        say(f"The explorer is at {running.address}; Ctrl+C ends it.")
        webbrowser.open(running.address)
        try:
            running.serve_forever()
        except KeyboardInterrupt:
            say("Ended.")
