#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# perf.data, read by perf itself: names, tasks, build IDs, and totals to the last nanosecond.

setup_file() {
	export here=$BATS_TEST_DIRNAME BUILD=${BUILD:-$BATS_TEST_DIRNAME/../../build} work=$BATS_FILE_TMPDIR
	"$here/service.sh" "$work" || return 1
	cd "$work" || return 1
	mkdir -p root/opt/shop && cp server libcompress.so root/opt/shop/
	"$BUILD/pa-report" --perf-data on.data --folded on.folded before.pa || return 1
	"$BUILD/pa-report" --offcpu --perf-data off.data --folded off.folded before.pa
}

setup() {
	command -v perf >/dev/null || skip "perf is not installed"
	cd "$work" || return 1
	export HOME=$work # where perf keeps files by build ID
}

total() { awk '{ sum += $NF } END { printf "%d\n", sum }' "$1"; }

@test "perf script: user frames have names and lines, times and CPUs are right" {
	perf script -i on.data --symfs root >script 2>errors
	head -n 5 script >first
	grep -Eq '^worker-1 +4101 \[002\] +1.000002: +5025125 cpu-clock:' first
	grep -Eq '[0-9a-f]+ query_database\+0x[0-9a-f]+ \(.*/opt/shop/server\)$' first
	grep -Eq 'worker_main\+0x' first
	grep -Eq 'longest_match\+0x[0-9a-f]+ \(.*/opt/shop/libcompress.so\)$' script
	[ "$(grep -c cpu-clock: script)" -eq "$("$BUILD/pa-report" before.pa | awk '$1 == "samples" { print $2 }')" ]
	run grep -E '\[unknown\] \(.*(server|libcompress)' script
	[ "$status" -ne 0 ]
}

@test "perf script: periods add up to the profile's total, on and off CPU" {
	for profile in on off; do
		perf script -i $profile.data -F period 2>/dev/null | awk 'NF == 1 { sum += $1 } END { printf "%d\n", sum }' >sum
		[ "$(cat sum)" = "$(total $profile.folded)" ]
	done
	perf script -i off.data -F event 2>/dev/null | grep -q offcpu-time
}

@test "perf report: shares of functions are those of pa-report" {
	perf report -i on.data --symfs root --stdio --no-children -g none --sort symbol 2>/dev/null >report
	"$BUILD/pa-report" --symbols . before.pa | awk '/BY OWN TIME/ { on = 1 } /BY TOTAL TIME/ { on = 0 } on && $NF == "server" { print $(NF-1), $1 }' >ours
	[ -s ours ]
	while read -r name share; do
		awk -v name="$name" -v share="$share" '$3 == name { found = 1; d = $1 - share; if (d < -0.06 || d > 0.06) exit 1 } END { exit !found }' report
	done <ours
}

@test "perf report: kernel and user parts are told apart, the header tells the machine" {
	perf script -i on.data -F ip,sym --symfs root 2>/dev/null | grep -q 'ffffffff81106010'
	perf report -i on.data --symfs root --stdio --no-children -g none --sort dso 2>/dev/null | grep -Fq '[kernel.kallsyms]'
	perf report -i on.data --header-only 2>/dev/null >header
	grep -q 'hostname : shop-7' header
	grep -q 'os release : 6.1.0-18-amd64' header
	grep -q 'nrcpus online : 4' header
	grep -q 'size = 112' header
	perf buildid-list -i on.data | grep -q '^5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e /opt/shop/server$'
}

@test "perf script: processes, threads and mappings are introduced" {
	perf script -i on.data --show-task-events --show-mmap-events 2>/dev/null >events
	grep -q 'PERF_RECORD_COMM: collector:4100/4104' events
	grep -q 'PERF_RECORD_FORK(4100:4104)' events
	grep -q 'PERF_RECORD_MMAP2 4100/4100: .*r-xp /opt/shop/libcompress.so' events
}

@test "perf takes any trace: odd names, no samples, hostile records" {
	for trace in names empty hostile F5 E5 no-session thinned; do
		"$BUILD/tests/mktrace" "$here/../golden/traces/$trace.txt" $trace.pa
		"$BUILD/pa-report" --perf-data $trace.data $trace.pa
		perf script -i $trace.data >/dev/null 2>errors || ! grep -Ei 'incompatible|corrupt|invalid|segmentation' errors
	done
}
