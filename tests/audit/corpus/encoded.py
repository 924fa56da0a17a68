# -*- coding: latin-1 -*-
# a source in another encoding, whose columns are not those of UTF-8
import inspect
import traceback

text = "été" * 2
print(ascii(text))
try:
    nomé = "é" + "ü" * 2 + (1 + len("é"))
except TypeError:
    print(ascii(traceback.format_exc()))
def f(é):
    return é + 1
print(ascii(inspect.getsource(f)))
