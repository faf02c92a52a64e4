#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads a Perfetto trace by the rules of protocol buffers, and prints what trace_processor would have in its
tables: perfetto.py TRACE prints sums, tracks, and the frames of all stacks."""
import collections
import sys


def fields(data):
    """Field numbers with their values: integers, or bytes."""
    out, at = collections.defaultdict(list), 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        key = varint()
        if key & 7 == 0:
            out[key >> 3].append(varint())
        else:
            assert key & 7 == 2, f"wire type {key & 7}"
            length = varint()
            assert at + length <= len(data), "cut off"
            out[key >> 3].append(data[at:at + length])
            at += length
    return out


def main():
    trace = fields(open(sys.argv[1], "rb").read())
    tracks, threads, functions, frames, stacks, mappings, paths = {}, {}, {}, {}, {}, {}, {}
    open_slices, slices, samples, names = collections.defaultdict(list), collections.Counter(), collections.Counter(), set()
    cleared = False
    for packet in map(fields, trace[1]):
        assert packet[10] == [1]
        cleared |= packet[13] == [1]
        assert cleared, "needs a state that was never begun"
        for interned in map(fields, packet[12]):
            for field, table in ((5, functions), (17, paths)):
                for entry in map(fields, interned[field]):
                    table[entry[1][0]] = entry[2][0].decode()
            for entry in map(fields, interned[19]):
                mappings[entry[1][0]] = paths[entry[7][0]]
            for entry in map(fields, interned[6]):
                frames[entry[1][0]] = (functions[entry[2][0]], mappings[entry[3][0]])
            for entry in map(fields, interned[7]):
                stacks[entry[1][0]] = [frames[f] for f in entry[2]]
        for track in map(fields, packet[60]):
            parent = track[5][0] if track[5] else None
            assert parent is None or parent in tracks, "a track before its parent"
            thread = fields(track[4][0]) if track[4] else None
            tracks[track[1][0]] = (f"thread {thread[5][0].decode()}/{thread[2][0]}" if thread else
                                   track[2][0].decode() if track[2] else "process")
        for sample in map(fields, packet[66]):
            assert packet[58] == [3]
            samples[(sample[2][0], sample[3][0])] += sample[6][0]
            names.update(f for f, _ in stacks[sample[4][0]])
            names.update(f"{f} in {m}" for f, m in stacks[sample[4][0]])
        for event in map(fields, packet[11]):
            track, kind, time = event[11][0], event[9][0], packet[8][0]
            assert track in tracks, "an event on no track"
            if kind == 1:
                open_slices[track].append((time, event[23][0].decode()))
            elif kind == 2:
                start, name = open_slices[track].pop()
                assert time >= start
                slices[(tracks[track].split()[0], name if tracks[track].startswith("thread") else "")] += time - start
    assert not any(open_slices.values()), "a slice that never ends"
    print(f"samples {sum(samples.values())}")
    print(f"blocked {sum(v for (kind, _), v in slices.items() if kind == 'thread')}")
    print(f"on cpus {sum(v for (kind, _), v in slices.items() if kind == 'CPU')}")
    for name in sorted(set(tracks.values())):
        print(f"track {name}")
    for name in sorted(names):
        print(f"frame {name}")


main()
