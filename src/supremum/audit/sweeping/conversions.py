"""Arrays of every kind of container: their dtypes, other dtypes for them, and their values."""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import numpy as np

from ...core.dtypes import by_name
from .target import NAMES, Rule, Target

Change = Callable[[Any], Any]
"""Takes an array of NumPy, and returns one of the same dtype."""


class Container(NamedTuple):
    """What one kind of container needs.

    Attributes:
        root: the root of the modules that its classes come from.
        classes: the names of its classes, or of those that they derive from.
        astype: returns a container with arrays of the dtypes of a rule.
        rebuild: returns one whose arrays are changed by a function of arrays of NumPy.
        read: returns the arrays in it, with the names of their dtypes.
        make: returns one of an array of NumPy, or is None.
    """

    root: str
    classes: tuple[str, ...]
    astype: Callable[[Any, Rule], Any]
    rebuild: Callable[[Any, Change], Any]
    read: Callable[[Any], list[tuple[str, Any]]]
    make: Callable[[Any], Any] | None = None


def _cast(value: Any, rule: Rule) -> Any:
    name = str(value.dtype)
    wanted = rule(name)
    return value if wanted == name else value.astype(by_name(wanted).__numpy_dtype__)


def _read(value: Any) -> list[tuple[str, Any]]:
    return [(str(value.dtype), _wide(np.asarray(value)))]


def _wide(values: Any) -> Any:
    """Return an array of NumPy in the widest dtype of its kind, if it has floats."""
    kind = values.dtype.kind
    if kind == "c":
        return values.astype(np.complex128)
    return values.astype(np.float64) if kind in "fV" and not values.dtype.names else values


def _cast_columns(frame: Any, rule: Rule) -> Any:
    wanted = {name: rule(str(column.dtype)) for name, column in frame.items()}
    return frame.astype(
        {name: by_name(d).__numpy_dtype__ for name, d in wanted.items() if d in NAMES}
    )


def _rebuilt_tensor(tensor: Any, change: Change) -> Any:
    made = tensor.new_tensor(change(tensor.detach().numpy()))
    return made.requires_grad_(tensor.requires_grad)


def _cast_tensor(tensor: Any, rule: Rule) -> Any:
    name = _torch_name(tensor)
    wanted = rule(name)
    if wanted == name:
        return tensor
    made = tensor.detach().to(getattr(sys.modules["torch"], wanted))
    return made.requires_grad_(tensor.requires_grad)


def _torch_name(tensor: Any) -> str:
    return str(tensor.dtype).removeprefix("torch.")


def _read_tensor(tensor: Any) -> list[tuple[str, Any]]:
    plain = tensor.detach()
    if plain.is_complex():
        plain = plain.cdouble()
    elif plain.is_floating_point():
        plain = plain.double()
    return [(_torch_name(tensor), plain.resolve_conj().numpy())]


def _tensors(module: Any) -> list[Any]:
    return [*module.parameters(), *module.buffers()]


def _each_tensor(module: Any, change: Callable[[Any], Any]) -> Any:
    module = copy.deepcopy(module)
    for tensor in _tensors(module):
        tensor.data = change(tensor.data)
    return module


def _rebuilt_sparse(matrix: Any, change: Change) -> Any:
    matrix = matrix.copy()
    matrix.data = change(matrix.data)
    return matrix


def _of(module: str, name: str, values: Any) -> Any:
    """Return what a function of a module that is loaded makes of an array of NumPy."""
    return getattr(sys.modules[module], name)(values)


CONTAINERS: Final = (
    Container(
        "torch", ("Module",),
        lambda m, rule: _each_tensor(m, lambda t: _cast_tensor(t, rule)),
        lambda m, change: _each_tensor(m, lambda t: _rebuilt_tensor(t, change)),
        lambda m: [found for t in _tensors(m) for found in _read_tensor(t)],
    ),
    Container(
        "torch", ("Tensor",), _cast_tensor, _rebuilt_tensor, _read_tensor,
        lambda values: _of("torch", "as_tensor", values),
    ),
    Container(
        "jaxlib", ("ArrayImpl", "Array"), _cast,
        lambda x, change: _of("jax.numpy", "asarray", change(np.asarray(x))), _read,
        lambda values: _of("jax.numpy", "asarray", values),
    ),
    Container(
        "pandas", ("DataFrame",), _cast_columns,
        lambda frame, change: frame.apply(lambda c: type(c)(change(c.to_numpy()), c.index)),
        lambda frame: [found for _, column in frame.items() for found in _read(column)],
        lambda values: _of("pandas", "DataFrame", values),
    ),
    Container(
        "pandas", ("Series",), _cast,
        lambda x, change: type(x)(change(x.to_numpy()), x.index, name=x.name), _read,
        lambda values: _of("pandas", "Series", values),
    ),
    Container(
        "xarray", ("DataArray", "Variable"), _cast,
        lambda x, change: x.copy(data=change(x.values)), _read,
        lambda values: _of("xarray", "DataArray", values),
    ),
    Container(
        "xarray", ("Dataset",), lambda data, rule: data.map(_cast, args=(rule,)),
        lambda data, change: data.map(lambda x: x.copy(data=change(x.values))),
        lambda data: [found for x in data.data_vars.values() for found in _read(x)],
        lambda values: _of("xarray", "DataArray", values).to_dataset(name="x"),
    ),
    Container(
        "scipy", ("_spbase",), _cast, _rebuilt_sparse,
        lambda x: [(str(x.dtype), _wide(x.toarray()))],
    ),
    Container(
        "numpy", ("ndarray", "generic"), _cast, lambda x, change: change(x), _read, np.asarray,
    ),
)  # fmt: skip
"""What is taken for arrays; the last is taken for signatures if no other is of the library."""


def container_of(value: Any) -> Container | None:
    """Return what a value is taken for, or None if it holds no arrays."""
    return container_of_class(type(value))


def container_of_class(cls: type) -> Container | None:
    """Return what values of a class are taken for, or None."""
    known = {(c.__module__.partition(".")[0], c.__name__) for c in cls.__mro__}
    for container in CONTAINERS:
        if any((container.root, name) in known for name in container.classes):
            return container
    return None


def maker(root: str) -> Callable[[Any], Any]:
    """Return what makes the arrays of a library from those of NumPy; by default itself."""
    found = (c.make for c in CONTAINERS if c.make and c.root.startswith(root))
    return next(found, np.asarray)


def mapped(
    value: Any, change: Callable[[Container, Any], Any], of_numbers: Change | None = None
) -> Any:
    """Return a value with a function applied to each container of arrays in it.

    Args:
        value: a value, such as an argument, or lists of them.
        change: takes what a container is taken for, and the container.
        of_numbers: takes a list of numbers, which may be nested; without it, lists stay. Tuples of
            integers always do: they are shapes, axes and widths.
    """
    container = container_of(value)
    if container is not None:
        return change(container, value)
    if type(value) in (list, tuple):
        if of_numbers is not None and kind_of_data(value):
            return of_numbers(value)
        return type(value)(mapped(item, change, of_numbers) for item in value)
    if type(value) is dict:
        return {key: mapped(item, change, of_numbers) for key, item in value.items()}
    return value


def kind_of_numbers(value: Any) -> str:
    """Return ``"f"`` or ``"i"`` of nested lists of floats or integers, else ``""``.

    An empty list counts as floats, as NumPy makes an array of them.

    >>> kind_of_numbers([[1, 2.5]]), kind_of_numbers([3]), kind_of_numbers([""])
    ('f', 'i', '')
    """
    if type(value) in (list, tuple):
        kinds = {kind_of_numbers(item) for item in value}
        return "" if "" in kinds else min(kinds, default="f")
    return {float: "f", complex: "f", int: "i"}.get(type(value), "")


def kind_of_data(value: Any) -> str:
    """Return the kind of numbers in lists that may stand for an array.

    >>> kind_of_data([(3, 4), (5, 6)]), kind_of_data((3.5, 4)), kind_of_data((3, 4))
    ('i', 'f', '')
    """
    kind = kind_of_numbers(value)
    return "" if type(value) is tuple and (kind == "i" or not value) else kind


def narrowed(value: Any, target: Target, kinds: str, *, lists: bool) -> Any:
    """Return arguments with their arrays, and lists of numbers if asked, in a dtype."""
    rule = target.narrow(kinds)

    def change(container: Container, x: Any) -> Any:
        fits = target.is_float or all(target.holds(values) for _, values in container.read(x))
        return container.astype(x, rule) if fits else x

    def of_numbers(x: Any) -> Any:
        if kind_of_data(x) not in kinds:
            return x
        try:
            array = np.asarray(x)
        except ValueError:  # rows of several lengths
            return x
        return change(CONTAINERS[-1], array)

    return mapped(value, change, of_numbers if lists else None)


def widened(value: Any, target: Target) -> Any:
    """Return converted arguments with the same values in the wide dtype."""
    return mapped(value, lambda container, x: container.astype(x, target.widen))


def perturbed(value: Any, relative: float, seed: int) -> Any:
    """Return arguments whose floats each differ by a part of themselves, up or down."""
    generator = np.random.default_rng(seed)

    def change(x: Any) -> Any:
        if x.dtype.kind not in "fc":
            return x
        return x * (1 + relative * generator.choice([-1.0, 1.0], np.shape(x))).astype(x.dtype)

    return mapped(value, lambda container, x: container.rebuild(x, change))


def dtypes_in(value: Any) -> Iterator[str]:
    """Yield the names of the dtypes of all arrays in a value."""
    found: list[str] = []
    mapped(value, lambda container, x: found.extend(name for name, _ in container.read(x)))
    yield from found


class Leaf(NamedTuple):
    """An array in a result.

    Attributes:
        path: where it is in it, such as ``[0].x``.
        dtype: the name of its dtype.
        values: its values, in the widest dtype of their kind.
        array: itself.
    """

    path: str
    dtype: str
    values: Any
    array: Any


_DEEPEST: Final = 4


def leaves(value: Any, root: str, path: str = "", depth: int = 0) -> Iterator[Leaf]:
    """Yield the arrays in a result.

    Args:
        value: an array; or a list, a mapping, or an object of a package with attributes.
        root: the name of the package.
        path: where in the result the value is.
        depth: in how many others it is.
    """
    container = container_of(value)
    if container is not None:
        for number, (dtype, values) in enumerate(container.read(value)):
            yield Leaf(f"{path}#{number}" if number else path, dtype, values, value)
    elif depth < _DEEPEST and not isinstance(value, (str, bytes, type)):
        for name, item in _items(value, root):
            yield from leaves(item, root, f"{path}{name}", depth + 1)


def _items(value: Any, root: str) -> list[tuple[str, Any]]:
    if isinstance(value, (list, tuple)):
        return [(f"[{number}]", item) for number, item in enumerate(value[:100])]
    if isinstance(value, dict):
        return [(f"[{key!r}]", item) for key, item in value.items()]
    if type(value).__module__.partition(".")[0] != root:
        return []
    found = getattr(value, "__dict__", {}).items()
    return [(f".{name}", item) for name, item in found if not name.startswith("_")]
