"""How a change is typed by which a program does not stop, and where."""

from __future__ import annotations

import ast
from typing import Final, NamedTuple

from ...core.dtypes import DType
from ..model.locations import LOCATIONS, Span, span_of
from ..model.provenance import Effect, Origin
from ..record.recorder import Recorder
from ..stops.dtype_errors import is_integer
from ..stops.stops import Stopped, Value
from .cause_spans import cause_span
from .fix_edits import HOLE, Edit, SourceTree, source_tree
from .fix_names import Names, dtype_argument, name_of, takes_dtype
from .fixes import suggest


class Mend(NamedTuple):
    """What to type, and where.

    Attributes:
        file: the path of the file.
        span: what it takes the place of.
        dtype: the dtype that is wrong there.
        text: what to type, or ``""`` if no change is known to be right.
        needs: the import that the file lacks for it, or ``""``.
        is_birth: whether the wrong dtype is born there.
    """

    file: str
    span: Span
    dtype: str
    text: str = ""
    needs: str = ""
    is_birth: bool = False


_METHODS: Final = {
    "float64": "double", "float32": "float", "float16": "half", "bfloat16": "bfloat16",
    "int64": "long", "int32": "int",
}  # fmt: skip
"""The methods of PyTorch's tensors that cast."""

_ATOMS: Final = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Constant)


class StopEdits:
    """Changes of the code that an operation was refused in, or that made its operands.

    Args:
        stop: the operation.
        recorder: what knows where values were born, if anything does.
    """

    def __init__(self, stop: Stopped, recorder: Recorder | None) -> None:
        self.stop = stop
        self.said = stop.refusal
        self.recorder = recorder
        self.source: SourceTree = source_tree(stop.file)
        self.place = LOCATIONS[stop.number] if stop.number is not None else None
        self.node = self.source.find(stop.span)
        self.form = self.place.form if self.place is not None else ""
        self.arrays = [v for v in stop.values if not v.operand.is_python]

    def _nothing(self) -> Mend:
        named = self.said.got or self.said.want
        shown = next((v.operand.dtype for v in self.arrays), None)
        dtype = named or shown
        return Mend(self.stop.file, self.stop.span, dtype.name if dtype else "unknown")

    def _cast(self, value: Value, want: DType) -> Mend | None:
        """Return a cast of an operand where it is used."""
        node = self.source.find(value.span) if value.span is not None else None
        if not isinstance(node, ast.expr):
            return None
        return self._edited(value.span, value.operand.dtype, *self._template(value, want, node))

    def _at_crossing(self, value: Value, want: DType) -> Mend | None:
        """Return a cast of a value of NumPy where it goes over to another library."""
        if value.crossing is None:
            return None
        place = LOCATIONS[value.crossing]
        source = source_tree(place.file)
        node = source.find(place.span)
        if not isinstance(node, ast.Call):
            return None
        names, library = Names(source, node), value.operand.library
        called, new = names.resolve(node.func), names.spell(want, library)
        edit, needs = Edit(node, keyword=f"dtype={new.text}"), new.needs
        given = dtype_argument(node, called, names)
        if given is not None or not takes_dtype(called, name_of(node)):
            template, needs = self._template(value, want, node, source)
            edit = Edit(node, template)
        text = source.edited(node, edit) if edit.template or edit.keyword else ""
        was = value.operand.dtype.name
        return Mend(place.file, place.span, was, text, needs) if text else None

    def _at(self, index: int) -> Value | None:
        """Return the operand that is written at one of the spans of the place."""
        return next((v for v in self.stop.values if v.index == index), None)

    def _at_birth(
        self, origin: Origin | None, want: DType, effect: Effect | None = None
    ) -> Mend | None:
        """Return a change of the line where a dtype is born."""
        if origin is None or origin.operand is not None or origin.several:
            return None
        number = self.stop.number if self.stop.number is not None else origin.location
        made = effect or Effect("stopped", number, (), None, 0)
        fix = suggest(origin, made, want)
        if not fix.text:
            return None
        file = LOCATIONS[origin.location].file
        return Mend(file, cause_span(origin), origin.dtype.name, fix.text, fix.needs, is_birth=True)

    def _edited(self, span: Span | None, was: DType, template: str, needs: str = "") -> Mend | None:
        """Return a change of what is written at a span."""
        node = self.source.find(span) if span is not None else None
        if not isinstance(node, ast.expr) or span is None or not template:
            return None
        if template == f"{HOLE}.0":
            text = f"{self.source.text(span)}.0"
        else:
            if " & " in template and not isinstance(node, _ATOMS):
                template = template.replace(HOLE, f"({HOLE})", 1)
            text = self.source.edited(node, Edit(node, template))
        return Mend(self.stop.file, span, was.name, text, needs) if text else None

    def _template(
        self, value: Value, want: DType, node: ast.expr, source: SourceTree | None = None
    ) -> tuple[str, str]:
        """Return the cast of a value as it is typed in its library, and the import it needs."""
        library = value.operand.library
        if library == "PyTorch" and want.name in _METHODS:
            return f"{HOLE}.{_METHODS[want.name]}()", ""
        new = Names(source or self.source, node).spell(want, library)
        if library == "PyTorch":
            return f"{HOLE}.to({new.text})", new.needs
        if library == "TensorFlow":
            module = new.text.rpartition(".")[0]
            return f"{module}.cast({HOLE}, {new.text})", new.needs
        if library == "NumPy" and value.operand.form == "scalar":
            return f"{'int' if is_integer(want) else 'float'}({HOLE})", ""
        if library in ("NumPy", "JAX", "pandas", "CuPy", "Dask", "xarray"):
            return f"{HOLE}.astype({new.text})", new.needs
        return "", ""

    def _assigned(self, form: str, was: DType) -> Mend | None:
        """Return a statement that gives a variable a new value, instead of one in place."""
        node = self.node
        if not isinstance(node, ast.AugAssign) or isinstance(node.target, ast.Subscript):
            return None
        target = self.source.text(span_of(node.target))
        value = self.source.text(span_of(node.value))
        if not isinstance(node.value, _ATOMS):
            value = f"({value})"
        sign = ast.unparse(ast.BinOp(ast.Name("a"), node.op, ast.Name("b"))).split()[1]
        text = f"{target} = {form.format(target)} {sign} {value}"
        return Mend(self.stop.file, span_of(node), was.name, text)

    def _renamed(self, was: DType, want: DType) -> Mend | None:
        """Return another dtype in the place of one that a call names."""
        call = self.node
        if not isinstance(call, ast.Call):
            return None
        names = Names(self.source, call)
        library = "PyTorch" if "torch" in str(names.resolve(call.func)) else "NumPy"
        named: ast.expr | None = call.func
        if names.dtype_named(call.func) is not was:
            named = dtype_argument(call, names.resolve(call.func), names, was)
        if named is None or names.dtype_named(named) is not was:
            return None
        is_text = isinstance(named, ast.Constant)
        text = f'"{want}"' if is_text else names.spell(want, library).text
        return self._edited(span_of(named), was, text)

    def _names_no_dtype(self) -> bool:
        call = self.node
        named = [k.arg for k in call.keywords] if isinstance(call, ast.Call) else ["dtype"]
        return "dtype" not in named and "requires_grad" in named

    def _given(self, keyword: str) -> Mend | None:
        """Return the call with one more argument."""
        call = self.node
        if not isinstance(call, ast.Call):
            return None
        text = self.source.edited(call, Edit(call, keyword=keyword))
        return Mend(self.stop.file, span_of(call), "int64", text) if text else None

    def _spelled(self, want: DType, library: str) -> str:
        node = self.node if self.node is not None else self.source.tree
        return Names(self.source, node).spell(want, library).text
