#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Workloads that are bound by one thing each: the right verdict, the right class of waits, and numbers as the
# workload itself measured them.
load lib.bash

setup_file() {
	begin_file || return 0
}

# class_ns FILE CLASS [FUNCTION]: blocked time of a class of waits, by the table of what waited; that of one function.
class_ns() {
	awk -v class="$2" -v function_="${3:-}" '
	BEGIN { unit["ns"] = 1; unit["µs"] = 1e3; unit["ms"] = 1e6; unit["s"] = 1e9 }
	/^OFF CPU, BY WHAT WAITED/ { on = 1 }
	/^$/ { on = 0 }
	on && match($0, /^ +[0-9.]+ % +[0-9.]+ (ns|µs|ms|s) +[0-9]+ +[0-9.]+ (ns|µs|ms|s)  /) {
		name = substr($0, RSTART + RLENGTH, 11)
		sub(/ +$/, "", name)
		if (name == class && index($0, function_))
			sum += $3 * unit[$4]
	}
	END { printf "%.0f\n", sum }' "$1"
}

# verdict FILE TITLE: what is said of it.
verdict() {
	awk -v title="$2" 'index($0, title) && /^  (healthy|watch|investigate|unknown)/ { print $1; exit }' "$1"
}

# Every thread's three kinds of time are its time, and the report has nothing to say of that.
adds_up() {
	lacks "$1" "don't add up"
}

cpu_bound() {
	local text threads tid
	record cpu --profile --offcpu --pmu -- "$WORKLOADS/twospin" --seconds 3 || return 1
	text=$(text cpu) && threads=$(sums cpu threads) || return 1
	# Two threads on one CPU: it is saturated, and nobody leaves it of his own accord.
	[ "$(verdict "$text" "preempted switches")" = investigate ] || return 1
	[ "$(verdict "$text" "voluntary switches")" = investigate ] || return 1
	[ "$(verdict "$text" "run-queue latency, P99")" != healthy ] || return 1
	adds_up "$text" || return 1
	while read -r tid; do
		near "time of $tid" "$(calc "$(field "$threads" on_cpu_ns "tid=$tid") + $(field "$threads" runq_ns "tid=$tid")")" \
			"$(field "$T/cpu.out" wall_ns "tid=$tid")" 2 || return 1
	done < <(grep -o 'tid=[0-9]*' "$T/cpu.out" | cut -d= -f2)
}

@test "over-committed: the CPU is saturated, its threads wait for it, and none of them blocks" {
	twice cpu_bound
	# The evidence: threads and stacks.
	has "$(text cpu)" "preempted: spinner/" "CPU time:"
}

lock_bound() {
	local text waited slept tid threads
	record lock --offcpu --pmu -- "$WORKLOADS/mutex_convoy" --threads 4 --seconds 2 || return 1
	text=$(text lock) && threads=$(sums lock threads) || return 1
	adds_up "$text" || return 1
	# What they waited in the futex is blocked time and the wait for a CPU after it.
	slept=$(total "$threads" sleep_ns comm=convoy)
	waited=$(total "$T/lock.out" waited_ns)
	near "class lock" "$(class_ns "$text" lock)" "$slept" 2 || return 1
	holds "waited" "$slept <= 1.01 * $waited && $slept + $(total "$threads" runq_ns comm=convoy) >= 0.98 * $waited" || return 1
	has "$text" "locks and futexes: contention" || return 1
}

@test "lock-bound: blocked time is of the class lock, and as long as the threads waited" {
	twice lock_bound
}

sleep_bound() {
	local text tid
	record sleep --offcpu --pmu -- "$WORKLOADS/sleeper" --ms 20 --count 100 || return 1
	text=$(text sleep) || return 1
	tid=$(field "$T/sleep.out" tid)
	adds_up "$text" || return 1
	# The wait for a CPU after each sleep is none of it.
	near "class sleep" "$(class_ns "$text" sleep)" \
		"$(calc "$(field "$T/sleep.out" slept_ns) - $(field "$(sums sleep threads)" runq_ns "tid=$tid")")" 2 || return 1
	[ "$(verdict "$text" "voluntary switches")" = healthy ] || return 1
	grep -Eq '^  waiting +[0-9.]+ %  sleep: idle' "$text" || return 1
}

@test "sleep-bound: blocked time is of the class sleep, which is idle" {
	twice sleep_bound
}

disk_bound() {
	local text tid threads
	record disk --offcpu --pmu -- "$WORKLOADS/iowait" --direct --file "$BUILD/tests/truth.data" --count 200 || return 1
	rm -f "$BUILD/tests/truth.data"
	text=$(text disk) && threads=$(sums disk threads) || return 1
	tid=$(field "$T/disk.out" tid)
	adds_up "$text" || return 1
	# A program that is not in memory yet waits for the disk by page faults as well.
	near "class disk" "$(calc "$(class_ns "$text" disk) + $(class_ns "$text" "page fault")")" \
		"$(field "$threads" disk_ns "tid=$tid")" 2 || return 1
	holds "class disk" "$(class_ns "$text" disk) > 0.9 * ($(total "$threads" sleep_ns) + $(total "$threads" disk_ns))" || return 1
}

@test "disk-bound, past the cache: blocked time is of the class disk" {
	twice disk_bound
}

fault_bound() {
	local text tid threads faults waited blocked
	record faults --offcpu --pmu -- "$WORKLOADS/page_faults" --file "$BUILD/tests/faults.data" --count 300 || return 1
	rm -f "$BUILD/tests/faults.data"
	tid=$(field "$T/faults.out" tid)
	faults=$(field "$T/faults.out" faults)
	[ "$faults" -gt 100 ] || skip "the pages of a file stay in memory here"
	text=$(text faults) && threads=$(sums faults threads) || return 1
	adds_up "$text" || return 1
	waited=$(field "$T/faults.out" waited_ns)
	# The wait in a fault is blocked time, the wait for a CPU after it, and what the fault itself takes. The
	# program's own pages may be waited for as well, elsewhere.
	blocked=$(class_ns "$text" "page fault" " touch < ")
	holds "class page fault" "$blocked <= 1.01 * $waited" || return 1
	holds "class page fault" "$blocked + $(field "$threads" runq_ns "tid=$tid") + $(field "$T/faults.out" cpu_ns) >= 0.97 * $waited" || return 1
	grep -Eq "^ +[0-9.]+ % .* page fault +- +touch < " "$text" || return 1
	holds "major faults" "$(sed -n 's/^  major-faults  *\([0-9.]*\).*/\1/p' "$(text faults --pmu)") >= $faults" || return 1
}

@test "bound by page faults: blocked time is of that class, in the function that touches the memory" {
	twice fault_bound
}

pipe_bound() {
	local text threads
	record pipe --offcpu --pmu -- "$WORKLOADS/pingpong" --count 100000 --cpu 0 || return 1
	text=$(text pipe) && threads=$(sums pipe threads) || return 1
	adds_up "$text" || return 1
	near "class pipe" "$(class_ns "$text" pipe)" "$(total "$threads" sleep_ns)" 2 || return 1
	near "voluntary" "$(total "$threads" voluntary)" "$(total "$T/pipe.out" voluntary)" 2 || return 1
}

@test "a ping-pong over pipes: blocked time is of the class pipe" {
	twice pipe_bound
}

# Percentiles of blocks against those of the intervals themselves, which are long enough to be sent one by one.
percentiles() {
	local tid
	record spread --offcpu --pmu -- "$WORKLOADS/sleeper" --ms 11 --count 60 --step-us 700 || return 1
	tid=$(field "$T/spread.out" tid)
	report spread --dump >"$T/spread.dump" || return 1
	report spread --pmu >"$T/spread.pmu" || return 1
	python3 - "$T/spread.dump" "$T/spread.pmu" "$tid" <<-'END'
		import re, sys
		dump, page, tid = open(sys.argv[1]).read(), open(sys.argv[2]).read(), sys.argv[3]
		thread = re.search(r"^thread .*\bid=(\d+) .*\btid=%s\b" % tid, dump, re.M)[1]
		exact = sorted(int(m) for m in re.findall(
		    r"^block .*?duration_ns=(\d+) thread=%s\b" % thread, dump, re.M))
		unit = {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}
		row = re.search(r"^  blocks +(\d+) +(.*)$", page, re.M)
		shown = [float(v) * unit[u] for v, u in re.findall(r"([0-9.]+) (ns|µs|ms|s)\b", row[2])][:4]
		short = int(row[1]) - len(exact)
		for share, value in zip((0.5, 0.9, 0.99, 0.999), shown):
		    rank = max(0, int(-(-share * int(row[1]) // 1)) - 1 - short)
		    # Half a unit of the last of three digits comes on top.
		    if abs(value - exact[rank]) > 0.016 * exact[rank] + 0.005 * value:
		        sys.exit("P%g: %g, exact %g" % (100 * share, value, exact[rank]))
	END
}

@test "percentiles are those of the single intervals, within 1.6 %" {
	twice percentiles
}
