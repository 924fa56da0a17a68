# exec, eval and compile, with namespaces and without
import traceback


def log(x):
    print("log", x)
    return x


x = 1
exec("x = x + 1; y = x * 2")
print(x, y, eval("x + y"), eval("[x * v for v in range(3)]"), eval(compile("x ** 2", "<e>", "eval")))
space = {"x": 10}
exec("def f(a): return a * x\nz = f(x + 1)", space)
print(space["z"], space["f"](2), sorted(k for k in space if k[0] != "_"))


class Mapping(dict):
    def __missing__(self, key):
        print("missing", key)
        if key == "log":
            raise KeyError(key)
        return 7


print(eval("a + a * b", {}, Mapping()), eval("log(a) + 1", {"log": log}, Mapping()))


def inside(n):
    local = n * 2
    exec("print(local + n)")
    eval("log(local) + 1")
    exec("local = 100")
    print(local, [eval("n + k", {"n": n, "k": k}) for k in range(2)])
    return eval("lambda v: v + 1")(local) + eval("n", globals(), {"n": 3})


print(inside(2))
for code in "1 +", "1 / 0 + 1", "undefined * 2", "def f():\n    return 1 / 0 + 1\nf()":
    try:
        exec(compile(code, "<made>", "exec"))
    except Exception:
        traceback.print_exc()
import ast

tree = ast.parse("total = sum(n * 2 for n in range(4)) + 1")
exec(compile(tree, "<tree>", "exec"))
print(total * 2, ast.unparse(tree), ast.literal_eval("[1, -2 + 3j]"))


class Body:
    exec("made = 1 + 1")
    copy = made * 2


print(Body.copy, __import__("math").floor(2.5) + 1)


class Expression:
    def eval(self, *given):
        return given

    exec = eval


def methods_of_these_names():
    one = Expression()
    return one.eval(1), one.exec("x"), [one.eval(n) for n in range(2)], one.eval(), one.exec(1, 2)


print(methods_of_these_names())
