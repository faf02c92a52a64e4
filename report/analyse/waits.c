// SPDX-License-Identifier: GPL-2.0-or-later
/* Patterns of function names: classes of waits, and kinds of hot spots. One row each. */
#include "report/analyse/waits.h"

#include <string.h>

#include "report/xmem.h"

const struct rpt_wait_class rpt_wait_classes[] = {
	{
		.name = "condition",
		.idle = true,
		.patterns = "pthread_cond_* ___pthread_cond_* __pthread_cond_* sem_wait* "
			    "sem_timedwait* *condition_variable*",
	},
	{
		.name = "thread end",
		.idle = true,
		.patterns = "pthread_join* __pthread_clockjoin_* pthread_timedjoin_*",
	},
	{
		.name = "lock",
		.advice = "lock contention: shorten what is done under the lock, or split it",
		.min_percent = 3.0,
		.patterns = "rt_mutex_* rwsem_down_* __mutex_lock* mutex_lock* __down_* "
			    "pthread_mutex_lock* ___pthread_mutex_lock* __lll_lock_wait* "
			    "pthread_rwlock_* *Mutex*lock* *mutex*lock*",
	},
	{
		.name = "futex",
		.advice = "futex waits: contention if they are locks, normal if they wait for work",
		.min_percent = 3.0,
		.patterns = "futex_wait* do_futex __futex_* __x64_sys_futex __arm64_sys_futex",
	},
	{
		.name = "virtual CPU",
		.idle = true,
		.patterns = "kvm_vcpu_block* kvm_vcpu_halt* kvm_arch_vcpu_ioctl_run",
	},
	{
		.name = "timed sleep",
		.idle = true,
		.patterns =
			"hrtimer_nanosleep do_nanosleep common_nsleep* clock_nanosleep* nanosleep",
	},
	{
		.name = "event wait",
		.idle = true,
		.patterns = "ep_poll do_epoll_wait do_sys_poll do_poll* do_select core_sys_select "
			    "io_cqring_wait* epoll_wait epoll_pwait poll select",
	},
	{
		.name = "child",
		.idle = true,
		.patterns = "do_wait kernel_wait4 wait4 waitpid",
	},
	{
		.name = "network",
		.patterns =
			"inet_stream_connect* __inet_stream_connect inet_csk_accept tcp_recvmsg* "
			"tcp_sendmsg* udp_recvmsg* unix_stream_* unix_dgram_* unix_wait_* "
			"sk_wait_data sk_stream_wait_* __skb_wait_for_more_packets vsock_* "
			"sock_recvmsg sock_sendmsg",
	},
	{
		.name = "pipe or terminal",
		.patterns = "pipe_read pipe_write anon_pipe_read anon_pipe_write pipe_wait* "
			    "n_tty_read n_tty_write tty_read tty_write eventfd_read",
	},
	{
		.name = "page fault",
		.patterns = "folio_wait_* filemap_fault do_swap_page handle_mm_fault "
			    "__lock_page_or_retry",
	},
	{
		.name = "disk",
		.advice = "waits for storage: batch, read ahead, or make it asynchronous",
		.min_percent = 20.0,
		.patterns = "io_schedule* blkdev_* submit_bio_wait* wait_on_page_* jbd2_* ext4_* "
			    "xfs_* btrfs_* iomap_* __blockdev_direct_IO filemap_read "
			    "generic_file_read_iter vfs_fsync*",
	},
	{
		.name = "idle worker",
		.idle = true,
		.patterns = "worker_thread kthread rescuer_thread smpboot_thread_fn rcu_gp_kthread "
			    "kswapd "
			    "kauditd_thread ksoftirqd",
	},
	{.name = "signal or stop",
	 .idle = true,
	 .patterns = "do_sigtimedwait* do_signal_stop "
		     "ptrace_stop sigsuspend pause"},
	{.name = "other", .patterns = ""},
};
const size_t rpt_wait_class_count = PA_ARRAY_LEN(rpt_wait_classes);

static const struct rpt_hint hints[] = {
	{
		.kind = "checksum or packet parsing",
		.advice = "keep it on the hot path only if it must be there, or work on batches",
		.patterns = "*checksum* csum_* *crc32* *_csum parse_packet* packet_parse* "
			    "*parse_eth* *parse_ip* skb_*",
	},
	{
		.kind = "file-system call",
		.advice = "batch the calls, or make them asynchronous",
		.patterns =
			"vfs_* ext4_* xfs_* btrfs_* do_sys_open* path_* link_path_walk* lookup_* "
			"filemap_* generic_file_* open openat stat fstat* read write pread* "
			"pwrite* fsync",
	},
	{
		.kind = "lock",
		.advice = "shorten what is done under the lock",
		.patterns = "*mutex_lock* *mutex_unlock* *spin_lock* *_raw_spin_* "
			    "native_queued_spin_* *rwlock_* *futex* osq_lock rwsem_* __lll_*",
	},
	{
		.kind = "memory allocation",
		.advice = "allocate up front, or from a pool",
		.patterns = "malloc calloc realloc free cfree _int_malloc _int_free* malloc_* "
			    "operator?new* operator?delete* __libc_malloc* je_* tc_malloc* "
			    "mi_malloc* kmalloc* kfree* __kmalloc* kmem_cache_* clear_page* "
			    "__alloc_pages* alloc::alloc::*",
	},
};

const char *rpt_state_text(uint32_t state)
{
	static const char *const texts[RPT_STATE_UNKNOWN + 1] = {
		[PA_STATE_SLEEP] = "sleeping",  [PA_STATE_DISK] = "uninterruptible (D)",
		[PA_STATE_STOPPED] = "stopped", [PA_STATE_TRACED] = "traced",
		[PA_STATE_PARKED] = "parked",   [PA_STATE_DEAD] = "exiting",
		[PA_STATE_FROZEN] = "frozen",   [PA_STATE_RUNNABLE] = "runnable",
		[PA_STATE_RUNNING] = "running", [RPT_STATE_UNKNOWN] = "not known",
	};

	return texts[PA_MIN(state, (uint32_t)RPT_STATE_UNKNOWN)];
}

/* Shell-like matching of one pattern of len bytes: '*' for any text, '?' for any character. */
static bool matches(const char *pattern, size_t len, const char *name)
{
	const char *end = pattern + len, *star = NULL, *retry = NULL;

	while (*name) {
		if (pattern < end && *pattern == '*') {
			star = ++pattern;
			retry = name;
		} else if (pattern < end && (*pattern == '?' || *pattern == *name)) {
			pattern++;
			name++;
		} else if (star) {
			pattern = star;
			name = ++retry;
		} else {
			return false;
		}
	}
	while (pattern < end && *pattern == '*')
		pattern++;
	return pattern == end;
}

bool rpt_matches_any(const char *patterns, const char *name)
{
	while (*patterns) {
		size_t len = strcspn(patterns, " ");

		if (len && matches(patterns, len, name))
			return true;
		patterns += len;
		patterns += strspn(patterns, " ");
	}
	return false;
}

static uint32_t class_of_function(const char *name)
{
	uint32_t i;

	for (i = 0; i < RPT_WAIT_OTHER; i++)
		if (rpt_matches_any(rpt_wait_classes[i].patterns, name))
			return i;
	return RPT_WAIT_OTHER;
}

uint8_t *rpt_wait_classify(const struct rpt_model *m, const struct rpt_code *c)
{
	uint8_t *classes = rpt_xcalloc(c->function_count, sizeof(*classes));
	size_t i;

	/* Names that are made up match nothing. */
	for (i = 0; i < c->function_count; i++)
		classes[i] = c->functions[i].unnamed ?
				     (uint8_t)RPT_WAIT_OTHER :
				     (uint8_t)class_of_function(rpt_text(m, c->functions[i].name));
	return classes;
}

uint32_t rpt_wait_class(const struct rpt_code *c, const uint8_t *classes, uint32_t call)
{
	uint32_t i, class = RPT_WAIT_OTHER;

	for (; call; call = c->calls[call].parent) {
		const struct rpt_location *l = &c->locations[c->calls[call].location];

		for (i = 0; i < l->line_count; i++)
			class = PA_MIN(class, classes[c->lines[l->first_line + i].function]);
	}
	return class;
}

const struct rpt_hint *rpt_hint_find(const char *function)
{
	size_t i;

	for (i = 0; i < PA_ARRAY_LEN(hints); i++)
		if (rpt_matches_any(hints[i].patterns, function))
			return &hints[i];
	return NULL;
}
