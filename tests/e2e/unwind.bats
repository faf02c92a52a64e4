#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Complete stacks without frame pointers: of which programs, how they end, and what blocks below them.
load lib.bash

setup_file() {
	begin_file || return 0
}

LANGS=$E2E/../workloads/lang
SAMPLED=(--profile --offcpu --sample-rate 199)
NO_FRAMES=(-D_GNU_SOURCE -O2 -g -fomit-frame-pointer -fno-optimize-sibling-calls -fcf-protection=none)

need() {
	command -v "$1" >/dev/null || skip "$1 is not installed"
}

# attached NAME COMMAND...: records a program that is already running. Its tables are there from the start.
attached() {
	local name=$1 pid
	shift
	"$@" >/dev/null 2>&1 3>&- &
	pid=$!
	sleep 1
	record "$name" "${SAMPLED[@]}" --pid $pid --duration 2s ${UNWIND:+--unwind $UNWIND}
	stop $pid
}

# whole NAME [cpu|off]: of 100 user stacks at least 99 reach their outermost frame.
whole() {
	local name=$1 ends place
	ends=$(sums "$name" ends) || return 1
	for place in ${2:-cpu off}; do
		cat "$ends"
		holds "$name: whole stacks, $place" "$(field "$ends" complete place=$place) + $(field "$ends" fp_end place=$place) \
			+ $(field "$ends" other place=$place) >= 0.99 * $(field "$ends" all place=$place) && \
			$(field "$ends" all place=$place) > 20" || return 1
	done
}

# outermost NAME cpu|off PATTERN: and there stands a function like this.
outermost() {
	local file
	file=$(stacks "$1" "$2") || return 1
	awk -v pattern="stack=($3)(;|\$)" '
	{ match($0, /count=[0-9]+/); n = substr($0, RSTART + 6, RLENGTH - 6); all += n }
	$0 ~ pattern { good += n; next }
	{ print }
	END { print good + 0, "of", all; exit !(all > 0 && good >= 0.99 * all) }' "$file"
}

# below NAME cpu|off SHARE FUNCTION [LABEL]: so much of the profile lies below it, clones of it included.
below() {
	local file
	file=$(stacks "$1" "$2" ${5:+"$5"}) || return 1
	awk -v pattern="[=;]$4([.(][^;]*)?(;|\$)" -v share="$3" -v what="$1: below $4" '
	{ match($0, /value=[0-9]+/); n = substr($0, RSTART + 6, RLENGTH - 6); all += n }
	$0 ~ pattern { found += n }
	END { printf "%s: %.4f of %.0f\n", what, found / (all + !all), all; exit !(all > 0 && found >= share * all) }' "$file"
}

# A thread's outermost frames, of which the C library keeps some names to itself.
THREAD='clone|__clone|clone3|__clone3|start_thread|libc.so.6[+]0x[0-9a-f]*|_start'

depths() {
	attached depth "$WORKLOADS/nofp_depth" --ms 60000 || return 1
	whole depth || return 1
	outermost depth cpu _start && outermost depth off _start || return 1
	below depth cpu 0.9 all_depths && below depth off 0.9 go_down
}

@test "C, 5 to 400 frames deep: to _start, on the CPU and off" {
	twice depths
}

mix() {
	attached mix "$WORKLOADS/unwind_mix" || return 1
	whole mix || return 1
	outermost mix off "$THREAD" || return 1
	# Coroutines begin in makecontext()'s own code.
	outermost mix cpu "$THREAD|__start_context" || return 1
	below mix cpu 0.03 compare && below mix cpu 0.02 thrower &&
		below mix cpu 0.02 coroutine && below mix cpu 0.02 realigned
}

@test "C++: libstdc++, exceptions, qsort, signal stacks, coroutines, realigned frames" {
	twice mix
}

@test "Rust" {
	need rustc
	rustc -O --crate-name rust -o "$T/deep_rust" "$LANGS/deep.rs"
	rust() {
		attached rust "$T/deep_rust" && whole rust && outermost rust cpu "$THREAD" && below rust cpu 0.5 rust::deep_rust
	}
	twice rust
}

@test "Go: goroutines to goexit, its own stacks to mcall and clone" {
	need go
	(cd "$T" && GOCACHE=$T/gocache GOFLAGS=-mod=mod go build -o "$T/deep_go" "$LANGS/deep.go")
	in_go() {
		attached go "$T/deep_go" && whole go && outermost go cpu 'runtime\.[a-z0-9_.]*' &&
			outermost go off 'runtime\.[a-z0-9_.]*|_rt0_[a-z0-9_]*' && below go cpu 0.5 main.deepGo
	}
	twice in_go
}

@test "python3" {
	[ -x /usr/bin/python3 ] || skip "no /usr/bin/python3"
	python() {
		attached python /usr/bin/python3 "$LANGS/busy.py" && whole python && outermost python cpu _start &&
			outermost python off _start
	}
	twice python
}

@test "node: compiled JavaScript has names, and stacks go through it" {
	need node
	in_node() {
		(cd "$T" && attached node node --perf-basic-prof "$LANGS/busy.js") || return 1
		rm -f /tmp/perf-[0-9]*.map
		whole node cpu && outermost node cpu "$THREAD" || return 1
		grep -E '_start;.*JS:[*^~]?hotLoop' "$(stacks node cpu)" >/dev/null
	}
	twice in_node
}

@test "Java with frame pointers" {
	need javac
	javac -d "$T" "$LANGS/Deep.java"
	java_() {
		attached java java -cp "$T" -XX:+PreserveFramePointer Deep && whole java cpu && outermost java cpu "$THREAD"
	}
	twice java_
}

# musl's own code has no unwind information: from main on, what there is above is without.
@test "musl: the program's own frames, up to main" {
	need musl-gcc
	musl-gcc "${NO_FRAMES[@]}" -Wl,--build-id -I"$E2E/../.." -idirafter /usr/include -idirafter "/usr/include/$(uname -m)-linux-gnu" \
		-o "$T/depth_musl" "$E2E/../workloads/nofp_depth.c"
	musl() {
		attached musl "$T/depth_musl" --ms 60000 && below musl cpu 0.99 all_depths && below musl off 0.99 all_depths
	}
	twice musl
}

@test "a statically linked program" {
	gcc -static "${NO_FRAMES[@]}" -I"$E2E/../.." -o "$T/depth_static" "$E2E/../workloads/nofp_depth.c"
	static() {
		attached static "$T/depth_static" --ms 60000 && whole static && outermost static cpu _start &&
			outermost static off _start
	}
	twice static
}

@test "the vdso, called without a frame pointer" {
	vdso() {
		attached vdso "$WORKLOADS/vdso_loop" --ms 60000 && whole vdso cpu && outermost vdso cpu _start || return 1
		grep -E 'ask_time[^;]*;.*(__vdso_)?clock_gettime' "$(stacks vdso cpu)" >/dev/null
	}
	twice vdso
}

@test "a library that is loaded while recording: stacks through it are whole soon" {
	late() {
		record late "${SAMPLED[@]}" -- "$WORKLOADS/late_code" --after 300 --library "$WORKLOADS/lib/dlopened.so" --ms 2000 &&
			below late cpu 0.9 call_late_code && outermost late cpu "_start|\[incomplete\]" || return 1
		holds "whole" "$(field "$(sums late ends)" complete place=cpu) > 0.9 * $(field "$(sums late ends)" all place=cpu)"
	}
	twice late
}

@test "images that follow each other by exec, and children" {
	exec_and_fork() {
		record execs "${SAMPLED[@]}" -- "$WORKLOADS/exec_chain" --ms 1000 || return 1
		holds "exec" "$(field "$(sums execs ends)" complete place=cpu) > 0.93 * $(field "$(sums execs ends)" all place=cpu)" || return 1
		below execs cpu 0.2 stage_one && below execs cpu 0.2 stage_three || return 1
		record forks "${SAMPLED[@]}" -- "$WORKLOADS/forker" --count 10 --ms 100 || return 1
		holds "fork" "$(field "$(sums forks ends)" complete place=cpu) > 0.93 * $(field "$(sums forks ends)" all place=cpu)"
	}
	twice exec_and_fork
}

@test "programs that live for 20 ms: most of their stacks are whole" {
	short() {
		record short --profile --sample-rate 499 -- "$WORKLOADS/shortlived" --count 60 --ms 20 || return 1
		cat "$(sums short ends)"
		holds "whole" "$(field "$(sums short ends)" complete place=cpu) > 0.75 * $(field "$(sums short ends)" all place=cpu)"
	}
	AHEAD="nice -n -20"
	twice short
}

# Every thread's blocked time, which is exact, stands below the application's own function.
blocked() {
	local threads functions name
	attached block "$WORKLOADS/nofp_block" --ms 60000 || return 1
	whole block off || return 1
	threads=$(sums block threads) || return 1
	for name in sleeps locks reads polls; do
		functions=$(functions block off "thread=$name") || return 1
		near "$name" "$(field "$functions" total "function=app_$name")" "$(total "$threads" sleep_ns "comm=$name")" 1 || return 1
	done
}

@test "blocked in nanosleep, a mutex, read and poll: the time is below the caller, within 1 %" {
	twice blocked
}

@test "by frame pointers alone the same program's stacks are broken: the tables made the difference" {
	UNWIND=fp attached nofp "$WORKLOADS/nofp_depth" --ms 60000
	holds "whole" "$(field "$(sums nofp ends)" complete place=cpu) + $(field "$(sums nofp ends)" fp_end place=cpu) \
		< 0.5 * $(field "$(sums nofp ends)" all place=cpu)"
}

@test "--unwind dwarf: whole as well" {
	only_tables() {
		UNWIND=dwarf attached dwarf "$WORKLOADS/nofp_depth" --ms 60000 && whole dwarf
	}
	twice only_tables
}

# The trace has the copies; the report walks them.
copies() {
	UNWIND=copy attached copy "$WORKLOADS/nofp_depth" --to 150 --ms 60000 || return 1
	sums copy whole >/dev/null || return 1
	[ "$(grep -c '^stack_copy' "$T/copy.dump")" -gt 50 ] || return 1
	outermost copy cpu _start && outermost copy off _start || return 1
	below copy cpu 0.9 all_depths && below copy off 0.9 go_down
}

@test "--unwind copy: stacks are walked by the report" {
	twice copies
}

@test "--scrub keeps what came of copied stacks, and none of their bytes" {
	[ -e "$T/copy.pa" ] || twice copies
	"$BUILD/pa-report" --scrub "$T/copy.pa" "$T/scrubbed.pa"
	[ "$("$BUILD/pa-report" --dump "$T/scrubbed.pa" | grep -c '^stack_copy')" -eq 0 ]
	whole scrubbed
	holds "size" "$(stat -c %s "$T/scrubbed.pa") < $(stat -c %s "$T/copy.pa")"
}

@test "--unwind auto,copy copies only what cannot be walked" {
	UNWIND=auto,copy attached few "$WORKLOADS/nofp_depth" --to 100 --ms 60000
	sums few whole
	holds "copies" "$(grep -c '^stack_copy' "$T/few.dump") < 5"
}

# The first program's tables nearly fill the room; those of the second one need it, and get it.
pushed_out() {
	local ends
	record pushed --verbose --sample-rate 997 --unwind-memory 1M -- bash -c \
		'openssl speed -seconds 1 sha256 >/dev/null 2>&1; exec perl -e "\$e = time + 9; while (time < \$e) { \$x++ }"' || return 1
	grep -E ' [1-9][0-9]* gave theirs up' "$T/pushed.err" || return 1
	"$BUILD/pa-report" --dump "$T/pushed.pa" | python3 "$E2E/trace.py" ends >"$T/pushed.ends"
	ends=$(grep place=cpu "$T/pushed.ends")
	holds "whole" "$(field <(echo "$ends") complete) > 0.6 * $(field <(echo "$ends") all)"
}

@test "tables that stacks lead through push those out that none does any more" {
	need openssl && need perl
	twice pushed_out
}

@test "frame by frame what gdb says, at stopped moments of a program that mixes all kinds" {
	need gdb
	BUILD=$BUILD "$E2E/../unwind/gdb.sh" 4 3>&-
}
