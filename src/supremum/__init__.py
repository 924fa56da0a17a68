"""What dtype results, and why: type promotion for Python's array libraries.

>>> import supremum
>>> supremum.result_type("int32", "float16", 1.0)
supremum.dtype('float16')
"""

import sys as _sys
from importlib import import_module as _import_module
from typing import TYPE_CHECKING, Any

from .core.display import show_with as _show_with
from .core.libraries import find_libraries as _find_libraries
from .version import __version__ as __version__

if TYPE_CHECKING:
    from . import arrays, audit, conformance, custom, design, export, show
    from .arrays import namespace, rules
    from .core.analysis.compare import compare
    from .core.analysis.compare_code import compare_function
    from .core.analysis.differences import diff
    from .core.analysis.laws import laws
    from .core.ask import can_promote, draw, promote_types, result_type, table
    from .core.dtypes import DType, dtype, names
    from .core.errors import (
        DTypeError,
        ExpressionError,
        PromotionError,
        RulesError,
        SupremumError,
    )
    from .core.evaluation.code import eval_dtypes
    from .core.explain import explain
    from .core.explanation import Explanation
    from .core.limits import finfo, iinfo, isdtype
    from .core.systems import options, system, systems

__all__ = [
    "DType",
    "DTypeError",
    "Explanation",
    "ExpressionError",
    "PromotionError",
    "RulesError",
    "SupremumError",
    "arrays",
    "audit",
    "can_promote",
    "compare",
    "compare_function",
    "conformance",
    "custom",
    "design",
    "diff",
    "draw",
    "dtype",
    "eval_dtypes",
    "explain",
    "export",
    "finfo",
    "iinfo",
    "isdtype",
    "laws",
    "names",
    "namespace",
    "options",
    "promote_types",
    "result_type",
    "rules",
    "show",
    "system",
    "systems",
    "table",
]

# The module of each name. It is loaded when the name is first asked for, so that a program pays for
# what it uses.
_HOMES = {
    **{name: name for name in ("arrays", "audit", "conformance", "custom", "design", "export",
                               "show")},
    **dict.fromkeys(("namespace", "rules"), "arrays"),
    "compare_function": "core.analysis.compare_code",
    "eval_dtypes": "core.evaluation.code",
    **dict.fromkeys(("can_promote", "draw", "promote_types", "result_type", "table"), "core.ask"),
    **dict.fromkeys(("finfo", "iinfo", "isdtype"), "core.limits"),
    **dict.fromkeys(("DType", "dtype", "names"), "core.dtypes"),
    **dict.fromkeys(("options", "system", "systems"), "core.systems"),
    **dict.fromkeys((name for name in __all__ if name.endswith("Error")), "core.errors"),
    "compare": "core.analysis.compare", "diff": "core.analysis.differences",
    "laws": "core.analysis.laws", "explain": "core.explain", "Explanation": "core.explanation",
}  # fmt: skip
# What people look for, and what to type.
_INSTEAD = {
    **{name: f"custom.{name}" for name in (
        "AmbiguousJoinError", "Classified", "CycleError", "Fold", "FunctionRule", "Lattice",
        "LatticeError", "NoJoinError", "Operand", "PromotionSystem", "Settled", "Table",
        "criteria", "define", "operand")},
    **dict.fromkeys(("common_type", "find_common_type", "result_dtype"), "result_type"),
    **dict.fromkeys(("join", "lub", "promote", "sup", "supremum"), "promote_types"),
    **dict.fromkeys(("config", "default", "default_system", "set_default", "set_default_system",
                     "set_options", "set_system", "use", "using"),
                    "result_type(..., system='numpy'), or set SUPREMUM_SYSTEM"),
    **dict.fromkeys(("Namespace", "array_namespace", "get_namespace"),
                    "namespace('jax', backend='numpy')"),
    **dict.fromkeys(("Array", "array", "asarray", "ones", "zeros"),
                    "namespace('numpy').asarray([1, 2]), of rules that are named first"),
    **dict.fromkeys(("check", "run"), "audit.run('train.py')"),
    **dict.fromkeys(("cli", "main"), "commands.main(), or supremum as a command"),
    **dict.fromkeys(("eval_shape", "make_jaxpr", "trace"),
                    "eval_dtypes(function, 'float32[3]')"),
    "can_cast": "can_promote('int8', 'int16'), or numpy.can_cast for casts that lose no value",
    **dict.fromkeys(("assert_keeps_dtype", "assert_no_widening", "no_promotion", "no_upcast",
                     "no_upcasts", "no_widening", "strict", "upcast"),
                    "audit(on_finding='raise') in a with statement, which stops at a finding"),
    "forbid": "audit.run('train.py', forbid=['float64'])",
    "ignore": "audit.run('train.py', kinds=['widening']), or # supremum: allow KIND on a line",
    **dict.fromkeys(("System", "get_system"),
                    "system('numpy'), or supremum.custom.PromotionSystem.from_lattice(arrows)"),
    **dict.fromkeys(("from_file", "load", "load_rules", "load_system"),
                    "custom.PromotionSystem.from_file('mine.arrows'); its promote_types joins"),
    **dict.fromkeys(("glb", "inf", "infimum", "meet"),
                    "promote_types for a join; rules have no meet"),
    **dict.fromkeys(("cast", "is_safe"), "can_promote('int8', 'int16')"),
    **dict.fromkeys(("is_exact", "is_lossless", "is_lossy", "lossless", "loses"),
                    "explain('int32', 'float32').losses"),
    **dict.fromkeys(("promote_arrays", "cast_arrays", "align_dtypes"),
                    "result_type(*arrays), and cast each to it"),
    **dict.fromkeys(("reduce", "ufunc"), "explain('np.sum(int8[3])')"),
    "weak_type": "dtype('int*')",
    **dict.fromkeys(("check_laws", "is_associative", "is_commutative", "is_lattice", "prove",
                     "verify"), "laws('numpy')"),
    **dict.fromkeys(("eval", "evaluate"), "explain('int8[3] + 1')"),
    "why": "explain('int8[3] + 1', system='numpy') for an operation; supremum why FILE, as a "
           "command, runs a program, and says why it stops",
    **dict.fromkeys(("result_type_of", "ufunc_type"), "result_type('int8', op='sqrt')"),
    **dict.fromkeys(("is_floating", "is_floating_point", "issubdtype"),
                    "isdtype(x, 'real floating')"),
    **dict.fromkeys(("list_systems", "libraries"), "systems()"),
    **dict.fromkeys(("graph", "plot"), "draw('numpy')"),
    "Error": "SupremumError",
    **dict.fromkeys(("AuditError", "AuditStop"), "audit.AuditStop"),
    **dict.fromkeys(("Rules", "from_arrows", "from_lattice"),
                    "custom.PromotionSystem.from_lattice('i8 -> i16; u8 -> i16', name='mine')"),
    "dtypes": "names()",
    "report": "audit.last_report()",
    "sweep": "audit.sweep('mypackage')",
    **{name: f"system({name!r})" for name in (
        "jax", "jnp", "np", "numpy", "pandas", "pd", "pl", "polars", "tensorflow", "tf", "torch")},
    **dict.fromkeys(("Float", "Int", "Shaped", "Float32"), "dtype('float32')"),
    **dict.fromkeys(("beartype", "check_types", "jaxtyped", "typecheck", "typechecked"),
                    "audit(on_finding='raise') in a with statement, which stops at a finding"),
    **dict.fromkeys(("info", "show_config", "show_versions"),
                    "__version__; supremum systems as a command has the libraries' releases"),
    "help": "__doc__, or help(supremum)",
    "test": "conformance.conform('numpy'), which asks the installed library",
    "assert_dtype": "dtype(x) is supremum.dtype('float32')",
    "conform": "conformance.conform('numpy'), which returns reports; each has its differences",
    "fix": "audit.fix('train.py', diff=True).patch; without diff=True it is typed in",
    "lattice": "system('jax').lattice",
    "min_scalar_type": "result_type(x, 3, system='numpy-legacy'), whose rules look at values",
    "explore": "explain, or supremum explore as a command",
    "watch": "audit() in a with statement",
}  # fmt: skip


def _of_name(name: str) -> str:
    """Return what to type for the name of a dtype, or of a function of the libraries, or ``""``."""
    if _import_module(".core.dtypes", __name__).is_name(name):
        return f"; type supremum.dtype({name!r})"
    is_function = _import_module(".core.functions", __name__).canonical(name)
    return "; type supremum.explain('np.sum(int8[3])') for a function" if is_function else ""


def _is_imported() -> bool:
    """Return whether ``from supremum import name`` asks for a name."""
    from opcode import opmap

    asking = _sys._getframe(2)  # noqa: SLF001  # that of the module's `__getattr__` is between
    return asking.f_code.co_code[asking.f_lasti] == opmap["IMPORT_FROM"]


if not TYPE_CHECKING:  # to whom other names are mistakes

    def __getattr__(name: str) -> Any:
        if name not in _HOMES:
            hint = f"; type supremum.{_INSTEAD[name]}" if name in _INSTEAD else _of_name(name)
            message = f"module {__name__!r} has no attribute {name!r}{hint}"
            if hint and _is_imported():  # which would hide the message of an AttributeError
                raise ImportError(f"cannot import name {name!r} from {__name__!r}{hint}")
            if hint:  # Python would add another one to it
                raise AttributeError(message)
            raise AttributeError(message, name=name, obj=_sys.modules[__name__])
        module = _import_module(f".{_HOMES[name]}", __name__)
        found = globals()[name] = module if name == _HOMES[name] else getattr(module, name)
        return found


def _display() -> Any:
    return _import_module(".show.display", __name__)


def _libraries() -> Any:
    return _import_module(".core.systems", __name__).library_files()


# The two hooks of the core: how values are shown, and where the facts of libraries are found.
_show_with(_display)
_find_libraries(_libraries)


def __dir__() -> list[str]:
    return sorted(__all__)


def load_ipython_extension(shell: Any) -> None:
    """Watch the cells of a notebook, as ``%load_ext supremum`` asks for."""
    from .audit.notebook import load

    load(shell)


def unload_ipython_extension(shell: Any) -> None:
    """Let the cells of a notebook run as before, as ``%unload_ext supremum`` asks for."""
    from .audit.notebook import unload

    unload(shell)
