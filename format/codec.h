/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records to bytes and back: the content of a block. */
#ifndef PA_CODEC_H
#define PA_CODEC_H

#include "format/fields.h"
#include "format/util/buf.h"
#include "format/util/cursor.h"

/* What D64 and ADDRS fields are relative to: the last value of each field. Zeroed at each block. */
struct pa_delta {
	uint64_t last[PA_REC_IDS_][PA_MAX_FIELDS];
};

/* Storage for the elements of a decoded record's lists. A zeroed struct is empty. */
struct pa_items {
	uint64_t *items; /* owned */
	size_t cap;
};

/*
 * Appends a framed record (id, length, fields) to out. body is scratch. 0, PA_E_LIMIT,
 * PA_E_UNSUPPORTED (unknown id) or -ENOMEM; on failure out and d are as before.
 */
int pa_encode(struct pa_buf *out, struct pa_buf *body, struct pa_delta *d,
	      const struct pa_record *r);

/*
 * Decodes the fields of one record of type r->id from body, whose end is the record's end. Bytes
 * point into body, lists into items. 0, PA_E_TRUNCATED or PA_E_CORRUPT, PA_E_LIMIT, -ENOMEM.
 */
int pa_decode(struct pa_cursor *body, struct pa_delta *d, struct pa_items *items,
	      struct pa_record *r);

#endif
