# annotations that are evaluated, in their order
def log(x):
    print("log", x)
    return x


table = {}


def function(a: log("a") + "!", b: log("b") * 2 = log(1) + 1, *c: log("c"), d: log("d") = log(2) * 2) -> log("e") + "?":
    local: log("never") = 1 + 1
    table[log("key") + "1"]: log("never") = log(3) + 1
    return local


print(function.__annotations__, function(1), table)
name: log("module") + "!" = log(4) * 2
table[log("k")]: log("of a part") = log(5) + 1
table[log("k")]: log("of a part without a value")
print(__annotations__, table)


class Class:
    first: log("class") = log(1) + log(2)
    second: log("class") + "?"


print(Class.__annotations__, (lambda a=log(6) * 2: a)())
