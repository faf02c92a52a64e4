#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes text traces for tests of outputs: traces.py before|after|many."""
import sys

HEAD = """session recorder="pa-record 0.1.0" arch="x86_64" word_bits=64 page_bytes=4096 clock="CLOCK_MONOTONIC" \
start_ns=1000 start_wall_ns={wall} host="{host}" kernel="6.1.0" cpus=1 target="all" modes=1
sampling event="cpu-clock" rate_hz=100 period=10000000
process time_ns=1000 id=1 pid={pid} comm="app" exe="/opt/app"
thread time_ns=1000 id=1 process=1 tid={pid} comm="app"
module id=1 kind=2
mapping process=1 start=0x10000 length_bytes=16777216 module=1 prot=7"""


def trace(names, stacks, samples, seconds, **head):
    """names: functions by index; stacks: lists of them, outermost first; samples: (time, stack)."""
    print(HEAD.format(**head))
    for i, name in enumerate(names):
        print(f'jit_symbol process=1 start={0x10000 + 16 * i:#x} length_bytes=16 name="{name}"')
    leaves, node = [], 16
    for stack in stacks:
        frames = ",".join(f"{0x10004 + 16 * f:#x}" for f in stack)
        print(f"stack id={node} parent=1 frames=[{frames}]")
        node += len(stack)
        leaves.append(node - 1)
    for time_ns, stack in samples:
        print(f"sample time_ns={time_ns} thread=1 ustack={leaves[stack]}")
    print(f"end time_ns={1000 + seconds * 1000000000}")


def build(which):
    """A program before and after a change: other length, order of functions, host and process."""
    before = {"main": 0, "same": 50, "grew": 10, "removed.cold": 10}
    after = {"added": 10, "grew.part.0": 60, "same": 100, "main": 0}
    counts = before if which == "before" else after
    seconds = 1 if which == "before" else 2
    names = list(counts)
    stacks = [[names.index("main"), i] for i in range(len(names))]
    order = [i for i, name in enumerate(names) for _ in range(counts[name])]
    samples = [(2000 + 10000000 * at, i) for at, i in enumerate(order)]
    trace(names, stacks, samples, seconds, wall=1700000000000000000 + 3600 * 10**9 * (which == "after"),
          host="before-1" if which == "before" else "after-2", pid=100 if which == "before" else 7)


def many():
    """20 000 distinct stacks, some of them deep."""
    names = [f"f{i}_of_a_name_that_is_as_long_as_they_are" for i in range(600)]
    stacks = []
    for i in range(20000):
        depth = 8 + i % 60
        stacks.append([(i // 7 ** min(d, 4) * 31 + d * 17) % 600 for d in range(1, depth + 1)] + [i % 600, i // 600])
    samples = [(2000 + 1000000 * i, (i * 7919) % 20000) for i in range(20000)]
    trace(names, stacks, samples, 20, wall=1700000000000000000, host="many", pid=100)


if sys.argv[1] == "many":
    many()
else:
    build(sys.argv[1])
