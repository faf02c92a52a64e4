#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What is missing, how an address was resolved, and the files that names came from.
load lib.bash

setup_file() {
	build kinds
	build separate
	build tables
}

# columns FILE: the table of --missing, tabs as '|', build IDs and paths shortened.
columns() {
	sed -e 's/\t/|/g' -e 's/[0-9a-f]\{40\}/ID/g' -e "s|$T|T|g" "$1"
}

@test "--missing: build IDs, the heaviest first, and what of them is missing" {
	mkdir -p "$T/host"
	cp "$T/kinds/dwarf_3" "$T/host/plain"
	strip --strip-debug "$T/host/plain"
	cp "$T/kinds/dwarf_4" "$T/host/stripped"
	strip "$T/host/stripped"
	trace lacks "$T/host/plain" at_inner main 'at_inner<after_call' \
		, "$T/host/stripped" "$(address "$T/kinds/dwarf_4" at_inner)" \
		, "$T/kinds/dwarf_2@/nowhere/other" at_inner at_outer \
		, "$T/kinds/dwarf_5" at_inner
	report --missing "$T/lacks.pa" >"$T/missing"
	columns "$T/missing" | same - <(cat <<-'EOF'
		#build_id|stacks|addresses|missing|path|package|debuginfod
		ID|3|3|debug|T/host/plain|-|/buildid/ID/debuginfo
		ID|2|2|file|/nowhere/other|-|/buildid/ID/executable
		ID|1|1|symbols|T/host/stripped|-|/buildid/ID/debuginfo
	EOF
	)
	has "$T/missing" "$(readelf -n "$T/host/plain" | sed -n 's/.*Build ID: //p')"
	# All of it was packed, so the same is missing from the pack elsewhere.
	report --pack "$T/lacks.packed.pa" "$T/lacks.pa" 2>/dev/null
	mv "$T/host" "$T/away"
	report --missing "$T/lacks.packed.pa" | same "$T/missing" -
	mv "$T/away" "$T/host"
}

@test "--missing: nothing is one line" {
	trace whole "$T/kinds/dwarf_5" at_inner
	[ "$(report --missing "$T/whole.pa" | wc -l)" -eq 1 ]
}

@test "--missing names a package only where dpkg knows this very file" {
	mkdir -p "$T/root/usr/bin" "$T/root/lib" "$T/root/var/lib/dpkg/info"
	cp "$T/host/plain" "$T/root/usr/bin/demo"
	printf '/usr\n/usr/bin\n/usr/bin/demo\n' >"$T/root/var/lib/dpkg/info/demo-tools:amd64.list"
	printf '/usr/bin/demo.old\n/x/usr/bin/demo\n' >"$T/root/var/lib/dpkg/info/a.list"
	trace packaged "$T/host/plain@/usr/bin/demo" main
	report --missing --sysroot "$T/root" "$T/packaged.pa" >"$T/missing"
	has "$T/missing" "demo-tools-dbgsym"
	# Another build at that path comes from nobody knows where.
	cp "$T/kinds/dwarf_2" "$T/root/usr/bin/demo"
	report --missing --sysroot "$T/root" "$T/packaged.pa" >"$T/missing"
	lacks "$T/missing" "demo-tools"
	# Where a package installs to /lib, which is /usr/lib; and a package whose rule is older.
	rmdir "$T/root/lib"
	mkdir -p "$T/root/usr/lib"
	cp "$T/host/plain" "$T/root/usr/lib/libc.so.6"
	printf '/lib/libc.so.6\n' >"$T/root/var/lib/dpkg/info/libc6:amd64.list"
	trace packaged "$T/host/plain@/usr/lib/libc.so.6" main
	report --missing --sysroot "$T/root" "$T/packaged.pa" >"$T/missing"
	has "$T/missing" "	libc6-dbg	"
}

@test "--explain MODULE+OFFSET: each step from the mapping to the line" {
	trace explain "$T/kinds/dwarf_5" at_inner 'at_inner<after_call' main
	report --explain "dwarf_5+$(address "$T/kinds/dwarf_5" at_inner)" "$T/explain.pa" >"$T/explained"
	has "$T/explained" "in app/100" "at offset 0x1000" "build ID $(readelf -n "$T/kinds/dwarf_5" | sed -n 's/.*Build ID: //p')" \
		"/usr/lib/debug/.build-id/" "for code: no such file" "$T/kinds/dwarf_5 for code: used" \
		"section .text" "which covers" "chain.c, DWARF 5, at 0x" "function    inner" "inlined in  outer" \
		"inlined in  target" "chain.c:13" "stacks      2, 2 of them innermost"
}

@test "--explain ADDRESS, also one that was never sampled" {
	report --explain 0x7f0100001161 "$T/explain.pa" >"$T/explained"
	has "$T/explained" "0x7f0100001161 in app/100" "offset      0x1161" "stacks      0,"
	report --explain 0x1234 "$T/explain.pa" >"$T/explained"
	has "$T/explained" "in no mapping of any process" "since       in no mapping of the process"
	golden J5
	report --explain 0xffffffff81000123 "$T/J5.pa" >"$T/explained"
	has "$T/explained" "in the kernel"
}

@test "--explain FUNCTION: all its addresses, the heaviest first" {
	report --explain target "$T/explain.pa" >"$T/explained"
	[ "$(grep -c '^  address ' "$T/explained")" -eq 1 ]
	report --explain caller "$T/explain.pa" >"$T/explained"
	has "$T/explained" "chain.c:33" "1, 0 of them innermost"
	run -1 report --explain nothing_like_it "$T/explain.pa"
	[[ $output == *"'nothing_like_it' is no address"* ]]
}

@test "--explain says why each place was refused" {
	mkdir -p "$T/refuse"
	cp "$T/separate/linked" "$T/refuse/prog"
	trace refuse "$T/refuse/prog@$T/refuse/prog" "$(address "$T/separate/full" at_inner)"
	mkdir -p "$T/refuse/.debug"
	# The link's file with another ID, and one with neither ID nor the CRC.
	cp "$T/separate/other" "$T/refuse/full.debug"
	objcopy --only-keep-debug --remove-section .note.gnu.build-id "$T/separate/other" "$T/refuse/.debug/full.debug"
	report --explain "prog+$(address "$T/separate/full" at_inner)" "$T/refuse.pa" >"$T/explained"
	has "$T/explained" "$T/refuse/full.debug for debug information: has another build ID" \
		"$T/refuse/.debug/full.debug for debug information: has no build ID, and another CRC" "none covers it"
	echo text >"$T/refuse/prog"
	report --explain "prog+0x1160" "$T/refuse.pa" >"$T/explained"
	has "$T/explained" "for code: no ELF file" "could not be read as ELF"
	trace anonymous "$T/separate/anonymous" main
	report --explain "anonymous+0x1040" "$T/anonymous.pa" >"$T/explained"
	has "$T/explained" "no build ID" "no file can be trusted"
}

@test "--explain: what a packed trace brings along" {
	report --pack "$T/explain.packed.pa" "$T/explain.pa"
	report --explain "dwarf_5+$(address "$T/kinds/dwarf_5" at_inner)" "$T/explain.packed.pa" >"$T/explained"
	has "$T/explained" "the trace brings the names along" "function    inner"
	lacks "$T/explained" "looked at"
}

@test "--pack-files: all that names came from is found again below --symbols" {
	mkdir -p "$T/files"
	cp "$T/separate/linked" "$T/files/linked"
	cp "$T/separate/full.debug" "$T/files/"
	cp "$T/separate/linked_no_id" "$T/files/no_id"
	cp "$T/separate/no_id.debug" "$T/files/"
	cp "$T/kinds/dwarf_5" "$T/files/"
	cp -r "$T/kinds" "$T/files/kinds" # split debug information is named by where it was compiled
	[ ! -e "$T/separate/dwz1" ] || cp "$T/separate/dwz1" "$T/separate/common.dwz" "$T/files/"
	local at
	at=$(address "$T/separate/full" at_inner)
	set -- "$T/files/linked" "$at" , "$T/files/dwarf_5" at_inner , "$T/files/kinds/dwarf_split5" at_inner \
		, "$T/files/kinds/dwarf_split4" at_inner
	[ ! -e "$T/files/dwz1" ] || set -- "$@" , "$T/files/dwz1" at_inner
	trace many "$@"
	trace no_id "$T/files/no_id" "$at"
	frames "$T/many.pa" >"$T/before"
	[ "$(grep -c "inner chain.c:13 < outer chain.c:19 < target chain.c:27" "$T/before")" -ge 4 ]
	report --pack-files "$T/tree" "$T/many.pa" 2>"$T/collected"
	report --pack-files "$T/tree2" "$T/no_id.pa"
	has "$T/collected" "0 modules have none"
	mv "$T/files" "$T/gone"
	mv "$T/kinds" "$T/gone2"
	frames --symbols "$T/tree" "$T/many.pa" | same "$T/before" -
	frames --symbols "$T/tree2" "$T/no_id.pa" >"$T/after"
	has "$T/after" "inner chain.c:13"
	# Again: everything is there already.
	run report --pack-files "$T/tree" --symbols "$T/tree" "$T/many.pa"
	[ "$status" -eq 0 ]
	[[ $output == *": 0 new files, 0 bytes"* ]]
	mv "$T/gone2" "$T/kinds"
}

@test "a separate debug file alone is enough: the trace says where the code was" {
	mkdir -p "$T/alone"
	cp "$T/separate/full.debug" "$T/alone/x"
	trace alone "$T/separate/full@/nowhere/full" at_inner
	frames --symbols "$T/alone" "$T/alone.pa" >"$T/frames"
	has "$T/frames" "inner chain.c:13 < outer chain.c:19 < target chain.c:27"
}
