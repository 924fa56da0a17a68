"""What to type so that a loop of JAX hands on what it is given."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from typing import Final

from ...core.dtypes import DType
from ..checks import checks
from ..model.locations import span_of
from ..source.sides import Function, assigned, function_at
from ..source.syntax import syntax_of
from ..stops.jax_loops import LOOPS
from ..stops.stops import Value
from .fix_edits import HOLE
from .fix_names import name_of
from .stop_edits import Mend, StopEdits

_KEY: Final = re.compile(r"\[(\d+|'[^']*')\]|\.(\w+)")
_MOST_STEPS: Final = 20  # from a name to what is assigned to it, or into what a function returns


class CarryEdits(StopEdits):
    """Changes of the first value of what a loop hands on."""

    def _carry(self) -> Iterator[Mend | None]:
        got, want, state = self.said.got, self.said.want, self.stop.state
        if got is None or want is None:
            return
        wider = checks.family(got) == checks.family(want) and checks.bits(got) > checks.bits(want)
        if wider and self.recorder is not None:
            made = [
                (origin, effect)
                for origin in self.recorder.origins.values()
                for effect in origin.effects.values()
                if origin.dtype is got and effect.kind == "widening" and effect.result is got
            ]
            if len({origin.location for origin, _ in made}) == 1:
                yield self._at_birth(made[0][0], want, made[0][1])
        first = self._first()
        if first is not None:
            yield self._begun(first, want, got)
        if state is not None:
            yield self._started(self.stop.values[state], got)

    def _started(self, value: Value, want: DType) -> Mend | None:
        """Return a value that a loop of JAX begins with in the dtype that it ends with."""
        if value.span is None:
            return None
        if value.operand.library == "JAX":
            return self._cast(value, want)
        return self._edited(value.span, value.operand.dtype, self._made_of_number(want))

    def _begun(self, node: ast.expr, was: DType, want: DType) -> Mend | None:
        """Return what a loop begins with in another dtype, where it is written."""
        if isinstance(node, ast.Constant):
            return self._edited(span_of(node), was, self._made_of_number(want))
        return self._edited(span_of(node), was, f"{HOLE}.astype({self._spelled(want, 'JAX')})")

    def _made_of_number(self, want: DType) -> str:
        new = self._spelled(want, "JAX")
        module = new.rpartition(".")[0]
        return f"{module}.asarray({HOLE}, {new})" if module else ""

    # where the first value is written

    def _first(self) -> ast.expr | None:
        """Return the expression that a part of the carry begins with, or None if none is known."""
        call, place = self.node, self.place
        if not isinstance(call, ast.Call) or place is None or place.name not in LOOPS:
            return None
        position, keyword = LOOPS[place.name]
        given = {k.arg: k.value for k in call.keywords}
        by_position = call.args[position] if position < len(call.args) else None
        if any(isinstance(a, ast.Starred) for a in call.args):
            return None
        part = self.said.part.removeprefix("component ")
        path: list[int | str] = [
            ast.literal_eval(index) if index else name for index, name in _KEY.findall(part)
        ]
        if place.name == "fori_loop":  # which hands its counter on, too
            path = path[1:]
        start = given.get(keyword, by_position)
        scope = function_at(self.stop.file, self.stop.span)
        return self._written(start, path, scope, _MOST_STEPS) if start is not None else None

    def _written(
        self, node: ast.expr, path: Sequence[int | str], scope: Function | None, steps: int
    ) -> ast.expr | None:
        """Return how a part of an expression is written, following names and functions."""
        if steps == 0:
            return None
        if isinstance(node, ast.Name):
            value = assigned(syntax_of(self.stop.file), scope, node.id)
            if value is None:
                return node if not path else None
            return self._written(value, path, scope, steps - 1)
        if not path:
            return node
        part = self._part(node, path[0])
        if part is not None:
            return self._written(part, path[1:], scope, steps - 1)
        function = self._function(node) if isinstance(node, ast.Call) else None
        returned = _returned(function) if function is not None else None
        return None if returned is None else self._written(returned, path, function, steps - 1)

    def _part(self, node: ast.expr, key: int | str) -> ast.expr | None:
        """Return what is written for a part of a tuple, list, dictionary or tuple with names."""
        if isinstance(node, (ast.Tuple, ast.List)):
            fits = isinstance(key, int) and key < len(node.elts)
            fits = fits and not any(isinstance(e, ast.Starred) for e in node.elts)
            return node.elts[int(key)] if fits else None
        if isinstance(node, ast.Dict):
            keys = [k.value if isinstance(k, ast.Constant) else None for k in node.keys]
            return node.values[keys.index(key)] if key in keys else None
        if not isinstance(node, ast.Call):
            return None
        named = {k.arg: k.value for k in node.keywords}
        if key in named:
            return named[str(key)]
        found = [c for c in ast.walk(syntax_of(self.stop.file).tree) if isinstance(c, ast.ClassDef)]
        fields = [_fields(c) for c in found if c.name == name_of(node)]
        if len(fields) != 1 or (isinstance(key, str) and key not in fields[0]):
            return None
        index = fields[0].index(key) if isinstance(key, str) else key
        return node.args[index] if index < len(node.args) else None

    def _function(self, call: ast.Call) -> ast.FunctionDef | None:
        """Return the one function of the file that has the name of what is called."""
        defined = (
            f for f in ast.walk(syntax_of(self.stop.file).tree) if isinstance(f, ast.FunctionDef)
        )
        found = [f for f in defined if f.name == name_of(call)]
        return found[0] if len(found) == 1 else None


def _returned(function: ast.FunctionDef) -> ast.expr | None:
    """Return the one expression that a function returns, or None."""
    found = [n for n in ast.walk(function) if isinstance(n, ast.Return)]
    return found[0].value if len(found) == 1 else None


def _fields(made: ast.ClassDef) -> list[str]:
    """Return the names of the fields of a tuple with names, or of a dataclass."""
    told = (f.target for f in made.body if isinstance(f, ast.AnnAssign))
    return [name.id for name in told if isinstance(name, ast.Name)]
