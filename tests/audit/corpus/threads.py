# threads: the same expressions at once, in functions, generators, classes and modules
import concurrent.futures
import sys
import threading
import traceback

sys.setswitchinterval(1e-5)


def add(a, b):
    return a + b


def work(n):
    total = 0
    table = {"a": 0}
    for i in range(300):
        total += add(i, n) * add(n, 1) - [i, n][add(i, n) % 2]
        table["a"] += add(i, n) + n
    class Local:
        values = {"v": n}
        values["v"] += add(n, 1) * 2
        total = add(n, 2) + add(n, 3)
    return total, table["a"], Local.values["v"], Local.total


with concurrent.futures.ThreadPoolExecutor(4) as pool:
    found = list(pool.map(work, range(8)))
print(found == [work(n) for n in range(8)], found[0])


def shared_generators():
    gens = [(add(i, k) * add(k, i) + add(i, 1) for i in range(2000)) for k in range(4)]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        return list(pool.map(sum, gens))


print(shared_generators())
gens = [(add(i, k) * add(k, i) + add(i, 1) for i in range(2000)) for k in range(4)]
with concurrent.futures.ThreadPoolExecutor(4) as pool:
    print(list(pool.map(sum, gens)))


def classes(n):
    results = []
    for i in range(100):
        box = {"n": i}
        class Local:
            box["n"] += add(n, i) * 2
            result = add(box["n"], 1) * add(n, 1)
        results.append((box["n"], Local.result))
    return results


with concurrent.futures.ThreadPoolExecutor(4) as pool:
    found = list(pool.map(classes, range(8)))
print(found == [classes(n) for n in range(8)])
local = threading.local()


def fails(n):
    local.n = n * 2
    local.n += 1
    return local.n / (n - n)


def hook(args):
    print("hook", args.exc_type.__name__, args.thread.name)
    traceback.print_exception(args.exc_value)


threading.excepthook = hook
thread = threading.Thread(target=fails, args=(3,), name="fails" + "!")
thread.start()
thread.join()
threading.excepthook = threading.__excepthook__
thread = threading.Thread(target=fails, args=(4,), name="fails again")
thread.start()
thread.join()
lock, count = threading.Lock(), 0


def increment():
    global count
    for _ in range(500):
        with lock:
            count += 1


group = [threading.Thread(target=increment) for _ in range(4)]
[t.start() for t in group]
[t.join() for t in group]
print(count, threading.current_thread() is threading.main_thread(), threading.active_count())
daemon = threading.Thread(target=threading.Event().wait, daemon=True)
daemon.start()
