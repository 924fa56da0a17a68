# a hook for exceptions, which itself fails
import sys


def hook(kind, error, trace):
    print("hook", kind.__name__, error, trace.tb_frame.f_code.co_name, trace.tb_lineno)
    print(sys.last_type is kind, sys.last_value is error)
    [][len("abc") + 1]


sys.excepthook = hook
sys.last_type = None
1 + 1 / 0
