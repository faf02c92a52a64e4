#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Known faults of such tools: where files are found, and what is read of them (C), special mappings (D).
load lib.bash

CHAIN="inner chain.c:13 < outer chain.c:19 < target chain.c:27"

setup_file() {
	build layouts
	build tables
	build separate
	build kinds
}

id_of() {
	readelf -n "$1" | sed -n 's/.*Build ID: //p'
}

# head_of_trace: what every text trace begins with; one process and thread.
head_of_trace() {
	python3 "$HERE/trace.py" "$T/layouts/pie" main | grep -E '^(session|sampling|process|thread) '
}

# made NAME < TEXT: $T/NAME.pa from these records behind the usual ones.
made() {
	{
		head_of_trace
		cat
		echo "end time_ns=1000001000"
	} >"$T/$1.txt"
	"$BUILD/tests/mktrace" "$T/$1.txt" "$T/$1.pa"
}

@test "C1: one library that is broken costs its own names, and is reported once" {
	local good="$T/layouts/shared.so before after , $T/tables/names.so before , $T/kinds/dwarf_5 at_inner" bad
	mkdir -p "$T/broken"
	cp "$T/tables/names.so" "$T/broken/cut.so"
	cp "$T/kinds/dwarf_4" "$T/broken/garbled"
	# shellcheck disable=SC2086
	trace broken $good , "$T/broken/cut.so" before after , "$T/broken/garbled" at_inner at_outer target \
		, "$T/tables/mini_cut.so" "$(address "$T/tables/names.so" hidden)"
	head -c 3000 "$T/tables/names.so" >"$T/broken/cut.so"
	python3 - "$T/broken/garbled" <<-'PYTHON'
		import random, re, subprocess, sys
		chosen = random.Random(1)
		data = bytearray(open(sys.argv[1], "rb").read())
		for line in subprocess.run(["readelf", "-SW", sys.argv[1]], capture_output=True, text=True).stdout.splitlines():
		    m = re.search(r"\.debug_\w+ +PROGBITS +\w+ (\w+) (\w+)", line)
		    for i in range(int(m[2], 16) if m else 0):
		        data[int(m[1], 16) + i] = chosen.randrange(256)
		open(sys.argv[1], "wb").write(data)
	PYTHON
	# shellcheck disable=SC2086
	trace good $good
	frames "$T/good.pa" >"$T/alone"
	frames "$T/broken.pa" >"$T/together"
	while IFS= read -r line; do
		has "$T/together" "$line"
	done <"$T/alone"
	# What debug information can't say, the symbol table does.
	has "$T/together" "target"
	report "$T/broken.pa" >"$T/text" 2>"$T/errors"
	[ ! -s "$T/errors" ]
	[ "$(grep -c 'note .*cut.so' "$T/text")" -le 1 ]
	[ "$(grep -c 'note .*garbled' "$T/text")" -le 1 ]
}

@test "C2: only dynamic symbols and MiniDebugInfo: names of internal functions" {
	[ -e "$T/tables/mini.so" ] || skip "xz is missing"
	trace mini "$T/tables/mini.so" "$(address "$T/tables/names.so" hidden)" "$(address "$T/tables/names.so" after)"
	functions "$T/mini.pa" | sed 's/ .*//' | sort | same <(printf 'after\nhidden\n') -
}

@test "C3: names that dwz moved to a common file, and no empty ones without it" {
	[ -e "$T/separate/dwz1" ] || skip "dwz is missing"
	mkdir -p "$T/dwz"
	cp "$T/separate/dwz1" "$T/dwz/"
	trace dwz "$T/dwz/dwz1" at_inner
	frames "$T/dwz.pa" >"$T/frames"
	has "$T/frames" "target chain.c:27"
	! grep -E '^ |< +[^ ]*:[0-9]|<  ' "$T/frames"
	report "$T/dwz.pa" >"$T/text"
	cp "$T/separate/common.dwz" "$T/dwz/"
	frames "$T/dwz.pa" >"$T/frames"
	has "$T/frames" "$CHAIN"
	rm "$T/dwz/common.dwz"
	mkdir -p "$T/elsewhere"
	cp "$T/separate/common.dwz" "$T/elsewhere/x"
	frames --symbols "$T/elsewhere" "$T/dwz.pa" >"$T/frames"
	has "$T/frames" "$CHAIN"
}

@test "C5, C6: compressed debug information of each kind" {
	local kind
	for kind in zlib zstd zdebug; do
		[ -e "$T/kinds/dwarf_$kind" ] || continue
		trace packed "$T/kinds/dwarf_$kind" at_inner
		frames "$T/packed.pa" >"$T/frames"
		has "$T/frames" "$CHAIN"
	done
	readelf -SW "$T/kinds/dwarf_zdebug" | grep -q zdebug
}

@test "C7: the places of separate debug files, in the order that is documented" {
	local id place root=$T/root
	id=$(id_of "$T/separate/full")
	trace linked "$T/separate/linked@/opt/bin/linked" "$(address "$T/separate/full" at_inner)"
	for place in opt/bin/full.debug opt/bin/.debug/full.debug usr/lib/debug/opt/bin/full.debug usr/lib/debug/full.debug \
		"usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"; do
		rm -rf "$root"
		mkdir -p "$root/opt/bin" "$(dirname "$root/$place")"
		cp "$T/separate/linked" "$root/opt/bin/"
		cp "$T/separate/full.debug" "$root/$place"
		frames --sysroot "$root" "$T/linked.pa" >"$T/frames"
		has "$T/frames" "$CHAIN"
	done
	# Below --symbols: a store with and without .build-id, any tree, a single file.
	for place in ".build-id/${id:0:2}/${id:2}.debug" "${id:0:2}/${id:2}.debug" some/where/x; do
		rm -rf "$root"
		mkdir -p "$(dirname "$root/$place")"
		cp "$T/separate/full.debug" "$root/$place"
		frames --symbols "$T/separate/stripped" --symbols "$root" "$T/linked.pa" >"$T/frames"
		has "$T/frames" "$CHAIN"
	done
	frames --symbols "$T/separate/stripped" --symbols "$T/separate/full.debug" "$T/linked.pa" >"$T/frames"
	has "$T/frames" "$CHAIN"
	report --explain "linked+0x1160" --sysroot "$T/nowhere" "$T/linked.pa" >"$T/explained"
	has "$T/explained" "$T/nowhere/usr/lib/debug/.build-id/${id:0:2}/${id:2}" "$T/nowhere/opt/bin/linked"
}

@test "C9: what was recorded elsewhere is told by its whole path, and that it has no build ID" {
	trace foreign "$T/separate/anonymous@/true" main
	report "$T/foreign.pa" >"$T/text"
	has "$T/text" "/true, no build ID" "no build ID in the trace"
}

@test "C10: a file of another build is refused, and both build IDs are named" {
	mkdir -p "$T/given"
	cp "$T/separate/other" "$T/given/full"
	trace given "$T/separate/full@/opt/full" main
	for option in "$T/given" "$T/given/full"; do
		report --symbols "$option" "$T/given.pa" >"$T/text"
		has "$T/text" "full+0x" "$(id_of "$T/separate/full")" "$(id_of "$T/separate/other")" "'$T/given/full' has"
	done
	mkdir -p "$T/root/opt"
	cp "$T/separate/other" "$T/root/opt/full"
	report --sysroot "$T/root" "$T/given.pa" >"$T/text"
	has "$T/text" "full+0x" "another build ID" "$(id_of "$T/separate/other")"
}

@test "C11: build IDs of every length, also those that nobody has" {
	local bytes length
	for length in 0 1 2 3 20 63 64; do
		bytes=$(printf "%*s" "$length" "" | sed "s/ /ab/g")
		made "id$length" <<-END
			module id=1 path="$T/layouts/pie" build_id=<$bytes> build_id_kind=1
			mapping time_ns=1000 process=1 start=0x10000 length_bytes=4096 module=1 prot=5
			stack id=16 parent=1 frames=[0x10010]
			sample time_ns=2000 thread=1 ustack=16
		END
		report --symbols "$T/layouts" "$T/id$length.pa" >"$T/text"
		has "$T/text" "pie+0x10"
		report --missing --symbols "$T/layouts" "$T/id$length.pa" >"$T/text"
		report --pprof "$T/x.pb.gz" "$T/id$length.pa"
	done
}

@test "C13: of a Go program the GNU build ID, else Go's" {
	[ -e "$T/tables/go_plain" ] || skip "go is missing"
	trace gnu "$T/tables/go_gnu" runtime.schedinit
	functions "$T/gnu.pa" >"$T/names"
	has "$T/names" "runtime.schedinit"
	has "$T/gnu.txt" "build_id=<0123456789abcdef>"
	# Go's own is text, and longer than a trace keeps: what counts is its end.
	local go_id
	go_id=$(readelf -n "$T/tables/go_plain" 2>/dev/null | sed -n 's/.*description data: //p' | head -1 | tr -d ' ')
	[ "${#go_id}" -gt 128 ]
	trace plain "$T/tables/go_plain" runtime.schedinit
	sed "s|\(^module .*path=\"[^\"]*\"\).*|\1 build_id=<${go_id: -128}> build_id_kind=2|" "$T/plain.txt" >"$T/plain.go.txt"
	"$BUILD/tests/mktrace" "$T/plain.go.txt" "$T/plain.pa"
	functions "$T/plain.pa" >"$T/names"
	has "$T/names" "runtime.schedinit"
}

@test "D1: the vdso of the recorded host, never that of this one" {
	local offset
	offset=$(($(address "$T/layouts/shared.so" after)))
	made vdso <<-END
		module id=1 path="[vdso]" kind=1
		file_image module=1 data=<$(od -An -v -tx1 "$T/layouts/shared.so" | tr -d ' \n')>
		mapping time_ns=1000 process=1 start=0x7fff00000000 length_bytes=8192 module=1 prot=5
		stack id=16 parent=1 frames=[$(printf '0x%x' $((0x7fff00000000 + offset)))]
		sample time_ns=2000 thread=1 ustack=16
	END
	report --folded - "$T/vdso.pa" >"$T/folded"
	has "$T/folded" ";after "
	grep -v '^file_image' "$T/vdso.txt" >"$T/bare.txt"
	"$BUILD/tests/mktrace" "$T/bare.txt" "$T/bare.pa"
	report --folded - "$T/bare.pa" >"$T/folded"
	has "$T/folded" ";[vdso]+0x"
}

@test "D2, D3: a file that was deleted, or seems to be: it counts whether there is one with its build ID" {
	mkdir -p "$T/gone"
	cp "$T/kinds/dwarf_5" "$T/gone/app"
	trace gone "$T/gone/app@$T/gone/app (deleted)" at_inner
	# Huge pages make a file that is there look deleted.
	frames "$T/gone.pa" >"$T/frames"
	has "$T/frames" "$CHAIN"
	cp "$T/kinds/dwarf_4" "$T/gone/app"
	frames "$T/gone.pa" >"$T/frames"
	has "$T/frames" "app+0x"
	report "$T/gone.pa" >"$T/text"
	lacks "$T/text" "app (deleted)+"
	rm "$T/gone/app"
	mkdir -p "$T/kept"
	cp "$T/kinds/dwarf_5" "$T/kept/x"
	frames --symbols "$T/kept" "$T/gone.pa" >"$T/frames"
	has "$T/frames" "$CHAIN"
}

@test "D5: memory without a file has a name in brackets, and no file is looked for" {
	local path number=0
	for path in //anon '[anon:jit]' '[heap]' '[stack]' '/dev/zero (deleted)' '/memfd:x (deleted)' '/SYSV00000000 (deleted)' \
		'/anon_hugepage (deleted)' '[uprobes]'; do
		number=$((number + 1))
		printf 'module id=%d path="%s"\n' $number "$path"
		printf 'mapping time_ns=1000 process=1 start=%#x length_bytes=4096 module=%d prot=5\n' $((number * 65536)) $number
		printf 'stack id=%d parent=1 frames=[%#x]\nsample time_ns=2000 thread=1 ustack=%d\n' \
			$((15 + number)) $((number * 65536 + 16)) $((15 + number))
	done | made special
	report --folded - "$T/special.pa" >"$T/folded" 2>"$T/errors"
	[ ! -s "$T/errors" ]
	has "$T/folded" ";[anon] " ";[memfd:x]"
	! grep -qE '\[\[|//anon|deleted' "$T/folded"
	command -v strace >/dev/null || skip "the rest takes strace"
	strace -f -e trace=open,openat,stat,newfstatat,access -o "$T/calls" "$BUILD/pa-report" --folded - "$T/special.pa" >/dev/null 2>&1 || skip "strace cannot trace here"
	! grep -E '(anon|memfd|SYSV|/dev/zero|heap|uprobes|\.build-id)' "$T/calls"
}

@test "D9: an ELF file without program headers, as a JIT writes it" {
	mkdir -p "$T/headless"
	python3 - "$T/layouts/shared.so" "$T/headless/x.so" <<-'PYTHON'
		import sys
		data = bytearray(open(sys.argv[1], "rb").read())
		data[32:40] = bytes(8)
		data[56:58] = bytes(2)
		open(sys.argv[2], "wb").write(data)
	PYTHON
	trace headless "$T/layouts/shared.so@/nowhere/x.so" before after
	functions --symbols "$T/headless" "$T/headless.pa" | sed 's/ .*//' | sort | same <(printf 'after\nbefore\n') -
}

@test "D11, D12: files are told apart by build ID; by device and inode only where there is none" {
	two_modules() {
		made "$1" <<-END
			module id=1 path="/mnt/lib.so" $2
			module id=2 path="/mnt/lib.so" $3
			mapping time_ns=1000 process=1 start=0x10000 length_bytes=4096 module=1 prot=5
			mapping time_ns=1000 process=1 start=0x20000 length_bytes=4096 module=2 prot=5
			stack id=16 parent=1 frames=[0x10010]
			stack id=17 parent=1 frames=[0x20010]
			sample time_ns=2000 thread=1 ustack=16
			sample time_ns=2001 thread=1 ustack=17
		END
		report "$T/$1.pa" | grep -c '  lib.so: no '
	}
	# Two file systems with the same inode number.
	[ "$(two_modules dev "device=1 inode=5" "device=2 inode=5")" -eq 2 ]
	# An overlay shows another device than the mapping has.
	[ "$(two_modules overlay "build_id=<aabb> device=1 inode=5" "build_id=<aabb> device=2 inode=6")" -eq 1 ]
	[ "$(two_modules id "build_id=<aabb> device=1 inode=5" "build_id=<aacc> device=1 inode=5")" -eq 2 ]
}

@test "every reason why there is no name is one of those that are documented, and counted" {
	local reason
	trace lacking "$T/separate/anonymous" main , "$T/layouts/shared.so@/nowhere/x" before
	report "$T/lacking.pa" >"$T/text"
	# The manual has them all, with what to do.
	while IFS= read -r reason; do
		grep -qF "$reason" <(tr -d '\\' <"$HERE/../../man/pa-report.1") || {
			echo "not in the manual: $reason"
			return 1
		}
	done < <(sed -n 's/.*= "\([^",]*\).*/\1/p' "$HERE/../../report/symbols/reason.c" | grep -v '^named$')
	has "$T/text" "no build ID in the trace" "no file with this build ID"
}
