#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Cost of recording, side by side with perf in the same run: one table. ROUNDS=N sets how many pairs of
# runs the medians are taken of (5). Needs root and perf.
set -eu
cd "$(dirname "$0")/../.."
export BUILD=${BUILD:-$PWD/build} LC_ALL=C
if [ "$(id -u)" -ne 0 ]; then
	echo "bench: recording the whole system needs root" >&2
	exit 1
fi
for tool in perf taskset python3; do
	if ! command -v $tool >/dev/null; then
		echo "bench: '$tool' is missing" >&2
		exit 1
	fi
done
python3 tests/bench/report.py
echo
python3 tests/bench/recording.py
echo
tests/bench/size.sh
echo
tests/bench/archive.sh
echo
tests/bench/unwind.sh
