/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names for locations from packed traces. */
#ifndef RPT_UNPACK_H
#define RPT_UNPACK_H

#include "report/model/code.h"
#include "report/model/model.h"
#include "report/symbols/symbols.h"

struct rpt_unpacker {
	struct rpt_model *m;
	struct rpt_code *c;
	const struct rpt_symbol_options *options;
	uint32_t *names; /* owned; by packed function: its name as shown, 0 = not asked yet */
};

void rpt_unpacker_init(struct rpt_unpacker *u, struct rpt_model *m, struct rpt_code *c,
		       const struct rpt_symbol_options *options);
void rpt_unpacker_fini(struct rpt_unpacker *u);
/* What the packed traces say of a location, or NULL. */
const struct rpt_packed_location *rpt_unpacker_find(const struct rpt_unpacker *u,
						    uint32_t location);
/* Whether no file can say more about the location. */
bool rpt_unpacker_is_final(const struct rpt_unpacker *u, const struct rpt_packed_location *packed);
/* Gives a location its lines; packed has some. */
void rpt_unpacker_take(struct rpt_unpacker *u, uint32_t location,
		       const struct rpt_packed_location *packed);

#endif
