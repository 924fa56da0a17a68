"""Checksums in unsigned types: adler, fletcher, crc and a byte sum; compare numpy/numpy#6056."""

# innocent

import zlib

import numpy as np


def adler32(data):
    a, b = np.uint32(1), np.uint32(0)
    for byte in data:
        a = (a + np.uint32(byte)) % np.uint32(65_521)
        b = (b + a) % np.uint32(65_521)
    return int((b << np.uint32(16)) | a)


def fletcher16(data):
    total = np.cumsum(data.astype(np.uint64)) % 255
    return int((total.sum() % 255) << 8 | total[-1])


def crc_table():
    table = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        odd = (table & np.uint32(1)).astype(bool)
        table = np.where(odd, (table >> np.uint32(1)) ^ np.uint32(0xEDB88320), table >> np.uint32(1))
    return table


def crc32(data):
    table, crc = crc_table(), np.uint32(0xFFFFFFFF)
    for byte in data:
        crc = table[(crc ^ np.uint32(byte)) & np.uint32(0xFF)] ^ (crc >> np.uint32(8))
    return int(crc ^ np.uint32(0xFFFFFFFF))


def byte_sum(data):
    """Return the sum of the bytes, modulo 256, as the header of a tape archive has it."""
    return np.add.reduce(data, dtype=np.uint8)


data = np.frombuffer(bytes(range(100)) * 3, dtype=np.uint8)
print(adler32(data) == zlib.adler32(data.tobytes()), crc32(data) == zlib.crc32(data.tobytes()))
print(fletcher16(data), byte_sum(data))
