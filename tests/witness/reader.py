# SPDX-License-Identifier: GPL-2.0-or-later
"""A second reader, made from docs/format.md alone: it takes even the record types from the tables there.

reader.py FORMAT.MD TRACE prints the trace's text form; any damage is an error.
"""
import re
import struct
import sys
import zlib


def record_types(doc):
    types, fields = {}, None
    for line in open(doc, encoding="utf-8"):
        heading = re.match(r"#### (\d+) `(\w+)`", line)
        row = re.match(r"\| `(\w+)` \| ([A-Z0-9]+) \|", line)
        if heading:
            fields = []
            types[int(heading[1])] = (heading[2], fields)
        elif row and fields is not None:
            fields.append((row[1], row[2]))
    return types


class Bytes:
    def __init__(self, data):
        self.data, self.pos = data, 0

    def left(self):
        return len(self.data) - self.pos

    def take(self, n):
        if n > self.left():
            raise ValueError("truncated")
        self.pos += n
        return self.data[self.pos - n:self.pos]

    def varint(self):
        value = shift = 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                return value

    def zigzag(self):
        value = self.varint()
        return value >> 1 ^ -(value & 1)


def blocks(data):
    if data.take(8) != b"\x89pat\r\n\x1a\n" or struct.unpack("<H", data.take(2))[0] != 1:
        raise ValueError("not a trace of version 1")
    data.take(6)
    sequence = 0
    while data.left():
        header = data.take(28)
        sync, kind, flags, _, number, size, raw, crc, header_crc = struct.unpack("<4sBBHIIIII", header)
        payload = data.take(size)
        if (sync, kind, number) != (b"\xb1pa\xf5", 1, sequence):
            raise ValueError("not the next block of records")
        if header_crc != zlib.crc32(header[:24]) or crc != zlib.crc32(payload):
            raise ValueError("checksum")
        payload = zlib.decompress(payload) if flags == 1 else payload
        if len(payload) != raw:
            raise ValueError("length")
        yield Bytes(payload)
        sequence += 1


def decode(body, fields, last):
    """The values of a record's fields; last holds what differences are relative to."""
    for name, kind in fields:
        if not body.left():
            return
        if kind == "D64":
            value = last[name] = (last.get(name, 0) + body.zigzag()) % 2**64
        elif kind == "BYTES":
            value = body.take(body.varint())
        elif kind == "ADDRS":
            value = []
            for _ in range(body.varint()):
                last[name] = (last.get(name, 0) + body.zigzag()) % 2**64
                value.append(last[name])
        elif kind == "VALS":
            value = [body.varint() for _ in range(body.varint())]
        else:
            value = body.varint()
        yield name, kind, value


def quoted(text):
    out = ""
    escapes = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}
    for char in text.decode("utf-8", "surrogateescape"):
        plain = char.isprintable() or ord(char) > 0xA0 and not 0xDC80 <= ord(char) <= 0xDCFF
        as_bytes = char.encode("utf-8", "surrogateescape")
        out += escapes.get(char) or (char if plain else "".join("\\x%02x" % b for b in as_bytes))
    return '"%s"' % out


def shown(name, kind, value, strings):
    if kind == "STR":
        return quoted(strings[value]) if value in strings else "#%d" % value
    if kind == "BYTES":
        return "<%s>" % value.hex()
    if kind in ("ADDRS", "VALS"):
        return "[%s]" % ",".join(("0x%x" if kind == "ADDRS" else "%d") % v for v in value)
    return ("0x%x" if name == "start" else "%d") % value


def main(doc, trace):
    types, strings = record_types(doc), {}
    for block in blocks(Bytes(open(trace, "rb").read())):
        last = {}
        while block.left():
            number, body = block.varint(), Bytes(block.take(block.varint()))
            record, fields = types[number]
            values = list(decode(body, fields, last.setdefault(number, {})))
            if record == "string":
                strings[values[0][2]] = values[1][2]
                continue
            print(" ".join([record] + ["%s=%s" % (name, shown(name, kind, value, strings))
                                       for name, kind, value in values if value]))


main(*sys.argv[1:])
