#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Files from debuginfod servers: only when asked, within a time, and Ctrl-C; how far the search is.
load lib.bash

CHAIN="inner chain.c:13 < outer chain.c:19 < target chain.c:27"

id_of() {
	readelf -n "$1" | sed -n 's/.*Build ID: //p'
}

# start NAME DIR: a server; URL of it is in $NAME.
start() {
	local name=$1
	: >"$T/$name.log"
	python3 "$HERE/serve.py" "$2" "$T/$name.log" "$T/$name.port" 3>&- >/dev/null 2>&1 &
	echo $! >>"$T/pids"
	for _ in $(seq 100); do
		[ ! -s "$T/$name.port" ] || break
		sleep 0.1
	done
	printf -v "$name" 'http://127.0.0.1:%s' "$(cat "$T/$name.port")"
	declare -gx "$name"
}

setup_file() {
	build kinds
	build separate
	local served=$T/served/buildid id
	for file in kinds/dwarf_5 kinds/dwarf_4; do
		id=$(id_of "$T/$file")
		mkdir -p "$served/$id"
		strip -o "$served/$id/executable" "$T/$file"
		objcopy --only-keep-debug "$T/$file" "$served/$id/debuginfo"
	done
	start server "$T/served"
	start hole -
	trace fetch "$T/kinds/dwarf_5@/nowhere/one" at_inner , "$T/kinds/dwarf_4@/nowhere/two" at_inner \
		, "$T/kinds/dwarf_3@/nowhere/three" at_inner
	[ -e /usr/lib/x86_64-linux-gnu/libdebuginfod.so.1 ] || ldconfig -p | grep -q libdebuginfod.so.1 ||
		touch "$T/no_library"
}

setup() {
	[ ! -e "$T/no_library" ] || skip "libdebuginfod.so.1 is not installed"
	export DEBUGINFOD_CACHE_PATH=$BATS_TEST_TMPDIR/cache
	unset DEBUGINFOD_URLS
	: >"$T/server.log"
	: >"$T/hole.log"
}

teardown_file() {
	local pid
	while read -r pid; do
		kill "$pid" 2>/dev/null || true
	done <"$T/pids"
}

@test "C15: an environment variable alone never asks anybody" {
	for variable in "$server" "$hole"; do
		DEBUGINFOD_URLS=$variable report "$T/fetch.pa" >"$T/text" 2>"$T/errors"
		DEBUGINFOD_URLS=$variable report --pack "$T/packed.pa" "$T/fetch.pa" 2>/dev/null
		DEBUGINFOD_URLS=$variable report --missing "$T/fetch.pa" >/dev/null
	done
	has "$T/text" "no file with this build ID"
	[ ! -s "$T/errors" ]
	[ ! -s "$T/server.log" ]
	[ ! -s "$T/hole.log" ]
}

@test "--debuginfod=URL, or with the variable: names, inlined functions and lines" {
	frames --debuginfod="$server" "$T/fetch.pa" >"$T/frames"
	[ "$(grep -c "$CHAIN" "$T/frames")" -eq 2 ]
	has "$T/frames" "three+0x"
	has "$T/server.log" "/buildid/$(id_of "$T/kinds/dwarf_5")/executable" "/buildid/$(id_of "$T/kinds/dwarf_5")/debuginfo"
	# They were kept.
	: >"$T/server.log"
	DEBUGINFOD_URLS=$server frames --debuginfod "$T/fetch.pa" >"$T/again"
	same "$T/frames" "$T/again"
	lacks "$T/server.log" "$(id_of "$T/kinds/dwarf_5")"
}

@test "what a server does not have is not asked for again" {
	report --debuginfod="$server" "$T/fetch.pa" >"$T/text" 2>"$T/errors"
	[ ! -s "$T/errors" ]
	has "$T/server.log" "/buildid/$(id_of "$T/kinds/dwarf_3")/executable"
	# Not twice in a run, and not by the next one.
	[ "$(sort "$T/server.log" | uniq -d | wc -l)" -eq 0 ]
	: >"$T/server.log"
	report --debuginfod="$server" "$T/fetch.pa" >"$T/text"
	[ ! -s "$T/server.log" ]
}

@test "only debug information is fetched where the file itself is here" {
	mkdir -p "$T/here"
	strip -o "$T/here/x" "$T/kinds/dwarf_5"
	frames --debuginfod="$server" --symbols "$T/here" "$T/fetch.pa" >"$T/frames"
	has "$T/frames" "$CHAIN"
	lacks "$T/server.log" "/buildid/$(id_of "$T/kinds/dwarf_5")/executable"
}

@test "a server that sends something else: its build ID is wrong, so it is not used" {
	local id
	id=$(id_of "$T/kinds/dwarf_3")
	mkdir -p "$T/liar/buildid/$id"
	cp "$T/kinds/dwarf_5" "$T/liar/buildid/$id/executable"
	cp "$T/kinds/dwarf_5" "$T/liar/buildid/$id/debuginfo"
	start liar "$T/liar"
	frames --debuginfod="$liar" "$T/fetch.pa" >"$T/frames"
	has "$T/frames" "three+0x"
	report --explain three+0x1160 --debuginfod="$liar" "$T/fetch.pa" >"$T/explained"
	has "$T/explained" "has another build ID"
}

@test "C15: a server that never answers: all of it together takes the time that was given, and it is said" {
	timeout 60 "$BUILD/pa-report" --debuginfod="$hole" --debuginfod-timeout 2s "$T/fetch.pa" >"$T/text" 2>"$T/errors"
	has "$T/text" "no file with this build ID"
	has "$T/errors" "debuginfod" "time"
	[ "$(wc -l <"$T/errors")" -eq 1 ]
	[ -s "$T/hole.log" ]
}

@test "a server that is not there, no server at all, an option that is wrong" {
	report --debuginfod=http://127.0.0.1:1 "$T/fetch.pa" >"$T/text" 2>"$T/errors"
	has "$T/text" "no file with this build ID"
	has "$T/errors" "cannot fetch from 'http://127.0.0.1:1'"
	[ "$(wc -l <"$T/errors")" -eq 1 ]
	report --debuginfod "$T/fetch.pa" >"$T/text" 2>"$T/errors"
	has "$T/errors" "no server is known"
	run -2 report --debuginfod-timeout soon "$T/fetch.pa"
}

@test "C15: Ctrl-C while a server does not answer prints what there is, with the reason" {
	trace mixed "$T/kinds/dwarf_2@/nowhere/absent" at_inner , "$T/kinds/dwarf_3@/nowhere/three" at_inner
	timeout 60 python3 "$HERE/terminal.py" "$T/screen" --interrupt "symbols: " \
		"$BUILD/pa-report" --debuginfod="$hole" --debuginfod-timeout 10m "$T/mixed.pa" >"$T/text"
	has "$T/text" "COVERAGE" "the search for names was interrupted" "+0x"
	has "$T/screen" "interrupted: " "addresses were not looked up"
	# An archive is not written by half.
	rm -f "$T/packed.pa"
	run -1 timeout 60 python3 "$HERE/terminal.py" "$T/screen" --interrupt "symbols: " \
		"$BUILD/pa-report" --pack "$T/packed.pa" --debuginfod="$hole" --debuginfod-timeout 10m "$T/mixed.pa"
	[ ! -e "$T/packed.pa" ]
}

@test "how far it is stands on a terminal, and nowhere else" {
	mkdir -p "$T/some"
	cp "$T"/kinds/dwarf_[2345] "$T/some/"
	trace some "$T/some/dwarf_2" main , "$T/some/dwarf_3" main , "$T/some/dwarf_4" main , "$T/some/dwarf_5" main
	python3 "$HERE/terminal.py" "$T/screen" "$BUILD/pa-report" "$T/some.pa" >"$T/text"
	has "$T/screen" "symbols: 0 of 4 modules done, dwarf_"
	# Nothing of it stays on the screen: the line is cleared at the end.
	[ "$(tail -c 4 "$T/screen" | od -An -c | tr -d ' ')" = '\r033[K' ]
	report "$T/some.pa" 2>"$T/errors" | same "$T/text" -
	[ ! -s "$T/errors" ]
}
