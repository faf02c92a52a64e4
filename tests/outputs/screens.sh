#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Makes the screens of the documentation from recordings that service.py makes up: screens.sh DIR.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=${BUILD:-$here/../../build}
mkdir -p "$1"
out=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$here/service.sh" "$work"
cd "$work"
script -qec "exec 2>/dev/null; stty cols 100 rows 60; TERM=xterm '$build/pa-report' --no-pager --top 12 --symbols . before.pa" /dev/null </dev/null |
	tr -d '\r' >text
"$build/pa-report" --symbols . --html page.html before.pa
"$build/pa-report" --symbols . --html diff.html before.pa after.pa
node "$here/screens.mjs" text page.html diff.html "$out"
