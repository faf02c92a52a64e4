#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Completion by the shells themselves.

setup() {
	BUILD=${BUILD:-$BATS_TEST_DIRNAME/../../build}
	cd "$BATS_TEST_TMPDIR" || return 1
	mkdir dir && touch one.pa
}

# complete_bash WORD...: what bash offers for the last word.
complete_bash() {
	bash --norc -c 'eval "$("$1" --completion=bash)"; shift; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _pa_report; printf "%s\n" "${COMPREPLY[@]}"' - "$BUILD/pa-report" "$@"
}

@test "bash: every option of --help, its values, files and directories" {
	complete_bash pa-report -- | sort >x1
	"$BUILD/pa-report" --help | grep -o -- '^ *\(-[a-zA-Z], \)\?--[a-z-]*' | grep -o -- '--.*' | sort >x2
	diff x2 x1
	[ "$(complete_bash pa-report --completion z)" = zsh ]
	[ "$(complete_bash pa-report --completion = z)" = zsh ]
	[ "$(complete_bash pa-report --symbols '')" = dir ]
	[ "$(complete_bash pa-report o)" = one.pa ]
	[ "$(complete_bash pa-report --html o)" = one.pa ]
	[ -z "$(complete_bash pa-report --top '')" ]
}

@test "zsh: the script is one that it takes, and knows the options" {
	command -v zsh >/dev/null || skip "zsh is not installed"
	mkdir functions
	"$BUILD/pa-report" --completion=zsh >functions/_pa-report
	zsh -n functions/_pa-report
	zsh -f -c 'fpath=($PWD/functions $fpath); autoload -U compinit && compinit -u -d dump && [[ ${_comps[pa-report]} == _pa-report ]]'
}

@test "an unknown shell is refused" {
	run "$BUILD/pa-report" --completion=fish
	[ "$status" -eq 2 ]
	[[ $output == *"expected one of bash, zsh"* ]]
}
