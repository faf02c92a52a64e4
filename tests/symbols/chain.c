// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Inlined calls with known lines. Labels name the addresses that are asked about; a test finds the lines
 * by their comments.
 */
#define MARK(label) __asm__ volatile(".globl " #label "\n" #label ":\n\tnop" ::: "memory")

volatile int sink;

static inline __attribute__((always_inline)) void inner(void)
{
	sink++;
	MARK(at_inner); /* line: inner */
}

static inline __attribute__((always_inline)) void outer(void)
{
	MARK(at_outer); /* line: outer */
	inner(); /* line: outer calls inner */
	sink++;
}

__attribute__((noinline)) void target(void)
{
	MARK(at_target); /* line: target */
	sink += 3;
	outer(); /* line: target calls outer */
	sink += 4;
}

__attribute__((noinline)) void caller(void)
{
	target(); /* line: caller calls target */
	MARK(after_call); /* line: after the call */
	sink += 5;
}

int main(void)
{
	caller();
	return 0;
}
