#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The specification is enough to read a trace: a second reader that knows nothing else gives each
# witness's text.
set -eu
cd "$(dirname "$0")/../.."
status=0
for trace in tests/witness/*.pa; do
	PYTHONIOENCODING=utf-8 python3 tests/witness/reader.py docs/format.md "$trace" |
		diff -u "${trace%.pa}.txt" - || status=1
done
exit $status
