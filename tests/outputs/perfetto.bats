#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Traces for Perfetto, read by a reader that knows the wire format, and by protoc.

setup_file() {
	export here=$BATS_TEST_DIRNAME BUILD=${BUILD:-$BATS_TEST_DIRNAME/../../build} work=$BATS_FILE_TMPDIR
	"$here/service.sh" "$work" || return 1
	cd "$work" || return 1
	"$BUILD/pa-report" --symbols . --perfetto trace --folded on.folded before.pa || return 1
	"$BUILD/pa-report" --symbols . --offcpu --folded off.folded before.pa || return 1
	python3 "$here/perfetto.py" trace >read
}

setup() { cd "$work" || return 1; }
total() { awk '{ sum += $NF } END { printf "%d\n", sum }' "$1"; }

@test "samples and blocked slices add up to the profiles' totals" {
	grep -qx "samples $(total on.folded)" read
	grep -qx "blocked $(total off.folded)" read
}

@test "there is a track for each CPU and each thread" {
	for track in 'CPU 0' 'CPU 3' 'thread server/4100' 'thread worker-1/4101' 'thread collector/4104'; do
		grep -qx "track $track" read
	done
	awk -v all="$(total on.folded)" '/^on cpus/ { ok = $3 > 0.5 * all && $3 <= 1.5 * all } END { exit !ok }' read
}

@test "stacks have names and modules" {
	grep -qx 'frame decode_row in /opt/shop/server' read
	grep -qx 'frame longest_match in /opt/shop/libcompress.so' read
	grep -qxF 'frame ip_queue_xmit in [kernel]' read
}

@test "protoc decodes it" {
	command -v protoc >/dev/null || skip "protoc is not installed"
	protoc --decode_raw <trace >text
	[ "$(grep -c '^  66 {' text)" -eq "$("$BUILD/pa-report" before.pa | awk '$1 == "samples" { print $2 }')" ]
}

@test "any trace makes a sound file: odd names, sums, open intervals" {
	for trace in names demo empty thinned unrecorded no-session hostile; do
		"$BUILD/tests/mktrace" "$here/../golden/traces/$trace.txt" $trace.pa
		"$BUILD/pa-report" --perfetto $trace.out $trace.pa
		python3 "$here/perfetto.py" $trace.out >$trace.read
	done
	grep -qxF "frame f</script><b>\"&'" names.read
}
