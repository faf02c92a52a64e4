# SPDX-License-Identifier: GPL-2.0-or-later
# What the tests of outputs share: traces made of text, and the programs.
bats_require_minimum_version 1.5.0

BUILD=${BUILD:-$(cd "$BATS_TEST_DIRNAME/../.." && pwd)/build}
REPORT=$BUILD/pa-report
GOLDEN=$BATS_TEST_DIRNAME/../golden/traces
GENERATE=$BATS_TEST_DIRNAME/generate.py
export LC_ALL=C TZ=UTC

# assemble NAME...: NAME.pa of golden traces, in the current directory.
assemble() {
	local name
	for name in "$@"; do
		"$BUILD/tests/mktrace" "$GOLDEN/$name.txt" "$name.pa"
	done
}

# generate NAME KIND [OPTION=VALUE]...: NAME.pa of a trace that generate.py makes.
generate() {
	local name=$1
	shift
	python3 "$GENERATE" "$@" >"$name.txt"
	"$BUILD/tests/mktrace" "$name.txt" "$name.pa"
	rm "$name.txt"
}

# busy NAME [OPTION=VALUE]...: NAME.pa of a program that works, of busy.c.
busy() {
	local name=$1
	shift
	"$BUILD/tests/outputs/busy" "$@" | "$BUILD/tests/mktrace" /dev/stdin "$name.pa"
}

# is WHAT ACTUAL EXPECTED
is() {
	[ "$2" = "$3" ] && return
	printf '%s: %s\nexpected: %s\n' "$1" "$2" "$3"
	return 1
}

skip_without() {
	command -v "$1" >/dev/null || skip "$1 is not installed"
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
}
