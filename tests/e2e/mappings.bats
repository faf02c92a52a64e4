#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Mappings: libraries that come and go, code without a file, build IDs, the vdso and the kernel.
load lib.bash

setup_file() {
	begin_file || return 0
}

build_id_of() {
	readelf -n "$1" | sed -n 's/.*Build ID: //p'
}

@test "a library that another thread than the main one loads, and unloads, has its names" {
	local functions
	record library --profile --sample-rate 997 -- "$WORKLOADS/dlopen_thread" --library "$WORKLOADS/lib/dlopened.so" --ms 500
	functions=$(functions library cpu thread=loader)
	near "library_burn" "$(field "$functions" total function=library_burn)" "$(field "$T/library.out" library_ns)" 4
	grep -E 'load_and_burn;library_burn' "$(stacks library cpu thread=loader)"
}

@test "every file that code was mapped from has its build ID" {
	local file id
	sums library whole
	for file in "$WORKLOADS/dlopen_thread" "$WORKLOADS/lib/dlopened.so" "$(realpath /lib/*-linux-gnu/libc.so.6)"; do
		id=$(build_id_of "$file")
		[ -n "$id" ]
		grep -E "^module .*build_id=<$id> build_id_kind=1" "$T/library.dump"
	done
}

@test "code of a JIT is named by its perf map" {
	local functions pid
	record jit --profile --sample-rate 997 -- "$WORKLOADS/jit_map" --ms 600
	pid=$(field "$T/jit.out" pid)
	rm -f "/tmp/perf-$pid.map"
	functions=$(functions jit cpu)
	holds "jitted" "$(field "$functions" total function=jitted_loop_with_spaces) > 0.9 * $(field "$T/jit.out" jit_ns)"
	grep -E 'main;call_jitted;jitted_loop' "$(stacks jit cpu)"
}

@test "a JIT's process that lives on when recording ends is named as well" {
	local functions
	READY=no workload_start jit_live jit_map --ms 4000 --keep 20
	sleep 0.3
	record jit_live --profile --sample-rate 997 --pid "$WORKLOAD" --duration 1s
	stop "$WORKLOAD"
	rm -f "/tmp/perf-$WORKLOAD.map"
	functions=$(functions jit_live cpu)
	holds "jitted" "$(field "$functions" total_pct function=jitted_loop_with_spaces) > 90"
}

@test "D6: code of a JIT is named by its jitdump, by the time at which it was there" {
	local functions dir=$T/dump half
	mkdir -p "$dir"
	# It lies in the directory of the JIT, wherever that is.
	record dump --profile --sample-rate 997 -- sh -c "cd '$dir' && exec '$WORKLOADS/jit_map' --dump 1 --ms 1000"
	functions=$(functions dump cpu)
	half="0.5 * $(field "$T/dump.out" jit_ns)"
	holds "first" "$(field "$functions" total function=first_tier) > 0.85 * $half"
	holds "second" "$(field "$functions" total function=second_tier) > 0.85 * $half"
	holds "first" "$(field "$functions" total function=first_tier) < 1.15 * $half"
	rm -rf "$dir"
}

@test "D1: the vdso's image is in the trace, and its function has a name" {
	local functions
	record gettime --profile --sample-rate 997 -- python3 -c '
import time
end = time.monotonic() + 1
while time.monotonic() < end:
    time.clock_gettime(1)'
	functions=$(functions gettime cpu)
	holds "vdso" "$(awk '/function=__vdso_clock_gettime|function=clock_gettime/ { n++ } END { print n + 0 }' "$functions") > 0"
	sums gettime whole
	grep -q '^file_image ' "$T/gettime.dump"
}

@test "more than 256 mappings of code in one process are all in the trace" {
	local i pid mappings functions
	python3 - >"$T/manymaps.out" 3>&- <<-'END' &
		import mmap, sys, time
		libc = open("/lib/x86_64-linux-gnu/libc.so.6" if sys.maxsize > 2**32 and __import__("platform").machine() == "x86_64"
		            else "/lib/aarch64-linux-gnu/libc.so.6", "rb")
		maps = []
		for i in range(600):
		    maps.append(mmap.mmap(libc.fileno(), 4096, prot=mmap.PROT_READ | mmap.PROT_EXEC, flags=mmap.MAP_PRIVATE,
		                          offset=4096 * (i % 100)))
		    maps.append(mmap.mmap(-1, 4096))
		print("ready", flush=True)
		end = time.monotonic() + 30
		while time.monotonic() < end:
		    sum(range(1000))
	END
	pid=$!
	for ((i = 0; i < 100; i++)); do
		grep -q ready "$T/manymaps.out" && break
		sleep 0.1
	done
	record manymaps --profile --sample-rate 997 --pid $pid --duration 500ms
	stop $pid
	mappings=$(field "$(sums manymaps processes)" mappings "pid=$pid")
	[ "$mappings" -ge 600 ]
}

@test "kernel frames have names, of a kernel whose range and build ID are in the trace" {
	local functions
	record kernel --profile --sample-rate 997 -- "$WORKLOADS/pingpong" --count 50000
	functions=$(functions kernel cpu)
	grep -E 'function=(ksys_read|ksys_write|vfs_read|vfs_write)' "$functions"
	sums kernel whole
	grep -E '^kernel_range .*name="\[kernel.kallsyms\]" build_id=<[0-9a-f]{40}>' "$T/kernel.dump"
	# Only the symbols that addresses fell into: the whole table is over a megabyte.
	holds "symbols" "$(grep -c '^kernel_symbol' "$T/kernel.dump") < 500"
	# Each of them is what the kernel's own list has at that address.
	awk 'NR == FNR { listed["0x" $1 " " $3 " " $4]; next }
	/^kernel_symbol/ {
		for (i = 2; i <= NF; i++) { split($i, f, "="); gsub(/"/, "", f[2]); of[f[1]] = f[2] }
		key = of["start"] " " of["name"] " " (of["module"] ? "[" of["module"] "]" : "")
		# A program of the kernel, such as the recorder itself loads, is gone again.
		if (of["module"] != "bpf" && !(key in listed)) { print "not in kallsyms: " key; wrong = 1 }
		delete of
	}
	END { exit wrong }' /proc/kallsyms "$T/kernel.dump"
}

@test "D2: a binary that was deleted while it ran is not taken for another one at its path" {
	local functions
	cp "$WORKLOADS/spin7030" "$T/vanishing"
	"$T/vanishing" --seconds 20 >/dev/null 3>&- &
	WORKLOAD=$!
	sleep 0.2
	rm "$T/vanishing"
	cp "$WORKLOADS/sleeper" "$T/vanishing"
	record vanished --profile --sample-rate 997 --pid "$WORKLOAD" --duration 1s
	stop "$WORKLOAD"
	functions=$(functions vanished cpu)
	lacks "$functions" sleep_once sleep_often
	has "$(text vanished)" "vanishing+0x"
}
