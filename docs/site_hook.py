"""What this site has of its own: links to pages that are made, and the explorer."""

import posixpath
import re
from pathlib import Path
from typing import Any

from supremum.show.explore.page import page as explorer


def on_page_markdown(markdown: str, page: Any, config: Any, **_: Any) -> str:
    """Turn links to the address of the site into links between its files, which are checked."""

    def within(link: re.Match[str]) -> str:
        path = posixpath.relpath(f"{link[1]}.md", posixpath.dirname(page.file.src_uri) or ".")
        return f"]({path}{link[2]})"

    return re.sub(rf"\]\({re.escape(config.site_url)}([^)#]+)\.html([^)]*)\)", within, markdown)


def on_post_build(config: Any) -> None:
    """Write the explorer into the site, as mkdocs asks when the pages are done."""
    Path(config.site_dir, "explorer.html").write_text(explorer(), encoding="utf-8")
