#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The report on a terminal, which script(1) makes, and elsewhere.

setup_file() {
	export BUILD=${BUILD:-$BATS_TEST_DIRNAME/../../build} work=$BATS_FILE_TMPDIR
	cd "$work" || return 1
	for trace in demo names; do
		"$BUILD/tests/mktrace" "$BATS_TEST_DIRNAME/../golden/traces/$trace.txt" $trace.pa
	done
}

setup() {
	command -v script >/dev/null || skip "script is not installed"
	cd "$work" || return 1
	export TERM=xterm
	unset NO_COLOR PAGER PA_PAGER
	escape=$(printf '\033')
}

# tty COLUMNS COMMAND: what a command writes to a terminal of that width.
tty() {
	script -qec "exec 2>/dev/null; stty cols $1 rows 24; $2" /dev/null </dev/null | tr -d '\r'
}

@test "colours and bars on a terminal only" {
	tty 100 "$BUILD/pa-report --no-pager demo.pa" >terminal
	grep -q "$escape\[1mVERDICTS$escape\[0m" terminal
	grep -q "$escape\[32mhealthy$escape\[0m" terminal
	grep -q '█' terminal
	"$BUILD/pa-report" demo.pa >file
	run grep -e "$escape" -e '█' file
	[ "$status" -ne 0 ]
	# Without colours and bars it is the same text.
	sed "s/$escape\[[0-9]*m//g; s/[▏▎▍▌▋▊▉█]//g; s/  *//g" terminal >a
	sed 's/  *//g' file >b
	diff a b
}

@test "NO_COLOR and a dumb terminal are without colours" {
	tty 100 "NO_COLOR=1 $BUILD/pa-report --no-pager demo.pa" >terminal
	run grep "$escape" terminal
	[ "$status" -ne 0 ]
	grep -q '█' terminal
	tty 100 "NO_COLOR= $BUILD/pa-report --no-pager demo.pa" | grep -q "$escape"
	tty 100 "TERM=dumb $BUILD/pa-report demo.pa" >terminal
	run grep "$escape" terminal
	[ "$status" -ne 0 ]
}

@test "names are cut at the terminal's width, between characters" {
	tty 80 "NO_COLOR=1 $BUILD/pa-report --no-pager names.pa" >narrow
	tty 160 "NO_COLOR=1 $BUILD/pa-report --no-pager names.pa" >wide
	grep -q 'std::vector<int, std.*…' narrow
	grep -q 'std::vector<int, std::allocator<int> >::push_back(int const&)' wide
	iconv -f UTF-8 -t UTF-8 narrow >/dev/null
	python3 -c 'import sys; sys.exit(any(len(l) > 81 for l in open("narrow", encoding="utf-8") if "vector" in l))'
}

@test "a pager reads it as git's does: PA_PAGER before PAGER, none with cat, \"\" and --no-pager" {
	tty 100 "PA_PAGER='sed s/^/p:/' PAGER='sed s/^/q:/' $BUILD/pa-report demo.pa" | grep -q '^p:.*VERDICTS'
	tty 100 "PAGER='sed s/^/q:/' $BUILD/pa-report demo.pa" | grep -q '^q:.*VERDICTS'
	tty 100 "PAGER='sed s/^/q:/' $BUILD/pa-report --dump demo.pa" | grep -q '^q:session'
	for how in "PA_PAGER= PAGER=false $BUILD/pa-report" "PAGER=cat $BUILD/pa-report" "PAGER='sed s/^/q:/' $BUILD/pa-report --no-pager"; do
		tty 100 "$how demo.pa" >out
		grep -q VERDICTS out
		run grep '^q:' out
		[ "$status" -ne 0 ]
	done
	PAGER=false "$BUILD/pa-report" demo.pa | grep -q VERDICTS
	tty 100 "PAGER='sed s/^/q:/' $BUILD/pa-report --folded - demo.pa" >out
	run grep '^q:' out
	[ "$status" -ne 0 ]
}

@test "the exit status is the report's, pager or not" {
	"$BUILD/tests/mktrace" "$BATS_TEST_DIRNAME/../golden/traces/check.txt" check.pa
	run script -qec "PAGER='sed p' $BUILD/pa-report --check check.pa" /dev/null
	[ "$status" -eq 3 ]
}
