"""Asking a compiler: many questions are one function, which is compiled as a whole.

To compile takes seconds for any function, so batches make it affordable. One that fails is halved
until what fails is alone. What the rules refuse is asked alone at once, as it is likely to fail.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final, cast

from ..core.functions import FUNCTIONS
from ..core.operands import Operand
from ..core.system import PromotionSystem
from ..core.table import REFUSED
from .calls import ALIKE, LACKS, LackingError
from .library import Library
from .measure import said
from .questions import MADE_INSIDE, Question

LARGEST: Final = 32
"""How many questions a batch has."""


class Batches:
    """Asks in batches, of which each is twice as long as the one before, up to `LARGEST`.

    So the first question of all is asked alone: where that ends the process, it is to blame.

    Args:
        library: the library, whose `compiled` is asked.
        rules: its rules.
        make: returns the live operand for an array.
    """

    def __init__(
        self, library: Library, rules: PromotionSystem, make: Callable[[Operand], Any]
    ) -> None:
        self.library, self.rules, self.make = library, rules, make

    def answers(self, asked: Iterable[Question]) -> Iterator[str]:
        """Yield the answer to each question."""
        left, size = iter(asked), 1
        while block := list(islice(left, size)):
            refused = [said(self.rules, question) == REFUSED for question in block]
            sure = [q for q, is_refused in zip(block, refused, strict=True) if not is_refused]
            together = iter(self._halved(sure))
            for question, is_refused in zip(block, refused, strict=True):
                answer = self._halved([question])[0] if is_refused else next(together)
                yield self._beside_eager(question, answer)
            size = min(2 * size, LARGEST)

    def _beside_eager(self, question: Question, answer: str) -> str:
        """Return an answer, marked if it is not that of the rules, but that of eager code."""
        weak = self.library.weak_results
        if answer.startswith(LACKS) or answer == said(self.rules, question, weak=weak):
            return answer
        try:
            function, live = self._written([question])
            (found,) = function(*live)
            eager = self.library.answer(found)
        except Exception:  # noqa: BLE001  # as below
            eager = REFUSED
        return f"{ALIKE} {answer}" if eager == answer else answer

    def _halved(self, asked: Sequence[Question]) -> list[str]:
        """Return the answers to a batch; where it fails, to the halves of it."""
        if not asked:
            return []
        try:
            function, live = self._written(asked)
            return list(map(self.library.answer, self.library.compiled(function, live)))
        except Exception as error:  # noqa: BLE001  # a refusal is whatever the library raises
            if len(asked) == 1:
                return [self._refusal(error, asked[0])]
        middle = len(asked) // 2
        return [*self._halved(asked[:middle]), *self._halved(asked[middle:])]

    def _refusal(self, error: Exception, question: Question) -> str:
        """Return what an error says of a question: that it is refused, or is not compiled.

        What is left to the interpreter, which refuses it, is refused.
        """
        if isinstance(error, LackingError) and said(self.rules, question) != REFUSED:
            return f"{LACKS} {error.name or question.op}"
        return REFUSED

    def _written(self, asked: Sequence[Question]) -> tuple[Callable[..., Any], list[Any]]:
        """Return a function that answers questions, and what it takes."""
        written = Written(self.library, self.make)
        function = written.function(asked)
        return function, list(map(self.library.concrete, written.arguments.values()))


class Written(ast.NodeTransformer):
    """Writes a function that evaluates many calls of the catalogue, and returns a list.

    Attributes:
        arguments: the arrays that it takes, by what they stand for.

    Args:
        library: the library, which has the functions.
        make: returns the live operand for an array.
    """

    def __init__(self, library: Library, make: Callable[[Operand], Any]) -> None:
        self.arguments: dict[Operand | str, Any] = {}
        self._library, self._make = library, make
        self._names: dict[str, Any] = {"ones": getattr(library.namespaces()[0], "ones", None)}
        self._left: Iterator[Operand] = iter(())

    def function(self, asked: Sequence[Question]) -> Callable[..., Any]:
        """Return the function."""
        parts = [ast.unparse(self._call(question)) for question in asked]
        names = ", ".join(f"a{i}" for i in range(len(self.arguments)))
        made = dict(self._names)
        exec(f"def asked({names}):\n  return [{', '.join(parts)}]", made)  # noqa: S102  # of the catalogue's calls
        return cast("Callable[..., Any]", made["asked"])

    def _call(self, question: Question) -> ast.expr:
        call, called = self._library.find(question.op or "")
        number = re.search(r"(\[\d\])?$", FUNCTIONS[question.op or ""].name)
        text = f"f{call.replace(',...', '')}"
        node = cast("ast.Call", ast.parse(text, mode="eval").body)
        self._left = iter(question.operands)
        node.args = [self.visit(x) for x in node.args]
        node.keywords = [self.visit(x) for x in node.keywords]
        node.func = ast.Name(self._named("f", called))
        if question.dtype:
            d = self._named("d", self._library.own_dtype(question.dtype))
            node.keywords.append(ast.keyword("dtype", ast.Name(d)))
        if number and number[0]:
            return ast.Subscript(node, ast.Constant(int(number[0][1:-1])))
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:  # as ast calls it
        """Return what a letter stands for: a number is written, an array is an argument."""
        if node.id in "ci":
            return self._argument(node.id, self._library.selectors[node.id])
        x = next(self._left)
        if x.is_python:
            return ast.Constant(x.value)
        if x.text.endswith(MADE_INSIDE):
            d = self._named("d", self._library.own_dtype(x.dtype))
            return ast.parse(f"ones(3, dtype={d})", mode="eval").body
        return self._argument(x, self._make(x))

    def _argument(self, key: Operand | str, live: Any) -> ast.Name:
        self.arguments.setdefault(key, live)
        return ast.Name(f"a{list(self.arguments).index(key)}")

    def _named(self, letter: str, value: Any) -> str:
        """Return a global name of a function or a dtype."""
        for name, known in self._names.items():
            if known is value and name[0] == letter:
                return name
        name = f"{letter}{len(self._names)}"
        self._names[name] = value
        return name
