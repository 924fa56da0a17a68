# processes: pools that fork and that spawn, and pickles of what the main module defines
import copy
import multiprocessing
import os
import pickle
import sys
import warnings


def square(n):
    return n * n + OFFSET


class Point:
    def __init__(self, x):
        self.x = x * 2

    def __reduce__(self):
        return Point, (self.x // 2,)

    def __eq__(self, other):
        return self.x == other.x

    def shifted(self, by=1 + 1):
        return Point(self.x + by)


def fails(n):
    return 1 / (n - 1) + 1


def leaves(n):
    sys.exit(n + 1)


OFFSET = 3 * 2
# whether a pool forks beside its threads, which Python 3.12 warns of, is a matter of chance
warnings.filterwarnings("ignore", message=".*multi-threaded")
if __name__ == "__main__":
    p = pickle.loads(pickle.dumps(Point(3)))
    print(p == Point(3), copy.deepcopy([p])[0].x + 1, pickle.loads(pickle.dumps(square))(2), square.__module__)
    print(len(pickle.dumps((square, Point, Point(2).shifted), 4)), Point.__module__, pickle.dumps(square, 0))
    for method in "fork", "spawn":
        context = multiprocessing.get_context(method)
        with context.Pool(2) as pool:
            print(method, pool.map(square, range(4)), pool.apply(Point, (2,)).x * 2)
            try:
                pool.apply(fails, (1,))
            except ZeroDivisionError as error:
                print(type(error.__cause__).__name__, str(error.__cause__).count("fails"))
        process = context.Process(target=leaves, args=(4,))
        process.start()
        process.join()
        print(process.exitcode + 0)
    sys.stdout.flush()
    if (child := os.fork()) == 0:
        print("child", square(2), flush=True)
        os._exit(square(1) - 5)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    sys.stdout.flush()
    if (child := os.fork()) == 0:
        raise SystemExit(fails(1))
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
