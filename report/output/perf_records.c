// SPDX-License-Identifier: GPL-2.0-or-later
/* Parts of perf.data: records, the event's attributes, and the sections behind the events. */
#include <errno.h>
#include <string.h>

#include "report/output/perf_data.h"
#include "report/xmem.h"

/* Sections, as in tools/perf/util/header.h. */
#define FEATURE_BUILD_ID 2
#define FEATURE_HOSTNAME 3
#define FEATURE_OSRELEASE 4
#define FEATURE_VERSION 5
#define FEATURE_ARCH 6
#define FEATURE_NRCPUS 7
#define FEATURE_EVENT_DESC 12

#define MISC_BUILD_ID_SIZE (1u << 15)
#define BUILD_ID_BYTES 20
#define BUILD_ID_FIELD_BYTES 24
#define HEADER_BYTES 8
#define NAME_MULTIPLE 64
/* A record has 16 bits for its size. */
#define MAX_TEXT_BYTES 4000

/* Bits of perf_event_attr behind read_format. */
#define ATTR_MMAP (1ull << 8)
#define ATTR_COMM (1ull << 9)
#define ATTR_FREQ (1ull << 10)
#define ATTR_TASK (1ull << 13)
#define ATTR_SAMPLE_ID_ALL (1ull << 18)
#define ATTR_MMAP2 (1ull << 23)
#define ATTR_COMM_EXEC (1ull << 24)

void rpt_perf_begin(struct rpt_perf *p, uint32_t type, uint16_t misc)
{
	pa_buf_reset(&p->record);
	pa_buf_add_u32(&p->record, type);
	pa_buf_add_u16(&p->record, misc);
	pa_buf_add_u16(&p->record, 0); /* its size, once it is known */
}

static void set_size(struct pa_buf *b, size_t start)
{
	size_t size = b->len - start;

	rpt_xcheck(pa_buf_error(b));
	b->data[start + 6] = (uint8_t)size;
	b->data[start + 7] = (uint8_t)(size >> 8);
}

void rpt_perf_end(struct rpt_perf *p)
{
	set_size(&p->record, 0);
	p->bytes += p->record.len;
	if (!p->out || p->error)
		return;
	errno = 0;
	if (fwrite(p->record.data, 1, p->record.len, p->out) != p->record.len)
		p->error = errno ? -errno : -EIO;
}

static void fill_up(struct pa_buf *out, size_t len, size_t multiple)
{
	for (; len % multiple; len++)
		pa_buf_add_u8(out, 0);
}

void rpt_perf_add_text(struct pa_buf *out, const char *text, size_t multiple)
{
	size_t len = PA_MIN(strlen(text), (size_t)MAX_TEXT_BYTES);

	pa_buf_add(out, text, len);
	pa_buf_add_u8(out, 0);
	fill_up(out, len + 1, multiple);
}

void rpt_perf_add_trailer(struct rpt_perf *p, uint32_t process, uint32_t tid, uint64_t time_ns)
{
	pa_buf_add_u32(&p->record, p->s->model.processes.processes[process].pid);
	pa_buf_add_u32(&p->record, tid);
	pa_buf_add_u64(&p->record, time_ns);
	pa_buf_add_u64(&p->record, 0); /* the CPU, and nothing */
}

const char *rpt_perf_event_name(const struct rpt_perf *p)
{
	const struct rpt_model *m = &p->s->model;

	if (p->profile->offcpu)
		return "offcpu-time";
	return m->trace_count && m->traces[0].event ? rpt_text(m, m->traces[0].event) : "cpu-clock";
}

struct event {
	const char *name;
	uint32_t type, config;
};

static struct event find_event(const struct rpt_perf *p)
{
	static const struct event events[] = {
		{"cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK},
		{"task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
		{"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
		{"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
	};
	const char *name = rpt_perf_event_name(p);
	size_t i;

	for (i = 0; i < PA_ARRAY_LEN(events); i++)
		if (strcmp(events[i].name, name) == 0)
			return events[i];
	/* As perf itself has off-CPU time: an event that only a program makes. */
	return (struct event){name, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_BPF_OUTPUT};
}

void rpt_perf_add_attr(struct pa_buf *out, const struct rpt_perf *p)
{
	const struct rpt_model *m = &p->s->model;
	const struct rpt_trace *t = m->trace_count ? &m->traces[0] : NULL;
	struct event event = find_event(p);
	bool by_rate = !p->profile->offcpu && t && t->rate_hz;
	size_t start = out->len;

	pa_buf_add_u32(out, event.type);
	pa_buf_add_u32(out, RPT_PERF_ATTR_BYTES);
	pa_buf_add_u64(out, event.config);
	pa_buf_add_u64(out, by_rate ? t->rate_hz : 1);
	pa_buf_add_u64(out, PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
				    PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD);
	pa_buf_add_u64(out, 0); /* read_format */
	pa_buf_add_u64(out, ATTR_MMAP | ATTR_COMM | ATTR_TASK | ATTR_SAMPLE_ID_ALL | ATTR_MMAP2 |
				    ATTR_COMM_EXEC | (by_rate ? ATTR_FREQ : 0));
	while (out->len - start < RPT_PERF_ATTR_BYTES && !pa_buf_error(out))
		pa_buf_add_u8(out, 0);
}

const char *rpt_perf_module_name(const struct rpt_session *s, const struct rpt_module *module)
{
	return rpt_text(&s->model,
			module->kind == PA_MODULE_FILE || module->kind == RPT_MODULE_KERNEL ?
				module->path :
				module->name);
}

/* --- sections --- */

static void add_build_ids(struct pa_buf *out, const struct rpt_perf *p)
{
	const struct rpt_modules *modules = &p->s->model.modules;
	size_t i;

	for (i = 0; i < p->plan.mapping_count; i++) {
		const struct rpt_module *module = &modules->items[p->plan.mappings[i].module];
		bool kernel = module->kind == RPT_MODULE_KERNEL;
		uint32_t len = PA_MIN(module->build_id_bytes, (uint32_t)BUILD_ID_BYTES);
		size_t start = out->len;

		if (!len || (i && p->plan.mappings[i - 1].module == p->plan.mappings[i].module))
			continue;
		pa_buf_add_u32(out, 0);
		pa_buf_add_u16(
			out, (uint16_t)((kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER) |
					MISC_BUILD_ID_SIZE));
		pa_buf_add_u16(out, 0);
		pa_buf_add_u32(out, UINT32_MAX); /* of all processes */
		pa_buf_add(out, module->build_id, len);
		fill_up(out, len, BUILD_ID_BYTES);
		pa_buf_add_u8(out, (uint8_t)len);
		fill_up(out, BUILD_ID_BYTES + 1, BUILD_ID_FIELD_BYTES);
		rpt_perf_add_text(out, rpt_perf_module_name(p->s, module), NAME_MULTIPLE);
		set_size(out, start);
	}
}

static void add_string(struct pa_buf *out, const char *text)
{
	size_t len = strlen(text) + 1;

	pa_buf_add_u32(out, (uint32_t)((len + NAME_MULTIPLE - 1) / NAME_MULTIPLE * NAME_MULTIPLE));
	rpt_perf_add_text(out, text, NAME_MULTIPLE);
}

static void add_event_desc(struct pa_buf *out, const struct rpt_perf *p)
{
	pa_buf_add_u32(out, 1);
	pa_buf_add_u32(out, RPT_PERF_ATTR_BYTES);
	rpt_perf_add_attr(out, p);
	pa_buf_add_u32(out, 0); /* ids */
	add_string(out, rpt_perf_event_name(p));
}

bool rpt_perf_feature(const struct rpt_perf *p, size_t index, unsigned *bit, struct pa_buf *out)
{
	static const unsigned bits[] = {FEATURE_BUILD_ID,  FEATURE_HOSTNAME, FEATURE_OSRELEASE,
					FEATURE_VERSION,   FEATURE_ARCH,     FEATURE_NRCPUS,
					FEATURE_EVENT_DESC};
	const struct rpt_model *m = &p->s->model;
	const struct rpt_trace *t = &m->traces[0];

	if (index >= PA_ARRAY_LEN(bits) || !m->trace_count)
		return false;
	*bit = bits[index];
	switch (*bit) {
	case FEATURE_BUILD_ID:
		add_build_ids(out, p);
		break;
	case FEATURE_HOSTNAME:
		add_string(out, rpt_text(m, t->host));
		break;
	case FEATURE_OSRELEASE:
		add_string(out, rpt_text(m, t->kernel));
		break;
	case FEATURE_VERSION:
		add_string(out, rpt_text(m, t->recorder));
		break;
	case FEATURE_ARCH:
		add_string(out, rpt_text(m, t->arch));
		break;
	case FEATURE_NRCPUS:
		pa_buf_add_u32(out, t->cpus);
		pa_buf_add_u32(out, t->cpus);
		break;
	default:
		add_event_desc(out, p);
		break;
	}
	return true;
}
