#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Sizes of whole trace files, side by side with perf's of the same run:
#	a	a CPU-bound program with deep recursion, at 997 Hz
#	b	the whole system over a C++ compile, at 997 Hz
#	c	scheduler and off-CPU time of a contended lock, against perf sched record
# Every recorder records at the same time. SECONDS_EACH=N sets how long a and c take. Needs root.
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-$PWD/build}
seconds=${SECONDS_EACH:-10}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# background COMMAND...: its messages are of interest only if it fails.
pids=()
background() {
	"$@" >>"$work/log" 2>&1 &
	pids+=($!)
}

# Ends all recorders in order.
finish() {
	kill -INT "${pids[@]}" 2>/dev/null
	wait "${pids[@]}" 2>/dev/null
	pids=()
}

bytes() { stat -c %s "$work/$1" 2>/dev/null || echo 0; }

# row NAME OURS THEIRS BOUND WHAT: a line of the table.
row() {
	awk -v name="$1" -v ours="$(bytes "$2")" -v theirs="$(bytes "$3")" -v bound="$4" -v what="$5" 'BEGIN {
		ratio = theirs ? ours / theirs : 0
		printf "%-2s %10d  %10d  %7.4f  <= %.4f  %-5s %s\n", name, ours, theirs, ratio, bound,
			theirs && ratio <= bound ? "ok" : "MISS", what
	}'
}

# per_sample FILE: bytes of the trace for each of its samples.
per_sample() {
	awk -v bytes="$(bytes "$1")" -v samples="$("$BUILD/pa-report" --dump "$work/$1" | grep -c '^sample ')" \
		'BEGIN { printf "   %.2f bytes a sample of %d\n", samples ? bytes / samples : 0, samples }'
}

perf_record=(perf record -q --no-buildid -F 997 -g)

recursion() {
	"$BUILD/tests/workloads/spin7030" --depth 40 --seconds $((seconds + 2)) >/dev/null &
	local program=$!
	sleep 0.5
	background "${perf_record[@]}" -p $program -o "$work/a.plain"
	background "${perf_record[@]}" -z -p $program -o "$work/a.z"
	background "$BUILD/pa-record" -q --profile -F 997 -d 1h -p $program -o "$work/a.pa"
	sleep "$seconds"
	finish
	kill $program 2>/dev/null
	wait $program 2>/dev/null
	row a a.pa a.z 0.3333 "perf record -g -z"
	row a a.pa a.plain 0.02 "perf record -g"
	per_sample a.pa
}

compile() {
	printf '#include <%s>\n' regex map string iostream algorithm >"$work/x.cc"
	printf 'int main(int c, char **v) { return std::regex_match(v[0], std::regex("a*")) + c; }\n' >>"$work/x.cc"
	background "${perf_record[@]}" -a -o "$work/b.plain"
	background "${perf_record[@]}" -a -z -o "$work/b.z"
	background "$BUILD/pa-record" -q --profile -F 997 -d 1h -a -o "$work/b.pa"
	sleep 1
	g++ -O2 -c -o "$work/x.o" "$work/x.cc"
	sleep 1
	finish
	row b b.pa b.z 0.6 "perf record -a -g -z"
	row b b.pa b.plain 0.1 "perf record -a -g"
	per_sample b.pa
}

contention() {
	"$BUILD/tests/workloads/mutex_convoy" --seconds $((seconds + 2)) >/dev/null &
	local program=$!
	sleep 0.5
	background perf sched record -q -o "$work/c.sched"
	background "$BUILD/pa-record" -q --offcpu --pmu -d 1h -a -o "$work/c.pa"
	sleep "$seconds"
	finish
	kill $program 2>/dev/null
	wait $program 2>/dev/null
	row c c.pa c.sched 0.02 "perf sched record"
}

printf '%-2s %10s  %10s  %7s  %s\n' "" bytes perf ratio bound
recursion
compile
contention
