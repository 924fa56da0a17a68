"""A system as one Python module without dependencies."""

from __future__ import annotations

from textwrap import indent, wrap
from typing import Final

from .description import Description
from .python_data import WIDTH, data
from .words import about, command, docstring, licence


def python(description: Description) -> str:
    """Return the module."""
    literals = "\n".join([_head(description), *data(description)])
    join = _JOINS[description.join]
    if description.stands_for:
        join = join.replace("return node\n", "return TIES.get(node) or node\n")
    parts = [literals, _ERROR, _nodes(description), join, _PROMOTE, _result(description)]
    return "\n\n\n".join(part.strip("\n") for part in parts) + "\n"


def _head(description: Description) -> str:
    first, *more = about(description)
    more += [f"Supremum wrote this: `{command(description, 'python')} -o FILE` does so again,"]
    more += ["and with `--check FILE` instead it says whether the rules have changed since."]
    said = "\n".join(wrap(" ".join(more), WIDTH, break_on_hyphens=False))
    return f'''"""{docstring(first)}

{docstring(said)}
{licence()}
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final
'''


_ERROR: Final = '''
class PromotionError(TypeError):
    """Operands that have no common dtype, or are no operands."""

    def __init__(self, why: str, *operands: object) -> None:
        """Name the operands and the reason."""
        names = " and ".join(getattr(x, "__name__", str(x)) for x in operands)
        super().__init__(f"cannot promote {names or 'nothing'}: {why}")
        self.operands = operands
'''

_ABOVE: Final = '''
def _above(node: str) -> frozenset[str]:
    """Return a node with all that are above it."""
    return frozenset({node}).union(*map(_above, LATTICE.get(node, "").split()))


_ABOVE: Final = {node: _above(node) for root in LATTICE for node in _above(root)}
'''

_CELLS: Final = """
_HEAD, *_ROWS = [line.split() for line in TABLE.strip().splitlines()]
_NAMES: Final = {code: name for name, code, *_ in _ROWS}
_CELLS: Final = {
    (name, _NAMES[code]): _NAMES[answer]
    for name, _, *answers in _ROWS
    for code, answer in zip(_HEAD, answers, strict=True)
    if answer != "-"
}
"""

_TIERED: Final = """
_HEAD, *_ROWS = [line.split() for line in TABLE.strip().splitlines()]
_NAMES: Final = {code: name for name, code, *_ in _ROWS}
_CELLS: Final = {
    (name, _NAMES[code]): [_NAMES.get(x or own, "") for x in answer.split("/")]
    for name, own, *answers in _ROWS
    for code, answer in zip(_HEAD, answers, strict=True)
}
"""


def _nodes(description: Description) -> str:
    joins = {"lattice": _ABOVE, "tiers": _TIERED}
    nodes = "_ABOVE" if description.arrows else "_NAMES.values()"
    hidden = any(node.endswith(")") for node in description.nodes)
    known = f'{{n for n in {nodes} if not n.endswith(")")}}' if hidden else f"set({nodes})"
    word = 'word.removesuffix("[]")' if description.join == "tiers" else "word"
    if description.taken and word != "word":
        name = f"\n        name = {word}\n        name = TAKEN.get(name, name)\n"
    elif description.taken:
        name = "\n        name = TAKEN.get(word, word)\n"
    else:
        name = "" if word == "word" else f"\n        name = {word}\n"
    if name:
        name = f"{name}        if name in _NODES:\n            return name"
        strings = f"if isinstance(word, str):{name}"
    else:
        strings = "if isinstance(word, str) and word in _NODES:\n        return word"
    return f'''{joins.get(description.join, _CELLS).strip()}
_NODES: Final = {known}


def _node(word: object) -> str:
    """Return what an operand is taken for."""
    {strings}
    if isinstance(word, type) and word in NUMBERS:
        return NUMBERS[word]
    why = f"it is not an operand; these are: {{', '.join(sorted(_NODES))}}"
    raise PromotionError(why, word)
'''


_OF_LATTICE: Final = '''
def _join(words: tuple[object, ...], nodes: tuple[str, ...]) -> str:
    """Return the least of the nodes that are at or above those of all operands."""
    common = frozenset.intersection(*(_ABOVE[node] for node in nodes))
    for node in common:
        if _ABOVE[node] == common:
            return node
    why = "no dtype is above all of them; cast one of them first"
    raise PromotionError(why, *words)
'''

_FROM_LEFT: Final = '''
def _join(words: tuple[object, ...], nodes: tuple[str, ...]) -> str:
    """Return what the table gives for the nodes, pair by pair from the left."""
    answer = nodes[0]
    for node in nodes[1:]:
        if (answer, node) not in _CELLS:
            why = "there is no answer; cast one of them first"
            raise PromotionError(why, *words)
        answer = _CELLS[answer, node]
    return answer
'''

_ASKED: Final = '''
def _join(words: tuple[object, ...], nodes: tuple[str, ...]) -> str:
    """Return what the dtype answers that knows the others, brought to the front."""
    pairs = [(not isinstance(x, str), n) for x, n in zip(words, nodes, strict=True)]
    left = [node for _, node in sorted(pairs, key=lambda pair: pair[0])]
    length, partner, known, answer = len(left), "", "", ""
    while length > 1:
        half = length // 2
        for low in range(half):
            high = length - 1 - low
            partner = left[high]
            known = _CELLS.get((left[low], partner), "")
            if not known:
                left[low], left[high] = partner, left[low]
            elif known == left[low]:
                left[high] = ""  # it changes nothing
        length -= half
    first, *others = [left[0], partner, *left[2:]] if known else left
    for node in filter(None, others):
        known = _CELLS.get((first, node), "")
        if known and answer and known != answer:
            known = _CELLS.get((answer, known)) or _CELLS.get((known, answer), "")
        if not known:
            why = "they have no common dtype; cast one of them first"
            raise PromotionError(why, *words)
        answer = known
    return answer or first
'''

_TIERS: Final = '''
def _tier(word: object) -> int:
    """Return 0 for an array, 1 for one without dimensions and 2 for a number."""
    if isinstance(word, str) and not word.endswith("*"):
        return int(word.endswith("[]"))
    return 2


def _cell(a: str, b: str, part: int) -> str:
    """Return the answer for two nodes of a tier (0), or one beside a lower (-1)."""
    answer = _CELLS[a, b][part] if a and b else a or b
    if not answer:
        why = "there is no answer; cast one of them first"
        raise PromotionError(why, a, b)
    return answer


def _join(words: tuple[object, ...], nodes: tuple[str, ...]) -> str:
    """Return what the tiers give: each joins by itself, then beside the lower ones."""
    tiers, answer = ["", "", ""], ""
    pairs = [(_tier(word), node) for word, node in zip(words, nodes, strict=True)]
    for tier, node in sorted(pairs, key=lambda pair: pair[0]):
        tiers[tier] = _cell(tiers[tier], node, 0)
        answer = ""
        for joined in filter(None, reversed(tiers)):
            answer = _cell(joined, answer, -1)
    return answer
'''

_JOINS: Final = {
    "lattice": _OF_LATTICE,
    "table": _FROM_LEFT,
    "asked": _ASKED,
    "tiers": _TIERS,
}

_PROMOTE: Final = '''
@lru_cache(maxsize=4096)
def promote_types(*dtypes: str) -> str:
    """Return the dtype that some dtypes promote to, which may be weak."""
    if not dtypes or not _NODES.issuperset(dtypes):
        why = f"dtypes are needed; these are: {', '.join(sorted(_NODES))}"
        raise PromotionError(why, *dtypes)
    return _join(dtypes, dtypes)
'''


_APPLIED: Final = '''
def _applied(op: str, node: str) -> str:
    """Return what a function makes of a dtype."""
    if op not in FUNCTIONS:
        why = f"there is no function {op}; there are: {', '.join(FUNCTIONS)}"
        raise PromotionError(why, node)
    for made, dtypes in FUNCTIONS[op].items():
        if node in dtypes.split():
            if made == "-":
                why = f"{op} does not take it"
                raise PromotionError(why, node)
            return made
    return node


'''


def _result(description: Description) -> str:
    op = "op: str, " if description.functions else ""
    refusals = ["if not words:", '    why = "there must be an operand"']
    if not description.numbers_alone or op:
        if_op = "op and " if description.numbers_alone else ""
        refusals = [
            f"if not words or ({if_op}not any(isinstance(x, str) for x in words)):"
            if op
            else "if not any(isinstance(word, str) for word in words):",
            '    why = "there must be a dtype"',
        ]
    refusals.append("    raise PromotionError(why, *words)")
    node = "_join(words, tuple(map(_node, words)))"
    if description.settled:
        refusals.append(f"node = {node}")
        node = "SETTLED.get(node, node)"
    if None in description.settled.values():
        refusals += [
            f"answer = {node}",
            "if answer is None:",
            '    why = f"{node} has no answer; cast it first"',
            "    raise PromotionError(why, *words)",
        ]
        node = "answer"
    refusals.append(f"return _applied(op, {node}) if op else {node}" if op else f"return {node}")
    ranks = "\n\n    `int8[]` is an array without dimensions.\n    "
    body = [
        *_range_checks(description),
        "words: list[str | type] = [x if type(x) is str else type(x) for x in operands]",
        f"return _result({'op, ' if op else ''}*words)",
    ]
    return f'''{_APPLIED.lstrip() if op else ""}@lru_cache(maxsize=4096)
def _result({op}*words: object) -> str:
{indent(chr(10).join(refusals), "    ")}


def result_type(*operands: str | complex{', op: str = ""' if op else ""}) -> str:
    """Return the dtype of a result; operands are dtypes and Python's numbers.{
        ranks if description.join == "tiers" else ""
    }"""
{indent(chr(10).join(body), "    ")}
'''


def _range_checks(description: Description) -> list[str]:
    """Return the lines that refuse numbers whose value matters."""
    own = (("INTS", "int", ""), ("FLOATS", "float", ""), ("FUNCTION_INTS", "int", "op and "))
    tests = [
        f"{first}type(x) is {kind} and not {name}[0] <= x <= {name}[1]"
        for name, kind, first in own
        if getattr(description, name.lower())
    ]
    lines = []
    for test in tests:
        lines += [
            "for x in operands:",
            f"    if {test}:",
            '        why = "its value matters here; pass a dtype instead"',
            "        raise PromotionError(why, x)",
        ]
    return lines
