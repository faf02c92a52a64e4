#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Without arguments: replays what each fuzz target has to survive; output is TAP. run.sh SECONDS: lets
# libFuzzer look for more, from the programs in $FUZZ; what it finds goes to $FUZZ/corpus, a crash to
# $FUZZ/crash-*, from where it is to be moved to tests/fuzz/corpus/TARGET, as a test.
set -u
cd "$(dirname "$0")/../.."
BUILD=${BUILD:-$PWD/build}
seeds=$BUILD/tests/fuzz/seeds

# Text traces become binary ones; files of the right kind are near at hand for the others.
make_seeds() {
	local text
	rm -rf "$seeds"
	mkdir -p "$seeds/traces" "$seeds/elf"
	for text in tests/golden/traces/*.txt tests/corrupt/*.txt; do
		[ ! -e "$text" ] || "$BUILD/tests/mktrace" "$text" "$seeds/traces/$(basename "$text" .txt).pa" 2>/dev/null
	done
	cp tests/witness/*.pa "$seeds/traces"
	cp "$BUILD"/tests/workloads/lib/*.so "$seeds/elf" 2>/dev/null
	cp "$BUILD/tests/mktrace" "$seeds/elf"
}

# For a search also small files with all kinds of symbol tables and debug information.
make_more_seeds() {
	local set file
	for set in kinds tables kernel; do
		tests/symbols/build.sh $set "$seeds/$set" >/dev/null 2>&1 || true
		for file in "$seeds/$set"/*; do
			[ ! -f "$file" ] || [ "$(stat -c %s "$file")" -gt 65536 ] || [[ $file == *.[cS] || $file == *.s ]] ||
				cp "$file" "$seeds/elf/$set-${file##*/}"
		done
		rm -rf "${seeds:?}/$set"
	done
}

# Directories of inputs of a target.
inputs() {
	local kind=traces
	case $1 in
	*elf* | *unwind* | *symbols* | *dwarf*) kind=elf ;;
	esac
	echo "$seeds/$kind"
	[ "$1" != report ] || echo tests/golden/traces
	[ ! -d "tests/fuzz/corpus/$1" ] || echo "tests/fuzz/corpus/$1"
}

replay() {
	local source target number=0 output
	for source in tests/fuzz/fuzz_*.c; do
		target=$(basename "$source" .c)
		target=${target#fuzz_}
		number=$((number + 1))
		# shellcheck disable=SC2046
		if output=$("$BUILD/tests/fuzz/replay_$target" $(inputs "$target") 2>&1); then
			echo "ok $number - $target: ${output##*$'\n'}"
		else
			sed 's/^/# /' <<<"$output"
			echo "not ok $number - $target"
		fi
	done
	echo "1..$number"
}

search() {
	local program target status=0
	for program in "$FUZZ"/tests/fuzz/fuzz_*; do
		[ -x "$program" ] || continue
		target=${program##*/fuzz_}
		mkdir -p "$FUZZ/corpus/$target"
		echo "== $target, $1 seconds"
		# shellcheck disable=SC2046
		"$program" -max_total_time="$1" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
			-artifact_prefix="$FUZZ/crash-$target-" "$FUZZ/corpus/$target" $(inputs "$target") \
			2>"$FUZZ/$target.log" || status=1
		grep -E '^(SUMMARY|stat::number_of_executed|stat::new_units|.*ERROR)' "$FUZZ/$target.log"
		ls "$FUZZ"/crash-"$target"-* 2>/dev/null
	done
	return $status
}

make_seeds
if [ $# -gt 0 ]; then
	make_more_seeds
	search "$1"
else
	replay
fi
