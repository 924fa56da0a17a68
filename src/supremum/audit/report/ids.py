"""The ids of findings: the same in every format, and as long as the code in question stays."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..model.cells import home
from ..model.wording import near


def ids(findings: Sequence[Any]) -> list[str]:
    """Return the id of each finding: a hash of its file, kind and text, and its number among these.

    It stays the same where lines are added above, and wherever the project lies. Those that have
    all three in common are numbered in the order of the source.
    """
    found = [""] * len(findings)
    seen = Counter[str]()
    for at in sorted(range(len(findings)), key=lambda at: (findings[at].file, findings[at].span)):
        known = _hash(findings[at])
        seen[known] += 1
        found[at] = f"{known}:{seen[known]}"
    return found


def _hash(finding: Any) -> str:
    import hashlib  # slow to import, and most programs have no finding

    known = json.dumps([Path(near(home(finding.file))).as_posix(), finding.names[0], finding.text])
    return hashlib.sha256(known.encode()).hexdigest()[:16]
