#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Every source file begins with its licence and a sentence that says its job.
. "$(dirname "$0")/common.sh"

for file in $(our_files Makefile mk bpf format record report tests .ci | grep -E '(Makefile|run|\.(c|cc|h|def|sh|bats|mk|py|proto))$'); do
	head -n 2 "$file" | grep -q 'SPDX-License-Identifier: GPL-2.0' ||
		violation "$file: no SPDX line at its beginning"
	# What follows is a comment or a docstring.
	sed -n '2,4p' "$file" | grep -qE '^(/\*|//|#|"""| \*)' ||
		violation "$file: no sentence that says its job"
done
exit $status
