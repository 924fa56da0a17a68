"""An audit that an editor asks for: a process of its own, whose report replaces the last one."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

_OWN_GROUP: Final = sys.platform != "win32"
_PATIENCE: Final = 5.0  # seconds until a pipe is given up that a process of another group holds


class Audits:
    """Runs one audit at a time.

    Attributes:
        process: the process, while there is one.
    """

    def __init__(self) -> None:
        self.process: asyncio.subprocess.Process | None = None
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
        python, *rest = command
        self._is_stopped = False
        self.process = await asyncio.create_subprocess_exec(
            python, "-m", "supremum", "audit", "--output", str(new), *rest,
            cwd=folder,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,  # ours is the connection with the editor
            stderr=asyncio.subprocess.PIPE,
            start_new_session=_OWN_GROUP,
        )  # fmt: skip
        try:
            _, told = await self.process.communicate()
            code = self.process.returncode or 0
            if new.exists():
                new.replace(report)
                return code, ""
            if self._is_stopped:
                return code, "it was stopped"
            return code, _why(told.decode(errors="replace"))
        finally:
            self.stop()
            with suppress(TimeoutError):  # its pipe is read to the end while the loop still runs
                await asyncio.wait_for(self.process.communicate(), _PATIENCE)
            self.process = None
            with suppress(OSError):
                new.unlink()

    def stop(self) -> None:
        """End the process, with those that it started."""
        if self.process is None or self.process.returncode is not None:
            return
        self._is_stopped = True
        with suppress(ProcessLookupError):
            if _OWN_GROUP:
                os.killpg(self.process.pid, signal.SIGKILL)
            else:
                self.process.kill()


def _why(told: str) -> str:
    """Return the line that says why there is no report: ours, or the last one."""
    lines = [line.strip() for line in told.split("\n") if line.strip()]
    ours = (line.removeprefix("supremum: ") for line in lines if line.startswith("supremum: "))
    return next(ours, lines[-1] if lines else "it said nothing")
