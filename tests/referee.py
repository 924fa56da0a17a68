"""Writes down what Supremum answers, and compares it with what another checkout answers.

It is for changes of the inside that should change no answer: write before, compare after.

    python tests/referee.py write FOLDER
    python tests/referee.py compare FOLDER

FOLDER gets one file for the engine (`engine.jsonl`: questions that are drawn with a seed, tables,
expressions) and one for the audit (`programs.jsonl`: the report of each program of the tests, and
what comes of its suggestions). Programs that need NumPy alone are asked in a minute or two;
``--full`` asks those of other libraries, too. ``compare`` asks the questions that FOLDER has, so
that rules which are gone, or new, change no other question; ``--now FOLDER`` compares with what is
written there instead of asking. Differences are printed grouped by what differs.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

SHOWN = 3  # examples of each group


def write(folder: Path, parts: list[str], full: bool, like: Path | None = None) -> None:
    """Write what is answered to a folder: to the questions of another one, if there is one."""
    folder.mkdir(parents=True, exist_ok=True)
    for part in parts:
        with (folder / f"{part}.jsonl").open("w", encoding="utf-8") as file:
            for question, answer in _answers(part, full, like):
                file.write(f"{json.dumps([question, answer], sort_keys=True)}\n")


def _answers(part: str, full: bool, like: Path | None) -> Iterable[tuple[str, Any]]:
    if part == "programs":
        import referee_programs

        return referee_programs.answers(full)
    import referee_engine as engine

    asked = [*read(like / "engine.jsonl")] if like else dict.fromkeys(engine.questions(1))
    return ((question, engine.answer(eval, question, engine.NAMES)) for question in asked)


def read(path: Path) -> dict[str, Any]:
    """Return the answers of a file, by question."""
    with path.open(encoding="utf-8") as file:
        return dict(map(json.loads, file))


def differences(before: dict[str, Any], after: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what differs, as the name of a group, with the question and both answers as a text."""
    for question, old in before.items():
        new = after.get(question)
        if question not in after:
            yield "not asked", question
        elif old != new:
            is_program = isinstance(old, dict) and "findings" in old
            is_program = is_program and isinstance(new, dict) and "findings" in new
            found = _of_program(old, new) if is_program else [_of_answer(question, old, new)]
            for group, text in found:
                yield group, f"{question}\n{text}"


def _of_answer(question: str, old: Any, new: Any) -> tuple[str, str]:
    path, before, after = parting(old, new)
    outcome = " → ".join(dict.fromkeys(map(_outcome, (old, new))))
    texts = "\n".join(f"    {json.dumps(x)[:300]}" for x in (before, after))
    return f"{question.partition('(')[0]}: {outcome} {path}", texts


def _outcome(answer: Any) -> str:
    return answer.get("error", "answers") if isinstance(answer, dict) else "answers"


def parting(before: Any, after: Any, path: str = "") -> tuple[str, Any, Any]:
    """Return where two answers first differ, and what either has there."""
    if isinstance(before, dict) and isinstance(after, dict) and before.keys() == after.keys():
        key = next(key for key in before if before[key] != after[key])
        return parting(before[key], after[key], f"{path}.{key}")
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        pair = next((a, b) for a, b in zip(before, after, strict=True) if a != b)
        return parting(*pair, f"{path}[]")
    return path, before, after


def _of_program(old: dict[str, Any], new: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield how two reports on a program differ: by finding, then by what comes of it."""
    before, after = (_by_place(x["findings"]) for x in (old, new))
    for place in before.keys() - after.keys():
        yield f"finding gone: {place[1]}", f"    {_shown(before[place])}"
    for place in after.keys() - before.keys():
        yield f"finding new: {place[1]}", f"    {_shown(after[place])}"
    for place in before.keys() & after.keys():
        one, other = before[place], after[place]
        for key in one:
            if one[key] != other.get(key):
                text = f"    {_shown(one)}\n    {_shown(other)}"
                yield f"{key} of {place[1]}", f"{text}\n{_pair(one[key], other.get(key))}"
    if _order(old) != _order(new) and before.keys() == after.keys():
        yield "order of findings", _pair(_order(old), _order(new))
    for key in old.keys() - {"findings"}:
        if old[key] != new.get(key):
            where, one, other = parting(old[key], new.get(key), key)
            yield f"{where} of the program", _pair(one, other)


def _by_place(findings: list[dict[str, Any]]) -> dict[tuple[str, str, int], dict[str, Any]]:
    met: Counter[tuple[str, str]] = Counter()
    found = {}
    for finding in findings:
        key = (finding["at"], finding["kind"])
        found[*key, met[key]] = finding
        met[key] += 1
    return found


def _order(program: dict[str, Any]) -> list[str]:
    return [f"{finding['at']} {finding['kind']}" for finding in program["findings"]]


def _shown(finding: dict[str, Any]) -> str:
    text = f"{finding['at']} {finding['kind']}: {finding['cause']} is {finding['dtype']}"
    return f"{text} -> {finding['suggestion']}" if finding["suggestion"] else text


def _pair(before: Any, after: Any) -> str:
    return "\n".join(f"    {json.dumps(x)[:300]}" for x in (before, after))


def compare(before: Path, after: Path, parts: list[str], shown: int) -> int:
    """Print what differs between two folders, grouped by what differs, and return how much."""
    total = 0
    for part in parts:
        old, new = (read(folder / f"{part}.jsonl") for folder in (before, after))
        if part == "programs":  # of which each may have been asked with fewer libraries
            old = {name: old[name] for name in old.keys() & new.keys()}
            _print_verdicts(old, new)
        groups: dict[str, list[str]] = {}
        for group, text in differences(old, new):
            groups.setdefault(group, []).append(text)
        ordered = sorted(groups.items(), key=lambda found: -len(found[1]))
        count = sum(map(len, groups.values()))
        print(f"{part}: {count:,} differences in {len(old):,} questions")
        print(*(f"{len(texts):>8,}  {group}" for group, texts in ordered), sep="\n")
        for group, texts in ordered:
            print(f"\n== {group}", *texts[:shown], sep="\n")
        total += count
    return total


def _print_verdicts(old: dict[str, Any], new: dict[str, Any]) -> None:
    """Print how many of the programs after public issues are right, and which changed."""
    issues = [name for name in old if "issue" in old[name] and "issue" in new[name]]
    counts = [sum(found[name]["issue"]["right"] for name in issues) for found in (old, new)]
    print(f"public issues: {counts[0]} of {len(issues)} were right, {counts[1]} are")
    for name in issues:
        before, after = old[name]["issue"], new[name]["issue"]
        if before["right"] != after["right"]:
            print(f"    {name}: {json.dumps(after)}")


def main() -> None:
    """Write, or compare."""
    words = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    words.add_argument("action", choices=("write", "compare"))
    words.add_argument("folder", type=Path)
    words.add_argument("--now", type=Path, help="compare with this folder, asking nothing")
    words.add_argument("--full", action="store_true", help="programs of all installed libraries")
    words.add_argument("--only", choices=("engine", "programs"), help="one part")
    words.add_argument("--shown", type=int, default=SHOWN, help="examples of each group")
    given = words.parse_args()
    parts = [given.only] if given.only else ["engine", "programs"]
    if given.action == "write":
        write(given.folder, parts, given.full)
    elif given.now:
        sys.exit(bool(compare(given.folder, given.now, parts, given.shown)))
    else:
        with tempfile.TemporaryDirectory() as now:
            write(Path(now), parts, given.full, given.folder)
            sys.exit(bool(compare(given.folder, Path(now), parts, given.shown)))


if __name__ == "__main__":
    main()
