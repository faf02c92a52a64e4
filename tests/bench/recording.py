#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures what recording costs, against perf in interleaved rounds, and prints one table of medians.

Within a round everything that is compared runs one after the other, and ratios are taken within the
round: a machine has slow phases, and only neighbours can be compared.
"""
import ctypes
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

BUILD = os.environ["BUILD"]
RECORD, REPORT = BUILD + "/pa-record", BUILD + "/pa-report"
WORKLOADS = BUILD + "/tests/workloads"
ROUNDS = int(os.environ.get("ROUNDS", 5))
SECONDS = 10 # as long as a recording is by default
RATE = 997
PIPE_LOOPS = 100000
PATIENCE_S = 120
PR_SET_CHILD_SUBREAPER = 36


class Directory:
    """A scratch directory with the files of one run."""

    def __init__(self, path):
        self.path = path

    def __call__(self, name):
        return os.path.join(self.path, name)


class Measured:
    """A command with its messages in a file, run by a copy of this script that adds up the CPU time of
    the command and of all the processes that it leaves behind."""

    def __init__(self, command, log):
        self.process = subprocess.Popen([sys.executable, __file__, "--measure", log, *command],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)

    def interrupt(self):
        self.process.send_signal(signal.SIGINT)

    def cpu_s(self):
        """Waits for the end; the seconds."""
        return float(self.process.communicate(timeout=PATIENCE_S)[0])


def measure(log, command):
    """The other side of Measured: whatever loses its parent becomes our child, and is waited for."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    with open(log, "w") as out:
        child = subprocess.Popen(command, stdout=out, stderr=out)
    signal.signal(signal.SIGINT, lambda *_: child.send_signal(signal.SIGINT))
    spent = 0.0
    while True:
        try:
            usage = os.wait4(-1, 0)[2]
        except ChildProcessError:
            break
        spent += usage.ru_utime + usage.ru_stime
    print(spent)


def size(path):
    return os.path.getsize(path)


def dump_count(trace, pattern):
    """How many records of a trace match."""
    text = subprocess.run([REPORT, "--dump", trace], capture_output=True, text=True, timeout=PATIENCE_S).stdout
    return len(re.findall(pattern, text, re.M))


# --- on-CPU samples ---

def profile_round(at):
    """CPU seconds and bytes per sample of pa-record, perf record -g and perf record -g -z."""
    result = {}
    # perf 6.1 dies of files with long build IDs, in its record (hence -B) as in its script, so its samples
    # are not counted: all CPUs are busy, and it has those that are due.
    due = RATE * os.cpu_count() * SECONDS
    own = [RECORD, "-q", "-a", "--profile", "--sample-rate", str(RATE), "--duration", "%ds" % SECONDS,
           "-o", at("own.pa")]
    result["own"] = Measured(own, at("own.log")).cpu_s(), size(at("own.pa")) / dump_count(at("own.pa"), "^sample ")
    for name, extra in (("perf", []), ("perf -z", ["-z"])):
        data, log = at("perf.data"), at("perf.log")
        command = ["perf", "record", "-B", "-g", *extra, "-F", str(RATE), "-a", "-o", data,
                   "--", "sleep", str(SECONDS)]
        result[name] = Measured(command, log).cpu_s(), size(data) / due
    return result


def with_busy_cpus(function, at):
    """Both processors (and all others) are busy, some thirty calls deep, while the function runs."""
    busy = subprocess.Popen([WORKLOADS + "/spin7030", "--procs", str(os.cpu_count()), "--depth", "22",
                             "--seconds", "100000"], stdout=subprocess.DEVNULL, process_group=0)
    try:
        return function(at)
    finally:
        os.killpg(busy.pid, signal.SIGKILL)
        busy.wait()


# --- switches ---

def pipe_us():
    """Microseconds for one operation, of two switches, of two processes pinned to one CPU; ahead of
    whatever else this machine does."""
    out = subprocess.run(["nice", "-n", "-20", "taskset", "-c", "0", "perf", "bench", "sched", "pipe",
                          "-l", str(PIPE_LOOPS)], capture_output=True, text=True, timeout=PATIENCE_S).stdout
    return float(re.search(r"([\d.]+) usecs/op", out).group(1))


def pipe_under(command, data, log):
    """The same while a recorder runs; and the recorder's CPU seconds."""
    recorder = Measured(command, log)
    deadline = time.monotonic() + 20
    while not os.path.exists(data) and time.monotonic() < deadline:
        time.sleep(0.02)
    time.sleep(0.5)
    us = pipe_us()
    recorder.interrupt()
    return us, recorder.cpu_s()


def pipe_round(at):
    switches = 2 * PIPE_LOOPS
    result, before = {}, pipe_us()
    own = [RECORD, "-q", "--offcpu", "--pmu", "-a", "--duration", "10m", "-o", at("pipe.pa")]
    us, cpu = pipe_under(own, at("pipe.pa"), at("pipe.log"))
    result["own"] = us, cpu, size(at("pipe.pa")) / switches
    perf = ["perf", "sched", "record", "-o", at("sched.data")]
    us, cpu = pipe_under(perf, at("sched.data"), at("sched.log"))
    result["perf"] = us, cpu, size(at("sched.data")) / switches
    result["bare"] = ((before + pipe_us()) / 2,)
    return result


# --- start ---

def start_round(at):
    """Seconds from execution to the first moment that is recorded, of the whole system."""
    begin = time.monotonic_ns()
    subprocess.run([RECORD, "-q", "-a", "--profile", "--offcpu", "--pmu", "--duration", "200ms",
                    "-o", at("start.pa")], check=True, timeout=PATIENCE_S)
    head = subprocess.run([REPORT, "--dump", at("start.pa")], capture_output=True, text=True).stdout
    return (int(re.search(r"start_ns=(\d+)", head).group(1)) - begin) / 1e9


def with_crowd(function, at):
    crowd = subprocess.Popen([WORKLOADS + "/idlers", "--count", "300"], stdout=subprocess.PIPE)
    crowd.stdout.readline()
    try:
        return function(at)
    finally:
        crowd.kill()
        crowd.wait()
        crowd.stdout.close()


# --- the table ---

def progress(text):
    if sys.stderr.isatty():
        print("\r%-40s\r%s" % ("", text), end="", file=sys.stderr, flush=True)


def rounds(wrapper, function):
    """The function's results of all rounds, each with an empty scratch directory."""
    results = []
    for number in range(ROUNDS):
        progress("%s, round %d of %d" % (function.__name__, number + 1, ROUNDS))
        path = tempfile.mkdtemp(prefix="bench.")
        try:
            results.append(wrapper(function, Directory(path)))
        finally:
            shutil.rmtree(path)
    progress("")
    return results


def median(results, key, index):
    return statistics.median(r[key][index] for r in results)


def ratio(results, key, against, index):
    return statistics.median(r[key][index] / r[against][index] for r in results)


def verdict(value, bound):
    return "reached" if value <= bound else "MISSED"


def print_row(what, own, peer, value, bound, text):
    print("%-44s %10s %10s %8s   %-24s %s" % (what, own, peer, value, text, bound))


def print_profile(results):
    cpu, size_g, size_z = (ratio(results, "own", "perf", 0), ratio(results, "own", "perf", 1),
                           ratio(results, "own", "perf -z", 1))
    print_row("recorder's CPU s, %d Hz -a, %d busy CPUs, %d s" % (RATE, os.cpu_count(), SECONDS),
              "%.2f" % median(results, "own", 0), "%.2f" % median(results, "perf", 0), "%.2f" % cpu,
              verdict(cpu, 1), "<= 1 of perf record -g")
    print_row("bytes per sample, uncompressed perf", "%.1f" % median(results, "own", 1),
              "%.1f" % median(results, "perf", 1), "1/%.0f" % (1 / size_g), verdict(size_g, 1 / 20),
              "<= 1/20 of perf record -g")
    print_row("bytes per sample, compressed perf (-z)", "%.1f" % median(results, "own", 1),
              "%.1f" % median(results, "perf -z", 1), "%.2f" % size_z, "", "")


def print_pipe(results):
    own, perf = ratio(results, "own", "bare", 0), ratio(results, "perf", "bare", 0)
    print_row("sched pipe, us per operation (bare %.2f)" % median(results, "bare", 0),
              "%.2f" % median(results, "own", 0), "%.2f" % median(results, "perf", 0), "", "", "")
    print_row("  of bare", "%.2f" % own, "%.2f" % perf, "", verdict(own, 1.25), "<= 1.25 of bare")
    print_row("  bytes per switch", "%.2f" % median(results, "own", 2), "%.1f" % median(results, "perf", 2),
              "%.3f" % ratio(results, "own", "perf", 2), "", "")
    print_row("  recorder's CPU s", "%.2f" % median(results, "own", 1), "%.2f" % median(results, "perf", 1),
              "%.2f" % ratio(results, "own", "perf", 1), "", "")


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("bench: terminated"))
    profile = rounds(with_busy_cpus, profile_round)
    pipe = rounds(lambda function, at: function(at), pipe_round)
    start = statistics.median(rounds(with_crowd, start_round))
    print("medians of %d rounds; perf is `perf record -g` and `perf sched record`" % ROUNDS)
    print_row("", "pa-record", "perf", "ratio", "", "to reach")
    print_profile(profile)
    print_pipe(pipe)
    print_row("seconds until it records, -a, 300 processes", "%.2f" % start, "", "", verdict(start, 1), "<= 1 s")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        measure(sys.argv[2], sys.argv[3:])
    else:
        main()
