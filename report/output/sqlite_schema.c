// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables, indexes and views of the database; docs/sqlite.md says what they mean. */
#include "report/output/sqlite_db.h"

/* A row that belongs to a trace goes with it, and with it what refers to the row. */
#define OF_TRACE "trace_id INTEGER NOT NULL REFERENCES traces ON DELETE CASCADE"

/* clang-format off */
#define TABLES \
"CREATE TABLE traces(id INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE, file TEXT NOT NULL,\n" \
" recorder TEXT, host TEXT, arch TEXT, kernel TEXT, kernel_build_id TEXT, cpu_model TEXT,\n" \
" cpus INTEGER, target TEXT, command TEXT, clock TEXT, start_ns INTEGER, start_wall_ns INTEGER,\n" \
" end_ns INTEGER, duration_ns INTEGER, asked_ns INTEGER, has_profile INTEGER, has_offcpu INTEGER,\n" \
" has_pmu INTEGER, is_snapshot INTEGER, is_whole_system INTEGER, unwind TEXT, event TEXT,\n" \
" event_reason TEXT, rate_hz INTEGER, period INTEGER, ended INTEGER, end_reason INTEGER,\n" \
" end_detail TEXT, status INTEGER, first_segment INTEGER, last_segment INTEGER,\n" \
" segments_cut INTEGER, gap_ns INTEGER, samples INTEGER, oncpu_ns INTEGER,\n" \
" oncpu_estimated INTEGER, blocks INTEGER, offcpu_ns INTEGER, offcpu_open INTEGER,\n" \
" offcpu_thinned_ns INTEGER, offcpu_unrecorded_ns INTEGER, records INTEGER, bytes INTEGER,\n" \
" filter TEXT);\n" \
"CREATE TABLE tags(" OF_TRACE ", key TEXT NOT NULL, value TEXT NOT NULL);\n" \
"CREATE TABLE features(" OF_TRACE ", name TEXT NOT NULL, value TEXT NOT NULL, reason TEXT);\n" \
"CREATE TABLE processes(id INTEGER PRIMARY KEY, " OF_TRACE ", pid INTEGER NOT NULL,\n" \
" parent_id INTEGER REFERENCES processes DEFERRABLE INITIALLY DEFERRED,\n" \
" name TEXT, exe TEXT, cmdline TEXT, cgroup TEXT, start_ns INTEGER, end_ns INTEGER, status INTEGER);\n" \
"CREATE TABLE threads(id INTEGER PRIMARY KEY, " OF_TRACE ",\n" \
" process_id INTEGER NOT NULL REFERENCES processes, tid INTEGER NOT NULL,\n" \
" name TEXT, start_ns INTEGER, end_ns INTEGER, observed_ns INTEGER, on_cpu_ns INTEGER,\n" \
" runq_ns INTEGER, sleep_ns INTEGER, disk_ns INTEGER, other_ns INTEGER, slices INTEGER,\n" \
" voluntary INTEGER, preempted INTEGER, yielded INTEGER, wakeups INTEGER, runq_waits INTEGER,\n" \
" blocks INTEGER, migrations INTEGER, iowait_ns INTEGER, discarded INTEGER);\n" \
"CREATE TABLE modules(id INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL,\n" \
" path TEXT NOT NULL, build_id TEXT NOT NULL, UNIQUE(path, build_id, kind));\n" \
"CREATE TABLE functions(id INTEGER PRIMARY KEY, module_id INTEGER NOT NULL REFERENCES modules,\n" \
" name TEXT NOT NULL, linkage_name TEXT NOT NULL, file TEXT NOT NULL, start_line INTEGER NOT NULL,\n" \
" is_named INTEGER NOT NULL, UNIQUE(name, module_id, linkage_name, file, start_line, is_named));\n" \
"CREATE TABLE frames(id INTEGER PRIMARY KEY, " OF_TRACE ",\n" \
" module_id INTEGER NOT NULL REFERENCES modules, address INTEGER NOT NULL, reason TEXT);\n" \
"CREATE TABLE frame_functions(frame_id INTEGER NOT NULL REFERENCES frames ON DELETE CASCADE,\n" \
" level INTEGER NOT NULL, function_id INTEGER NOT NULL REFERENCES functions, line INTEGER,\n" \
" PRIMARY KEY(frame_id, level)) WITHOUT ROWID;\n" \
"CREATE TABLE stacks(id INTEGER PRIMARY KEY, " OF_TRACE ",\n" \
" parent_id INTEGER REFERENCES stacks,\n" \
" frame_id INTEGER NOT NULL REFERENCES frames, depth INTEGER NOT NULL);\n" \
"CREATE TABLE samples(id INTEGER PRIMARY KEY, " OF_TRACE ",\n" \
" process_id INTEGER NOT NULL REFERENCES processes,\n" \
" thread_id INTEGER NOT NULL REFERENCES threads, thread_name TEXT,\n" \
" stack_id INTEGER REFERENCES stacks, count INTEGER NOT NULL, cpu_ns INTEGER,\n" \
" weight INTEGER NOT NULL);\n" \
"CREATE TABLE counters(id INTEGER PRIMARY KEY, " OF_TRACE ", name TEXT NOT NULL, pmu TEXT NOT NULL,\n" \
" error INTEGER NOT NULL, reason TEXT);\n" \
"CREATE TABLE sample_counters(sample_id INTEGER NOT NULL REFERENCES samples ON DELETE CASCADE,\n" \
" counter_id INTEGER NOT NULL REFERENCES counters, value INTEGER NOT NULL,\n" \
" PRIMARY KEY(sample_id, counter_id)) WITHOUT ROWID;\n" \
"CREATE TABLE counter_totals(" OF_TRACE ",\n" \
" process_id INTEGER REFERENCES processes,\n" \
" counter_id INTEGER NOT NULL REFERENCES counters, value REAL NOT NULL,\n" \
" measured REAL NOT NULL);\n" \
"CREATE TABLE blocks(id INTEGER PRIMARY KEY, " OF_TRACE ",\n" \
" process_id INTEGER NOT NULL REFERENCES processes,\n" \
" thread_id INTEGER NOT NULL REFERENCES threads, thread_name TEXT,\n" \
" stack_id INTEGER REFERENCES stacks, state TEXT NOT NULL, class TEXT NOT NULL,\n" \
" syscall INTEGER, count INTEGER NOT NULL, blocked_ns INTEGER NOT NULL, longest_ns INTEGER NOT NULL,\n" \
" open INTEGER NOT NULL,\n" \
" waker_thread_id INTEGER REFERENCES threads, waker TEXT);\n" \
"CREATE TABLE function_times(" OF_TRACE ", kind TEXT NOT NULL,\n" \
" function_id INTEGER NOT NULL REFERENCES functions, self_ns INTEGER, total_ns INTEGER,\n" \
" self_count INTEGER NOT NULL, total_count INTEGER NOT NULL,\n" \
" PRIMARY KEY(trace_id, kind, function_id)) WITHOUT ROWID;\n" \
"CREATE TABLE distributions(" OF_TRACE ",\n" \
" process_id INTEGER REFERENCES processes,\n" \
" thread_id INTEGER REFERENCES threads, kind TEXT NOT NULL, count INTEGER NOT NULL,\n" \
" sum_ns INTEGER, min_ns INTEGER, p50_ns INTEGER, p90_ns INTEGER, p99_ns INTEGER, p999_ns INTEGER,\n" \
" max_ns INTEGER, max_time_ns INTEGER, max_thread_id INTEGER REFERENCES threads);\n" \
"CREATE TABLE verdict_values(id INTEGER PRIMARY KEY, " OF_TRACE ",\n" \
" process_id INTEGER REFERENCES processes, metric TEXT NOT NULL, title TEXT NOT NULL,\n" \
" unit TEXT NOT NULL, value REAL, verdict TEXT NOT NULL, healthy REAL NOT NULL,\n" \
" investigate REAL NOT NULL, higher_is_better INTEGER NOT NULL, measured REAL, reason TEXT,\n" \
" meaning TEXT);\n" \
"CREATE TABLE verdict_threads(verdict_id INTEGER NOT NULL REFERENCES verdict_values ON DELETE CASCADE,\n" \
" thread_id INTEGER NOT NULL REFERENCES threads, what TEXT, amount INTEGER NOT NULL);\n" \
"CREATE TABLE coverage_facts(" OF_TRACE ", kind TEXT NOT NULL, name TEXT NOT NULL,\n" \
" value NUMERIC, detail TEXT);\n"

#define INDEXES \
"CREATE INDEX tags_trace ON tags(trace_id);\n" \
"CREATE INDEX tags_key ON tags(key, value);\n" \
"CREATE INDEX features_trace ON features(trace_id);\n" \
"CREATE INDEX processes_trace ON processes(trace_id);\n" \
"CREATE INDEX processes_parent ON processes(parent_id);\n" \
"CREATE INDEX threads_trace ON threads(trace_id);\n" \
"CREATE INDEX threads_process ON threads(process_id);\n" \
"CREATE INDEX functions_module ON functions(module_id);\n" \
"CREATE INDEX frames_trace ON frames(trace_id);\n" \
"CREATE INDEX frames_module ON frames(module_id);\n" \
"CREATE INDEX frame_functions_function ON frame_functions(function_id);\n" \
"CREATE INDEX stacks_trace ON stacks(trace_id);\n" \
"CREATE INDEX stacks_parent ON stacks(parent_id);\n" \
"CREATE INDEX stacks_frame ON stacks(frame_id);\n" \
"CREATE INDEX samples_trace ON samples(trace_id);\n" \
"CREATE INDEX samples_process ON samples(process_id);\n" \
"CREATE INDEX samples_thread ON samples(thread_id);\n" \
"CREATE INDEX samples_stack ON samples(stack_id);\n" \
"CREATE INDEX counters_trace ON counters(trace_id);\n" \
"CREATE INDEX sample_counters_counter ON sample_counters(counter_id);\n" \
"CREATE INDEX counter_totals_trace ON counter_totals(trace_id);\n" \
"CREATE INDEX counter_totals_counter ON counter_totals(counter_id);\n" \
"CREATE INDEX counter_totals_process ON counter_totals(process_id);\n" \
"CREATE INDEX blocks_trace ON blocks(trace_id);\n" \
"CREATE INDEX blocks_process ON blocks(process_id);\n" \
"CREATE INDEX blocks_thread ON blocks(thread_id);\n" \
"CREATE INDEX blocks_stack ON blocks(stack_id);\n" \
"CREATE INDEX blocks_waker ON blocks(waker_thread_id);\n" \
"CREATE INDEX function_times_function ON function_times(function_id);\n" \
"CREATE INDEX distributions_trace ON distributions(trace_id);\n" \
"CREATE INDEX distributions_process ON distributions(process_id);\n" \
"CREATE INDEX distributions_thread ON distributions(thread_id, kind);\n" \
"CREATE INDEX distributions_max_thread ON distributions(max_thread_id);\n" \
"CREATE INDEX verdict_values_trace ON verdict_values(trace_id);\n" \
"CREATE INDEX verdict_values_process ON verdict_values(process_id);\n" \
"CREATE INDEX verdict_threads_verdict ON verdict_threads(verdict_id);\n" \
"CREATE INDEX verdict_threads_thread ON verdict_threads(thread_id);\n" \
"CREATE INDEX coverage_facts_trace ON coverage_facts(trace_id);\n"

#define FUNCTION_VIEW(name, kind, total, order) \
"CREATE VIEW " name " AS SELECT x.trace_id, t.host, f.name AS function, m.name AS module,\n" \
" x.self_ns, x.total_ns, x.self_count, x.total_count,\n" \
" 100.0 * x.self_ns / nullif(t." total ", 0) AS self_pct,\n" \
" 100.0 * x.total_ns / nullif(t." total ", 0) AS total_pct, f.file, f.start_line, x.function_id\n" \
" FROM function_times x JOIN traces t ON t.id = x.trace_id JOIN functions f ON f.id = x.function_id\n" \
" JOIN modules m ON m.id = f.module_id WHERE x.kind = '" kind "'\n" \
" ORDER BY x.trace_id, x." order "_ns DESC, x." order "_count DESC, f.name;\n"

#define VIEWS \
FUNCTION_VIEW("hot_functions", "on-CPU", "oncpu_ns", "self") \
FUNCTION_VIEW("hot_functions_cum", "on-CPU", "oncpu_ns", "total") \
FUNCTION_VIEW("offcpu_by_function", "off-CPU", "offcpu_ns", "total") \
"CREATE VIEW offcpu_by_class AS SELECT b.trace_id, t.host, b.class, sum(b.blocked_ns) AS blocked_ns,\n" \
" 100.0 * sum(b.blocked_ns) / nullif(t.offcpu_ns, 0) AS blocked_pct, sum(b.count) AS count,\n" \
" max(b.longest_ns) AS longest_ns, sum(b.open) AS open\n" \
" FROM blocks b JOIN traces t ON t.id = b.trace_id GROUP BY b.trace_id, b.class\n" \
" ORDER BY b.trace_id, 4 DESC, b.class;\n" \
"CREATE VIEW runq_percentiles AS SELECT d.trace_id, t.host, d.process_id, p.pid, p.name AS process,\n" \
" d.thread_id, h.tid, h.name AS thread, d.count, d.p50_ns, d.p90_ns, d.p99_ns, d.p999_ns, d.max_ns,\n" \
" w.tid AS max_tid, w.name AS max_thread, d.max_time_ns - t.start_ns AS max_at_ns\n" \
" FROM distributions d JOIN traces t ON t.id = d.trace_id LEFT JOIN processes p ON p.id = d.process_id\n" \
" LEFT JOIN threads h ON h.id = d.thread_id LEFT JOIN threads w ON w.id = d.max_thread_id\n" \
" WHERE d.kind = 'run queue' ORDER BY d.trace_id, d.process_id, d.thread_id;\n" \
"CREATE VIEW thread_health AS SELECT h.trace_id, t.host, h.process_id, p.pid, p.name AS process,\n" \
" h.id AS thread_id, h.tid, h.name AS thread, h.observed_ns, h.on_cpu_ns, h.runq_ns, h.sleep_ns,\n" \
" h.disk_ns, h.other_ns, 100.0 * h.on_cpu_ns / nullif(h.observed_ns, 0) AS on_cpu_pct,\n" \
" 100.0 * h.runq_ns / nullif(h.observed_ns, 0) AS runq_pct, h.voluntary, h.preempted, h.yielded,\n" \
" h.migrations, s.p999_ns AS slice_p999_ns, s.max_ns AS slice_max_ns, r.p99_ns AS runq_p99_ns,\n" \
" r.max_ns AS runq_max_ns\n" \
" FROM threads h JOIN traces t ON t.id = h.trace_id JOIN processes p ON p.id = h.process_id\n" \
" LEFT JOIN distributions s ON s.thread_id = h.id AND s.kind = 'slice'\n" \
" LEFT JOIN distributions r ON r.thread_id = h.id AND r.kind = 'run queue'\n" \
" WHERE h.observed_ns IS NOT NULL ORDER BY h.trace_id, h.runq_ns DESC, h.id;\n" \
"CREATE VIEW verdicts AS SELECT v.trace_id, t.host, t.start_wall_ns, v.process_id, p.pid,\n" \
" p.name AS process, v.metric, v.title, v.value, v.unit, v.verdict, v.healthy, v.investigate,\n" \
" v.reason, v.meaning, v.id AS verdict_id FROM verdict_values v JOIN traces t ON t.id = v.trace_id\n" \
" LEFT JOIN processes p ON p.id = v.process_id ORDER BY v.trace_id, v.process_id, v.id;\n" \
"CREATE VIEW coverage AS SELECT c.trace_id, t.host, t.file, c.kind, c.name, c.value, c.detail\n" \
" FROM coverage_facts c JOIN traces t ON t.id = c.trace_id ORDER BY c.trace_id, c.rowid;\n" \
"CREATE VIEW wakers AS SELECT b.trace_id, t.host, b.waker, w.tid AS waker_tid, b.thread_name AS woken,\n" \
" h.tid AS woken_tid, b.class, sum(b.count) AS count, sum(b.blocked_ns) AS blocked_ns,\n" \
" max(b.longest_ns) AS longest_ns FROM blocks b JOIN traces t ON t.id = b.trace_id\n" \
" JOIN threads h ON h.id = b.thread_id LEFT JOIN threads w ON w.id = b.waker_thread_id\n" \
" WHERE b.waker IS NOT NULL GROUP BY b.trace_id, b.waker_thread_id, b.waker, b.thread_id, b.class\n" \
" ORDER BY b.trace_id, 9 DESC;\n" \
"CREATE VIEW stack_frames AS WITH RECURSIVE walk(stack_id, at, level) AS (\n" \
" SELECT id, id, 0 FROM stacks UNION ALL\n" \
" SELECT walk.stack_id, s.parent_id, walk.level + 1 FROM walk JOIN stacks s ON s.id = walk.at\n" \
" WHERE s.parent_id IS NOT NULL)\n" \
" SELECT walk.stack_id, walk.level, x.level AS inline_level, f.name AS function, m.name AS module,\n" \
" f.file, x.line, r.address, r.id AS frame_id, f.id AS function_id FROM walk\n" \
" JOIN stacks s ON s.id = walk.at JOIN frames r ON r.id = s.frame_id\n" \
" JOIN frame_functions x ON x.frame_id = r.id JOIN functions f ON f.id = x.function_id\n" \
" JOIN modules m ON m.id = f.module_id;\n"

const char rpt_sql_schema[] =
"PRAGMA application_id = 0x70615270; PRAGMA user_version = 1;\n" TABLES VIEWS;
const char rpt_sql_indexes[] = INDEXES;
/* clang-format on */
