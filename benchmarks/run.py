"""Run the benchmarks one after another, and with ``--save`` write down what they print.

The file has the date, the versions and the processor beside the tables; the site makes a page of
`docs/performance.json`. Benchmarks that are not run keep what an earlier run has saved.
"""

import json
import os
import platform
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
NAMES = ("least", "budget", "audit", "arrays", "calls", "design", "exported")
COMPARED = ("numpy", "jax", "torch", "dask", "array-api-strict")


def run(name: str) -> str:
    """Return what a benchmark prints, which is shown as it comes."""
    command = [sys.executable, HERE / f"{name}.py"]
    lines = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:  # noqa: S603  # our own
        for line in process.stdout or ():
            print(line, end="", flush=True)
            lines.append(line.rstrip())
    if process.returncode:
        sys.exit(f"{name} failed, and is not saved")
    return "\n".join(lines).strip("\n")


def circumstances() -> dict[str, Any]:
    """Return when and where this runs, and with which versions."""
    versions = {"Python": platform.python_version()}
    for library in ("supremum", *COMPARED):
        try:
            versions[library] = version(library)
        except PackageNotFoundError:
            continue
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "processor": f"{processor()}, {os.cpu_count()} cores, with a load of {load:.1f}",
        "versions": versions,
    }


def processor() -> str:
    """Return the name of the processor."""
    facts = Path("/proc/cpuinfo")
    lines = facts.read_text(encoding="utf-8").splitlines() if facts.exists() else []
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(models, "") or platform.processor() or platform.machine()


def main(arguments: Sequence[str] | None = None) -> None:
    """Run what is asked for."""
    parser = ArgumentParser(description="Run the benchmarks.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(NAMES)}; or all")
    parser.add_argument("--save", type=Path, metavar="FILE", help="write what they print there")
    given = parser.parse_args(arguments)
    if unknown := sorted({*given.names} - {*NAMES}):
        parser.error(f"there is no benchmark {unknown[0]!r}; there are {', '.join(NAMES)}")
    saved: dict[str, Any] = {}
    if given.save and given.save.exists():
        saved = json.loads(given.save.read_text(encoding="utf-8"))
    for name in given.names or NAMES:
        saved[name] = {**circumstances(), "printed": run(name).splitlines()}
        if given.save:
            ordered = {name: saved[name] for name in NAMES if name in saved}
            given.save.write_text(json.dumps(ordered, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
