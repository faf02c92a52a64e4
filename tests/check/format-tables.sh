#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Makes the tables of docs/format.md from records.def and pa-format.h, and checks that the document has
# them as they are; with --write it puts them there.
set -eu
cd "$(dirname "$0")/../.."
doc=docs/format.md

records() {
	awk '
	function text(line) {
		sub(/^[^"]*"/, "", line)
		sub(/"\)[^"]*$/, "", line)
		gsub(/\|/, "\\|", line)
		return line
	}
	/^PA_RECORD\(/ {
		split($0, part, /[(,] */)
		printf "\n#### %d `%s`: %s\n\n| field | kind | meaning |\n|---|---|---|\n", part[2], part[4], text($0)
	}
	/^\t[A-Z0-9]+\(/ {
		kind = $1
		sub(/\(.*/, "", kind)
		name = $1
		sub(/^[^(]*\(/, "", name)
		sub(/,$/, "", name)
		printf "| `%s` | %s | %s |\n", name, kind, text($0)
	}' format/records.def
}

values() {
	awk '
	function comment(line) {
		if (line !~ /\/\*/)
			return ""
		sub(/^.*\/\* /, "", line)
		sub(/ \*\/.*$/, "", line)
		gsub(/\|/, "\\|", line)
		return line
	}
	function heading(name) {
		printf "\n#### %s\n\n| value | name | meaning |\n|---|---|---|\n", name
	}
	/^enum pa_[a-z_]+ {$/ && $2 != "pa_record_id" { inside = 1; heading("`enum " $2 "`") }
	/^};/ { inside = 0 }
	inside && $2 == "=" && $1 !~ /_$/ {
		value = $3
		sub(/,.*/, "", value)
		if (value !~ /^[0-9]+$/) {
			print FILENAME ": value and comment of " $1 " are not on its line" >"/dev/stderr"
			exit 1
		}
		printf "| %s | `%s` | %s |\n", value, $1, comment($0)
	}
	/^#define PA_[A-Z_]+ [0-9]+u/ && $2 !~ /^PA_(MAX|VERSION)/ {
		group = $2
		sub(/^PA_/, "", group)
		sub(/_.*/, "", group)
		if (group != last)
			heading("Bits `PA_" group "_*`")
		last = group
		printf "| %d | `%s` | %s |\n", $3, $2, comment($0)
	}' format/pa-format.h
}

limits() {
	awk '
	BEGIN { print "\n| limit | value | of what |\n|---|---|---|" }
	/^#define PA_MAX_/ {
		value = $0
		sub(/ *\/\*.*/, "", value)
		sub(/^#define [A-Z_]+ /, "", value)
		gsub(/[u()]/, "", value)
		of = $0
		if (sub(/^.*\/\* /, "", of))
			sub(/ \*\/.*$/, "", of)
		else
			of = ""
		printf "| `%s` | %s | %s |\n", $2, value, of
	}' format/pa-format.h
}

# Replaces what stands between the markers of each section.
make_doc() {
	for section in limits records values; do
		$section >"$tmp/$section"
	done
	awk -v dir="$tmp" '
	/^<!-- begin / {
		print
		while ((getline line < (dir "/" $3)) > 0)
			print line
		print ""
		skip = 1
	}
	/^<!-- end / { skip = 0 }
	!skip { print }' "$doc"
}

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
make_doc >"$tmp/new"
if [ "${1:-}" = --write ]; then
	cat "$tmp/new" >"$doc"
elif ! diff -u "$doc" "$tmp/new"; then
	echo "$doc is not what $0 --write makes" >&2
	exit 1
fi
