# SPDX-License-Identifier: GPL-2.0-or-later
# What the end-to-end tests share: recording as root, reporting as nobody, and comparing numbers.
#
# Recordings are dear, so tests of a file use those of the tests before them: run a file as a whole.
#
# A recording NAME consists of files in $T: NAME.pa (the trace), NAME.out (what the workload said of
# itself), NAME.err (what pa-record said), and what is made of them on demand.
bats_require_minimum_version 1.5.0

BUILD=${BUILD:-$(cd "$BATS_TEST_DIRNAME/../.." && pwd)/build}
E2E=$BATS_TEST_DIRNAME
RECORD=$BUILD/pa-record
WORKLOADS=$BUILD/tests/workloads
T=$BATS_FILE_TMPDIR
PUBLIC=$T/public # what nobody may read
NOBODY=65534
export LC_ALL=C TZ=UTC PPROF_TMPDIR=$T/pprof HOME=${HOME:-/root}

# --- may we? ---

# Why BPF programs cannot be loaded here; empty when they can. pa-record itself is not asked: its faults
# must not look like a machine's.
bpf_objection() {
	if [ "$(id -u)" -ne 0 ]; then
		echo "recording needs root"
	elif [ ! -r /sys/kernel/btf/vmlinux ]; then
		echo "the kernel has no BTF"
	elif ! bpftool prog list >/dev/null 2>&1; then
		echo "the bpf system call is not permitted here"
	fi
}

# For setup_file: skips the whole file where BPF can't run, and makes the directories.
begin_file() {
	OBJECTION=$(bpf_objection)
	export OBJECTION
	[ -z "$OBJECTION" ] || return 1
	chmod 711 "$BATS_RUN_TMPDIR" "$BATS_RUN_TMPDIR/file" "$T"
	mkdir -p "$PUBLIC/out"
	cp "$BUILD/pa-report" "$PUBLIC/"
	chown $NOBODY "$PUBLIC/out"
}

# Before each test. (Only here, since bats 1.8 takes a skip in setup_file for a failure.)
setup() {
	[ -z "$OBJECTION" ] || skip "$OBJECTION"
}

as_nobody() {
	setpriv --reuid=$NOBODY --regid=$NOBODY --clear-groups --inh-caps=-all --bounding-set=-all "$@"
}

# --- record ---

# Where the recorder's own promptness is tested, AHEAD="nice -n -20" keeps other work on this machine from
# being measured with it.
AHEAD=

# record NAME ARGUMENT...: runs pa-record with these arguments and the trace NAME.
record() {
	local name=$1
	shift
	forget "$name"
	$AHEAD "$RECORD" -o "$T/$name.pa" "$@" >"$T/$name.out" 2>"$T/$name.err" 3>&- || {
		echo "pa-record ended with status $?: $(cat "$T/$name.err")"
		return 1
	}
}

# The background form: $RECORDER is its pid. Returns when it records (which is when it has given up its
# privileges and stands behind a filter), or has failed.
record_start() {
	local name=$1 i
	shift
	forget "$name"
	$AHEAD "$RECORD" -o "$T/$name.pa" "$@" >"$T/$name.out" 2>"$T/$name.err" 3>&- &
	RECORDER=$!
	for ((i = 0; i < 400; i++)); do
		! grep -qs '^Seccomp:.2' "/proc/$RECORDER/status" || return 0
		kill -0 $RECORDER 2>/dev/null || return 0
		sleep 0.025
	done
}

forget() {
	rm -rf "${T:?}/$1".* "$PUBLIC/$1".* "$PUBLIC/out/$1".*
}

# Starts a workload in the background: its pid is $WORKLOAD, its output NAME.out, and it is 'ready'
# where it says so.
workload_start() {
	local name=$1 i
	shift
	: >"$T/$name.out"
	"$WORKLOADS/$1" "${@:2}" >"$T/$name.out" 3>&- &
	WORKLOAD=$!
	[ "$READY" = no ] && return
	for ((i = 0; i < 200; i++)); do
		! grep -q ready "$T/$name.out" || return 0
		sleep 0.05
	done
	return 1
}

now_ns() {
	python3 -c 'import time; print(time.monotonic_ns())'
}

# The end of processes that were started in the background.
stop() {
	local pid
	for pid in "$@"; do
		kill "$pid" 2>/dev/null || true
		wait "$pid" 2>/dev/null || true
	done
}

# --- report, always as nobody ---

publish() {
	[ -e "$PUBLIC/$1.pa" ] || install -m 644 "$T/$1.pa" "$PUBLIC/$1.pa"
}

# report NAME ARGUMENT...: pa-report on a copy of the trace; standard output is the report.
report() {
	local name=$1
	shift
	publish "$name"
	(cd "$PUBLIC/out" && as_nobody "$PUBLIC/pa-report" "$@" "$PUBLIC/$name.pa")
}

# sums NAME VIEW: the file with one of trace.py's views of the trace.
sums() {
	local name=$1 view=$2
	[ -e "$T/$name.dump" ] || report "$name" --dump >"$T/$name.dump" || return 1
	[ -e "$T/$name.$view" ] || python3 "$E2E/trace.py" "$view" <"$T/$name.dump" >"$T/$name.$view" || return 1
	echo "$T/$name.$view"
}

# raw NAME cpu|off: the file with what `go tool pprof -raw` makes of the profile.
raw() {
	local name=$1 kind=$2 off=
	[ "$kind" = cpu ] || off=--offcpu
	if [ ! -e "$T/$name.$kind.raw" ]; then
		report "$name" $off --pprof "$PUBLIC/out/$name.$kind.pb.gz" >/dev/null || return 1
		go tool pprof -symbolize=none -raw "$PUBLIC/out/$name.$kind.pb.gz" \
			>"$T/$name.$kind.raw" 2>"$T/$name.$kind.pprof.err" || return 1
	fi
	echo "$T/$name.$kind.raw"
}

# functions NAME cpu|off [LABEL=VALUE...] and stacks likewise: the file with a view of a profile.
functions() {
	view_profile functions "$@"
}
stacks() {
	view_profile stacks "$@"
}
view_profile() {
	local view=$1 name=$2 kind=$3 from to
	shift 3
	from=$(raw "$name" "$kind") || return 1
	to=$T/$name.$kind.$view.$(IFS=,; echo "$*")
	python3 "$E2E/profile.py" "$view" "$@" <"$from" >"$to" || return 1
	echo "$to"
}

# text NAME ARGUMENT...: the file with the text report.
text() {
	local name=$1 to
	shift
	to="$T/$name.text$(IFS=,; echo "$*")"
	report "$name" "$@" >"$to" || return 1
	echo "$to"
}

# --- numbers ---

# field FILE KEY [WORD...]: KEY's value in the first line that has all these words; 0 when there is none.
field() {
	local file=$1 key=$2
	shift 2
	awk -v key="$key" -v words="$*" '
	BEGIN { n = split(words, want, " ") }
	{
		delete have
		for (i = 1; i <= NF; i++) {
			have[$i] = 1
			eq = index($i, "=")
			value[substr($i, 1, eq - 1)] = substr($i, eq + 1)
		}
		for (i = 1; i <= n; i++)
			if (!(want[i] in have))
				next
		print value[key]
		found = 1
		exit
	}
	END { if (!found) print 0 }' "$file"
}

# total FILE KEY [WORD...]: the sum of KEY over all lines that have these words.
total() {
	local file=$1 key=$2
	shift 2
	awk -v key="$key=" -v words="$*" '
	BEGIN { n = split(words, want, " ") }
	{
		delete have
		for (i = 1; i <= NF; i++)
			have[$i] = 1
		for (i = 1; i <= n; i++)
			if (!(want[i] in have))
				next
		for (i = 1; i <= NF; i++)
			if (index($i, key) == 1)
				sum += substr($i, length(key) + 1)
	}
	END { printf "%.0f\n", sum }' "$file"
}

calc() {
	awk "BEGIN { printf \"%.6f\\n\", $1 }"
}

holds() {
	awk "BEGIN { exit !($2) }" || {
		echo "$1: not $2"
		return 1
	}
}

# near WHAT ACTUAL EXPECTED PERCENT; within is the same with an absolute distance.
near() {
	awk -v a="$2" -v e="$3" -v p="$4" 'BEGIN { d = a - e; exit !((d < 0 ? -d : d) <= (e < 0 ? -e : e) * p / 100) }' || {
		echo "$1: $2 is not within $4 % of $3"
		return 1
	}
}
within() {
	awk -v a="$2" -v e="$3" -v t="$4" 'BEGIN { d = a - e; exit !((d < 0 ? -d : d) <= t) }' || {
		echo "$1: $2 is not within $4 of $3"
		return 1
	}
}

# twice COMMAND...: the machine may have had a bad moment; a fault of ours shows twice.
twice() {
	"$@" || {
		echo "once more: $*"
		"$@"
	}
}

# has FILE TEXT...: every text stands in the file, literally.
has() {
	local file=$1 text
	shift
	for text in "$@"; do
		grep -qF -- "$text" "$file" || {
			echo "'$text' is missing in:"
			cat "$file"
			return 1
		}
	done
}

# lacks FILE TEXT...: none of these texts stands in it.
lacks() {
	local file=$1 text
	shift
	for text in "$@"; do
		if grep -F -- "$text" "$file"; then
			echo "'$text' should not be in $file"
			return 1
		fi
	done
}
