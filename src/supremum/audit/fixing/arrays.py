"""Whether two arrays are the same, apart from rounding: the only part of a fix that needs NumPy."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from .agreement import FLIP, NOISE, Tolerance, became, values_differ


def arrays_differ(before: Any, after: Any, within: Tolerance, where: str) -> str:
    """Return where two arrays differ, in words, or ``""`` if they agree."""
    one, other = np.asarray(before), np.asarray(after)
    if one.shape != other.shape:
        return f"{where} has another shape: {list(one.shape)} became {list(other.shape)}"
    kinds = {one.dtype.kind, other.dtype.kind}
    if kinds <= set("biu"):
        same = one == other
    elif kinds <= set("biufcV"):  # bfloat16 is of V
        wide = np.complex128 if "c" in kinds else np.float64
        try:
            one, other = one.astype(wide), other.astype(wide)
        except (TypeError, ValueError):
            same = one == other
        else:
            same = _near(one, other, within)
    else:
        return values_differ(one.tolist(), other.tolist(), within, where)
    if np.all(same):
        return ""
    at = np.unravel_index(int(np.argmin(same)), one.shape)
    place = f"{where}[{', '.join(map(str, at))}]" if at else where
    wrong = int(one.size - np.count_nonzero(same))
    more = f", and {wrong - 1:,} more elements" if wrong > 1 else ""
    return f"{became(place, one[at].item(), other[at].item())}{more}"


def _near(one: Any, other: Any, within: Tolerance) -> Any:
    """Return which elements of two arrays are `close`, or apart by little beside the largest."""
    with np.errstate(all="ignore"):
        size = np.abs(one)
        scale = float(np.max(size, initial=0.0, where=np.isfinite(size)))
        apart = np.abs(one - other)
        near = apart <= within.relative * np.maximum(size, np.abs(other))
        near |= apart <= FLIP * within.epsilon * scale
        least, most = NOISE
        noise = (size == 0) | ((size >= least * scale) & (size <= most * scale))
        near |= noise & (np.abs(other) <= within.relative * scale)
        finite = np.isfinite(one) & np.isfinite(other)
        return np.where(finite, near, (one == other) | (np.isnan(one) & np.isnan(other)))


def loaded(data: bytes) -> Any:
    """Return what a file of NumPy holds: an array, or arrays by their names."""
    found = np.load(io.BytesIO(data), allow_pickle=False)
    return dict(found) if hasattr(found, "files") else found
