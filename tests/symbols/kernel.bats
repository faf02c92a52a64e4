#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Functions, inlined ones and lines of the kernel and its modules, wherever they were loaded.
load lib.bash

CHAIN="inner chain.c:13 < outer chain.c:19 < target chain.c:27"

setup_file() {
	build kernel
}

setup() {
	K=$T/kernel
	INNER=target+$(($(address "$K/vmlinux" at_inner) - $(address "$K/vmlinux" target)))
}

# kernel NAME ARGUMENT...: $T/NAME.pa, as kernel.py makes it.
kernel() {
	local name=$1
	shift
	python3 "$HERE/kernel.py" "$@" >"$T/$name.txt"
	"$BUILD/tests/mktrace" "$T/$name.txt" "$T/$name.pa"
}

# with DIR FILE...: an empty directory with these files of the kernel in it.
with() {
	local dir=$1
	shift
	rm -rf "$dir"
	mkdir -p "$dir"
	for file in "$@"; do
		cp "$K/$file" "$dir/"
	done
}

@test "the kernel at a random place: inlined functions and lines" {
	for boot in 0 1 301; do
		kernel boot --boot $boot "$K/vmlinux" "$INNER" caller+1
		frames --symbols "$K/vmlinux" "$T/boot.pa" | sed 's/ < \[no user stack.*//' >"$T/frames"
		has "$T/frames" "$CHAIN" "caller chain.c:"
	done
	# Without the file the trace's names are there, and nothing is complained about.
	report "$T/boot.pa" >"$T/text" 2>"$T/errors"
	has "$T/text" " target " " caller "
	[ ! -s "$T/errors" ]
	# Another build is not asked.
	cp "$K/vmlinux" "$T/other"
	printf '\xff' | dd of="$T/other" bs=1 conv=notrunc 2>/dev/null \
		seek=$(($(readelf -SW "$T/other" | sed -n 's/.*\.note.gnu.build-id *NOTE *[0-9a-f]* \([0-9a-f]*\).*/0x\1/p') + 20))
	frames --symbols "$T/other" "$T/boot.pa" >"$T/frames"
	lacks "$T/frames" "inner"
}

@test "recordings of two boots are read together" {
	kernel one --boot 1 "$K/vmlinux" "$INNER"
	kernel two --boot 2 "$K/vmlinux" "$INNER" one_entry
	frames --symbols "$K/vmlinux" "$T/one.pa" "$T/two.pa" >"$T/frames"
	[ "$(grep -c "$CHAIN" "$T/frames")" -eq 2 ]
}

@test "C16: a module's file, not linked, compressed in any way: inlined functions and lines" {
	kernel module "$K/vmlinux" caller , "$K/demo-mod.ko@demo_mod" "$INNER" caller+1
	for file in demo-mod.ko demo-mod.ko.gz demo-mod.ko.xz demo-mod.ko.zst; do
		[ -e "$K/$file" ] || continue
		with "$T/modules" "$file"
		frames --symbols "$T/modules" "$T/module.pa" >"$T/frames"
		has "$T/frames" "$CHAIN" "caller chain.c:"
		# Likewise where a host has it, below another root.
		rm -rf "$T/root"
		mkdir -p "$T/root/lib/modules/6.1.0-test/kernel/drivers"
		cp "$K/$file" "$T/root/lib/modules/6.1.0-test/kernel/drivers/"
		frames --sysroot "$T/root" "$T/module.pa" >"$T/frames"
		has "$T/frames" "$CHAIN"
	done
}

@test "C16: a compressed file that is broken, or another build, costs nothing but its lines" {
	kernel module "$K/vmlinux" caller , "$K/demo-mod.ko@demo_mod" "$INNER"
	mkdir -p "$T/broken"
	for file in demo-mod.ko.gz demo-mod.ko.xz demo-mod.ko.zst; do
		[ -e "$K/$file" ] || continue
		rm -f "$T"/broken/*
		head -c 200 "$K/$file" >"$T/broken/$file"
		report --symbols "$T/broken" "$T/module.pa" >"$T/text" 2>"$T/errors"
		has "$T/text" " target "
		[ ! -s "$T/errors" ]
		head -c 3000 /dev/zero >"$T/broken/$file"
		report --symbols "$T/broken" "$T/module.pa" >"$T/text" 2>"$T/errors"
		has "$T/text" " target "
	done
	rm -f "$T"/broken/*
	# This one has the right name, but was built otherwise.
	ld -r --build-id=0x0123 -o "$T/broken/demo_mod.ko" "$K/chain.o"
	gzip -f "$T/broken/demo_mod.ko"
	frames --symbols "$T/broken" "$T/module.pa" >"$T/frames"
	lacks "$T/frames" inner
	report --explain target --symbols "$T/broken" "$T/module.pa" >"$T/explained"
	has "$T/explained" "demo_mod.ko.gz for debug information: has another build ID"
	# Without debug information, as distributions install it: the trace's names.
	with "$T/modules" plain.ko
	frames --symbols "$T/modules" "$T/module.pa" >"$T/frames"
	has "$T/frames" "target"
}

@test "a name that several functions have is told by where the others are" {
	local first second
	first=$(nm "$K/vmlinux" | awk '$3 == "helper" { print "0x" $1 }' | sort | head -1)
	second=$(nm "$K/vmlinux" | awk '$3 == "helper" { print "0x" $1 }' | sort | tail -1)
	[ "$first" != "$second" ]
	local from
	from=$(address "$K/vmlinux" one_entry)
	kernel twins --boot 5 "$K/vmlinux" one_entry "one_entry+$((first - from))" "one_entry+$((second - from))"
	report --explain helper --symbols "$K/vmlinux" "$T/twins.pa" >"$T/explained"
	[ "$(grep -c 'twins.c:' "$T/explained")" -ge 2 ]
	has "$T/explained" "$(printf '0x%x' "$first")" "$(printf '0x%x' "$second")"
	# With nothing else to go by it stays what the trace says.
	kernel alone --boot 5 "$K/vmlinux" "one_entry+$((second - from))"
	frames --symbols "$K/vmlinux" "$T/alone.pa" >"$T/frames"
	has "$T/frames" "helper"
	lacks "$T/frames" "twins.c"
}

@test "an address that no symbol is told of is found by the others" {
	kernel untold --boot 9 "$K/vmlinux" caller ":$INNER"
	frames --symbols "$K/vmlinux" "$T/untold.pa" >"$T/frames"
	has "$T/frames" "$CHAIN"
}

@test "--pack takes the kernel's lines along, --pack-files its files" {
	kernel packed --boot 3 "$K/vmlinux" "$INNER" , "$K/demo-mod.ko@demo_mod" "$INNER"
	with "$T/modules" vmlinux demo-mod.ko.gz
	report --pack "$T/packed.out.pa" --symbols "$T/modules" "$T/packed.pa"
	frames "$T/packed.out.pa" >"$T/frames"
	[ "$(grep -c "$CHAIN" "$T/frames")" -eq 2 ]
	report --pack-files "$T/files" --symbols "$T/modules" "$T/packed.pa"
	frames --symbols "$T/files" "$T/packed.pa" >"$T/frames"
	[ "$(grep -c "$CHAIN" "$T/frames")" -eq 2 ]
}
