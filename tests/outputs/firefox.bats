#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Profiles for the Firefox profiler, read by its own command-line front end.

setup_file() {
	export here=$BATS_TEST_DIRNAME BUILD=${BUILD:-$BATS_TEST_DIRNAME/../../build} work=$BATS_FILE_TMPDIR
	"$here/service.sh" "$work" || return 1
	cd "$work" || return 1
	"$BUILD/pa-report" --symbols . --firefox on.json.gz --folded on.folded before.pa || return 1
	"$BUILD/pa-report" --symbols . --offcpu --firefox off.json --folded off.folded before.pa || return 1
	"$BUILD/tests/mktrace" "$here/../golden/traces/names.txt" names.pa || return 1
	"$BUILD/pa-report" --firefox names.json names.pa
}

setup() {
	cd "$work" || return 1
	export HOME=$work PROFILER_CLI_SESSION_DIR=$work/s
	program=$BUILD/npm/node_modules/@firefox-devtools/profiler-cli/dist/profiler-cli.js
}

teardown_file() { cd "$work" && HOME=$work PROFILER_CLI_SESSION_DIR=$work/s timeout 60 node "$BUILD/npm/node_modules/@firefox-devtools/profiler-cli/dist/profiler-cli.js" stop --all >/dev/null 2>&1 || true; }

total() { awk '{ sum += $NF } END { printf "%d\n", sum }' "$1"; }

# On a busy machine its server may not be ready at once, which it says.
load() {
	command -v node >/dev/null || skip "node is not installed"
	[ -e "$program" ] || skip "the npm package @firefox-devtools/profiler-cli is not installed (no network?)"
	for _ in 1 2 3 4 5; do
		timeout 60 node "$program" load "$1" >load 2>&1 && return 0
		sleep 1
		timeout 60 node "$program" profile info >load 2>&1 && return 0
	done
	cat load
	return 1
}

# The sum of all functions' own times in all threads, in nanoseconds.
self_ns() {
	for thread in 0 1 2 3 4; do
		timeout 60 node "$program" thread functions --thread t-$thread --include-idle --limit 1000 --json 2>/dev/null || return 1
	done | jq -s '[.[].functions[].selfSamples] | add * 1000000 | round'
}

@test "weights add up to the profile's total, on and off CPU" {
	for file in on.json.gz off.json; do
		case $file in *.gz) zcat $file ;; *) cat $file ;; esac |
			jq '[.threads[].samples.weight[] * 1000000 | round] | add' >sum
		[ "$(cat sum)" = "$(total ${file%%.*}.folded)" ]
	done
}

@test "the profiler shows threads, functions, and the same total" {
	load on.json.gz
	timeout 60 node "$program" thread list >threads
	grep -q 'worker-1 *server *4100' threads
	grep -q 'collector' threads
	timeout 60 node "$program" thread functions --thread t-1 >functions
	grep -q 'server!decode_row' functions
	grep -q 'libcompress.so!longest_match' functions
	self=$(self_ns) ours=$(total on.folded)
	[ $((self - ours)) -le 1000 ] && [ $((ours - self)) -le 1000 ]
}

@test "names are as they are" {
	jq -r '.threads[].stringArray[]' names.json >strings
	grep -qxF "f</script><b>\"&'" strings
	grep -qxF 'std::vector<int, std::allocator<int> >::push_back(int const&)' strings
	load names.json
}
