#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares our unwind tables, row by row, with what readelf says about the same files.

usage: compare.py DUMP FILE...     DUMP is the program made of dump.c

Every row of `readelf --debug-dump=frames-interp` must be in the table, every change in the table must be
a row there, and what no FDE covers must have no rule unless it is filling between functions.
"""
import bisect
import re
import subprocess
import sys

FDE = re.compile(r"^[0-9a-f]+ [0-9a-f]+ [0-9a-f]+ FDE cie=([0-9a-f]+) pc=([0-9a-f]+)\.\.([0-9a-f]+)")
CIE = re.compile(r"^([0-9a-f]+) [0-9a-f]+ [0-9a-f]+ CIE ")
ROW = re.compile(r"^[0-9a-f]{16} ")
LOAD = re.compile(r"^\s+LOAD\s+(0x\w+) (0x\w+) 0x\w+ (0x\w+) 0x\w+ (...)")
REGISTER = re.compile(r"(?<=\s)r([0-9]+)(?: \(\w+\))?(?=\s)")
NUMBERS = {"rax": 0, "rdx": 1, "rcx": 2, "rbx": 3, "rsi": 4, "rdi": 5, "rbp": 6, "rsp": 7}
FILLING = set(b"\x90\x66\x2e\x0f\x1f\x00\x40\x44\x80\x84\xcc\x20\x03\xd5")
MAX_SHOWN = 10


class Fde:
    def __init__(self, section, cie, start, end):
        self.section, self.cie, self.start, self.end = section, cie, start, end
        self.rows = []


def read_frames(path):
    """The FDEs of both sections, each with its rows: (address, {column: text})."""
    cies, fdes, section, entry, columns = {}, [], None, None, []
    out = subprocess.Popen(["readelf", "--debug-dump=frames-interp", path], stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, text=True)
    for line in out.stdout:
        if line.startswith("Contents of the"):
            section = line.split()[3]
        elif match := FDE.match(line):
            cie, start, end = match.groups()
            entry = Fde(section, (section, int(cie, 16)), int(start, 16), int(end, 16))
            fdes.append(entry)
        elif match := CIE.match(line):
            entry = Fde(section, None, 0, 0)
            cies[(section, int(match.group(1), 16))] = entry
        elif line.startswith("   LOC"):
            columns = line.split()[1:]
        elif ROW.match(line):
            texts = REGISTER.sub(r"reg\1", line[16:]).split()
            entry.rows.append((int(line[:16], 16), dict(zip(columns, texts))))
    for fde in fdes:
        if not fde.rows and fde.cie in cies:
            fde.rows = [(fde.start, row) for _, row in cies[fde.cie].rows]
    return fdes


def read_segments(path):
    """(address, offset, bytes) of executable segments."""
    text = subprocess.run(["readelf", "-lW", path], capture_output=True, text=True).stdout
    found = [LOAD.match(line) for line in text.splitlines()]
    return [(int(m[2], 16), int(m[1], 16), int(m[3], 16)) for m in found if m and "E" in m[4]]


def read_table(dump, path):
    out = subprocess.run([dump, path], capture_output=True, text=True, check=True).stdout
    rows = [line.split(" ", 1) for line in out.splitlines()]
    return [int(row[0], 16) for row in rows], [row[1] for row in rows]


def place_matches(ours, theirs, go=False):
    """Where a register is: our notation against readelf's."""
    if theirs in ("u", "s"):
        return ours == ("lost" if go else "u")
    if theirs == "exp":
        return ours == "lost" or ours.startswith("*(") and not ours.startswith("*(c")
    if theirs == "vexp":
        return ours == "lost" or "(c" not in ours
    if theirs.startswith("c"):
        return ours == f"*({theirs})"
    if theirs.startswith("v"):
        return ours == "c" + theirs[1:]
    base = ours.removesuffix("+0")
    return theirs == "reg" + str(NUMBERS.get(base, base.lstrip("rx")))


def row_matches(ours, theirs, arm, go):
    """A rule of ours against a row of readelf's."""
    fp, ra = theirs.get("x29" if arm else "rbp", "u"), theirs.get("ra", "u")
    if ours == "root":
        return ra == "u"
    if ours.startswith("none CFA expression"):
        return theirs["CFA"] == "exp"
    if ours.startswith("none stack pointer"):
        return theirs.get("rsp", "u") != "u"
    if ours.startswith("none"):
        return False
    cfa, our_fp, our_ra = ours.split()[:3]
    if theirs["CFA"] == "exp":
        if not cfa.startswith(("*(", "plt")):
            return False
    elif cfa != theirs["CFA"]:
        return False
    if arm and ra in ("u", "s"):
        ra_good = bool(re.fullmatch(r"x\d+\+0", our_ra))
    else:
        ra_good = place_matches(our_ra, ra)
    return ra_good and place_matches(our_fp, fp, go)


def is_sigreturn(code):
    """Returns from signals, for which the code counts and not what some assemblers say about it."""
    return code.startswith((b"\x48\xc7\xc0\x0f\0\0\0\x0f\x05", b"\x68\x11\x80\xd2\1\0\0\xd4"))


def own_parts(fdes, segments):
    """(start, end, FDE), disjoint: as they are given precedence."""
    inside = [f for f in fdes if f.end > f.start and
              any(a <= f.start < a + n for a, _, n in segments)]
    inside.sort(key=lambda f: (f.start, f.section == ".debug_frame"))
    eh_starts = [f.start for f in inside if f.section != ".debug_frame"]
    low = 0
    for fde in inside:
        end = fde.end
        if fde.section == ".debug_frame":
            at = bisect.bisect_left(eh_starts, fde.start)
            if at < len(eh_starts):
                end = min(end, eh_starts[at])
        start = max(fde.start, low)
        if start < end:
            yield start, end, fde
            low = end


def compare(dump, path):
    """The number of differences; prints the first ones."""
    with open(path, "rb") as file:
        image = file.read()
    arm = image[18:20] == b"\xb7\x00"
    go = b"\0.gopclntab\0" in image  # its .debug_frame does not say where rbp is saved
    segments = read_segments(path)
    keys, rules = read_table(dump, path)
    known, wrong, compared, gaps = set(), [], 0, []

    def rule_at(address):
        at = bisect.bisect_right(keys, address) - 1
        return rules[at] if at >= 0 else "none not covered"

    def code_at(start, end):
        return b"".join(image[o + start - a:o + end - a] for a, o, n in segments if a <= start < a + n)

    last = None
    for start, end, fde in own_parts(read_frames(path), segments):
        if last is not None and last < start:
            gaps.append((last, start))
        last = end
        known.add(end)
        if start == fde.start and is_sigreturn(code_at(start, end)) and "signal" in rule_at(start):
            continue
        known.update(max(address, start) for address, _ in fde.rows if address < end)
        # Of rows at one address the last one holds.
        for address, row in {max(a, start): r for a, r in fde.rows if a < end}.items():
            compared += 1
            if not row_matches(rule_at(address), row, arm, go and fde.section == ".debug_frame"):
                wrong.append(f"{address:x}: '{rule_at(address)}' here, {row} there")
    for start, end in gaps:
        if rule_at(start) != "none not covered" and not set(code_at(start, end)) <= FILLING:
            wrong.append(f"{start:x}: '{rule_at(start)}' here, not covered there")
    for key, rule in zip(keys, rules):
        in_gap = rule == "none not covered" or "signal" in rule
        if key not in known and not in_gap:
            wrong.append(f"{key:x}: '{rule}' here, no row there")
    for text in wrong[:MAX_SHOWN]:
        print(f"  {text}")
    nones = sum(rule.startswith("none") and rule != "none not covered" for rule in rules)
    print(f"{path}: {compared} rows compared, {len(gaps)} gaps, {len(keys)} rows here, "
          f"{nones} without a rule that is known, {len(wrong)} differ")
    return len(wrong) + (compared == 0)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(1 if sum(compare(sys.argv[1], path) for path in sys.argv[2:]) else 0)


if __name__ == "__main__":
    main()
