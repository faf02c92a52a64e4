# SPDX-License-Identifier: GPL-2.0-or-later
# The JSON output, on its schema.
load lib

SCHEMA=$BATS_TEST_DIRNAME/../../docs/report.schema.json

@test "every trace makes a document that the schema describes" {
	/usr/bin/python3 -c 'import jsonschema' 2>/dev/null || skip "python3-jsonschema is not installed"
	local trace name
	for trace in "$GOLDEN"/*.txt; do
		name=$(basename "$trace" .txt)
		assemble "$name"
		"$REPORT" --json "$name.json" "$name.pa"
	done
	/usr/bin/python3 "$BATS_TEST_DIRNAME/validate.py" "$SCHEMA" ./*.json
}

@test "numbers are exact, names are UTF-8, and odd names come back as they were" {
	cat "$GOLDEN/demo.txt" - >odd.txt <<-'EOT'
	thread time_ns=1100000000 id=9 process=1 tid=999 comm="q\"b\\s"
	sample time_ns=2000000000 thread=9 ustack=17 period=9007199254740993
	EOT
	sed -i '/^end\|^covered/d' odd.txt
	sed -i 's/comm="client"/comm="a\\xffb"/' odd.txt
	"$BUILD/tests/mktrace" odd.txt odd.pa
	"$REPORT" --json odd.json odd.pa
	iconv -f UTF-8 -t UTF-8 odd.json >/dev/null
	is weight "$(python3 -c 'import json; print(max(r["weight"] for r in json.load(open("odd.json"))["on_cpu"]["rows"]))')" \
		9007199254740993
	is names "$(python3 -c 'import json; print(sorted(t["name"] for t in json.load(open("odd.json"))["threads"]))')" \
		"['a�b', 'q\"b\\\\s', 'server', 'worker']"
}

@test "the same trace makes the same document, and several traces one" {
	assemble demo E1
	"$REPORT" --json a.json demo.pa
	"$REPORT" --json - demo.pa >b.json
	cmp a.json b.json
	"$REPORT" --json two.json demo.pa E1.pa
	is traces "$(jq '.traces | length' two.json)" 2
	is samples "$(jq '.on_cpu.count' two.json)" "$(jq '[.on_cpu.rows[].count] | add' two.json)"
}

@test "what was not measured is null" {
	assemble H1
	"$REPORT" --json x.json H1.pa
	is ipc "$(jq -c '.verdicts[] | select(.metric == "cpu.ipc" and .process == null) | [.value, .verdict]' x.json)" \
		'[null,"unknown"]'
	! grep -qi 'nan\|inf[^o]' x.json
	assemble G5
	"$REPORT" --json x.json G5.pa
	[ "$(jq '.coverage.lost' x.json)" -gt 0 ]
}
