# the exit code, the text that goes with it, and what runs on the way out
import atexit
import sys
import threading
import time


@atexit.register
def goodbye():
    print("goodbye", flush=True)
    raise ValueError("in a handler " + str(1 + 1))


def later():
    time.sleep(0.05)
    print("a thread outlives the main one", flush=True)


threading.Thread(target=later).start()
try:
    sys.exit(2 + 1 + 256)
finally:
    print("finally", flush=True)
