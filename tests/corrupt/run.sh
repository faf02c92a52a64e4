#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Damages a trace as LIST says, and compares what pa-report makes of it. Output is TAP.
set -u
cd "$(dirname "$0")"
BUILD=${BUILD:-$PWD/../../build}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
number=0

# Bytes that hexadecimal digits stand for.
bytes() { printf "$(sed 's/../\\x&/g' <<<"$1")"; }

# damage EDITS: makes $tmp/bad.pa.
damage() {
	local edit cut=
	cp "$tmp/good.pa" "$tmp/bad.pa"
	for edit in $1; do
		case $edit in
		cut) cut=next ;;
		+self) cat "$tmp/good.pa" >>"$tmp/bad.pa" ;;
		+*) bytes "${edit#+}" >>"$tmp/bad.pa" ;;
		*=*) bytes "${edit#*=}" | dd of="$tmp/bad.pa" bs=1 seek="${edit%%=*}" conv=notrunc status=none ;;
		*)
			[ "$cut" = next ] || return 1
			truncate -s "$edit" "$tmp/bad.pa"
			;;
		esac
	done
}

# has_line LETTER: true when the output has the line that LETTER stands for.
has_line() {
	case $1 in
	s) grep -q '^session ' "$tmp/out" ;;
	t) grep -q '^thread ' "$tmp/out" && grep -q '^process ' "$tmp/out" ;;
	e) grep -q '^sample ' "$tmp/out" && grep -q '^end ' "$tmp/out" ;;
	esac
}

# check EDITS STATUS GONE TEXTS: prints what is wrong, nothing when all is right.
check() {
	local letter text texts status plain
	damage "$1" || echo "cannot read the edits '$1'"
	"$BUILD/pa-report" --dump "$tmp/bad.pa" >"$tmp/out" 2>&1
	status=$?
	[ $status -eq "$2" ] || echo "exit status $status and not $2"
	for letter in s t e; do
		case $3 in
		*$letter*) ! has_line $letter || echo "line '$letter' should be gone" ;;
		*) has_line $letter || echo "line '$letter' is missing" ;;
		esac
	done
	IFS=';' read -ra texts <<<"$4"
	for text in "${texts[@]}"; do
		grep -qF -- "$text" "$tmp/out" || echo "missing: $text"
	done
	# The report itself must cope with it just as well.
	"$BUILD/pa-report" "$tmp/bad.pa" >"$tmp/report" 2>&1
	plain=$?
	[ $plain -le 1 ] || echo "pa-report ended with $plain"
	[ "$2" -eq 0 ] || [ $plain -eq 1 ] || echo "pa-report accepts it"
}

trim() { sed 's/^ *//; s/ *$//' <<<"$1"; }

"$BUILD/tests/mktrace" trace.txt "$tmp/good.pa" || exit 1
while IFS='|' read -r name edits status gone texts; do
	case $name in
	'' | '#'*) continue ;;
	esac
	number=$((number + 1))
	wrong=$(check "$(trim "$edits")" "$(trim "$status")" "$(trim "$gone")" "$(trim "$texts")")
	if [ -z "$wrong" ]; then
		echo "ok $number - $(trim "$name")"
	else
		sed 's/^/# /' <<<"$wrong"
		sed 's/^/# | /' "$tmp/out"
		echo "not ok $number - $(trim "$name")"
	fi
done <LIST
echo "1..$number"
