#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads what `go tool pprof -raw` prints of a profile, so that tests can ask for numbers.

    profile.py functions < RAW [KEY=VALUE ...]  one line a function: self and total, of the last value
    profile.py stacks < RAW [KEY=VALUE ...]     one line a sample: values, labels, frames from main down
    profile.py head < RAW                       one line: types, duration, time, sums
    profile.py check < RAW                      complains about what pprof itself lets pass; status 1 if any

KEY=VALUE takes only samples with that label.
"""
import collections
import re
import sys

LINE = re.compile(r"^(.*) (\S*):(\d+) s=(\d+)(?:\((.*)\))?$")
LABEL = re.compile(r"(\w+):\[([^\]]*)\]")


class Profile:
    """The sections of the text, parsed."""

    def __init__(self, lines):
        self.head = {}
        self.types = []
        self.samples = []
        self.locations = {}
        self.mappings = {}
        section = "head"
        for line in (line.rstrip("\n") for line in lines):
            if line in ("Samples:", "Locations", "Mappings"):
                section = line.rstrip(":").lower()
            elif line.strip():
                getattr(self, "add_" + section)(line)

    def add_head(self, line):
        key, _, value = line.partition(": ")
        self.head[key.lower()] = value.strip()

    def add_samples(self, line):
        if not self.types:
            self.types = line.split()
            return
        values, colon, ids = line.partition(": ")
        if colon and re.fullmatch(r"[\s\d-]+", values):
            self.samples.append({"values": [int(v) for v in values.split()],
                                 "locations": [int(i) for i in ids.split()], "labels": {}})
        else:
            self.samples[-1]["labels"].update(LABEL.findall(line))

    def add_locations(self, line):
        found = re.match(r"\s*(\d+): (0x[0-9a-f]+) (?:M=(\d+) )?(?:\[F\] )?(.*)$", line)
        if found:
            self.current = {"address": int(found[2], 16), "mapping": int(found[3] or 0), "lines": []}
            self.locations[int(found[1])] = self.current
            line = found[4]
        self.add_line(line.strip())

    def add_line(self, text):
        found = LINE.match(text)
        if found:
            self.current["lines"].append({"function": found[1], "file": found[2], "line": int(found[3]),
                                          "system": found[5] or found[1]})

    def add_mappings(self, line):
        found = re.match(r"(\d+): (0x[0-9a-f]+)/(0x[0-9a-f]+)/(0x[0-9a-f]+) (.*)$", line)
        rest = re.sub(r"\s*(\[(FN|FL|LN|IN)\])+$", "", found[5]).rsplit(" ", 1)
        self.mappings[int(found[1])] = {"start": int(found[2], 16), "limit": int(found[3], 16),
                                        "offset": int(found[4], 16), "file": rest[0].strip(),
                                        "build_id": rest[1].strip() if len(rest) > 1 else ""}

    def frames(self, sample):
        """Names of a sample's frames from the innermost outwards; inlined ones are frames too."""
        for number in sample["locations"]:
            location = self.locations[number]
            for line in location["lines"]:
                yield line["function"]
            if not location["lines"]:
                yield "0x%x" % location["address"]


def wanted(profile, conditions):
    pairs = [c.split("=", 1) for c in conditions]
    return [s for s in profile.samples if all(s["labels"].get(k, "").strip() == v for k, v in pairs)]


def word(text):
    return re.sub(r"\s", "_", text)


def print_functions(profile, samples):
    own, total, count = collections.Counter(), collections.Counter(), collections.Counter()
    for s in samples:
        frames = list(profile.frames(s)) or ["-"]
        own[frames[0]] += s["values"][-1]
        for name in set(frames):
            total[name] += s["values"][-1]
            count[name] += s["values"][0]
    everything = sum(own.values())
    for name in sorted(total, key=total.get, reverse=True):
        print("function=%s self=%d total=%d count=%d self_pct=%.3f total_pct=%.3f" % (
            word(name), own[name], total[name], count[name], 100 * own[name] / (everything or 1),
            100 * total[name] / (everything or 1)))


def print_stacks(profile, samples):
    for s in samples:
        labels = " ".join("%s=%s" % (k, word(v.strip())) for k, v in s["labels"].items())
        frames = ";".join(word(name) for name in reversed(list(profile.frames(s))))
        print("count=%d value=%d %s stack=%s" % (s["values"][0], s["values"][-1], labels, frames))


def print_head(profile):
    sums = [sum(s["values"][i] for s in profile.samples) for i in range(len(profile.types))]
    print("types=%s duration_s=%s samples=%d locations=%d mappings=%d %s" % (
        ",".join(profile.types), profile.head.get("duration", "0").split()[0], len(profile.samples),
        len(profile.locations), len(profile.mappings),
        " ".join("sum%d=%d" % pair for pair in enumerate(sums))))


def complaints(profile):
    for number, m in profile.mappings.items():
        if m["start"] >= m["limit"]:
            yield "mapping %d is empty" % number
    for number, location in profile.locations.items():
        m = profile.mappings.get(location["mapping"])
        if m and not m["start"] <= location["address"] < m["limit"]:
            yield "location %d (%#x) lies outside of its mapping" % (number, location["address"])
        if m and not m["file"]:
            yield "location %d is in a mapping without a file" % number
        for line in location["lines"]:
            if not line["function"]:
                yield "location %d has a function without a name" % number
    for i, s in enumerate(profile.samples):
        if len(s["values"]) != len(profile.types):
            yield "sample %d has the wrong number of values" % i
        if any(v < 0 for v in s["values"]):
            yield "sample %d is negative" % i
        if not s["locations"]:
            yield "sample %d has no frame" % i
        if not {"pid", "tid", "thread"} <= s["labels"].keys():
            yield "sample %d lacks a label: %s" % (i, s["labels"])


def main():
    what, conditions = sys.argv[1], sys.argv[2:]
    profile = Profile(sys.stdin)
    if what == "functions":
        print_functions(profile, wanted(profile, conditions))
    elif what == "stacks":
        print_stacks(profile, wanted(profile, conditions))
    elif what == "head":
        print_head(profile)
    else:
        found = list(complaints(profile))
        print("\n".join(found[:20]))
        sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
