#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Files stay short: from 400 lines on a note, above 800 a failure. (Functions: see .clang-tidy.)
. "$(dirname "$0")/common.sh"

soft=400 hard=800
for file in $(our_files Makefile mk bpf format record report tests | grep -E '(Makefile|\.(c|cc|h|def|sh|bats|mk|py))$'); do
	lines=$(wc -l <"$file")
	if [ "$lines" -gt $hard ]; then
		violation "$file: $lines lines, more than $hard"
	elif [ "$lines" -gt $soft ]; then
		echo "note: $file: $lines lines, more than $soft"
	fi
done
exit $status
