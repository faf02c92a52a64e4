#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# All C code is as clang-format would write it (make format).
. "$(dirname "$0")/common.sh"

need_tool clang-format
our_c_files bpf format record report tests | xargs clang-format --dry-run --Werror 2>&1 |
	grep 'error:' | cut -d: -f1 | sort | uniq -c | awk '{ print $2 ": " $1 " places" } END { exit NR > 0 }'
