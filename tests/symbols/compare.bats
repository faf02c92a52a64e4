#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The short form of make compare-symbols: names are those of other symbolizers, or it is known why not.
load lib.bash

@test "500 random addresses each of libc, python3, C++ and Rust: every disagreement is explained" {
	run "$HERE/compare.sh" 500
	echo "$output"
	[ "$status" -ne 77 ] || skip "${output##*$'\n'}"
	[ "$status" -eq 0 ]
}

@test "each class of disagreement is explained in docs/symbols.md" {
	local class
	sed -n 's/.*\(return\|kind =\) "\([a-z ]*\)"$/\2/p' "$HERE/compare.py" | sort -u >"$T/classes"
	[ "$(wc -l <"$T/classes")" -ge 7 ]
	while IFS= read -r class; do
		grep -q "^| $class |" "$HERE/../../docs/symbols.md"
	done <"$T/classes"
}
