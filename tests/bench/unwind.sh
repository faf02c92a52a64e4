#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What user stacks of 30 frames without frame pointers cost, and how many of them are complete: ours, by each
# way, and perf's. SECONDS_EACH=N sets how long each is recorded (3).
set -eu
cd "$(dirname "$0")/../.."
export BUILD=${BUILD:-$PWD/build} LC_ALL=C PATH=$PATH:/usr/sbin:/sbin
seconds=${SECONDS_EACH:-3}
rate=997
scratch=$(mktemp -d)
stats=$(sysctl -n kernel.bpf_stats_enabled)
sysctl -q kernel.bpf_stats_enabled=1
"$BUILD/tests/workloads/nofp_depth" --from 25 --to 25 --ms 600000 >"$scratch/out" &
workload=$!
trap 'kill $workload; sysctl -q kernel.bpf_stats_enabled=$stats; rm -rf "$scratch"' EXIT
sleep 0.5

# Time that the sampling program has taken so far, in nanoseconds, while it is loaded. It runs for other
# programs' samples too, which it does not take; that is charged to those that it takes.
program_ns() {
	bpftool -j prog show | python3 -c '
import json, sys
for p in json.load(sys.stdin):
    if p.get("name") == "on_sample" and str(p["id"]) not in sys.argv[1:]:
        print(p.get("run_time_ns", 0))
        break' "$@"
}

# Programs of other recordings.
others() {
	bpftool prog show name on_sample 2>/dev/null | sed -n 's/^\([0-9]*\):.*/\1/p'
}

row() {
	printf '%-26s %9s %9s %12s %12s\n' "$@"
}

ours() {
	local name=$1 pid ns not_ours
	shift
	not_ours=$(others)
	"$BUILD/pa-record" -q --pid $workload --profile --sample-rate $rate --duration ${seconds}s -o "$scratch/trace.pa" "$@" &
	pid=$!
	sleep $((seconds - 1)).8
	ns=$(program_ns $not_ours)
	wait $pid
	"$BUILD/pa-report" --dump "$scratch/trace.pa" >"$scratch/dump"
	# Copies are walked by the report, which says how many are whole.
	"$BUILD/pa-report" --scrub "$scratch/trace.pa" "$scratch/walked.pa"
	"$BUILD/pa-report" --dump "$scratch/walked.pa" | python3 tests/e2e/trace.py ends >"$scratch/ends"
	local samples whole
	samples=$(sed -n 's/^place=cpu all=\([0-9]*\).*/\1/p' "$scratch/ends")
	whole=$(sed -n 's/^place=cpu .* complete=\([0-9]*\) fp_end=\([0-9]*\).*/\1 \2/p' "$scratch/ends" | awk '{ print $1 + $2 }')
	row "$name" "$samples" "$((100 * whole / (samples + !samples))) %" $(($(stat -c %s "$scratch/trace.pa") / (samples + !samples))) \
		$((ns * seconds * 10 / (seconds * 10 - 2) / (samples + !samples)))
}

perfs() {
	local name=$1 samples whole
	shift
	perf record -q -F $rate -p $workload -o "$scratch/perf.data" "$@" -- sleep "$seconds" >/dev/null 2>&1 || true
	timeout 120 perf script -i "$scratch/perf.data" --no-inline -F ip,sym 2>/dev/null >"$scratch/script" || true
	samples=$(awk 'BEGIN { RS = "" } { n++ } END { print n + 0 }' "$scratch/script")
	whole=$(awk 'BEGIN { RS = "" } / _start/ { n++ } END { print n + 0 }' "$scratch/script")
	row "$name" "$samples" "$((100 * whole / (samples + !samples))) %" $(($(stat -c %s "$scratch/perf.data") / (samples + !samples))) -
}

row "user stacks, 30 frames" samples whole bytes/each "ns/sample"
ours "pa-record, tables" --unwind auto
ours "pa-record, frame pointers" --unwind fp
ours "pa-record, copies" --unwind copy
perfs "perf record -g" -g
perfs "perf --call-graph dwarf" --call-graph dwarf
