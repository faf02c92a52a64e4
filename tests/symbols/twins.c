// SPDX-License-Identifier: GPL-2.0-or-later
/* Compiled as two parts, each of which has a function "helper" of its own. */
#define JOIN(a, b) a##b
#define NAME(a, b) JOIN(a, b)

extern volatile int sink;

static __attribute__((noinline)) void helper(void)
{
	sink += __LINE__; /* line: helper */
}

__attribute__((noinline)) void NAME(PART, _entry)(void)
{
	helper();
	sink++;
}
