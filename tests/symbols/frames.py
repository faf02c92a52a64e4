#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads `go tool pprof -raw`, prints each sample's frames, innermost first: name file:line < name ...

Places are without directories; samples come in the order of their addresses.
"""
import re
import sys


def main():
    part, samples, locations, last = None, [], {}, None
    for line in sys.stdin:
        line = line.rstrip("\n")
        if line in ("Samples:", "Locations", "Mappings"):
            part = line
        elif part == "Samples:" and re.match(r"^ +\d", line):
            samples.append([int(n) for n in line.split(":")[1].split("[")[0].split()])
        elif part == "Locations":
            start = re.match(r"^ +(\d+): (0x[0-9a-f]+) (?:M=\d+ )?(.*)$", line)
            if start:
                last = locations[int(start[1])] = [int(start[2], 16)]
            text = start[3] if start else line.strip()
            frame = re.match(r"^(.*) ([^ ]*):(\d+)(?::\d+)? s=\d+(?:\(.*\))?$", text)
            if frame:
                last.append("%s %s:%s" % (frame[1], frame[2].split("/")[-1], frame[3]))
            elif text:
                last.append(text)
    rows = []
    for sample in samples:
        frames = [f for n in sample for f in locations[n][1:]]
        rows.append((locations[sample[0]][0], " < ".join(frames)))
    for _, row in sorted(rows):
        print(row)


main()
