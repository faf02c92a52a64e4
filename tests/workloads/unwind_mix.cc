// SPDX-License-Identifier: GPL-2.0-or-later
/* build: -O2 -fomit-frame-pointer -fcf-protection=none */
/*
 * Threads whose stacks are hard to walk: no frame pointers, deep recursion, callbacks out of libc, big and
 * variable frames, realigned stacks, exceptions, signal handlers on stacks of their own, stacks that were
 * switched by hand, calls by way of the PLT. Each thread does one of these for as long as it is told to.
 */
#include <algorithm>
#include <alloca.h>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <immintrin.h>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <vector>

static std::atomic<bool> over;
static volatile unsigned long sink;

static void __attribute__((noinline)) burn(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		sink += i;
}

/* Frames whose size differs from level to level. */
static int __attribute__((noinline)) recurse(int depth, const char *above)
{
	char frame[32 + (depth * 37) % 200];

	memset(frame, depth, sizeof(frame));
	if (depth == 0) {
		burn(20000);
		return frame[3];
	}
	return recurse(depth - 1, frame) + frame[depth % 16] + (above ? above[1] : 0);
}

static void run_recursion()
{
	recurse(180, nullptr);
}

static int compare(const void *a, const void *b)
{
	burn(40);
	return *static_cast<const int *>(a) - *static_cast<const int *>(b);
}

static void run_qsort()
{
	int values[500];

	for (int &v : values)
		v = rand();
	qsort(values, 500, sizeof(int), compare);
}

static void __attribute__((noinline)) use_alloca(size_t bytes, int depth)
{
	char *p = static_cast<char *>(alloca(bytes));

	memset(p, depth, bytes);
	burn(2000);
	if (depth)
		use_alloca(bytes + 64, depth - 1);
	sink += static_cast<unsigned char>(p[bytes / 2]);
}

static void run_alloca()
{
	use_alloca(100, 20);
}

/* A vector on the stack makes the compiler realign it. */
static void __attribute__((noinline, target("avx2"))) realigned(int depth)
{
	alignas(64) volatile long aligned[8] = {depth};
	char *p = static_cast<char *>(alloca(16 + depth % 7));

	p[0] = static_cast<char>(depth);
	burn(2000);
	if (depth)
		realigned(depth - 1);
	sink += aligned[3] + p[0];
}

static void run_realigned()
{
	realigned(30);
}

static void __attribute__((noinline)) thrower(int depth)
{
	std::string keep(static_cast<size_t>(depth), 'x');

	burn(100);
	if (depth == 0)
		throw std::runtime_error("thrown");
	thrower(depth - 1);
	sink += keep.size();
}

static void run_exceptions()
{
	try {
		thrower(25);
	} catch (const std::exception &e) {
		sink += strlen(e.what());
		burn(3000);
	}
}

static void run_containers()
{
	std::map<std::string, std::vector<int>> m;

	for (int i = 0; i < 200; i++)
		m[std::to_string(rand() % 50)].push_back(i);
	for (auto &entry : m)
		std::sort(entry.second.begin(), entry.second.end(), [](int a, int b) {
			burn(50);
			return a > b;
		});
}

static void run_functions()
{
	std::function<int(int)> fib = [&](int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); };

	sink += static_cast<unsigned long>(fib(16));
}

/* Memory functions of libc are written by hand and have several entries. */
static void run_strings()
{
	static char a[1 << 16], b[1 << 16];

	memset(a, 'a', sizeof(a) - 1);
	memcpy(b, a, sizeof(b));
	sink += strlen(a) + static_cast<unsigned long>(memcmp(a, b, sizeof(a)));
	sink += strtoul("12345678", nullptr, 10);
	snprintf(b, 100, "%d %s %f", 3, "text", 2.5);
}

static void on_signal(int)
{
	burn(200000);
}

static void run_signals()
{
	burn(1000);
	raise(SIGUSR1);
}

static ucontext_t outside, inside;

static void coroutine()
{
	for (;;) {
		recurse(12, nullptr);
		swapcontext(&inside, &outside);
	}
}

static void run_contexts()
{
	swapcontext(&outside, &inside);
	burn(2000);
}

static void run_sleeps()
{
	struct timespec t = {0, 500000};

	nanosleep(&t, nullptr);
}

static void thread_main(void (*what)(), bool alternate_stack)
{
	std::unique_ptr<char[]> stack(new char[65536]);
	stack_t ss = {};

	ss.ss_sp = stack.get();
	ss.ss_size = 65536;
	if (alternate_stack)
		sigaltstack(&ss, nullptr);
	while (!over)
		what();
}

int main(int argc, char **argv)
{
	static void (*const kinds[])() = {
		run_recursion, run_qsort,   run_alloca,  run_realigned, run_exceptions, run_containers,
		run_functions, run_strings, run_signals, run_contexts,	run_sleeps,
	};
	static char context_stack[1 << 17];
	struct sigaction action = {};
	std::vector<std::thread> threads;

	action.sa_handler = on_signal;
	action.sa_flags = SA_ONSTACK;
	sigaction(SIGUSR1, &action, nullptr);
	getcontext(&inside);
	inside.uc_stack.ss_sp = context_stack;
	inside.uc_stack.ss_size = sizeof(context_stack);
	makecontext(&inside, coroutine, 0);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		threads.emplace_back(thread_main, kinds[i], kinds[i] == run_signals);
	sleep(argc > 1 ? static_cast<unsigned>(atoi(argv[1])) : 60);
	over = true;
	for (std::thread &t : threads)
		t.join();
	printf("threads=%zu\n", threads.size());
	return 0;
}
