#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# pa-record as one file: what it needs, how large it is, and that it is the same wherever it is built.
load ../e2e/lib.bash

STATIC=$BUILD/static/pa-record
SOURCE=$BATS_TEST_DIRNAME/../..
MAX_BYTES=2621440 # 2.5 MiB

setup_file() {
	begin_file || export OBJECTION
	unset MAKEFLAGS MAKELEVEL O
}
setup() {
	: # most of it needs no privilege
}

@test "one file without libraries, not larger than 2.5 MB" {
	! readelf -lW "$STATIC" | grep INTERP
	! readelf -dW "$STATIC" | grep NEEDED
	holds size "$(stat -c %s "$STATIC") <= $MAX_BYTES"
}

@test "it records where there is nothing else: in an empty root" {
	[ -z "$OBJECTION" ] || skip "$OBJECTION"
	local root=$T/root
	mkdir -p "$root/proc" "$root/sys"
	cp "$STATIC" "$root/pa-record"
	READY=no workload_start static spin7030 --seconds 20
	unshare -m bash -ec '
		mount -t proc proc "$1/proc"
		mount -t sysfs sysfs "$1/sys"
		exec chroot "$1" /pa-record -o /out.pa --profile --offcpu --pmu --pid "$2" --duration 2s
	' - "$root" "$WORKLOAD" 2>"$T/static.err" || {
		cat "$T/static.err"
		false
	}
	stop "$WORKLOAD"
	cp "$root/out.pa" "$T/static.pa"
	has "$(text static)" heavy_work light_work
}

@test "no path of the machine that built it is in it" {
	! strings -a "$STATIC" | grep -F "$(cd "$SOURCE" && pwd)/"
}

@test "built in another folder it is the same, byte by byte" {
	local elsewhere="$T/some where/else"
	mkdir -p "$elsewhere"
	(cd "$SOURCE" && cp -R Makefile VERSION mk bpf format record report "$elsewhere/")
	# Two builds differ if paths, time, user, file order or locale get into them.
	(cd "$elsewhere" && umask 077 && LC_ALL=C.UTF-8 TZ=Asia/Tokyo nice make -j"$(nproc)" static O=other) \
		>"$T/make.log" 2>&1 || {
		tail "$T/make.log"
		false
	}
	cmp "$STATIC" "$elsewhere/other/static/pa-record"
}
