#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The build for arm64: the recorder's one file, and a reporter that says what the one for this machine says.
load ../e2e/lib.bash

CROSS=$BUILD/aarch64
SYSROOT=${SYSROOT:-$BUILD/sysroot/aarch64}

setup_file() {
	OBJECTION=
	if [ ! -x "$CROSS/pa-report" ]; then
		OBJECTION="not built: make setup-cross, make ARCH=arm64"
	elif ! command -v qemu-aarch64 >/dev/null; then
		OBJECTION="no qemu-aarch64 to run it with"
	fi
	export OBJECTION
}

arm64() {
	qemu-aarch64 -L "$SYSROOT" "$@"
}

@test "the recorder for arm64 is one file without libraries, not larger than 2.5 MB" {
	readelf -hW "$CROSS/static/pa-record" | grep -q AArch64
	! readelf -lW "$CROSS/static/pa-record" | grep INTERP
	holds size "$(stat -c %s "$CROSS/static/pa-record") <= 2621440"
	[ "$(arm64 "$CROSS/static/pa-record" --version)" = "$("$BUILD/pa-record" --version)" ]
}

@test "reports made on arm64 and here are the same" {
	local trace count=0
	for trace in "$BATS_TEST_DIRNAME"/../golden/traces/*.txt; do
		# Each fifth will do: they are emulated, and slow.
		[ $((count++ % 5)) -eq 0 ] || continue
		"$BUILD/tests/mktrace" <"$trace" >"$T/trace.pa"
		"$BUILD/pa-report" --pmu "$T/trace.pa" >"$T/here" 2>&1 || true
		arm64 "$CROSS/pa-report" --pmu "$T/trace.pa" >"$T/there" 2>&1 || true
		cmp "$T/here" "$T/there"
	done
	[ $count -gt 20 ]
}
