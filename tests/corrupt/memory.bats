#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later

@test "traces made to exhaust their reader need at most 64 MiB beyond what they hold" {
	run python3 tests/corrupt/memory.py
	echo "$output" | grep -v '^ok'
	[ "$status" -eq 0 ]
	[ "$(grep -c '^ok' <<<"$output")" -ge 12 ]
}
