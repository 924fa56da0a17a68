"""A pytest plugin: one of our namespaces is imported where a suite imports array-api-strict.

Suites name the libraries that they know. What they would skip, mark or parametrize for the
standard's own implementation, they then do for the namespace that ``STANDS_IN`` names, such as
``numpy/jax`` for NumPy's rules on JAX. The namespace that arrays give is ours, by its own name, so
that nothing that is tested takes it for array-api-strict. If ``SKIPS_AS`` names another library,
a suite that goes by the name of the module skips for ours what it skips for that one.
"""

import os
import sys
from contextlib import nullcontext
from importlib.metadata import version
from importlib.util import find_spec
from types import ModuleType

import supremum
from supremum.arrays.inspection import Info

STRICT = "array_api_strict"


def set_flags(*, api_version):
    """Give devices as a list, as array-api-strict does before 2025.12: SciPy 1.17.1 adds to it."""
    if api_version < "2025.12":
        Info.devices = lambda self: list(self._engine.backend.devices())


def stand_in(xp):
    """Return a module that has the name of array-api-strict and all that a namespace has."""
    module = ModuleType(os.environ.get("SKIPS_AS", STRICT))
    module.__version__ = version(STRICT)
    module.__spec__ = find_spec(STRICT)
    module.__getattr__ = lambda name: getattr(xp, name)
    module.__dir__ = lambda: dir(xp)
    # what the suites use of array-api-strict beyond the standard
    device = xp.empty(0).device
    xp.Device = lambda _: device
    xp.set_array_api_strict_flags = set_flags
    xp.ArrayAPIStrictFlags = lambda **_: nullcontext()
    return module


if wanted := os.environ.get("STANDS_IN"):
    rules, backend = wanted.split("/")
    if backend == "jax":
        import jax

        jax.config.update("jax_enable_x64", True)
    # SciPy's tests set PyTorch's default so, and take it for granted of all libraries
    options = {"default_dtype": "float64"} if rules == "torch" else {}
    sys.modules[STRICT] = stand_in(supremum.namespace(rules, backend=backend, **options))

if find_spec("hypothesis"):
    import hypothesis as h

    # Values are told as they were drawn: to look for simpler ones takes minutes for each test.
    h.settings.register_profile(
        "quick", phases=[h.Phase.explicit, h.Phase.generate], deadline=None,
        suppress_health_check=list(h.HealthCheck), max_examples=int(os.environ["EXAMPLES"]),
    )  # fmt: skip
    h.settings.load_profile("quick")
