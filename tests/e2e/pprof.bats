#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Profiles as `go tool pprof` reads them: types, units, duration, mappings, functions, labels, sums.
load lib.bash

setup_file() {
	begin_file || return 0
	command -v go >/dev/null || skip "go tool pprof is missing"
	(
		record mixed --profile --offcpu --pmu --sample-rate 997 --tag app=mixed -- \
			"$WORKLOADS/mixed" --seconds 3 --file "$T/mixed.data"
	)
}

@test "the on-CPU profile: types, units, duration, period, time" {
	local raw head whole
	raw=$(raw mixed cpu)
	whole=$(sums mixed whole)
	head=$T/head
	python3 "$E2E/profile.py" head <"$raw" >"$head"
	if [ "$(field "$whole" event)" = cpu-clock ]; then
		[[ "$(field "$head" types)" == samples/count,cpu/nanoseconds* ]]
		has "$raw" "PeriodType: cpu nanoseconds" "Period: $(field "$whole" period)"
	fi
	near "duration" "$(field "$head" duration_s)" "$(calc "$(field "$whole" span_ns) / 1e9")" 1
	has "$raw" "Time: $(date -u +%Y-%m-%d)"
}

@test "the off-CPU profile: types and units" {
	python3 "$E2E/profile.py" head <"$(raw mixed off)" >"$T/head"
	[[ "$(field "$T/head" types)" =~ ^[a-z]+/count,offcpu/nanoseconds ]]
	has "$(raw mixed off)" "PeriodType: offcpu nanoseconds"
}

@test "locations lie inside of their mappings, no mapping is empty, every sample has its labels" {
	python3 "$E2E/profile.py" check <"$(raw mixed cpu)"
	python3 "$E2E/profile.py" check <"$(raw mixed off)"
}

@test "mappings carry the build IDs of their files" {
	local id
	id=$(readelf -n "$WORKLOADS/mixed" | sed -n 's/.*Build ID: //p')
	grep -E "^[0-9]+: 0x[0-9a-f]+/0x[0-9a-f]+/0x[0-9a-f]+ $(realpath "$WORKLOADS/mixed") $id " "$(raw mixed cpu)"
	id=$(readelf -n /lib/*-linux-gnu/libc.so.6 | sed -n 's/.*Build ID: //p')
	grep -E "^[0-9]+: 0x.* /.*libc\.so\.6 $id " "$(raw mixed off)"
	grep -E '^[0-9]+: 0xffff[0-9a-f]*/.*\[kernel.kallsyms\] [0-9a-f]{40}' "$(raw mixed cpu)"
}

@test "functions have file and line; inlined ones share the location of their caller, innermost first" {
	local source line
	source=$(cd "$E2E/.." && pwd)/workloads/mixed.c
	line=$(grep -n 'NOINLINE void compress_block' "$source" | cut -d: -f1)
	grep -E "compress_block .*workloads/mixed.c:$((line + 2)) s=$line\$" "$(raw mixed cpu)"
	# work_a_little is inlined in burn_cpu_ns, and that in compress_block: one location of three lines
	awk '/^ *[0-9]+: .*work_a_little / { n = NR } NR == n + 1 && /^ +burn_cpu_ns / { m = NR } NR == m + 1 && /^ +compress_block / { found = 1 } END { exit !found }' "$(raw mixed cpu)"
}

@test "a caller's line is that of the call" {
	local source line
	source=$(cd "$E2E/.." && pwd)/workloads/mixed.c
	line=$(grep -n 'update_table();' "$source" | cut -d: -f1)
	grep -E "[ ]serve .*workloads/mixed.c:$line s=" "$(raw mixed cpu)"
}

@test "the sums are those of the trace, and of the text report" {
	local whole head threads text
	whole=$(sums mixed whole)
	threads=$(sums mixed threads)
	text=$(text mixed)
	head=$T/head
	python3 "$E2E/profile.py" head <"$(raw mixed cpu)" >"$head"
	[ "$(field "$head" sum0)" -eq "$(field "$whole" samples)" ]
	[ "$(field "$head" sum1)" -eq "$(calc "$(field "$whole" samples) * $(field "$whole" period)" | cut -d. -f1)" ]
	has "$text" "$(field "$head" sum0) on CPU"
	python3 "$E2E/profile.py" head <"$(raw mixed off)" >"$head"
	near "off-CPU time" "$(field "$head" sum1)" \
		"$(calc "$(total "$threads" sleep_ns) + $(total "$threads" disk_ns) + $(total "$threads" other_ns)")" 0.5
	has "$text" "$(field "$head" sum0) off CPU"
}

@test "a function's time in pprof's own table is the one in the text report" {
	local top
	go tool pprof -symbolize=none -top -nodecount=400 "$PUBLIC/out/mixed.cpu.pb.gz" >"$T/top" 2>/dev/null
	top=$(awk '$NF == "compress_block" || $0 ~ /compress_block$/ { print $5; exit }' "$T/top")
	[ -n "$top" ]
	echo "pprof: $top"
	python3 - "$top" "$(awk '/TOTAL TIME/ { on = 1 } on && / compress_block / { print $5; exit }' "$(text mixed)")" <<-'END'
		import sys
		pprof, text = (float(v.strip("%s")) for v in sys.argv[1:])
		sys.exit(abs(pprof - text) > 0.06)
	END
}

@test "samples are labelled with process, pid, thread and tid, so that threads can be told apart" {
	local name
	for name in compute server poller logger; do
		grep -q "thread=$name " "$(stacks mixed off)" || grep -q "thread=$name " "$(stacks mixed cpu)"
	done
	[ "$(grep -o 'tid=[0-9]*' "$(stacks mixed off thread=server)" | sort -u | wc -l)" -eq 3 ]
	holds "compute" "$(field "$(functions mixed cpu thread=compute)" total_pct function=compute) > 95"
	[ "$(field "$(functions mixed cpu thread=server)" total function=compress_block)" -eq 0 ]
	go tool pprof -symbolize=none -tags "$PUBLIC/out/mixed.cpu.pb.gz" 2>/dev/null | grep -A8 thread
}

@test "the profile is gzip, as pprof wants it, and can be written to standard output" {
	gzip -t "$PUBLIC/out/mixed.cpu.pb.gz"
	report mixed --pprof - | gzip -dc | cmp - <(gzip -dc "$PUBLIC/out/mixed.cpu.pb.gz")
}

@test "the same trace gives the same profile and the same text, byte for byte" {
	report mixed --pprof "$PUBLIC/out/again.pb.gz" >/dev/null
	cmp "$PUBLIC/out/mixed.cpu.pb.gz" "$PUBLIC/out/again.pb.gz"
	report mixed >"$T/again"
	cmp "$(text mixed)" "$T/again"
}

@test "tags are in the profile" {
	has "$(raw mixed cpu)" "app=mixed"
}
