#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Prints C code with the files of the HTML page as arrays, and the sums by which its security policy knows
# style and script: embed.sh STYLE BODY SCRIPT... (scripts are joined in their order).
set -eu

# array NAME: standard input as an array of bytes that ends in NUL.
array() {
	printf 'const char %s[] = {' "$1"
	od -An -v -tu1 | sed 's/[0-9][0-9]*/&,/g'
	printf '0};\n'
}

# sum NAME: the SHA-256 of standard input in base64, as a string.
sum() {
	hex=$(sha256sum | cut -c1-64)
	octal=$(echo "$hex" | sed 's/../0x& /g' | xargs printf '\\%03o')
	# The octal numbers are the format.
	# shellcheck disable=SC2059
	printf 'const char %s[] = "%s";\n' "$1" "$(printf "$octal" | base64)"
}

style=$1 body=$2
shift 2
echo '#include "report/output/html_data.h"'
array rpt_html_style <"$style"
array rpt_html_body <"$body"
cat "$@" | array rpt_html_script
sum rpt_html_style_sum <"$style"
cat "$@" | sum rpt_html_script_sum
