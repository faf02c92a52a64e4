// SPDX-License-Identifier: GPL-2.0-or-later
/* The machine and the session. */
#include "record/machine.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "format/pa-format.h"
#include "format/util/buf.h"
#include "record/config.h"
#include "record/kallsyms.h"
#include "record/procfs.h"

static int add_string(struct pa_writer *writer, const char *text, uint32_t *id)
{
	return pa_writer_string(writer, text, strlen(text), id);
}

/* "model name" on x86; arm64 has numbers only, which the device tree may put into words. */
static void cpu_model(char *out, size_t size)
{
	char line[512];
	FILE *f = fopen("/proc/cpuinfo", "re");

	out[0] = '\0';
	while (f && fgets(line, sizeof(line), f)) {
		char *colon = strchr(line, ':');

		if (!colon ||
		    (strncmp(line, "model name", 10) != 0 && strncmp(line, "CPU part", 8) != 0))
			continue;
		line[strcspn(line, "\n")] = '\0';
		snprintf(out, size, "%s%s", line[0] == 'C' ? "CPU part" : "",
			 colon + (line[0] != 'C') * 2);
		break;
	}
	if (f)
		fclose(f);
}

uint64_t rec_machine_wall_ns(uint64_t monotonic_ns)
{
	struct timespec wall, mono;

	clock_gettime(CLOCK_REALTIME, &wall);
	clock_gettime(CLOCK_MONOTONIC, &mono);
	return (uint64_t)wall.tv_sec * 1000000000ull + (uint64_t)wall.tv_nsec -
	       ((uint64_t)mono.tv_sec * 1000000000ull + (uint64_t)mono.tv_nsec - monotonic_ns);
}

void rec_machine_read(struct rec_machine *m)
{
	uname(&m->name);
	cpu_model(m->cpu_model, sizeof(m->cpu_model));
	if (rec_kernel_build_id(&m->kernel) < 0)
		m->kernel.len = 0;
}

static uint32_t modes_of(const struct rec_config *config)
{
	return (config->profile ? PA_MODE_PROFILE : 0) | (config->offcpu ? PA_MODE_OFFCPU : 0) |
	       (config->pmu ? PA_MODE_PMU : 0) | (config->all ? PA_MODE_ALL : 0) |
	       (config->snapshot ? PA_MODE_SNAPSHOT : 0);
}

static int add_command(struct pa_writer *writer, char **command, uint32_t *id)
{
	struct pa_buf raw, line;
	int err;

	if (!command)
		return 0;
	pa_buf_init(&raw);
	pa_buf_init(&line);
	for (; *command; command++)
		pa_buf_add(&raw, *command, strlen(*command) + 1);
	rec_cmdline_add(&line, pa_buf_str(&raw), raw.len);
	err = pa_writer_string(writer, pa_buf_str(&line), line.len, id);
	pa_buf_fini(&raw);
	pa_buf_fini(&line);
	return err;
}

static int write_tags(struct pa_writer *writer, const struct pa_opt_list *tags)
{
	size_t i;
	int err = 0;

	for (i = 0; i < tags->count && !err; i++) {
		struct pa_record rec = {.id = PA_REC_TAG};
		const char *key = tags->items[i], *equals = strchr(key, '=');

		err = pa_writer_string(writer, key, (size_t)(equals - key), &rec.tag.key);
		if (!err)
			err = add_string(writer, equals + 1, &rec.tag.value);
		if (!err)
			err = pa_writer_add(writer, &rec);
	}
	return err;
}

int rec_machine_write_session(struct pa_writer *writer, const struct rec_machine_session *session)
{
	const struct rec_config *config = session->config;
	struct pa_record rec = {.id = PA_REC_SESSION};
	struct pa_session *out = &rec.session;
	const struct rec_build_id *id = &session->machine->kernel;
	const struct utsname *name = &session->machine->name;
	int err = 0;

	out->kernel_build_id = (struct pa_bytes){id->bytes, id->len};
	out->word_bits = sizeof(void *) * 8;
	out->big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	out->page_bytes = (uint32_t)sysconf(_SC_PAGESIZE);
	out->start_ns = session->start_ns;
	out->start_wall_ns = session->start_wall_ns;
	out->cpus = session->cpus;
	out->modes = modes_of(config);
	out->duration_ns = config->duration_ns;
	out->segment = session->segment;
	out->segment_start_ns = session->segment_start_ns;
	err |= add_string(writer, "pa-record " PA_VERSION, &out->recorder);
	err |= add_string(writer, name->machine, &out->arch);
	err |= add_string(writer, "CLOCK_MONOTONIC", &out->clock);
	err |= add_string(writer, name->nodename, &out->host);
	err |= add_string(writer, name->release, &out->kernel);
	err |= add_string(writer, session->machine->cpu_model, &out->cpu_model);
	err |= add_string(writer, session->target, &out->target);
	err |= add_string(writer, rec_unwind_name(config->unwind), &out->unwind);
	err |= add_command(writer, config->command, &out->command);
	/* Any failure here is the writer's lasting one, which adding a record returns. */
	err = err ? err : pa_writer_add(writer, &rec);
	return err ? err : write_tags(writer, &config->tags);
}

int rec_machine_write_feature(struct pa_writer *writer, const char *name, const char *value,
			      const char *reason)
{
	struct pa_record rec = {.id = PA_REC_FEATURE};
	int err = add_string(writer, name, &rec.feature.name);

	if (!err)
		err = add_string(writer, value, &rec.feature.value);
	if (!err)
		err = add_string(writer, reason, &rec.feature.reason);
	return err ? err : pa_writer_add(writer, &rec);
}

int rec_machine_write_kernel(struct pa_writer *writer, const struct rec_kallsyms *kallsyms)
{
	const struct rec_kernel_range *ranges;
	size_t count, i;
	int err = 0;

	if (!kallsyms)
		return rec_machine_write_feature(writer, "kernel-symbols", "none",
						 "the caller may not see kernel addresses");
	if (rec_kallsyms_is_hidden(kallsyms))
		return rec_machine_write_feature(writer, "kernel-symbols", "hidden",
						 "kptr_restrict hid kernel symbols");
	ranges = rec_kallsyms_ranges(kallsyms, &count);
	for (i = 0; i < count && !err; i++) {
		struct pa_record rec = {.id = PA_REC_KERNEL_RANGE};

		rec.kernel_range.start = ranges[i].start;
		rec.kernel_range.length_bytes = ranges[i].length_bytes;
		rec.kernel_range.build_id =
			(struct pa_bytes){ranges[i].build_id.bytes, ranges[i].build_id.len};
		err = add_string(writer, ranges[i].name, &rec.kernel_range.name);
		if (!err)
			err = pa_writer_add(writer, &rec);
	}
	return err ? err : rec_machine_write_feature(writer, "kernel-symbols", "kallsyms", "");
}
