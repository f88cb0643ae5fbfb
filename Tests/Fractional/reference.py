#!/usr/bin/env python3
"""flagd's `fractional`, third generation, written from its description and RFC 8949 alone.

Reads a case a line from standard input, `{"flagKey": …, "targetingKey": …, "args": […]}` with evaluated arguments, and
writes what the operation gives as JSON, a line for each.
"""
import json
import struct
import sys

MASK = 0xFFFFFFFF
LIMIT = 2147483647


def rotl(x, n):
    return ((x << n) | (x >> (32 - n))) & MASK


def murmur3_32(data):
    h = 0
    full = len(data) - len(data) % 4
    for i in range(0, full, 4):
        k = int.from_bytes(data[i:i + 4], "little")
        k = k * 0xCC9E2D51 & MASK
        k = rotl(k, 15)
        k = k * 0x1B873593 & MASK
        h ^= k
        h = rotl(h, 13)
        h = (h * 5 + 0xE6546B64) & MASK
    tail = data[full:]
    if tail:
        k = int.from_bytes(tail, "little")
        k = k * 0xCC9E2D51 & MASK
        k = rotl(k, 15)
        k = k * 0x1B873593 & MASK
        h ^= k
    h ^= len(data)
    h ^= h >> 16
    h = h * 0x85EBCA6B & MASK
    h ^= h >> 13
    h = h * 0xC2B2AE35 & MASK
    h ^= h >> 16
    return h


def head(major, n):
    if n < 24:
        return bytes([major << 5 | n])
    for code, size in ((24, 1), (25, 2), (26, 4), (27, 8)):
        if n < 1 << (8 * size):
            return bytes([major << 5 | code]) + n.to_bytes(size, "big")
    raise ValueError(n)


def float_bytes(x):
    for code, form in ((0xF9, ">e"), (0xFA, ">f"), (0xFB, ">d")):
        try:
            packed = struct.pack(form, x)
        except OverflowError:
            continue
        if struct.unpack(form, packed)[0] == x:
            return bytes([code]) + packed
    raise ValueError(x)


def cbor(value):
    if value is None:
        return b"\xf6"
    if value is True:
        return b"\xf5"
    if value is False:
        return b"\xf4"
    if isinstance(value, (int, float)):
        if isinstance(value, int) or value.is_integer():
            whole = int(value)
            if -(2 ** 63) <= whole <= 2 ** 64 - 1:
                return head(0, whole) if whole >= 0 else head(1, -1 - whole)
        return float_bytes(float(value))
    if isinstance(value, str):
        data = value.encode("utf-8")
        return head(3, len(data)) + data
    if isinstance(value, list):
        return head(4, len(value)) + b"".join(cbor(x) for x in value)
    members = sorted((cbor(k), cbor(v)) for k, v in value.items())
    return head(5, len(members)) + b"".join(k + v for k, v in members)


def is_number(x):
    return isinstance(x, (int, float)) and not isinstance(x, bool)


def fractional(flag_key, targeting_key, args):
    args = list(args)
    if args and args[0] is None:
        return None
    if args and not isinstance(args[0], list):
        key = args.pop(0)
    else:
        if not isinstance(targeting_key, str) or targeting_key == "":
            return None
        key = [flag_key, targeting_key]
    shares = []
    for element in args:
        if not isinstance(element, list) or len(element) not in (1, 2):
            return None
        variant = element[0]
        if isinstance(variant, (list, dict)):
            return None
        weight = element[1] if len(element) == 2 else None
        if weight is None:
            weight = 1
        if not is_number(weight) or weight != int(weight) or weight > LIMIT:
            return None
        shares.append((variant, max(0, int(weight))))
    total = sum(weight for _, weight in shares)
    if total > LIMIT or total == 0:
        return None
    place = murmur3_32(cbor(key)) * total >> 32
    running = 0
    for variant, weight in shares:
        running += weight
        if place < running:
            return variant
    return None


for line in sys.stdin:
    case = json.loads(line)
    print(json.dumps(fractional(case["flagKey"], case.get("targetingKey"), case["args"])))
