# the exit code, the text that goes with it, and what runs on the way out
import atexit
import sys
import threading
import time


class Goodbye:
    def __call__(self):
        print("goodbye", flush=True)
        raise ValueError("in a handler " + str(1 + 1))

    def __repr__(self):
        return "a handler"


atexit.register(Goodbye())


def later():
    time.sleep(0.05)
    print("a thread outlives the main one", flush=True)


threading.Thread(target=later).start()
try:
    sys.exit(2 + 1 + 256)
finally:
    print("finally", flush=True)
