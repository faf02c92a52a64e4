#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""How long reports take: a trace of 1 000 000 samples, 20 000 addresses in 40 programs, with and without debug
information; and four large modules with one processor and with two. The best of ROUNDS runs each (5).
BUILD is the build directory.
"""
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.environ.get("BUILD", "build")
ROUNDS = int(os.environ.get("ROUNDS", "5"))
MODULES, ADDRESSES, STACKS, SAMPLES, DEPTH = 40, 20000, 20000, 1000000, 12
LARGE, LARGE_ADDRESSES = 4, 10000
HEAD = """\
session recorder="bench" arch="x86_64" word_bits=64 page_bytes=4096 clock="CLOCK_MONOTONIC" start_ns=1000 \
start_wall_ns=1700000000000000000 host="host" kernel="6.1.0" cpus=1 target="pid 100" modes=1
sampling event="cpu-clock" rate_hz=1000 period=1000000
process time_ns=1000 id=1 pid=100 comm="app" exe="/opt/app"
thread time_ns=1000 id=1 process=1 tid=100 comm="app"
"""


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def text_of(path):
    """Offset in the file, address and length of .text."""
    for line in output("readelf", "-SW", path).splitlines():
        if " .text " in line:
            part = line.split("]")[1].split()
            return int(part[3], 16), int(part[2], 16), int(part[4], 16)
    raise SystemExit("report.py: no .text in '%s'" % path)


def build_id(path):
    return re.search(r"Build ID: (\w+)", output("readelf", "-n", path))[1]


def write_trace(path, modules, addresses, stacks, samples):
    """modules are (recorded path, build ID, offset and length of code)."""
    chosen = random.Random(1)
    frames = []
    with open(path + ".txt", "w") as out:
        out.write(HEAD)
        for number, (name, identity, start, length) in enumerate(modules, 1):
            base = 0x7f0000000000 + number * 0x10000000
            out.write('module id=%d path="%s" build_id=<%s> build_id_kind=1\n' % (number, name, identity))
            out.write("mapping time_ns=1000 process=1 start=%#x length_bytes=%d offset_bytes=0 module=%d prot=5\n" %
                      (base, (start + length + 4095) // 4096 * 4096, number))
            frames += [base + start + at for at in chosen.sample(range(length), addresses // len(modules))]
        for number in range(stacks):
            # Every address is in some stack.
            stack = [frames[number % len(frames)]] + chosen.choices(frames, k=DEPTH - 1)
            out.write("stack id=%d parent=1 frames=[%s]\n" % (16 + number * DEPTH, ",".join("%#x" % f for f in stack)))
        for number in range(samples):
            out.write("sample time_ns=%d thread=1 ustack=%d\n" % (
                2000 + number, 16 + number % stacks * DEPTH + DEPTH - 1))
        out.write("end time_ns=1000001000\n")
    output(os.path.join(BUILD, "tests/mktrace"), path + ".txt", path)
    os.unlink(path + ".txt")


def best_time(command, text=None):
    """Seconds on the clock, and of CPU."""
    best, cpu = None, None
    for _ in range(ROUNDS):
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        subprocess.run(command, check=True, input=text, capture_output=True, text=True)
        seconds, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        if best is None or seconds < best:
            best, cpu = seconds, used
    return best, cpu


def many_modules(work):
    os.makedirs(work + "/debug")
    os.makedirs(work + "/plain")
    source = os.path.join(HERE, "../symbols/templates.cc")
    output("g++", "-std=c++17", "-O2", "-g", "-c", "-o", work + "/templates.o", source)
    modules = []
    for number in range(MODULES):
        path = "%s/debug/program%d" % (work, number)
        output("g++", "-Wl,--build-id=0x%040x" % (number + 1), "-o", path, work + "/templates.o")
        output("strip", "--strip-debug", "-o", path.replace("/debug/", "/plain/"), path)
        start, _, length = text_of(path)
        modules.append(("/bench/program%d" % number, build_id(path), start, length))
    write_trace(work + "/many.pa", modules, ADDRESSES, STACKS, SAMPLES)
    for kind, limit in (("plain", 1), ("debug", 3)):
        seconds, cpu = best_time([os.path.join(BUILD, "pa-report"), "--no-pager", "--symbols", work + "/" + kind,
                                  work + "/many.pa"])
        print("%d samples, %d addresses in %d modules, %s: %.2f s (%.2f s of CPU); to be under %d s" % (
            SAMPLES, ADDRESSES, MODULES, "inlined functions and lines" if kind == "debug" else "symbol tables", seconds,
            cpu, limit))


def large_modules(work):
    libc = re.search(r"\S+/libc\.so\S*", output("ldd", "/bin/sh"))[0]
    identity = build_id(libc)
    debug = "/usr/lib/debug/.build-id/%s/%s.debug" % (identity[:2], identity[2:])
    if not os.path.exists(debug):
        print("four modules: left out, libc6-dbg is not installed")
        return
    os.makedirs(work + "/large")
    files = []
    for number in range(LARGE):
        # Other builds, as far as anybody can tell.
        other = "%02x" % (number + 1) + identity[2:]
        for path, suffix in ((libc, "so"), (debug, "debug")):
            data = open(path, "rb").read().replace(bytes.fromhex(identity), bytes.fromhex(other))
            with open("%s/large/libc%d.%s" % (work, number, suffix), "wb") as out:
                out.write(data)
        files.append("%s/large/libc%d.so" % (work, number))
    _, start, size = text_of(libc)
    chosen = random.Random(1)
    addresses = "".join("%#x\n" % (start + chosen.randrange(size)) for _ in range(LARGE_ADDRESSES))
    command = [os.path.join(BUILD, "tests/bench/symbolize"), "-s", work + "/large", "-t"]
    times = {}
    for threads in (1, 2, 1, 2):
        seconds, _ = best_time([*command, str(threads), *files], addresses)
        times[threads] = min(seconds, times.get(threads, seconds))
    print("%d modules like libc, %d addresses each: %.2f s with one thread, %.2f s with two, %.2f times as fast; to be 1.7" %
          (LARGE, LARGE_ADDRESSES, times[1], times[2], times[1] / times[2]))


def main():
    with tempfile.TemporaryDirectory() as work:
        print("load %.2f before, %d CPUs" % (os.getloadavg()[0], os.cpu_count()))
        many_modules(work)
        large_modules(work)


if __name__ == "__main__":
    sys.exit(main())
