"""Write the pages that are made when the site is built, as mkdocs-gen-files asks."""

import sys
from pathlib import Path

import mkdocs_gen_files

sys.path.insert(0, str(Path(__file__).parent))

from generator import made  # the path is needed first

for path, text in made.files().items():
    with mkdocs_gen_files.open(path, "w", encoding="utf-8") as file:
        file.write(text)
    mkdocs_gen_files.set_edit_path(path, None)
