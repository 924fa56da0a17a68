"""A system as one Rust module, whose functions are constant."""

from __future__ import annotations

from .description import NUMBERS, Description
from .indices import Indices, identifiers, indices, rows
from .words import about, command, filled, licence


def rust(description: Description) -> str:
    """Return the module."""
    found = indices(description)
    parts = [_head(description), _names(found), _data(description, found), _RESULT]
    code = "\n".join([*parts, _JOINS[description.join].strip(), ""])
    if not description.numbers_alone:
        code = code.replace("if N == 0 {", "if N == 0 || are_numbers(operands) {") + _ALONE
    return code


def _variant(node: str) -> str:
    """Return the name of a node as Rust has it: ``Float8E4m3fn``, ``IntWeak``."""
    name = node.replace("*", "_weak").replace("()", "_number")
    return "".join(part.capitalize() for part in name.split("_"))


def _head(description: Description) -> str:
    said = [*about(description), "", "Written by:", "", f"    {command(description, 'rust')}", ""]
    return "\n".join(f"//! {line}".rstrip() for line in [*said, licence()])


def _names(found: Indices) -> str:
    variants = filled([_variant(node) for node in found.nodes])
    every = filled([f"DType::{_variant(node)}" for node in found.nodes])
    quoted = filled([f'"{node}"' for node in found.nodes])
    numbers = "\n".join(
        f"pub const {n.upper()}: Operand = Operand {{ node: {found.numbers[n]}, tier: 2 }};"
        for n in NUMBERS
    )
    return f"""
/// The dtypes; weak ones are those of Python's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum DType {{
{variants}
}}

const COUNT: usize = {len(found.nodes)};

/// Every dtype, in the order of its number.
pub const DTYPES: [DType; COUNT] = [
{every}
];

/// The names of the dtypes.
pub const NAMES: [&str; COUNT] = [
{quoted}
];

/// An operand: a dtype (tier 0), an array without dimensions (1), or one of Python's numbers (2).
#[derive(Clone, Copy, Debug)]
pub struct Operand {{
    node: i8,
    tier: u8,
}}

{numbers}

impl DType {{
    /// The dtype, or an array of it, as an operand.
    pub const fn operand(self) -> Operand {{
        Operand {{ node: self as i8, tier: 0 }}
    }}

    /// An array of the dtype that has no dimensions, as an operand.
    pub const fn without_dimensions(self) -> Operand {{
        Operand {{ node: self as i8, tier: 1 }}
    }}
}}
"""


def _data(description: Description, found: Indices) -> str:
    parts = ["const NO: i8 = -1;\n"]
    if description.arrows:
        arrows = [f"    (DType::{_variant(a)}, DType::{_variant(b)})," for a, b in found.arrows]
        parts.append("/// Each dtype is below the other one.")
        parts.append(f"const LATTICE: [(DType, DType); {len(arrows)}] = [")
        parts += [*arrows, "];\n"]
    else:
        tables = description.tables
        short = {code: f"{code.upper()}_" for code in identifiers(description).values()}
        short |= {"G": "CLONG_", "no": "NO"}
        used = {x for cells in tables.values() for row in rows(description, cells) for x in row}
        consts = "".join(
            f"const {short[code]}: i8 = {i};\n"
            for i, code in enumerate(identifiers(description).values())
            if code in used
        )
        parts.append(consts)
        width = max(map(len, short.values())) + 1
        for name, cells in tables.items():
            parts.append(f"/// {_ABOUT[description.join, name]}")
            parts.append(f"const {name.upper()}: [[i8; COUNT]; COUNT] = [")
            for row in rows(description, cells):
                line = " ".join(f"{short[code]},".ljust(width) for code in row).rstrip()
                parts.append(f"    [{line}],")
            parts.append("];\n")
    for name, what, values in (
        ("ANSWERED", "What is answered for each node.", found.answered),
        ("TAKEN", "What each dtype is taken for as an operand.", found.taken),
        ("SETTLED", "What becomes of each dtype in the end.", found.settled),
    ):
        parts.append(f"/// {what}\nconst {name}: [i8; COUNT] = [\n{filled(map(str, values))}\n];\n")
    return "\n".join(parts)


_ABOUT = {
    ("table", "table"): "The answers, from the left; `NO` is a refusal.",
    ("asked", "table"): "What a dtype, in its row, answers for those that it knows.",
    ("tiers", "table"): "The answers for operands of one tier; `NO` is a refusal.",
    ("tiers", "lower"): "The answers for a dtype, in its row, beside one of a lower tier.",
}

_RESULT = """/// The dtype that two dtypes promote to, which may be weak.
pub const fn promote_types(a: DType, b: DType) -> Option<DType> {
    let node = join(&[a as i8, b as i8], &[0, 0]);
    if node == NO {
        return None;
    }
    Some(DTYPES[ANSWERED[node as usize] as usize])
}

/// The dtype of a result.
pub const fn result_type<const N: usize>(operands: &[Operand; N]) -> Option<DType> {
    if N == 0 {
        return None;
    }
    let mut nodes = [NO; N];
    let mut tiers = [0; N];
    let mut i = 0;
    while i < N {
        let Operand { node, tier } = operands[i];
        nodes[i] = if node == NO || tier == 2 { node } else { TAKEN[node as usize] };
        tiers[i] = tier;
        if nodes[i] == NO {
            return None;
        }
        i += 1;
    }
    let node = join(&nodes, &tiers);
    if node == NO {
        return None;
    }
    let settled = SETTLED[ANSWERED[node as usize] as usize];
    if settled == NO {
        return None;
    }
    Some(DTYPES[settled as usize])
}
"""

_ALONE = """
const fn are_numbers<const N: usize>(operands: &[Operand; N]) -> bool {
    let mut i = 0;
    while i < N {
        if operands[i].tier != 2 {
            return false;
        }
        i += 1;
    }
    true
}
"""

_LATTICE = """
/// Each node with all that are above it, as a mask.
const ABOVE: [u64; COUNT] = closure();

const fn closure() -> [u64; COUNT] {
    let mut above = [0; COUNT];
    let mut i = 0;
    while i < COUNT {
        above[i] = 1 << i;
        i += 1;
    }
    let mut round = 0;
    while round < COUNT {
        let mut arrow = 0;
        while arrow < LATTICE.len() {
            let (low, up) = LATTICE[arrow];
            above[low as usize] |= above[up as usize];
            arrow += 1;
        }
        round += 1;
    }
    above
}

/// The least of the nodes that are at or above all of these.
const fn join<const N: usize>(nodes: &[i8; N], _: &[u8; N]) -> i8 {
    let mut common = !0;
    let mut i = 0;
    while i < N {
        common &= ABOVE[nodes[i] as usize];
        i += 1;
    }
    let mut node = 0;
    while node < COUNT {
        if ABOVE[node] == common {
            return node as i8;
        }
        node += 1;
    }
    NO
}
"""

_TABLE = """
/// What the table gives, pair by pair from the left.
const fn join<const N: usize>(nodes: &[i8; N], _: &[u8; N]) -> i8 {
    let mut answer = nodes[0];
    let mut i = 1;
    while i < N && answer != NO {
        answer = TABLE[answer as usize][nodes[i] as usize];
        i += 1;
    }
    answer
}
"""

_CELL = """
const fn cell(table: &[[i8; COUNT]; COUNT], a: i8, b: i8) -> i8 {
    table[a as usize][b as usize]
}
"""

_ASKED = f"""
/// What the dtype answers that knows the others; it is brought to the front.
const fn join<const N: usize>(nodes: &[i8; N], tiers: &[u8; N]) -> i8 {{
    let mut left = [NO; N];
    let mut n = 0;
    let mut number = 0;
    while number < 2 {{
        let mut i = 0;
        while i < N {{
            if (tiers[i] == 2) == (number == 1) {{
                left[n] = nodes[i];
                n += 1;
            }}
            i += 1;
        }}
        number += 1;
    }}
    let (mut length, mut partner, mut known) = (n, NO, NO);
    while length > 1 {{
        let half = length / 2;
        let mut low = 0;
        while low < half {{
            let high = length - 1 - low;
            partner = left[high];
            known = cell(&TABLE, left[low], partner);
            if known == NO {{
                left[high] = left[low];
                left[low] = partner;
            }} else if known == left[low] {{
                left[high] = NO; // it changes nothing
            }}
            low += 1;
        }}
        length -= half;
    }}
    let first = left[0];
    let mut answer = NO;
    let mut i = 1;
    while i < n {{
        let node = if i == 1 && known != NO {{ partner }} else {{ left[i] }};
        i += 1;
        if node == NO {{
            continue;
        }}
        let mut met = cell(&TABLE, first, node);
        if met != NO && answer != NO && met != answer {{
            let other = cell(&TABLE, answer, met);
            met = if other == NO {{ cell(&TABLE, met, answer) }} else {{ other }};
        }}
        if met == NO {{
            return NO;
        }}
        answer = met;
    }}
    if answer == NO {{
        return first;
    }}
    answer
}}
{_CELL}"""

_TIERS = f"""
/// What the tiers give: each joins by itself, and then beside the lower ones.
const fn join<const N: usize>(nodes: &[i8; N], tiers: &[u8; N]) -> i8 {{
    let mut joined = [NO; 3];
    let mut answer = NO;
    let mut tier = 0;
    while tier < 3 {{
        let mut i = 0;
        while i < N {{
            if tiers[i] as usize == tier {{
                let own = joined[tier];
                joined[tier] = if own == NO {{ nodes[i] }} else {{ cell(&TABLE, own, nodes[i]) }};
                if joined[tier] == NO {{
                    return NO;
                }}
                answer = NO;
                let mut low = 3;
                while low > 0 {{
                    low -= 1;
                    if joined[low] != NO {{
                        let lower = answer;
                        answer = joined[low];
                        if lower != NO {{
                            answer = cell(&LOWER, answer, lower);
                        }}
                        if answer == NO {{
                            return NO;
                        }}
                    }}
                }}
            }}
            i += 1;
        }}
        tier += 1;
    }}
    answer
}}
{_CELL}"""

_JOINS = {"lattice": _LATTICE, "table": _TABLE, "asked": _ASKED, "tiers": _TIERS}
