#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The Debian package: what is in it, and what lintian and systemd say of it. It is not installed.
# It is made of what make check-build has staged.
load ../e2e/lib.bash

ROOT=$BATS_TEST_DIRNAME/../..

setup_file() {
	mkdir -p "$T/deb"
	MAINTAINER="A Packager <packager@packages.debian.org>" SOURCE_DATE_EPOCH=1700000000 \
		"$ROOT/packaging/deb/build.sh" "$BUILD/tests/staged" "$(cat "$ROOT/VERSION")" "$T/deb" >"$T/path"
	dpkg-deb -x "$(cat "$T/path")" "$T/content"
	dpkg-deb -e "$(cat "$T/path")" "$T/control"
}

@test "lintian has neither errors nor warnings" {
	if ! command -v lintian >/dev/null; then
		skip "lintian is not installed"
	fi
	lintian --allow-root --fail-on error,warning "$(cat "$T/path")"
}

@test "programs, manual pages, completion, rules and the unit are in it, and belong to root" {
	local file
	for file in usr/bin/pa-record usr/bin/pa-report usr/share/man/man1/pa-record.1.gz \
		usr/share/man/man5/pa-rules.5.gz usr/share/bash-completion/completions/pa-report \
		usr/share/zsh/vendor-completions/_pa-record usr/lib/systemd/system/pa-flight@.service \
		usr/share/doc/pa/copyright usr/share/doc/pa/rules; do
		[ -e "$T/content/$file" ]
	done
	dpkg-deb -c "$(cat "$T/path")" >"$T/list"
	run ! grep -v ' root/root ' "$T/list"
	[ "$("$T/content/usr/bin/pa-report" --version)" = "$("$BUILD/pa-report" --version)" ]
	(cd "$T/content" && md5sum --quiet -c "$T/control/md5sums")
}

@test "it depends on the libraries of both programs, and sets up the group and the capabilities" {
	has "$T/control/control" libbpf1 libdw1 libsqlite3-0 libcap2-bin adduser
	sh -n "$T/control/postinst"
	sh -n "$T/control/postrm"
	# As the documentation has it.
	grep -o 'cap_bpf[a-z_,]*+ep' "$ROOT/docs/security.md" | sort -u >"$T/caps"
	has "$T/control/postinst" "$(cat "$T/caps")"
}

@test "two packages are the same bytes" {
	MAINTAINER="A Packager <packager@packages.debian.org>" SOURCE_DATE_EPOCH=1700000000 \
		"$ROOT/packaging/deb/build.sh" "$BUILD/tests/staged" "$(cat "$ROOT/VERSION")" "$T/again" >"$T/path_again"
	cmp "$(cat "$T/path")" "$(cat "$T/path_again")"
}

@test "the flight recorder's unit is one that systemd takes" {
	if ! command -v systemd-analyze >/dev/null; then
		skip "systemd is not installed"
	fi
	sed "s,/usr/bin/pa-record,$BUILD/pa-record," "$T/content/usr/lib/systemd/system/pa-flight@.service" >"$T/pa-flight@60s.service"
	systemd-analyze verify --man=no "$T/pa-flight@60s.service" 2>"$T/verify" || true
	cat "$T/verify"
	run ! grep -i 'pa-flight' "$T/verify"
}
