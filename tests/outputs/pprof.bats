#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Profiles for pprof and collapsed stacks, read by those who use them; all agree with the folded total.

setup_file() {
	export here=$BATS_TEST_DIRNAME BUILD=${BUILD:-$BATS_TEST_DIRNAME/../../build} work=$BATS_FILE_TMPDIR
	cd "$work" || return 1
	for trace in demo names containers; do
		"$BUILD/tests/mktrace" "$here/../golden/traces/$trace.txt" $trace.pa || return 1
	done
	for trace in before after; do
		python3 "$here/traces.py" $trace >$trace.txt && "$BUILD/tests/mktrace" $trace.txt $trace.pa || return 1
	done
	for trace in demo names containers before after; do
		"$BUILD/pa-report" --pprof $trace.pb.gz --folded $trace.folded $trace.pa || return 1
	done
	"$BUILD/pa-report" --offcpu --pprof off.pb.gz --folded off.folded demo.pa
}

setup() { cd "$work" || return 1; }

need() { command -v "$1" >/dev/null || skip "$1 is not installed"; }
npm_package() {
	need node
	[ -d "$BUILD/npm/node_modules/$1" ] || skip "the npm package $1 is not installed (no network?)"
}
folded_total() { awk '{ sum += $NF } END { printf "%d\n", sum }' "$1"; }

@test "go tool pprof: text, top and peek show the totals" {
	need go
	go tool pprof -symbolize=none -unit=ns -text demo.pb.gz >text 2>/dev/null
	grep -q "of $(folded_total demo.folded)ns total" text
	grep -q 'JIT_loop' text
	go tool pprof -symbolize=none -unit=ns -top -cum off.pb.gz >top 2>/dev/null
	grep -q "of $(folded_total off.folded)ns total" top
	go tool pprof -symbolize=none -unit=ns -peek 'futex_wait' off.pb.gz 2>/dev/null | grep -q 'do_syscall_64'
}

@test "go tool pprof: -diff_base of a profile and itself is zero, of two builds is the change" {
	need go
	go tool pprof -symbolize=none -unit=ns -top -diff_base=demo.pb.gz demo.pb.gz >same 2>/dev/null
	run grep -E '^ *-?[1-9][0-9]*ns' same
	[ "$status" -ne 0 ]
	go tool pprof -symbolize=none -unit=ns -top -diff_base=before.pb.gz after.pb.gz 2>/dev/null >diff
	grep -Eq '^ *100000000ns.* added$' diff
	grep -Eq '^ *-100000000ns.* removed.cold$' diff
}

@test "go tool pprof: tags focus on a thread, a container and a pod" {
	need go
	go tool pprof -symbolize=none -unit=ns -text -tagfocus='container=^0123456789abcdef' containers.pb.gz 2>/dev/null | grep -q ' 1000000ns'
	go tool pprof -symbolize=none -unit=ns -text -tagfocus='pod=^2f8a1c34-9b7e' containers.pb.gz 2>/dev/null | grep -q ' 1000000ns'
	go tool pprof -symbolize=none -unit=ns -text -tagfocus=comm=worker containers.pb.gz 2>/dev/null | grep -q ' 1000000ns'
}

@test "npm pprof-format: types, sums, labels, tags, and nothing dangles" {
	npm_package pprof-format
	node "$here/read.mjs" pprof-format demo.pb.gz >read
	diff - read <<-END
	types samples/count cpu/nanoseconds
	default cpu
	sums 10 $(folded_total demo.folded)
	labels comm pid process thread tid
	comments host: web-7, Linux 6.1.0-18-amd64 x86_64; recorded by: pa-record 0.1.0; tag: build=1234; tag: stage=canary; lost: 12 on-CPU samples; lost: 2 mapping and process events
	dangling 0
	END
	node "$here/read.mjs" pprof-format containers.pb.gz | grep -qx 'labels cgroup comm container pid pod process thread tid'
	node "$here/read.mjs" pprof-format off.pb.gz | grep -qx "sums [0-9]* $(folded_total off.folded)"
}

@test "speedscope: imports pprof and collapsed stacks with the same total and names as they are" {
	npm_package speedscope
	need chromium
	node "$here/read.mjs" speedscope names.pb.gz >pprof
	node "$here/read.mjs" speedscope names.folded >folded
	for read in pprof folded; do
		grep -qx "total $(folded_total names.folded)" $read
		grep -qxF "frame f</script><b>\"&'" $read
		grep -qxF 'frame std::vector<int, std::allocator<int> >::push_back(int const&)' $read
	done
	grep -qxF 'frame a:b 3\nc-102' folded
	grep -qxF 'frame [ET_NET 0]-100' folded
}
