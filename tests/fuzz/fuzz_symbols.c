// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any bytes are taken for an ELF file, a program and a kernel, and asked for names all over it, or for a
 * compressed one, without a crash or a long wait.
 */
#include <stdlib.h>
#include <string.h>

#include "format/util/mem.h"
#include "report/symbols/decompress.h"
#include "report/symbols/symbols.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { QUERIES = 64 };

static void check(const struct rpt_resolution *r)
{
	size_t i;

	if ((r->reason == RPT_SYM_OK) != (r->frame_count > 0))
		abort();
	for (i = 0; i < r->frame_count; i++) {
		if (!r->frames[i].function || !*r->frames[i].function || !r->frames[i].linkage_name)
			abort();
	}
}

/* Half of them all over the file, and half over what it says is code. */
static void choose_offsets(const uint8_t *data, size_t size, struct rpt_symbol_query *queries)
{
	struct rpt_elf *e = rpt_elf_open_image("[image]", data, size);
	size_t i, k, n = 0;

	for (i = 0; i < QUERIES; i++)
		queries[i].file_offset = i * (size / (QUERIES / 2) + 1);
	for (i = 0; e && i < e->segment_count; i++) {
		const struct rpt_segment *s = &e->segments[i];

		if (!s->executable || s->offset > size)
			continue;
		for (k = 0; k < QUERIES / 4 && n < QUERIES / 2; k++)
			queries[QUERIES - ++n].file_offset =
				s->offset + k * (PA_MIN(s->file_bytes, size) / (QUERIES / 4) + 1);
	}
	rpt_elf_free(e);
}

static void ask(const uint8_t *data, size_t size, enum rpt_module_source source)
{
	struct rpt_symbol_options options = {.no_host_files = true, .threads = 1};
	struct rpt_symbolizer *s = rpt_symbolizer_new(&options);
	struct rpt_symbol_query queries[QUERIES] = {0};
	struct rpt_module_desc desc = {
		.source = source,
		.path = "[image]",
		.image = data,
		.image_bytes = size,
	};
	size_t i;

	if (!s || rpt_symbolizer_add(s, &desc) != 0)
		abort();
	choose_offsets(data, size, queries);
	/* What a host says of its kernel: the address of a symbol, and more of the same name. */
	for (i = 0; source == RPT_SRC_KERNEL && i < QUERIES; i++) {
		queries[i].symbol = i % 4 == 0 ? NULL : i % 4 == 1 ? "helper" : "target";
		queries[i].symbol_start = queries[i].file_offset - i;
	}
	if (rpt_symbolizer_resolve(s, queries, QUERIES, NULL, NULL) < 0)
		abort();
	for (i = 0; i < QUERIES; i++)
		check(&queries[i].result);
	rpt_symbolizer_free(s);
}

static void decompress(const uint8_t *data, size_t size)
{
	static const char *const names[] = {"a.xz", "a.zst", "a.gz"};
	size_t bytes, i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		free(rpt_unpack(names[i], (struct rpt_bytes){data, size}, &bytes));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* Both ways for what is no ELF file would tell nothing new. */
	if (size < 4 || memcmp(data, "\177ELF", 4) != 0)
		decompress(data, size);
	ask(data, size, RPT_SRC_IMAGE);
	if (size > 20 && data[4] && data[16] == ET_REL)
		ask(data, size, RPT_SRC_KERNEL);
	return 0;
}
