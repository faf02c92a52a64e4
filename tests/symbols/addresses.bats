#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Known faults of such tools: arithmetic of addresses, files and segments (A), symbol tables and names (B).
load lib.bash

setup_file() {
	build layouts
	build tables
	build classes
	build kinds
}

# names FILE SYMBOL...: the innermost function at each, one a line, by a recording of FILE.
names() {
	trace one "$@"
	functions "$T/one.pa" | sed 's/ .*//'
}

# edit NAME PROGRAM: $T/NAME.pa from its text after awk's PROGRAM.
edit() {
	awk "$2" "$T/$1.txt" >"$T/$1.edited"
	"$BUILD/tests/mktrace" "$T/$1.edited" "$T/$1.pa"
}

@test "A1: a program at a fixed address has the names that its PIE has, static or not" {
	names "$T/layouts/pie" before after main >"$T/pie"
	[ "$(sort "$T/pie" | tr '\n' ' ')" = "after before main " ]
	for file in exec static exec_high exec_late lld_exec; do
		[ ! -e "$T/layouts/$file" ] || names "$T/layouts/$file" before after main | same "$T/pie" -
	done
}

@test "A2: p_offset and p_vaddr of the code differ" {
	[ -e "$T/layouts/lld" ] || skip "ld.lld is missing"
	readelf -lW "$T/layouts/lld" | awk '$1 == "LOAD" && $2 != $3 && /R E/ { found = 1 } END { exit !found }'
	for file in lld lld_separate; do
		names "$T/layouts/$file" before after main | sort | same <(printf 'after\nbefore\nmain\n') -
	done
}

@test "A3: code far behind the beginning of the file" {
	readelf -lW "$T/layouts/exec_late" | awk '/R E/ && length($2) && $2 != "0x000000" { found = 1 } END { exit !found }'
	names "$T/layouts/exec_late" before+1 after+1 main+1 | sort | same <(printf 'after\nbefore\nmain\n') -
}

@test "A4: read-only data before the code; and a library in which it stands first" {
	for file in shared.so packed lld.so; do
		[ ! -e "$T/layouts/$file" ] ||
			names "$T/layouts/$file" before after main | sort | same <(printf 'after\nbefore\nmain\n') -
	done
}

@test "A6: one segment in many pieces, by mprotect or huge pages: one module, all of it has names" {
	trace split "$T/layouts/static" before after main _start
	frames "$T/split.pa" >"$T/whole"
	# Each page is a mapping of its own, and they come in no order.
	python3 - "$T/split.txt" >"$T/pages.txt" <<-'PYTHON'
		import re, sys
		for line in open(sys.argv[1]):
		    m = re.match(r"mapping (.*)start=(\S+) length_bytes=(\d+) offset_bytes=(\d+) (.*)", line)
		    if not m:
		        print(line, end="")
		        continue
		    pages = list(range(0, int(m[3]), 4096))
		    for at in pages[1::2] + pages[::2]:
		        print("mapping %sstart=%#x length_bytes=4096 offset_bytes=%d %s" % (
		            m[1], int(m[2], 16) + at, int(m[4]) + at, m[5]))
	PYTHON
	"$BUILD/tests/mktrace" "$T/pages.txt" "$T/pages.pa"
	frames "$T/pages.pa" | same "$T/whole" -
	[ "$(grep -c ^mapping "$T/pages.txt")" -gt 3 ]
	report --pprof "$T/pages.pb.gz" "$T/pages.pa"
	[ "$(go tool pprof -symbolize=none -raw "$T/pages.pb.gz" 2>/dev/null | sed -n '/^Mappings/,$p' | grep -c static)" -eq 1 ]
}

@test "A9: a file that is mapped as data too, at the same offsets: both addresses have the name" {
	local offset
	offset=$(($(address "$T/layouts/pie" main) % 4096))
	python3 "$HERE/trace.py" "$T/layouts/pie" main | awk -v data="$(printf '0x%x' $((0x7e0000000000 + offset)))" '
		/^mapping/ { line = $0; sub(/start=[^ ]*/, "start=0x7e0000000000", line); sub(/prot=5/, "prot=1", line); print line }
		{ print }
		/^sample/ { print "stack id=90 parent=1 frames=[" data "]"; print "sample time_ns=2500 thread=1 ustack=90" }' \
		>"$T/both.txt"
	"$BUILD/tests/mktrace" "$T/both.txt" "$T/both.pa"
	report --folded - "$T/both.pa" >"$T/folded"
	[ "$(cat "$T/folded")" = "app-100;app-100;main 2000000" ]
}

@test "A10: an older mapping of the file, at a lower address, is no base" {
	trace stale "$T/layouts/shared.so" before after
	edit stale '/^mapping/ { line = $0; sub(/start=[^ ]*/, "start=0x10000000", line); sub(/offset_bytes=[0-9]*/, "offset_bytes=0", line)
			sub(/prot=5/, "prot=1", line); print line } { print }'
	functions "$T/stale.pa" | sed 's/ .*//' | sort | same <(printf 'after\nbefore\n') -
}

@test "A11: two segments of code" {
	[ "$(readelf -lW "$T/layouts/two_text.so" | grep -c 'LOAD.*R E')" -eq 2 ]
	names "$T/layouts/two_text.so" before after main | sort | same <(printf 'after\nbefore\nmain\n') -
}

@test "A13: pprof, given the binaries, comes to the same names by itself" {
	local file
	[ -x "$BUILD/tests/pprof" ] || skip "tests/pprof is not built: golang-github-google-pprof-dev is missing"
	for file in layouts/pie layouts/exec layouts/exec_late layouts/shared.so layouts/lld layouts/lld.so layouts/lld_exec \
		kinds/dwarf_lld kinds/dwarf_5; do
		[ -e "$T/$file" ] || continue
		if [[ $file == kinds/* ]]; then
			trace again "$T/$file" target caller+1 main 'main<caller+1'
		else
			trace again "$T/$file" before after main 'before+1<main+2'
		fi
		frames "$T/again.pa" | sed 's/ [^ ]*:[0-9]*//g' >"$T/ours.frames"
		# Where the report has no file there are no names; pprof has it, and addresses and mappings.
		mv "$T/$file" "$T/hidden"
		report --pprof "$T/again.pb.gz" "$T/again.pa"
		mv "$T/hidden" "$T/$file"
		go tool pprof -symbolize=none -raw "$T/again.pb.gz" 2>/dev/null | sed -n '/^Loc/,/^Map/p' >"$T/bare"
		lacks "$T/bare" " main "
		PPROF_TMPDIR=$T "$BUILD/tests/pprof" -symbolize=force:local -raw "$T/again.pb.gz" 2>"$T/pprof.err" |
			python3 "$HERE/frames.py" | sed 's/ [^ ]*:[0-9]*//g' >"$T/theirs.frames"
		same "$T/ours.frames" "$T/theirs.frames"
	done
}

@test "A17: two runs at different addresses are one and the same in a comparison" {
	trace first "$T/layouts/shared.so" before after main
	trace second "$T/layouts/pie" , "$T/layouts/shared.so" before after main
	report --diff "$T/first.pa" "$T/second.pa" >"$T/diff"
	lacks "$T/diff" "+0x" "unmapped"
	report --diff --folded - "$T/first.pa" "$T/second.pa" >"$T/folded" 2>/dev/null || true
	report --folded - "$T/first.pa" >"$T/one"
	report --folded - "$T/second.pa" | same "$T/one" -
	report "$T/first.pa" "$T/second.pa" >"$T/both"
	lacks "$T/both" "+0x"
}

@test "B1: an export without a size answers for its own address alone in a stripped file" {
	local at
	at=$(address "$T/tables/asm.so" sizeless)
	trace sizeless "$T/tables/asm.stripped.so" "$at" $((at + 1)) $((at + 15))
	functions "$T/sizeless.pa" | sed 's/ .*//' >"$T/names"
	[ "$(sed -n 1p "$T/names")" = sizeless ]
	[ "$(grep -c '^asm.stripped.so+0x' "$T/names")" -eq 2 ]
}

@test "B2: a function that the file hides is not credited to the one before" {
	local at
	at=$(address "$T/tables/names.so" hidden)
	trace hidden "$T/tables/names.stripped.so" "$at" $((at + 3)) after
	functions "$T/hidden.pa" >"$T/names"
	[ "$(grep -c '^names.stripped.so+0x' "$T/names")" -eq 2 ]
	has "$T/names" after
}

@test "B3: a function without a size reaches to the next symbol" {
	names "$T/tables/asm.so" sizeless+15 unnamed_code+15 sized+7 | same <(printf 'sizeless\nunnamed_code\nsized\n') -
}

@test "B5: marks for disassemblers are no functions, on any processor" {
	names "$T/tables/asm.so" sizeless+9 sizeless+12 | same <(printf 'sizeless\nsizeless\n') -
	command -v clang >/dev/null && command -v ld.lld >/dev/null || skip "clang or ld.lld is missing"
	printf '.text\n.globl f\n.type f, %%function\nf:\nnop\n.word 7\nnop\n.size f, .-f\n.globl g\n.type g, %%function\ng:\nret\n.size g, .-g\n' \
		>"$T/arm.s"
	clang --target=aarch64-linux-gnu -c -o "$T/arm.o" "$T/arm.s"
	ld.lld -shared --build-id=sha1 -o "$T/arm.so" "$T/arm.o"
	nm -a "$T/arm.so" 2>/dev/null | grep -q '\$[xd]' || readelf -sW "$T/arm.so" | grep -q '\$[xd]'
	names "$T/arm.so" f f+4 f+8 g | same <(printf 'f\nf\nf\ng\n') -
}

@test "B7: stubs of the procedure linkage table" {
	local file at name
	for file in plt_lazy plt_now plt_ibt plt_ibt_now plt_lld; do
		[ -s "$T/tables/$file.stubs" ] || continue
		read -r at name <"$T/tables/$file.stubs"
		trace stub "$T/tables/$file" "0x$at" "$((0x$at + 5))"
		functions "$T/stub.pa" | sed 's/ .*//' | same <(printf '%s\n%s\n' "$name" "$name") -
	done
}

@test "B8: what compilers add to names is shown, and joined in comparisons" {
	names "$T/tables/asm.so" foo.part.0 foo.cold foo.isra.0 foo.llvm.123 |
		same <(printf 'foo.part.0\nfoo.cold\nfoo.isra.0\nfoo.llvm.123\n') -
	trace before "$T/tables/asm.so" foo.llvm.123
	trace after "$T/tables/asm.so" foo.isra.0
	report --diff "$T/before.pa" "$T/after.pa" >"$T/diff"
	lacks "$T/diff" "added" "removed"
}

@test "B10: the function's name stands in another entry, or only in the symbol table" {
	trace names "$T/classes/classes" _ZNK6shapes6circle4areaEi _ZN6shapes3boxIlE4growEl _ZN12_GLOBAL__N_19anonymousEi
	functions "$T/names.pa" >"$T/names"
	has "$T/names" "shapes::circle::area(int) const classes.cc:" "shapes::box<long>::grow(long) classes.cc:" \
		"(anonymous namespace)::anonymous(int) classes.cc:"
	trace nameless "$T/classes/nameless" _ZNK6shapes6circle4areaEi _ZN12_GLOBAL__N_19anonymousEi
	functions "$T/nameless.pa" >"$T/names"
	has "$T/names" "shapes::circle::area(int) const classes.cc:" "(anonymous namespace)::anonymous(int) classes.cc:"
}

@test "B11: a stripped library keeps its dynamic names, demangled" {
	trace stripped "$T/tables/classes.stripped.so" _ZNK6shapes6circle4areaEi \
		"$(address "$T/tables/classes.so" _ZN12_GLOBAL__N_19anonymousEi)"
	functions "$T/stripped.pa" >"$T/names"
	has "$T/names" "shapes::circle::area(int) const" "classes.stripped.so+0x"
	functions --no-demangle "$T/stripped.pa" >"$T/names"
	has "$T/names" "_ZNK6shapes6circle4areaEi"
}

# program SYMBOL...: $T/odd.so with functions of these names, of 16 bytes each.
program() {
	local name
	{
		printf '.text\n'
		for name in "$@"; do
			printf '.globl "%s"\n.type "%s", @function\n"%s":\n.fill 16, 1, 0x90\n.size "%s", 16\n' \
				"$name" "$name" "$name" "$name"
		done
		printf '.section .note.GNU-stack, "", @progbits\n'
	} >"$T/odd.s"
	gcc -shared -Wl,--build-id=sha1 -o "$T/odd.so" "$T/odd.s"
}

@test "B12: C++ unless it is surely Rust, in both of Rust's ways" {
	program _ZN12_GLOBAL__N_14workEv _ZN4core3fmt5Write9write_fmt17h0123456789abcdefE _RNvC6_123foo3bar \
		_ZN3std2io5Write17hello_world_abcdefE _D3foo3barFiZv
	trace odd "$T/odd.so" _ZN12_GLOBAL__N_14workEv _ZN4core3fmt5Write9write_fmt17h0123456789abcdefE _RNvC6_123foo3bar
	functions "$T/odd.pa" >"$T/names"
	has "$T/names" "(anonymous namespace)::work()" "core::fmt::Write::write_fmt" "123foo::bar"
	lacks "$T/names" "17h0123" "h0123456789abcdef" "_GLOBAL_"
}

@test "B14, B15: names that are hard, or nonsense, are left as they are, at once" {
	local hard i
	hard=_Z1fI
	for i in $(seq 60); do
		hard+=NSt4pairI
	done
	hard+=iE
	program "$hard" _Z _ZN _R _RNv _ZNSt3mapI '_Z1fDpT_' "_ZZZZZZZZZZ" '_RNvC6_' "_ZN17h"
	trace odd "$T/odd.so" "$hard" _Z _ZN _R _RNv _ZNSt3mapI _ZZZZZZZZZZ _RNvC6_ _ZN17h
	timeout 20 "$BUILD/pa-report" --folded - "$T/odd.pa" >"$T/names"
	has "$T/names" "$hard " ";_Z " ";_ZN " ";_R " ";_RNv " ";_ZNSt3mapI " ";_ZZZZZZZZZZ "
}

@test "B16: of many names only those that are shown cost time" {
	python3 - >"$T/many.s" <<-'PYTHON'
		print(".text")
		for i in range(100000):
		    name = "_ZN1a%d%sI%sE1fEv" % (len("f%d" % i), "f%d" % i, "St4pairIiSt6vectorIiSaIiEEE" * 20)
		    print('.type %s, @function\n%s:\n.fill 4, 1, 0x90\n.size %s, 4' % (name, name, name))
		print('.section .note.GNU-stack, "", @progbits')
	PYTHON
	gcc -shared -Wl,--build-id=sha1 -o "$T/many.so" "$T/many.s"
	local first
	first=$(nm "$T/many.so" | awk '/_ZN1a2f7I/ { print "0x" $1; exit }')
	trace many "$T/many.so" "$first"
	# All names, demangled, would need more memory than this.
	(
		ulimit -d 90000
		report --folded - "$T/many.pa" >"$T/folded"
	)
	has "$T/folded" "a::f7<std::pair"
}
