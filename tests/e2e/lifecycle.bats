#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The life of processes and threads: fork, exec, exit, names, and how a recording ends.
load lib.bash

setup_file() {
	begin_file || return 0
}

short_processes() {
	local functions processes all
	record short --profile --sample-rate 997 -- "$WORKLOADS/shortlived" --count 60 --ms 20 || return 1
	functions=$(functions short cpu) || return 1
	all=$(total "$functions" self)
	near "all CPU time" "$all" "$(field "$T/short.out" cpu_ns)" 10 || return 1
	holds "named" "$(field "$functions" total function=short_burn) > 0.95 * 60 * 20e6" || return 1
	# A frame without a name is a module and an offset, or an address.
	awk '/function=(0x|\[|[^ ]*\+0x)/ { sub(/.*self=/, ""); sum += $1 } END { print sum + 0 }' "$functions" >"$T/unnamed"
	holds "without a name" "$(cat "$T/unnamed") < 0.05 * $all"
}

@test "E2: processes of 20 ms, started in a loop, have over 95 % of their samples named" {
	twice short_processes
}

@test "each of the short processes is there, with its parent and its exit status" {
	local processes parent
	processes=$(sums short processes)
	parent=$(field "$processes" pid comm=shortlived)
	[ "$(grep -c "comm=exe .*status=0" "$processes")" -eq 60 ]
	[ "$(grep -c "parent_pid=$parent .*comm=exe" "$processes")" -eq 60 ]
}

@test "E1: children that never exec keep their parent's mappings: their functions have names" {
	local child functions status processes
	record forks --profile --pmu --sample-rate 997 -- "$WORKLOADS/forker" --count 10 --ms 50
	processes=$(sums forks processes)
	while read -r child status; do
		functions=$(functions forks cpu "pid=$child")
		holds "child_burn of $child" "$(field "$functions" total_pct function=child_burn) > 90"
		[ "$(field "$processes" status "pid=$child")" -eq $((status * 256)) ]
	done < <(sed -n 's/child=\([0-9]*\) status=\([0-9]*\)/\1 \2/p' "$T/forks.out")
	[ "$(grep -c child "$T/forks.out")" -eq 10 ]
}

@test "E3: after an exec the new image is looked up, and old samples keep their names" {
	local functions stage name
	cp "$WORKLOADS/exec_chain" "$T/other_image"
	record chain --profile --pmu --sample-rate 997 -- "$WORKLOADS/exec_chain" --ms 300 --next "$T/other_image"
	functions=$(functions chain cpu)
	stage=0
	for name in stage_one stage_two stage_three; do
		stage=$((stage + 1))
		near "$name" "$(field "$functions" total "function=$name")" "$(field "$T/chain.out" stage_ns "stage=$stage")" 5
	done
	[ "$(field "$(sums chain processes)" execs "pid=$(field "$T/chain.out" pid)")" -ge 2 ]
	[ "$(field "$(sums chain processes)" comm "pid=$(field "$T/chain.out" pid)")" = other_image ]
}

main_thread_ended() {
	local functions tid
	record leader --profile --pmu --sample-rate 997 -- "$WORKLOADS/leader_exits" --seconds 2 || return 1
	tid=$(field "$T/leader.out" tid)
	functions=$(functions leader cpu "tid=$tid")
	near "outlive_leader" "$(field "$functions" total function=outlive_leader)" "$(field "$T/leader.out" cpu_ns)" 3 &&
		near "CPU time" "$(field "$(sums leader threads)" on_cpu_ns "tid=$tid")" "$(field "$T/leader.out" cpu_ns)" 2
}

@test "E6: a main thread that has ended takes nothing along: the other one is still sampled and named" {
	twice main_thread_ended
}

@test "--pid of a process whose main thread has ended already" {
	local functions
	READY=no workload_start headless leader_exits --seconds 20
	sleep 0.5
	record headless --profile --sample-rate 997 --pid "$WORKLOAD" --duration 1s
	stop "$WORKLOAD"
	functions=$(functions headless cpu)
	holds "outlive_leader" "$(field "$functions" total_pct function=outlive_leader) > 90"
}

@test "E5: samples carry the thread's name of their time" {
	local functions tid
	record names --profile --pmu --sample-rate 997 -- "$WORKLOADS/thread_names" --ms 300
	tid=$(field "$T/names.out" tid)
	functions=$(functions names cpu thread=name-before "tid=$tid")
	near "burn_before" "$(field "$functions" total function=burn_before)" 300e6 5
	near "burn_after" "$(field "$functions" total function=burn_after)" 0 0
}

@test "an awkward thread name survives the profile and the report" {
	has "$T/names.cpu.raw" 'name after;<&"'
	has "$(text names)" 'name after;<&"'
}

@test "exit status 3 of the command is in the trace and in the report" {
	run -3 "$RECORD" -q -o "$T/exit3.pa" -- "$WORKLOADS/exit_status" --exit 3
	[ "$(field "$(sums exit3 whole)" status)" -eq $((3 * 256)) ]
	has "$(text exit3)" "3"
}

@test "a command that outgrew the file size limit: 153 is explained as SIGXFSZ" {
	run -153 "$RECORD" -q -o "$T/fsize.pa" -- "$WORKLOADS/exit_status" --fsize "$T/outgrown"
	[ "$(field "$(sums fsize whole)" status)" -eq 25 ]
	has "$(text fsize)" SIGXFSZ "file size limit"
}

@test "a command that was killed: 137 is explained as SIGKILL, 139 as SIGSEGV" {
	run -137 "$RECORD" -q -o "$T/killed.pa" -- "$WORKLOADS/exit_status" --signal 9
	has "$(text killed)" SIGKILL
	run -139 "$RECORD" -q -o "$T/segv.pa" -- "$WORKLOADS/exit_status" --signal 11
	has "$(text segv)" SIGSEGV
}

@test "SIGINT, SIGTERM and SIGHUP end a recording with a complete trace" {
	local signal
	READY=no workload_start victim spin7030 --seconds 60
	for signal in INT TERM HUP; do
		record_start "signal$signal" --profile --offcpu --pmu --sample-rate 997 --pid "$WORKLOAD" --duration 60s
		sleep 0.3
		kill -"$signal" "$RECORDER"
		wait "$RECORDER"
		[ "$(field "$(sums "signal$signal" whole)" end)" -eq 1 ]
		[ "$(field "$(sums "signal$signal" whole)" detail)" = "SIG$signal" ]
		holds "samples" "$(field "$(sums "signal$signal" whole)" samples) > 5"
		has "$(text "signal$signal")" "SIG$signal"
	done
	stop "$WORKLOAD"
}

@test "the death of the target ends the recording with a complete trace" {
	local begin
	READY=no workload_start dying spin7030 --seconds 60
	record_start dying --profile --offcpu --pmu --pid "$WORKLOAD" --duration 60s
	begin=$SECONDS
	sleep 0.3
	stop "$WORKLOAD"
	wait "$RECORDER"
	[ $((SECONDS - begin)) -le 3 ]
	[ "$(field "$(sums dying whole)" end)" -eq 2 ]
	[ "$(field "$(sums dying processes)" status "pid=$WORKLOAD")" -eq 15 ]
}

@test "a recording of a command lasts as long as the command, one with --duration as long as that" {
	record lasts --profile -- sleep 1
	within "span" "$(field "$(sums lasts whole)" span_ns)" 1e9 0.2e9
	record stops --profile --duration 700ms -- "$WORKLOADS/spin7030" --seconds 3
	within "span" "$(field "$(sums stops whole)" span_ns)" 0.7e9 0.1e9
	[ "$(field "$(sums stops whole)" end)" -eq 0 ]
}

@test "two processes by --pid --pid: both are recorded, a third is not" {
	local one two three processes
	READY=no workload_start one spin7030 --seconds 20
	one=$WORKLOAD
	READY=no workload_start two spin7030 --seconds 20
	two=$WORKLOAD
	READY=no workload_start three spin7030 --seconds 20
	three=$WORKLOAD
	record several --profile --pid "$one" --pid "$two" --duration 1s
	stop "$one" "$two" "$three"
	processes=$(sums several processes)
	grep -q "pid=$one " "$processes"
	grep -q "pid=$two " "$processes"
	lacks "$processes" "pid=$three "
}

@test "--comm finds a process by its name" {
	cp "$WORKLOADS/spin7030" "$T/by_name"
	"$T/by_name" --seconds 20 >/dev/null 3>&- &
	WORKLOAD=$!
	sleep 0.2
	record by_name --profile --sample-rate 997 --comm by_name --duration 500ms
	stop "$WORKLOAD"
	grep "pid=$WORKLOAD " "$(sums by_name processes)"
	holds "heavy_work" "$(field "$(functions by_name cpu)" total_pct function=heavy_work) > 50"
}

@test "on a terminal there is a status line while it records, and a summary at the end" {
	script -qec "'$RECORD' --profile -a --duration 2s -o '$T/status.pa'" /dev/null >"$T/status.out"
	grep -aE 'recording [0-9]+ s: [0-9]+ samples, 0 lost' "$T/status.out"
	grep -aE 'status.pa: 2\.[0-9] s, [0-9]+ samples, 0 lost, [0-9]+ bytes' "$T/status.out"
}

@test "tags are in every trace and shown" {
	record tagged --profile --tag build=1.2.3 --tag "note=two words" -- true
	has "$(text tagged)" build=1.2.3 "note=two words"
}

# A memory cgroup with little room, of whichever version; empty when there is none to be had.
small_cgroup() {
	local root
	for root in /sys/fs/cgroup/memory /sys/fs/cgroup; do
		mkdir "$root/pa-test-$$" 2>/dev/null || continue
		if echo 33554432 2>/dev/null >"$root/pa-test-$$/memory.limit_in_bytes" ||
			echo 33554432 2>/dev/null >"$root/pa-test-$$/memory.max"; then
			echo 0 2>/dev/null >"$root/pa-test-$$/memory.swap.max" || true
			echo "$root/pa-test-$$"
			return
		fi
		rmdir "$root/pa-test-$$"
	done
}

@test "a command that the OOM killer ends is told from one that somebody kills" {
	local cgroup
	cgroup=$(small_cgroup)
	[ -n "$cgroup" ] || skip "no memory cgroup can be made here"
	run -137 "$RECORD" -q -o "$T/oom.pa" -- sh -c "echo \$\$ >$cgroup/cgroup.procs; exec python3 -c 'x = bytearray(1 << 28)'"
	rmdir "$cgroup"
	has "$(text oom)" "status 137 (SIGKILL" "(OOM killer): this one, most likely"
	run -137 "$RECORD" -q -o "$T/shot.pa" -- "$WORKLOADS/exit_status" --signal 9
	has "$(text shot)" "somebody sent this signal"
}

@test "children that end badly are listed with what that means" {
	local text
	"$RECORD" -q --profile -o "$T/children.pa" -- sh -c "$WORKLOADS/exit_status --signal 11; $WORKLOADS/exit_status --exit 0; exit 0" 3>&- || true
	text=$(text children)
	has "$text" "PROCESSES THAT ENDED BADLY"
	grep -Eq 'exit_status/[0-9]+: killed by signal 11, status 139 \(SIGSEGV' "$text"
	[ "$(grep -c 'killed by signal' "$text")" -eq 1 ]
}
