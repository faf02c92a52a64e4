#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# clang-tidy finds nothing. A file is checked again only when it, what it includes, or the settings have
# changed. LINT=full adds the path-sensitive analyser, which takes minutes.
. "$(dirname "$0")/common.sh"

need_tool clang-tidy
cache=$BUILD/clang-tidy
export BUILD LINT

if [ "${1:-}" = --one ]; then
	file=$2
	checks='--checks=-clang-analyzer-*'
	# Not of what includes the generated skeleton: the analyser would find fault with that.
	[ "${LINT:-}" != full ] || grep -q '\.skel\.h"' "$file" || checks=
	key=$( (clang $(c_flags) -E -C "$file" && cat .clang-tidy && echo "$checks") 2>/dev/null | sha256sum | cut -c1-32)
	[ ! -e "$cache/$key" ] || exit 0
	clang-tidy --quiet $checks "$file" -- $(c_flags) 2>/dev/null && touch "$cache/$key"
	exit
fi
mkdir -p "$cache"
our_files format record report | grep '\.c$' | xargs -P "$(nproc)" -n 1 "$0" --one
