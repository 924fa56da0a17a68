"""No function of the parts below is complex: McCabe's number is at most 10, ours at most 15.

McCabe's is one, and one more for each branch. Ours also counts `and`, `or`, conditional expressions
and the loops and conditions of comprehensions.
"""

import ast
from pathlib import Path

import pytest

import supremum

SOURCE = Path(supremum.__file__).parent
PARTS = ("core", "arrays", "audit", "conformance", "design", "commands", "export", "show")
BRANCHES = ast.If | ast.For | ast.While | ast.ExceptHandler | ast.match_case
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef


def own_nodes(node):
    """Yield what a function consists of, without the functions in it, which count by themselves."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, FUNCTIONS):
            yield child
            yield from own_nodes(child)


def complexity(function):
    """Return McCabe's number of a function, and ours."""
    branches, more = 1, 0
    for node in own_nodes(function):
        branches += isinstance(node, BRANCHES)
        branches += isinstance(node, ast.Try | ast.For | ast.While) and bool(node.orelse)
        more += isinstance(node, ast.IfExp | ast.comprehension) + len(getattr(node, "ifs", ()))
        more += len(node.values) - 1 if isinstance(node, ast.BoolOp) else 0
    return branches, branches + more


def functions(part):
    for path in sorted((SOURCE / part).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, FUNCTIONS):
                yield f"{path.relative_to(SOURCE)}:{node.name}", complexity(node)


@pytest.mark.parametrize("part", PARTS)
def test_no_function_is_complex(part):
    complex_ = {name for name, (mccabe, ours) in functions(part) if mccabe > 10 or ours > 15}
    assert complex_ == set()


@pytest.mark.parametrize(
    ("code", "numbers"),
    [
        ("pass", (1, 1)),
        ("if a: pass\nelif b: pass\nelse: pass", (3, 3)),
        ("for a in b: pass", (2, 2)),
        ("while a: pass\nelse: pass", (3, 3)),
        ("try: pass\nexcept A: pass\nexcept B: pass", (3, 3)),
        ("match a:\n case 1: pass\n case 2: pass", (3, 3)),
        ("a or b and c", (1, 3)),
        ("a if b else c", (1, 2)),
        ("[a for a in b if c if d]", (1, 4)),
        ("def g(): return 1 if a else 2", (1, 1)),
    ],
)
def test_what_makes_a_function_complex(code, numbers):
    body = code.replace("\n", "\n    ")
    assert complexity(ast.parse(f"def f():\n    {body}").body[0]) == numbers
