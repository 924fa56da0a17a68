"""A system as one TypeScript module without dependencies."""

from __future__ import annotations

import json
from collections.abc import Mapping

from .description import NUMBERS, Description
from .words import about, codes, command, grid, licence


def typescript(description: Description) -> str:
    """Return the module."""
    parts = [_head(description), _names(description), _data(description), _RESULT]
    code = "\n".join([*parts, _JOINS[description.join].strip(), ""])
    if not description.numbers_alone:
        return code.replace("if (words.length === 0)", "if (words.every(isNumber))")
    return code.replace(_IS_NUMBER, "") if description.join in ("lattice", "table") else code


def _head(description: Description) -> str:
    said = [*about(description), "Written by:", f"    {command(description, 'typescript')}"]
    return "\n".join(f"// {line}" for line in [*said, licence()])


def _names(description: Description) -> str:
    dtypes = "\n".join(f'  "{d}",' for d in description.dtypes)
    numbers = ", ".join(f'"{n}()"' for n in NUMBERS)
    ranked = " | `${DType}[]`" if description.join == "tiers" else ""
    weak = "".join(f' | "{name}"' for name in description.taken if name not in description.dtypes)
    return f"""
/** The dtypes; those with a star are weak, as Python's numbers are. */
export const DTYPES = [
{dtypes}
] as const;

export type DType = (typeof DTYPES)[number];

/** An operand: a dtype, or a type of Python's numbers{", or a 0-d array" if ranked else ""}. */
export type Operand = DType | {" | ".join(numbers.split(", "))}{weak}{ranked};

/** Operands that have no common dtype. */
export class PromotionError extends TypeError {{}}
"""


def _data(description: Description) -> str:
    parts = []
    if description.arrows:
        above = {node: " ".join(ups) for node, ups in description.arrows.items()}
        parts.append(_record("Each dtype, with those right above it.", "LATTICE", above))
    else:
        for name, cells in description.tables.items():
            lines = [["", "", *codes(description).values()], *grid(description, cells)]
            widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
            body = "\n".join(
                " ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)).rstrip()
                for line in lines
            )
            what = _ABOUT[description.join, name]
            parts.append(f"/** {what} */\nconst {name.upper()} = cells(`\n{body}\n`);\n")
        parts.append(_CELLS)
    numbers = {f"{number}()": node for number, node in description.numbers.items()}
    taken = {**{d: d for d in description.dtypes}, **description.taken, **numbers}
    parts.append(_record("What each operand is taken for.", "TAKEN", taken))
    settled = {**description.settled}
    parts.append(_record("What becomes of these in the end.", "SETTLED", settled, " | null"))
    ties = _record("What is answered for ties.", "ANSWERED", description.stands_for)
    return "\n".join([*parts, ties])


def _record(what: str, name: str, values: Mapping[str, str | None], more: str = "") -> str:
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}," for key, value in values.items()]
    body = "\n".join(["{", *lines, "}"]) if lines else "{}"
    return f"/** {what} */\nconst {name}: Record<string, string{more}> = {body};\n"


_ABOUT = {
    ("table", "table"): "A row for each dtype, its code first; `-` has no answer.",
    ("asked", "table"): "What a dtype, in its row, answers for those that it knows.",
    ("tiers", "table"): "A row for each dtype, its code first, for operands of one tier.",
    ("tiers", "lower"): "The same for a dtype, in its row, beside one of a lower tier.",
}
_ABOUT = {key: text.replace("`", "") for key, text in _ABOUT.items()}

_CELLS = r"""function cells(text: string): Map<string, string> {
  const [head = [], ...rows] = text.trim().split("\n").map((line) => line.trim().split(/ +/));
  const names = new Map(rows.map(([name = "", code = ""]) => [code, name]));
  const found = new Map<string, string>();
  for (const [name, , ...answers] of rows) {
    answers.forEach((answer, i) => {
      const full = names.get(answer);
      if (full !== undefined) found.set(`${name} ${names.get(head[i] ?? "")}`, full);
    });
  }
  return found;
}
"""

_IS_NUMBER = """
function isNumber(word: string): boolean {
  const isDType = (DTYPES as readonly string[]).includes(word);
  return word.endsWith(")") || (word.endsWith("*") && !isDType);
}
"""

_RESULT = f"""function refuse(words: readonly string[], why: string): never {{
  throw new PromotionError(`cannot promote ${{words.join(" and ") || "nothing"}}: ${{why}}`);
}}

/** Returns the dtype that two dtypes promote to, which may be weak. */
export function promoteTypes(a: DType, b: DType): DType {{
  for (const word of [a, b]) {{
    if (!(DTYPES as readonly string[]).includes(word)) refuse([word], "it is not a dtype");
  }}
  const node = join([a, b], [a, b]);
  return (ANSWERED[node] ?? node) as DType;
}}

/** Returns the dtype of a result. */
export function resultType(...words: readonly Operand[]): DType {{
  if (words.length === 0) refuse(words, "there must be an operand");
  const nodes = words.map((word) => {{
    const node = TAKEN[word] ?? TAKEN[word.replace("[]", "")];
    return node ?? refuse([word], "it is not an operand");
  }});
  const node = join(nodes, words);
  const answered = ANSWERED[node] ?? node;
  const settled = answered in SETTLED ? SETTLED[answered] : answered;
  return (settled ?? refuse(words, `${{answered}} has no answer`)) as DType;
}}
{_IS_NUMBER}"""

_LATTICE = """
function above(node: string): Set<string> {
  const ups = (LATTICE[node] ?? "").split(" ").filter((up) => up !== "");
  return new Set([node, ...ups.flatMap((up) => [...above(up)])]);
}

const ABOVE = new Map(Object.keys(LATTICE).map((node) => [node, above(node)]));

/** Returns the least of the nodes that are at or above all of these. */
function join(nodes: readonly string[], words: readonly string[]): string {
  const sets = nodes.map((node) => ABOVE.get(node) ?? new Set<string>());
  const common = [...(sets[0] ?? [])].filter((node) => sets.every((set) => set.has(node)));
  const least = common.find((node) => common.length === ABOVE.get(node)?.size);
  return least ?? refuse(words, "no dtype is above all of them; cast one of them first");
}
"""

_TABLE = """
/** Returns what the table gives, pair by pair from the left. */
function join(nodes: readonly string[], words: readonly string[]): string {
  return nodes.reduce((a, b) => TABLE.get(`${a} ${b}`) ?? refuse(words, "there is no answer"));
}
"""

_ASKED = """
/** Returns what the dtype answers that knows the others, which is brought to the front. */
function join(nodes: readonly string[], words: readonly string[]): string {
  const ask = (a: string, b: string): string => TABLE.get(`${a} ${b}`) ?? "";
  const isLast = nodes.map((_, i) => isNumber(words[i] ?? ""));
  const left = [...nodes.filter((_, i) => !isLast[i]), ...nodes.filter((_, i) => isLast[i])];
  let [length, partner, known] = [left.length, "", ""];
  while (length > 1) {
    const half = Math.floor(length / 2);
    for (let low = 0; low < half; low++) {
      const high = length - 1 - low;
      const own = left[low] ?? "";
      partner = left[high] ?? "";
      known = ask(own, partner);
      if (known === "") {
        [left[low], left[high]] = [partner, own];
      } else if (known === own) {
        left[high] = ""; // it changes nothing
      }
    }
    length -= half;
  }
  const first = left[0] ?? "";
  const others = known === "" ? left.slice(1) : [partner, ...left.slice(2)];
  let answer = "";
  for (const node of others.filter((other) => other !== "")) {
    let met = ask(first, node);
    if (met !== "" && answer !== "" && met !== answer) met = ask(answer, met) || ask(met, answer);
    answer = met || refuse(words, "they have no common dtype");
  }
  return answer || first;
}
"""

_TIERS = """
/** Returns what the tiers give: each joins by itself, and then beside the lower ones. */
function join(nodes: readonly string[], words: readonly string[]): string {
  const cell = (table: Map<string, string>, a: string, b: string): string =>
    a && b ? (table.get(`${a} ${b}`) ?? refuse(words, "there is no answer")) : a || b;
  const tiers = words.map((word) => (isNumber(word) ? 2 : word.endsWith("[]") ? 1 : 0));
  const joined = ["", "", ""];
  let answer = "";
  for (const tier of [0, 1, 2]) {
    nodes.forEach((node, i) => {
      if (tiers[i] !== tier) return;
      joined[tier] = cell(TABLE, joined[tier] ?? "", node);
      answer = joined.reduceRight((lower, own) => cell(LOWER, own, lower), "");
    });
  }
  return answer;
}
"""

_JOINS = {"lattice": _LATTICE, "table": _TABLE, "asked": _ASKED, "tiers": _TIERS}
