# importing: a sibling, a package, what fails, and again
import importlib
import sys
import traceback

import package.part
import sibling
from package import *
from sibling import double as twice

print(twice(1 + 1), sibling.Shape(2) * 3, package.part.twice("a"), NAMES)
for name in "broken", "missing" + "_module", "package.missing", "raises":
    try:
        importlib.import_module(name)
    except ImportError as error:
        print(type(error), error.name)
    except SyntaxError as error:
        print(error.msg, error.lineno, error.offset, error.text)
try:
    import broken
except SyntaxError:
    traceback.print_exc()
try:
    import missing
except ImportError:
    traceback.print_exc()
try:
    import raises
except ZeroDivisionError:
    traceback.print_exc()
print("raises" in sys.modules, "broken" in sys.modules)
again = importlib.reload(sibling)
print(again is sibling, sys.modules["sibling"] is sibling)
try:
    sibling.fail(2)
except ZeroDivisionError:
    traceback.print_exc()
import raises
