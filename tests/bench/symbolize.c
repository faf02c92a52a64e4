// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Symbolizes addresses of one ELF file, as addr2line does, so that answers and speed can be compared:
 *
 *   symbolize [-i] [-C] [-s DIR]... [-t THREADS] FILE... < addresses
 *
 * Addresses are in the file's own terms, hexadecimal, one a line, and asked of each file. For each, the
 * functions and "file:line" are printed, innermost first, then an empty line. -i leaves out inlined calls,
 * -C demangling, -s adds a directory with symbols, -t prints only how many have a name.
 */
#include <inttypes.h>
#include <stdbool.h>
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

struct addresses {
	uint64_t *items;
	size_t count;
	size_t cap;
};

static void read_addresses(struct addresses *a)
{
	char line[64];

	while (fgets(line, sizeof(line), stdin)) {
		rpt_xgrow(&a->items, &a->cap, a->count + 1, sizeof(*a->items));
		a->items[a->count++] = strtoull(line, NULL, 16);
	}
}

static void add_queries(struct input *in, const struct rpt_elf *e, int module,
			const struct addresses *a)
{
	size_t i;

	for (i = 0; i < a->count; i++) {
		rpt_xgrow(&in->queries, &in->cap, in->count + 1, sizeof(*in->queries));
		in->queries[in->count++] = (struct rpt_symbol_query){
			.module = module,
			.file_offset = get_offset(e, a->items[i]),
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

/* Adds a file and what is asked of it; false after a message. */
static bool add_file(struct rpt_symbolizer *s, const char *given, const struct addresses *a,
		     struct input *in)
{
	char *path = realpath(given, NULL);
	struct rpt_elf *e = path ? rpt_elf_open(path) : NULL;
	struct rpt_module_desc desc = {.path = path};
	struct rpt_build_id id;

	if (e) {
		rpt_elf_get_build_id(e, &id);
		desc.build_id = id.data;
		desc.build_id_bytes = id.len;
		add_queries(in, e, rpt_symbolizer_add(s, &desc), a);
	} else {
		fprintf(stderr, "symbolize: cannot read '%s'\n", given);
	}
	rpt_elf_free(e);
	free(path);
	return e != NULL;
}

static void print_message(const struct rpt_symbolizer *s, int module)
{
	struct rpt_module_state state;

	rpt_symbolizer_get_module(s, module, &state);
	if (state.message)
		fprintf(stderr, "symbolize: %s\n", state.message);
}

static int symbolize(char **files, int count, const struct rpt_symbol_options *options, bool quiet)
{
	struct rpt_symbolizer *s = rpt_symbolizer_new(options);
	struct addresses addresses = {0};
	struct input in = {0};
	size_t named = 0, k;
	int i;

	if (!s)
		return 1;
	read_addresses(&addresses);
	for (i = 0; i < count; i++)
		if (!add_file(s, files[i], &addresses, &in))
			return 1;
	rpt_symbolizer_resolve(s, in.queries, in.count, NULL, NULL);
	for (k = 0; k < in.count; k++) {
		named += in.queries[k].result.frame_count > 0;
		if (!quiet)
			print_result(&in.queries[k].result);
	}
	if (quiet)
		printf("%zu of %zu have a name\n", named, in.count);
	for (i = 0; i < count; i++)
		print_message(s, i);
	free(addresses.items);
	free(in.queries);
	rpt_symbolizer_free(s);
	return 0;
}

int main(int argc, char **argv)
{
	const char *dirs[MAX_DIRS];
	struct rpt_symbol_options options = {.symbol_dirs = dirs, .threads = 1};
	bool quiet = false;
	int option;

	while ((option = getopt(argc, argv, "iCs:t:")) != -1) {
		if (option == 'i') {
			options.no_inlines = true;
		} else if (option == 'C') {
			options.no_demangle = true;
		} else if (option == 't') {
			options.threads = (unsigned)strtoul(optarg, NULL, 10);
			quiet = true;
		} else if (option == 's' && options.symbol_dir_count < MAX_DIRS) {
			dirs[options.symbol_dir_count++] = optarg;
		} else {
			return 2;
		}
	}
	if (optind == argc)
		return 2;
	return symbolize(argv + optind, argc - optind, &options, quiet);
}
