#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Prints a text trace whose samples lie where its arguments say.

trace.py FILE[@RECORDED] STACK... [, FILE[@RECORDED] STACK...]...

A file's executable segments are mapped as the kernel would. A STACK is addresses in the file, the innermost
first, joined by '<'; each is a symbol of it (as nm lists it), symbol+N, or a number in the file's own terms.
The innermost is where the sample is, the others are taken as they stand: return addresses.
"""
import re
import subprocess
import sys

PAGE = 4096


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def segments(path):
    """Offset, address and length of what is executable, in whole pages."""
    for line in run("readelf", "-lW", path).splitlines():
        part = line.split()
        if part[:1] != ["LOAD"] or "E" not in "".join(part[6:-1]):
            continue
        offset, vaddr, size = int(part[1], 16), int(part[2], 16), int(part[4], 16)
        start = vaddr // PAGE * PAGE
        yield offset // PAGE * PAGE, start, (vaddr + size + PAGE - 1) // PAGE * PAGE - start


def symbols(path):
    table = {}
    for options in ([], ["-D"]):
        for line in subprocess.run(["nm", *options, path], capture_output=True, text=True).stdout.splitlines():
            part = line.split()
            if len(part) == 3:
                table.setdefault(part[2].split("@")[0], int(part[0], 16))
    return table


def build_id(path):
    found = re.search(r"Build ID: ([0-9a-f]+)", subprocess.run(
        ["readelf", "-n", path], capture_output=True, text=True).stdout)
    return found[1] if found else ""


def address(text, table):
    name, _, more = text.partition("+")
    base = table[name] if name in table else int(name, 0)
    return base + int(more or "0", 0)


def main(arguments):
    print('session recorder="test" arch="x86_64" word_bits=64 page_bytes=4096 clock="CLOCK_MONOTONIC" '
          'start_ns=1000 start_wall_ns=1700000000000000000 host="host" kernel="6.1.0" cpus=1 target="pid 100" modes=1')
    print('sampling event="cpu-clock" rate_hz=1000 period=1000000')
    print('process time_ns=1000 id=1 pid=100 comm="app" exe="/opt/app"')
    print('thread time_ns=1000 id=1 process=1 tid=100 comm="app"')
    module, node, time = 0, 16, 2000
    groups = [[]]
    for argument in arguments:
        if argument == ",":
            groups.append([])
        else:
            groups[-1].append(argument)
    samples = []
    for file, *stacks in groups:
        path, _, recorded = file.partition("@")
        module += 1
        identity = build_id(path)
        print('module id=%d path="%s"%s' % (module, recorded or path,
                                            " build_id=<%s> build_id_kind=1" % identity if identity else ""))
        fixed = "EXEC" in run("readelf", "-h", path)
        bias = 0 if fixed else 0x7f0000000000 + module * 0x100000000
        for offset, start, length in segments(path):
            print("mapping time_ns=1000 process=1 start=%#x length_bytes=%d offset_bytes=%d module=%d prot=5" %
                  (start + bias, length, offset, module))
        table = symbols(path)
        for stack in stacks:
            frames = [address(part, table) + bias for part in stack.split("<")]
            print("stack id=%d parent=1 frames=[%s]" % (node, ",".join("%#x" % f for f in reversed(frames))))
            node += len(frames)
            samples.append("sample time_ns=%d thread=1 ustack=%d" % (time, node - 1))
            time += 1
    print("\n".join(samples))
    print("end time_ns=1000001000")


if __name__ == "__main__":
    main(sys.argv[1:])
