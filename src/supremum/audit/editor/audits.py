"""An audit that an editor asks for: a process of its own, whose report replaces the last one."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Final

_OWN_GROUP: Final = sys.platform != "win32"


class Audits:
    """Runs one audit at a time.

    Attributes:
        process: the process, while there is one.
    """

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self._is_stopped = False

    async def run(self, command: Sequence[str], folder: Path, report: Path) -> tuple[int, str]:
        """Run a program with the audit, and put its report in place.

        Args:
            command: what runs it: ``python -m supremum audit``, with what follows ``--output``.
            folder: where it runs.
            report: where the report belongs.

        Returns:
            The exit code, and why there is no report, or an empty text if there is one.
        """
        new = report.with_name(f"{report.stem}-{os.getpid()}.json")
        self._is_stopped = False
        with TemporaryFile() as errors:
            self.process = _start(command, new, folder, errors)
            try:
                # a thread waits, as what the event loop holds of a process can outlive the loop
                code = await asyncio.to_thread(self.process.wait)
                if new.exists():
                    new.replace(report)
                    return code, ""
                if self._is_stopped:
                    return code, "it was stopped"
                errors.seek(0)
                return code, _why(errors.read().decode(errors="replace"))
            finally:
                self.stop()
                self.process.wait()
                self.process = None
                with suppress(OSError):
                    new.unlink()

    def stop(self) -> None:
        """End the process, with those that it started."""
        if self.process is None or self.process.poll() is not None:
            return
        self._is_stopped = True
        with suppress(ProcessLookupError):
            if _OWN_GROUP:
                os.killpg(self.process.pid, signal.SIGKILL)
            else:
                self.process.kill()


def _start(
    command: Sequence[str], report: Path, folder: Path, errors: IO[bytes]
) -> subprocess.Popen[bytes]:
    """Start an audit, whose messages go into a file."""
    python, *rest = command
    return subprocess.Popen(  # noqa: S603  # the audit that the editor asked for
        [python, "-m", "supremum", "audit", "--output", str(report), *rest],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,  # ours is the connection with the editor
        stderr=errors,
        start_new_session=_OWN_GROUP,
    )


def _why(told: str) -> str:
    """Return the line that says why there is no report: ours, or the last one."""
    lines = [line.strip() for line in told.split("\n") if line.strip()]
    ours = (line.removeprefix("supremum: ") for line in lines if line.startswith("supremum: "))
    return next(ours, lines[-1] if lines else "it said nothing")
