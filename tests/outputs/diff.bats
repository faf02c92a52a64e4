# SPDX-License-Identifier: GPL-2.0-or-later
# Comparisons: what is the same, what changed, and what could be chance.
load lib

@test "a trace and itself: nothing changed, whatever it is" {
	local trace name
	for trace in "$GOLDEN"/*.txt; do
		name=$(basename "$trace" .txt)
		assemble "$name"
		run "$REPORT" --diff --check "$name.pa" "$name.pa"
		echo "$name: $output"
		[ "$status" -eq 0 ]
		[[ $output != *"real?"* ]]
		[[ $output != *" yes"* ]] && [[ $output != *"chance"$'\n'*"%"*" chance"* ]]
		[[ $output != *nan* ]] && [[ $output != *inf\ * ]]
	done
}

@test "the head says which is which" {
	assemble demo E1
	run "$REPORT" --diff demo.pa E1.pa
	[ "$status" -eq 0 ]
	[[ $output == *"before      demo.pa: web-7, 10.0 s from 2023-11-14 22:13:20 UTC"*"build=1234"* ]]
	[[ $output == *"after       E1.pa"* ]]
	[[ $output == *"+ is more after than before. Values are per second of recording."* ]]
}

@test "several of each, wherever the options stand" {
	assemble demo
	cp demo.pa b.pa
	run "$REPORT" --diff demo.pa --to b.pa b.pa --top 3
	[ "$status" -eq 0 ]
	is "of before" "$(echo "$output" | grep -c '  demo.pa: ')" 1
	is "of after" "$(echo "$output" | grep -c '  b.pa: ')" 2
	[[ $output != *"real?"* ]] # twice as long, and twice as much
	run "$REPORT" demo.pa --to=b.pa --diff --raw
	[ "$status" -eq 0 ]
	[[ $output == *"Values are sums"* ]]
	run "$REPORT" --diff demo.pa
	[ "$status" -eq 2 ]
	run "$REPORT" --diff --to b.pa
	[ "$status" -eq 2 ]
	run "$REPORT" --diff demo.pa b.pa --json x.json
	[ "$status" -eq 2 ]
}

@test "a rebuilt program elsewhere: functions are joined by name, less what compilers add" {
	busy a functions=9 bursts=0
	busy b functions=9 bursts=0 suffix=.isra.0 base=8388608
	busy c functions=9 bursts=0 suffix=.part.1.cold base=12582912
	run "$REPORT" --diff a.pa b.pa
	[[ $output != *"real?"* ]]
	run "$REPORT" --diff b.pa c.pa
	[[ $output != *"real?"* ]]
}

@test "added and removed functions have names; unresolved ones are not lumped together" {
	sed 's/JIT_loop/JIT_other/' "$GOLDEN/demo.txt" >other.txt
	"$BUILD/tests/mktrace" other.txt other.pa
	assemble demo
	run "$REPORT" --diff demo.pa other.pa
	[[ $output == *"removed"*"JIT_loop"* ]]
	[[ $output == *"added"*"JIT_other"* ]]
	[[ $output == *"1 added"* ]]
	[[ $output != *"server+"* ]] # equal, at the same place of the same file
	# The same offsets in another build are something else.
	sed 's/a1b2c3d4e5f60718293a4b5c6d7e8f9012345678/ffffffffe5f60718293a4b5c6d7e8f9012345678/' "$GOLDEN/demo.txt" >build.txt
	"$BUILD/tests/mktrace" build.txt build.pa
	run "$REPORT" --diff demo.pa build.pa
	is "before and after" "$(echo "$output" | sed -n '/OWN TIME/,/^$/p' | grep -c 'server+0x1200')" 2
}

@test "what left the top is said" {
	busy a functions=9 bursts=0
	sed 's/f0/fx/; s/f8/f0/; s/fx/f8/' <("$BUILD/tests/outputs/busy" functions=9 bursts=0) >b.txt
	"$BUILD/tests/mktrace" b.txt b.pa
	run "$REPORT" --diff --top 2 a.pa b.pa
	[[ $output == *"left the top 2: f0"* ]]
	[[ $output == *"entered the top 2: f8"* ]]
}

# The short form of make diff-trials, which is for more pairs.
@test "a planted regression is found, equal programs are not told apart: 19 of 20 times" {
	run "$BATS_TEST_DIRNAME/diff-trials.sh" 20
	echo "$output"
	is "lines" "${#lines[@]}" 3
	[ "$status" -eq 0 ]
}

@test "what is below the threshold is no regression" {
	busy a seed=1 cpus=4 bursts=0
	busy b seed=1 cpus=4 bursts=0 slow=30
	run "$REPORT" --diff --check a.pa b.pa
	[ "$status" -eq 3 ]
	run "$REPORT" --diff --check --threshold 50 a.pa b.pa
	[ "$status" -eq 0 ]
	run "$REPORT" --diff --check b.pa a.pa # faster
	[ "$status" -eq 0 ]
}
