"""A system as one C++17 header, which computes as the program is compiled."""

from __future__ import annotations

from textwrap import fill, indent

from .description import NUMBERS, Description
from .indices import Indices, identifier, identifiers, indices, rows
from .words import about, command, filled, licence

_KEYWORDS = {"bool": "bool_"}


def cpp(description: Description) -> str:
    """Return the header."""
    found = indices(description)
    parts = [
        _head(description),
        _names(found),
        _join(description, found),
        _result(description, found),
    ]
    return "\n".join([*parts, "}  // namespace promotion", ""])


def _name(node: str) -> str:
    return _KEYWORDS.get(node, identifier(node))


def _head(description: Description) -> str:
    said = [*about(description), "Written by:", f"    {command(description, 'cpp')}", licence()]
    return "\n".join(
        [
            *(f"// {line}" for line in said),
            "#pragma once\n",
            *(f"#include <{name}>" for name in ("array", "cstddef", "cstdint", "optional")),
            "\nnamespace promotion {\n",
        ]
    )


def _names(found: Indices) -> str:
    listed = filled([_name(node) for node in found.nodes])
    quoted = filled([f'"{node}"' for node in found.nodes])
    return f"""// The dtypes; weak ones are those of Python's numbers.
enum class DType : std::uint8_t {{
{listed}
}};

inline constexpr int count = {len(found.nodes)};

inline constexpr std::array<const char*, count> names = {{
{quoted}
}};

constexpr const char* name(DType d) {{ return names[static_cast<std::size_t>(d)]; }}

// An operand: a dtype; an array without dimensions (tier 1); or a number (tier 2).
struct Operand {{
    int node;
    int tier;
    constexpr Operand(DType d) : node(static_cast<int>(d)), tier(0) {{}}
    constexpr Operand(int n, int t) : node(n), tier(t) {{}}
}};

constexpr Operand without_dimensions(DType d) {{ return {{static_cast<int>(d), 1}}; }}

{chr(10).join(f"inline constexpr Operand {n}_number{{{found.numbers[n]}, 2}};" for n in NUMBERS)}
"""


def _join(description: Description, found: Indices) -> str:
    parts = ["namespace detail {\n\ninline constexpr int no = -1;\n"]
    if description.arrows:
        arrows = [f"    {{DType::{_name(a)}, DType::{_name(b)}}}," for a, b in found.arrows]
        parts += [
            "struct Arrow { DType low, up; };\n",
            "// Each dtype is below the other one.",
            f"inline constexpr Arrow lattice[] = {{\n{chr(10).join(arrows)}\n}};\n",
        ]
    else:
        short = identifiers(description)
        places = [f"{code} = {i}" for i, code in enumerate(short.values())]
        parts.append(f"inline constexpr int\n{filled(places)[:-1]};\n")
        for name, cells in description.tables.items():
            parts.append(f"// {_ABOUT[description.join, name]}")
            parts.append(f"inline constexpr std::int8_t {name}[count][count] = {{")
            width = max(map(len, short.values())) + 1
            for own, row in zip(short.values(), rows(description, cells), strict=True):
                line = " ".join(f"{code},".ljust(width) for code in row).rstrip()
                parts.append(f"    /* {own.ljust(width)}*/ {{{line}}},")
            parts.append("};\n")
    code = _JOINS[description.join]
    if description.stands_for:
        stands = ", ".join(map(str, found.answered))
        parts.append("// What is answered for each node: for a tie, the dtype that is taken.")
        parts.append(
            f"inline constexpr std::int8_t answered[count] = {{\n    {fill(stands, 90)}\n}};\n"
        )
        code = code.replace("return node;", "return answered[node];")
    return "\n".join([*parts, code.strip(), "\n}  // namespace detail\n"])


_ABOUT = {
    ("table", "table"): "The answers, from the left; `no` is a refusal.",
    (
        "asked",
        "table",
    ): "What a dtype, in its row, answers for those that it knows; `no` otherwise.",
    ("tiers", "table"): "The answers for operands of one tier; `no` is a refusal.",
    ("tiers", "lower"): "The answers for a dtype, in its row, beside one of a lower tier.",
}

_LATTICE = """
using Mask = std::uint64_t;

constexpr std::array<Mask, count> closure() {
    std::array<Mask, count> above{};
    for (std::size_t i = 0; i < count; ++i) above[i] = Mask{1} << i;
    for (int round = 0; round < count; ++round)
        for (const Arrow& arrow : lattice)
            above[static_cast<std::size_t>(arrow.low)] |= above[static_cast<std::size_t>(arrow.up)];
    return above;
}

inline constexpr std::array<Mask, count> above = closure();

// The least of the nodes that are at or above all of these.
template <std::size_t N>
constexpr int join(const int (&nodes)[N], const int (&)[N]) {
    Mask common = ~Mask{0};
    for (int node : nodes) common &= above[static_cast<std::size_t>(node)];
    for (int node = 0; node < count; ++node)
        if (above[static_cast<std::size_t>(node)] == common) return node;
    return no;
}
"""

_TABLE = """
// What the table gives, pair by pair from the left.
template <std::size_t N>
constexpr int join(const int (&nodes)[N], const int (&)[N]) {
    int answer = nodes[0];
    for (std::size_t i = 1; i < N && answer != no; ++i) answer = table[answer][nodes[i]];
    return answer;
}
"""

_ASKED = """
// What the dtype answers that knows the others; it is brought to the front.
template <std::size_t N>
constexpr int join(const int (&nodes)[N], const int (&tiers)[N]) {
    int left[N] = {}, n = 0;
    for (int number = 0; number < 2; ++number)
        for (std::size_t i = 0; i < N; ++i)
            if ((tiers[i] == 2) == (number == 1)) left[n++] = nodes[i];
    int length = n, partner = no, known = no;
    while (length > 1) {
        const int half = length / 2;
        for (int low = 0; low < half; ++low) {
            const int high = length - 1 - low;
            partner = left[high];
            known = table[left[low]][partner];
            if (known == no) {
                left[high] = left[low];
                left[low] = partner;
            } else if (known == left[low]) {
                left[high] = no;  // it changes nothing
            }
        }
        length -= half;
    }
    const int first = left[0];
    int answer = no;
    for (int i = 1; i < n; ++i) {
        const int node = i == 1 && known != no ? partner : left[i];
        if (node == no) continue;
        int met = table[first][node];
        if (met != no && answer != no && met != answer) {
            const int other = table[answer][met];
            met = other != no ? other : static_cast<int>(table[met][answer]);
        }
        if (met == no) return no;
        answer = met;
    }
    return answer != no ? answer : first;
}
"""

_TIERS = """
// What the tiers give: each joins by itself, and then beside the lower ones.
template <std::size_t N>
constexpr int join(const int (&nodes)[N], const int (&tiers)[N]) {
    int joined[3] = {no, no, no}, answer = no;
    for (int tier = 0; tier < 3; ++tier)
        for (std::size_t i = 0; i < N; ++i) {
            if (tiers[i] != tier) continue;
            const int own = joined[tier];
            joined[tier] = own == no ? nodes[i] : static_cast<int>(table[own][nodes[i]]);
            if (joined[tier] == no) return no;
            answer = no;
            for (int low = 2; low >= 0; --low) {
                if (joined[low] == no) continue;
                answer = answer == no ? joined[low] : static_cast<int>(lower[joined[low]][answer]);
                if (answer == no) return no;
            }
        }
    return answer;
}
"""

_JOINS = {"lattice": _LATTICE, "table": _TABLE, "asked": _ASKED, "tiers": _TIERS}


def _result(description: Description, found: Indices) -> str:
    def array(values: tuple[int, ...]) -> str:
        return indent(fill(", ".join(map(str, values)), 92), "    ")

    alone = ""
    if not description.numbers_alone:
        alone = "\n    bool is_alone = true;\n    for (const Operand& x : operands) "
        alone += "is_alone = is_alone && x.tier == 2;\n    if (is_alone) return std::nullopt;"
    return f"""// What each dtype is taken for as an operand, and what becomes of each in the end.
inline constexpr std::int8_t taken[count] = {{
{array(found.taken)}
}};
inline constexpr std::int8_t settled[count] = {{
{array(found.settled)}
}};

// The dtype that two dtypes promote to, which may be weak; nothing if there is none.
constexpr std::optional<DType> promote_types(DType a, DType b) {{
    const int nodes[] = {{static_cast<int>(a), static_cast<int>(b)}};
    const int tiers[] = {{0, 0}};
    const int node = detail::join(nodes, tiers);
    if (node == detail::no) return std::nullopt;
    return static_cast<DType>(node);
}}

// The dtype of a result: result_type({{DType::int8, float_number}}); nothing if there is none.
template <std::size_t N>
constexpr std::optional<DType> result_type(const Operand (&operands)[N]) {{{alone}
    int nodes[N] = {{}}, tiers[N] = {{}};
    for (std::size_t i = 0; i < N; ++i) {{
        const Operand x = operands[i];
        nodes[i] = x.node == detail::no || x.tier == 2 ? x.node : static_cast<int>(taken[x.node]);
        tiers[i] = x.tier;
        if (nodes[i] == detail::no) return std::nullopt;
    }}
    const int node = detail::join(nodes, tiers);
    if (node == detail::no || settled[node] == detail::no) return std::nullopt;
    return static_cast<DType>(settled[node]);
}}
"""
