#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares our symbolizer with others, at random addresses of code: compare.py [--show N] COUNT FILE...

Each answer is the chain of (function, file, line), innermost first; names as in the symbol table, files
without directories. Where one of the others disagrees, the disagreement has to be one of the classes below,
which docs/symbols.md explains: for each it says which tool is right, and why. Anything else is a failure.
BUILD is the build directory.
"""
import argparse
import collections
import os
import random
import re
import subprocess
import sys


def text_section(path):
    for line in subprocess.check_output(["readelf", "-SW", path], text=True).splitlines():
        if " .text " in line:
            fields = line.split("]")[1].split()
            return int(fields[2], 16), int(fields[4], 16)
    raise SystemExit("compare.py: no .text in '%s'" % path)


def run(command, text):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def place(text):
    """File name and line of "dir/file.c:12:3 (discriminator 4)"."""
    text = re.sub(r" \(.*\)$", "", text)
    match = re.match(r"^(.*?):(\d+|\?)(?::(\d+))?$", text)
    if not match:
        return "??", 0
    line = int(match[2]) if match[2].isdigit() else 0
    return (os.path.basename(match[1]) or "??", line) if line else ("??", 0)


def pairs(lines):
    return [(name, *place(where)) for name, where in zip(lines[::2], lines[1::2])]


def in_blocks(out):
    return [pairs(block.splitlines()) for block in out.split("\n\n") if block]


def ours(path, addresses):
    program = os.path.join(os.environ.get("BUILD", "build"), "tests/bench/symbolize")
    return in_blocks(run([program, "-C", path], "".join("%#x\n" % a for a in addresses)))


def llvm(path, addresses):
    program = os.environ.get("SYMBOLIZER", "llvm-symbolizer-14")
    return in_blocks(run([program, "--no-demangle", "--functions=linkage", "--inlines", "--obj=" + path],
                         "".join("%#x\n" % a for a in addresses)))


def by_address(command, addresses):
    """Of tools that print each address before its frames."""
    out, answers = run(command, "".join("%#x\n" % a for a in addresses)), []
    for line in out.splitlines():
        if re.match(r"^0x[0-9a-f]+$", line):
            answers.append([])
        else:
            answers[-1].append(line)
    return [pairs(lines) for lines in answers]


def binutils(path, addresses):
    return by_address(["addr2line", "-a", "-f", "-i", "-e", path], addresses)


def elfutils(path, addresses):
    out = run(["eu-addr2line", "-a", "-f", "-i", "-e", path], "".join("%#x\n" % a for a in addresses))
    answers = []
    for line in out.splitlines():
        if re.match(r"^0x[0-9a-f]+$", line):
            answers.append([])
            continue
        answers[-1].append(re.sub(r" inlined at .*", "", line))
    return [pairs(lines) for lines in answers]


TOOLS = {"llvm-symbolizer": llvm, "eu-addr2line": elfutils, "addr2line": binutils}


def build_id_file(path):
    """The separate debug file on this host, or the file itself."""
    found = re.search(r"Build ID: (\w\w)(\w+)", subprocess.run(["readelf", "-n", path], capture_output=True,
                                                              text=True).stdout)
    debug = "/usr/lib/debug/.build-id/%s/%s.debug" % (found[1], found[2]) if found else ""
    return debug if os.path.exists(debug) else path


class Symbols:
    """What the symbol tables say, by binutils: which names are one function, and where functions are."""

    def __init__(self, path):
        self.starts, self.spans = {}, []
        for file in {path, build_id_file(path)}:
            for line in subprocess.run(["readelf", "-sW", file], capture_output=True, text=True).stdout.splitlines():
                part = line.split()
                if len(part) == 8 and part[3] in ("FUNC", "IFUNC", "NOTYPE") and part[6] not in ("UND", "ABS"):
                    start, size = int(part[1], 16), int(part[2], 0)
                    self.starts.setdefault(part[7].split("@")[0], set()).add(start)
                    self.spans.append((start, start + size))
        self.spans.sort()

    def covers(self, address):
        return any(a <= address < b for a, b in self.spans)

    def are_aliases(self, a, b):
        return bool(self.starts.get(a, set()) & self.starts.get(b, set()))


def strip_suffix(name):
    return re.sub(r"\.(part|cold|isra|constprop|lto_priv|llvm)\b.*$", "", name)


def is_same_name(a, b, symbols):
    a, b = strip_suffix(a), strip_suffix(b)
    return a == b or symbols.are_aliases(a, b) or bare(a) == bare(b)


def bare(name):
    """The source's name, of one that libraries call by another inside."""
    return re.sub(r"^(__GI_|__libc_|_IO_)?_*", "", name)


def is_short_for(short, mangled):
    """Whether this is what the entry of a function is called, without where it belongs."""
    name = re.sub(r"[<(].*", "", short.lstrip("~"))
    if short.startswith("operator"):
        return mangled.startswith("_")
    return bool(name) and mangled.startswith("_") and "%d%s" % (len(name), name) in mangled


def classify(tool, address, mine, theirs, symbols):
    """Why the two differ, or None."""
    if [f[1:] for f in mine] == [f[1:] for f in theirs]:
        names = [(a[0], b[0]) for a, b in zip(mine, theirs) if a[0] != b[0]]
        if all(strip_suffix(a) == b for a, b in names):
            return "suffix"
        if all(is_same_name(a, b, symbols) for a, b in names):
            return "alias"
        if all(is_same_name(a, b, symbols) or is_short_for(b, a) for a, b in names):
            return "short name"
        if mine[0][0] != theirs[0][0] and is_same_name(mine[-1][0], theirs[0][0], symbols) and all(
                is_same_name(a[0], b[0], symbols) or is_short_for(b[0], a[0]) for a, b in zip(mine[1:], theirs[1:])):
            return "outermost name"
    if tool == "eu-addr2line" and len(theirs) == 1 and theirs[0][1:] == mine[0][1:] and (
            is_same_name(mine[-1][0], theirs[0][0], symbols) or is_short_for(theirs[0][0], mine[-1][0])):
        return "no inlines"
    if any(f[1] == "<artificial>" for f in theirs):
        return "artificial"
    if mine == [("??", "??", 0)] and not symbols.covers(address):
        return "padding"
    return None


def agree(a, b, symbols):
    return [f[1:] for f in a] == [f[1:] for f in b] and all(
        is_same_name(x[0], y[0], symbols) or is_short_for(y[0], x[0]) for x, y in zip(a, b))


def brief(frames):
    return " < ".join("%s %s:%d" % (f[0] if len(f[0]) < 60 else f[0][:57] + "...", *f[1:]) for f in frames)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("count", type=int)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--show", type=int, default=3)
    options = parser.parse_args()
    unexplained = 0
    for path in options.files:
        start, size = text_section(path)
        chosen = random.Random(1)
        addresses = [start + chosen.randrange(size) for _ in range(options.count)]
        mine = ours(path, addresses)
        symbols = Symbols(path)
        answers = {tool: ask(path, addresses) for tool, ask in TOOLS.items()}
        for tool in TOOLS:
            classes, shown = collections.Counter(), 0
            assert len(answers[tool]) == len(mine) == len(addresses)
            for i, address in enumerate(addresses):
                a, b = mine[i], answers[tool][i]
                if a == b:
                    continue
                kind = classify(tool, address, a, b, symbols)
                if not kind and all(agree(a, answers[other][i], symbols) for other in TOOLS if other != tool):
                    kind = "alone"
                classes[kind or "unexplained"] += 1
                if not kind:
                    unexplained += 1
                    if shown < options.show:
                        print("  %#x\n    ours %s" % (address, brief(a)))
                        for other in TOOLS:
                            print("    %s%s %s" % ("* " if other == tool else "", other, brief(answers[other][i])))
                    shown += 1
            print("%s, %s: %d of %d the same%s" % (path, tool, len(mine) - sum(classes.values()), len(mine), "".join(
                "; %d %s" % (n, kind) for kind, n in sorted(classes.items()))))
    sys.exit(1 if unexplained else 0)


main()
