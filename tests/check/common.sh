# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# For the checks: where they stand, which files are ours, what is said of a violation. To be sourced.
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-$PWD/build}
status=0

# Flags under which every C file outside of bpf/ is compiled; generated headers are not ours.
c_flags() {
	printf '%s\n' -std=gnu11 -D_GNU_SOURCE "-DPA_VERSION=\"$(cat VERSION)\"" -I. -isystem "$BUILD" \
		-include format/util/banned.h
}

# Files of the project below the given names, or all; works without git, for instance in a tarball.
our_files() {
	[ $# -gt 0 ] || set -- .
	find "$@" \( -name .git -o -name build -o -name 'build-*' -o -name __pycache__ -o -name compile_commands.json \) -prune -o -type f -print |
		sed 's|^\./||' | LC_ALL=C sort
}

our_c_files() {
	our_files "$@" | grep -E '\.[ch]$'
}

violation() {
	echo "$*"
	status=1
}

# Skips the check, with the reason, where a tool is missing.
need_tool() {
	command -v "$1" >/dev/null && return
	echo "$1 is not installed"
	exit 77
}
