"""What this site has of its own: links to pages that are made, and the explorer."""

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

from supremum.core.errors import SupremumError
from supremum.show.explore import site


def on_page_markdown(markdown: str, page: Any, config: Any, **_: Any) -> str:
    """Turn links to the address of the site into links between its files, which are checked."""

    def within(link: re.Match[str]) -> str:
        path = posixpath.relpath(f"{link[1]}.md", posixpath.dirname(page.file.src_uri) or ".")
        return f"]({path}{link[2]})"

    return re.sub(rf"\]\({re.escape(config.site_url)}([^)#]+)\.html([^)]*)\)", within, markdown)


def on_files(files: Any, config: Any) -> Any:
    """Take what the search needs to run from files, instead of asking another server for it."""
    shim = _from_npm(config, "iframe-worker@1.0.4") / "shim" / "index.js"
    if not shim.is_file():
        raise PluginError(f"there is no {shim}; type make docs, which has npm bring it")
    files.append(File.generated(config, "assets/iframe-worker.js", abs_src_path=str(shim)))
    return files


def on_post_build(config: Any) -> None:
    """Write the explorer into the site, as mkdocs asks when the pages are done.

    Without Pyodide the site is not built: a page that cannot answer would look like one that can.
    """
    try:
        pyodide = _from_npm(config, f"pyodide@{site.VERSION}")
        site.save(Path(config.site_dir, "explorer"), pyodide)
    except SupremumError as error:
        raise PluginError(f"the explorer is not built: {error}; or type make docs") from error


def _from_npm(config: Any, package: str) -> Path:
    return Path(config.config_file_path).parent / ".npm" / package
