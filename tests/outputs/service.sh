#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Builds service.c and its recordings in a directory: service.sh DIR makes DIR/server, DIR/libcompress.so,
# DIR/before.pa and DIR/after.pa.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=${BUILD:-$here/../../build}
cc=${CC:-cc}

id() { printf '0x'; printf "$1%.0s" $(seq 20); }
flags="-O1 -g -fno-inline -ffile-prefix-map=$here=."
# shellcheck disable=SC2086
{
	$cc $flags "-Wl,--build-id=$(id 5e)" -o "$1/server" "$here/service.c"
	$cc $flags -shared -fPIC "-Wl,--build-id=$(id c0)" -o "$1/libcompress.so" "$here/service.c"
}
for which in before after; do
	python3 "$here/service.py" "$1/server" "$1/libcompress.so" $which >"$1/$which.txt"
	"$build/tests/mktrace" "$1/$which.txt" "$1/$which.pa"
done
