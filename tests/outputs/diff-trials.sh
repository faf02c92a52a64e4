#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# How often --diff finds what changed, and how often it reports what did not: diff-trials.sh [COUNT] compares
# COUNT pairs of recordings of each kind, 10 s at 997 Hz each. Exit status 1 when it is wrong more than once
# in twenty. BUILD is the build directory.
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=${BUILD:-$here/../../build}
count=${1:-20} status=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# make NAME OPTION...: NAME.pa of a program that never ran.
make() {
	local name=$1
	shift
	"$build/tests/outputs/busy" "$@" | "$build/tests/mktrace" /dev/stdin "$name.pa" || exit 1
}

# compare OPTION...: before.pa with after.pa; the report is in out, its exit status in found.
compare() {
	"$build/pa-report" --diff --check "$@" before.pa after.pa >out
	found=$?
	[ $found -eq 0 ] || [ $found -eq 3 ] || exit 1
}

changed() {
	[ $found -eq 3 ] || grep -q '  yes  ' out
}

# Each pair is of two recordings of its own: in a chain, an odd one would count twice.
real=0 equal=0 bursts=0
for ((i = 1; i <= count; i++)); do
	make before seed=$((1000000 + i)) cpus=4 bursts=1
	make after seed=$((2000000 + i)) cpus=4 bursts=1 slow=10
	compare
	[ $found -eq 3 ] && grep -q '  yes  .* f0 ' out && real=$((real + 1))
	make after seed=$((3000000 + i)) cpus=4 bursts=1
	compare --threshold 0 --top 1000
	changed && equal=$((equal + 1))
	make before seed=$((4000000 + i)) cpus=2 bursts=60 functions=30
	make after seed=$((5000000 + i)) cpus=2 bursts=60 functions=30
	compare --threshold 0 --top 1000
	changed && bursts=$((bursts + 1))
done
echo "one function 10 % slower: found in $real of $count"
echo "equal programs: a change reported in $equal of $count"
echo "equal programs that work in bursts: a change reported in $bursts of $count"
for wrong in $((count - real)) $equal $bursts; do
	[ $((wrong * 20)) -le "$count" ] || status=1
done
exit $status
