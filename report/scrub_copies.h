/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copied stacks in a scrubbed trace: they are walked, and only what came of that is kept. */
#ifndef RPT_SCRUB_COPIES_H
#define RPT_SCRUB_COPIES_H

#include <stddef.h>
#include <stdint.h>

#include "report/model/idmap.h"
#include "report/model/model.h"

struct rpt_load;
struct rpt_symbol_options;
struct rpt_unwinder;

struct rpt_scrub_copies {
	struct rpt_model model; /* of the source, for its mappings */
	struct rpt_load *load; /* owned */
	struct rpt_unwinder *unwinder; /* owned */
	struct rpt_idmap ids; /* of copies in the source: their nodes in the copy */
	struct rpt_idmap nodes; /* of the model's stacks: the same */
	uint32_t used; /* ids that were given to new nodes */
	uint64_t *frames; /* owned: of the stack that was walked last */
	size_t frame_cap;
};

/* The options say where files are found, and are borrowed; NULL: the recorder's walk has to do. */
void rpt_scrub_copies_init(struct rpt_scrub_copies *c, struct pa_reader *reader,
			   const struct rpt_symbol_options *options);
void rpt_scrub_copies_fini(struct rpt_scrub_copies *c);
/* To be called with each record of the source, as it is. */
void rpt_scrub_copies_note(struct rpt_scrub_copies *c, const struct pa_record *record);
/* Turns a STACK_COPY record that was noted into the STACK record of what came of it, which is valid until
 * the next call. False when nothing is to be written: it has no frames, or is there already. */
bool rpt_scrub_copies_walk(struct rpt_scrub_copies *c, struct pa_record *record);
/* The node that stands in the copy for one of the source. */
uint64_t rpt_scrub_copies_map(const struct rpt_scrub_copies *c, uint64_t id);

#endif
