#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Traces made to exhaust whoever reads them: each is read to its end, within a minute, and without more than
64 MiB beyond the bytes that it unpacks to. Output is TAP."""
import os
import subprocess
import sys
import tempfile

BUILD = os.environ["BUILD"]
ROOM_BYTES = 64 << 20
PATIENCE_S = 60
HUGE = 2**63 - 1
HEAD = 'session arch="x86_64" cpus=1 start_ns=100\n'
BASE = HEAD + ('process time_ns=100 id=1 pid=7 comm="app"\nthread time_ns=100 id=1 process=1 tid=7 comm="app"\n'
               'module id=1 path="/bin/app" build_id=<aa01> build_id_kind=1\n')
OUTPUTS = (["--dump"], ["--stat"], [], ["--offcpu", "--per-pid"], ["--pprof", "/dev/null"],
           ["--json", "/dev/null", "--folded", "/dev/null", "--html", "/dev/null"])
if os.environ.get("ASAN"):
    ROOM_BYTES *= 16  # shadow memory and freed blocks that are held back


def lines(count, pattern):
    return "".join(pattern.format(i=i) for i in range(count))


def sparse_ids():
    """A few things with the greatest numbers that they may have."""
    text, top = HEAD, 16 << 20
    for i in range(1, 100):
        text += 'process time_ns=100 id=%d pid=%d comm="a"\n' % (top - i * 1000, i)
        text += 'thread time_ns=100 id=%d process=%d tid=%d comm="a"\n' % (top - i * 977, top - i * 1000, i)
        text += 'module id=%d path="/bin/%d"\n' % (top - i * 999, i)
        text += "sample time_ns=%d thread=%d cpu=%d\n" % (200 + i, top - i * 977, 8191 - i)
    return text


def huge_times():
    text = BASE + "stack id=16 parent=1 frames=[0x401000]\n"
    for i in range(1000):
        text += "sample time_ns=%d thread=1 ustack=16\n" % (HUGE - i)
        text += "block time_ns=%d thread=1 duration_ns=%d ustack=16\n" % (1000 - i, HUGE)
        text += "block_sum time_ns=9 thread=1 ustack=16 count=9 total_ns=%d max_ns=%d represents_count=99 " \
                "represents_ns=%d\n" % (HUGE, HUGE, HUGE)
        text += "thread_sum time_ns=%d thread=1 observed_ns=%d on_cpu_ns=%d\n" % (i, HUGE, HUGE)
    return text + "end time_ns=%d\n" % HUGE


def deep_stacks():
    """Many stacks of the greatest depth, which share nearly all of it."""
    text = BASE + "stack id=16 parent=1 frames=[%s]\n" % ",".join(str(0x401000 + i) for i in range(4000))
    for i in range(2000):
        text += "stack id=%d parent=%d frames=[%d,%d]\n" % (5000 + 2 * i, 4000 + i % 16, i, i)
        text += "sample time_ns=%d thread=1 ustack=%d\n" % (200 + i, 5001 + 2 * i)
    return text


def histograms():
    return BASE + lines(2000, "hist thread=1 kind=1 sum_ns=1 min_ns=1 max_ns=%d max_time_ns=1 "
                              "buckets=[{i},1,1900,18446744073709551615]\n" % HUGE)


CASES = {
    "ids as far apart as they may be": sparse_ids,
    "times and durations at the end of the range": huge_times,
    "2 000 stacks of 4 000 frames": deep_stacks,
    "distributions that overflow": histograms,
    "a million equal samples, compressed to nearly nothing":
        lambda: BASE + "stack id=16 parent=1 frames=[0x401000]\n" + "sample time_ns=200 thread=1 ustack=16\n" * 1000000,
    "mappings that cover everything, over and over":
        lambda: BASE + lines(20000, "mapping time_ns={i} process=1 start=4096 length_bytes=%d module=1 prot=5\n" % (1 << 62)),
    "names of JIT code that overlap":
        lambda: BASE + lines(20000, 'jit_symbol time_ns={i} process=1 start={i} length_bytes=%d name="f"\n' % (1 << 60)),
    "threads without number":
        lambda: HEAD + 'process time_ns=1 id=1 pid=7 comm="a"\n' +
        lines(200000, "thread time_ns={i} id={i}1 process=1 tid={i}\n"),
    "losses of every kind": lambda: BASE + lines(100000, "loss time_ns={i} kind={i} count=18446744073709551615\n"),
    "samples of CPUs that are not there": lambda: BASE + lines(8192, "sample time_ns={i} thread=1 cpu={i}\n" * 4),
    "exec and comm without end":
        lambda: BASE + lines(100000, 'exec time_ns={i} process=1 comm="n{i}"\ncomm time_ns={i} thread=1 comm="m{i}"\n'),
    "a process that forks itself":
        lambda: BASE + lines(50000, 'mapping time_ns=1 process=1 start={i}000 length_bytes=999 module=1 prot=5\n') +
        "".join('process time_ns=%d id=%d pid=%d parent=%d comm="a"\n' % (200 + i, 2 + i, 8 + i, 1 + i) for i in range(2000)),
}


def write(path, make):
    """In a process of its own: what a process has needed at any time counts as its children's as well."""
    child = os.fork()
    if child == 0:
        with open(path, "w", encoding="ascii") as out:
            out.write(make())
        os._exit(0)
    os.waitpid(child, 0)


def peak_bytes(command):
    """The greatest memory of a command, and what it ended with."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
        try:
            pid, status, usage = os.wait4(child.pid, 0)
        except KeyboardInterrupt:
            child.kill()
            raise
        child.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_maxrss * 1024, child.returncode


def check(name, make, directory):
    """What is wrong, as lines."""
    text, trace, wrong = os.path.join(directory, "t.txt"), os.path.join(directory, "t.pa"), []
    write(text, make)
    made = subprocess.run([BUILD + "/tests/mktrace", text, trace], capture_output=True, text=True, timeout=PATIENCE_S)
    if made.returncode:
        return ["cannot make it: " + made.stderr.strip()]
    room = ROOM_BYTES + os.path.getsize(text)  # a record is shorter than its line
    for output in OUTPUTS:
        peak, status = peak_bytes(["timeout", str(PATIENCE_S), BUILD + "/pa-report", *output, trace])
        if status not in (0, 1):
            wrong.append("%s: exit status %d" % (" ".join(output), status))
        if peak > room:
            wrong.append("%s: %d MiB, with %d bytes of text" % (" ".join(output), peak >> 20, room - ROOM_BYTES))
    return wrong


def main():
    failed = 0
    print("1..%d" % len(CASES))
    with tempfile.TemporaryDirectory() as directory:
        for number, (name, make) in enumerate(CASES.items(), 1):
            wrong = check(name, make, directory)
            for line in wrong:
                print("# " + line)
            failed += bool(wrong)
            print("%s %d - memory: %s" % ("not ok" if wrong else "ok", number, name), flush=True)
    return failed > 0


sys.exit(main())
