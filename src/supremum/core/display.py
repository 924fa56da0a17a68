"""The hook by which values show themselves: the core knows no way to draw or to typeset.

`supremum` sets it. A copy of the core without it answers as before, and shows values as text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, Protocol, TypeVar

from .errors import SupremumError

Of = TypeVar("Of", bound=type)


class Display(Protocol):
    """What can show the values of the core."""

    def html(self, value: Any) -> str | None:
        """Return a value for a notebook."""

    def markdown(self, value: Any) -> str | None:
        """Return a value as Markdown."""

    def render(self, value: Any, format: str) -> str:
        """Return a table in a format."""

    def layout(self, value: Any, nodes: Iterable[Any], *, highlight: Iterable[Any]) -> Any:
        """Return the drawing of a lattice or of rules."""


_load: Callable[[], Display] | None = None


def show_with(load: Callable[[], Display]) -> None:
    """Set what shows values from now on.

    Args:
        load: returns it; it is not called before a value is to be shown.
    """
    global _load  # noqa: PLW0603  # the one hook of the core
    _load = load


def _display(what: str) -> Display:
    if _load is None:
        raise SupremumError(f"{what} need supremum.show, which this copy is without")
    return _load()


def displayed(of: Of) -> Of:
    """Let the values of a class show themselves in a notebook, as text without the hook.

    An attribute that they lack, and that others' values have, is refused with what to type.
    """
    shown = {f"_repr_{name}_": _method(name) for name in ("html", "markdown")}
    for name, method in {**shown, "_repr_pretty_": _pretty, "__getattr__": _lacking}.items():
        setattr(of, name, method)
    return of


INSTEAD: Final = {
    **dict.fromkeys(("json", "to_json"), "json.dumps(x.to_dict())"),
    **dict.fromkeys(("as_dict", "asdict", "_asdict", "dict"), "x.to_dict()"),
    **dict.fromkeys(("df", "to_frame", "to_pandas"), "x.to_dict()"),
    **dict.fromkeys(
        (f"to_{suffix}" for suffix in ("csv", "html", "latex", "markdown", "rst")),
        "supremum.show.render(x, {format!r}), for a table",
    ),
    **dict.fromkeys(("items", "keys", "values", "to_dataframe"), "x.to_dict()"),
    **dict.fromkeys(("text", "to_string", "to_text", "show"), "print(x)"),
    **dict.fromkeys(("why", "explain", "path", "trace"), "print(x), which says why"),
    **dict.fromkeys(("associative", "commutative", "idempotent", "associativity", "commutativity",
                     "idempotence", "failures"), "print(x), which shows it law by law"),
    **dict.fromkeys(("ok", "passed"), "x.hold, for laws"),
    **dict.fromkeys(("loss", "lossless", "lost_bits", "notes", "warnings"),
                    "x.losses, for an explanation"),
    **dict.fromkeys(("loc", "iloc", "at", "get"), "x['int8', 'uint8'], for a table"),
    **dict.fromkeys(("plot", "savefig", "graph"), "supremum.draw()"),
}  # fmt: skip
"""What people ask of a value, with what to type for a value ``x``."""


_OWN: Final = {
    **dict.fromkeys(("df", "to_frame", "to_pandas"), ("to_dataframe()",)),
    **dict.fromkeys(("path", "trace"), ("paths",)),
    **dict.fromkeys(("promote", "join", "lub", "promote_types", "result_type"),
                    ("promote_types('int8', 'uint8')", "join(*nodes)")),
}  # fmt: skip
"""What people ask of a value that has it by another name, with what to type."""


def _pretty(self: Any, printer: Any, cycle: bool) -> None:  # noqa: ARG001  # as IPython calls it
    """Show a value as text at the end of a cell, as ``print`` does."""
    printer.text(str(self))


def _lacking(self: Any, name: str) -> Any:
    what = f"{type(self).__name__!r} object has no attribute {name!r}"
    own = [typed for typed in _OWN.get(name, ()) if hasattr(type(self), typed.partition("(")[0])]
    if hasattr(type(self), "keys") and name in self.keys():
        what += f"; type x[{name!r}]"
    elif own:
        what += f"; type x.{own[0]}"
    elif name in INSTEAD:
        what += f"; type {INSTEAD[name].format(format=name.removeprefix('to_'))}"
    raise AttributeError(what, name=name, obj=self)


def _method(name: str) -> Callable[[Any], str | None]:
    def show(self: Any) -> str | None:
        return None if _load is None else getattr(_load(), name)(self)

    show.__name__ = f"_repr_{name}_"
    return show


def render_table(table: Any, format: str) -> str:
    """Return a table in a format of `show`.

    Raises:
        SupremumError: if `show` is missing.
    """
    return _display("tables").render(table, format)


class Drawn:
    """What has a drawing."""

    __slots__ = ()

    def draw(self, nodes: Iterable[Any] = (), *, highlight: Iterable[Any] = ()) -> Any:
        """Return the drawing, which a notebook shows, ``print`` shows as text and ``save`` writes.

        Args:
            nodes: the nodes to draw; by default all, or of rules the dtypes of eight bits and more
                that are not float8.
            highlight: nodes whose paths to their join are highlighted.

        Raises:
            RulesError: if rules without a lattice have a table that is not an order.
            SupremumError: if a library is needed that is not installed.

        >>> import supremum
        >>> supremum.system("jax").draw(highlight=["int32", "float16"])
        <Drawing of JAX: 18 nodes, 24 arrows>
        >>> supremum.custom.Lattice("i8 -> i16; u8 -> i16").draw()
        <Drawing of Lattice: 3 nodes, 2 arrows>
        """
        nodes, highlight = ((x,) if isinstance(x, str) else tuple(x) for x in (nodes, highlight))
        return _display("drawings").layout(self, nodes, highlight=highlight)

    def _repr_svg_(self) -> str | None:
        """Return the drawing for a notebook, or None if there is none."""
        try:
            drawing: str = self.draw().render("svg")
        except SupremumError:
            return None
        return drawing
