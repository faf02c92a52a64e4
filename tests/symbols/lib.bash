# SPDX-License-Identifier: GPL-2.0-or-later
# What tests of names share: ELF files that build.sh makes, traces with samples in them, and their reports.
bats_require_minimum_version 1.5.0

BUILD=${BUILD:-$(cd "$BATS_TEST_DIRNAME/../.." && pwd)/build}
HERE=$BATS_TEST_DIRNAME
GOLDEN=$HERE/../golden/traces
T=$BATS_FILE_TMPDIR
export LC_ALL=C TZ=UTC PPROF_TMPDIR=$T/pprof

# build SET: the files of a set, in $T/SET.
build() {
	"$HERE/build.sh" "$1" "$T/$1" >"$T/$1.log" 2>&1 || {
		cat "$T/$1.log"
		return 1
	}
}

# trace NAME ARGUMENT...: $T/NAME.pa, as trace.py makes it.
trace() {
	local name=$1
	shift
	python3 "$HERE/trace.py" "$@" >"$T/$name.txt"
	"$BUILD/tests/mktrace" "$T/$name.txt" "$T/$name.pa"
}

# address FILE SYMBOL: in the file's own terms.
address() {
	nm "$1" | awk -v name="$2" '$3 == name { print "0x" $1; exit }'
}

# golden NAME...: the traces of the golden tests, in $T.
golden() {
	local name
	for name in "$@"; do
		"$BUILD/tests/mktrace" "$GOLDEN/$name.txt" "$T/$name.pa"
	done
}

report() {
	"$BUILD/pa-report" "$@"
}

dump() {
	"$BUILD/pa-report" --dump "$@"
}

# functions ARGUMENT...: the innermost function of each sample in turn, and its place: "name file:line".
functions() {
	frames "$@" | sed 's/ < .*//'
}

# frames ARGUMENT...: all frames of each sample, innermost first, inlined ones too, joined by " < ".
frames() {
	report --pprof "$T/frames.pb.gz" "$@"
	go tool pprof -symbolize=none -raw "$T/frames.pb.gz" 2>/dev/null | python3 "$HERE/frames.py"
}

# same A B: two files are equal, or how they differ.
same() {
	diff -u "$1" "$2"
}

has() {
	local file=$1 text
	shift
	for text in "$@"; do
		grep -qF -- "$text" "$file" || {
			echo "'$text' is not in $file:"
			head -n 40 "$file"
			return 1
		}
	done
}

lacks() {
	local file=$1 text
	shift
	for text in "$@"; do
		! grep -F -- "$text" "$file" || {
			echo "'$text' is in $file"
			return 1
		}
	done
}
