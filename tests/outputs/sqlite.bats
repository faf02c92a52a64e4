# SPDX-License-Identifier: GPL-2.0-or-later
# The SQLite database, as the sqlite3 program reads it.
load lib

ask() { # ask DATABASE SQL
	sqlite3 -batch "$1" "$2"
}

# A database is whole: keys refer to what is there, indexes agree with tables.
check_database() {
	is "foreign keys" "$(ask "$1" 'PRAGMA foreign_key_check')" ""
	is integrity "$(ask "$1" 'PRAGMA integrity_check')" ok
}

@test "every trace makes a database that is whole, with all views" {
	skip_without sqlite3
	local trace name view
	for trace in "$GOLDEN"/*.txt; do
		name=$(basename "$trace" .txt)
		assemble "$name"
		"$REPORT" --sqlite one.db "$name.pa"
		check_database one.db
		for view in hot_functions hot_functions_cum offcpu_by_function offcpu_by_class runq_percentiles \
			thread_health verdicts coverage wakers stack_frames; do
			ask one.db "SELECT * FROM $view" >/dev/null
		done
		"$REPORT" --sqlite all.db "$name.pa"
		rm one.db
	done
	check_database all.db
}

@test "a trace loaded twice stays once, whatever its name" {
	skip_without sqlite3
	assemble demo E1
	"$REPORT" --sqlite x.db demo.pa
	ask x.db .dump >once
	mv demo.pa other.pa
	"$REPORT" --sqlite x.db other.pa
	is traces "$(ask x.db 'SELECT count(*) FROM traces')" 1
	is rows "$(ask x.db 'SELECT sum(count) FROM samples')" 10
	# Ids and the file's name aside, the database is what it was.
	is lines "$(ask x.db .dump | wc -l)" "$(wc -l <once)"
	"$REPORT" --sqlite x.db other.pa E1.pa other.pa
	is traces "$(ask x.db 'SELECT count(*) FROM traces')" 2
	check_database x.db
}

@test "one by one or together: the same" {
	skip_without sqlite3
	assemble demo merged cycles
	"$REPORT" --sqlite together.db demo.pa merged.pa cycles.pa
	for trace in demo merged cycles; do
		"$REPORT" --sqlite single.db $trace.pa
	done
	is databases "$(ask together.db .dump | sort | sha256sum)" "$(ask single.db .dump | sort | sha256sum)"
	check_database together.db
}

@test "a longer recording replaces its beginning, not the other way round" {
	skip_without sqlite3
	assemble demo
	grep -v '^end\|^loss' "$GOLDEN/demo.txt" >cut.txt
	"$BUILD/tests/mktrace" cut.txt cut.pa
	"$REPORT" --sqlite x.db cut.pa
	is ended "$(ask x.db 'SELECT ended FROM traces')" 0
	"$REPORT" --sqlite x.db demo.pa
	is ended "$(ask x.db 'SELECT ended FROM traces')" 1
	"$REPORT" --sqlite x.db cut.pa
	is ended "$(ask x.db 'SELECT ended FROM traces')" 1
	check_database x.db
}

@test "segments of one recording are one trace" {
	skip_without sqlite3
	assemble segment-0 segment-1 segment-2
	"$REPORT" --sqlite x.db segment-1.pa segment-2.pa segment-0.pa
	is traces "$(ask x.db 'SELECT count(*), first_segment, last_segment FROM traces')" "1|0|2"
	check_database x.db
}

@test "sums by function are those of the stacks" {
	skip_without sqlite3
	local trace
	for trace in demo A15 F5 cycles jit-lives merged; do
		assemble $trace
		"$REPORT" --sqlite x.db $trace.pa
	done
	is "functions that differ" "$(ask x.db "
		WITH by_stack AS (SELECT DISTINCT stack_id, function, module FROM stack_frames),
		total AS (SELECT s.trace_id AS trace_id, b.function, b.module, sum(s.cpu_ns) AS ns, sum(s.count) AS n
			FROM samples s JOIN by_stack b USING (stack_id) GROUP BY 1, 2, 3)
		SELECT * FROM total t LEFT JOIN hot_functions_cum h USING (trace_id, function, module)
		WHERE h.total_ns IS NOT t.ns OR h.total_count IS NOT t.n")" ""
	is "self times" "$(ask x.db "SELECT sum(self_ns) FROM hot_functions")" "$(ask x.db "SELECT sum(cpu_ns) FROM samples")"
}

@test "what is not a database of this program is left alone" {
	assemble demo
	echo "my notes" >notes.txt
	run "$REPORT" --sqlite notes.txt demo.pa
	[ "$status" -eq 1 ]
	[[ $output == *"'notes.txt'"*"has to be a new file"* ]]
	is content "$(cat notes.txt)" "my notes"
	skip_without sqlite3
	ask other.db 'CREATE TABLE t(x); INSERT INTO t VALUES(7)'
	run "$REPORT" --sqlite other.db demo.pa
	[ "$status" -eq 1 ]
	is content "$(ask other.db 'SELECT x FROM t')" 7
	"$REPORT" --sqlite newer.db demo.pa
	ask newer.db 'PRAGMA user_version = 99'
	run "$REPORT" --sqlite newer.db demo.pa
	[ "$status" -eq 1 ]
	is files "$(ls)" "$(printf 'demo.pa\nnewer.db\nnotes.txt\nother.db')"
}

@test "it is not written to a pipe" {
	assemble demo
	run "$REPORT" --sqlite - demo.pa
	[ "$status" -eq 1 ]
	[[ $output == *"has to be a new file"* ]]
}

@test "a trace that cannot be read leaves the database as it was" {
	skip_without sqlite3
	assemble demo
	"$REPORT" --sqlite x.db demo.pa
	cp x.db before.db
	echo nonsense >bad.pa
	run "$REPORT" --sqlite x.db demo.pa bad.pa
	[ "$status" -eq 1 ]
	cmp x.db before.db
	is files "$(ls)" "$(printf 'bad.pa\nbefore.db\ndemo.pa\nx.db')"
}

@test "an interrupted export leaves no half database and no litter" {
	generate many many samples=200000 stacks=20000
	local pid signal
	for signal in TERM INT KILL; do
		# Not in the background: there, bash ignores SIGINT for its children.
		env --default-signal=INT "$REPORT" --sqlite x.db many.pa &
		pid=$!
		for _ in $(seq 1000); do
			compgen -G 'x.db.*' >/dev/null && break
			sleep 0.01
		done
		kill -$signal $pid
		! wait $pid
		[ ! -e x.db ]
		[ $signal = KILL ] || ! compgen -G 'x.db*'
	done
}

@test "a full disk is said, and leaves nothing" {
	[ "$(id -u)" = 0 ] || skip "mounting needs root"
	generate many many samples=20000 stacks=10000
	mkdir small
	mount -t tmpfs -o size=500k none small || skip "tmpfs cannot be mounted here"
	run "$REPORT" --sqlite small/x.db many.pa
	files=$(ls small)
	umount small
	[ "$status" -eq 1 ]
	[[ $output == *"small/x.db"*"No space left"* ]]
	is files "$files" ""
}

@test "a million samples are a million, in a database that is whole" {
	generate many many samples=1000000
	"$REPORT" --sqlite x.db many.pa
	skip_without sqlite3
	is samples "$(ask x.db 'SELECT sum(count) FROM samples')" 1000000
	check_database x.db
}

@test "names that are no UTF-8 are, in the database" {
	skip_without sqlite3
	assemble names
	"$REPORT" --sqlite x.db names.pa
	ask x.db .dump | iconv -f UTF-8 -t UTF-8 >/dev/null
	check_database x.db
}

@test "who ended whose waits" {
	skip_without sqlite3
	cat >wakes.txt <<-'EOT'
	session arch="x86_64" start_ns=1000 start_wall_ns=1 cpus=1 target="all" modes=2
	process time_ns=1000 id=1 pid=1 comm="a"
	thread time_ns=1000 id=1 process=1 tid=1 comm="sleeper"
	thread time_ns=1000 id=2 process=1 tid=2 comm="waker"
	block time_ns=1100 duration_ns=300 thread=1 ustack=2 waker=2
	block time_ns=1500 duration_ns=100 thread=1 ustack=2
	covered time_ns=2000
	EOT
	"$BUILD/tests/mktrace" wakes.txt wakes.pa
	"$REPORT" --sqlite x.db wakes.pa
	is wakers "$(ask x.db 'SELECT waker, waker_tid, woken, count, blocked_ns FROM wakers')" 'waker|2|sleeper|1|300'
	check_database x.db
}
