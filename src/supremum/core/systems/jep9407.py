"""The steps and options of JAX's design document, each as it draws them.

Source: JEP 9407, "Type Promotion within Categories" to "Option 3". None has bool. The step from
integers to floats that is no lattice is `NO_LATTICE`: building it is refused.
"""

from __future__ import annotations

from ..system import PromotionSystem

CATEGORIES = """
    u8 -> u16 -> u32 -> u64
    i8 -> i16 -> i32 -> i64
    f16 -> f32 -> f64
    c64 -> c128
"""
SCALARS = f"""{CATEGORIES}
    i* -> f*, u8, i8
    f* -> c*, f16
    c* -> c64
"""
FLOAT_COMPLEX = f"""{SCALARS}
    f32 -> c64
    f64 -> c128
"""
INTEGERS = f"""{FLOAT_COMPLEX}
    u8 -> i16; u16 -> i32; u32 -> i64
"""
NO_LATTICE = f"""{INTEGERS}
    u8, i8 -> f16
    u16, i16 -> f32
    u32, i32 -> f64
"""
OPTION_1 = f"""{INTEGERS}
    i8 -> f16; i16 -> f32; i32 -> f64
"""
OPTION_2 = f"""{INTEGERS}
    i16 -> f16; i32 -> f32; i64 -> f64
"""
# the document draws no arrow i* -> f* here, since the way over i64 implies it
OPTION_3 = f"""{INTEGERS}
    i64 -> f*
"""
OPTION_3_BFLOAT16 = f"""{OPTION_3}
    f* -> bf16 -> f32
"""

STEPS = {
    "jep9407-categories": CATEGORIES,
    "jep9407-scalars": SCALARS,
    "jep9407-float-complex": FLOAT_COMPLEX,
    "jep9407-integers": INTEGERS,
    "jep9407-option0": INTEGERS,
    "jep9407-option1": OPTION_1,
    "jep9407-option2": OPTION_2,
    "jep9407-option3": OPTION_3,
    "jep9407-option3-bfloat16": OPTION_3_BFLOAT16,
}


NAMES = tuple(STEPS)


def build(name: str) -> PromotionSystem:
    """Return the rules of one step of JAX's design document."""
    return PromotionSystem.from_lattice(STEPS[name], name, source="JEP 9407")
