# SPDX-License-Identifier: GPL-2.0-or-later
# All outputs say the same, to the last nanosecond.
load lib

# Sums of one trace, as each output has them: on-CPU count and time, off-CPU count and time.
of_json() {
	jq -r '"\(.on_cpu.rows | map(.count) | add // 0) \(.on_cpu.rows | map(.ns) | add // 0) \(
		.off_cpu.rows | map(.count) | add // 0) \(.off_cpu.rows | map(.ns) | add // 0)"' "$1"
}

of_sqlite() {
	sqlite3 -separator ' ' "$1" 'SELECT
		(SELECT coalesce(sum(count), 0) FROM samples), (SELECT coalesce(sum(cpu_ns), 0) FROM samples),
		(SELECT coalesce(sum(count), 0) FROM blocks), (SELECT coalesce(sum(blocked_ns), 0) FROM blocks)'
}

# Values of the samples of a profile: "count time" summed up.
of_pprof() {
	go tool pprof -symbolize=none -raw "$1" 2>/dev/null | awk '
		/^Samples:/ { on = 1; getline; next }
		/^Locations/ { on = 0 }
		on && /^ *[0-9]+ +[0-9]+( +[0-9]+)*:/ { count += $1; sub(":", "", $2); time += $2 }
		END { printf "%.0f %.0f\n", count, time }'
}

check_agreement() { # check_agreement TRACE OPTION...
	local trace=$1
	shift
	rm -f x.json x.db on.gz off.gz
	"$REPORT" "$@" --json x.json --sqlite x.db --pprof on.gz "$trace.pa"
	"$REPORT" "$@" --offcpu --pprof off.gz "$trace.pa"
	is "$trace $*: sqlite" "$(of_sqlite x.db)" "$(of_json x.json)"
	is "$trace $*: heads" "$(jq -r '"\(.on_cpu.count) \(.on_cpu.ns // 0) \(.off_cpu.count) \(.off_cpu.ns)"' x.json)" \
		"$(of_json x.json)"
	is "$trace $*: functions" "$(jq -c '[.on_cpu.functions[].self_ns // 0] | add // 0' x.json)" "$(of_json x.json | cut -d' ' -f2)"
	is "$trace $*: pprof" "$(of_pprof on.gz) $(of_pprof off.gz)" "$(of_json x.json)"
}

@test "text, pprof, SQLite and JSON have the same sums" {
	skip_without sqlite3
	skip_without go
	local trace
	for trace in demo thinned unrecorded cycles copied merged F5 F14 A15 names hostile; do
		assemble $trace
		[ "$trace" != cycles ] || continue # its third value is the time
		check_agreement $trace
	done
}

@test "and so has every part" {
	skip_without sqlite3
	skip_without go
	assemble demo thinned
	check_agreement demo --pid 102
	check_agreement demo --from 1s --to 3500ms
	check_agreement demo --focus schedule
	check_agreement demo --by cpu
	check_agreement demo --exclude '^server'
	check_agreement thinned --stack-has .
}

@test "the text report's times are those of JSON" {
	assemble demo
	"$REPORT" --json x.json demo.pa
	"$REPORT" demo.pa >x.text
	is "on CPU" "$(sed -n 's/.*10 on CPU, //p' x.text)" "100 ms"
	is "in JSON" "$(jq .on_cpu.ns x.json)" 100000000
	is "off CPU" "$(sed -n 's/.*403 off CPU, \([0-9.]* s\).*/\1/p' x.text)" "10.5 s"
	is "in JSON" "$(jq .off_cpu.ns x.json)" 10500000000
}
