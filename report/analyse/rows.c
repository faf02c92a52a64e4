// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows of the profiles, from the model's samples and off-CPU intervals. */
#include <stdlib.h>
#include <string.h>

#include "report/analyse/locate.h"
#include "report/analyse/profile.h"
#include "report/analyse/syscalls.h"
#include "report/analyse/waits.h"
#include "report/xmem.h"

#define NS_PER_S 1000000000ull
/* Blocked time that no interval accounts for is shown from this share, and from this length, on. */
#define UNRECORDED_SHARE 100
#define UNRECORDED_NS 1000000

void rpt_profile_add_row(struct rpt_profile *p, const struct rpt_row *row)
{
	rpt_xgrow(&p->rows, &p->row_cap, p->row_count + 1, sizeof(*p->rows));
	p->rows[p->row_count++] = *row;
	rpt_add_saturated(&p->total, row->value);
	rpt_add_saturated(&p->count, row->count);
	rpt_add_saturated(&p->weight, row->weight);
	p->open_count += row->open_count;
}

static uint64_t scale(uint64_t value, uint64_t numerator, uint64_t denominator)
{
	unsigned __int128 product = (unsigned __int128)value * numerator;

	product = denominator ? product / denominator : product;
	return product > UINT64_MAX ? UINT64_MAX : (uint64_t)product;
}

static bool counts_time(const struct rpt_model *m, const struct rpt_trace *t)
{
	const char *event = rpt_text(m, t->event);

	return strcmp(event, "cpu-clock") == 0 || strcmp(event, "task-clock") == 0;
}

/* Time that a group of samples stands for: exact on a clock, by the rate on any other event. */
static uint64_t sample_time(const struct rpt_model *m, const struct rpt_trace *t,
			    const struct rpt_group *g)
{
	if (counts_time(m, t))
		return g->weight;
	return t->rate_hz ? scale(g->count, NS_PER_S, t->rate_hz) : 0;
}

void rpt_profile_samples(struct rpt_profile *p, struct rpt_model *m, const struct rpt_code *c)
{
	uint32_t i;

	*p = (struct rpt_profile){.by_time = true};
	for (i = 0; i < m->samples.count; i++) {
		const struct rpt_group *g = &m->samples.items[i];
		uint32_t process = m->processes.threads[g->site.thread].process;
		const struct rpt_trace *t = &m->traces[m->processes.processes[process].trace];
		struct rpt_row row = {
			.group = i,
			.process = process,
			.thread = g->site.thread,
			.comm = g->site.comm,
			.call = c->sample_calls[i],
			.count = g->count,
			.value = sample_time(m, t, g),
			.weight = g->weight,
			.counters = g->counters,
		};

		p->by_time &= row.value > 0;
		p->estimated_time |= !counts_time(m, t);
		rpt_profile_add_row(p, &row);
	}
	if (!p->by_time) {
		p->total = p->count;
		for (i = 0; i < p->row_count; i++)
			p->rows[i].value = p->rows[i].count;
	}
	rpt_profile_sum(p, m, c);
}

/* What the intervals of a thread add up to, beside the exact time that it was blocked. */
struct blocked {
	uint64_t recorded_ns; /* intervals that were recorded */
	uint64_t thinned_ns; /* estimates for those that others stand for */
	uint64_t exact_ns; /* by the scheduler's sums; 0 = not known */
	uint64_t seen_ns; /* estimates so far, while rows are made */
};

static struct blocked *sum_blocked(const struct rpt_model *m)
{
	struct blocked *b = rpt_xcalloc(m->processes.thread_count, sizeof(*b));
	size_t i;

	for (i = 0; i < m->blocks.count; i++) {
		const struct rpt_group *g = &m->blocks.items[i];

		rpt_add_saturated(&b[g->site.thread].recorded_ns, g->weight);
		rpt_add_saturated(&b[g->site.thread].thinned_ns, g->thinned_ns);
	}
	for (i = 0; i < m->processes.thread_count; i++) {
		const struct rpt_sched_sum *sum = &rpt_thread_stats(&m->processes.threads[i])->sum;

		if (m->left_out.recorded_ns) {
			rpt_add_saturated(&b[i].recorded_ns, m->left_out.recorded_ns[i]);
			rpt_add_saturated(&b[i].thinned_ns, m->left_out.thinned_ns[i]);
		}
		rpt_add_saturated(&b[i].exact_ns, sum->sleep_ns);
		rpt_add_saturated(&b[i].exact_ns, sum->disk_ns);
		rpt_add_saturated(&b[i].exact_ns, sum->other_ns);
	}
	return b;
}

/*
 * The estimates of a thread are scaled so that, with what was recorded, they make up exactly the time
 * that it was blocked. Each row gets the difference of two rounded sums, so that no
 * nanosecond is lost.
 */
static uint64_t take_thinned(struct blocked *b, uint64_t thinned_ns)
{
	uint64_t before, after, target = b->thinned_ns;

	if (b->exact_ns > b->recorded_ns)
		target = b->exact_ns - b->recorded_ns;
	before = scale(b->seen_ns, target, b->thinned_ns);
	rpt_add_saturated(&b->seen_ns, thinned_ns);
	after = scale(b->seen_ns, target, b->thinned_ns);
	return after - before;
}

/* Blocked time of a thread without any interval: it is shown, not spread over the others. */
static void add_unrecorded(struct rpt_profile *p, struct rpt_model *m, struct rpt_code *c,
			   uint32_t thread, const struct blocked *b)
{
	uint32_t process = m->processes.threads[thread].process;
	struct rpt_module marker = {.kind = RPT_MODULE_MARKER};
	struct rpt_row row = {
		.group = RPT_NO_GROUP,
		.process = process,
		.thread = thread,
		.state = RPT_STATE_UNKNOWN,
	};
	uint32_t location;

	if (!(m->traces[m->processes.processes[process].trace].modes & PA_MODE_OFFCPU))
		return;
	if (m->left_out.stacks || b->thinned_ns || b->exact_ns <= b->recorded_ns)
		return;
	row.value = b->exact_ns - b->recorded_ns;
	if (row.value < UNRECORDED_NS || row.value < b->exact_ns / UNRECORDED_SHARE)
		return;
	location = rpt_code_location(c, rpt_modules_add(&m->modules, &m->strings, &marker),
				     RPT_MARKER_UNRECORDED, 0);
	if (!c->locations[location].line_count) {
		struct rpt_function f = {
			.name = rpt_strings_add(&m->strings,
						rpt_marker_text(RPT_MARKER_UNRECORDED)),
			.module = c->locations[location].module,
		};

		rpt_code_add_line(c, location, rpt_code_function(c, &f), 0);
	}
	row.call = rpt_code_call(c, 0, location);
	row.comm = rpt_thread_name(&m->processes, thread);
	row.class = RPT_WAIT_OTHER;
	p->unrecorded += row.value;
	rpt_profile_add_row(p, &row);
}

static const char *syscall_of(const struct rpt_model *m, const struct rpt_row *row)
{
	const struct rpt_trace *t = &m->traces[m->processes.processes[row->process].trace];

	return rpt_syscall_name(rpt_text(m, t->arch), row->syscall);
}

void rpt_profile_blocks(struct rpt_profile *p, struct rpt_model *m, struct rpt_code *c)
{
	struct blocked *blocked = sum_blocked(m);
	uint8_t *classes = rpt_wait_classify(m, c);
	uint32_t i;

	*p = (struct rpt_profile){.by_time = true, .offcpu = true};
	for (i = 0; i < m->blocks.count; i++) {
		const struct rpt_group *g = &m->blocks.items[i];
		uint64_t thinned = take_thinned(&blocked[g->site.thread], g->thinned_ns);
		struct rpt_row row = {
			.group = i,
			.process = m->processes.threads[g->site.thread].process,
			.thread = g->site.thread,
			.comm = g->site.comm,
			.call = c->block_calls[i],
			.state = g->site.state,
			.syscall = g->site.syscall,
			.waker = g->site.waker,
			.waker_call = c->waker_calls[i],
			.count = g->count,
			.value = g->weight,
			.open_count = g->open_count,
			.max_ns = g->max_ns,
		};

		rpt_add_saturated(&row.count, g->thinned_count);
		rpt_add_saturated(&row.value, thinned);
		rpt_add_saturated(&p->thinned, thinned);
		row.class = rpt_wait_class(
			c, classes, &(struct rpt_wait){row.call, row.state, syscall_of(m, &row)});
		rpt_profile_add_row(p, &row);
	}
	for (i = 1; i < m->processes.thread_count; i++)
		add_unrecorded(p, m, c, i, &blocked[i]);
	free(classes);
	free(blocked);
	rpt_profile_sum(p, m, c);
}
