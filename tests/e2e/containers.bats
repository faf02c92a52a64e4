#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Processes in other namespaces: their pids, their files, their JITs' maps; and a recorder inside of one.
load lib.bash

setup_file() {
	begin_file || return 0
	unshare --pid --mount --fork true || OBJECTION="no namespaces can be made here"
}

# container NAME COMMAND: a shell command as process 1 of namespaces of its own; $CONTAINER is the pid of
# unshare on this side.
container() {
	unshare --pid --mount --fork --mount-proc --kill-child bash -c "$2" >"$T/$1.out" 3>&- &
	CONTAINER=$!
	sleep 0.7
}

inner_pid() {
	pgrep -P "$CONTAINER"
}

# unshare itself waits for process 1 of the namespace, whatever signal it gets.
stop_container() {
	kill -KILL "$(inner_pid)"
	wait "$CONTAINER" || true
}

@test "D7: the perf map of a JIT lies under its pid of the namespace, on the namespace's /tmp" {
	local functions outer
	container jit "
		mount -t tmpfs none /mnt; cp '$WORKLOADS/jit_map' /mnt/; mount -t tmpfs none /tmp
		exec /mnt/jit_map --ms 8000 --keep 20"
	outer=$(inner_pid)
	record jit --profile --sample-rate 997 --pid "$outer" --duration 1s
	stop_container
	functions=$(functions jit cpu)
	holds "jitted" "$(field "$functions" total_pct function=jitted_loop_with_spaces) > 90"
	[ ! -e "/tmp/perf-1.map" ]
}

@test "a process in a nested namespace has both of its pids in the trace" {
	local processes outer
	container spin "exec '$WORKLOADS/spin7030' --seconds 20"
	outer=$(inner_pid)
	record spin --profile --sample-rate 997 --pid "$outer" --duration 1s
	stop_container
	processes=$(sums spin processes)
	[ "$(field "$processes" ns_pids "pid=$outer")" = "[$outer,1]" ]
	within "heavy_work" "$(field "$(functions spin cpu)" total_pct function=heavy_work)" 70 5
}

@test "D12: a binary that only the container's mount namespace has is named by its build ID" {
	local outer
	container hidden "mount -t tmpfs none /mnt; cp '$WORKLOADS/spin7030' /mnt/hidden; exec /mnt/hidden --seconds 20"
	outer=$(inner_pid)
	record hidden --profile --sample-rate 997 --pid "$outer" --duration 1s
	stop_container
	sums hidden whole
	grep -E "^module .*path=\"/mnt/hidden\" build_id=<$(readelf -n "$WORKLOADS/spin7030" | sed -n 's/.*Build ID: //p')>" "$T/hidden.dump"
	mkdir -p "$PUBLIC/symbols"
	cp "$WORKLOADS/spin7030" "$PUBLIC/symbols/"
	report hidden --symbols "$PUBLIC/symbols" >"$T/hidden.text"
	has "$T/hidden.text" heavy_work
}

@test "a recorder inside of a pid namespace records by the pids that it sees there" {
	local functions
	unshare --pid --mount --fork --mount-proc --kill-child bash -c "
		'$WORKLOADS/spin7030' --seconds 20 >/dev/null & spinner=\$!
		'$RECORD' -q --profile --pmu --sample-rate 997 --pid \$spinner --duration 1s -o '$T/inside.pa'
		kill \$spinner
		echo spinner=\$spinner" >"$T/inside.out" 3>&-
	functions=$(functions inside cpu)
	within "heavy_work" "$(field "$functions" total_pct function=heavy_work)" 70 5
	[ "$(field "$(sums inside processes)" comm "pid=$(field "$T/inside.out" spinner)")" = spin7030 ]
}

@test "a command recorded inside of a pid namespace" {
	unshare --pid --mount --fork --mount-proc --kill-child \
		"$RECORD" -q --profile --sample-rate 997 -o "$T/command.pa" -- "$WORKLOADS/spin7030" --seconds 1 >"$T/command.out" 3>&-
	within "heavy_work" "$(field "$(functions command cpu)" total_pct function=heavy_work)" 70 5
}
