"""Why a program stopped: the operation that was refused, its operands, and their origins."""
