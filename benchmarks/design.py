"""How long searches for the best lattice take, to the proof, with their limits in seconds."""

import time

import supremum
from supremum import design
from supremum.core.systems import jep9407

NARROW = """float8_e4m3fn float8_e5m2 float8_e4m3 float8_e5m2fnuz float8_e4m3fnuz float8_e3m4
    float6_e2m3fn float4_e2m1fn i4 u4 i2 u2"""
NEVER = ["dropped component", "complex from real", "lost width"]
FREE = "b i* f* c* bf16"
"""What makes of the document's categories, or of its integers, the 18 dtypes that JAX has."""

SPECS = {
    "18 dtypes, the document's arrows": (jep9407.INTEGERS, "b bf16", 5),
    "18 dtypes, the arrows within kinds": (jep9407.CATEGORIES, FREE, 5),
    "30 dtypes, the document's arrows": (jep9407.INTEGERS, f"b bf16 {NARROW}", 60),
    "30 dtypes, the arrows within kinds": (jep9407.CATEGORIES, f"{FREE} {NARROW}", 60),
}
COSTS = {
    "in order": design.USUAL,
    "weighted": {"undefined": 4, "overflow": 3, "precision loss": 2, "wider result": 1},
}


def main() -> None:
    """Print a line for each search."""
    for what, (arrows, dtypes, limit) in SPECS.items():
        for how, costs in COSTS.items():
            asked = design.spec(dtypes, require=arrows, never=NEVER, costs=costs)
            begun = time.perf_counter()
            found = design.search(asked, ties=1, time_limit=4 * limit)
            seconds = time.perf_counter() - begun
            verdict = "proven" if found.proven else "NOT PROVEN"
            late = "ok" if seconds <= limit else "OVER"
            print(f"{what:<36}{how:<10}{seconds:7.1f} s {limit:4} s  {late:<5}{verdict}")
    for dtypes in (["float8_e4m3fn"], ["int4"], ["float8_e4m3fn", "float8_e5m2"]):
        begun = time.perf_counter()
        places = design.insert(dtypes, supremum.system("jax"))
        seconds = time.perf_counter() - begun
        print(f"{' and '.join(dtypes)} in JAX: {places.verdict}: {seconds:.1f} s")


if __name__ == "__main__":
    main()
