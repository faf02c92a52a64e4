// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Symbolizes addresses of one ELF file, as addr2line does, so that answers and speed can be compared:
 *
 *   symbolize [-i] [-C] [-s DIR]... FILE < addresses
 *
 * Addresses are in the file's own terms, hexadecimal, one a line. For each, the functions and "file:line"
 * are printed, innermost first, then an empty line. -i leaves out inlined calls, -C demangling, -s adds a
 * directory with symbols.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/symbols/elf.h"
#include "report/symbols/symbols.h"
#include "report/xmem.h"

#define MAX_DIRS 16

struct input {
	struct rpt_symbol_query *queries;
	size_t count;
	size_t cap;
};

/* The inverse of what the symbolizer does first; addresses that are in no segment become 0. */
static uint64_t get_offset(const struct rpt_elf *e, uint64_t vaddr)
{
	size_t i;

	for (i = 0; i < e->segment_count; i++) {
		const struct rpt_segment *s = &e->segments[i];

		if (s->executable && vaddr >= s->vaddr && vaddr - s->vaddr < s->file_bytes)
			return vaddr - s->vaddr + s->offset;
	}
	return 0;
}

static void read_addresses(struct input *in, const struct rpt_elf *e, int module)
{
	char line[64];

	while (fgets(line, sizeof(line), stdin)) {
		uint64_t vaddr = strtoull(line, NULL, 16);

		rpt_xgrow(&in->queries, &in->cap, in->count + 1, sizeof(*in->queries));
		in->queries[in->count++] = (struct rpt_symbol_query){
			.module = module,
			.file_offset = get_offset(e, vaddr),
		};
	}
}

static void print_result(const struct rpt_resolution *r)
{
	size_t i;

	if (r->frame_count == 0)
		printf("??\n??:0\n");
	for (i = 0; i < r->frame_count; i++) {
		const struct rpt_frame *f = &r->frames[i];

		printf("%s\n%s:%" PRIu32 "\n", f->function, f->file ? f->file : "??", f->line);
	}
	putchar('\n');
}

static int symbolize(const char *given, const struct rpt_symbol_options *options)
{
	char *path = realpath(given, NULL);
	struct rpt_symbolizer *s = rpt_symbolizer_new(options);
	struct rpt_module_desc desc = {.path = path};
	struct rpt_elf *e = path ? rpt_elf_open(path) : NULL;
	struct rpt_module_state state;
	struct rpt_build_id id;
	struct input in = {0};
	size_t i;
	int module;

	if (!s || !e) {
		fprintf(stderr, "symbolize: cannot read '%s'\n", given);
		return 1;
	}
	rpt_elf_get_build_id(e, &id);
	desc.build_id = id.data;
	desc.build_id_bytes = id.len;
	module = rpt_symbolizer_add(s, &desc);
	read_addresses(&in, e, module);
	rpt_symbolizer_resolve(s, in.queries, in.count, NULL, NULL);
	for (i = 0; i < in.count; i++)
		print_result(&in.queries[i].result);
	rpt_symbolizer_get_module(s, module, &state);
	if (state.message)
		fprintf(stderr, "symbolize: %s\n", state.message);
	free(in.queries);
	rpt_elf_free(e);
	rpt_symbolizer_free(s);
	free(path);
	return 0;
}

int main(int argc, char **argv)
{
	const char *dirs[MAX_DIRS];
	struct rpt_symbol_options options = {.symbol_dirs = dirs, .threads = 1};
	int option;

	while ((option = getopt(argc, argv, "iCs:")) != -1) {
		if (option == 'i')
			options.no_inlines = true;
		else if (option == 'C')
			options.no_demangle = true;
		else if (option == 's' && options.symbol_dir_count < MAX_DIRS)
			dirs[options.symbol_dir_count++] = optarg;
		else
			return 2;
	}
	if (optind + 1 != argc)
		return 2;
	return symbolize(argv[optind], &options);
}
