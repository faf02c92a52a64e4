#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Off-CPU time: how long, how often, under which stack, in which state; and what is still blocked.
load lib.bash

setup_file() {
	begin_file || return 0
}

sleep_twenty_times() {
	local threads functions tid
	record sleeper --offcpu --pmu -- "$WORKLOADS/sleeper" --count 20 --ms 100 || return 1
	tid=$(field "$T/sleeper.out" tid)
	threads=$(sums sleeper threads) && functions=$(functions sleeper off "tid=$tid") || return 1
	near "time in sleep_once" "$(field "$functions" total function=sleep_once)" 2e9 1 || return 1
	near "intervals of the thread" "$(field "$threads" interval_ns "tid=$tid")" \
		"$(calc "$(field "$threads" sleep_ns "tid=$tid") + $(field "$threads" disk_ns "tid=$tid")")" 0.1 || return 1
	[ "$(field "$functions" count function=sleep_once)" -eq 20 ]
}

@test "20 sleeps of 100 ms are 2.0 s blocked, within 1 %, 20 times, in the function that sleeps" {
	twice sleep_twenty_times
}

@test "the stack of the sleep goes from main to the kernel" {
	local stacks
	stacks=$(stacks sleeper off)
	grep -E 'stack=.*;main;run;sleep_often;sleep_once;.*nanosleep' "$stacks"
}

@test "the intervals are a distribution, not only a sum: 20 of 100 ms each" {
	local maxima tid
	tid=$(field "$T/sleeper.out" tid)
	maxima=$(sums sleeper maxima)
	holds "block count" "$(field "$maxima" count "tid=$tid" kind=block) >= 20"
	holds "longest block" "$(field "$maxima" max_ns "tid=$tid" kind=block) >= 100e6"
	holds "longest block" "$(field "$maxima" max_ns "tid=$tid" kind=block) < 120e6"
}

blocked_all_the_time() {
	local threads functions whole span name
	workload_start blocked futex_block --seconds 30 --idle 3 || return 1
	record blocked --offcpu --pmu --pid "$WORKLOAD" --duration 2s || return 1
	stop "$WORKLOAD"
	threads=$(sums blocked threads) && whole=$(sums blocked whole) || return 1
	functions=$(functions blocked off thread=blocked) || return 1
	span=$(field "$whole" span_ns)
	near "the window" "$span" 2e9 2 || return 1
	near "wait_forever" "$(field "$functions" total function=wait_forever)" "$span" 1 || return 1
	for name in blocked idle; do
		near "blocked time of '$name'" "$(field "$threads" interval_ns "comm=$name")" "$span" 1 || return 1
		[ "$(field "$threads" open "comm=$name")" -eq 1 ] || return 1
	done
}

@test "a thread that is in a futex for the whole recording shows the whole window, marked open" {
	twice blocked_all_the_time
}

@test "the report counts the intervals that are open at the end" {
	local text
	text=$(text blocked)
	# the blocked one, three idle ones, and the main thread
	has "$text" "5 still open at the end"
}

@test "a futex that is waited for all the time names the system call and the kernel's side" {
	local stacks
	stacks=$(stacks blocked off thread=blocked)
	grep -E 'stack=.*blocked;wait_forever;.*futex' "$stacks"
	[ "$(grep -c . "$stacks")" -eq 1 ]
}

# Time in the futex is blocked time and the wait for a CPU after the wakeup.
convoy() {
	local threads functions tid waited sleep runq
	record convoy --offcpu --pmu -- "$WORKLOADS/mutex_convoy" --threads 4 --seconds 2 || return 1
	threads=$(sums convoy threads) || return 1
	while read -r tid; do
		waited=$(field "$T/convoy.out" waited_ns "tid=$tid")
		sleep=$(field "$threads" sleep_ns "tid=$tid")
		runq=$(field "$threads" runq_ns "tid=$tid")
		holds "waiter $tid" "$sleep > 0 && $sleep <= 1.01 * $waited" || return 1
		holds "waiter $tid" "$sleep + $runq >= 0.99 * $waited" || return 1
		functions=$(functions convoy off "tid=$tid") || return 1
		near "lock_wait of $tid" "$(field "$functions" total function=lock_wait)" "$sleep" 1 || return 1
		near "convoy_lock of $tid" "$(field "$functions" total function=convoy_lock)" "$sleep" 1 || return 1
	done < <(grep -o 'tid=[0-9]*' "$T/convoy.out" | cut -d= -f2)
}

@test "a contended lock shows each of its waiters and the function that waits" {
	twice convoy
	[ "$(grep -c . "$T/convoy.out")" -eq 4 ]
}

@test "preempted time is not blocked time: two spinners on one CPU block for 0 s" {
	local threads
	record spinners --offcpu --pmu -- "$WORKLOADS/twospin" --seconds 2
	threads=$(sums spinners threads)
	holds "blocked" "$(total "$threads" interval_ns comm=spinner) < 0.01 * $(total "$threads" observed_ns comm=spinner)"
}

@test "a wait for the disk is uninterruptible and I/O; one for a vfork'ed child is not I/O" {
	local threads tid
	record disk --offcpu --pmu -- "$WORKLOADS/iowait" --file "$BUILD/tests/iowait.data" --count 100
	rm -f "$BUILD/tests/iowait.data"
	tid=$(field "$T/disk.out" tid)
	threads=$(sums disk threads)
	near "D state, and the waits for a CPU after it" \
		"$(calc "$(field "$threads" disk_ns "tid=$tid") + $(field "$threads" runq_ns "tid=$tid") + $(field "$threads" on_cpu_ns "tid=$tid")")" \
		"$(field "$threads" observed_ns "tid=$tid")" 10
	holds "D state" "$(field "$threads" disk_ns "tid=$tid") > 100 * 50e3"
	near "I/O" "$(field "$threads" iowait_ns "tid=$tid")" "$(field "$threads" disk_ns "tid=$tid")" 10

	record vfork --offcpu --pmu -- "$WORKLOADS/forker" --count 0 --vfork 300
	tid=$(field "$T/vfork.out" tid)
	threads=$(sums vfork threads)
	near "D state" "$(field "$threads" disk_ns "tid=$tid")" "$(field "$T/vfork.out" vfork_ns)" 2
	holds "I/O" "$(field "$threads" iowait_ns "tid=$tid") < 0.1 * $(field "$T/vfork.out" vfork_ns)"
}

@test "a stopped process is neither preempted nor asleep" {
	local threads
	READY=no workload_start stopped spin7030 --seconds 20
	record_start stopped --offcpu --pmu --pid "$WORKLOAD" --duration 3s
	python3 - "$WORKLOAD" >"$T/stopped_ns" <<-'END'
		import os, signal, sys, time
		pid = int(sys.argv[1])
		begin = time.monotonic_ns()
		os.kill(pid, signal.SIGSTOP)
		time.sleep(1)
		os.kill(pid, signal.SIGCONT)
		print(time.monotonic_ns() - begin)
	END
	wait "$RECORDER"
	stop "$WORKLOAD"
	threads=$(sums stopped threads)
	within "stopped" "$(total "$threads" other_ns)" "$(cat "$T/stopped_ns")" 0.1e9
	holds "asleep" "$(total "$threads" sleep_ns) < 0.1e9"
}

# Every one of 131072 blocks has a stack of its own: more than any table holds.
many_stacks() {
	local threads whole tid functions
	record many --offcpu --pmu -- "$WORKLOADS/many_stacks" --bits 17 || return 1
	tid=$(field "$T/many.out" tid)
	threads=$(sums many threads) && whole=$(sums many whole) || return 1
	# A sleep whose time is over before the thread has left the CPU is none.
	near "blocks" "$(field "$threads" blocks "tid=$tid")" "$(field "$T/many.out" voluntary)" 1 || return 1
	functions=$(functions many off "tid=$tid") || return 1
	near "in the profile" "$(total "$functions" self)" "$(field "$threads" sleep_ns "tid=$tid")" 1
}

@test "131072 different stacks: blocked time stays whole" {
	twice many_stacks
}

# The rows of WHO WAKES WHOM: waker and woken.
wakes() {
	sed -n '/^WHO WAKES WHOM/,/^$/p' "$1" | grep -oE '[^ ]+(/[0-9]+|upt) > [^ ]+/[0-9]+'
}

@test "two processes with two pipes wake each other, and nobody else does" {
	local text a b
	record passing --offcpu -- "$WORKLOADS/pingpong" --count 20000 --cpu 0
	text=$(text passing --offcpu)
	read -r a b < <(grep -o 'pid=[0-9]*' "$T/passing.out" | cut -d= -f2 | xargs)
	wakes "$text" | grep -qx "pingpong/$a > pingpong/$b"
	wakes "$text" | grep -qx "pingpong/$b > pingpong/$a"
	# All of the time in read is ended by the other one.
	awk -v a="$a" -v b="$b" '/^WHO WAKES WHOM/ { on = 1 } /^$/ { on = 0 }
		on && ($0 ~ "/" a " > .*/" b || $0 ~ "/" b " > .*/" a) { sum += $1 }
		END { if (sum < 97) { print "only " sum " %"; exit 1 } }' "$text"
	grep -Eq '^ +[0-9.]+ % .* pipe +read +pass_on < (anon_)?pipe_read' "$text"
}

@test "a sleep is ended by the timer, not by whoever ran when it went off" {
	local text tid
	READY=no workload_start sleeping spin7030 --seconds 20 --threads 2
	record sleeping --offcpu -- "$WORKLOADS/sleeper" --ms 5 --count 200
	stop "$WORKLOAD"
	tid=$(field "$T/sleeping.out" tid)
	text=$(text sleeping --offcpu)
	awk -v tid="$tid" '/^WHO WAKES WHOM/ { on = 1 } /^$/ { on = 0 }
		on && /a timer or an interrupt > / && $0 ~ "/" tid "$" { sum += $1 }
		END { if (sum < 98) { print "only " sum " %"; exit 1 } }' "$text"
}

@test "with --wakers the stack of who wakes a waiter is the one that unlocks" {
	local text
	record unlock --wakers -- "$WORKLOADS/mutex_convoy" --threads 3 --seconds 1
	text=$(text unlock --offcpu)
	[ "$(wakes "$text" | grep -cE 'convoy/[0-9]+ > convoy/[0-9]+')" -ge 4 ]
	grep -Eq 'futex_wake < .*convoy_unlock < contend' "$text"
	grep -Eq '^ +[0-9.]+ % .* lock +futex +lock_wait' "$text"
}
