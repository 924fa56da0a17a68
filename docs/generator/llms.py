"""`llms.txt` at the root of the site: its pages in the form of llmstxt.org, for programs that read.

A title, a sentence, and for each part of the navigation its pages, each with its first sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import yaml

from supremum.version import SITE

from .pages import ROOT

_HEAD: Final = """\
# {site_name}

> {site_description}.

Commands print text, and with `--format json` the same as data. For a review, `supremum audit
--format compact PROGRAM` prints a line of JSON for each finding; how to quote one is in
{site}reference/audit-report.html#quote-a-finding.
"""
_LINK: Final = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_SENTENCE: Final = re.compile(r".*?[.?!](?= |$)")
_NO_PROSE: Final = re.compile(r"\||    |!\[|:::|- |\* |\d+\. |>")
"""What begins a paragraph that is a table, code, a picture, a list or a quotation."""


def text(made: Mapping[str, str]) -> str:
    """Return the file as the navigation and the pages are now.

    Args:
        made: the pages that are made when the site is built.
    """
    settings = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    parts = ["\n".join(lines) for lines in _parts("Start", settings["nav"], made)]
    return "\n\n".join([_HEAD.format(site=SITE, **settings).rstrip(), *parts]) + "\n"


def _parts(title: str, entries: list[Any], made: Mapping[str, str]) -> Iterator[list[str]]:
    """Yield the lines of a part of the navigation, then those of the parts in it."""
    named = [next(iter(e.items())) if isinstance(e, dict) else ("", e) for e in entries]
    pages = [(name, page) for name, page in named if isinstance(page, str)]
    if pages:
        yield [f"## {title}\n", *(_line(name, page, made) for name, page in pages)]
    for name, within in named:
        if not isinstance(within, str):
            yield from _parts(name, within, made)


def _line(name: str, page: str, made: Mapping[str, str]) -> str:
    written = made.get(page) or (ROOT / "docs" / page).read_text(encoding="utf-8")
    address = SITE + Path(page).with_suffix(".html").as_posix()
    title = name or written.partition("\n")[0].lstrip("# ").replace("`", "")
    return f"- [{title}]({address}): {first_sentence(written)}"


def first_sentence(page: str) -> str:
    r"""Return the first sentence of a page, without links and marks.

    >>> first_sentence("# Words\n\n<!-- x -->\nA **dtype** is [this](a.md): an element type.\n")
    'A dtype is this: an element type.'
    """
    without_code = re.sub(r"^```.*?^```$", "", page, flags=re.MULTILINE | re.DOTALL)
    kept = re.sub(r"^[#<].*$", "", without_code, flags=re.MULTILINE).strip("\n")
    paragraphs = re.split(r"\n\s*\n", f"{kept}\n\n.")
    paragraph = next(p for p in paragraphs if p.strip() and not _NO_PROSE.match(p.lstrip("\n")))
    plain = re.sub(r"\*\*|(?<!\w)\*(?=\w)|(?<=\w)\*(?!\w)", "", _LINK.sub(r"\1", paragraph))
    line = " ".join(plain.split())
    found = _SENTENCE.match(line)
    return found[0] if found else f"{line.rstrip(':')}."
