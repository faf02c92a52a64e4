#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Compares stacks of a program that mixes all kinds with gdb's at MOMENTS stopped moments: gdb.sh MOMENTS.
set -eu
cd "$(dirname "$0")/../.."
"$BUILD/tests/workloads/unwind_mix" 36000 >/dev/null &
workload=$!
trap 'kill $workload' EXIT
sleep 1
python3 tests/unwind/gdb.py "$BUILD/pa-record" "$BUILD/pa-report" $workload "$1"
