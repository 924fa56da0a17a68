"""The constants of the standard."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

CONSTANTS: Final[Mapping[str, Any]] = {
    "e": math.e,
    "inf": math.inf,
    "nan": math.nan,
    "newaxis": None,
    "pi": math.pi,
}
