// SPDX-License-Identifier: GPL-2.0-or-later
/* Classes of waits, one row each, and matching of names. */
#include "report/analyse/waits.h"

#include <string.h>

#include "report/xmem.h"

const struct rpt_wait_class rpt_wait_classes[] = {
	{.name = "stopped", .idle = true, .patterns = "do_signal_stop ptrace_stop"},
	{.name = "preempted", .patterns = ""},
	{
		.name = "condition",
		.idle = true,
		.patterns = "pthread_cond_* ___pthread_cond_* __pthread_cond_* sem_wait* "
			    "sem_timedwait* *condition_variable* *Condvar* *condvar* cnd_wait "
			    "cnd_timedwait runtime.notesleep* runtime.notetsleep* Unsafe_Park "
			    "*::thread::park*",
	},
	{
		.name = "thread end",
		.idle = true,
		.patterns = "pthread_join* __pthread_clockjoin_* pthread_timedjoin_* thrd_join",
	},
	{
		.name = "virtual CPU",
		.idle = true,
		.patterns = "kvm_vcpu_block* kvm_vcpu_halt* kvm_arch_vcpu_ioctl_run",
	},
	{
		.name = "lock",
		.patterns =
			"rt_mutex_* rwsem_down_* __mutex_lock* mutex_lock* __down_* percpu_rwsem_wait* "
			"pthread_mutex_lock* ___pthread_mutex_lock* __lll_lock_wait* "
			"pthread_rwlock_* *Mutex*lock* *mutex*lock* futex_wait* do_futex __futex_* "
			"__x64_sys_futex __arm64_sys_futex",
		.calls = "futex futex_wait futex_waitv",
	},
	{
		.name = "sleep",
		.idle = true,
		.patterns =
			"hrtimer_nanosleep do_nanosleep common_nsleep* clock_nanosleep* nanosleep",
		.calls = "nanosleep clock_nanosleep",
	},
	{
		.name = "poll",
		.idle = true,
		.patterns = "ep_poll do_epoll_wait do_sys_poll do_poll* do_select core_sys_select "
			    "io_cqring_wait* epoll_wait epoll_pwait poll select",
		.calls = "poll ppoll select pselect6 epoll_wait epoll_pwait epoll_pwait2 "
			 "io_uring_enter io_getevents io_pgetevents",
	},
	{
		.name = "child",
		.idle = true,
		.patterns = "do_wait kernel_wait4 wait4 waitpid wait_for_vfork_done",
		.calls = "wait4 waitid vfork",
	},
	{
		.name = "socket",
		.patterns = "inet_stream_connect* __inet_stream_connect inet_wait_for_connect "
			    "inet_csk_accept inet_csk_wait_for_connect tcp_recvmsg* "
			    "tcp_sendmsg* udp_recvmsg* unix_stream_* unix_dgram_* unix_wait_* "
			    "sk_wait_data sk_stream_wait_* __skb_wait_for_more_packets vsock_* "
			    "netlink_recvmsg sock_recvmsg sock_sendmsg",
		.calls = "connect accept accept4 recvfrom recvmsg recvmmsg sendto sendmsg sendmmsg",
	},
	{
		.name = "pipe",
		.patterns = "pipe_read pipe_write anon_pipe_read anon_pipe_write pipe_wait* "
			    "wait_for_partner fifo_open eventfd_read eventfd_write",
	},
	{
		.name = "terminal",
		.patterns = "n_tty_read n_tty_write tty_read tty_write",
	},
	{
		.name = "page fault",
		.patterns = "filemap_fault do_swap_page handle_mm_fault exc_page_fault "
			    "do_user_addr_fault do_page_fault do_mem_abort handle_userfault "
			    "__lock_page_or_retry",
	},
	{
		.name = "disk",
		.patterns = "io_schedule* blkdev_* submit_bio_wait* wait_on_page_* jbd2_* ext4_* "
			    "xfs_* btrfs_* iomap_* __blockdev_direct_IO filemap_read "
			    "generic_file_read_iter vfs_fsync* folio_wait_*",
		.calls = "fsync fdatasync sync syncfs msync sync_file_range",
	},
	{
		.name = "idle worker",
		.idle = true,
		.patterns = "worker_thread kthread rescuer_thread smpboot_thread_fn rcu_gp_kthread "
			    "kswapd "
			    "kauditd_thread ksoftirqd",
	},
	{
		.name = "signal",
		.idle = true,
		.patterns = "do_sigtimedwait* sigsuspend pause",
		.calls = "pause rt_sigsuspend rt_sigtimedwait",
	},
	{.name = "other", .patterns = ""},
};
const size_t rpt_wait_class_count = PA_ARRAY_LEN(rpt_wait_classes);
_Static_assert(PA_ARRAY_LEN(rpt_wait_classes) <= RPT_WAIT_MAX, "a set of classes is one word");

/* Places in the table. */
enum { STOPPED, PREEMPTED };

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
bool rpt_matches(const char *pattern, size_t len, const char *name)
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

		if (len && rpt_matches(patterns, len, name))
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

static uint32_t class_of_syscall(const char *name)
{
	uint32_t i;

	for (i = 0; name && i < RPT_WAIT_OTHER; i++)
		if (rpt_wait_classes[i].calls && rpt_matches_any(rpt_wait_classes[i].calls, name))
			return i;
	return RPT_WAIT_OTHER;
}

uint32_t rpt_wait_class(const struct rpt_code *c, const uint8_t *classes,
			const struct rpt_wait *wait)
{
	uint32_t i, call, class = RPT_WAIT_OTHER;

	if (wait->state == PA_STATE_STOPPED || wait->state == PA_STATE_TRACED)
		return STOPPED;
	if (wait->state == PA_STATE_RUNNABLE)
		return PREEMPTED;
	for (call = wait->call; call; call = c->calls[call].parent) {
		const struct rpt_location *l = &c->locations[c->calls[call].location];

		for (i = 0; i < l->line_count; i++)
			class = PA_MIN(class, classes[c->lines[l->first_line + i].function]);
	}
	return class == RPT_WAIT_OTHER ? class_of_syscall(wait->syscall) : class;
}
