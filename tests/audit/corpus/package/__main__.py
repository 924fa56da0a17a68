import sys

from package import NAMES
from . import part

print(__name__, __package__, __spec__.name, __file__, sys.argv[1:], NAMES, part.twice(2))
print(list(globals()), __cached__)
print(part.twice(NAMES), sys.path[0], sys.argv[0])
part.fail(3)
