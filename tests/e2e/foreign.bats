#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# A trace that is reported by another user, where the recorded binaries don't exist.
load lib.bash

setup_file() {
	begin_file || return 0
	# A copy that only the recorded host has: it is gone before the report is made.
	mkdir -p "$T/host" "$PUBLIC/symbols/deep/down"
	cp "$WORKLOADS/spin7030" "$T/host/service"
	record foreign --profile --offcpu --pmu --sample-rate 997 -- "$T/host/service" --seconds 2
	mv "$T/host/service" "$PUBLIC/symbols/deep/down/renamed"
	chmod 644 "$PUBLIC/symbols/deep/down/renamed"
	publish foreign
	make_root
}

# A root directory with pa-report and the libraries that it needs, and nothing else.
make_root() {
	local file
	mkdir -p "$PUBLIC/root/tmp"
	cp "$BUILD/pa-report" "$PUBLIC/root/"
	while read -r file; do
		mkdir -p "$PUBLIC/root$(dirname "$file")"
		cp "$file" "$PUBLIC/root$file"
	done < <(ldd "$BUILD/pa-report" | grep -o '/[^ ]*')
	cp "$PUBLIC/foreign.pa" "$PUBLIC/root/"
	chmod 777 "$PUBLIC/root/tmp"
}

in_root() {
	chroot --userspec=$NOBODY:$NOBODY "$PUBLIC/root" "$@"
}

build_id() {
	readelf -n "$PUBLIC/symbols/deep/down/renamed" | sed -n 's/.*Build ID: //p'
}

@test "in a chroot, as nobody: it reports, without a crash" {
	in_root /pa-report /foreign.pa >"$T/text"
	in_root /pa-report --offcpu --pprof /tmp/off.pb.gz /foreign.pa >/dev/null
	in_root /pa-report --pprof /tmp/cpu.pb.gz /foreign.pa >/dev/null
	go tool pprof -symbolize=none -raw "$PUBLIC/root/tmp/cpu.pb.gz" >"$T/cpu.raw" 2>/dev/null
	go tool pprof -symbolize=none -raw "$PUBLIC/root/tmp/off.pb.gz" >"$T/off.raw" 2>/dev/null
	python3 "$E2E/profile.py" check <"$T/cpu.raw"
	python3 "$E2E/profile.py" functions <"$T/cpu.raw" >"$T/functions"
}

@test "kernel symbols have their names" {
	grep -E 'function=(do_syscall_64|__x64_sys_clock_gettime|posix_cpu_clock_get|el0_svc|entry_SYSCALL_64_after_hwframe) ' "$T/functions"
}

@test "user frames are module and offset, with the build ID, in text and profile" {
	grep -E 'service\+0x[0-9a-f]+' "$T/text"
	lacks "$T/text" heavy_work light_work
	has "$T/text" "$(build_id)"
	grep -E "^[0-9]+: .*/host/service $(build_id)" "$T/cpu.raw"
	grep -E '^function=service\+0x[0-9a-f]+ ' "$T/functions"
}

@test "the offset is that of the function in the file" {
	local offset heavy size
	# nm shows addresses; the text of such a program lies at the same offset in its file.
	read -r heavy size < <(nm -S "$PUBLIC/symbols/deep/down/renamed" | awk '$4 == "heavy_work" { print $1, $2 }')
	offset=$(sed -n 's/^function=service+\(0x[0-9a-f]*\) .*/\1/p' "$T/functions" | while read -r o; do
		[ $((o)) -ge $((16#$heavy)) ] && [ $((o)) -lt $((16#$heavy + 16#$size)) ] && echo "$o"
	done | head -1)
	[ -n "$offset" ]
}

@test "how much is without a name, and why, stands in the coverage" {
	sed -n '/^COVERAGE/,/^VERDICTS/p' "$T/text" >"$T/coverage"
	grep -E '^ +[0-9]+ +[0-9.]+ % +[0-9]+  service: no file with this build ID' "$T/coverage"
	has "$T/coverage" "/host/service, build ID $(build_id)"
}

@test "with --symbols DIR there are names again, found by build ID below it" {
	report foreign --symbols "$PUBLIC/symbols" >"$T/named"
	has "$T/named" heavy_work light_work
	report foreign --symbols "$PUBLIC/symbols" --pprof "$PUBLIC/out/named.pb.gz" >/dev/null
	go tool pprof -symbolize=none -raw "$PUBLIC/out/named.pb.gz" 2>/dev/null |
		python3 "$E2E/profile.py" functions >"$T/named.functions"
	within "heavy_work" "$(field "$T/named.functions" total_pct function=heavy_work)" 70 2
}

@test "another build at the recorded path is not used" {
	cp "$WORKLOADS/sleeper" "$T/host/service"
	report foreign >"$T/other"
	rm "$T/host/service"
	lacks "$T/other" sleep_once sleep_often heavy_work
	grep -E 'service\+0x[0-9a-f]+' "$T/other"
}

@test "an unreadable file at the recorded path is no failure" {
	install -m 600 "$PUBLIC/symbols/deep/down/renamed" "$T/host/service"
	report foreign >"$T/unreadable"
	rm "$T/host/service"
	grep -E 'service\+0x[0-9a-f]+' "$T/unreadable"
}
