#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Who may include whom, what the programs link, and what the format library calls.
. "$(dirname "$0")/common.sh"

# Includes of the files below $1 that do not match the pattern $2: "FILE: HEADER".
includes() {
	folder=$1 allowed=$2
	shift 2
	our_c_files "$folder" | xargs grep -HEo '^[[:space:]]*#[[:space:]]*include [<"][^>"]+' "$@" |
		sed -E 's/:[[:space:]]*#[[:space:]]*include [<"]/ /' | grep -Ev " ($allowed)\$"
}

# Our headers are those that are named by a folder of ours, or that stand beside the file.
ours='(bpf|format|record|report|tests)/|[^/]*\.skel\.h|profile\.pb-c\.h'

may_include() {
	folder=$1 allowed=$2
	bad=$(includes "$folder" "$allowed" | grep -E " ($ours)")
	[ -z "$bad" ] || violation "$folder/ may include only $allowed of ours:
$bad"
}

may_not_include() {
	bad=$(includes "$1" '' | grep -E " ($2)")
	[ -z "$bad" ] || violation "$1/ may not include $2:
$bad"
}

contract='format/(pa-format\.h|hist\.h|util/.*|cli/.*)'
may_include bpf 'bpf/.*'
may_include format/util 'format/util/.*'
may_include format/cli 'format/(util|cli)/.*'
may_include record "$contract|record/.*|bpf/[a-z_]+\.h|bpf/.*\.skel\.h|pa\.skel\.h"
may_include report "$contract|report/.*|profile\.pb-c\.h"
may_not_include record 'elfutils/.*|dwarf\.h|libdw.*|gelf\.h|libelf\.h|sqlite3\.h|protobuf-c.*|bfd\.h|demangle\.h'
may_not_include report 'bpf/.*|linux/bpf.*'
bad=$(our_c_files format | grep -v '^format/cli/' | xargs grep -Hn '#include "' |
	grep -Ev '"format/([a-z-]+\.(h|def)|util/[a-z0-9_]+\.h)"')
[ -z "$bad" ] || violation "format/ may include format/ and format/util/ only:
$bad"

# Within report/: outputs and analyses read what is loaded, and know neither each other nor files.
may_not_include report/model 'report/(symbols|unwind|analyse|output)/.*'
may_not_include report/symbols 'report/(model|unwind|analyse|output)/.*'
may_not_include report/unwind 'report/(analyse|output)/.*'
may_not_include report/analyse 'report/output/.*'
may_not_include report/output 'report/(unwind/.*|symbols/(elf|dwarf|search|section|symtab|module).*)'

# What the programs and the library are linked with.
linked() {
	readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'
}
if [ -x "$BUILD/pa-record" ]; then
	bad=$(linked "$BUILD/pa-record" | grep -Ev '^(libbpf|libz|libc|libelf|ld-linux[^.]*)\.so')
	[ -z "$bad" ] || violation "pa-record is linked with $bad"
fi
if [ -x "$BUILD/pa-report" ]; then
	bad=$(linked "$BUILD/pa-report" | grep -E '^libbpf')
	[ -z "$bad" ] || violation "pa-report is linked with $bad"
fi
if [ -e "$BUILD/libpa-format.a" ]; then
	bad=$(nm -uA "$BUILD/libpa-format.a" |
		grep -E ' U (printf|fprintf|__(f|v)?printf_chk|puts|putchar|fputs|perror|exit|_exit|abort|stdout|stderr|__assert_fail)$')
	[ -z "$bad" ] || violation "format/ prints, exits or asserts:
$bad"
fi
exit $status
