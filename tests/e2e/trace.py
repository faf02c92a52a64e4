#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Sums up the text form of a trace (pa-report --dump) in lines of key=value pairs.

    trace.py threads < DUMP     one line for each thread: what all its records add up to
    trace.py processes < DUMP   one line for each process
    trace.py whole < DUMP       one line: samples, switches, span, losses, how it ended
    trace.py cpus < DUMP        one line for each CPU: samples, time that it was busy
    trace.py percentiles < DUMP one line: P99 of run-queue waits, P99.9 of slices, over all threads
    trace.py maxima < DUMP      one line for each distribution of a thread: its sum, count, extremes
    trace.py ends < DUMP        two lines: how user stacks ended, on the CPU and off
"""
import collections
import re
import sys

FIELD = re.compile(r'(\w+)=("(?:[^"\\]|\\.)*"|\S+)')
SUMS = ("observed_ns on_cpu_ns runq_ns sleep_ns disk_ns other_ns slices voluntary preempted yielded wakeups "
        "runq_waits blocks migrations iowait_ns discarded").split()
END_NAMES = {1: "complete", 2: "fp_end", 3: "truncated", 4: "fp_lost", 5: "no_table", 6: "no_rule",
             7: "bad_memory", 8: "not_taken", 9: "lost"}


def value_of(text):
    if text.startswith('"'):
        return re.sub(r'\\(.)', r'\1', text[1:-1])
    try:
        return int(text, 0)
    except ValueError:
        return text


def records(lines):
    """Each record as (type, fields); a field that is absent is 0 or empty."""
    for line in lines:
        kind, _, rest = line.strip().partition(" ")
        if kind and not kind.startswith("#"):
            fields = collections.defaultdict(int)
            fields.update((k, value_of(v)) for k, v in FIELD.findall(rest))
            yield kind, fields


def numbers(text):
    return [int(n) for n in str(text or "[]").strip("[]").split(",") if n]


def word(text):
    return re.sub(r"\s", "_", str(text)) or "-"


class Trace:
    """What the tests ask for, gathered in one pass."""

    def __init__(self, lines):
        self.threads = {}
        self.processes = {}
        self.hists = collections.defaultdict(collections.Counter)
        self.buckets = collections.defaultdict(collections.Counter)
        self.cpus = collections.defaultdict(collections.Counter)
        self.whole = collections.Counter()
        self.words = {"rate_hz": 0, "event": "-", "end": "-", "detail": "-"}
        self.open = {}
        self.roots = {}
        self.ends = {"cpu": collections.Counter(), "off": collections.Counter()}
        for kind, fields in records(lines):
            handler = getattr(self, "on_" + kind, None)
            if handler:
                handler(fields)
        for thread, start in self.open:
            self.threads[thread]["open_ns"] += self.whole["covered_ns"] - start
            self.threads[thread]["open"] += 1

    def on_session(self, f):
        self.whole["start_ns"] = f["start_ns"]
        self.whole["cpus"] = f["cpus"]

    def on_sampling(self, f):
        self.words.update(rate_hz=f["rate_hz"], event=word(f["event"]), period=f["period"])

    def on_process(self, f):
        self.processes[f["id"]] = {"pid": f["pid"], "parent": f["parent"], "origin": f["origin"],
                                   "ns_pids": word(f["ns_pids"] or "-"), "cgroup": word(f["cgroup"] or "-"),
                                   "comm": word(f["comm"]), "exe": word(f["exe"] or "-"), "execs": 0,
                                   "status": "-", "mappings": 0}

    def on_thread(self, f):
        self.threads[f["id"]] = collections.Counter(id=f["id"], tid=f["tid"], process=f["process"])
        self.threads[f["id"]].name = word(f["comm"])

    def on_comm(self, f):
        self.threads[f["thread"]].name = word(f["comm"])

    def on_exec(self, f):
        p = self.processes[f["process"]]
        p["execs"] += 1
        p["comm"], p["exe"] = word(f["comm"]), word(f["exe"])

    def on_exit(self, f):
        if f["process_ended"] and f["status_known"]:
            self.processes[self.threads[f["thread"]]["process"]]["status"] = f["status"]

    def on_mapping(self, f):
        self.processes[f["process"]]["mappings"] += 1

    def on_stack(self, f):
        root = self.roots.get(f["parent"], f["parent"])
        for i in range(len(str(f["frames"]).split(","))):
            self.roots[f["id"] + i] = root

    def end_of(self, stack):
        return END_NAMES.get(self.roots.get(stack, stack), "other")

    def on_sample(self, f):
        if f["ustack"]:
            self.ends["cpu"][self.end_of(f["ustack"])] += 1
        self.whole["samples"] += 1
        self.cpus[f["cpu"]]["samples"] += 1
        if f["thread"] in self.threads:
            t = self.threads[f["thread"]]
            t["samples"] += 1
            t["with_kernel_stack"] += f["kstack"] >= 16
            t["with_user_stack"] += f["ustack"] >= 16

    def on_block(self, f):
        t = self.threads[f["thread"]]
        self.ends["off"][self.end_of(f["ustack"])] += 1
        self.open.pop((f["thread"], f["time_ns"]), None)
        t["intervals"] += 1
        t["interval_ns"] += f["duration_ns"]
        t["longest_ns"] = max(t["longest_ns"], f["duration_ns"])
        t["open"] += f["flags"] & 1
        t["open_ns"] += f["duration_ns"] if f["flags"] & 1 else 0

    def on_block_sum(self, f):
        t = self.threads[f["thread"]]
        self.ends["off"][self.end_of(f["ustack"])] += f["represents_count"]
        t["intervals"] += f["represents_count"]
        t["interval_ns"] += f["represents_ns"]
        t["longest_ns"] = max(t["longest_ns"], f["max_ns"])

    def on_open_block(self, f):
        self.open[f["thread"], f["time_ns"]] = f

    def on_thread_sum(self, f):
        for name in SUMS:
            self.threads[f["thread"]][name] += f[name]

    def on_hist(self, f):
        h = self.hists[f["thread"], f["kind"]]
        pairs, bucket = numbers(f["buckets"]), 0
        h["count"] += sum(pairs[1::2])
        for step, count in zip(pairs[::2], pairs[1::2]):
            bucket += step
            self.buckets[f["kind"]][bucket] += count
        h["sum_ns"] += f["sum_ns"]
        h["max_ns"] = max(h["max_ns"], f["max_ns"])
        h["min_ns"] = min(h["min_ns"] or f["min_ns"], f["min_ns"])

    def on_count(self, f):
        self.whole["counts"] += 1

    def on_cpu_sum(self, f):
        self.cpus[f["cpu"]]["busy_ns"] += f["observed_ns"] - f["idle_ns"]
        self.cpus[f["cpu"]]["switches"] += f["switches"]
        self.whole["switches"] += f["switches"]
        self.whole["idle_ns"] += f["idle_ns"]
        self.whole["cpu_ns"] += f["observed_ns"]

    def on_loss(self, f):
        self.whole["lost"] += f["count"]
        self.whole["lost_%d" % f["kind"]] += f["count"]

    def on_covered(self, f):
        self.whole["covered_ns"] = max(self.whole["covered_ns"], f["time_ns"])

    def on_end(self, f):
        self.whole["covered_ns"] = max(self.whole["covered_ns"], f["time_ns"])
        self.words.update(end=f["reason"], detail=word(f["detail"] or "-"),
                          status=f["status"] if f["status_known"] else "-")


def bucket_middle(bucket):
    """docs/format.md: below 64 a bucket is a value, above it is a 32nd of an octave."""
    if bucket < 64:
        return bucket
    shift = bucket // 32 - 1
    return ((bucket - 32 * shift) << shift) + (1 << shift) // 2


def percentile(buckets, share):
    rank, seen = share * sum(buckets.values()), 0
    for bucket in sorted(buckets):
        seen += buckets[bucket]
        if seen >= rank:
            return bucket_middle(bucket)
    return 0


def print_line(*dicts):
    print(" ".join("%s=%s" % item for d in dicts for item in d.items()))


def main():
    trace = Trace(sys.stdin)
    what = sys.argv[1]
    if what == "threads":
        for t in trace.threads.values():
            p = trace.processes[t["process"]]
            fields = dict.fromkeys(SUMS + ["samples", "with_kernel_stack", "with_user_stack", "intervals",
                                           "interval_ns", "longest_ns", "open", "open_ns"], 0)
            fields.update(t)
            print_line({"comm": t.name, "pid": p["pid"]}, fields)
    elif what == "processes":
        for number, p in trace.processes.items():
            parent = trace.processes.get(p["parent"])
            print_line({"id": number, "parent_pid": parent["pid"] if parent else "-"}, p)
    elif what == "percentiles":
        print_line({"runq_p99_ns": percentile(trace.buckets[1], 0.99),
                    "slice_p999_ns": percentile(trace.buckets[0], 0.999)})
    elif what == "cpus":
        for number, cpu in trace.cpus.items():
            print_line({"cpu": number}, cpu)
    elif what == "ends":
        for place, ends in trace.ends.items():
            print_line({"place": place, "all": sum(ends.values()),
                        **dict.fromkeys([*END_NAMES.values(), "other"], 0), **ends})
    elif what == "maxima":
        for (thread, kind), h in trace.hists.items():
            print_line({"tid": trace.threads[thread]["tid"], "comm": trace.threads[thread].name,
                        "kind": ("slice", "runq", "block")[kind]}, h)
    else:
        span = trace.whole["covered_ns"] - trace.whole["start_ns"]
        defaults = dict.fromkeys(("samples", "lost", "switches", "counts"), 0)
        print_line({**defaults, **trace.whole}, {"span_ns": span}, trace.words)


if __name__ == "__main__":
    main()
