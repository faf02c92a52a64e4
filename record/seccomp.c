// SPDX-License-Identifier: GPL-2.0-or-later
/* System-call filters, built from allow lists. */
#include "record/seccomp.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "format/util/mem.h"

#if defined(__x86_64__)
#define OWN_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCH AUDIT_ARCH_AARCH64
#else
#error "pa-record knows the system calls of x86_64 and arm64 only"
#endif
#define X32_BIT 0x40000000u

/* A call that is allowed, where a mask is given: only if (argument & mask) == value. */
struct rule {
	int nr;
	unsigned argument;
	uint32_t mask, value;
};

#define ANY(name)                \
	{                        \
		.nr = SYS_##name \
	}
#define ONLY(name, arg, m, v)                                                  \
	{                                                                      \
		.nr = SYS_##name, .argument = (arg), .mask = (m), .value = (v) \
	}
#define ALL_BITS UINT32_MAX

/* Memory, time, and the end: every process needs these. Nothing becomes executable. */
static const struct rule basic[] = {
	ANY(close),
	ANY(recvmsg),
	ANY(sendmsg),
	ANY(ppoll),
	ANY(brk),
	ONLY(mmap, 2, PROT_EXEC, 0),
	ONLY(mprotect, 2, PROT_EXEC, 0),
	ANY(munmap),
	ANY(mremap),
	ANY(madvise),
	ANY(futex),
	ANY(clock_gettime),
	ANY(getrandom),
	ANY(rt_sigreturn),
	ANY(rt_sigprocmask),
	ANY(restart_syscall),
	ANY(exit),
	ANY(exit_group),
#ifdef SYS_poll
	ANY(poll),
#endif
#ifdef REC_ADDRESS_SANITIZER
	ANY(sigaltstack),
	ANY(write),
	ANY(getpid),
	ANY(sched_yield),
#endif
};

/* A supervisor forks its worker, limits it, and puts the stricter filter on it. */
static const struct rule parent[] = {
	ANY(clone),
	ANY(set_robust_list),
#ifdef SYS_rseq
	ANY(rseq),
#endif
	ANY(wait4),
	ANY(kill),
	ANY(socketpair),
	ANY(prlimit64),
	ONLY(prctl, 0, ALL_BITS, PR_SET_SECCOMP),
	ONLY(prctl, 0, ALL_BITS, PR_SET_PDEATHSIG),
#ifdef SYS_setrlimit
	ANY(setrlimit),
#endif
};

static const struct rule sandbox[] = {
	ANY(pread64),
	ANY(fstat),
	ONLY(newfstatat, 3, AT_EMPTY_PATH, AT_EMPTY_PATH),
	ANY(memfd_create), /* for the tables that it makes */
	ANY(ftruncate),
	ONLY(fcntl, 1, ALL_BITS, F_ADD_SEALS),
};

static const struct rule broker[] = {
	ONLY(openat, 2, O_ACCMODE | O_CREAT | O_TRUNC, O_RDONLY),
	ANY(openat2),
	ANY(read),
	ANY(readlinkat),
	ANY(newfstatat),
	ANY(fstat),
	ANY(fstatfs),
	ANY(process_vm_readv),
	ANY(getdents64), /* threads of a process whose main thread has ended */
	ONLY(fcntl, 1, ALL_BITS, F_GETFL),
	ONLY(fcntl, 1, ALL_BITS, F_SETFD),
};

/* Files that are not there are created, or such as are removed; nothing is read. */
static const struct rule files[] = {
	ONLY(openat, 2, O_ACCMODE | O_CREAT | O_EXCL | O_NOFOLLOW,
	     O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW),
	ANY(unlinkat),
	ANY(newfstatat),
};

/* Reading rings and maps, writing the trace, watching the target. Nothing is opened or executed. */
static const struct rule loop[] = {
	ANY(read),
	ANY(pread64),
	ANY(write),
	ANY(writev),
	ANY(fsync),
	ANY(fdatasync),
	ANY(fallocate),
	ANY(ftruncate),
	ANY(fstatfs),
	ANY(lseek),
	ANY(fstat),
	ONLY(newfstatat, 3, AT_EMPTY_PATH, AT_EMPTY_PATH),
	ONLY(fcntl, 1, ALL_BITS, F_GETFL),
	ONLY(fcntl, 1, ALL_BITS, F_GETFD),
	ONLY(fcntl, 1, ALL_BITS, F_GET_SEALS),
	ANY(dup),
	ANY(epoll_pwait),
	ANY(epoll_ctl),
	ANY(timerfd_settime),
	ANY(nanosleep),
	ANY(clock_nanosleep),
	ANY(sched_yield),
	ANY(wait4),
	ANY(waitid),
	ANY(kill),
	ANY(tgkill),
	ANY(getpid),
	ANY(gettid),
	ANY(getuid),
	ANY(getrusage),
	ANY(rt_sigaction),
	ANY(sigaltstack),
	ONLY(ioctl, 1, 0xff00, '$' << 8), /* perf events */
	ONLY(ioctl, 1, ALL_BITS, TCGETS), /* isatty */
	ONLY(ioctl, 1, ALL_BITS, TIOCGWINSZ),
	ONLY(bpf, 0, ALL_BITS, BPF_MAP_LOOKUP_ELEM),
	ONLY(bpf, 0, ALL_BITS, BPF_MAP_UPDATE_ELEM),
	ONLY(bpf, 0, ALL_BITS, BPF_MAP_DELETE_ELEM),
	ONLY(bpf, 0, ALL_BITS, BPF_MAP_GET_NEXT_KEY),
	ONLY(bpf, 0, ALL_BITS, BPF_MAP_LOOKUP_AND_DELETE_ELEM),
	ONLY(bpf, 0, ALL_BITS, BPF_MAP_LOOKUP_BATCH),
	ONLY(bpf, 0, ALL_BITS, BPF_MAP_LOOKUP_AND_DELETE_BATCH),
	ONLY(bpf, 0, ALL_BITS, BPF_MAP_DELETE_BATCH),
	ONLY(bpf, 0, ALL_BITS, BPF_PROG_TEST_RUN),
	ONLY(bpf, 0, ALL_BITS, BPF_ITER_CREATE),
	ONLY(bpf, 0, ALL_BITS, BPF_OBJ_GET_INFO_BY_FD),
#ifdef SYS_epoll_wait
	ANY(epoll_wait),
#endif
};

struct list {
	const struct rule *rules;
	size_t count;
};

#define LIST(array)                          \
	{                                    \
		(array), PA_ARRAY_LEN(array) \
	}
#define MAX_LISTS 3
#define KILL SECCOMP_RET_KILL_PROCESS

static const struct {
	struct list lists[MAX_LISTS];
	uint32_t otherwise;
} filters[] = {
	[REC_SECCOMP_LOOP] = {{LIST(basic), LIST(loop)}, SECCOMP_RET_ERRNO | EPERM},
	[REC_SECCOMP_BROKER] = {{LIST(basic), LIST(broker)}, KILL},
	[REC_SECCOMP_BROKER_PARENT] = {{LIST(basic), LIST(broker), LIST(parent)}, KILL},
	[REC_SECCOMP_SANDBOX] = {{LIST(basic), LIST(sandbox)}, KILL},
	[REC_SECCOMP_FILES] = {{LIST(basic), LIST(files)}, KILL},
	[REC_SECCOMP_SANDBOX_PARENT] = {{LIST(basic), LIST(sandbox), LIST(parent)}, KILL},
};

/* --- assembling --- */

#define MAX_INSTRUCTIONS 512

struct program {
	struct sock_filter code[MAX_INSTRUCTIONS];
	unsigned short len;
};

static void emit(struct program *p, uint16_t code, uint32_t k, uint8_t jump_true,
		 uint8_t jump_false)
{
	/* The lists are constants: the room is a matter of this file alone, and is tested. */
	p->code[p->len++] = (struct sock_filter){code, jump_true, jump_false, k};
}

static void emit_load(struct program *p, size_t offset)
{
	emit(p, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void emit_return(struct program *p, uint32_t action)
{
	emit(p, BPF_RET | BPF_K, action, 0, 0);
}

/* With the number of the call in the accumulator: returns "allow", or falls through unchanged. */
static void emit_rule(struct program *p, const struct rule *r)
{
	/* The lower half of the argument: both architectures are little-endian. */
	size_t low = offsetof(struct seccomp_data, args) + r->argument * sizeof(uint64_t);

	if (r->mask == 0) {
		emit(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)r->nr, 0, 1);
		emit_return(p, SECCOMP_RET_ALLOW);
		return;
	}
	emit(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)r->nr, 0, 5);
	emit_load(p, low);
	emit(p, BPF_ALU | BPF_AND | BPF_K, r->mask, 0, 0);
	emit(p, BPF_JMP | BPF_JEQ | BPF_K, r->value, 0, 1);
	emit_return(p, SECCOMP_RET_ALLOW);
	emit_load(p, offsetof(struct seccomp_data, nr));
}

int rec_seccomp_install(enum rec_seccomp_filter filter)
{
	struct program p = {.len = 0};
	struct sock_fprog fprog;
	size_t i, j;

	emit_load(&p, offsetof(struct seccomp_data, arch));
	emit(&p, BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCH, 1, 0);
	emit_return(&p, KILL);
	emit_load(&p, offsetof(struct seccomp_data, nr));
	emit(&p, BPF_JMP | BPF_JGE | BPF_K, X32_BIT, 0, 1);
	emit_return(&p, KILL);
	for (i = 0; i < MAX_LISTS; i++)
		for (j = 0; j < filters[filter].lists[i].count; j++)
			emit_rule(&p, &filters[filter].lists[i].rules[j]);
	emit_return(&p, filters[filter].otherwise);

	fprog.len = p.len;
	fprog.filter = p.code;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &fprog) < 0 ? -errno : 0;
}
