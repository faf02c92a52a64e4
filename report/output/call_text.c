// SPDX-License-Identifier: GPL-2.0-or-later
/* A system call with what its arguments tell. */
#include <stdio.h>
#include <string.h>

#include "report/output/text.h"

#define FUTEX_COMMAND 0x7f
/* Linux's numbers of address families. */
#define FAMILY_UNIX 1
#define FAMILY_INET 2
#define FAMILY_INET6 10

static void add_inet6(struct pa_buf *out, const uint8_t *address)
{
	size_t i;

	pa_buf_add_char(out, '[');
	for (i = 0; i < 16; i += 2)
		pa_buf_addf(out, "%s%x", i ? ":" : "", address[i] << 8 | address[i + 1]);
	pa_buf_add_char(out, ']');
}

/* The address that a connection is made to. */
static void add_address(struct pa_buf *out, const struct rpt_task *t)
{
	const uint8_t *a = t->memory;
	unsigned family = t->memory_bytes >= 2 ? a[0] | a[1] << 8 : 0;
	char path[RPT_TASK_MEMORY + 1] = "";

	if (family == FAMILY_INET && t->memory_bytes >= 8) {
		pa_buf_addf(out, ", %u.%u.%u.%u:%u", a[4], a[5], a[6], a[7], a[2] << 8 | a[3]);
	} else if (family == FAMILY_INET6 && t->memory_bytes >= 24) {
		pa_buf_add_str(out, ", ");
		add_inet6(out, a + 8);
		pa_buf_addf(out, ":%u", a[2] << 8 | a[3]);
	} else if (family == FAMILY_UNIX) {
		/* A name in the abstract space begins with a 0 byte. */
		memcpy(path, a + 2, t->memory_bytes - 2);
		if (!path[0])
			path[0] = '@';
		pa_buf_add_str(out, ", ");
		rpt_add_text(out, path, 0);
	}
}

static void add_futex(struct pa_buf *out, const struct rpt_task *t)
{
	static const char *const commands[] = {
		[0] = "FUTEX_WAIT",        [6] = "FUTEX_LOCK_PI",
		[9] = "FUTEX_WAIT_BITSET", [11] = "FUTEX_WAIT_REQUEUE_PI",
		[13] = "FUTEX_LOCK_PI2",
	};
	uint64_t command = t->args[1] & FUTEX_COMMAND;

	pa_buf_addf(out, "0x%llx", (unsigned long long)t->args[0]);
	if (command < PA_ARRAY_LEN(commands) && commands[command])
		pa_buf_addf(out, ", %s", commands[command]);
}

void rpt_add_call(struct pa_buf *out, const struct rpt_model *m,
		  const struct rpt_snapshot_thread *t)
{
	const struct rpt_task *task = t->task;
	const char *name = t->syscall;

	if (!name) {
		if (task->syscall)
			pa_buf_addf(out, "system call %u", task->syscall - 1);
		return;
	}
	pa_buf_add(out, name, strcspn(name, "("));
	pa_buf_add_char(out, '(');
	if (task->target) {
		pa_buf_addf(out, "%llu = ", (unsigned long long)task->args[0]);
		rpt_add_text(out, rpt_text(m, task->target), 0);
	}
	if (strcmp(name, "futex") == 0)
		add_futex(out, task);
	else if (strcmp(name, "connect") == 0)
		add_address(out, task);
	else if (strcmp(name, "ioctl(KVM_RUN)") == 0)
		pa_buf_add_str(out, task->target ? ", KVM_RUN" : "KVM_RUN");
	else if (strcmp(name, "ioctl") == 0)
		pa_buf_addf(out, "%s0x%llx", task->target ? ", " : "",
			    (unsigned long long)(uint32_t)task->args[1]);
	pa_buf_add_char(out, ')');
}
