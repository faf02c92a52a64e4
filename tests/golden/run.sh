#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Golden reports. A row of LIST is
#	name | trace.txt[,trace2.txt] | [VAR=value]... options | expected
# Each trace is assembled by mktrace, the report made with the options (in its directory, so that the
# names in it don't vary), and what it prints is compared with the expected file. Where the options
# write out.pb.gz, its content as `go tool pprof -raw` shows it is appended; an exit status other than 0
# is the last line. UPDATE=1 writes the expected files instead. Arguments choose rows by name.
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=${BUILD:-$here/../../build}
export LC_ALL=C TZ=UTC

for program in pa-report tests/mktrace; do
	if [ ! -x "$build/$program" ]; then
		echo "Bail out! $build/$program has not been built"
		exit 1
	fi
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0 number=0

ok() { number=$((number + 1)); passed=$((passed + 1)); echo "ok $number - $1"; }
not_ok() { number=$((number + 1)); failed=$((failed + 1)); echo "not ok $number - $1"; }
skip() { number=$((number + 1)); skipped=$((skipped + 1)); echo "ok $number - $1 # SKIP $2"; }

# report TRACES OPTIONS: prints what the report says.
report() {
	rm -rf "$work/run"
	mkdir "$work/run"
	cd "$work/run" || exit 1
	mkdir rules
	cp "$here"/../../docs/rules/* "$here"/rules/* rules
	files=
	for trace in $(echo "$1" | tr ',' ' '); do
		file=${trace%.txt}.pa
		"$build/tests/mktrace" "$here/traces/$trace" "$file" || return 1
		files="$files $file"
	done
	# The columns of LIST hold words that are to be split.
	# shellcheck disable=SC2086
	set -- $2
	vars=
	while [ $# -gt 0 ]; do
		case $1 in
		[A-Z]*=*) vars="$vars $1"; shift ;;
		*) break ;;
		esac
	done
	# shellcheck disable=SC2086
	env $vars "$build/pa-report" "$@" $files 2>&1
	status=$?
	[ -f out.pb.gz ] && go tool pprof -symbolize=none -raw out.pb.gz 2>/dev/null
	[ $status -eq 0 ] || echo "exit status $status"
	cd "$here" || exit 1
}

chosen() {
	[ "$wanted" = "" ] && return 0
	for w in $wanted; do
		[ "$w" = "$1" ] && return 0
	done
	return 1
}

wanted=$*
while IFS='|' read -r name traces options expected; do
	name=$(echo "$name" | tr -d ' \t') traces=$(echo "$traces" | tr -d ' \t')
	expected=$(echo "$expected" | tr -d ' \t')
	case $name in '' | '#'*) continue ;; esac
	chosen "$name" || continue
	case $options in
	*out.pb.gz*)
		if ! command -v go >/dev/null; then
			skip "$name" "go (to read the profile) is not installed"
			continue
		fi
		;;
	esac
	report "$traces" "$options" >"$work/actual"
	if [ "${UPDATE:-}" ]; then
		mkdir -p "$here/expected"
		cp "$work/actual" "$here/expected/$expected"
		ok "$name (written)"
	elif diff -u "$here/expected/$expected" "$work/actual" >"$work/diff" 2>&1; then
		ok "$name"
	else
		not_ok "$name"
		sed 's/^/# /' "$work/diff"
	fi
done <"$here/LIST"

echo "1..$number"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
