"""PyTorch: mixed precision by `torch.autocast`, and losses that are called as modules."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..checks import checks
from ..checks.operation_checks import OperationCheck
from ..model.locations import LOCATIONS, Location
from .listeners import Event, Findings, Listener


class Torch(Listener):
    """Says only where a wider float comes back inside of `torch.autocast`, and which one it is."""

    def __init__(self, findings: Findings) -> None:
        super().__init__(findings)
        self._region: Location | None = None

    def called(self, event: Event) -> None:
        """Note where the last region begins."""
        if event.place.name == "autocast":
            self._region = event.place

    def judged(self, event: Event, check: OperationCheck) -> None:
        """Keep only, inside of `torch.autocast`, that a wider float is back.

        It is nobody's mistake there: the region narrows some operands, and leaves others.
        """
        if _is_loss(event) and not check.violations and check.into is not None:
            check.violations = checks.call(
                check.operands, check.into, scalar=False, accumulates=False
            )
        is_autocast = _is_autocast(event.result)
        if event.place.form == "call":
            check.facts["is_autocast"] = is_autocast
        if is_autocast:
            widened = [v for v in check.violations if v.kind == "widening"]
            check.violations = [v._replace(kind="autocast", cause=None) for v in widened]

    def remark(self, kind: str, location: int, check: OperationCheck, values: Sequence[Any]) -> str:
        """Return in which region of `torch.autocast` a wider float comes back, and beside what."""
        if kind != "autocast" or check.into is None:
            return ""
        region, file = self._region, LOCATIONS[location].file
        where = f" of {_line(region, file)}" if region is not None else ""
        told = f"in `torch.autocast`{where}, {check.into} comes back"
        for op, place in zip(check.operands, check.places, strict=True):
            origin = self.findings.values.get(values[place])
            if origin is not None and op.dtype is not check.into:
                cast = LOCATIONS[origin.location]
                told += f"; {cast.text} of {_line(cast, file)} gave {op.dtype}"
        return told


def _is_autocast(result: Any) -> bool:
    """Return whether PyTorch casts operands by itself, inside of `torch.autocast`."""
    if not _is_tensor(result):
        return False
    return bool(sys.modules["torch"].is_autocast_enabled(result.device.type))


def _is_loss(event: Event) -> bool:
    """Return whether a call computes a scalar of all of its operands, as losses do.

    What is called may be a module, a function of `torch.nn.functional`, or an expression that gives
    either, such as ``nn.MSELoss()``.
    """
    if event.place.form != "call" or not _is_tensor(event.result) or event.result.ndim:
        return False
    nn = sys.modules["torch"].nn
    is_module = event.base is None or issubclass(type(event.base), nn.Module)
    return is_module or event.base is nn.functional


def _is_tensor(value: Any) -> bool:
    return issubclass(type(value), sys.modules["torch"].Tensor)


def _line(place: Location, file: str) -> str:
    """Return where a location is, seen from a file."""
    return f"line {place.line}" if place.file == file else f"{Path(place.file).name}:{place.line}"
