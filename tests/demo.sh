#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Records tests/workloads/mixed for five seconds, as root, and prints the report, as whoever calls.
set -eu
build=${BUILD:-build}
as_root=
[ "$(id -u)" = 0 ] || as_root=sudo

rm -f "$build/demo.pa"
$as_root "$build/pa-record" --profile --offcpu --pmu --sample-rate 997 --duration 5s -o "$build/demo.pa" \
	-- "$build/tests/workloads/mixed"
exec "$build/pa-report" "$build/demo.pa"
