#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Installs the Debian packages that are missing: setup.sh build|test|cross|vm...; asks for root only if any is.
# For the tests also some packages of npm, below build/npm.
set -eu

build="gcc make libc6-dev pkg-config clang llvm bpftool libbpf-dev libelf-dev libdw-dev libiberty-dev
	liblzma-dev libzstd-dev libprotobuf-c-dev protobuf-c-compiler protobuf-compiler zlib1g-dev libsqlite3-dev"
test="g++ libcmocka-dev bats golang-go golang-github-google-pprof-dev linux-perf gdb cppcheck clang-tidy clang-format groff lld elfutils
	binutils libdebuginfod1 libcap2-bin jq libclang-rt-14-dev xz-utils zstd dwz util-linux procps libc6-dbg python3-dbg rustc strace
	zsh nodejs lintian musl-tools chromium fonts-dejavu-core python3 python3-jsonschema diffutils gawk sqlite3 coreutils"
vm="qemu-system-x86 qemu-system-arm cpio xz-utils binutils"
cross="gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user"
# Programs that outputs are made for: they read them in tests. Without network the tests are skipped.
npm_packages="pprof-format@2.3.2 speedscope@1.25.0 @firefox-devtools/profiler-cli@0.10.0"
npm_dir=$(dirname "$0")/../build/npm

npm_install() {
	[ "$(cat "$npm_dir/installed" 2>/dev/null)" != "$npm_packages" ] || return 0
	echo "installing from npm: $npm_packages"
	mkdir -p "$npm_dir"
	# shellcheck disable=SC2086
	if (cd "$npm_dir" && timeout 300 npm install --prefix . --no-save --no-package-lock --ignore-scripts \
		--no-audit --no-fund --force --loglevel=error $npm_packages >/dev/null); then
		echo "$npm_packages" >"$npm_dir/installed"
	else
		echo "$0: npm could not install them; tests that use them will be skipped" >&2
	fi
}

installed() {
	[ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

[ $# -gt 0 ] || set -- build
wanted= with_npm=
for set in "$@"; do
	case $set in
	build) wanted="$wanted $build" ;;
	test)
		wanted="$wanted $test"
		# Some packages of nodejs bring npm with them.
		command -v npm >/dev/null || wanted="$wanted npm"
		with_npm=1
		;;
	cross) wanted="$wanted $cross" ;;
	vm) wanted="$wanted $vm" ;;
	*)
		echo "usage: $0 build|test|cross|vm..." >&2
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
if [ -n "$missing" ]; then
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
fi
[ -z "$with_npm" ] || npm_install
