#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Traces that are bounded, in segments, in a pipe, still being written, or scrubbed.
load lib.bash

setup_file() {
	begin_file || return 0
}

teardown_file() {
	! mountpoint -q "$T/disk" || umount "$T/disk"
}

# report_of FILE...: the text report, by nobody.
report_of() {
	local file name copies=()
	for file in "$@"; do
		name=$PUBLIC/$(basename "$file")
		install -m 644 "$file" "$name"
		copies+=("$name")
	done
	as_nobody "$PUBLIC/pa-report" "${copies[@]}"
}

dump_of() {
	"$BUILD/pa-report" --dump "$@"
}

# count_of TYPE FILE...: records of a type in all these traces.
count_of() {
	local type=$1
	shift
	dump_of "$@" | grep -c "^$type "
}

# Stacks that are all different fill a trace, whatever else the machine does.
filler_start() {
	READY=no workload_start filler many_stacks --bits 22
}

@test "--rotate: segments report alone, and together are the whole" {
	local i sum=0
	record rotated --profile --offcpu --pmu --rotate 1s -- "$WORKLOADS/mixed" --seconds 5 --file "$T/mixed.data"
	[ -e "$T/rotated.0.pa" ] && [ -e "$T/rotated.3.pa" ] && [ ! -e "$T/rotated.pa" ]
	for i in 0 1 2 3; do
		[ "$(stat -c %a "$T/rotated.$i.pa")" = 600 ]
		report_of "$T/rotated.$i.pa" >"$T/alone.text"
		has "$T/alone.text" "number $i alone" compute
		lacks "$T/alone.text" "incomplete:" "skipped records"
		sum=$((sum + $(count_of sample "$T/rotated.$i.pa")))
	done
	# Named in any order.
	report_of "$T"/rotated.[1-9].pa "$T/rotated.0.pa" >"$T/joined.text"
	has "$T/joined.text" "segments  " "of number 0 to " "exit status 0" "lost        nothing"
	lacks "$T/joined.text" "incomplete:" "skipped records"
	[ "$(grep -c '  segments ' "$T/joined.text")" -eq 1 ]
	near samples "$(sed -n 's/^  samples *\([0-9]*\) on CPU.*/\1/p' "$T/joined.text")" \
		"$(count_of sample "$T"/rotated.?.pa)" 0
	holds "samples in the first four" "$sum > 50"
}

@test "--rotate: a missing segment is said, one that is named twice refused" {
	report_of "$T/rotated.0.pa" "$T/rotated.2.pa" >"$T/gap.text"
	has "$T/gap.text" "between them are missing"
	run -1 report_of "$T/rotated.0.pa" "$T/rotated.0.pa"
	[[ $output == *"same segment"* ]]
}

@test "--rotate SIZE: new files by size" {
	filler_start
	record bysize --pid "$WORKLOAD" --profile --offcpu --sample-rate 20000 --rotate 64K --duration 4s
	stop "$WORKLOAD"
	[ -e "$T/bysize.1.pa" ]
	report_of "$T"/bysize.*.pa >"$T/bysize.text"
	lacks "$T/bysize.text" "incomplete:" "skipped records"
}

@test "--rotate: a file that can't be made ends the recording in order" {
	ln -s /etc/passwd "$T/planted.1.pa"
	run -1 "$RECORD" -o "$T/planted.pa" -a --profile --rotate 1s --duration 5s
	[[ $output == *"planted.1.pa"* ]]
	[ "$(dump_of "$T/planted.0.pa" | grep -c '^end ')" -eq 1 ]
	[ -L "$T/planted.1.pa" ]
}

@test "--ring: written on SIGUSR2, and when the target has ended" {
	local i
	"$RECORD" -o "$T/ring.pa" --profile --offcpu --ring 2s -- "$WORKLOADS/mixed" --seconds 8 \
		--file "$T/mixed.data" >"$T/ring.out" 2>"$T/ring.err" 3>&- &
	RECORDER=$!
	sleep 4
	[ ! -s "$T/ring.0.pa" ]
	kill -USR2 "$RECORDER"
	for ((i = 0; i < 40; i++)); do
		! grep -q "wrote" "$T/ring.err" || break
		sleep 0.1
	done
	report_of "$T/ring.0.pa" >"$T/ring0.text"
	has "$T/ring0.text" "SIGUSR2" compute
	wait "$RECORDER"
	report_of "$T/ring.1.pa" >"$T/ring1.text"
	has "$T/ring1.text" "exit status 0" compute
	lacks "$T/ring1.text" "incomplete:" "skipped records"
	# What is held is the newest part: two seconds, and what one of its parts and a flush make more.
	holds "length" "$(sed -n 's/^[^:]*: \([0-9.]*\) s from.*/\1/p' "$T/ring1.text") < 5.5"
}

@test "--max-size ends the trace within that size, complete" {
	filler_start
	record small --pid "$WORKLOAD" --profile --offcpu --sample-rate 20000 --max-size 1M --duration 60s
	stop "$WORKLOAD"
	has "$T/small.err" "--max-size is reached"
	holds "size" "$(stat -c %s "$T/small.pa") <= 1048576"
	has "$(text small)" "for lack of space (--max-size is reached)"
	lacks "$(text small)" "incomplete:"
}

# DISKS=50 for a long run.
@test "a full disk ends the trace, complete" {
	local i status
	mkdir -p "$T/disk"
	mount -t tmpfs -o size=3M none "$T/disk" || skip "cannot mount a tmpfs here"
	filler_start
	for ((i = 1; i <= ${DISKS:-3}; i++)); do
		status=0
		"$RECORD" -o "$T/disk/full.pa" -a --profile --offcpu --sample-rate 20000 --duration 60s \
			2>"$T/full.err" 3>&- || status=$?
		mv "$T/disk/full.pa" "$T/full.pa"
		[ $status -eq 1 ] && has "$T/full.err" "No space left on device"
		report_of "$T/full.pa" >"$T/full.text"
		has "$T/full.text" "for lack of space"
		lacks "$T/full.text" "incomplete:"
	done
	stop "$WORKLOAD"
	umount "$T/disk"
}

@test "a pipe from the recorder to the reporter" {
	"$RECORD" -o - --profile --offcpu -- "$WORKLOADS/mixed" --seconds 2 --file "$T/mixed.data" 2>"$T/pipe.err" 3>&- |
		as_nobody "$PUBLIC/pa-report" - >"$T/pipe.text"
	has "$T/pipe.text" "exit status 0" compute
	lacks "$T/pipe.text" "incomplete:"
}

# Its reader takes nothing for 6 s. What the spinning threads were sampled is either there, or counted as lost.
slow_reader() {
	local whole memory
	(
		"$RECORD" --verbose -a --profile --offcpu --sample-rate 4999 --buffer 256K --duration 7s -o - 2>"$T/slow.err" 3>&- |
			(sleep 6; cat) >"$T/slow.pa"
	) &
	sleep 1
	"$WORKLOADS/many_stacks" --bits 16 >/dev/null 3>&- &
	"$WORKLOADS/spin7030" --threads 2 --seconds 4 >"$T/slow.out"
	wait
	rm -f "$T"/slow.dump "$T"/slow.whole
	whole=$(sums slow whole) || return 1
	[ "$(field "$whole" end)" -eq 0 ] || return 1
	holds "samples are lost, and counted" "$(field "$whole" lost_0) > 1000" || return 1
	holds "samples and lost ones" "$(field "$whole" samples) + $(field "$whole" lost_0) > \
		0.97 * 4999 * $(total "$T/slow.out" cpu_ns) / 1e9" || return 1
	memory=$(sed -n 's/.*memory: \([0-9.]*\) MiB at most in the recorder.*/\1/p' "$T/slow.err")
	holds "the recorder does not grow" "0 < $memory && $memory < 32"
}

@test "a pipe whose reader is too slow: what is dropped is counted, and nothing grows" {
	twice slow_reader
	report_of "$T/slow.pa" >"$T/slow.text"
	grep -Eq '^ +lost +[0-9]+ on-CPU samples' "$T/slow.text"
}

@test "a trace that is still being written is reported, as incomplete" {
	record_start growing -a --profile --duration 20s
	sleep 3
	report_of "$T/growing.pa" >"$T/growing.text"
	stop "$RECORDER"
	has "$T/growing.text" "incomplete:" "samples  "
	report_of "$T/growing.pa" >"$T/grown.text"
	lacks "$T/grown.text" "incomplete:"
}

@test "--scrub: who and where are gone, what was slow is not" {
	record private --tag ticket=42 -a --profile --offcpu --duration 3s
	"$BUILD/pa-report" --scrub "$T/private.pa" "$T/scrubbed.pa"
	[ "$(stat -c %a "$T/scrubbed.pa")" = 600 ]
	dump_of "$T/scrubbed.pa" >"$T/scrubbed.dump"
	lacks "$T/scrubbed.dump" "cmdline=" "command=" "host=" "uid=" "$BUILD" 'path="/' 'exe="/'
	has "$T/scrubbed.dump" "ticket"
	# No address of the kernel is where it was.
	run -1 grep -Ff <(dump_of "$T/private.pa" | sed -n 's/^kernel_symbol start=\(0x[0-9a-f]*\) .*/\1/p') \
		<(grep '^kernel_symbol ' "$T/scrubbed.dump")
	report_of "$T/scrubbed.pa" >"$T/scrubbed.text"
	has "$T/scrubbed.text" "[kernel]" "schedule" ticket=42
	lacks "$T/scrubbed.text" "$(hostname):"
}
