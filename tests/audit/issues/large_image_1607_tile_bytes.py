"""girder/large_image#1607: the size of a large image is computed in int32, and is negative.

NumPy scalars come from the file's directory. The mend makes Python integers of them.
"""

import numpy as np


class Directory:
    def __init__(self, **tags):
        self.tags = {name: np.int32(value) for name, value in tags.items()}

    def __getitem__(self, name):
        return self.tags[name]


def image_bytes(directory):
    width, height = directory["width"], directory["height"]
    return width * height * directory["samples"]  # <- wraparound
    # fixed: return int(width) * int(height) * int(directory["samples"])


def fits(directory, memory=2**31):
    return bool(0 < image_bytes(directory) < memory)


preview = Directory(width=1200, height=800, samples=3)
slide = Directory(width=98_304, height=65_536, samples=3)
print(fits(preview), int(image_bytes(preview)))
print(fits(slide), int(image_bytes(slide)))
