# imported by another program, and fails
def compute(n):
    return n / (n - 2)


print("raises", flush=True)
values = [compute(n) for n in range(1 + 3)]
