/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Strings by id. The writer interns texts, which gives them ids; the reader defines ids as it meets
 * them. Memory follows what was added, whatever the ids are. A table is used in one of both ways.
 */
#ifndef PA_STRINGS_H
#define PA_STRINGS_H

#include "format/util/htab.h"

struct pa_string_chunk;

struct pa_string_entry {
	const char *text; /* NUL-terminated, in a chunk */
	uint32_t len;
	uint32_t id;
};

struct pa_strings {
	struct pa_htab table; /* by text in a writer, by id in a reader; to the index of an entry */
	struct pa_string_entry *entries; /* owned */
	size_t count;
	size_t cap;
	struct pa_string_chunk *chunks; /* owned, newest first */
	uint64_t chunk_bytes; /* size of the chunks */
};

void pa_strings_fini(struct pa_strings *s);

/* Writer: the id of a text, from 1 up; *added tells whether it is new. 0, -ENOMEM or PA_E_LIMIT. */
int pa_strings_intern(struct pa_strings *s, const char *text, uint32_t len, uint32_t *id,
		      bool *added);
/* Writer: takes back the text that was added last. */
void pa_strings_drop_last(struct pa_strings *s);

/* Reader: defines an id; the same text again is no error. 0, -ENOMEM, PA_E_LIMIT, or PA_E_CORRUPT
 * when the id already has another text. */
int pa_strings_define(struct pa_strings *s, uint32_t id, const char *text, uint32_t len);
/* Reader: NULL when the id is not defined. */
const struct pa_string_entry *pa_strings_get(const struct pa_strings *s, uint32_t id);

uint64_t pa_strings_memory_bytes(const struct pa_strings *s);

#endif
