#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A recorder that is killed costs the last second at most.
load lib.bash

setup_file() {
	begin_file || return 0
}

killed_once() {
	local name=kill$1 killed_ns started_ns covered_ns whole
	record_start "$name" --profile --offcpu --pmu --sample-rate 997 --pid "$WORKLOAD" --duration 60s
	sleep "$((RANDOM % 2)).$((RANDOM % 900 + 100))"
	killed_ns=$(now_ns)
	kill -9 "$RECORDER"
	wait "$RECORDER" || true
	whole=$(sums "$name" whole) || return 1
	started_ns=$(field "$whole" start_ns)
	covered_ns=$(field "$whole" covered_ns)
	[ "${covered_ns:-0}" -gt "$started_ns" ] || covered_ns=$started_ns
	[ "$(field "$whole" end)" = - ] || return 1
	holds "started" "$started_ns > 0 && $started_ns < $killed_ns" || return 1
	holds "missing" "$killed_ns - $covered_ns <= 1.5e9" || return 1
	has "$(text "$name")" incomplete
}

# KILLS=100 for a long run.
@test "kill -9 at a random moment, again and again: read, incomplete, at most 1.5 s missing" {
	local i AHEAD="nice -n -20"
	READY=no workload_start busy mixed --seconds 3000 --file "$T/mixed.data"
	for ((i = 1; i <= ${KILLS:-10}; i++)); do
		twice killed_once $i
	done
	stop "$WORKLOAD"
}

@test "nothing of a killed recorder is left running" {
	local helpers
	READY=no workload_start busy spin7030 --seconds 60
	record_start orphan -a --profile --duration 60s
	helpers=$(pgrep -P "$RECORDER" | tr '\n' ' ')
	kill -9 "$RECORDER"
	wait "$RECORDER" || true
	sleep 0.5
	stop "$WORKLOAD"
	for pid in $helpers; do
		# Nobody may be there to collect it.
		[ ! -e "/proc/$pid" ] || grep '^State:.Z' "/proc/$pid/status"
	done
}

@test "a command under a killed recorder lives on" {
	local child
	record_start survivor --profile -- sleep 30
	sleep 0.5
	child=$(pgrep -P "$RECORDER" -x sleep)
	kill -9 "$RECORDER"
	wait "$RECORDER" || true
	kill -0 "$child"
	kill "$child"
}

@test "every prefix of a trace is a trace: cut at 40 places" {
	local i size
	record whole --profile --offcpu --pmu -- "$WORKLOADS/mixed" --seconds 2 --file "$T/mixed.data"
	size=$(stat -c %s "$T/whole.pa")
	for ((i = 1; i <= 40; i++)); do
		head -c $((size * i / 41)) "$T/whole.pa" >"$PUBLIC/cut.pa"
		as_nobody "$PUBLIC/pa-report" "$PUBLIC/cut.pa" >"$T/cut.text" 2>"$T/cut.err" || {
			# So little that there is not even a first block: it says so.
			[ $i -le 3 ] && [ "$(grep -c . "$T/cut.err")" -eq 1 ]
			continue
		}
		has "$T/cut.text" incomplete
	done
}
