// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Walks its own stack by our tables at every single instruction of a mixed workload, and compares with
 * what the compiler's own run-time unwinder (backtrace()) says there, frame by frame.
 */
#include <alloca.h>
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unwind/walker.h"

#define MAX_FRAMES 256
#define MAX_SHOWN 5
#define SKIP 2 /* frames that backtrace() sees above the trap: the handler, and its return */
#define BIG_FRAME 40000 /* bytes: more than the short form of a rule reaches */

#ifdef __clang__
#define COMPILER_IS_CLANG 1
#else
#define COMPILER_IS_CLANG 0
#endif

static struct walker walker;
static volatile uint64_t instructions, compared_frames, differences, deepest;
static volatile int sink;

static void show(const uint64_t *ours, size_t n, int end, void *const *theirs, size_t count)
{
	size_t i;

	fprintf(stderr, "selfwalk: at %#lx: %zu frames here (end %d), %zu there\n",
		(unsigned long)ours[0], n, end, count);
	for (i = 0; i < n || i < count; i++)
		fprintf(stderr, "  %#16lx %16p\n", i < n ? (unsigned long)ours[i] : 0,
			i < count ? theirs[i] : NULL);
}

/* The processor traps after each instruction. */
static void on_trap(int signal, siginfo_t *info, void *context)
{
	uint64_t ours[MAX_FRAMES];
	void *theirs[MAX_FRAMES];
	const ucontext_t *uc = context;
	size_t n, count, i;
	int end;
	bool same;

	(void)signal;
	(void)info;
	n = walker_walk(&walker, uc, ours, MAX_FRAMES, &end);
	count = (size_t)backtrace(theirs, MAX_FRAMES);
	same = count >= SKIP && n == count - SKIP && end == EV_UNWIND_AT_ROOT;
	for (i = 0; i < n && same; i++)
		same = ours[i] == (uint64_t)(uintptr_t)theirs[SKIP + i];
	instructions++;
	compared_frames += n;
	if (n > deepest)
		deepest = n;
	if (!same && differences++ < MAX_SHOWN)
		show(ours, n, end, theirs + SKIP, count - SKIP);
}

/* Sets or clears the processor's trap flag; told to unwinders at each step, as all code here. */
#define TRACE(name, op)                                                    \
	__asm__(".type " name ", @function\n" name ":\n"                   \
		"\t.cfi_startproc\n"                                       \
		"\tpushfq\n\t.cfi_adjust_cfa_offset 8\n\t" op ", (%rsp)\n" \
		"\tpopfq\n\t.cfi_adjust_cfa_offset -8\n\tret\n"            \
		"\t.cfi_endproc\n\t.size " name ", .-" name)
TRACE("trace_on", "orl $0x100");
TRACE("trace_off", "andl $~0x100");
void trace_on(void);
void trace_off(void);

static __attribute__((noinline)) int leaf(int n)
{
	sink += n;
	return sink;
}

static int compare_ints(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b + 0 * leaf(1);
}

/* A callback from the C library, which has no frame pointers. */
static __attribute__((noinline)) int through_libc(int n)
{
	int values[] = {n, 3, 9, 1, 7, 2};

	qsort(values, sizeof(values) / sizeof(values[0]), sizeof(values[0]), compare_ints);
	return values[0] + leaf(n);
}

/* alloca needs a frame pointer for itself, whatever the options say. */
static __attribute__((noinline)) int with_alloca(int n)
{
	char *bytes = alloca((size_t)n * 16 + 16);

	memset(bytes, n, 16);
	return bytes[3] + through_libc(n);
}

static __attribute__((noinline)) int with_big_frame(int n)
{
	volatile char bytes[BIG_FRAME];

	bytes[n] = (char)n;
	return bytes[n] + leaf(n);
}

/* A stack that is aligned beyond the ABI, with alloca: reached through a register, then through memory. */
static __attribute__((noinline)) int realigned(int n)
{
	volatile int aligned[16] __attribute__((aligned(64)));
	char *bytes = alloca((size_t)n * 8 + 8);

	aligned[n & 15] = n;
	memset(bytes, n, 8);
	return aligned[n & 15] + bytes[1] + with_big_frame(n);
}

/* The kernel clears the trap flag for handlers. */
static void on_user_signal(int signal)
{
	trace_on();
	sink += realigned(signal & 7);
}

static __attribute__((noinline)) int deep(int n)
{
	int r;

	if (n > 0) {
		r = deep(n - 1);
		return r + leaf(n);
	}
	r = with_alloca(3) + realigned(5);
	raise(SIGUSR1);
	raise(SIGUSR2);
	return r;
}

/* Symbols that nothing has called yet, so that the dynamic linker has to find them. */
static __attribute__((noinline)) void lazy_calls(void)
{
	char text[32];

	snprintf(text, sizeof(text), "%d %s", sink, "x");
	sink += (int)strtol(text, NULL, 10);
}

static void *run(void *unused)
{
	trace_on();
	sink += deep(6);
	lazy_calls();
	sink += deep(40);
	trace_off();
	return unused;
}

static int set_handlers(void)
{
	static char other_stack[1 << 18];
	stack_t stack = {.ss_sp = other_stack, .ss_size = sizeof(other_stack)};
	struct sigaction trap = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO};
	struct sigaction here = {.sa_handler = on_user_signal};
	struct sigaction there = {.sa_handler = on_user_signal, .sa_flags = SA_ONSTACK};

	return sigaltstack(&stack, NULL) | sigaction(SIGTRAP, &trap, NULL) |
	       sigaction(SIGUSR1, &here, NULL) | sigaction(SIGUSR2, &there, NULL);
}

int main(void)
{
	static const char *const kinds[EV_UNWIND_KINDS] = {"none",     "root", "sp",  "fp",
							   "fp deref", "plt",  "side"};
	void *warm[4];
	pthread_t thread;
	unsigned i;
	int err;

	backtrace(warm, 4); /* loads its library now, not in the handler */
	err = walker_init(&walker);
	if (err || set_handlers()) {
		fprintf(stderr, "selfwalk: cannot set up: %d\n", err);
		return 1;
	}
	run(NULL);
	if (pthread_create(&thread, NULL, run, NULL) || pthread_join(thread, NULL))
		return 1;
	printf("%lu instructions, %lu frames compared, deepest %lu, %lu differ; steps:",
	       (unsigned long)instructions, (unsigned long)compared_frames, (unsigned long)deepest,
	       (unsigned long)differences);
	for (i = 0; i < EV_UNWIND_KINDS; i++)
		printf(" %s %lu", kinds[i], (unsigned long)walker.steps[i]);
	printf("\n");
	walker_fini(&walker);
	for (i = EV_UNWIND_SP; i < EV_UNWIND_KINDS; i++) {
		/* Other compilers realign stacks by the frame pointer alone. */
		if (walker.steps[i] || (i == EV_UNWIND_FP_DEREF && COMPILER_IS_CLANG))
			continue;
		fprintf(stderr, "selfwalk: no step of kind '%s' was taken\n", kinds[i]);
		return 1;
	}
	return differences || deepest < 45 ? 1 : 0;
}
