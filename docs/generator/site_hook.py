"""What the site has beside its pages: the explorer, which a page shows."""

from pathlib import Path
from typing import Any

from supremum.show.explore.page import page


def on_post_build(config: Any) -> None:
    """Write the explorer into the site, as mkdocs asks when the pages are done."""
    Path(config.site_dir, "explorer.html").write_text(page(), encoding="utf-8")
