# what a main module knows of itself
import __main__
import os
import sys
import types

print([name for name in list(globals()) if name not in ("types", "os", "sys")])
print(__name__, __doc__, __package__, __spec__ and __spec__.name, os.path.basename(str(__cached__)))
print(__file__, sys.argv, sys.path[0], __annotations__, type(__loader__).__name__)
print(isinstance(__builtins__, types.ModuleType), __main__ is sys.modules["__main__"])
x: int = 1 + 1
y: "anything"
print(__annotations__, __main__.x, dir() == sorted(vars()), "x" in dir(__main__))
print([n for n in vars() if n.startswith("@")], sys.getrecursionlimit() >= 1000)
print(sys._getframe().f_code.co_name, sys._getframe().f_lineno, os.path.basename(sys._getframe().f_code.co_filename))
print(eval("x * 2"), eval("__name__"), sys.stdin.closed, sys.flags.optimize)
if __name__ == "__main__":
    print("main")
