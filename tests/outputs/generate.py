#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Text traces of programs that never ran: generate.py KIND [OPTION=VALUE]... prints one.

many   samples=N stacks=N threads=N: samples spread over that many different stacks
run    seed=N seconds=N hz=N cpus=N functions=N slow=PCT bursts=MS suffix=TEXT load=SEED: a program of that
       many functions, the first with a third of the work, on that many CPUs. It works for what is asked of
       it, and idles else; slow makes the first function slower. Its work comes in bursts of that length,
       each of which has a mix of its own; 0: all have the same.
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


def run(seed=1, seconds=10, hz=997, cpus=1, functions=50, slow=0, bursts=40, suffix="", load=0,
        base=0x400000, host="run", busy=70):
    """A program whose every second is like every other, but not the moments in it."""
    out = sys.stdout.write
    rand = random.Random(seed)
    start, period = 10**9, 10**9 // hz
    end = start + seconds * 10**9
    out(HEAD.format(start=start, wall=17 * 10**17 + seed, host=host, modes=1,
                    duration=seconds * 10**9, rate=hz, period=period))
    out('tag key="build" value="%s"\n' % (suffix or "plain"))
    out('module id=1 path="/opt/run"\nmodule id=2 kind=2\n')
    out('process time_ns=1000000000 id=1 pid=100 comm="run"\n')
    out('mapping time_ns=1000000000 process=1 start=%d length_bytes=0x100000 module=2 prot=5\n' % base)
    for i in range(functions + 1):
        out('jit_symbol process=1 start=%d length_bytes=256 name="%s%s"\n'
            % (base + 256 * i, "f%d" % i if i < functions else "main", suffix if i % 3 == 0 else ""))
    for cpu in range(cpus):
        out('thread time_ns=1000000000 id=%d process=1 tid=%d comm="run"\n' % (cpu + 1, 100 + cpu))
    out('stack id=16 parent=2 frames=[%d]\n' % (base + 256 * functions + 8))
    for i in range(functions):
        out('stack id=%d parent=16 frames=[%d]\n' % (17 + i, base + 256 * i + 16))
    # Shares of the work: a third, and the others ever less.
    weights = [1.0] + [2.0 * 0.9**i for i in range(1, functions)]
    rest = sum(weights[1:])
    weights = [1 / 3] + [2 / 3 * w / rest for w in weights[1:]]
    lines = []
    for cpu in range(cpus):
        time, until, now = float(start), float(start), weights
        offset = rand.random() * period
        k = 0
        # What is done, as a list of (function, until when); idle time between.
        while time < end:
            length = rand.expovariate(1.0) * (bursts or 10) * 1e6
            mix = [w * rand.gammavariate(2.0, 0.5) for w in weights] if bursts else weights
            total = sum(mix)
            n = max(1, int(length / 1e6))
            done = 0.0
            for _ in range(n):
                f = rand.choices(range(functions), mix)[0]
                took = length / n * (1 + slow / 100.0 if f == 0 else 1.0)
                stop = time + took
                while start + offset + k * period < stop:
                    at = start + offset + k * period
                    k += 1
                    if at >= end:
                        break
                    lines.append((int(at), cpu, f))
                time = stop
                done += took
            # What is slower has less time to idle, the rest of the work stays what it is.
            time += max(0.0, length * 100.0 / busy - done)
            while start + offset + k * period < time:
                k += 1
    for at, cpu, f in sorted(lines):
        out('sample time_ns=%d thread=%d ustack=%d cpu=%d\n' % (at, cpu + 1, 17 + f, cpu))
    out('covered time_ns=%d\nend time_ns=%d reason=0\n' % (end, end))


def main():
    kinds = {"many": many, "run": run}
    options = dict(a.split("=", 1) for a in sys.argv[2:])
    kinds[sys.argv[1]](**{k: int(v) if v.lstrip("-").isdigit() else v for k, v in options.items()})


if __name__ == "__main__":
    main()
