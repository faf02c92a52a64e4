#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What pa-record holds while it records, and what it does for a caller without privilege when its file
# has capabilities.
load lib.bash

USER_ID=4321 GROUP_ID=4322
CAPS=cap_bpf,cap_perfmon,cap_sys_ptrace,cap_syslog+ep

setup_file() {
	begin_file || return 0
	command -v setcap >/dev/null || skip "setcap is missing"
	mkdir -p "$PUBLIC/bin" "$PUBLIC/home"
	install -m 755 "$RECORD" "$PUBLIC/bin/pa-record"
	install -m 755 "$RECORD" "$PUBLIC/bin/plain"
	setcap $CAPS "$PUBLIC/bin/pa-record"
	chown $USER_ID "$PUBLIC/home"
}

teardown() {
	[ -z "$PARANOID" ] || sysctl -q kernel.perf_event_paranoid="$PARANOID"
	if mountpoint -q "$T/nosuid"; then
		umount "$T/nosuid"
	fi
	stop $STARTED
}

as_user() {
	(cd "$PUBLIC/home" && setpriv --reuid=$USER_ID --regid=$USER_ID --clear-groups "$@" 3>&-)
}

paranoid() {
	PARANOID=${PARANOID:-$(sysctl -n kernel.perf_event_paranoid)}
	sysctl -q kernel.perf_event_paranoid="$1"
}

# holds_nothing PID: a process without any capability, that can't get one, behind a filter.
holds_nothing() {
	local status
	status=$(cat "/proc/$1/status")
	echo "$status" | grep -E '^(Name|Uid|Cap|NoNewPrivs|Seccomp):'
	[ "$(echo "$status" | grep -cE '^Cap(Inh|Prm|Eff|Amb):.0+$')" -eq 4 ] || return 1
	echo "$status" | grep -q '^NoNewPrivs:.1$' || return 1
	echo "$status" | grep -q '^Seccomp:.2$'
}

children() {
	cat "/proc/$1/task/$1/children"
}

# named PID NAME: those children of a process that have this name.
named() {
	local pid
	for pid in $(children "$1"); do
		[ "$(cat "/proc/$pid/comm")" != "$2" ] || echo "$pid"
	done
}

wait_for_drop() {
	local i
	for ((i = 0; i < 100; i++)); do
		! grep -q '^Seccomp:.2$' "/proc/$1/status" || return 0
		sleep 0.05
	done
	return 1
}

check_processes() {
	local helper worker
	holds_nothing "$1" || return 1
	for helper in $(named "$1" pa-sandbox) $(named "$1" pa-compiler); do
		holds_nothing "$helper" || return 1
		for worker in $(children "$helper"); do
			# One that has done its work is gone.
			holds_nothing "$worker" || [ ! -e "/proc/$worker" ] || return 1
		done
	done
	[ "$(named "$1" pa-broker | wc -w)" -eq 1 ] || return 1
	[ "$(named "$1" pa-sandbox | wc -w)" -eq 1 ] || return 1
	helper=$(named "$1" pa-broker)
	grep -q "^CapPrm:.$2\$" "/proc/$helper/status"
}

@test "root: nothing is held while recording; the broker has two capabilities" {
	local pid
	"$RECORD" -q -a --duration 10s -o "$T/root.pa" 3>&- &
	pid=$!
	STARTED=$pid
	wait_for_drop $pid
	check_processes $pid 0000000000080004
	grep -q "^Uid:.$NOBODY.$NOBODY.$NOBODY.$NOBODY" /proc/$pid/status
	grep -q '^CapBnd:.0*$' /proc/$pid/status
	kill -INT $pid
	wait $pid
	[ "$(stat -c '%a %u' "$T/root.pa")" = "600 0" ]
}

@test "file capabilities: likewise, and the broker has one" {
	local pid setpriv
	as_user sleep 30 &
	STARTED=$!
	sleep 0.2
	as_user "$PUBLIC/bin/pa-record" -q --pid "$(pgrep -n -u $USER_ID sleep)" --duration 10s -o own.pa &
	setpriv=$!
	STARTED+=" $setpriv"
	sleep 1
	pid=$(pgrep -o -u $USER_ID pa-record)
	wait_for_drop "$pid"
	check_processes "$pid" 0000000000080000
	kill -INT "$pid"
	wait $setpriv
	[ "$(stat -c '%a %u' "$PUBLIC/home/own.pa")" = "600 $USER_ID" ]
}

@test "a command gets its caller's user, environment and umask, and no privilege" {
	run as_user env FLAVOUR=mild sh -c 'umask 027; exec "$0" -q -o command.pa -- \
		sh -c "echo \$FLAVOUR; umask; id -u; grep -E \"^Cap(Prm|Eff|Amb)\" /proc/self/status"' "$PUBLIC/bin/pa-record"
	echo "$status: $output"
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = mild ]
	[ "${lines[1]}" = 0027 ]
	[ "${lines[2]}" = $USER_ID ]
	[ "$(echo "$output" | grep -c '^Cap.*:.0000000000000000$')" -eq 3 ]
}

@test "others' processes and all of them are refused" {
	paranoid 2
	run as_user "$PUBLIC/bin/pa-record" --pid 1 --duration 1s -o other.pa
	echo "$status: $output"
	[ "$status" -eq 1 ] && [[ $output == *"it is not your process"* ]]
	run as_user "$PUBLIC/bin/pa-record" -a --duration 1s -o other.pa
	echo "$status: $output"
	[ "$status" -eq 1 ] && [[ $output == *"kernel.perf_event_paranoid is below 1"* ]]
	[ ! -e "$PUBLIC/home/other.pa" ]
}

@test "the group that owns the program, and perf_event_paranoid below 1, allow them" {
	install -m 750 -g $GROUP_ID "$RECORD" "$PUBLIC/bin/grouped"
	setcap $CAPS "$PUBLIC/bin/grouped"
	paranoid 2
	run as_user "$PUBLIC/bin/grouped" -q -a --duration 1s -o grouped.pa
	[ "$status" -ne 0 ]
	(cd "$PUBLIC/home" && setpriv --reuid=$USER_ID --regid=$USER_ID --groups=$GROUP_ID \
		"$PUBLIC/bin/grouped" -q -a --duration 1s -o grouped.pa 3>&-)
	[ -s "$PUBLIC/home/grouped.pa" ]
	paranoid 0
	as_user "$PUBLIC/bin/pa-record" -q -a --duration 1s -o all.pa
	[ -s "$PUBLIC/home/all.pa" ]
}

@test "kernel addresses stay hidden from whom the kernel hides them" {
	paranoid 2
	as_user "$PUBLIC/bin/pa-record" -q --profile --offcpu -o hidden.pa -- sh -c 'head -c 50000000 /dev/urandom >/dev/null'
	cp "$PUBLIC/home/hidden.pa" "$T/hidden.pa"
	report hidden --dump >"$T/hidden.txt"
	run grep -E '^(stack|sample) .*0xffff|^kernel_(symbol|range)' "$T/hidden.txt"
	echo "$output"
	[ "$status" -eq 1 ]
}

@test "missing capabilities are named, with the line that gives them" {
	run as_user "$PUBLIC/bin/plain" -a --duration 1s -o none.pa
	echo "$status: $output"
	[ "$status" -eq 1 ]
	[[ $output == *"CAP_BPF"*"CAP_PERFMON"*"are missing"* ]]
	[[ $output == *"sudo setcap $CAPS $PUBLIC/bin/plain"* ]]
	[ ! -e "$PUBLIC/home/none.pa" ]
}

@test "a nosuid mount is noticed" {
	mkdir -p "$T/nosuid"
	mount -t tmpfs -o nosuid,mode=755 none "$T/nosuid" || skip "nothing can be mounted here"
	install -m 755 "$RECORD" "$T/nosuid/pa-record"
	setcap $CAPS "$T/nosuid/pa-record" || skip "this file system takes no capabilities"
	run as_user "$T/nosuid/pa-record" -a --duration 1s -o none.pa
	echo "$status: $output"
	[ "$status" -eq 1 ]
	[[ $output == *"mounted 'nosuid'"* ]]
}

@test "a planted link is not followed, whoever planted it" {
	ln -sf /etc/passwd "$PUBLIC/home/planted.pa"
	run as_user "$PUBLIC/bin/pa-record" -q -o planted.pa -- true
	echo "$status: $output"
	[ "$status" -eq 1 ] && [[ $output == *"it is a symbolic link"* ]]
}
