// SPDX-License-Identifier: GPL-2.0-or-later
/* Images of processes: which mappings and JIT symbols hold at which time. */
#include "report/model/processes.h"

#include "report/xmem.h"

/* The image's start, or what was recorded against it, must not be later than when. */
static bool begins_by(const struct rpt_image *image, struct rpt_moment when)
{
	if (!image->previous)
		return true;
	if (image->start.time_ns != when.time_ns)
		return image->start.time_ns < when.time_ns;
	return image->start.sequence <= when.sequence;
}

uint32_t rpt_image_at(const struct rpt_processes *p, uint32_t process, struct rpt_moment when)
{
	uint32_t id = p->processes[process].last_image;

	while (id && !begins_by(&p->images[id], when))
		id = p->images[id].previous;
	return id;
}

/* A new newest image; it takes over the three references. */
static uint32_t add_image(struct rpt_processes *p, uint32_t process, const struct rpt_image *image)
{
	struct rpt_process *proc = &p->processes[process];
	uint32_t id = (uint32_t)p->image_count;

	rpt_xgrow(&p->images, &p->image_cap, p->image_count + 1, sizeof(*p->images));
	p->images[p->image_count++] = *image;
	p->images[id].process = process;
	p->images[id].previous = proc->last_image;
	if (proc->last_image)
		p->images[proc->last_image].following = id;
	proc->last_image = id;
	return id;
}

static uint32_t add_empty(struct rpt_processes *p, uint32_t process, struct rpt_moment start)
{
	struct rpt_image image = {
		.start = start,
		.by_exec = true,
		.code = rpt_maps_new(),
		.data = rpt_maps_new(),
		.jit = rpt_maps_new(),
	};

	return add_image(p, process, &image);
}

/* A copy of an image for a process: of its own newest one, or of its parent's. */
static uint32_t add_copy(struct rpt_processes *p, uint32_t process, uint32_t from,
			 struct rpt_moment start)
{
	struct rpt_image image = {
		.start = start,
		.code = rpt_maps_ref(p->images[from].code),
		.data = rpt_maps_ref(p->images[from].data),
		.jit = rpt_maps_ref(p->images[from].jit),
	};

	return add_image(p, process, &image);
}

uint32_t rpt_process_add(struct rpt_processes *p, const struct rpt_process *process,
			 struct rpt_moment since)
{
	uint32_t id = (uint32_t)p->process_count, inherited = 0;

	rpt_xgrow(&p->processes, &p->process_cap, p->process_count + 1, sizeof(*p->processes));
	p->processes[p->process_count++] = *process;
	if (process->parent)
		inherited = rpt_image_at(p, process->parent, since);
	if (!inherited) {
		add_empty(p, id, since);
		return id;
	}
	p->processes[id].has_mappings = p->processes[process->parent].has_mappings;
	add_copy(p, id, inherited, since);
	return id;
}

/* Starts of images don't go back: an exec that is late in the trace is taken as just now. */
static struct rpt_moment not_before(struct rpt_moment when, struct rpt_moment start)
{
	when.time_ns = PA_MAX(when.time_ns, start.time_ns);
	return when;
}

void rpt_process_exec(struct rpt_processes *p, uint32_t process, struct rpt_moment when)
{
	uint32_t last = p->processes[process].last_image;

	add_empty(p, process, not_before(when, p->images[last].start));
}

void rpt_process_use(struct rpt_processes *p, uint32_t process)
{
	p->images[p->processes[process].last_image].used = true;
}

/*
 * The image in which a change at when is to be made. A change that takes something away begins a new
 * one, unless nothing was recorded against the newest yet, or the change is older than that.
 */
static struct rpt_image *image_for_change(struct rpt_processes *p, uint32_t process,
					  bool takes_away, struct rpt_moment when)
{
	uint32_t id = rpt_image_at(p, process, when);

	if (takes_away && p->images[id].used && id == p->processes[process].last_image)
		id = add_copy(p, process, id, not_before(when, p->images[id].start));
	return &p->images[id];
}

void rpt_process_map(struct rpt_processes *p, uint32_t process, const struct rpt_mapping *mapping,
		     bool executable, struct rpt_moment when)
{
	struct rpt_image *image = &p->images[rpt_image_at(p, process, when)];
	enum rpt_maps_change change;

	p->processes[process].has_mappings = true;
	if (!executable) {
		rpt_maps_set(&image->data, mapping);
		return;
	}
	change = rpt_maps_compare(image->code, mapping);
	if (change == RPT_MAPS_SAME)
		return;
	image = image_for_change(p, process, change == RPT_MAPS_REPLACES, when);
	rpt_maps_set(&image->code, mapping);
}

void rpt_process_unmap(struct rpt_processes *p, uint32_t process, uint64_t start, uint64_t end,
		       struct rpt_moment when)
{
	struct rpt_image *image = &p->images[rpt_image_at(p, process, when)];

	image = image_for_change(p, process, rpt_maps_overlaps(image->code, start, end), when);
	rpt_maps_cut(&image->code, start, end);
	rpt_maps_cut(&image->data, start, end);
}

void rpt_process_jit(struct rpt_processes *p, uint32_t process, const struct rpt_mapping *symbol,
		     struct rpt_moment when)
{
	struct rpt_image *image;
	uint32_t id;

	if (when.time_ns == 0) {
		for (id = p->processes[process].last_image; id; id = p->images[id].previous)
			rpt_maps_set(&p->images[id].jit, symbol);
		return;
	}
	image = &p->images[rpt_image_at(p, process, when)];
	image = image_for_change(p, process,
				 rpt_maps_compare(image->jit, symbol) == RPT_MAPS_REPLACES, when);
	rpt_maps_set(&image->jit, symbol);
}

const struct rpt_mapping *rpt_image_find(const struct rpt_processes *p, uint32_t image,
					 uint64_t address)
{
	const struct rpt_mapping *found;

	if (!image)
		return NULL;
	found = rpt_maps_find(p->images[image].code, address);
	return found ? found : rpt_maps_find(p->images[image].data, address);
}

/* A perf map is read later than the code runs, so a name may have come with a later image. */
uint32_t rpt_image_find_jit(const struct rpt_processes *p, uint32_t image, uint64_t address)
{
	const struct rpt_mapping *found;

	while (image) {
		found = rpt_maps_find(p->images[image].jit, address);
		if (found)
			return found->module;
		image = p->images[image].following;
		if (p->images[image].by_exec)
			break;
	}
	return 0;
}
