#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Installs the Debian packages that are missing: setup.sh build|test...; asks for root only if any is.
set -eu

build="gcc make libc6-dev pkg-config clang llvm bpftool libbpf-dev libelf-dev libdw-dev libiberty-dev
	liblzma-dev libzstd-dev libprotobuf-c-dev protobuf-c-compiler protobuf-compiler zlib1g-dev libsqlite3-dev"
test="g++ libcmocka-dev bats golang-go linux-perf gdb cppcheck clang-tidy clang-format groff lld elfutils
	binutils libcap2-bin jq libclang-rt-14-dev xz-utils zstd dwz util-linux procps libc6-dbg strace
	python3 diffutils gawk sqlite3 python3-jsonschema coreutils"

installed() {
	[ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

[ $# -gt 0 ] || set -- build
wanted=
for set in "$@"; do
	case $set in
	build) wanted="$wanted $build" ;;
	test) wanted="$wanted $test" ;;
	*)
		echo "usage: $0 build|test..." >&2
		exit 2
		;;
	esac
done
if ! command -v dpkg-query >/dev/null; then
	echo "$0: not a Debian system; these packages, or their like, are needed:" $wanted >&2
	exit 0
fi

missing=
for package in $wanted; do
	installed "$package" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=
[ "$(id -u)" = 0 ] || as_root=sudo
if [ -n "$as_root" ] && ! command -v sudo >/dev/null; then
	echo "$0: to be run as root, since sudo is not there: apt-get install$missing" >&2
	exit 1
fi
echo "installing:$missing"
install="$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends -qq"
# The lists of packages may be old or absent on a new machine: then, and only then, they are fetched.
$install $missing >/dev/null 2>&1 || { $as_root apt-get update -qq && $install $missing >/dev/null; }
