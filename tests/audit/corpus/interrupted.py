# an interrupt that nobody catches
import os
import signal


def work(n):
    os.kill(os.getpid(), signal.SIGINT)
    while True:
        n = n + 1


print("before", flush=True)
try:
    work(1)
finally:
    print("after", flush=True)
