"""Write the signatures of arrays' namespaces, `arrays/signatures.pyi`, when a wheel is built."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent


class Signatures(BuildHookInterface):
    """A part of the build, of the wheel and of what an editable installation has in its place."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002  # hatchling's
        """Write the file, and put it into the wheel although git ignores it."""
        sys.path[:0] = [str(ROOT / "src"), str(ROOT / "docs")]
        from generator import signatures

        path = signatures.write()
        build_data["artifacts"].append(f"/{path.relative_to(ROOT).as_posix()}")
