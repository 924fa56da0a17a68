"""How dpnp is asked: on the CPU, whose driver can be told to leave out floats.

What a device has, SYCL asks its driver once, and dpnp asks SYCL. So a device without float64 or
float16 is a CPU whose driver did not mention it then: all of dpnp, down to its kernels, does what
it does on a device that does not have it.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from ...core.dtypes import DType, by_name
from ...core.functions import FUNCTIONS
from ...core.operands import Operand
from ..library import Library

# OpenCL's numbers: what a driver is asked of a device, its extensions and its floats; and where the
# function that answers is among those to which each object of a driver points.
_EXTENSIONS: Final = 0x1030
_FLOATS: Final = {"fp64": (0x1032, b"cl_khr_fp64"), "fp16": (0x1033, b"cl_khr_fp16")}
_EVERY_DEVICE: Final = ctypes.c_ulong(0xFFFFFFFF)
_ABOUT_DEVICE: Final = 3

_Pointer = ctypes.c_void_p
_AboutDevice = ctypes.CFUNCTYPE(
    ctypes.c_int, _Pointer, ctypes.c_uint, ctypes.c_size_t, _Pointer, _Pointer
)


class Dpnp(Library):
    """dpnp, on a CPU."""

    def version(self) -> str:
        """Return the release that is installed, and let it find the driver that comes with it."""
        driver = Path(sys.prefix, "lib", "libintelocl.so")
        if driver.exists():
            os.environ.setdefault("OCL_ICD_FILENAMES", str(driver))
        return super().version()

    def configure(self, **setting: Any) -> None:
        """Let SYCL know a device with these floats.

        Raises:
            RuntimeError: if SYCL knew the device before.
        """
        import dpnp

        with _without([name for name, has in setting.items() if not has]):
            device = dpnp.dpctl.SyclDevice()
            found = {"fp64": device.has_aspect_fp64, "fp16": device.has_aspect_fp16}
        if found != setting:
            raise RuntimeError(f"the device has {found}")

    def more(self, dtypes: Sequence[DType]) -> list[Operand]:
        """Return arrays of the dtypes that a device lacks, which cannot be made."""
        lacking = [d for d in map(by_name, ("float16", "float64", "complex128")) if d not in dtypes]
        return [Operand(f"{d}[3]", d, False, "array", shape=(3,)) for d in lacking]

    def filled(self, values: Any, d: DType) -> Any:
        """Return an array of some values."""
        import dpnp

        return dpnp.array(values, dtype=d.to("numpy"))

    def call(self, function: str, operands: Sequence[Any]) -> Any:
        """Return the result of a function."""
        if FUNCTIONS[function].category == "store":
            left = operands[0].copy()
            left += operands[1]
            return left
        return super().call(function, operands)


@contextmanager
def _without(names: Sequence[str]) -> Iterator[None]:
    """Let the driver leave out some floats of its device meanwhile."""
    driver = ctypes.CDLL(os.environ["OCL_ICD_FILENAMES"])
    platform, device = _Pointer(), _Pointer()
    driver.clGetPlatformIDs(1, ctypes.byref(platform), None)
    driver.clGetDeviceIDs(platform, _EVERY_DEVICE, 1, ctypes.byref(device), None)
    functions = ctypes.cast(device, ctypes.POINTER(ctypes.POINTER(_Pointer)))[0]
    told = _AboutDevice(functions[_ABOUT_DEVICE])
    lacks = [_FLOATS[name] for name in names]

    def tell(device: int, about: int, size: int, into: int | None, length: int) -> int:
        code: int = told(device, about, size, into, length)
        if into and about == _EXTENSIONS:
            text = ctypes.string_at(into, size)
            for _, extension in lacks:
                text = text.replace(extension, b" " * len(extension))
            ctypes.memmove(into, text, size)
        elif into and about in [floats for floats, _ in lacks]:
            ctypes.memset(into, 0, size)
        return code

    instead = _AboutDevice(tell)
    functions[_ABOUT_DEVICE] = ctypes.cast(instead, _Pointer).value
    yield
    functions[_ABOUT_DEVICE] = ctypes.cast(told, _Pointer).value


LIBRARY = Dpnp(
    "dpnp",
    "dpnp==0.20.0",
    settings=[{"fp64": a, "fp16": b} for a in (True, False) for b in (True, False)],
    scalars=(True, 1, 300, -1, 2**63, 2**70, 1.0, 1e300, 1j),
    roots=("dpnp", "dpnp.linalg", "dpnp.fft"),
    calls={
        "linspace": "(x,y,3)",
        "matmul": "(m,n)",
        "dot": "(m,n)",
        "einsum": "('ij,jk',m,n)",
        "tensordot": "(m,n,axes=1)",
    },
)
