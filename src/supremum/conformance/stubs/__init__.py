"""How far the types that stubs state agree with what the library that they describe gives."""

from .asking import conform_stubs
from .found import StubsMeasured, read_baseline, write_baseline

__all__ = ["StubsMeasured", "conform_stubs", "read_baseline", "write_baseline"]
