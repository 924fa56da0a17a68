"""How values show themselves: they ask `show`, once somebody wants to see them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from .errors import SupremumError

if TYPE_CHECKING:
    from ..show.draw import Drawing


Of = TypeVar("Of", bound=type)


def displayed(of: Of) -> Of:
    """Let the values of a class show themselves in a notebook, as text without `show`."""
    for name in ("html", "markdown"):
        setattr(of, f"_repr_{name}_", _method(name))
    return of


def _method(name: str) -> Callable[[Any], str | None]:
    def show(self: Any) -> str | None:
        try:
            from ..show import notebook  # as in `Drawn`
        except ImportError:
            return None
        return getattr(notebook, name)(self)  # type: ignore[no-any-return]  # a text

    show.__name__ = f"_repr_{name}_"
    return show


def render_table(table: Any, format: str) -> str:
    """Return a table in a format of `show`.

    Raises:
        SupremumError: if `show` is missing.
    """
    try:
        from ..show import render  # as in `Drawn`
    except ImportError:
        raise SupremumError("tables need supremum.show, which this copy is without") from None
    return render(table, format)


class Drawn:
    """What has a drawing."""

    __slots__ = ()

    def draw(self, nodes: Iterable[Any] = (), *, highlight: Iterable[Any] = ()) -> Drawing:
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
        >>> supremum.Lattice("i8 -> i16; u8 -> i16").draw()
        <Drawing of Lattice: 3 nodes, 2 arrows>
        """
        try:
            from ..show import layout  # the only way out of the core: what is drawn is looked at
        except ImportError:
            raise SupremumError("drawings need supremum.show, which this copy is without") from None
        nodes, highlight = ((x,) if isinstance(x, str) else tuple(x) for x in (nodes, highlight))
        return layout(self, nodes, highlight=highlight)  # type: ignore[arg-type]  # only a lattice and rules are drawn

    def _repr_svg_(self) -> str | None:
        """Return the drawing for a notebook, or None if there is none."""
        try:
            return self.draw().render("svg")
        except SupremumError:
            return None
