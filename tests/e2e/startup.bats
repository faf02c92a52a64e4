#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Recording begins soon after the start, however many processes there are.
load lib.bash

setup_file() {
	begin_file || return 0
}

# Others' work on this machine should not be measured as well. BEGIN is when pa-record is executed.
record_first() {
	local RECORD=$T/first
	cat >"$RECORD" <<-END
		#!/usr/bin/env python3
		import os, sys, time
		os.nice(-20)
		with open("$T/begin", "w") as f:
		    f.write(str(time.monotonic_ns()))
		os.execv("$BUILD/pa-record", ["$BUILD/pa-record"] + sys.argv[1:])
	END
	chmod +x "$RECORD"
	record "$@" || return 1
	BEGIN=$(cat "$T/begin")
}

# From the moment before pa-record is executed to the start that the trace names.
three_hundred() {
	local started
	workload_start crowd idlers --count 300 || return 1
	record_first crowd -a --profile --offcpu --pmu --duration 500ms || return 1
	stop "$WORKLOAD"
	started=$(field "$(sums crowd whole)" start_ns)
	echo "recording after $(calc "($started - $BEGIN) / 1e9") s"
	holds "start" "$started - $BEGIN <= 1e9" || return 1
	holds "end" "$(field "$(sums crowd whole)" span_ns) >= 0.5e9"
}

@test "-a with 300 processes records within 1 s of the start" {
	twice three_hundred
}

@test "each of the 300 is in the trace, blocked for the whole window" {
	local threads span
	span=$(field "$(sums crowd whole)" span_ns)
	threads=$(sums crowd threads)
	[ "$(awk -v span="$span" '/comm=idlers/ {
		for (i = 1; i <= NF; i++)
			if (sub(/^interval_ns=/, "", $i) && $i > 0.98 * span)
				n++
	} END { print n }' "$threads")" -eq 301 ]
}

one_process() {
	local started
	READY=no workload_start alone spin7030 --seconds 20
	record_first alone --profile --offcpu --pmu --pid "$WORKLOAD" --duration 500ms || return 1
	stop "$WORKLOAD"
	started=$(field "$(sums alone whole)" start_ns)
	holds "start" "$started - $BEGIN <= 1e9"
}

@test "one process is recorded within 1 s of the start" {
	twice one_process
}

# Verifiers differ from kernel to kernel in how much they follow before they see that they have seen it: what is
# near the limit here is refused elsewhere.
@test "the verifier has little to follow, whatever is recorded" {
	local options
	while read -r options; do
		# shellcheck disable=SC2086
		"$RECORD" --verbose $options --pid $$ -o "$T/verified.pa" 2>"$T/verified" 3>&-
		followed=$(sed -n 's/.*verifier followed \([0-9]*\) .*/\1/p' "$T/verified")
		holds "instructions followed with $options" "0 < $followed && $followed < 150000"
	done <<-END
		--duration 100ms --profile --offcpu --pmu --wakers
		--duration 100ms --profile --offcpu --pmu --wakers --unwind auto,copy
		--duration 100ms --profile --offcpu --pmu --wakers --unwind copy
		--snapshot
	END
}

# Processes and threads that come and go while it records are part of it.
@test "at defaults everything together takes at most 64 MiB on two CPUs, and --verbose says what" {
	local line user helpers kernel less
	"$WORKLOADS/mixed" --seconds 4 >/dev/null 3>&- &
	"$RECORD" --verbose -a --profile --offcpu --pmu --duration 3s -o "$T/memory.pa" 2>"$T/memory" 3>&-
	wait $!
	line=$(grep 'memory: ' "$T/memory")
	user=$(sed 's/.*memory: \([0-9.]*\) MiB at most in the recorder.*/\1/' <<<"$line")
	helpers=$(sed 's/.* \([0-9.]*\) MiB in its helpers.*/\1/' <<<"$line")
	kernel=$(sed 's/.* \([0-9.]*\) MiB of maps and programs in the kernel/\1/' <<<"$line")
	holds "all is counted" "$user > 1 && $helpers > 0 && $kernel > 20"
	holds "memory" "$user + $helpers + $kernel <= 64 + 2 * ($(nproc) > 2 ? $(nproc) - 2 : 0)"
	"$RECORD" --verbose -a --profile --offcpu --unwind-memory 1M --duration 200ms -o "$T/memory.pa" 2>"$T/memory" 3>&-
	less=$(sed -n 's/.*memory: .* \([0-9.]*\) MiB of maps and programs in the kernel/\1/p' "$T/memory")
	holds "less is taken when asked" "$less < $kernel - 20"
}
