#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Unwind tables of real files: equal to readelf's view of them, small, and right at every instruction.
set -u
cd "$(dirname "$0")/../.."
dump=$BUILD/tests/unwind/dump
selfwalk=$BUILD/tests/unwind/selfwalk
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
number=0

# result STATUS NAME: one line of TAP.
result() {
	number=$((number + 1))
	[ "$1" -eq 0 ] && echo "ok $number - $2" || echo "not ok $number - $2"
}

skip() {
	number=$((number + 1))
	echo "ok $number - $1 # SKIP $2"
}

# compare NAME PATH: row by row.
compare() {
	local path
	path=$(readlink -e "$2")
	if [ -z "$path" ]; then
		skip "$1 equals readelf" "not installed"
		return
	fi
	python3 tests/unwind/compare.py "$dump" "$path" >"$scratch/out" 2>&1
	local status=$?
	sed 's/^/# /' "$scratch/out"
	result $status "$1 equals readelf"
	"$dump" --stats "$path" | sed 's/^/#   /'
}

# A library's path, by what the dynamic linker knows.
library() {
	PATH=$PATH:/sbin ldconfig -p | awk -v name="$1" '
		index($1, name) == 1 && /x86-64|AArch64/ { print $NF; exit }'
}

# Code for the other machine, with frames, leaves and signed return addresses.
compare_aarch64() {
	local cc="clang --target=aarch64-linux-gnu -shared -nostdlib -fuse-ld=lld -O2 -fasynchronous-unwind-tables"
	if ! command -v clang >/dev/null || ! command -v ld.lld >/dev/null; then
		skip "AArch64 code equals readelf" "no clang or no lld"
		return
	fi
	cat >"$scratch/arm.c" <<-'END'
		int callee(char *);
		int leaf(int n) { return n * 3; }
		int frame(int n) { char bytes[300]; return callee(bytes) + n; }
		int dynamic(int n) { char *p = __builtin_alloca(n); return callee(p) + n; }
		int big(int n) { volatile char bytes[100000]; bytes[n] = 1; return callee((char *)bytes); }
	END
	$cc -mbranch-protection=pac-ret+leaf+b-key "$scratch/arm.c" -o "$scratch/arm.so" &&
		python3 tests/unwind/compare.py "$dump" "$scratch/arm.so" >"$scratch/out" 2>&1
	local status=$?
	sed 's/^/# /' "$scratch/out"
	result $status "AArch64 code equals readelf"
}

# The comparison is worth something only if it notices what is wrong.
notices_wrong_rows() {
	cat >"$scratch/wrong" <<-END
		#!/bin/sh
		"$dump" "\$@" | sed '1000,1001s/ rsp+[0-9]* / rsp+4096 /'
	END
	chmod +x "$scratch/wrong"
	! python3 tests/unwind/compare.py "$scratch/wrong" "$(readlink -e "$(library libc.so.6)")" \
		>"$scratch/out" 2>&1 && grep -q ', [1-9][0-9]* differ' "$scratch/out"
	result $? "wrong rows are noticed"
}

# A table of libc in a quarter of what others take.
libc_is_small() {
	local bytes
	bytes=$("$dump" --stats "$(library libc.so.6)" | sed -n 's/.* sides, \([0-9]*\) bytes.*/\1/p')
	[ -n "$bytes" ] && [ "$bytes" -lt 330000 ]
	result $? "the table of libc is below 330 000 bytes"
}

# The walk's witness is of use only where no frame pointer leads through it.
walks_itself() {
	if [ "$(uname -m)" != x86_64 ]; then
		skip "walks at every instruction as the run-time unwinder does" "x86-64 only"
		return
	fi
	"$selfwalk" >"$scratch/out" 2>&1
	local status=$?
	sed 's/^/# /' "$scratch/out"
	result $status "walks at every instruction as the run-time unwinder does"
	! objdump -d --disassemble=deep "$selfwalk" | grep -q '%rbp'
	result $? "the recursion of that program does not touch the frame pointer"
}

walks_itself
notices_wrong_rows
libc_is_small
compare_aarch64
compare libc "$(library libc.so.6)"
compare ld.so "$(library ld-linux)"
compare libstdc++ "$(library libstdc++.so.6)"
compare libcrypto "$(library libcrypto.so.3)"
compare python3 /usr/bin/python3
compare node "$(command -v node || echo /usr/bin/node)"
compare libLLVM "$(library libLLVM-14.so.1)"
echo "1..$number"
