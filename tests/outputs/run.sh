#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The page of --html in a real browser: makes traces and pages, and lets page.mjs use them.
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=${BUILD:-$here/../../build}

for program in node chromium; do
	command -v $program >/dev/null || { echo "1..1"; echo "ok 1 - html # SKIP $program is not installed"; exit 0; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
for trace in before after many; do
	python3 "$here/traces.py" $trace >$trace.txt && "$build/tests/mktrace" $trace.txt $trace.pa || exit 1
done
for trace in demo names; do
	"$build/tests/mktrace" "$here/../golden/traces/$trace.txt" $trace.pa || exit 1
done
for page in demo names many; do
	"$build/pa-report" --html $page.html $page.pa || exit 1
done
"$build/pa-report" --html diff.html before.pa after.pa || exit 1
node "$here/page.mjs" demo.html names.html diff.html many.html
