# what a program may ask of itself: namespaces, frames, sources, signatures, code
import collections
import dis
import inspect
import sys
import traceback
import warnings


def log(x):
    return x


def namespaces(a, b=1 + 1):
    c = log(a) * b + log(b)
    d = [x * c + log(x) for x in range(a)]
    c += log(1) * 2
    {"k": [1]}["k"][0] += log(1)
    print(sorted(locals()), sorted(vars()), dir(), len(locals()))
    print("{a} {c}".format(**locals()), eval("a + c"), sorted(eval("locals()"), key=str)[-2:] if False else "")
    locals()["new"] = 1
    exec("inside = a + 1", globals(), scope := {"a": 5})
    print(scope["inside"], "inside" in locals())
    return locals()["d"]


print(namespaces(2))
print([n for n in dir() if not n.startswith("__")], "a" in vars(), locals() is globals())


class Names:
    size = log(1) + log(2)
    print(sorted(n for n in locals() if n[0] != "_"), [n for n in dir() if n[0] != "_"], "size" in vars())
    locals()["made"] = size * 2


print(Names.made, sorted(n for n in vars(Names) if n[0] != "_"))


def frames():
    here = sys._getframe()
    print(here.f_code.co_name, here.f_lineno, here.f_back.f_code.co_name, log(1) + 1)
    print(
        inspect.currentframe().f_lineno,
        log(2) * sys._getframe().f_lineno,
    )
    stack = inspect.stack()[:2]
    print([(f.function, f.lineno, f.code_context, f.index) for f in stack])
    print([(f.name, f.lineno, f.line) for f in traceback.extract_stack()[-2:]])


frames() or (
    frames()
)


def depth(f=None):
    f, n = sys._getframe(1), 0
    while f.f_code.co_name != "<module>":
        f, n = f.f_back, n + 1
    return n


print((lambda: depth() + 0 * depth())(), [depth() * 1 for _ in range(1)] and "", depth() + 0)


def sourced(x, *, y=2):  # with a comment
    """A docstring."""
    def inner(z=x + 1):
        return z * y

    return [inner(v) + (lambda w: w * 2)(v) for v in range(x)]


print(inspect.getsource(sourced), inspect.signature(sourced), inspect.getdoc(sourced))
print(inspect.getsourcelines(Names)[1], inspect.getsource(Names), inspect.getcomments(sourced))
code = sourced.__code__
print(code.co_name, code.co_argcount, code.co_kwonlyargcount, code.co_firstlineno, code.co_flags & 0x2F)
print(code.co_varnames[:2], code.co_qualname, sourced.__defaults__, sourced.__kwdefaults__, sourced.__closure__)
print(inspect.getclosurevars(sourced).globals, inspect.isfunction(sourced), inspect.getmodule(sourced).__name__)
print(sourced(2), sourced.__module__, sourced.__qualname__, Names.__qualname__)
print(sorted({line for *_, line in code.co_lines() if line})[:2], isinstance(dis.code_info(code), str))


def warned(n):
    warnings.warn(f"from {n + 1}", stacklevel=2)
    warnings.warn("here" * (n + 1))
    return n


for _ in range(2):
    warned(1) + warned(
        2
    )
value = (
    1
    + warned(3)
)
warnings.simplefilter("error")
try:
    warned(4) * 2
except UserWarning:
    traceback.print_exc()
traced = collections.Counter()


def tracer(frame, event, arg):
    if frame.f_code.co_filename == __file__ and frame.f_code.co_name == "followed":
        traced[event, frame.f_lineno - frame.f_code.co_firstlineno] += 1
        return tracer


def shown():
    total = abs(-1) + abs(-2)
    names = sys._getframe().f_locals
    names["total"] = 5
    names.update({"total": names["total"] + abs(-1)})
    return sorted({**names, "names": None}), len(dict(names)), repr(names["total"]), total


print(shown())


def followed(n):
    total = 0
    for i in range(n):
        total += log(i) * 2
        if total > 3:
            total = total - [1, 2][i % 2]
    return (
        total
        + log(n)
    )


def profiled(frame, event, arg):
    if event in ("call", "return") and frame.f_code.co_filename == __file__:
        traced[event, frame.f_code.co_name] += 1


sys.settrace(tracer)
followed(3)
sys.settrace(None)
sys.setprofile(profiled)
followed(2)
sys.setprofile(None)
# Python 3.12 tells of a line again where it is returned to from a call within an expression
if sys.version_info[:2] == (3, 12):
    traced = {key: n for key, n in traced.items() if key[0] != "line"}
print(sorted(traced.items(), key=str))
