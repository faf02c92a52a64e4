#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Every header can be included alone, and twice.
. "$(dirname "$0")/common.sh"

# Of bpf/, only these are included by others; the rest is parts of one program. They bring no types of
# their own, since the kernel's headers and user space's exclude each other.
on_both_sides='bpf/events.h bpf/unwind_table.h'
for header in $on_both_sides $(our_files format record report tests/unit | grep '\.h$'); do
	case $header in
	bpf/*) types='-include linux/types.h' ;;
	*) types= ;;
	esac
	output=$(printf '#include "%s"\n#include "%s"\n' "$header" "$header" |
		"${CC:-cc}" $(c_flags) $types -fsyntax-only -Wall -Wextra -x c - 2>&1) || violation "$header: not self-contained
$output"
done
exit $status
