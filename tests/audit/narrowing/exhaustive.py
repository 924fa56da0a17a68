"""Which origins of a program may be narrow, by trying every set of them.

    python exhaustive.py [PROGRAM...]

An origin is an expression that introduces an array of the wide dtype: none of its operands is one.
`answers.toml` has the origins of each program, with what to type instead. Each set of them is typed
into the program, which is run. A set is right if the program ends well, and if what it prints and
the arrays that it stores are those of the unchanged program, within the tolerance. The best set is
the right one that saves most bytes, over all arrays that its origins make.
"""

import json
import math
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from itertools import chain, combinations
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
NUMBER = re.compile(r"(?<![\w.])-?(?:\d+\.?\d*(?:e[-+]\d+)?|inf|nan)(?!\w)")


class Origin(NamedTuple):
    """An expression that makes an array of the wide dtype.

    Attributes:
        line: the number of its line.
        text: the expression, which the line has once.
        replacement: what to type instead.
        why: why it must stay wide, or `""` if it may be narrow.
    """

    line: int
    text: str
    replacement: str
    why: str = ""


class Answer(NamedTuple):
    """A program, and which of its origins may be narrow.

    Attributes:
        path: the file of the program.
        to: the narrow dtype.
        within: how far numbers may be apart, relative to the larger one.
        may: the origins of the best set.
        must_not: those that no right set has.
        instead: those that may be narrow, but not with those of the best set.
        best_mb: the megabytes that the best set saves, each of a million bytes.
        arguments: those of the program.
        files: the arrays that it stores.
        refused: why nothing can be tried, or `""`.
    """

    path: Path
    to: str
    within: float
    may: tuple[Origin, ...]
    must_not: tuple[Origin, ...]
    best_mb: float
    instead: tuple[Origin, ...] = ()
    arguments: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    refused: str = ""

    @property
    def origins(self) -> tuple[Origin, ...]:
        return self.may + self.must_not + self.instead


class Output(NamedTuple):
    """What a run gives: its exit status, what it prints, and the arrays that it stores."""

    status: int
    text: str
    arrays: tuple[tuple[float, ...], ...]


class Tried(NamedTuple):
    """A set of origins that was tried.

    Attributes:
        origins: the set.
        saved: the bytes that it saves.
        difference: the largest relative difference of a number, infinite if it cannot be right.
    """

    origins: frozenset[Origin]
    saved: int
    difference: float


class Found(NamedTuple):
    """What an exhaustive search found.

    Attributes:
        tried: each set.
        right: those within the tolerance, the best of them first.
        runs: how many runs of the program it took.
        seen: what each origin makes, as `origins.py` counts it.
    """

    tried: tuple[Tried, ...]
    right: tuple[Tried, ...]
    runs: int
    seen: dict[Origin, dict]


def answers(table: Path = HERE / "answers.toml") -> dict[str, Answer]:
    """Return the answers by the names of the programs."""
    rows = tomllib.loads(table.read_text(encoding="utf-8"))
    return {name: _answer(table.parent, name, row) for name, row in rows.items()}


def _answer(folder: Path, name: str, row: dict) -> Answer:
    lists = {
        key: tuple(Origin(**origin) for origin in row.pop(key, ()))
        for key in ("may", "must_not", "instead")
    }
    texts = {key: tuple(row.pop(key, ())) for key in ("arguments", "files")}
    path = folder / ("refused" if "refused" in row else "programs") / f"{name}.py"
    return Answer(path, **row, **lists, **texts)


def typed(source: str, replacements: dict[Origin, str]) -> str:
    """Return a program in which the texts of origins are replaced."""
    lines = source.splitlines(keepends=True)
    for origin, replacement in replacements.items():
        line = lines[origin.line - 1]
        if line.count(origin.text) != 1:
            raise ValueError(
                f"line {origin.line} has {origin.text!r} {line.count(origin.text)} times"
            )
        lines[origin.line - 1] = line.replace(origin.text, replacement)
    return "".join(lines)


def difference(before: Output, after: Output) -> float:
    """Return the largest relative difference of numbers, infinite if anything else differs.

    A number without a point is a count, and must stay.
    """
    if after.status or _fixed(before) != _fixed(after):
        return math.inf
    return max(map(relative, _numbers(before), _numbers(after)), default=0.0)


def _fixed(output: Output) -> tuple:
    """Return what has to stay: words, counts, and the sizes of arrays."""
    words = NUMBER.sub(
        lambda found: found[0] if found[0].lstrip("-").isdigit() else "#", output.text
    )
    return output.status, words, [*map(len, output.arrays)]


def _numbers(output: Output) -> list[float]:
    return [*map(float, NUMBER.findall(output.text)), *chain(*output.arrays)]


def relative(a: float, b: float) -> float:
    """Return how far two numbers are apart, as a part of the larger one."""
    if a == b or (math.isnan(a) and math.isnan(b)):
        return 0.0
    apart = abs(a - b) / max(abs(a), abs(b))
    return apart if math.isfinite(apart) else math.inf


def run(answer: Answer, source: str, environment: dict[str, str] | None = None) -> Output:
    """Run a program in an empty folder."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / answer.path.name
        program.write_text(source, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, program.name, *answer.arguments],
            cwd=folder,
            env={**os.environ, **(environment or {})},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        arrays = tuple(_stored(Path(folder) / name) for name in answer.files)
    return Output(done.returncode, done.stdout, arrays)


def _stored(path: Path) -> tuple[float, ...]:
    import numpy as np  # only programs that store arrays need it here

    return tuple(np.load(path).ravel().tolist()) if path.exists() else ()


def seen(answer: Answer, source: str) -> dict[Origin, dict]:
    """Return what each origin makes: bytes, times, the largest integer and the dtypes."""
    if not answer.origins:
        return {}
    asked = {
        origin: f"__import__('origins').seen({n}, {origin.text})"
        for n, origin in enumerate(answer.origins)
    }
    with tempfile.TemporaryDirectory() as folder:
        counted = Path(folder) / "origins.json"
        ended = run(
            answer, typed(source, asked), {"PYTHONPATH": str(HERE), "ORIGINS": str(counted)}
        )
        if ended.status:
            raise RuntimeError(
                f"{answer.path.name} does not end well where its origins are counted"
            )
        found = json.loads(counted.read_text(encoding="utf-8"))
    return {origin: found[str(n)] for n, origin in enumerate(answer.origins)}


def saved(made: dict, to: str) -> int:
    """Return the bytes that an origin saves over all arrays that it makes."""
    (wide,) = made["dtypes"]
    return made["bytes"] - made["bytes"] * bits(to) // bits(wide)


def bits(dtype: str) -> int:
    """Return the width of a dtype: 16 for `bfloat16`."""
    return int(re.sub(r"\D+", "", dtype, count=1))


def fits(made: dict, to: str) -> bool:
    """Return whether the integers of an origin are in the range of the dtype."""
    return not to.startswith("int") or made["largest"] < 2 ** (bits(to) - 1)


def subsets(origins: tuple[Origin, ...]) -> Iterator[frozenset[Origin]]:
    """Yield the sets of origins that are not empty, the small ones first."""
    for size in range(1, len(origins) + 1):
        yield from map(frozenset, combinations(origins, size))


def search(answer: Answer) -> Found:
    """Try every set of the origins of a program; those whose integers do not fit are not run."""
    source = answer.path.read_text(encoding="utf-8")
    before = run(answer, source)
    made = seen(answer, source)
    tried, runs = [], 2
    for origins in subsets(answer.origins):
        apart = math.inf
        if all(fits(made[origin], answer.to) for origin in origins):
            after = run(answer, typed(source, {origin: origin.replacement for origin in origins}))
            apart, runs = difference(before, after), runs + 1
        bytes_saved = sum(saved(made[origin], answer.to) for origin in origins)
        tried.append(Tried(origins, bytes_saved, apart))
    right = [each for each in tried if each.difference <= answer.within]
    right.sort(key=lambda each: each.saved, reverse=True)
    return Found(tuple(tried), tuple(right), runs, made)


def main(names: list[str]) -> None:
    """Print the best set of each program, and whether it is the one that the table has."""
    for name, answer in answers().items():
        if names and name not in names:
            continue
        found = search(answer)
        best = found.right[0] if found.right else Tried(frozenset(), 0, 0.0)
        verdict = "as" if best.origins == {*answer.may} else "OTHER than"
        print(
            f"{name}: {len(best.origins)} of {len(answer.origins)} origins save"
            f" {best.saved / 1e6:.6g} MB, difference {best.difference:.2g} of {answer.within:g};"
            f" {found.runs} runs; {verdict} the table has it",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
