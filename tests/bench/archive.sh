#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# How fast traces are written and read, in processor time: samples over 50 000 stacks of 20 frames.
set -eu
cd "$(dirname "$0")/../.."
archive=${BUILD:-$PWD/build}/tests/bench/archive
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "reading: 1 million in 0.3 s; 10 million in 2 s and 300 MiB; in proportion to length"
for millions in 1 2 4 8 10; do
	"$archive" make $((millions * 1000000)) "$work/trace.pa" >/dev/null
	echo "  $millions million: $("$archive" load "$work/trace.pa")"
done
echo "writing: below 2000 ns a sample, whatever the depth"
for depth in 10 100 1000; do
	echo "  $("$archive" write 300000 $depth)"
done
