#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Known faults of such tools: frames, inlined functions, and names in outputs (F).
load lib.bash

setup_file() {
	build kinds
}

# line_of WHAT: of chain.c, by its comment.
line_of() {
	grep -n "/\* line: $1 \*/" "$HERE/chain.c" | cut -d: -f1
}

# named NAME: $T/named.so with one function of that name, and a trace with a sample in it.
named() {
	local name=${1//\\/\\\\}
	name=${name//\"/\\\"}
	printf '.text\n.globl "%s"\n.type "%s", @function\n"%s":\n.fill 16, 1, 0x90\n.size "%s", 16\n.section .note.GNU-stack, "", @progbits\n' \
		"$name" "$name" "$name" "$name" >"$T/named.s"
	gcc -shared -Wl,--build-id=sha1 -o "$T/named.so" "$T/named.s"
	trace named "$T/named.so" "$(readelf -sW "$T/named.so" | awk '$4 == "FUNC" && $3 == 16 { print "0x" $2; exit }')"
}

@test "F1: the innermost address as it is, callers one byte before where they go on" {
	local kind
	for kind in 4 5 clang5; do
		[ -e "$T/kinds/dwarf_$kind" ] || continue
		# The address behind the call is where the caller goes on, and the first of another line.
		trace leaf "$T/kinds/dwarf_$kind" after_call 'at_inner<after_call' 'at_target<after_call<after_call'
		frames "$T/leaf.pa" >"$T/frames"
		has "$T/frames" "caller chain.c:$(line_of 'after the call')"
		[ "$(grep -c "< caller chain.c:$(line_of 'caller calls target')" "$T/frames")" -eq 2 ]
		has "$T/frames" "caller chain.c:$(line_of 'caller calls target') < caller chain.c:$(line_of 'caller calls target')"
		# The same function at both, but two places.
		! grep -q "< caller chain.c:$(line_of 'after the call')" "$T/frames"
	done
}

@test "F1: a call at the very end of a function belongs to it, not to what follows" {
	cat >"$T/end.s" <<-'END'
		.text
		.globl first
		.type first, @function
		first:
		nop
		call second
		.size first, .-first
		.globl second
		.type second, @function
		second:
		nop
		ret
		.size second, .-second
		.section .note.GNU-stack, "", @progbits
	END
	gcc -shared -Wl,--build-id=sha1,-Bsymbolic -o "$T/end.so" "$T/end.s"
	trace end "$T/end.so" second 'second+1<second'
	report --folded - "$T/end.pa" | sort | same <(printf 'app-100;app-100;first;second 1000000\napp-100;app-100;second 1000000\n') -
}

@test "F3: an inline chain has each of its frames once, in every output" {
	local chain="app-100;app-100;main;caller;target;outer;inner"
	trace chain "$T/kinds/dwarf_5" "at_inner<after_call<main+5"
	report --folded - "$T/chain.pa" >"$T/folded"
	same <(echo "$chain 1000000") "$T/folded"
	frames "$T/chain.pa" | sed 's/ [^ ]*:[0-9]*//g' | same <(echo "inner < outer < target < caller < main") -
	# Where the inlined call stands, and where the middle one is innermost.
	trace middle "$T/kinds/dwarf_5" "at_outer<after_call" "at_target<after_call"
	report --folded - "$T/middle.pa" | sort |
		same <(printf 'app-100;app-100;caller;target 1000000\napp-100;app-100;caller;target;outer 1000000\n') -
	# Kernel frames likewise: one symbol, one frame.
	golden J4
	report --folded - "$T/J4.pa" >"$T/folded"
	! grep -E ';([^;]+);\1 ' "$T/folded"
}

@test "F6: what is special in HTML is shown as it is, and cannot end the page's data" {
	local name="f</script><b>\"&'<!--" symbol
	named "$name"
	report --html "$T/page.html" "$T/named.pa"
	python3 - "$T/page.html" "$name" <<-'PYTHON'
		import html.parser, json, sys
		page, wanted = open(sys.argv[1], encoding="utf-8").read(), sys.argv[2]
		class Reader(html.parser.HTMLParser):
		    inside, data, tags = False, "", []
		    def handle_starttag(self, tag, attrs):
		        self.tags.append(tag)
		        self.inside = tag == "script" and ("type", "application/json") in attrs
		    def handle_endtag(self, tag):
		        self.inside = False
		    def handle_data(self, data):
		        if self.inside:
		            self.data += data
		reader = Reader()
		reader.feed(page)
		assert "b" not in reader.tags
		assert wanted in json.dumps(json.loads(reader.data), ensure_ascii=False).replace('\\"', '"')
	PYTHON
	report --folded - "$T/named.pa" >"$T/folded"
	has "$T/folded" ";$name 1000000"
	report --json "$T/out.json" "$T/named.pa"
	NAME=$name python3 -c 'import json, os, sys; assert os.environ["NAME"] in json.dumps(json.load(open(sys.argv[1])), ensure_ascii=False).replace("\\\"", "\"")' "$T/out.json"
}

@test "F8: brackets of templates stay in collapsed stacks" {
	named _ZNSt6vectorIiSaIiEE9push_backERKi
	report --folded - "$T/named.pa" >"$T/folded"
	has "$T/folded" ";std::vector<int, std::allocator<int> >::push_back(int const&) 1000000"
}

@test "F9: collapsed stacks can be split again, whatever names have in them" {
	local comm
	for comm in '[ET_NET 0]' 'Hashed wheel timer #1' 'a;b 3' 'x:y' ' lead' 'tab\tnew\nline'; do
		python3 "$HERE/trace.py" "$T/kinds/dwarf_5" caller | sed "s|comm=\"app\"|comm=\"${comm//\\/\\\\}\"|" >"$T/comm.txt"
		"$BUILD/tests/mktrace" "$T/comm.txt" "$T/comm.pa"
		report --folded - "$T/comm.pa" >"$T/folded"
		[ "$(wc -l <"$T/folded")" -eq 1 ]
		# Process, thread, function; the last word is the number.
		[ "$(sed 's/ [0-9]*$//' "$T/folded" | tr -cd ';' | wc -c)" -eq 2 ]
		[ "$(awk '{ print $NF }' "$T/folded")" = 1000000 ]
	done
}

@test "F15: --no-inlines holds for profiles: one line for each location" {
	trace chain "$T/kinds/dwarf_5" "at_inner<after_call" at_outer
	report --no-inlines --pprof "$T/out.pb.gz" "$T/chain.pa"
	go tool pprof -symbolize=none -raw "$T/out.pb.gz" 2>/dev/null >"$T/raw"
	sed -n '/^Locations/,/^Mappings/p' "$T/raw" | grep -v '^[LM]' >"$T/locations"
	[ "$(wc -l <"$T/locations")" -eq "$(grep -cE '^ +[0-9]+: 0x' "$T/locations")" ]
	# The function is the one that the code is in; the line is that of the address.
	has "$T/locations" "target" "chain.c:$(line_of inner)"
	lacks "$T/locations" "inner" "outer"
	report --pprof "$T/out.pb.gz" "$T/chain.pa"
	go tool pprof -symbolize=none -raw "$T/out.pb.gz" 2>/dev/null | grep -c "inner" | same <(echo 1) -
	report --no-inlines --folded - "$T/chain.pa" >"$T/folded"
	lacks "$T/folded" ";inner" ";outer"
	report --no-inlines --json "$T/out.json" "$T/chain.pa"
	lacks "$T/out.json" '"inner"'
}
