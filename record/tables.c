// SPDX-License-Identifier: GPL-2.0-or-later
/* Unwind tables: which are there, which are wanted, and whose mappings use them. */
#include "record/tables.h"

#include <errno.h>
#include <linux/types.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bpf/events.h"
#include "format/cli/log.h"
#include "format/util/err.h"
#include "format/util/mem.h"
#include "record/broker.h"
#include "record/programs.h"
#include "record/regions.h"
#include "record/rooms.h"
#include "record/rows.h"
#include "record/sandbox.h"
#include "record/unwind/unwind.h"
#include "record/vdso.h"
#include "record/world.h"

#define MAX_ATTEMPTS 5
/* With so many stacks that missed a table a process is worth it that all it maps is compiled ahead: else
 * each further module of a deep stack would have to be missed first. */
#define PREFETCH_AFTER 8
#define RETRY_WANTS \
	8 /* a table that found no room is tried again after so many more misses, and then twice
	* as many each time */

enum table_state {
	TABLE_UNSEEN = 0,
	TABLE_QUEUED,
	TABLE_COMPILING,
	TABLE_READY,
	TABLE_NONE, /* there is no unwind information, or no way to get at it */
};

/* By index of the module in the world. */
struct table {
	uint8_t state; /* enum table_state */
	bool has_index; /* an entry in the kernel's table of modules, which stays its own */
	bool shared; /* the room is that of another module with the same build ID */
	uint32_t index;
	bool has_sides;
	uint32_t first_chunk, first_side; /* rooms of the rows, and of the rare rules */
	uint32_t uses_seen; /* when room was last needed */
	uint32_t pid; /* by whose mapping the file can be opened */
	uint64_t address; /* an address in that mapping */
	uint32_t wants; /* stacks that have missed it */
	uint32_t retry_wants; /* there was no room for it: not before so many have */
	uint64_t retry_tick; /* and not before then */
	uint32_t attempts; /* to open the file */
	struct ev_unwind_segment segments[EV_UNWIND_MAX_SEGMENTS];
	uint32_t segment_count;
};

struct rec_tables {
	struct rec_world *world;
	struct rec_programs *programs;
	struct rec_helpers *helpers;
	struct table *tables;
	size_t table_count, table_cap;
	uint32_t *queue; /* modules to be compiled */
	size_t queue_count, queue_cap;
	bool compiling;
	uint32_t current; /* module that is being compiled */
	struct rec_rooms chunks, sides;
	uint32_t modules_used;
	struct rec_regions regions; /* of the table of mappings */
	uint32_t prefetch_after; /* stacks of a process that missed a table */
	int vdso_fd; /* opened while that is still allowed; -1 = there is none */
	struct rec_tables_stats stats;
};

struct rec_tables *rec_tables_new(struct rec_world *world, struct rec_programs *programs,
				  struct rec_helpers *helpers, uint64_t memory_bytes, bool eager)
{
	struct rec_tables *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->world = world;
	t->programs = programs;
	t->helpers = helpers;
	t->prefetch_after = eager ? 1 : PREFETCH_AFTER;
	rec_rooms_init(&t->chunks, (uint32_t)(memory_bytes / sizeof(struct ev_unwind_chunk)));
	rec_rooms_init(&t->sides, EV_SIDE_MAX);
	t->vdso_fd = rec_vdso_open();
	rec_regions_init(&t->regions, EV_UNWIND_MAPPINGS);
	return t;
}

void rec_tables_free(struct rec_tables *t)
{
	if (!t)
		return;
	if (t->vdso_fd >= 0)
		close(t->vdso_fd);
	rec_regions_fini(&t->regions);
	rec_rooms_fini(&t->chunks);
	rec_rooms_fini(&t->sides);
	free(t->tables);
	free(t->queue);
	free(t);
}

void rec_tables_get_stats(const struct rec_tables *t, struct rec_tables_stats *stats)
{
	*stats = t->stats;
}

bool rec_tables_idle(const struct rec_tables *t)
{
	return !t->compiling && t->queue_count == 0;
}

int rec_tables_poll_fd(const struct rec_tables *t)
{
	return t->compiling ? rec_sandbox_compile_fd(t->helpers) : -1;
}

/* --- what is wanted --- */

static int table_of(struct rec_tables *t, uint32_t module, struct table **table)
{
	if (module >= t->table_count) {
		if (pa_grow(&t->tables, &t->table_cap, (size_t)module + 1, sizeof(*t->tables)) < 0)
			return -ENOMEM;
		memset(t->tables + t->table_count, 0,
		       ((size_t)module + 1 - t->table_count) * sizeof(*t->tables));
		t->table_count = (size_t)module + 1;
	}
	*table = &t->tables[module];
	return 0;
}

/* The same file may be several modules, as it was seen with and without its build ID: one table is enough. */
static bool share_table(struct rec_tables *t, uint32_t module)
{
	const struct rec_module *m = rec_world_module_at(t->world, module), *other;
	uint32_t i;

	for (i = 0; i < t->table_count && m->build_id_bytes; i++) {
		other = rec_world_module_at(t->world, i);
		if (t->tables[i].state == TABLE_READY &&
		    other->build_id_bytes == m->build_id_bytes &&
		    memcmp(other->build_id, m->build_id, m->build_id_bytes) == 0) {
			t->tables[module] = t->tables[i];
			t->tables[module].shared = true;
			return true;
		}
	}
	return false;
}

static int enqueue(struct rec_tables *t, const struct rec_process *p, const struct rec_mapping *m,
		   uint32_t wants)
{
	struct table *table;
	int err = table_of(t, m->module, &table);

	if (err)
		return err;
	table->wants += wants;
	if (table->state == TABLE_QUEUED && wants) {
		/* Its first user may have ended: this one lives. */
		table->pid = p->pid;
		table->address = m->start;
	}
	if (table->state != TABLE_UNSEEN || table->wants < table->retry_wants ||
	    t->chunks.tick < table->retry_tick)
		return 0;
	rec_world_identify(t->world, p, m);
	if (share_table(t, m->module))
		return 0;
	err = pa_grow(&t->queue, &t->queue_cap, t->queue_count + 1, sizeof(*t->queue));
	if (err)
		return err;
	table->state = TABLE_QUEUED;
	table->pid = p->pid;
	table->address = m->start;
	t->queue[t->queue_count++] = m->module;
	return 0;
}

int rec_tables_want(struct rec_tables *t, struct rec_process *p, uint64_t address)
{
	const struct rec_mapping *m = address ? rec_process_mapping(p, address) : NULL;
	size_t i;
	int err = 0;

	if (p->ended_ns || p->kernel)
		return 0;
	if (m)
		err = enqueue(t, p, m, 1);
	if (!p->tables_wanted) {
		p->tables_wanted = true;
		p->tables_dirty = true;
	}
	if (p->tables_all || (address && ++p->tables_missed < t->prefetch_after))
		return err;
	p->tables_all = true;
	for (i = 0; i < p->mapping_count && !err; i++)
		err = enqueue(t, p, &p->mappings[i], 0);
	return err;
}

/* --- the compiler --- */

/* A descriptor of what is mapped there, or an error. */
static int open_module(struct rec_tables *t, const struct table *table,
		       const struct rec_module *module)
{
	int fd = -1, err;

	if (module->kind == PA_MODULE_VDSO)
		return t->vdso_fd < 0 ? PA_E_NOT_FOUND : dup(t->vdso_fd);
	if (module->kind != PA_MODULE_FILE)
		return PA_E_NOT_FOUND;
	err = rec_broker_open_mapping(t->helpers, (pid_t)table->pid, table->address, &fd);
	return err < 0 ? err : fd;
}

/* Takes the module that most stacks have missed out of the queue; of equals the one that came first. */
static uint32_t queue_take(struct rec_tables *t)
{
	size_t best = 0, i;
	uint32_t module;

	for (i = 1; i < t->queue_count; i++)
		if (t->tables[t->queue[i]].wants > t->tables[t->queue[best]].wants)
			best = i;
	module = t->queue[best];
	t->queue_count--;
	memmove(t->queue + best, t->queue + best + 1, (t->queue_count - best) * sizeof(*t->queue));
	return module;
}

/* A module that could not be opened: its process may have ended, and another one may use it yet. */
static void give_up(struct rec_tables *t, uint32_t module, int err)
{
	struct table *table = &t->tables[module];
	const struct rec_module *m = rec_world_module_at(t->world, module);

	if (m->kind == PA_MODULE_FILE && ++table->attempts < MAX_ATTEMPTS) {
		table->state = TABLE_UNSEEN;
		return;
	}
	table->state = TABLE_NONE;
	if (m->kind != PA_MODULE_FILE)
		return;
	t->stats.failed++;
	pa_verbose("unwind table of '%s': cannot open it: %s", m->path, pa_strerror(err));
}

/* Gives the compiler the next module that can be opened. */
static void compile_next(struct rec_tables *t)
{
	while (!t->compiling && t->queue_count) {
		uint32_t module = queue_take(t);
		struct table *table = &t->tables[module];
		int fd = open_module(t, table, rec_world_module_at(t->world, module));

		if (fd >= 0 && rec_sandbox_compile_post(t->helpers, fd) == 0) {
			table->state = TABLE_COMPILING;
			t->compiling = true;
			t->current = module;
		} else {
			give_up(t, module, fd);
		}
		if (fd >= 0)
			close(fd);
	}
}

/* Uses of a table since room was last needed; other modules that share it have them, too. */
static uint32_t recent_uses(struct rec_tables *t, struct table *table)
{
	struct ev_unwind_module module = {0};

	if (rec_programs_get_module(t->programs, table->index, &module) < 0)
		return 0;
	return module.uses - table->uses_seen;
}

/* Stacks that lead through it miss it from now on. Those that share its room go with it. */
static void evict(struct rec_tables *t, const struct table *victim)
{
	const struct ev_unwind_module none = {0};
	uint32_t index = victim->index, i;

	rec_programs_set_module(t->programs, index, &none);
	rec_rooms_leave(&t->chunks, victim->first_chunk);
	if (victim->has_sides)
		rec_rooms_leave(&t->sides, victim->first_side);
	for (i = 0; i < t->table_count; i++) {
		struct table *table = &t->tables[i];

		if (table->state != TABLE_READY || table->index != index)
			continue;
		table->state = TABLE_UNSEEN;
		table->has_index = !table->shared;
		table->shared = false;
		table->wants = 0;
		table->retry_wants = 0;
	}
	t->stats.evicted++;
}

/* The least used table among those that stacks have used clearly less than they have missed another one. */
static struct table *coldest(struct rec_tables *t, uint32_t wants)
{
	struct table *found = NULL;
	uint32_t least = wants / 2, i;

	for (i = 0; i < t->table_count; i++) {
		struct table *table = &t->tables[i];
		uint32_t uses;

		if (table->state != TABLE_READY || table->shared)
			continue;
		uses = recent_uses(t, table);
		if (uses < least) {
			least = uses;
			found = table;
		}
	}
	return found;
}

/*
 * Makes room for a table that stacks have missed by giving up colder ones. It has to be asked for again when
 * the room has rested. Uses count anew from here.
 */
static void make_room(struct rec_tables *t, struct table *wanted, uint32_t chunks)
{
	struct table *victim = NULL;
	uint32_t i;

	wanted->retry_wants = 2 * wanted->wants + RETRY_WANTS;

	while (chunks <= t->chunks.limit && !rec_rooms_will_fit(&t->chunks, chunks)) {
		victim = coldest(t, wanted->wants);
		if (!victim)
			break;
		evict(t, victim);
	}
	if (victim) {
		wanted->retry_wants = 0;
		wanted->retry_tick = t->chunks.tick + REC_ROOM_REST_TICKS + 1;
	}
	for (i = 0; i < t->table_count; i++)
		if (t->tables[i].state == TABLE_READY)
			t->tables[i].uses_seen += recent_uses(t, &t->tables[i]);
}

static int take_rooms(struct rec_tables *t, struct table *table, uint32_t chunks, uint32_t sides)
{
	if ((!table->has_index && t->modules_used >= EV_UNWIND_MODULES) ||
	    !rec_rooms_take(&t->chunks, chunks, &table->first_chunk)) {
		make_room(t, table, chunks);
		return PA_E_LIMIT;
	}
	if (!rec_rooms_take(&t->sides, sides, &table->first_side)) {
		rec_rooms_leave(&t->chunks, table->first_chunk);
		return PA_E_LIMIT;
	}
	table->has_sides = sides > 0;
	if (!table->has_index)
		table->index = t->modules_used++;
	table->has_index = true;
	return 0;
}

/* Hands a table down to the kernel; the module's entry last, so that it is never half there. */
static int install(struct rec_tables *t, struct table *table, const struct rec_unwind_view *view)
{
	struct ev_unwind_module module = {.base = view->head->base, .sides = view->head->sides};
	int err = take_rooms(t, table, rec_rows_chunks(view), view->head->sides);
	uint32_t i;

	if (err) {
		t->stats.full++;
		return err;
	}
	module.first_chunk = table->first_chunk;
	module.first_side = table->first_side;
	err = rec_rows_put(t->programs, view, &module);
	for (i = 0; i < view->head->sides && !err; i++)
		err = rec_programs_set_side(t->programs, module.first_side + i, &view->sides[i]);
	if (!err)
		err = rec_programs_set_module(t->programs, table->index, &module);
	if (err)
		return err;
	table->uses_seen = 0;
	table->segment_count = view->head->segments;
	memcpy(table->segments, view->segments, table->segment_count * sizeof(table->segments[0]));
	t->stats.rows += view->head->rows;
	return 0;
}

static int install_fd(struct rec_tables *t, struct table *table, int fd)
{
	struct rec_unwind_view view;
	struct stat st;
	void *data;
	int err;

	if (fstat(fd, &st) < 0)
		return -errno;
	data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (data == MAP_FAILED)
		return -errno;
	err = rec_unwind_open(data, (size_t)st.st_size, &view);
	if (!err)
		err = install(t, table, &view);
	munmap(data, (size_t)st.st_size);
	return err;
}

/* What to add to an address in the mapping to get the module's own. False when no segment is there. */
static bool bias_of(const struct table *table, const struct rec_mapping *m, uint64_t *bias)
{
	uint32_t i;

	for (i = 0; i < table->segment_count; i++) {
		const struct ev_unwind_segment *s = &table->segments[i];

		/* The mapping begins at a page, so perhaps before the segment. */
		if (m->offset_bytes < s->offset + s->bytes &&
		    m->offset_bytes + (m->end - m->start) > s->offset) {
			*bias = s->vaddr - s->offset + m->offset_bytes - m->start;
			return true;
		}
	}
	return false;
}

static void describe(const struct rec_tables *t, const struct rec_mapping *m,
		     struct ev_unwind_mapping *out)
{
	uint64_t bias = 0;

	*out = (struct ev_unwind_mapping){.start = m->start, .end = m->end};
	if (m->module < t->table_count && t->tables[m->module].state == TABLE_READY &&
	    bias_of(&t->tables[m->module], m, &bias)) {
		out->bias = bias;
		out->module = t->tables[m->module].index + 1;
	}
}

struct update {
	struct rec_tables *tables;
	uint32_t module;
};

/* Ties the mappings of a module that has just got its table to it, in a process that is handed down. */
static int tie(void *ctx, struct rec_process *p)
{
	struct update *u = ctx;
	struct ev_unwind_mapping m, part;
	size_t i;
	int err = 0;

	if (!p->region.count || p->tables_dirty)
		return 0;
	for (i = 0; i < p->mapping_count && i < p->region.count && !err; i++) {
		if (p->mappings[i].module != u->module)
			continue;
		describe(u->tables, &p->mappings[i], &m);
		/* The bias first: whoever sees the module then sees its bias. */
		part = m;
		part.module = 0;
		err = rec_programs_set_mapping(u->tables->programs, p->region.first + (uint32_t)i,
					       &part);
		if (!err)
			err = rec_programs_set_mapping(u->tables->programs,
						       p->region.first + (uint32_t)i, &m);
	}
	return err;
}

static int take_compiled(struct rec_tables *t)
{
	struct table *table = &t->tables[t->current];
	struct update update = {.tables = t, .module = t->current};
	int fd = -1, err = rec_sandbox_compile_take(t->helpers, &fd);

	if (err == -EAGAIN)
		return 0;
	t->compiling = false;
	if (!err) {
		err = install_fd(t, table, fd);
		close(fd);
	}
	table->state = !err ? TABLE_READY : err == PA_E_LIMIT ? TABLE_UNSEEN : TABLE_NONE;
	if (err)
		pa_verbose("unwind table of '%s': %s",
			   rec_world_module_at(t->world, t->current)->path, pa_strerror(err));
	if (err == PA_E_NOT_FOUND)
		t->stats.without++;
	else if (err && err != PA_E_LIMIT)
		t->stats.failed++;
	else
		t->stats.compiled++;
	return err ? 0 : rec_world_for_each_process(t->world, tie, &update);
}

/* --- mappings of processes --- */

/* Gives a process a fresh range in the table of mappings; the old one is used again only later. */
static int hand_down(struct rec_tables *t, struct rec_process *p)
{
	struct rec_region fresh;
	size_t i;
	int err = 0;

	p->tables_dirty = false;
	if (!rec_regions_alloc(&t->regions, (uint32_t)p->mapping_count, &fresh)) {
		t->stats.full++;
		return 0;
	}
	for (i = 0; i < p->mapping_count && !err; i++) {
		struct ev_unwind_mapping m;

		if (p->tables_all || t->prefetch_after == 1)
			err = enqueue(t, p, &p->mappings[i], 0);
		describe(t, &p->mappings[i], &m);
		if (!err)
			err = rec_programs_set_mapping(t->programs, fresh.first + (uint32_t)i, &m);
	}
	if (!err)
		err = rec_programs_set_process(t->programs, p->pid, fresh.first, fresh.count);
	rec_regions_retire(&t->regions, &p->region);
	p->region = fresh;
	return err;
}

static int update_process(void *ctx, struct rec_process *p)
{
	struct rec_tables *t = ctx;

	if (p->ended_ns) {
		if (!p->region.count)
			return 0;
		if (rec_world_get_process(t->world, p->pid) == p)
			rec_programs_delete_process(t->programs, p->pid);
		rec_regions_retire(&t->regions, &p->region);
		return 0;
	}
	if (!p->tables_wanted || !p->tables_dirty || p->mapping_count == 0)
		return 0;
	return hand_down(t, p);
}

int rec_tables_work(struct rec_tables *t)
{
	int err = t->compiling ? take_compiled(t) : 0;

	rec_regions_tick(&t->regions);
	rec_rooms_tick(&t->chunks);
	rec_rooms_tick(&t->sides);
	if (!err)
		err = rec_world_for_each_process(t->world, update_process, t);
	compile_next(t);
	return err;
}
