"""What other modules of the audit ask of dtypes."""

from __future__ import annotations

from ..model.dtypes import Violation, bits, family, holds, is_strong, survive

__all__ = ["Violation", "bits", "family", "holds", "is_strong", "survive"]
