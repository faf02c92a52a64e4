// SPDX-License-Identifier: GPL-2.0-or-later
/* The model's beginning and end. */
#include "report/model/model.h"

#include <stdlib.h>

#include "report/xmem.h"

void rpt_model_init(struct rpt_model *m)
{
	*m = (struct rpt_model){.counter_count = 1};
	rpt_strings_init(&m->strings);
	rpt_stacks_init(&m->stacks);
	rpt_modules_init(&m->modules);
	rpt_packed_init(&m->packed);
	rpt_processes_init(&m->processes);
	rpt_groups_init(&m->samples);
	rpt_groups_init(&m->blocks);
	rpt_xgrow(&m->counters, &m->counter_cap, 1, sizeof(*m->counters));
	m->counters[0] = (struct rpt_counter){0};
}

void rpt_model_fini(struct rpt_model *m)
{
	size_t i;

	for (i = 0; i < m->counter_count; i++)
		free(m->counters[i].cpus);
	for (i = 0; i < m->trace_count; i++)
		rpt_trace_fini(&m->traces[i]);
	free(m->left_out.recorded_ns);
	free(m->left_out.thinned_ns);
	free(m->counters);
	free(m->tasks);
	free(m->traces);
	rpt_points_fini(&m->block_points);
	rpt_points_fini(&m->sample_points);
	rpt_groups_fini(&m->blocks);
	rpt_groups_fini(&m->samples);
	rpt_processes_fini(&m->processes);
	rpt_kernel_fini(&m->kernel);
	rpt_packed_fini(&m->packed);
	rpt_modules_fini(&m->modules);
	rpt_stacks_fini(&m->stacks);
	rpt_strings_fini(&m->strings);
}

uint32_t rpt_model_modes(const struct rpt_model *m)
{
	uint32_t modes = 0;
	size_t i;

	for (i = 0; i < m->trace_count; i++)
		modes |= m->traces[i].modes;
	return modes;
}
