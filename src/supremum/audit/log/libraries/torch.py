"""PyTorch: regions of `torch.autocast`, losses called as modules, rounded buffers and steps."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from inspect import getattr_static
from itertools import islice
from typing import Any, Final
from weakref import WeakKeyDictionary

from ....core.dtypes import DType, dtype
from ....core.operands import Operand, operand
from ...model import dtypes, rows
from ...model.dtypes import Operation
from ...model.provenance import Effect, Origin
from ...model.rows import OPERAND, Row
from .. import violations
from ..operation_checks import OperationCheck
from ..tracked_types import is_array
from .listeners import FEW, Event, Findings, Listener

_TITLE: Final = "PyTorch"
_CASTS: Final = ("bfloat16", "half", "to")
_DEVICES: Final = ("cpu", "cud", "mps", "xpu")  # how the names of devices begin
_MOVES: Final = ("cuda", "mps", "to")
_MOST_PARTS: Final = 1_000  # of a dataset that are looked at
_FEWEST: Final = 8  # values of a grid
_MOST: Final = 65_536  # values that are kept
_STEPS: Final = FEW - 1  # of an optimizer, in which something is to change
_HARDLY: Final = 0.125  # of the elements of parameters
_PARAMETERS: Final = 64  # of an optimizer that are looked at
_ELEMENTS: Final = 1_024  # of each of them


class Torch(Listener):
    """Finds buffers of grids, such as positions and frequencies, that the cast of a module rounds.

    Inside of `torch.autocast`, nothing is found of an operation.
    """

    def __init__(self, findings: Findings) -> None:
        super().__init__(findings)
        self._default: Origin | None = None  # of the default dtype, if it must not come up
        # The grids of each module by name, with their values, and where they were registered.
        self._grids: WeakKeyDictionary[Any, dict[str, tuple[Operand, Any, int]]] = (
            WeakKeyDictionary()
        )
        # What loaders hand out in batches, by the shape of one of a batch.
        self._loaded: dict[tuple[DType, tuple[int, ...]], set[Origin]] = {}
        self._steps: WeakKeyDictionary[Any, _Steps] = WeakKeyDictionary()  # of each optimizer
        # The names of the dtypes of the parameters of each module that was returned.
        self._parameters: WeakKeyDictionary[Any, frozenset[str]] = WeakKeyDictionary()

    def called(self, event: Event) -> None:
        """Note what a module registers, and look at what a cast leaves."""
        name = event.place.name
        if _is_module(event.result):
            self._look_at_parameters(event)
        if name == "DataLoader":
            for origin, shape in self._origins_in(event.argument(0, "dataset")):
                self._loaded.setdefault((origin.dtype, shape), set()).add(origin)
        elif name == "set_default_dtype":
            self._default = self._ruled_out(event.location, _default_dtype())
        elif name == "step" and _is_optimizer(event.base):
            self._look_at_step(event)
        elif name == "register_buffer" and _is_module(event.base):
            self._register(event)
        elif name in _MOVES and _is_tensor(event.base):
            self._look_at_move(event)
        elif name == "backward" and _is_tensor(event.base):
            self._note_learned(event)
        elif name in _CASTS and self._grids and event.result is event.base:
            self._look_at_grids(event)

    def _origins_in(self, dataset: Any) -> Iterator[tuple[Origin, tuple[int, ...]]]:
        """Yield the origins of the arrays that a dataset keeps, or one that it is a part of.

        Each comes with the shape of what it has for one of a batch.
        """
        waiting, seen = [dataset], set[int]()
        while waiting and len(seen) < _MOST_PARTS:
            part = waiting.pop()
            if id(part) in seen:
                continue
            seen.add(id(part))
            if is_array(part):
                origin = self.findings.values.get(part)
                if origin is not None:
                    yield origin, tuple(part.shape[1:])
            elif type(part) in (list, tuple):
                waiting += part[:_MOST_PARTS]
            else:
                waiting += getattr(part, "__dict__", {}).values()

    def origin_of(
        self,
        value: Any,
        operand: Operand,
        introduce: Callable[[], Origin],  # noqa: ARG002  # it begins none
    ) -> Origin | None:
        """Return the origin of what a tensor is a view of, or of the one batch of its dtype."""
        base = value._base if _is_tensor(value) else None  # noqa: SLF001  # it has no public name
        if base is not None and base.dtype is value.dtype:
            of_base = self.findings.values.get(base)
            if of_base is not None:
                return of_base
        is_batch = bool(self._loaded) and _is_tensor(value) and value.ndim
        loaded = self._loaded.get((operand.dtype, tuple(value.shape[1:])), ()) if is_batch else ()
        return next(iter(loaded)) if len(loaded) == 1 else None

    def _look_at_parameters(self, event: Event) -> None:
        """Record which parameters of a module have a dtype that must not come up."""
        for module in event.result.modules():
            parameters = list(module.parameters(recurse=False))
            made = frozenset(_name_of(p.dtype) for p in parameters)
            new, self._parameters[module] = made - self._parameters.get(module, frozenset()), made
            for name in new:
                if (origin := self._ruled_out(event.location, name)) is not None:
                    origin.bytes += sum(p.nbytes for p in parameters if _name_of(p.dtype) == name)

    def _look_at_move(self, event: Event) -> None:
        """Record a tensor that is moved to the device in a dtype that must not come up there."""
        name = _name_of(event.result.dtype)
        origin = self.findings.values.get(event.base)
        is_moved = event.place.name != "to" or any(map(_is_device, event.arguments))
        if is_moved and origin is not None and origin.library != _TITLE:
            self._ruled_out(event.location, name)

    def _ruled_out(self, location: int, name: str) -> Origin | None:
        """Return the origin of a dtype that must not come up, or None for another."""
        if not self.findings.is_ruled_out(name, _TITLE):
            return None
        facts = {"library": _TITLE, "explicit": True}
        return self.findings.origin(location, None, dtype(name), facts)

    def _note_learned(self, event: Event) -> None:
        """Note that a loss is more than the size of an error."""
        origin = self.findings.values.get(event.base)
        for effect in origin.effects.values() if origin is not None else ():
            rows.add(effect.rows, {Row(event.location, 0, OPERAND): 1})

    def _register(self, event: Event) -> None:
        """Keep the values of a buffer that rise or fall throughout, as those of a grid do."""
        name, tensor = event.argument(0, "name"), event.argument(1, "tensor")
        if _is_tensor(tensor) and tensor.ndim == 1 and _FEWEST <= len(tensor) <= _MOST:
            values = _values_of(tensor)
            steps = values[1:] - values[:-1] if values is not None else None
            if steps is not None and ((steps > 0).all() or (steps < 0).all()):
                grid = operand(tensor), values, event.location
                self._grids.setdefault(event.base, {})[str(name)] = grid

    def _look_at_grids(self, event: Event) -> None:
        """Record which grids of a module a cast has rounded."""
        for module in event.base.modules() if _is_module(event.base) else ():
            grids = self._grids.get(module, {})
            for name, tensor in module.named_buffers(recurse=False) if grids else ():
                after = _values_of(tensor) if name in grids else None
                if after is not None and (after != grids[name][1]).any():
                    read, _, registered = grids.pop(name)
                    self._write(event.location, name, read, dtype(tensor.dtype), registered)

    def _write(self, location: int, name: str, read: Operand, made: DType, registered: int) -> None:
        facts = {"library": read.library, "explicit": True}
        remark = (
            f"the buffer {name!r} of {read.dtype} becomes {made}, which rounds its values; "
            f"keep it {read.dtype}, and cast what is computed of it"
        )
        effect = Effect(
            "precision-loss", location, (read,), made, 0, remark=remark,
            introductions=[registered],
        )  # fmt: skip
        self.findings.found(self.findings.origin(location, None, made, facts), effect)

    def _look_at_step(self, event: Event) -> None:
        """Record parameters of half precision that hardly change in the first steps."""
        steps = self._steps.setdefault(event.base, _Steps())
        if steps.times > _STEPS:
            return
        steps.times += 1
        for parameter in steps.of(event.base):
            steps.compare(parameter)
        if steps.spoiled is not None:
            self._write_spoiled(event, steps)
        if steps.times <= _STEPS:
            return
        parameter = steps.lost
        steps.forget()
        if parameter is None:
            return
        made = dtype(parameter.dtype)
        part = f"{steps.changed / steps.updated:.0%} of parameters of {made}"
        remark = f"{_STEPS} steps change {part}: other changes are rounded away"
        self._write_step(event, "precision-loss", parameter, remark)

    def _write_spoiled(self, event: Event, steps: _Steps) -> None:
        """Record that a step leaves parameters of half precision that are no numbers."""
        made, small = dtype(steps.spoiled.dtype), event.base.defaults.get("eps")
        remark = f"a step makes infinite, or nan, what has finite gradients in {made}"
        if type(small) is float and not dtypes.holds(small, made):
            remark += f", which has no place for eps={small}"
        self._write_step(event, "float-overflow", steps.spoiled, remark)
        steps.times = FEW  # once will do
        steps.forget()

    def _write_step(self, event: Event, kind: str, parameter: Any, remark: str) -> None:
        made, read = dtype(parameter.dtype), operand(parameter.detach())
        effect = Effect(kind, event.location, (read,), made, 0, remark=remark)
        facts = {"library": _TITLE, "explicit": True}
        self.findings.found(self.findings.origin(event.location, None, made, facts), effect)

    def judged(self, event: Event, check: OperationCheck) -> None:
        """Keep float64 alone inside of `torch.autocast`, which narrows some operands.

        What is single precision there is nobody's mistake; float64 is never what it chooses.
        """
        if _is_loss(event) and not check.violations and check.into is not None:
            operation = Operation(check.operands, check.into, is_known=False)
            check.violations = violations.of_operation(operation)
        if self._default is not None and _is_by_default(event, check):
            check.made_by = self._default
        is_autocast = _is_autocast(event.result)
        if event.place.form == "call":
            check.facts["is_autocast"] = is_autocast
        if is_autocast and event.result.dtype not in _double():
            check.violations = []


class _Steps:
    """The first steps of an optimizer, and what they changed of the parameters that it has.

    Attributes:
        times: how many there were.
        updated: how many elements of half precision have a gradient.
        changed: how many of them are others than before.
        spoiled: a parameter with finite gradients that a step made infinite, or nan; else None.
    """

    def __init__(self) -> None:
        self.times = self.updated = self.changed = 0
        self.spoiled: Any = None
        self._before: dict[int, Any] = {}
        self._last: Any = None

    def of(self, optimizer: Any) -> Iterator[Any]:
        """Yield the first parameters of half precision."""
        groups = (parameter for group in optimizer.param_groups for parameter in group["params"])
        yield from islice((p for p in groups if _is_half(p)), _PARAMETERS)

    def compare(self, parameter: Any) -> None:
        """Hold the first elements of a parameter against those before the step."""
        now = _first_of(parameter)
        before = self._before.get(id(parameter))
        self._before[id(parameter)] = now
        if parameter.grad is None or parameter.grad.is_sparse:
            return
        gradient, isfinite = _first_of(parameter.grad), sys.modules["numpy"].isfinite
        was_finite = True if before is None else isfinite(before)  # else its gradient is not
        if (was_finite & isfinite(gradient) & ~isfinite(now)).any():
            self.spoiled = parameter
        if before is not None:
            is_updated = gradient != 0
            self.updated += int(is_updated.sum())
            self.changed += int((is_updated & (before != now)).sum())
            self._last = parameter

    def forget(self) -> None:
        """Let go of what was kept to compare with."""
        self._before, self._last, self.spoiled = {}, None, None

    @property
    def lost(self) -> Any:
        """A parameter, if hardly any elements of all of them changed; else None."""
        return self._last if self.changed < _HARDLY * self.updated else None


def _is_optimizer(value: Any) -> bool:
    return issubclass(type(value), sys.modules["torch"].optim.Optimizer)


def _is_half(parameter: Any) -> bool:
    return parameter.device.type == "cpu" and _name_of(parameter.dtype) in ("bfloat16", "float16")


def _first_of(tensor: Any) -> Any:
    """Return the first elements of a tensor, which may be changed later."""
    return _values_of(tensor.detach().reshape(-1)[:_ELEMENTS])


def _double() -> tuple[Any, Any]:
    torch = sys.modules["torch"]
    return torch.float64, torch.complex128


def _name_of(own: Any) -> str:
    """Return the name of one of PyTorch's dtypes, of which some are not among ours."""
    return str(own).partition(".")[2]


def _default_dtype() -> str:
    """Return the name of the dtype of floats that nobody names."""
    return _name_of(sys.modules["torch"].get_default_dtype())


def _is_by_default(event: Event, check: OperationCheck) -> bool:
    """Return whether a tensor has the default dtype because nobody named one."""
    named = check.sources or check.facts.get("explicit")
    made = check.result.name if check.result is not None else ""
    return event.place.form == "call" and not named and made == _default_dtype()


def _is_autocast(result: Any) -> bool:
    """Return whether PyTorch casts operands by itself, inside of `torch.autocast`."""
    if not _is_tensor(result):
        return False
    torch, device = sys.modules["torch"], result.device.type
    return torch.amp.is_autocast_available(device) and bool(torch.is_autocast_enabled(device))


def _is_loss(event: Event) -> bool:
    """Return whether a call computes a scalar of all of its operands, as losses do.

    What is called may be a module, also as an attribute of an object, a function of
    `torch.nn.functional`, or an expression that gives either, such as ``nn.MSELoss()``.
    """
    if event.place.form != "call" or not _is_tensor(event.result) or event.result.ndim:
        return False
    is_module = event.base is None or _is_module(event.base)
    if is_module or event.base is sys.modules["torch"].nn.functional:
        return True
    return _is_module(getattr_static(event.base, event.place.name, None))


def _is_module(value: Any) -> bool:
    return issubclass(type(value), sys.modules["torch"].nn.Module)


def _is_device(value: Any) -> bool:
    return type(value).__name__ == "device" or (type(value) is str and value[:3] in _DEVICES)


def _is_tensor(value: Any) -> bool:
    return issubclass(type(value), sys.modules["torch"].Tensor)


def _values_of(tensor: Any) -> Any:
    """Return the values of a tensor of floats as an array of NumPy, or None if it takes long."""
    if tensor.device.type != "cpu" or not tensor.dtype.is_floating_point:
        return None
    return tensor.detach().double().numpy().copy()
