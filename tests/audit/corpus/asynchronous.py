# async: await as an operand, async for and with, comprehensions, gather, task groups, cancelling
import asyncio
import contextlib
import traceback


async def value(n, seconds=0.0):
    await asyncio.sleep(seconds)
    print("value", n)
    return n * 2


class Manager:
    async def __aenter__(self):
        print("enter", await value(1) + 1)
        return self

    async def __aexit__(self, *error):
        print("leave", error[0], await value(2) * 2)
        return error[0] is KeyError


async def numbers(n):
    try:
        for i in range(n):
            yield i + await value(i)
    finally:
        print("numbers done")


async def fails(n):
    return [1 / (await value(i) - n) for i in range(n + 1)]


async def in_place():
    table, total = {"a": 1}, 1
    total += await value(3)
    table["a"] += await value(4) + total
    table["b"] = total * await value(table["a"])
    return table, total


async def racing(name, shared):
    for i in range(3):
        seen = shared["n"] + (await value(i)) * 0
        shared["n"] += await value(0) + 1
        print(name, seen, shared["n"])


async def main():
    print(await value(1) + await value(2) * -await value(3))
    print((await value(1), await value(2))[await value(0)] < await value(1) <= await value(9))
    async with Manager() as a, Manager() as b:
        print(a is not b, await in_place())
        raise KeyError(1 + 1)
    print([x * 2 async for x in numbers(3) if x + 1 > 1])
    print({x: await value(x) + x async for x in numbers(2)}, {x + await value(x) for x in (1, 2)})
    generated = (x - await value(x) async for x in numbers(3))
    print([x async for x in generated])
    async for x in numbers(2):
        print("loop", x + 1)
    else:
        print("else")
    print(await asyncio.gather(*(value(i, 0.001 * i) for i in range(3)), return_exceptions=True))
    results = await asyncio.gather(fails(0), fails(2), return_exceptions=True)
    print([type(r).__name__ for r in results])
    try:
        await fails(2)
    except ZeroDivisionError:
        traceback.print_exc()
    shared = {"n": 0}
    await asyncio.gather(racing("a", shared), racing("b", shared))
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(fails(0))
            group.create_task(value(5, 0.5))
    except* ZeroDivisionError as errors:
        print(errors.exceptions)
    task = asyncio.create_task(value(7, 1.0))
    await asyncio.sleep(0)
    task.cancel("because" + "!")
    with contextlib.suppress(asyncio.CancelledError):
        print(await task + 1)
    with contextlib.suppress(TimeoutError):
        print(await asyncio.wait_for(value(8, 1.0), 0.001) + 1)
    one = numbers(5)
    print(await anext(one) + await anext(one))
    await one.aclose()
    print(await asyncio.to_thread(lambda x: x * 2 + 1, await value(4)))
    return await value(1) / 0


asyncio.run(main(), debug=False)
