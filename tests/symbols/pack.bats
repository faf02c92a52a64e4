#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Packed traces: they report what the trace did where its files were, anywhere.
load lib.bash

# Every report that there is of a trace; the name of the file is no part of it.
reports_of() {
	local file=$1 options
	shift
	for options in "" --offcpu --pmu --no-inlines --no-demangle "--per-pid --verbose" "--top 1000"; do
		echo "== $options"
		# shellcheck disable=SC2086
		report $options "$@" "$file" | sed "1s|^[^ ]*:|FILE:|"
	done
	for options in "" --offcpu --no-inlines --no-demangle; do
		echo "== pprof $options"
		# shellcheck disable=SC2086
		report $options "$@" --pprof - "$file" | zcat | od -An -tx1 | md5sum
	done
}

setup_file() {
	build kinds
	build classes
	mkdir -p "$T/host"
	cp "$T/kinds/dwarf_5" "$T/host/chain"
	cp "$T/classes/classes" "$T/host/classes"
	cp "$T/kinds/dwarf_4" "$T/host/stripped"
	strip --strip-all "$T/host/stripped"
	cp "$T/kinds/dwarf_3" "$T/host/plain"
	strip --strip-debug "$T/host/plain"
	trace host "$T/host/chain" at_inner at_outer at_target 'at_inner<after_call' main \
		, "$T/host/classes" _ZN6shapes3boxIlE4growEl _ZNK6shapes6circle4areaEi main _init+0x10 \
		, "$T/host/stripped" "$(address "$T/kinds/dwarf_4" at_inner)" "$(address "$T/kinds/dwarf_4" caller)" \
		, "$T/host/plain" at_inner main \
		, "$T/kinds/dwarf_2@/nowhere/other" at_inner
	reports_of "$T/host.pa" >"$T/host.reports"
	report --pack "$T/packed.pa" "$T/host.pa" 2>"$T/packed.err"
	# From here on nothing is where it was.
	mv "$T/host" "$T/gone"
}

teardown_file() {
	! mountpoint -q "$T/disk" || umount "$T/disk"
}

@test "what was packed is what was reported" {
	has "$T/host.reports" "shapes::box<long>::grow(long)" inner outer "stripped+0x" "no symbol covers the address" \
		"no file with this build ID"
	has "$T/packed.err" "addresses have no name"
	reports_of "$T/packed.pa" >"$T/packed.reports"
	same "$T/host.reports" "$T/packed.reports"
	reports_of "$T/host.pa" >"$T/bare.reports"
	! cmp -s "$T/host.reports" "$T/bare.reports"
}

@test "inlined functions, lines and full names are in the profile" {
	frames "$T/packed.pa" >"$T/frames"
	has "$T/frames" "inner chain.c:" " < outer chain.c:" " < caller chain.c:" "shapes::circle::area(int) const classes.cc:"
}

@test "it is a trace as any other, whose owner alone may read it" {
	[ "$(stat -c %a "$T/packed.pa")" = 600 ]
	dump "$T/packed.pa" >"$T/packed.dump"
	has "$T/packed.dump" "function id=1 " "location module=1 " "names module=1 flags=7 "
	[ "$(tail -n 1 "$T/packed.dump" | cut -d' ' -f1)" = end ]
	"$BUILD/tests/mktrace" "$T/packed.dump" "$T/again.pa"
	dump "$T/again.pa" | same "$T/packed.dump" -
}

@test "packed twice is packed once" {
	report --pack "$T/twice.pa" "$T/packed.pa"
	dump "$T/twice.pa" | same <(dump "$T/packed.pa") -
}

@test "through pipes" {
	report --pack - - <"$T/packed.pa" >"$T/piped.pa"
	cmp "$T/packed.pa" "$T/piped.pa"
}

@test "a file with the same build ID still helps where the pack has no names or no lines" {
	frames "$T/packed.pa" >"$T/before"
	mkdir -p "$T/better"
	cp "$T/kinds/dwarf_4" "$T/kinds/dwarf_3" "$T/better/"
	frames --symbols "$T/better" "$T/packed.pa" >"$T/after"
	has "$T/before" "stripped+0x" "target :0"
	lacks "$T/after" "stripped+0x" "target :0"
	# What had names and lines stays as it was.
	same <(grep -c "shapes::" "$T/before") <(grep -c "shapes::" "$T/after")
	report --pack "$T/better.pa" --symbols "$T/better" "$T/packed.pa"
	frames "$T/better.pa" | same "$T/after" -
}

@test "a file with another build ID is not asked" {
	mkdir -p "$T/host"
	cp "$T/kinds/dwarf_clang5" "$T/host/chain"
	reports_of "$T/packed.pa" >"$T/other.reports"
	rm -r "$T/host"
	same "$T/host.reports" "$T/other.reports"
}

@test "two traces, one of them packed: its names hold for both" {
	frames "$T/packed.pa" "$T/host.pa" >"$T/both"
	frames "$T/host.pa" "$T/packed.pa" | same "$T/both" -
	lacks "$T/both" "chain+0x"
}

@test "several segments become one trace, which reports as they did" {
	golden segment-0 segment-1 segment-2
	for options in "" --pmu --offcpu --per-pid; do
		# shellcheck disable=SC2086
		report $options "$T/segment-0.pa" "$T/segment-1.pa" "$T/segment-2.pa" >"$T/apart"
		report --pack "$T/joined.pa" "$T/segment-2.pa" "$T/segment-0.pa" "$T/segment-1.pa"
		# shellcheck disable=SC2086
		report $options "$T/joined.pa" >"$T/together"
		same <(tail -n +2 "$T/apart") <(tail -n +2 "$T/together")
		# The first line says when and how long.
		same <(head -1 "$T/apart" | sed 's/^[^:]*//') <(head -1 "$T/together" | sed 's/^[^:]*//')
	done
	# A gap stays one; and one that is packed goes on in one that is not.
	report --pack "$T/gap.pa" "$T/segment-0.pa" "$T/segment-2.pa"
	report "$T/segment-0.pa" "$T/segment-2.pa" | tail -n +2 >"$T/apart"
	report "$T/gap.pa" | tail -n +2 | same "$T/apart" -
	report --pack "$T/first.pa" "$T/segment-0.pa" "$T/segment-1.pa"
	report "$T/segment-0.pa" "$T/segment-1.pa" "$T/segment-2.pa" | tail -n +2 >"$T/apart"
	report "$T/segment-2.pa" "$T/first.pa" | tail -n +2 | same "$T/apart" -
}

@test "different recordings are refused, and nothing is left of the attempt" {
	golden demo E1
	run -1 report --pack "$T/mixed.pa" "$T/demo.pa" "$T/E1.pa"
	[[ $output == *"not of the same recording"* ]]
	run -1 report --pack "$T/mixed.pa" "$T/demo.pa" "$T/missing.pa"
	run -1 report --pack "$T/nowhere/mixed.pa" "$T/demo.pa"
	[[ $output == *"cannot write '$T/nowhere/mixed.pa'"* ]]
	run -2 report --pack "$T/mixed.pa"
	[ "$(ls "$T"/mixed.pa* 2>/dev/null)" = "" ]
}

@test "a full disk leaves nothing, and says so" {
	[ "$(id -u)" -eq 0 ] || skip "mounting takes root"
	mkdir -p "$T/disk"
	mount -t tmpfs -o size=4K none "$T/disk" 2>/dev/null || skip "cannot mount a tmpfs here"
	dd if=/dev/zero of="$T/disk/other" bs=1K count=16 2>/dev/null || true
	run report --pack "$T/disk/full.pa" "$T/packed.pa"
	[[ $output == *"cannot write '$T/disk/full.pa': No space left on device"* ]]
	[ "$(ls -A "$T/disk")" = other ]
}

@test "every golden trace reports packed as it does unpacked" {
	local name
	for name in demo A6 A9 A15 D2 D5 D6 E1 E3 E8 F5 F14 G8 J5 copied jit-lives hostile no-session names thinned; do
		golden $name
		report "$T/$name.pa" >"$T/plain" 2>&1
		report --pack "$T/packed-$name.pa" "$T/$name.pa" 2>/dev/null
		report "$T/packed-$name.pa" >"$T/packed" 2>&1
		# Blocks that were damaged are not copied; nothing else is lost.
		same <(tail -n +2 "$T/plain") <(tail -n +2 "$T/packed")
	done
}

@test "copied stacks are walked: nothing that was on a stack is in the pack" {
	golden copied
	report --pack "$T/walked.pa" "$T/copied.pa"
	dump "$T/walked.pa" >"$T/walked.dump"
	lacks "$T/walked.dump" stack_copy "data="
	reports_of "$T/copied.pa" | same - <(reports_of "$T/walked.pa")
}

@test "--scrub of a packed trace: directories go, names and lines stay" {
	report --scrub "$T/packed.pa" "$T/scrubbed.pa"
	dump "$T/scrubbed.pa" >"$T/scrubbed.dump"
	lacks "$T/scrubbed.dump" "$T" '"/' "/tests"
	has "$T/scrubbed.dump" 'file="chain.c"' 'file="classes.cc"'
	frames "$T/packed.pa" | same - <(frames "$T/scrubbed.pa")
}

@test "--pack of a scrubbed trace finds files by build ID" {
	report --scrub "$T/host.pa" "$T/bare.pa"
	report --pack "$T/named.pa" --symbols "$T/gone" "$T/bare.pa"
	frames "$T/named.pa" | same <(frames "$T/packed.pa") -
	run report --pack "$T/unnamed.pa" "$T/bare.pa"
	[ "$status" -eq 0 ]
	[[ $output == *"have no name"* ]]
}
