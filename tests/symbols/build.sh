#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Builds ELF files for the symbol tests: build.sh SET DIR. Each set has files that differ in one respect,
# which their names say. What a missing tool would have made is left out, and its tests are skipped.
set -eu

sources=$(cd "$(dirname "$0")" && pwd)
set=$1
dir=$2
CC=${SYMBOLS_CC:-gcc}
CXX=${SYMBOLS_CXX:-g++}
mkdir -p "$dir"
cd "$dir"

have() {
	command -v "$1" >/dev/null 2>&1
}

# Copies, so that what a debugger records as the directory of compilation is DIR.
cp "$sources"/*.c "$sources"/*.cc "$sources"/*.S "$sources"/*.ld .

compile() {
	$CC -Wl,--build-id=sha1 "$@"
}

# Where the segments are in the file, and where in memory.
layouts() {
	compile -O1 -o pie -fPIE -pie names.c
	compile -O1 -o exec -no-pie names.c
	compile -O1 -o static -static names.c
	compile -O1 -o shared.so -shared -fPIC names.c
	compile -O1 -o packed -Wl,-z,noseparate-code names.c
	compile -O1 -o exec_high -no-pie -Wl,-Ttext-segment=0x10000000 names.c
	compile -O1 -o exec_late -no-pie -Wl,-z,max-page-size=0x1000000 names.c
	compile -O1 -o two_text.so -shared -fPIC -ffunction-sections -nostdlib \
		-Wl,-T,two_text.ld -Wl,--unresolved-symbols=ignore-all names.c
	if have ld.lld; then
		compile -O1 -o lld -fuse-ld=lld -pie -fPIE names.c
		compile -O1 -o lld_separate -fuse-ld=lld -Wl,-z,separate-code names.c
		compile -O1 -o lld_exec -fuse-ld=lld -no-pie names.c
		compile -O1 -o lld.so -fuse-ld=lld -shared -fPIC names.c
	fi
}

# Symbol tables as they are and as strip leaves them. stubs_* list the linkage table as objdump sees it.
stubs() {
	objdump -d "$1" | sed -n 's/^\([0-9a-f]*\) <\(.*@plt\)>:$/\1 \2/p' >"$1.stubs"
}

tables() {
	compile -O1 -o asm.so -shared -fPIC asm.S
	compile -O1 -o names.so -shared -fPIC names.c
	$CXX -Wl,--build-id=sha1 -O1 -o classes.so -shared -fPIC classes.cc
	for file in asm names classes; do
		strip -o $file.stripped.so $file.so
	done
	compile -O1 -o plt_lazy -fcf-protection=none -Wl,-z,lazy names.c
	compile -O1 -o plt_now -fcf-protection=none -Wl,-z,now names.c
	compile -O1 -o plt_ibt -fcf-protection=full -Wl,-z,ibtplt,-z,lazy names.c
	compile -O1 -o plt_ibt_now -fcf-protection=full -Wl,-z,ibtplt,-z,now names.c
	if have ld.lld; then
		compile -O1 -o plt_lld -fuse-ld=lld names.c
	fi
	for file in plt_*; do
		stubs "$file"
	done
	if have go; then
		printf 'package main\n\nfunc main() {}\n' >hello.go
		GOCACHE=$dir/gocache GOFLAGS= go build -o go_plain hello.go
		GOCACHE=$dir/gocache GOFLAGS= go build -ldflags=-B=0x0123456789abcdef -o go_gnu hello.go
	fi
	# Without sections that say which symbols were there, only this table tells.
	if have xz; then
		nm -D names.so --format=posix --defined-only | cut -d' ' -f1 | sort >dynsyms
		nm names.so --format=posix --defined-only |
			awk '$2 ~ /[TtD]/ {print $1}' | sort | comm -13 dynsyms - >keep
		objcopy --only-keep-debug names.so mini
		objcopy -S --remove-section .gdb_index --remove-section .comment \
			--keep-symbols=keep mini mini 2>/dev/null
		xz -k -f mini
		objcopy --add-section .gnu_debugdata=mini.xz names.stripped.so mini.so
		head -c 40 mini.xz >cut.xz
		objcopy --add-section .gnu_debugdata=cut.xz names.stripped.so mini_cut.so
	fi
}

# One program with separate debug information, which the tests lay out in all the ways there are.
separate() {
	compile -O2 -g -o full chain.c
	objcopy --only-keep-debug full full.debug
	strip -o stripped full
	objcopy --add-gnu-debuglink=full.debug stripped linked
	compile -O2 -g -DOTHER -o other chain.c -Wl,--defsym=other=0
	$CC -Wl,--build-id=none -O2 -g -o anonymous chain.c
	objcopy --only-keep-debug --remove-section .note.gnu.build-id full no_id.debug
	objcopy --add-gnu-debuglink=no_id.debug stripped linked_no_id
	if have dwz; then
		cp full dwz1
		compile -O2 -g -o dwz2 chain.c -Wl,--defsym=second=0
		dwz -m common.dwz dwz1 dwz2 2>/dev/null || rm -f dwz1 dwz2
	fi
}

# The same program with all kinds of debug information; each is called dwarf_KIND.
kinds() {
	for version in 2 3 4 5; do
		compile -O2 -g -gdwarf-$version -o dwarf_$version chain.c
	done
	compile -O2 -g -gdwarf-5 -gdwarf64 -o dwarf_64bit chain.c
	compile -O2 -g -gno-as-loc-support -gno-variable-location-views -o dwarf_gcc_lines chain.c
	compile -O2 -g -ffunction-sections -Wl,--gc-sections -o dwarf_sections chain.c
	compile -O2 -g -flto -o dwarf_lto chain.c
	compile -O2 -g -fdebug-types-section -o dwarf_types chain.c
	compile -O2 -g -Wl,--compress-debug-sections=zlib -o dwarf_zlib chain.c
	compile -O2 -g -Wl,--compress-debug-sections=zstd -o dwarf_zstd chain.c 2>/dev/null ||
		rm -f dwarf_zstd
	compile -O2 -g -o dwarf_zdebug chain.c
	objcopy --compress-debug-sections=zlib-gnu dwarf_zdebug
	for version in 4 5; do
		compile -O2 -g -gdwarf-$version -gsplit-dwarf -o dwarf_split$version chain.c
	done
	if have clang; then
		for version in 2 3 4 5; do
			clang -Wl,--build-id=sha1 -O2 -g -gdwarf-$version -o dwarf_clang$version chain.c
		done
		for version in 4 5; do
			clang -Wl,--build-id=sha1 -O2 -g -gdwarf-$version -gsplit-dwarf -c chain.c \
				-o clang_split$version.o
			clang -Wl,--build-id=sha1 -o dwarf_clang_split$version clang_split$version.o
		done
	fi
	if have ld.lld; then
		compile -O2 -g -fuse-ld=lld -ffunction-sections -Wl,--gc-sections -o dwarf_lld chain.c
	fi
	packages
}

# Packages of split files, which are then removed. Not every packer copes with every version.
packages() {
	for version in 4 5; do
		(
			mkdir -p package$version
			cd package$version
			! have clang || CC=clang
			compile -O2 -g -gdwarf-$version -gsplit-dwarf -c -o chain.o ../chain.c
			compile -o package chain.o
			for packer in llvm-dwp llvm-dwp-14 dwp; do
				! have $packer || timeout 10 $packer -e package -o package.dwp 2>/dev/null || continue
				[ ! -s package.dwp ] || break
			done
			if [ -s package.dwp ]; then
				cp package ../dwarf_package$version
				cp package.dwp ../dwarf_package$version.dwp
			fi
			rm -f ./*.dwo
		)
	done
}

# A kernel and a module of it: the one linked to an address of its own, the other not linked at all. Both
# have several functions of one name, "helper", as kernels do.
kernel() {
	for part in one two; do
		compile -O2 -g -fno-pie -mcmodel=kernel -DPART=$part -c -o $part.o twins.c
	done
	compile -O2 -g -fno-pie -mcmodel=kernel -c -o chain.o chain.c
	$CC -no-pie -static -nostdlib -Wl,--build-id=sha1 -Wl,-Ttext-segment=0xffffffff81000000 \
		-Wl,-e,main -o vmlinux chain.o one.o two.o
	# Of its functions each is in a section of its own, which may lie anywhere.
	for part in one two; do
		compile -O2 -g -fno-pie -mcmodel=kernel -ffunction-sections -DPART=$part -c -o $part.o twins.c
	done
	compile -O2 -g -gdwarf-4 -fno-pie -mcmodel=kernel -ffunction-sections -c -o chain.o chain.c
	ld -r --build-id=sha1 -o demo-mod.ko chain.o one.o two.o
	strip --strip-debug -o plain.ko demo-mod.ko
	gzip -k -f demo-mod.ko
	! have xz || xz -k -f demo-mod.ko
	! have zstd || zstd -q -k -f demo-mod.ko
}

# C++: names of functions are not where their code is described.
classes() {
	$CXX -Wl,--build-id=sha1 -O1 -g -o classes classes.cc
	$CXX -Wl,--build-id=sha1 -O1 -o plain classes.cc
	# The same without names in the entries of functions: the symbol table has to help out.
	$CXX -O1 -g -dA -S -o nameless.s classes.cc
	awk '/DW_TAG_/ { function_entry = /DW_TAG_subprogram/ }
		function_entry && /\(DW_AT_(name|linkage_name)\)/ { sub(/0x[0-9a-f]+/, "0x3ffe") }
		{ print }' nameless.s >nameless2.s
	$CXX -Wl,--build-id=sha1 -o nameless nameless2.s
}

"$set"
