"""What the documents show of the kinds of finding, from the audit's own table."""

from __future__ import annotations

from supremum.audit.kinds import KINDS, KNOWN

from .blocks import block, markdown


@block("kinds")
def table() -> str:
    """Return a Markdown table of the kinds, each with a link to its page."""
    rows = [("kind", "severity", "means"), ("---",) * 3]
    for name, kind in KINDS.items():
        rows.append((f"[`{name}`](../kinds/{name}.md)", kind.severity, kind.meaning))
    return markdown(rows)


@block("kind")
def summary(name: str) -> str:
    """Return what a kind, or a note, means, and what to do about it."""
    kind = KNOWN[name]
    article = "An" if kind.severity == "error" else "A"
    return (
        f"{article} **{kind.severity}**: {kind.meaning}.\n\n"
        f"What to do: {kind.remedy}.\n"
    )  # fmt: skip
