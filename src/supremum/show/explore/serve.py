"""Serving the page to a browser on this machine, and to nobody else."""

from __future__ import annotations

import webbrowser
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

from ...core.errors import RulesError
from .page import page

HOST: Final = "127.0.0.1"
_KNOWN = ("127.0.0.1", "localhost")


def save(path: str) -> int:
    """Write the page to a file, and return its size in bytes.

    Raises:
        RulesError: if it cannot be written.
    """
    content = page().encode()
    try:
        Path(path).write_bytes(content)
    except OSError as error:
        why = error.strerror or str(error)
        raise RulesError(f"{path} cannot be written: {why}; name another file", path) from error
    return len(content)


def server() -> ThreadingHTTPServer:
    """Return a server of the page on this machine alone, at any free port."""
    content = page().encode()

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            """Answer with the page; a name that leads here from elsewhere is refused."""
            host = self.headers.get("Host", "").partition(":")[0]
            known = host in _KNOWN and self.path.partition("?")[0] == "/"
            body = content if known else b"The page is at /"
            self.send_response(200 if known else 404)
            self.send_header("Content-Type", f"text/{'html' if known else 'plain'}; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "no-store")
            self.send_header("X-Content-Type-Options", "nosniff")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Write nothing: one line with the address is enough."""

    return ThreadingHTTPServer((HOST, 0), Page)


def serve(say: Callable[[str], object]) -> None:
    """Serve the page until Ctrl+C, and open it in a browser.

    Args:
        say: writes a line.
    """
    with server() as running:
        address = f"http://{HOST}:{running.server_address[1]}/"
        say(f"The explorer is at {address}; Ctrl+C ends it.")
        webbrowser.open(address)
        try:
            running.serve_forever()
        except KeyboardInterrupt:
            say("Ended.")
