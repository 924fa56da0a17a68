"""``python -m supremum.audit`` is no command: it says which one is meant."""

import sys

sys.exit("supremum: type python -m supremum audit, and the program after it")
