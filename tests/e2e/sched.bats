#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Scheduler statistics: where the time of a thread went, why it was switched away, how long it waited.
load lib.bash

setup_file() {
	begin_file || return 0
}

# The three kinds of time are the time observed.
adds_up() {
	awk '{
		for (i = 1; i <= NF; i++) { eq = index($i, "="); v[substr($i, 1, eq - 1)] = substr($i, eq + 1) }
		sum = v["on_cpu_ns"] + v["runq_ns"] + v["sleep_ns"] + v["disk_ns"] + v["other_ns"]
		d = sum - v["observed_ns"]
		if ((d < 0 ? -d : d) > 0.01 * v["observed_ns"]) { print "does not add up:", $0; bad = 1 }
	} END { exit bad }' "$1"
}

spinners() {
	local threads tid wall
	record spinners --pmu --offcpu -- "$WORKLOADS/twospin" --seconds 4 --yields 500 || return 1
	threads=$(sums spinners threads) || return 1
	while read -r tid; do
		wall=$(field "$T/spinners.out" wall_ns "tid=$tid")
		within "run-queue share of $tid" "$(calc "100 * $(field "$threads" runq_ns "tid=$tid") / $wall")" \
			"$(calc "100 * $(field "$T/spinners.out" runq_ns "tid=$tid") / $wall")" 1 || return 1
		# The kernel's CPU time leaves out what interrupts and the hypervisor took; ours does not.
		holds "CPU time of $tid" \
			"$(field "$threads" on_cpu_ns "tid=$tid") >= 0.99 * $(field "$T/spinners.out" cpu_ns "tid=$tid")" || return 1
		near "CPU and run-queue time of $tid" \
			"$(calc "$(field "$threads" on_cpu_ns "tid=$tid") + $(field "$threads" runq_ns "tid=$tid")")" "$wall" 1 || return 1
	done < <(grep -o 'tid=[0-9]*' "$T/spinners.out" | cut -d= -f2)
}

@test "two spinners on one CPU: about 50 % run-queue wait each, all of their time is there" {
	local threads tid
	twice spinners
	threads=$(sums spinners threads)
	while read -r tid; do
		holds "run-queue share of $tid" \
			"$(field "$threads" runq_ns "tid=$tid") > 0.45 * $(field "$threads" observed_ns "tid=$tid")"
	done < <(grep -o 'tid=[0-9]*' "$T/spinners.out" | cut -d= -f2)
}

@test "the reason of their switches is 'preempted', and sched_yield is told apart" {
	local threads tid preempted yielded
	threads=$(sums spinners threads)
	while read -r tid; do
		preempted=$(field "$threads" preempted "tid=$tid")
		yielded=$(field "$threads" yielded "tid=$tid")
		holds "yielded" "$yielded >= 450 && $yielded <= 510"
		near "involuntary switches of $tid" "$(calc "$preempted + $yielded")" \
			"$(field "$T/spinners.out" preempted "tid=$tid")" 3
		holds "voluntary" "$(field "$threads" voluntary "tid=$tid") < 0.05 * $preempted"
	done < <(grep -o 'tid=[0-9]*' "$T/spinners.out" | cut -d= -f2)
}

@test "on-CPU, off-CPU and run-queue time of each thread are its time, within 1 %" {
	local threads
	threads=$(sums spinners threads)
	adds_up "$threads"
	for tid in $(grep -o 'tid=[0-9]*' "$T/spinners.out" | cut -d= -f2); do
		near "observed time of $tid" "$(field "$threads" observed_ns "tid=$tid")" \
			"$(field "$T/spinners.out" wall_ns "tid=$tid")" 1
	done
}

@test "a thread that sleeps 1 ms at a time has a run-queue wait for every wakeup" {
	local threads maxima tid wakeups
	record short --pmu -- "$WORKLOADS/sleeper" --ms 1 --count 1000
	threads=$(sums short threads)
	maxima=$(sums short maxima)
	tid=$(field "$T/short.out" tid)
	wakeups=$(field "$threads" wakeups "tid=$tid")
	# A sleep whose time is over before the thread has left the CPU is none.
	within "wakeups" "$wakeups" "$(field "$T/short.out" voluntary "tid=$tid")" 10
	holds "wakeups" "$wakeups >= 950"
	holds "waits" "$(field "$threads" runq_waits "tid=$tid") >= $wakeups - 1"
	[ "$(field "$maxima" count "tid=$tid" kind=runq)" -eq "$(field "$threads" runq_waits "tid=$tid")" ]
	within "waits are wakeups and preemptions" "$(field "$threads" runq_waits "tid=$tid")" \
		"$(calc "$wakeups + $(field "$threads" preempted "tid=$tid") + $(field "$threads" yielded "tid=$tid")")" 2
	adds_up "$threads"
}

@test "with -a no slice, wait or block is longer than the recording, and every thread adds up" {
	local maxima whole span
	workload_start system futex_block --seconds 20
	record system --pmu --offcpu -a --duration 2s
	stop "$WORKLOAD"
	whole=$(sums system whole)
	maxima=$(sums system maxima)
	span=$(field "$whole" span_ns)
	awk -v span="$span" '{ sub(/.*max_ns=/, ""); if ($1 > span) { print "too long:", $0; bad = 1 } } END { exit bad }' "$maxima"
	adds_up "$(sums system threads)"
	near "all CPUs were observed" "$(field "$whole" cpu_ns)" "$(calc "$span * $(field "$whole" cpus)")" 1
}

passes() {
	local threads pid whole
	record passes --pmu --offcpu -- "$WORKLOADS/pingpong" --count 100000 --cpu 0 || return 1
	threads=$(sums passes threads) && whole=$(sums passes whole) || return 1
	[ "$(field "$whole" lost)" -eq 0 ] || return 1
	for pid in $(grep -o 'pid=[0-9]*' "$T/passes.out" | cut -d= -f2); do
		near "switches of $pid" "$(calc "$(field "$threads" voluntary "pid=$pid") + $(field "$threads" preempted "pid=$pid")")" \
			"$(calc "$(field "$T/passes.out" voluntary "pid=$pid") + $(field "$T/passes.out" preempted "pid=$pid")")" 1 || return 1
		near "voluntary switches of $pid" "$(field "$threads" voluntary "pid=$pid")" \
			"$(field "$T/passes.out" voluntary "pid=$pid")" 1 || return 1
		near "CPU time of $pid" "$(field "$threads" on_cpu_ns "pid=$pid")" "$(field "$T/passes.out" cpu_ns "pid=$pid")" 2 || return 1
	done
	adds_up "$threads"
}

@test "200 000 switches in a second are all counted, and nothing is lost" {
	twice passes
}

# Two recorders at the same time, one of which is stopped for half of it: a busy host has the sample clock of both
# late alike.
full_buffer() {
	local whole free rate
	READY=no workload_start stall spin7030 --seconds 20 --threads 2
	record_start free --profile --pmu --sample-rate 5000 --buffer 64M --pid "$WORKLOAD" --duration 4s
	free=$RECORDER
	record_start stall --profile --pmu --sample-rate 5000 --buffer 64K --pid "$WORKLOAD" --duration 4s
	sleep 0.5
	kill -STOP "$RECORDER"
	sleep 2
	kill -CONT "$RECORDER"
	wait "$RECORDER" "$free"
	stop "$WORKLOAD"
	whole=$(sums stall whole)
	holds "lost" "$(field "$whole" lost_0) > 1000" || return 1
	rate=$(calc "$(field "$(sums free whole)" samples) / $(total "$(sums free threads)" on_cpu_ns)")
	near "kept and lost" "$(calc "$(field "$whole" samples) + $(field "$whole" lost_0)")" \
		"$(calc "$(total "$(sums stall threads)" on_cpu_ns) * $rate")" 3 || return 1
	has "$(text stall)" "$(field "$whole" lost_0)" && has "$T/stall.err" "$(field "$whole" lost) lost"
}

@test "a full buffer is counted: samples kept and lost are those that were due" {
	twice full_buffer
}

# The value of a verdict of the text report that is a time.
verdict_ns() {
	awk -v name="$2" 'index($0, name) {
		n = split(substr($0, index($0, name) + length(name)), f, " ")
		unit["ns"] = 1; unit["µs"] = 1e3; unit["ms"] = 1e6; unit["s"] = 1e9
		printf "%.0f\n", f[1] * unit[f[2]]
		exit
	}' "$1"
}

@test "percentiles and shares of the whole are those of all processes merged" {
	local text threads voluntary preempted all
	record merged --pmu -- bash -c "$WORKLOADS/twospin --seconds 2 & $WORKLOADS/sleeper --ms 1 --count 500 & wait"
	text=$(text merged --pmu)
	threads=$(sums merged threads)
	voluntary=$(total "$threads" voluntary)
	all=$(calc "$voluntary + $(total "$threads" preempted) + $(total "$threads" yielded)")
	has "$text" "$(awk "BEGIN { printf \"%.1f %%\", 100 * $voluntary / $all }")"
	near "run-queue latency, P99" "$(verdict_ns "$text" "run-queue latency, P99")" \
		"$(field "$(sums merged percentiles)" runq_p99_ns)" 1.6
	near "on-CPU slice, P99.9" "$(verdict_ns "$text" "on-CPU slice, P99.9")" \
		"$(field "$(sums merged percentiles)" slice_p999_ns)" 1.6
}

@test "without a PMU the counters' verdicts are unknown, with the reason, and software counters are there" {
	local text
	record counters --profile --offcpu --pmu -- "$WORKLOADS/spin7030" --seconds 1
	[ "$(field "$(sums counters whole)" event)" = cpu-clock ] || skip "this machine has hardware counters"
	text=$(text counters)
	grep -E 'instructions per cycle.*unknown: no hardware counters on this machine' "$text"
	grep -E 'cache misses.*unknown: no hardware counters on this machine' "$text"
	grep -E '^counter .*name="(page|minor)-faults"' "$T/counters.dump"
	holds "page faults were counted" "$(field "$(sums counters whole)" counts) > 0"
}

@test "a recording of everything ends within 2 s of being told to, however many switches there are" {
	local first second begin
	READY=no workload_start busy0 pingpong --count 100000000 --cpu 0
	first=$WORKLOAD
	READY=no workload_start busy1 pingpong --count 100000000 --cpu 1
	second=$WORKLOAD
	record_start torrent -a --profile --offcpu --pmu --duration 1m
	sleep 2
	begin=${EPOCHREALTIME/./}
	kill -INT "$RECORDER"
	wait "$RECORDER"
	holds "time to end" "${EPOCHREALTIME/./} - $begin < 2000000"
	stop "$first" "$second"
	[ "$(field "$(sums torrent whole)" end)" -eq 1 ]
	# Whatever was lost on the way is counted, and times are whole.
	adds_up "$(sums torrent threads)"
}

@test "counters have the same numbers and names with other modes and without" {
	record alone --pmu -- "$WORKLOADS/spin7030" --seconds 1
	record together --profile --offcpu --pmu -- "$WORKLOADS/spin7030" --seconds 1
	report alone --dump | grep '^counter ' >"$T/alone.counters"
	report together --dump | grep '^counter ' >"$T/together.counters"
	diff "$T/alone.counters" "$T/together.counters"
}

@test "few descriptors are made more of where that is allowed, else one sentence says what is missing" {
	bash -c "ulimit -Sn 12; exec '$RECORD' -q --profile --pmu -o '$T/few.pa' -- true"
	run bash -c "ulimit -n 12; exec '$RECORD' -q --profile --pmu -o '$T/none.pa' -- true"
	[ "$status" -eq 1 ] || [ "$status" -eq 0 ]
	[ "$status" -eq 0 ] || [[ "$output" == *"open files"* ]]
}
