#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The documents name all that there is: options, verdicts, targets of make, and files that exist.
. "$(dirname "$0")/common.sh"

# Options of --help stand in the man page, and no others do.
check_options() {
	program=$1 page=man/$1.1
	[ -x "$BUILD/$program" ] || return 0
	"$BUILD/$program" --help | grep -Eo '^ +(-.,)? +--[a-z-]+' | grep -Eo -- '--[a-z-]+' | sort -u >"$tmp/help"
	sed -n '/^\.SH OPTIONS/,/^\.SH [^O]/p' "$page" | grep -A1 '^\.TP' | sed 's/\\-/-/g' |
		grep -Eo -- '--[a-z-]+' | sort -u >"$tmp/page"
	for option in $(comm -23 "$tmp/help" "$tmp/page"); do
		violation "$page: lacks $option"
	done
	for option in $(comm -13 "$tmp/help" "$tmp/page"); do
		violation "$page: $option is no option of $program"
	done
}

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
check_options pa-record
check_options pa-report

# Metrics that have a verdict, by the id that users see.
for name in $(grep -oh 'RPT_METRIC_[A-Z0-9_]*' report/analyse/verdicts.c | sed 's/RPT_METRIC_//' | sort -u); do
	id=$(sed -n "s/^	X($name, \"\([a-z0-9_.]*\)\".*/\1/p" report/analyse/metrics.h)
	[ -n "$id" ] || continue
	grep -q "^##.*\`$id\`" docs/verdicts.md || violation "docs/verdicts.md: no heading for \`$id\`"
done

for target in $(cat Makefile mk/*.mk | sed -n 's/^\.PHONY: //p'); do
	grep -Eq "^$target:.*## ." Makefile mk/*.mk || violation "make $target: not in 'make help' (no '## text')"
done

# Files that documents point to: `path/file.ext` and [text](path).
for document in README.md CONTRIBUTING.md docs/*.md; do
	for path in $(grep -Eo '`(bpf|docs|format|man|mk|record|report|tests)/[A-Za-z0-9_./-]+`|\]\([a-z][A-Za-z0-9_./-]*\)' "$document" |
		tr -d '`()' | sed 's/^\]//' | grep -v '[A-Z][A-Z]' | sort -u); do # capitals stand for any name
		[ -e "$path" ] || [ -e "$(dirname "$document")/$path" ] || violation "$document: '$path' does not exist"
	done
done
exit $status
