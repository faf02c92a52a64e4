#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the stacks that pa-record walks in the kernel with gdb's, frame by frame, address by address.

usage: gdb.py PA_RECORD PA_REPORT PID MOMENTS

The process is stopped at MOMENTS random moments. At each, gdb lists every thread's program counters, and
pa-record walks the same threads from outside. Prints one line per disagreement and the totals; exits 1
when a stack disagrees.
"""
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time


# Run inside gdb: frames that are on the stack only. Inlined functions and those that ended with a jump are
# put together by gdb from debug information.
GDB_SCRIPT = r"""
import gdb
for thread in gdb.selected_inferior().threads():
    thread.switch()
    frame, pcs = gdb.newest_frame(), []
    while frame is not None and frame.is_valid() and len(pcs) < 600:
        if frame.type() not in (gdb.INLINE_FRAME, gdb.TAILCALL_FRAME):
            pcs.append(frame.pc())
        try:
            frame = frame.older()
        except gdb.error:
            break
    print("STACK", thread.ptid[1], *pcs)
"""


def gdb_stacks(pid, script):
    """{tid: [pc, ...]}, innermost first, by gdb."""
    out = subprocess.run(
        ["gdb", "-nx", "-q", "-batch", "-ex", "set backtrace past-main on", "-ex",
         "set backtrace past-entry on", "-ex", "set debuginfod enabled off", "-p", str(pid), "-x", script],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=120).stdout
    stacks = {}
    for line in out.splitlines():
        words = line.split()
        if words[:1] == ["STACK"]:
            pcs = [int(w) for w in words[2:]]
            # A context of makecontext() returns to 0, which is no frame.
            stacks[int(words[1])] = pcs[:-1] if pcs[-1:] == [0] else pcs
    return stacks


def our_stacks(record, report, pid, trace):
    """({tid: [pc, ...]}, {tid: how it ended}) by pa-record."""
    subprocess.run([record, "-q", "--offcpu", "--pid", str(pid), "--duration", "20ms", "-o", trace],
                   check=True)
    dump = subprocess.run([report, "--dump", trace], stdout=subprocess.PIPE, text=True, check=True).stdout
    os.unlink(trace)
    nodes, tids, stacks, ends = {}, {}, {}, {}
    for line in dump.splitlines():
        kind, _, rest = line.partition(" ")
        field = dict(re.findall(r'(\w+)=("(?:[^"\\]|\\.)*"|\[[^\]]*\]|\S+)', rest))
        if kind == "stack":
            node, parent = int(field["id"]), int(field["parent"])
            for address in field["frames"][1:-1].split(","):
                nodes[node] = (parent, int(address, 16))
                parent, node = node, node + 1
        elif kind == "thread":
            tids[field["id"]] = int(field["tid"])
        elif kind == "block":
            frames, node = [], int(field.get("ustack", 0))
            while node >= 16:
                frames.append(nodes[node][1])
                node = nodes[node][0]
            stacks[tids[field["thread"]]] = frames
            ends[tids[field["thread"]]] = node
    return stacks, ends


def stopped(pid):
    """Waits until all threads stand still."""
    for _ in range(200):
        states = []
        for tid in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{tid}/stat") as f:
                states.append(f.read().rpartition(")")[2].split()[0])
        if all(s in "Tt" for s in states):
            return True
        time.sleep(0.005)
    return False


def main():
    record, report, pid, moments = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    scratch = tempfile.mkdtemp()
    trace, script = os.path.join(scratch, "moment.pa"), os.path.join(scratch, "stacks.py")
    with open(script, "w") as f:
        f.write(GDB_SCRIPT)
    compared = equal = complete = 0
    for _ in range(moments):
        time.sleep(random.uniform(0.01, 0.15))
        os.kill(pid, signal.SIGSTOP)
        try:
            if not stopped(pid):
                continue
            ours, ends = our_stacks(record, report, pid, trace)
            theirs = gdb_stacks(pid, script)
            os.kill(pid, signal.SIGSTOP)  # gdb lets it go when it detaches
        finally:
            os.kill(pid, signal.SIGCONT)
        for tid, frames in sorted(theirs.items()):
            if tid not in ours:
                continue
            compared += 1
            complete += ends[tid] == 1
            if frames == ours[tid]:
                equal += 1
                continue
            at = next((i for i, (a, b) in enumerate(zip(frames, ours[tid])) if a != b),
                      min(len(frames), len(ours[tid])))
            print(f"tid {tid}: differs at frame {at}: gdb has {len(frames)}, "
                  f"{[hex(a) for a in frames[max(0, at - 1):at + 3]]}, pa-record {len(ours[tid])}, "
                  f"{[hex(a) for a in ours[tid][max(0, at - 1):at + 3]]}, end {ends[tid]}")
    print(f"compared={compared} equal={equal} complete={complete}")
    return 0 if compared and compared == equal else 1


sys.exit(main())
