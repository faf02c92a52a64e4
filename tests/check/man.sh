#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The man pages are well-formed, and have the sections that a reader looks for.
. "$(dirname "$0")/common.sh"

need_tool groff
for page in man/*.[0-9]; do
	output=$(groff -ww -man -Tutf8 -z "$page" 2>&1)
	[ -z "$output" ] || violation "$output"
done
for page in man/*.1; do
	for section in NAME SYNOPSIS DESCRIPTION OPTIONS 'EXIT STATUS' FILES EXAMPLES SECURITY 'SEE ALSO'; do
		grep -Eq "^\.SH \"?$section\"?\$" "$page" || violation "$page: no section $section"
	done
done
exit $status
