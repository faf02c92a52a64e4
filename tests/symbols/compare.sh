#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Compares names with those of other symbolizers: compare.sh [COUNT [SHOWN]], at COUNT random addresses each of
# libc, python3, a C++ and a Rust program. Exit status 1 when a disagreement is none of those that
# docs/symbols.md explains; what cannot be compared here is said. BUILD is the build directory.
set -u
here=$(cd "$(dirname "$0")" && pwd)
BUILD=${BUILD:-$here/../../build}
export BUILD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0 compared=0

# has_debug FILE: its debug information is on this machine.
has_debug() {
	local id
	id=$(readelf -n "$1" 2>/dev/null | sed -n 's/.*Build ID: //p')
	readelf -SW "$1" 2>/dev/null | grep -q '\.debug_info' || [ -e "/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug" ]
}

# compare FILE WHAT PACKAGE
compare() {
	if [ ! -e "$1" ] || ! has_debug "$1"; then
		echo "left out: $2 ($3 is not installed)"
		return
	fi
	compared=$((compared + 1))
	python3 "$here/compare.py" --show "${shown:-3}" "$count" "$1" || status=1
}

count=${1:-10000} shown=${2:-3}
for tool in eu-addr2line addr2line "${SYMBOLIZER:-llvm-symbolizer-14}"; do
	command -v "$tool" >/dev/null || {
		echo "left out: all, as $tool is not installed"
		exit 77
	}
done
compare "$(ldd /bin/sh | awk '/libc\.so/ { print $3 }')" libc libc6-dbg
compare "$(readlink -f /usr/bin/python3)" python3 python3-dbg
g++ -std=c++17 -O2 -g -Wl,--build-id -o "$work/templates" "$here/templates.cc" 2>"$work/log"
compare "$work/templates" "a C++ program" g++
if command -v rustc >/dev/null; then
	(cd "$work" && rustc -O -g -C link-arg=-Wl,--build-id -o rust "$here/../workloads/lang/deep.rs" 2>>"$work/log")
fi
compare "$work/rust" "a Rust program" rustc
[ $compared -gt 0 ] || exit 77
exit $status
