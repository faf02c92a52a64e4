#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Text traces of programs that never ran: generate.py KIND [OPTION=VALUE]... prints one.

many   samples=N stacks=N threads=N: samples spread over that many different stacks
"""
import random
import sys

HEAD = (
    'session recorder="pa-record 0.1.0" arch="x86_64" word_bits=64 page_bytes=4096 '
    'clock="CLOCK_MONOTONIC" start_ns={start} start_wall_ns={wall} host="{host}" '
    'kernel="6.1.0" cpus=4 target="all" modes={modes} duration_ns={duration}\n'
    'sampling event="cpu-clock" rate_hz={rate} period={period}\n'
)


def many(samples=1000000, stacks=20000, threads=64, seed=1):
    """A machine's worth of samples."""
    out = sys.stdout.write
    rand = random.Random(seed)
    out(HEAD.format(start=10**9, wall=17 * 10**17 + seed, host="many", modes=17,
                    duration=0, rate=997, period=1003009))
    out('module id=1 path="/opt/many"\n')
    out('process time_ns=1000000000 id=1 pid=100 comm="many"\n')
    out('mapping time_ns=1000000000 process=1 start=0x400000 length_bytes=0x1000000 module=1 prot=5\n')
    for i in range(1, threads + 1):
        out('thread time_ns=1000000000 id=%d process=1 tid=%d comm="t%d"\n' % (i, 99 + i, i))
    out('stack id=16 parent=2 frames=[0x400100]\n')
    node, leaves, parents = 17, [], [16]
    while len(leaves) < stacks:
        depth = rand.randrange(4, 24)
        frames = ",".join(hex(0x400000 + 16 * rand.randrange(1, 40000)) for _ in range(depth))
        out('stack id=%d parent=%d frames=[%s]\n' % (node, rand.choice(parents), frames))
        if len(parents) < 500:
            parents.append(node + depth // 2)
        node += depth
        leaves.append(node - 1)
    time = 10**9
    for i in range(samples):
        time += 250000
        leaf = leaves[min(int(rand.expovariate(5 / stacks)), stacks - 1)]
        out('sample time_ns=%d thread=%d ustack=%d cpu=%d\n' % (time, 1 + leaf % threads, leaf, i % 4))
        if i % 4000 == 0:
            out('covered time_ns=%d\n' % time)
    out('covered time_ns=%d\nend time_ns=%d reason=0\n' % (time, time))


def main():
    kinds = {"many": many}
    options = dict(a.split("=", 1) for a in sys.argv[2:])
    kinds[sys.argv[1]](**{k: int(v) if v.lstrip("-").isdigit() else v for k, v in options.items()})


if __name__ == "__main__":
    main()
