#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What goes wrong is said in one clear sentence, with the right exit status, and leaves no trace behind
# that claims to be whole.
load lib.bash

setup_file() {
	begin_file || return 0
}

teardown() {
	if mountpoint -q "$T/small"; then
		umount "$T/small"
	fi
}

# says STATUS TEXT COMMAND...: the command ends with this status and says one line with this text.
says() {
	local expected=$1 text=$2
	shift 2
	run "$@"
	echo "status $status: $output"
	[ "$status" -eq "$expected" ] && [ "${#lines[@]}" -eq 1 ] && [[ $output == *"$text"* ]]
}

@test "usage errors name the word that is wrong, and end with 2" {
	says 2 "--sample-rate: '0'" "$RECORD" --sample-rate 0 -a -o "$T/none.pa"
	says 2 "--sample-rate: '99x'" "$RECORD" --sample-rate 99x -a -o "$T/none.pa"
	says 2 "unknown option '--nonsense'" "$RECORD" --nonsense -a -o "$T/none.pa"
	says 2 "--duration: '5 parsecs'" "$RECORD" --duration "5 parsecs" -a -o "$T/none.pa"
	says 2 "--pid: '0'" "$RECORD" --pid 0 -o "$T/none.pa"
	says 2 "--pid: 'one'" "$RECORD" --pid one -o "$T/none.pa"
	says 2 "--tag: 'novalue'" "$RECORD" --tag novalue -a -o "$T/none.pa"
	says 2 "--offcpu takes no argument" "$RECORD" --offcpu=weakly -a -o "$T/none.pa"
	says 2 "nothing to record" "$RECORD" -o "$T/none.pa"
	says 2 "exclude each other" "$RECORD" -a --pid $$ -o "$T/none.pa"
	says 2 "unknown option '--nonsense'" "$BUILD/pa-report" --nonsense
	says 2 "no trace was named" "$BUILD/pa-report"
	[ ! -e "$T/none.pa" ]
}

@test "a process that has exited, or never was: 1, and no file" {
	local pid
	true &
	pid=$!
	wait $pid
	says 1 "there is no process $pid" "$RECORD" --pid $pid -o "$T/none.pa"
	says 1 "there is no process named 'no-such-name'" "$RECORD" --comm no-such-name -o "$T/none.pa"
	[ ! -e "$T/none.pa" ]
}

@test "in a pid namespace without PID 1 of the host" {
	run unshare --pid --fork --mount-proc "$RECORD" -q --profile --sample-rate 997 -o "$T/nested.pa" -- "$WORKLOADS/spin7030" --seconds 1
	if [ "$status" -ne 0 ]; then
		[ "$status" -eq 1 ]
		[ "${#lines[@]}" -eq 1 ]
		[ ! -e "$T/nested.pa" ]
	else
		holds "heavy_work" "$(field "$(functions nested cpu)" total_pct function=heavy_work) > 60"
	fi
}

@test "a thread's id is told apart from a process's" {
	local tid
	workload_start threads futex_block --seconds 20
	tid=$(ls "/proc/$WORKLOAD/task" | tail -1)
	says 1 "record that with --pid $WORKLOAD" "$RECORD" --pid "$tid" -o "$T/none.pa"
	stop "$WORKLOAD"
}

@test "a path that cannot be written is refused before anything is recorded" {
	local begin=$SECONDS
	says 1 "cannot write '/nonexistent/x.pa': No such file or directory" "$RECORD" -a --duration 5s -o /nonexistent/x.pa
	says 1 "cannot write '$T': it is a directory" "$RECORD" -a --duration 5s -o "$T"
	ln -sf "$T/elsewhere" "$T/link.pa"
	says 1 "it is a symbolic link" "$RECORD" -a --duration 5s -o "$T/link.pa"
	[ $((SECONDS - begin)) -le 3 ]
}

@test "a command that cannot be run" {
	says 1 "cannot run '/nonexistent': No such file or directory" "$RECORD" -o "$T/none.pa" -- /nonexistent
	says 1 "cannot run '/etc/passwd': Permission denied" "$RECORD" -o "$T/none.pa" -- /etc/passwd
	[ ! -e "$T/none.pa" ]
}

@test "a full disk: 1, one sentence, and what was written is readable and says so" {
	mkdir -p "$T/small"
	mount -t tmpfs -o size=16k none "$T/small"
	says 1 "No space left on device" "$RECORD" -a --profile --offcpu --pmu --sample-rate 4000 --duration 4s -o "$T/small/full.pa"
	cp "$T/small/full.pa" "$T/full.pa"
	case $(field "$(sums full whole)" end) in
	-) has "$(text full)" incomplete ;;
	3) has "$(text full)" "for lack of space" ;;
	*) false ;;
	esac
}

@test "a full disk at the first byte leaves nothing that claims to be whole" {
	mkdir -p "$T/small"
	mount -t tmpfs -o size=4k none "$T/small"
	head -c 4096 /dev/zero >"$T/small/filler" || true
	says 1 "No space left on device" "$RECORD" -a --duration 1s -o "$T/small/full.pa"
	[ ! -s "$T/small/full.pa" ] || ! "$BUILD/pa-report" "$T/small/full.pa"
}

@test "-o - is a trace through a pipe and nothing else" {
	"$RECORD" --profile --sample-rate 997 --duration 500ms -o - -- "$WORKLOADS/spin7030" --seconds 1 2>"$T/piped.err" | cat >"$T/piped.pa"
	[ "$(field "$(sums piped whole)" end)" -eq 0 ]
	holds "samples" "$(field "$(sums piped whole)" samples) > 10"
	# and read from one
	as_nobody "$PUBLIC/pa-report" - <"$T/piped.pa" >"$T/piped.text"
	has "$T/piped.text" heavy_work
}

@test "a reader of the pipe that goes away ends the recording with 1 and a sentence" {
	run bash -c "set -o pipefail; $RECORD -a --profile --offcpu --duration 10s -o - 2>'$T/epipe.err' | head -c 1000 >/dev/null"
	[ "$status" -eq 1 ]
	has "$T/epipe.err" "Broken pipe"
	[ "$(grep -c . "$T/epipe.err")" -eq 1 ]
}

@test "the trace is readable by its owner alone" {
	record private --profile --duration 200ms -a
	[ "$(stat -c %a "$T/private.pa")" = 600 ]
}

@test "default names carry the command's name and the time, and do not overwrite each other" {
	cd "$T"
	rm -rf names
	mkdir names
	cd names
	"$RECORD" -q -- true
	"$RECORD" -q -- true
	[ "$(ls | grep -cE '^true-[0-9]{14}(-2)?\.pa$')" -eq 2 ]
}

@test "a name with a slash in it makes a file name without" {
	local pid
	bash -c 'printf a/b >/proc/$$/comm; while :; do :; done' 3>&- &
	pid=$!
	sleep 0.2
	rm -rf "$T/slash"
	mkdir -p "$T/slash"
	(cd "$T/slash" && "$RECORD" -q --pid $pid --duration 200ms)
	stop $pid
	ls "$T/slash" | grep -xE '(a_)?b-[0-9]{14}\.pa'
}

@test "--version, --help and argument errors need no privilege" {
	cp "$RECORD" "$PUBLIC/pa-record"
	says 0 "pa-record " as_nobody "$PUBLIC/pa-record" --version
	says 2 "unknown option '--nonsense'" as_nobody "$PUBLIC/pa-record" --nonsense
	as_nobody "$PUBLIC/pa-record" --help | grep -F -- "--sample-rate HZ"
}

@test "what is not a trace, or not a whole one, is said" {
	echo "not a trace" >"$PUBLIC/nonsense.pa"
	: >"$PUBLIC/empty.pa"
	says 1 "nonsense.pa" as_nobody "$PUBLIC/pa-report" "$PUBLIC/nonsense.pa"
	says 1 "empty.pa" as_nobody "$PUBLIC/pa-report" "$PUBLIC/empty.pa"
	says 1 "missing.pa" as_nobody "$PUBLIC/pa-report" "$PUBLIC/missing.pa"
}

@test "pa-report says it when its output cannot be written" {
	record tiny --profile -- "$WORKLOADS/exit_status"
	publish tiny
	run bash -c "'$BUILD/pa-report' '$T/tiny.pa' >/dev/full"
	[ "$status" -eq 1 ]
	[[ $output == *"No space left on device"* ]]
	says 1 "/nonexistent/x" "$BUILD/pa-report" --pprof /nonexistent/x "$T/tiny.pa"
}
