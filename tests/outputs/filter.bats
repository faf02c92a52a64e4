# SPDX-License-Identifier: GPL-2.0-or-later
# Parts of traces: by time, identity and stacks; the same part in every output, and said at its head.
load lib

query() { # query JQ OPTION...: of the JSON output for demo.pa; nothing is left: 0
	local what=$1
	shift
	"$REPORT" --json - "$@" demo.pa | jq -c "$what"
}
SUMS='[.on_cpu.count, .on_cpu.ns, .off_cpu.count, .off_cpu.ns]'

@test "identity: process, thread, name, CPU" {
	assemble demo
	is pid "$(query "$SUMS" --pid 102)" '[2,20000000,1,7000000000]'
	is "two pids" "$(query "$SUMS" --pid 100 --pid 102)" "$(query "$SUMS")"
	is tid "$(query "$SUMS" --tid 101)" '[4,40000000,401,1500000000]'
	is comm "$(query "$SUMS" --comm client)" '[2,20000000,1,7000000000]'
	is cpu "$(query "$SUMS" --cpu 1)" '[4,40000000,0,0]'
	is "sums of the rest" "$(query '[.threads[] | select(.scheduler != null) | .tid]' --tid 101)" '[101]'
}

@test "time: relative, on the wall, and intervals are cut" {
	assemble demo
	is samples "$(query "$SUMS" --from 1s --to 1040ms)" '[4,40000000,0,0]'
	is "the wall's" "$(query "$SUMS" --from 2023-11-14T22:13:21 --to 22:13:21.04)" \
		"$(query "$SUMS" --from 1s --to 1040ms)"
	# A block of 2 s from 2 s on, and one that is open from 3 s on.
	is cut "$(query "$SUMS" --from 3s --to 4s)" '[0,0,2,2000000000]'
	is "its length" "$(query .duration_ns --from 3s --to 4s)" 1000000000
	is "no sums" "$(query '[.threads[].scheduler] | unique' --from 3s)" '[null]'
	is verdicts "$(query '[.verdicts[].verdict] | unique' --from 3s)" '["unknown"]'
	"$REPORT" --from 3s demo.pa | grep -q 'sums of the scheduler and counters: not known for a part of the time'
}

@test "halves add up to the whole" {
	assemble segment-0 cycles demo
	mv demo.pa first.pa
	local first second trace
	for trace in first segment-0 cycles; do
		mv $trace.pa demo.pa
		first=$(query '.on_cpu.count' --to 1040ms )
		second=$(query '.on_cpu.count' --from 1040ms )
		[ $((${first:-0} + ${second:-0})) -eq "$(query '.on_cpu.count')" ]
	done
}

@test "stacks: with, without, from a function inwards" {
	assemble demo
	is has "$(query "$SUMS" --stack-has '^JIT_')" '[2,20000000,0,0]'
	is exclude "$(query "$SUMS" --exclude '^JIT_')" "$(query '[8,80000000,.off_cpu.count,.off_cpu.ns]')"
	is focus "$(query "$SUMS" --focus futex_wait)" '[0,0,2,9000000000]'
	is "its callers" "$("$REPORT" --focus futex_wait --offcpu demo.pa | grep -c 'server+0x1101')" 0
	is "below it" "$(query '[.off_cpu.functions[] | .total_ns]' --focus futex_wait)" '[9000000000,9000000000]'
	is "both together are all" "$(query "$SUMS" --stack-has . )" "$(query "$SUMS")"
}

@test "cgroups and containers" {
	cat >groups.txt <<-'EOT'
	session arch="x86_64" start_ns=1000 start_wall_ns=1 cpus=1 target="all" modes=1
	sampling event="cpu-clock" rate_hz=100 period=10
	tag key="stage" value="canary"
	process time_ns=1000 id=1 pid=1 comm="a" cgroup="/system.slice/docker-0123456789abcdef.scope"
	process time_ns=1000 id=2 pid=2 comm="b" cgroup="/system.slice2"
	thread time_ns=1000 id=1 process=1 tid=1 comm="a"
	thread time_ns=1000 id=2 process=2 tid=2 comm="b"
	comm time_ns=1500 thread=1 comm="renamed"
	stack id=16 parent=2 frames=[0x100]
	sample time_ns=1100 thread=1 ustack=16
	sample time_ns=1600 thread=1 ustack=16
	sample time_ns=1200 thread=2 ustack=16
	thread_sum time_ns=2000 thread=1 observed_ns=1000 on_cpu_ns=1000
	covered time_ns=2000
	end time_ns=2000 reason=1
	EOT
	"$BUILD/tests/mktrace" groups.txt demo.pa
	is cgroup "$(query .on_cpu.count --cgroup /system.slice)" 2
	is "another" "$(query .on_cpu.count --cgroup /system.slice2/)" 1
	is "all" "$(query .on_cpu.count --cgroup /)" 3
	is container "$(query .on_cpu.count --container 01234567)" 2
	is "a name of its time" "$(query .on_cpu.count --comm renamed)" 1
	"$REPORT" --comm renamed demo.pa | grep -q '1 thread had other names'
	is "by cgroup" "$(query '[.functions[].name | select(startswith("[cgroup"))]' --by cgroup)" \
		'["[cgroup /system.slice/docker-0123456789abcdef.scope]","[cgroup /system.slice2]"]'
	is "by tag" "$(query '[.functions[].name | select(startswith("[tag"))]' --by tag)" '["[tag stage=canary]"]'
	is "by name" "$(query '[.functions[].name | select(startswith("[thread"))]' --by thread)" \
		'["[thread a/1]","[thread renamed/1]","[thread b/2]"]'
	run "$REPORT" --container 0123 demo.pa
	[ "$status" -eq 2 ]
}

@test "grouping changes no sum" {
	assemble demo
	local by
	for by in thread process cpu cgroup tag; do
		is "by $by" "$(query "$SUMS" --by $by)" "$(query "$SUMS")"
	done
	"$REPORT" --by cpu demo.pa | grep -q '60.0 ms.*\[CPU 0\]'
}

@test "what is wrong is said" {
	assemble demo
	run "$REPORT" --stack-has '(' demo.pa
	[ "$status" -eq 2 ]
	[[ $output == *"--stack-has: '(' is no regular expression"* ]]
	run "$REPORT" --pid 999 demo.pa
	[ "$status" -eq 1 ]
	[[ $output == *"no process 999 is in 'demo.pa'"* ]]
	run "$REPORT" --pid x demo.pa
	[ "$status" -eq 2 ]
	run "$REPORT" --comm nobody demo.pa
	[ "$status" -eq 1 ]
	[[ $output == *"nothing is left of 'demo.pa' with --comm nobody"* ]]
	run "$REPORT" --from yesterday demo.pa
	[ "$status" -eq 2 ]
	[[ $output == *"'yesterday'"* ]]
	run "$REPORT" --by color demo.pa
	[ "$status" -eq 2 ]
}

@test "a part of a recording is not the recording, in a database" {
	skip_without sqlite3
	assemble demo
	"$REPORT" --sqlite x.db demo.pa
	"$REPORT" --sqlite x.db --pid 102 demo.pa
	is traces "$(sqlite3 x.db "SELECT group_concat(coalesce(filter, 'all')) FROM traces")" "all,--pid 102"
}
