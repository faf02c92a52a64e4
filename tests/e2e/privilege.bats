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
	run as_user "$PUBLIC/bin/pa-record" --snapshot --pid 1 -o other.pa
	[ "$status" -eq 1 ] && [[ $output == *"it is not your process"* ]]
	run as_user "$PUBLIC/bin/pa-record" --snapshot -a -o other.pa
	[ "$status" -eq 1 ] && [[ $output == *"kernel.perf_event_paranoid is below 1"* ]]
	run as_user "$PUBLIC/bin/pa-record" --comm "$(cat /proc/1/comm)" --duration 1s -o other.pa
	[ "$status" -eq 1 ] && [[ $output == *"it is not your process"* ]]
	[ ! -e "$PUBLIC/home/other.pa" ]
}

@test "a process of the caller's that hides its memory is refused" {
	local i
	paranoid 2
	as_user /usr/bin/python3 -c 'import ctypes, time; ctypes.CDLL(None).prctl(4, 0); open("hidden", "w"); time.sleep(30)' &
	STARTED=$!
	for ((i = 0; i < 200; i++)); do
		[ ! -e "$PUBLIC/home/hidden" ] || break
		sleep 0.05
	done
	[ -e "$PUBLIC/home/hidden" ]
	run as_user "$PUBLIC/bin/pa-record" --pid "$(pgrep -n -u $USER_ID python3)" --duration 1s -o other.pa
	echo "$status: $output"
	[ "$status" -eq 1 ] && [[ $output == *"it is not your process"* ]]
}

@test "what executes a set-user-ID program is not recorded from then on" {
	local kind functions
	paranoid 2
	install -m 755 "$WORKLOADS/spin7030" "$PUBLIC/bin/ordinary"
	install -m 4755 -o $NOBODY "$WORKLOADS/spin7030" "$PUBLIC/bin/setuid"
	for kind in ordinary setuid; do
		as_user "$PUBLIC/bin/pa-record" -q --profile --sample-rate 997 -o $kind.pa -- \
			sh -c 'i=0; while [ $i -lt 50000 ]; do i=$((i + 1)); done; "$0" --seconds 1' \
			"$PUBLIC/bin/$kind" >/dev/null
		cp "$PUBLIC/home/$kind.pa" "$T/$kind.pa"
		holds "samples" "$(field "$(sums $kind whole)" samples) > 10"
	done
	holds "heavy_work" "$(field "$(functions ordinary cpu)" total function=heavy_work) > 0.05e9"
	[ "$(field "$(functions setuid cpu)" total function=heavy_work)" -eq 0 ]
	# Not even where its code lies.
	has "$T/ordinary.dump" "path=\"$PUBLIC/bin/ordinary\""
	lacks "$T/setuid.dump" "path=\"$PUBLIC/bin/setuid\""
}

# opened NAME DIR VARIABLE=VALUE...: the file with the names by which pa-record, run by another user in a
# directory with more variables, opens files; pids are made equal.
opened() {
	local name=$1 dir=$2
	shift 2
	(cd "$dir" && strace "${@/#/-E}" -f -qq -u $STRACE_USER -e trace=%file -o "$T/$name.strace" \
		"$PUBLIC/bin/pa-record" --pid "$TARGET" --duration 200ms -o out.pa 3>&-) >"$T/$name.out" 2>&1 || {
		cat "$T/$name.out"
		return 1
	}
	# An absolute name, or one that is relative to the working directory.
	sed -nE 's/^[0-9]+ +[a-z_0-9]+\((AT_FDCWD, )?"([^"]*)".*/\2/p' "$T/$name.strace" |
		sed -E "s|/proc/[0-9]+|/proc/PID|; s|^$dir/||" | sort -u >"$T/$name.opened"
	grep -qx /proc/self/exe "$T/$name.opened"
	echo "$T/$name.opened"
}

@test "neither environment nor working directory of a caller have influence on what is opened" {
	local trap=$PUBLIC/trap plain
	command -v strace >/dev/null || skip "strace is missing"
	STRACE_USER=daemon
	id $STRACE_USER >/dev/null || skip "there is no user '$STRACE_USER'"
	mkdir -p "$trap/plain" "$trap/sys/kernel/btf" "$trap/lib" "$trap/en_US"
	chown $STRACE_USER "$trap" "$trap/plain"
	# What a library might take from here, if it looked.
	cp /bin/true "$trap/vmlinux"
	cp /bin/true "$trap/sys/kernel/btf/vmlinux"
	echo garbage | tee "$trap/lib/libbpf.so.1" "$trap/lib/libc.so.6" "$trap/zone" >"$trap/gconv-modules"
	setpriv --reuid=$STRACE_USER --clear-groups sleep 60 3>&- &
	TARGET=$!
	STARTED=$TARGET
	sleep 0.2
	plain=$(opened plain "$trap/plain")
	opened trapped "$trap" LD_PRELOAD="$trap/lib/libc.so.6" LD_LIBRARY_PATH="$trap/lib" LD_AUDIT="$trap/lib/libc.so.6" \
		TMPDIR="$trap" HOME="$trap" PATH="$trap" TZ=":$trap/zone" TZDIR="$trap" LANG=en_US LOCPATH="$trap" \
		NLSPATH="$trap/%N" GCONV_PATH="$trap" GLIBC_TUNABLES=glibc.malloc.check=3 LIBBPF_STRICT_MODE=all \
		LIBELF_DEBUG=1 DEBUGINFOD_URLS="file://$trap" MALLOC_TRACE="$trap/malloc" BASH_ENV="$trap/zone"
	diff "$plain" "$T/trapped.opened"
	[ "$(grep -v '^/' "$T/trapped.opened" | grep -vxE 'status|maps|root|comm|cgroup|cmdline|exe|stat|task|')" = out.pa ]
	lacks "$T/trapped.opened" "$trap"
}

@test "closed standard descriptors are not taken by files that it opens" {
	as_user sh -c 'exec "$0" -q -o closed.pa -- sh -c "sleep 0.2" <&- >&- 2>&-' "$PUBLIC/bin/pa-record"
	cp "$PUBLIC/home/closed.pa" "$T/closed.pa"
	[ "$(field "$(sums closed whole)" end)" -eq 2 ]
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
