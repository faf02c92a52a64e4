/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls as inline instructions. The C library's wrappers have no frame pointers, so a stack that
 * starts in them ends there; with these the frame pointers hold from main() to the instruction itself.
 */
#ifndef WORKLOADS_RAW_H
#define WORKLOADS_RAW_H

#include <errno.h>
#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>

/* Always inlined: the function that calls one of these is the innermost frame. */
#define RAW_INLINE static inline __attribute__((always_inline))
#define NOINLINE __attribute__((noinline))

/*
 * Compilers leave the frame out of small functions in spite of -fno-omit-frame-pointer; whoever asks for
 * its address gets it.
 */
#define HAVE_FRAME() __asm__ volatile("" : : "r"(__builtin_frame_address(0)))

#if defined(__x86_64__)
RAW_INLINE long raw_syscall4(long number, long a, long b, long c, long d)
{
	register long r10 __asm__("r10") = d;
	long result;

	HAVE_FRAME();
	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10)
			 : "rcx", "r11", "memory");
	return result;
}
#elif defined(__aarch64__)
RAW_INLINE long raw_syscall4(long number, long a, long b, long c, long d)
{
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;

	HAVE_FRAME();
	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory");
	return x0;
}
#else
#error "no raw system calls for this architecture"
#endif

RAW_INLINE uint64_t raw_clock_ns(clockid_t clock)
{
	struct timespec ts = {0};

	raw_syscall4(SYS_clock_gettime, clock, (long)&ts, 0, 0);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* Sleeps for all of the time, whatever signals come. */
RAW_INLINE void raw_sleep_ns(uint64_t ns)
{
	struct timespec ts = {.tv_sec = (time_t)(ns / 1000000000u),
			      .tv_nsec = (long)(ns % 1000000000u)};

	while (raw_syscall4(SYS_nanosleep, (long)&ts, (long)&ts, 0, 0) == -EINTR)
		;
}

RAW_INLINE long raw_futex_wait(uint32_t *word, uint32_t expected, const struct timespec *timeout)
{
	return raw_syscall4(SYS_futex, (long)word, FUTEX_WAIT_PRIVATE, expected, (long)timeout);
}

RAW_INLINE long raw_futex_wake(uint32_t *word, int count)
{
	return raw_syscall4(SYS_futex, (long)word, FUTEX_WAKE_PRIVATE, count, 0);
}

RAW_INLINE long raw_read(int fd, void *data, uint64_t size)
{
	return raw_syscall4(SYS_read, fd, (long)data, (long)size, 0);
}

RAW_INLINE long raw_write(int fd, const void *data, uint64_t size)
{
	return raw_syscall4(SYS_write, fd, (long)data, (long)size, 0);
}

RAW_INLINE long raw_gettid(void)
{
	return raw_syscall4(SYS_gettid, 0, 0, 0, 0);
}

#endif
