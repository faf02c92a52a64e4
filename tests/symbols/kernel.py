#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Prints a text trace with samples in the kernel, at places that are random from boot to boot.

kernel.py [--boot N] [--release TEXT] VMLINUX ADDRESS... [, MODULE.ko[@NAME] ADDRESS...]...

The first file is the kernel, all others are modules of it. An ADDRESS is symbol or symbol+N. What the host
knows of its symbols is written down as a recorder does: the function that an address is in, if any. The
sections of a module lie wherever there was room. ":ADDRESS" stands for one that no symbol is told of.
"""
import random
import subprocess
import sys

from trace import build_id, run


def sections(path):
    """Number -> (name, address) of what is loaded."""
    found = {}
    for line in run("readelf", "-SW", path).splitlines():
        number, _, rest = line.partition("]")
        part = rest.split()
        if number.strip("[ ").isdigit() and len(part) > 6 and "A" in part[6]:
            found[int(number.strip("[ "))] = int(part[2], 16)
    return found


def symbols(path):
    """(name, address, size, section) of functions and labels."""
    rows = []
    for line in run("readelf", "-sW", path).splitlines():
        part = line.split()
        if len(part) == 8 and part[3] in ("FUNC", "NOTYPE") and part[6].isdigit():
            rows.append((part[7], int(part[1], 16), int(part[2], 0), int(part[6]), part[3]))
    return rows


def main(arguments):
    options = {"--boot": "0", "--release": "6.1.0-test"}
    while arguments[0] in options:
        options[arguments[0]], arguments = arguments[1], arguments[2:]
    boot = int(options["--boot"])
    chosen = random.Random(boot)
    lines, known, addresses, module, base = [], set(), [], 0, 0
    groups = [[]]
    for argument in arguments:
        if argument == ",":
            groups.append([])
        else:
            groups[-1].append(argument)
    print('session recorder="test" arch="x86_64" word_bits=64 page_bytes=4096 clock="CLOCK_MONOTONIC" '
          'start_ns=1000 start_wall_ns=1700000000000000000 host="host" kernel="%s" cpus=1 target="pid 100" '
          'modes=1' % options["--release"])
    print('sampling event="cpu-clock" rate_hz=1000 period=1000000')
    for file, *wanted in groups:
        path, _, name = file.partition("@")
        base = 0xffffffffc0000000 + 0x1000000 * module if module else 0xffffffff81000000 + boot * 0x200000
        name = name or "[kernel.kallsyms]"
        print('kernel_range start=%#x length_bytes=%d name="%s" build_id=<%s>' %
              (base, 0x1000000, name, build_id(path)))
        linked = "REL (" not in run("readelf", "-h", path)
        bias = {}
        for number in sections(path):
            bias[number] = (boot * 0x200000 if linked else
                            base + number * 0x10000 + chosen.randrange(0x1000) * 16)
        table = symbols(path)
        for text in wanted:
            told = not text.startswith(":")
            symbol, _, more = text.lstrip(":").partition("+")
            row = [r for r in table if r[0] == symbol][0]
            address = row[1] + int(more or "0", 0) + bias[row[3]]
            for function in table:
                start = function[1] + bias[function[3]] if function[3] in bias else 0
                if told and function[4] == "FUNC" and start <= address < start + function[2]:
                    known.add('kernel_symbol start=%#x length_bytes=%d name="%s"%s' % (
                        start, function[2], function[0], ' module="%s"' % name if module else ""))
            addresses.append(address)
        module += 1
    for line in sorted(known):
        print(line)
    print('process time_ns=1000 id=1 pid=100 comm="app" exe="/opt/app"')
    print('thread time_ns=1000 id=1 process=1 tid=100 comm="app"')
    for number, address in enumerate(addresses):
        lines.append("stack id=%d parent=1 frames=[%#x]" % (16 + number, address))
        lines.append("sample time_ns=%d thread=1 kstack=%d" % (2000 + number, 16 + number))
    print("\n".join(lines))
    print("end time_ns=1000001000")


main(sys.argv[1:])
