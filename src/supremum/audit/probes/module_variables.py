"""The temporary variables of a module, kept in its frame as those of a function are.

What is bound at the top of a module is a global variable: found in a dictionary, and seen by all.
Python's compiler has no other variables there, but for those of comprehensions since 3.12; its
interpreter does not care. So the instructions for names that no program can spell are exchanged for
those of variables of a function, which take as many bytes.
"""

from __future__ import annotations

import dis
import sys
from types import CellType, CodeType
from typing import Final

from ..log.shown_variables import is_ours

_EXTENDED: Final = dis.opmap["EXTENDED_ARG"]
_OF_FUNCTIONS: Final = {
    dis.opmap["STORE_NAME"]: dis.opmap["STORE_FAST"],
    # from Python 3.12 on, LOAD_FAST itself takes it for granted that there is a value
    dis.opmap["LOAD_NAME"]: dis.opmap.get("LOAD_FAST_CHECK", dis.opmap["LOAD_FAST"]),
}
_MOST: Final = 256  # variables, whose numbers take one byte


def in_frame(code: CodeType) -> CodeType:
    """Return the code of a module such that its temporary variables are not global ones."""
    found = [index for index, name in enumerate(code.co_names) if is_ours(name)]
    ours = sorted(found, key=lambda index: int(code.co_names[index][1:]))
    # cells come last among what a frame has room for: so what is there already keeps its number
    first = len({*code.co_varnames, *code.co_cellvars})
    if not ours or first + len(ours) > _MOST:
        return code
    numbers = {index: first + nth for nth, index in enumerate(ours)}
    instructions = bytearray(code.co_code)
    argument = 0
    for at in range(0, len(instructions), 2):
        operation = instructions[at]
        argument = argument << 8 | instructions[at + 1]
        if operation in _OF_FUNCTIONS and argument in numbers:
            instructions[at : at + 2] = _OF_FUNCTIONS[operation], numbers[argument]
            before = at - 2
            while instructions[before] == _EXTENDED:
                instructions[before + 1] = 0
                before -= 2
        if operation != _EXTENDED:
            argument = 0
    cells = code.co_cellvars + tuple(code.co_names[index] for index in ours)
    return code.replace(co_code=bytes(instructions), co_cellvars=cells)


def unseen(code: CodeType) -> tuple[CodeType, tuple[CellType, ...] | None]:
    """Return the code of a module whose variables `frame.f_locals` has not, and a closure for it.

    Before Python 3.13 whoever asks a frame for its variables has them copied to the global ones: a
    traceback does so for a name that is not found. Those of a closure are left out.
    """
    ours = tuple(name for name in code.co_cellvars if is_ours(name))
    if sys.version_info >= (3, 13) or not ours:
        return code, None
    # they come after all cells, as those at the end of the cells do
    others = code.co_cellvars[: -len(ours)]
    return code.replace(co_cellvars=others, co_freevars=ours), tuple(CellType() for _ in ours)
