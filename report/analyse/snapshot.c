// SPDX-License-Identifier: GPL-2.0-or-later
/* Threads of a snapshot: what each waits for, and which are alike. */
#include "report/analyse/snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "report/analyse/syscalls.h"
#include "report/analyse/waits.h"
#include "report/xmem.h"

#define KVM_RUN 0xae80 /* include/uapi/linux/kvm.h */

enum { RANK_BREACH, RANK_LOCK, RANK_WAIT, RANK_CPU, RANK_IDLE };

static const char *call_name(const struct rpt_model *m, const struct rpt_task *task)
{
	uint32_t process = m->processes.threads[task->thread].process;
	const struct rpt_trace *t = &m->traces[m->processes.processes[process].trace];
	const char *name = rpt_syscall_name(rpt_text(m, t->arch), task->syscall);

	if (name && strcmp(name, "ioctl") == 0 && (uint32_t)task->args[1] == KVM_RUN)
		return "ioctl(KVM_RUN)";
	return name;
}

static void fill_thread(struct rpt_snapshot *s, size_t i, const struct rpt_model *m,
			const struct rpt_code *c, const uint8_t *classes)
{
	const struct rpt_task *task = &m->tasks[i];
	struct rpt_snapshot_thread *t = &s->threads[i];

	*t = (struct rpt_snapshot_thread){
		.task = task,
		.call = c->task_calls[i],
		.syscall = call_name(m, task),
		.blocked = task->state < PA_STATE_RUNNABLE && task->state != PA_STATE_DEAD,
	};
	t->class = rpt_wait_class(c, classes, &(struct rpt_wait){t->call, task->state, t->syscall});
	if (task->since_ns)
		t->blocked_ns = task->when.time_ns - task->since_ns;
	s->blocked_count += t->blocked;
	s->running_count += task->state == PA_STATE_RUNNING;
}

static void judge(struct rpt_snapshot *s, const struct rpt_rules *rules, const struct rpt_model *m,
		  const struct rpt_code *c)
{
	struct rpt_expecter *e = rpt_expecter_new(rules, m, c);
	size_t i;

	for (i = 0; i < s->count; i++) {
		struct rpt_snapshot_thread *t = &s->threads[i];
		uint32_t comm = rpt_thread_name_at(&m->processes, t->task->thread, t->task->when);

		if (t->task->state != PA_STATE_SLEEP && t->task->state != PA_STATE_DISK)
			continue;
		t->breach = rpt_expecter_judge(e, t->task->thread, comm, t->call, t->syscall,
					       t->class, &t->rule);
		if (t->breach == RPT_BREACH_BLOCKED && !t->syscall && !t->call)
			t->breach = RPT_BREACH_NONE;
		if (t->rule && t->breach == RPT_BREACH_NONE && t->rule->period_ns &&
		    t->blocked_ns > t->rule->period_ns)
			t->breach = RPT_BREACH_PERIOD;
		s->breach_count += t->breach != RPT_BREACH_NONE;
	}
	rpt_expecter_free(e);
}

/* --- groups --- */

static uint32_t rank_of(const struct rpt_snapshot_thread *t)
{
	if (t->breach != RPT_BREACH_NONE)
		return RANK_BREACH;
	if (t->owner || t->waiters)
		return RANK_LOCK;
	if (!t->blocked)
		return RANK_CPU;
	return rpt_wait_classes[t->class].idle ? RANK_IDLE : RANK_WAIT;
}

static int compare_u64(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* What makes threads one group, and their order in it. */
static int compare_threads(const void *a, const void *b, void *ctx)
{
	const struct rpt_snapshot *s = ctx;
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	const struct rpt_snapshot_thread *x = &s->threads[i], *y = &s->threads[k];
	int r = compare_u64(rank_of(x), rank_of(y));

	r = r ? r : compare_u64(x->task->state, y->task->state);
	r = r ? r : compare_u64(x->class, y->class);
	r = r ? r : compare_u64(x->call, y->call);
	r = r ? r : compare_u64(y->blocked_ns, x->blocked_ns);
	return r ? r : compare_u64(i, k);
}

static bool same_group(const struct rpt_stack_group *g, const struct rpt_snapshot_thread *t)
{
	return g->rank == rank_of(t) && g->state == t->task->state && g->class == t->class &&
	       g->call == t->call;
}

static int compare_groups(const void *a, const void *b)
{
	const struct rpt_stack_group *x = a, *y = b;
	int r = compare_u64(x->rank, y->rank);

	r = r ? r : compare_u64(y->longest_ns, x->longest_ns);
	return r ? r : compare_u64(x->first, y->first);
}

static void group(struct rpt_snapshot *s)
{
	struct rpt_stack_group *g = NULL;
	size_t i;

	s->order = rpt_xcalloc(s->count, sizeof(*s->order));
	for (i = 0; i < s->count; i++)
		s->order[i] = (uint32_t)i;
	qsort_r(s->order, s->count, sizeof(*s->order), compare_threads, s);
	for (i = 0; i < s->count; i++) {
		const struct rpt_snapshot_thread *t = &s->threads[s->order[i]];

		if (!g || !same_group(g, t)) {
			rpt_xgrow(&s->groups, &s->group_cap, s->group_count + 1,
				  sizeof(*s->groups));
			g = &s->groups[s->group_count++];
			*g = (struct rpt_stack_group){
				.call = t->call,
				.class = t->class,
				.state = t->task->state,
				.first = i,
				.longest_ns = t->blocked_ns,
				.rank = rank_of(t),
			};
		}
		g->count++;
	}
	if (s->group_count)
		qsort(s->groups, s->group_count, sizeof(*s->groups), compare_groups);
}

void rpt_snapshot_analyse(struct rpt_snapshot *s, const struct rpt_rules *rules,
			  const struct rpt_model *m, const struct rpt_code *c)
{
	uint8_t *classes;
	size_t i;

	*s = (struct rpt_snapshot){.count = m->task_count};
	if (!s->count)
		return;
	classes = rpt_wait_classify(m, c);
	s->threads = rpt_xcalloc(s->count, sizeof(*s->threads));
	for (i = 0; i < s->count; i++)
		fill_thread(s, i, m, c, classes);
	free(classes);
	rpt_snapshot_find_locks(s, m, c);
	judge(s, rules, m, c);
	group(s);
}

void rpt_snapshot_fini(struct rpt_snapshot *s)
{
	free(s->threads);
	free(s->groups);
	free(s->order);
}
