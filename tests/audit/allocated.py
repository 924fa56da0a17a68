"""Run a script, and count the bytes of every array that NumPy allocates in it.

NumPy asks an allocator, which can be replaced (NEP 49), for the data of each array, and for nothing
else. This one passes on to the C library's, and adds up what was asked for. It sees all arrays,
those that live for a moment and those inside NumPy's own functions, and knows nothing of dtypes,
lines or results: as a measure it has nothing in common with the audit.

    python allocated.py SCRIPT
"""

import ctypes
import os
import re
import runpy
import sys
from ctypes import CFUNCTYPE, c_char, c_size_t, c_uint8, c_void_p
from pathlib import Path

import numpy as np


class Handler(ctypes.Structure):
    """NumPy's ``PyDataMem_Handler``."""

    _fields_ = (
        ("name", c_char * 127),
        ("version", c_uint8),
        ("context", c_void_p),
        ("malloc", CFUNCTYPE(c_void_p, c_void_p, c_size_t)),
        ("calloc", CFUNCTYPE(c_void_p, c_void_p, c_size_t, c_size_t)),
        ("realloc", CFUNCTYPE(c_void_p, c_void_p, c_void_p, c_size_t)),
        ("free", CFUNCTYPE(None, c_void_p, c_void_p, c_size_t)),
    )


def count(script):
    """Run a script as the main program; return how many bytes its arrays took."""
    c = ctypes.CDLL(None)
    c.malloc.restype = c.calloc.restype = c.realloc.restype = c_void_p
    c.malloc.argtypes, c.free.argtypes = (c_size_t,), (c_void_p,)
    c.calloc.argtypes, c.realloc.argtypes = (c_size_t, c_size_t), (c_void_p, c_size_t)
    total = 0

    def counted(size):
        nonlocal total
        total += size
        return size

    types = dict(Handler._fields_)
    handler = Handler(
        b"counting",
        1,
        None,
        types["malloc"](lambda _, size: c.malloc(counted(size))),
        types["calloc"](lambda _, n, size: c.calloc(n, counted(n * size) // max(n, 1))),
        types["realloc"](lambda _, old, size: c.realloc(old, counted(size))),
        types["free"](lambda _, old, __: c.free(old)),
    )
    set_handler = c_function("PyDataMem_SetHandler")
    new_capsule = ctypes.pythonapi.PyCapsule_New
    new_capsule.restype, new_capsule.argtypes = ctypes.py_object, (c_void_p, c_void_p, c_void_p)
    name = ctypes.create_string_buffer(b"mem_handler")
    before = set_handler(new_capsule(ctypes.addressof(handler), ctypes.addressof(name), None))
    KEPT.extend([handler, name])
    try:
        runpy.run_path(script, run_name="__main__")
    finally:
        set_handler(before)
    return total


KEPT = []  # arrays that outlive the script are freed through its handler


def c_function(name):
    """Return a function of NumPy's C API that takes and returns a Python object."""
    header = Path(np.get_include(), "numpy", "__multiarray_api.h").read_text("utf-8")
    number = int(re.search(rf"#define {name} .*?PyArray_API\[(\d+)\]", header, re.DOTALL)[1])
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = c_void_p, (ctypes.py_object, c_void_p)
    address = pointer(np._core._multiarray_umath._ARRAY_API, None)
    table = ctypes.cast(address, ctypes.POINTER(c_void_p))
    return ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object)(table[number])


if __name__ == "__main__":
    print(count(sys.argv[1]), file=sys.stderr)
    sys.stdout.flush()
    os._exit(0)  # arrays that are freed later would call into an interpreter that is no more
