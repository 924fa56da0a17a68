# recursion: deep, too deep, and deeper after asking
import sys


def down(n):
    return n + down(n - 1) if n else 0


def endless(n):
    return endless(n + 1) + 1


def through(n):
    return [through(n - 1) + k for k in range(1)][0] * 1 if n else 1


print(down(900), through(300))
try:
    endless(0)
except RecursionError as error:
    print("caught", str(error)[:32])
sys.setrecursionlimit(20000)
print(down(8000), sys.getrecursionlimit())
try:
    print(down(10) + [][0])
except IndexError as error:
    print(error)
