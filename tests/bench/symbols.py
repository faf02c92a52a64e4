#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares our symbolizer with llvm-symbolizer: symbols.py FILE [COUNT [--show N]].

Random addresses of .text are resolved by both, several times in turn; the best CPU times are printed, and
how many answers differ in functions, inline chain, file or line. --show prints N of each kind.
BUILD is the build directory, SYMBOLIZER the other program (default: llvm-symbolizer-14).
"""
import argparse
import os
import random
import resource
import subprocess

ROUNDS = 5


def text_section(path):
    out = subprocess.check_output(["readelf", "-SW", path], text=True)
    for line in out.splitlines():
        if " .text " in line:
            fields = line.split("]")[1].split()
            return int(fields[2], 16), int(fields[4], 16)
    raise SystemExit(f"symbols.py: no .text in '{path}'")


def run(command, addresses):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(command, input=addresses, capture_output=True, text=True, check=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return out, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def frames(record, with_column):
    """(function, file, line) of each frame; of paths only the name, as tools join directories differently."""
    lines, result = record.splitlines(), []
    for function, place in zip(lines[::2], lines[1::2]):
        if with_column:
            place = place.rsplit(":", 1)[0]
        path, line = place.rsplit(":", 1)
        result.append((function, os.path.basename(path), line))
    return result


def kind_of(ours, theirs):
    if len(ours) != len(theirs):
        return "inline chain"
    if [frame[1:] for frame in ours] != [frame[1:] for frame in theirs]:
        return "file or line"
    return "function"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("count", nargs="?", type=int, default=10000)
    parser.add_argument("--show", type=int, default=0)
    options = parser.parse_args()
    start, size = text_section(options.file)
    chosen = random.Random(1)
    numbers = [start + chosen.randrange(size) for _ in range(options.count)]
    addresses = "".join(f"{number:#x}\n" for number in numbers)
    programs = {
        "ours": [os.path.join(os.environ.get("BUILD", "build"), "tests/bench/symbolize"), options.file],
        "theirs": [os.environ.get("SYMBOLIZER", "llvm-symbolizer-14"), "--obj=" + options.file],
    }
    outs, best = {}, {}
    for _ in range(ROUNDS):
        for name, command in programs.items():
            outs[name], seconds = run(command, addresses)
            best[name] = min(seconds, best.get(name, seconds))
    print(f"{options.file}: {best['ours']:.3f} s, {best['theirs']:.3f} s, {best['ours'] / best['theirs']:.2f} of it")
    different = {}
    for number, ours, theirs in zip(numbers, outs["ours"].split("\n\n"), outs["theirs"].split("\n\n")):
        pair = frames(ours, False), frames(theirs, True)
        if pair[0] != pair[1]:
            different.setdefault(kind_of(*pair), []).append((number, *pair))
    for kind, rows in sorted(different.items()):
        print(f"  different {kind}: {len(rows)}")
        for number, ours, theirs in rows[: options.show]:
            print(f"    {number:#x}\n      ours   {ours}\n      theirs {theirs}")


main()
