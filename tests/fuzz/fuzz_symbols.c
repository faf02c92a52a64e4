// SPDX-License-Identifier: GPL-2.0-or-later
/* Any bytes are taken for an ELF file, and asked for names all over it, without a crash or a long wait. */
#include <stdlib.h>
#include <string.h>

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rpt_symbol_options options = {.no_host_files = true, .threads = 1};
	struct rpt_symbolizer *s = rpt_symbolizer_new(&options);
	struct rpt_symbol_query queries[QUERIES] = {0};
	struct rpt_module_desc desc = {
		.source = RPT_SRC_IMAGE,
		.path = "[image]",
		.image = data,
		.image_bytes = size,
	};
	size_t i;

	if (!s || rpt_symbolizer_add(s, &desc) != 0)
		abort();
	/* All offsets of small files, and as many places of larger ones. */
	for (i = 0; i < QUERIES; i++)
		queries[i].file_offset = i * (size / QUERIES + 1);
	if (rpt_symbolizer_resolve(s, queries, QUERIES, NULL, NULL) < 0)
		abort();
	for (i = 0; i < QUERIES; i++)
		check(&queries[i].result);
	rpt_symbolizer_free(s);
	return 0;
}
