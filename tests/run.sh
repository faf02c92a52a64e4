#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs groups of tests and sums them up: run.sh [GROUP...]; all of them without arguments.
#
# Each test program speaks TAP. One line a program is printed, and one for each test that failed or was
# skipped; the whole output stays in $BUILD/tests/log. The last line is "N passed, N failed, N skipped",
# and the exit status is 1 if anything failed.
set -u
cd "$(dirname "$0")/.."
export BUILD=${BUILD:-$PWD/build} LC_ALL=C TZ=UTC CMOCKA_MESSAGE_OUTPUT=TAP
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-halt_on_error=1:print_stacktrace=1}
log=$BUILD/tests/log
limit=${TEST_TIMEOUT:-600} # seconds for one program
passed=0 failed=0 skipped=0
mkdir -p "$log"

# Turns TAP on standard input into "KIND NAME REASON" separated by tabs; cmocka gives the reason of a
# skipped test on the line before. A plan that was not kept is a failure.
parse() {
	awk -v status="$1" '
	function row(kind, name, reason) { printf "%s\t%s\t%s\n", kind, name, reason; bad += kind == "failed" }
	/^[0-9]+\.\.[0-9]+/ { sub(/^[0-9]+\.\./, ""); plan = $1 + 0; planned = 1; next }
	/^(not )?ok / {
		name = $0
		sub(/^(not )?ok *[0-9]* *(- )?/, "", name)
		sub(/ in [0-9]+ms$/, "", name)
		seen++
		if (match(name, /# *[Ss][Kk][Ii][Pp]/)) {
			reason = substr(name, RSTART + RLENGTH)
			name = substr(name, 1, RSTART - 1)
			sub(/^[: ]+/, "", reason)
			sub(/ +$/, "", name)
			if (name == "") {
				name = reason
				reason = previous
			}
			row("skipped", name, reason == "" ? "no reason given" : reason)
		} else
			row($1 == "not" ? "failed" : "passed", name, "")
		previous = ""
		next
	}
	{ previous = $0 }
	END {
		if (!planned)
			row("failed", "(program)", "ended without a plan, exit status " status)
		else if (seen != plan)
			row("failed", "(program)", seen + 0 " of " plan " tests ran, exit status " status)
		else if (status != 0 && !bad)
			row("failed", "(program)", "exit status " status)
	}'
}

# run NAME COMMAND...: one test program.
run() {
	local name=$1 out=$log/${1//\//-}.tap status kind test reason ok=0 bad=0 left=0 notes=
	shift
	# The braces: what bash itself says of a program that a signal ended is not ours to print.
	{ timeout --kill-after=10 "$limit" "$@" >"$out" 2>&1; } 2>/dev/null
	status=$?
	while IFS=$'\t' read -r kind test reason; do
		case $kind in
		passed) ok=$((ok + 1)) ;;
		failed)
			bad=$((bad + 1))
			notes+="  FAILED  $test${reason:+: $reason}"$'\n'
			;;
		skipped)
			left=$((left + 1))
			notes+="  skipped $test: $reason"$'\n'
			;;
		esac
	done < <(parse $status <"$out")
	printf '%-44s %d passed' "$name" $ok
	[ $bad -eq 0 ] || printf ', %d FAILED' $bad
	[ $left -eq 0 ] || printf ', %d skipped' $left
	printf '\n%s' "$notes"
	if [ $bad -gt 0 ]; then
		echo "  --- $out"
		grep -Ev '^(ok |[0-9]+\.\.)' "$out" | tail -n 60 | sed 's/^/  | /'
	fi
	passed=$((passed + ok)) failed=$((failed + bad)) skipped=$((skipped + left))
}

run_unit() {
	local source name
	for source in tests/unit/test_*.c; do
		name=${source#tests/}
		name=${name%.c}
		if [ -n "${VALGRIND:-}" ]; then
			run "$name" valgrind -q --error-exitcode=99 --leak-check=full "$BUILD/tests/$name"
		else
			run "$name" "$BUILD/tests/$name"
		fi
	done
}

# A check is one test: it prints what is wrong, and its exit status is the result (77: skipped).
as_one_test() {
	local check=$1 reason
	echo 1..1
	reason=$("$check" 2>&1)
	case $? in
	0) echo "${reason:+$reason
}ok 1 - $check" ;;
	77) echo "ok 1 - $check # SKIP ${reason##*$'\n'}" ;;
	*) echo "${reason:+$reason
}not ok 1 - $check" ;;
	esac
}
export -f as_one_test

run_check() {
	local check
	for check in tests/check/*.sh; do
		[ ! -x "$check" ] || run "${check#tests/}" bash -c 'as_one_test "$1"' - "$check"
	done
}

# Other groups: tests/GROUP/run.sh, and each tests/GROUP/*.bats. To record takes root.
run_group() {
	local group=$1 file as_root=()
	if [ "$group" = e2e ] && [ "$(id -u)" -ne 0 ] && sudo -n true 2>/dev/null; then
		as_root=(sudo -n --preserve-env=BUILD,LC_ALL,TZ)
	fi
	[ ! -x "tests/$group/run.sh" ] || run "$group" "tests/$group/run.sh"
	for file in tests/"$group"/*.bats; do
		[ ! -e "$file" ] || run "$group/$(basename "$file" .bats)" "${as_root[@]}" bats --tap "$file"
	done
}

[ $# -gt 0 ] || set -- check unit golden corrupt outputs fuzz symbols unwind e2e
for group in "$@"; do
	case $group in
	unit | check) "run_$group" ;;
	*) run_group "$group" ;;
	esac
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
