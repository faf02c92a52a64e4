/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What compilers do not write: functions without a size, marks for disassemblers, names with suffixes. */
	.text
	.globl sizeless
	.type sizeless, @function
sizeless:
	.fill 8, 1, 0x90
	/* a label in the middle of it has no type */
"$x":
	.fill 4, 1, 0x90
"$d.7":
	.fill 4, 1, 0x90
	.globl unnamed_code
unnamed_code:
	.fill 16, 1, 0x90

	.globl sized
	.type sized, @function
sized:
	.fill 4, 1, 0x90
label_within:
	.fill 4, 1, 0x90
	.size sized, . - sized
	/* belongs to nobody */
gap_follows:
	.size gap_follows, 1
	.type gap_follows, @function
	.fill 16, 1, 0x90

	.macro function name
	.type "\name", @function
"\name":
	.fill 8, 1, 0x90
	.size "\name", . - "\name"
	.endm
	function foo.part.0
	function foo.cold
	function foo.isra.0
	function foo.llvm.123
	function _ZN3fooEv.cold

	/* aliases: the global one without underscores is the one to show */
	.globl alias, __alias
	.weak alias_weak
alias_local:
__alias:
alias_weak:
alias:
	.type alias_local, @function
	.type __alias, @function
	.type alias_weak, @function
	.type alias, @function
	.fill 8, 1, 0x90
	.size alias_local, . - alias
	.size __alias, . - alias
	.size alias_weak, . - alias
	.size alias, . - alias

	.section .note.GNU-stack, "", @progbits
