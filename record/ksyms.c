// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of kernel addresses, asked one at a time. */
#include "record/ksyms.h"

#include <stdlib.h>
#include <string.h>

#include "format/util/buf.h"
#include "format/util/mem.h"
#include "record/kallsyms.h"

/* Where the answers would outgrow a recorder's memory, no more are kept: a kernel has fewer functions. */
#define MOST_ANSWERS (1u << 19)

struct answer {
	uint64_t start;
	uint64_t length_bytes;
	uint32_t name; /* offsets in the blob */
	uint32_t module;
	bool named;
};

struct rec_ksyms {
	rec_ksyms_ask_fn *ask;
	void *ctx;
	struct answer *answers; /* by start */
	size_t count, cap;
	struct pa_buf strings;
};

struct rec_ksyms *rec_ksyms_new(rec_ksyms_ask_fn *ask, void *ctx)
{
	struct rec_ksyms *k = calloc(1, sizeof(*k));

	if (k)
		*k = (struct rec_ksyms){.ask = ask, .ctx = ctx};
	return k;
}

void rec_ksyms_free(struct rec_ksyms *k)
{
	if (!k)
		return;
	free(k->answers);
	pa_buf_fini(&k->strings);
	free(k);
}

/* --- one answer --- */

/* "0x12" at the place of *text, which is moved behind it. */
static bool take_hex(const char **text, uint64_t *value)
{
	char *end;

	if (strncmp(*text, "0x", 2) != 0)
		return false;
	*value = strtoull(*text, &end, 16);
	if (end == *text + 2)
		return false;
	*text = end;
	return true;
}

static uint32_t add_string(struct rec_ksyms *k, const char *text, size_t len)
{
	uint32_t at = (uint32_t)k->strings.len;

	pa_buf_add(&k->strings, text, len);
	pa_buf_add(&k->strings, "", 1);
	return at;
}

/* Names may have a plus sign in them: the offset stands behind the last one. */
static bool parse(struct rec_ksyms *k, const char *text, uint64_t address, struct answer *answer)
{
	const char *plus = strrchr(text, '+'), *rest = plus ? plus + 1 : NULL;
	uint64_t offset, length;

	if (!plus || plus == text || !take_hex(&rest, &offset) || *rest++ != '/' ||
	    !take_hex(&rest, &length) || offset > address || offset >= length)
		return false;
	answer->start = address - offset;
	answer->length_bytes = length;
	answer->name = add_string(k, text, (size_t)(plus - text));
	/* A module's build ID may follow its name. */
	if (strncmp(rest, " [", 2) == 0)
		answer->module = add_string(k, rest + 2, strcspn(rest + 2, " ]"));
	else
		answer->module = add_string(k, "", 0);
	return !pa_buf_error(&k->strings) && k->strings.len < UINT32_MAX;
}

/* --- all of them --- */

/* The first answer that starts behind the address. */
static size_t place(const struct rec_ksyms *k, uint64_t address)
{
	size_t low = 0, high = k->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (k->answers[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static const struct answer *ask(struct rec_ksyms *k, uint64_t address)
{
	struct answer answer = {.start = address, .length_bytes = 1};
	const char *text = k->count < MOST_ANSWERS ? k->ask(k->ctx, address) : NULL;
	size_t at;

	if (!text)
		return NULL;
	answer.named = parse(k, text, address, &answer);
	if (pa_grow(&k->answers, &k->cap, k->count + 1, sizeof(*k->answers)) < 0)
		return NULL;
	at = place(k, answer.start);
	memmove(&k->answers[at + 1], &k->answers[at], (k->count - at) * sizeof(*k->answers));
	k->answers[at] = answer;
	k->count++;
	return &k->answers[at];
}

bool rec_ksyms_find(struct rec_ksyms *k, uint64_t address, struct rec_kernel_symbol *symbol)
{
	size_t at = place(k, address);
	const struct answer *answer = at > 0 ? &k->answers[at - 1] : NULL;

	if (!answer || address - answer->start >= answer->length_bytes)
		answer = ask(k, address);
	if (!answer || !answer->named)
		return false;
	*symbol = (struct rec_kernel_symbol){
		.start = answer->start,
		.length_bytes = answer->length_bytes,
		.name = (const char *)k->strings.data + answer->name,
		.module = (const char *)k->strings.data + answer->module,
	};
	return true;
}

size_t rec_ksyms_count(const struct rec_ksyms *k)
{
	return k->count;
}

size_t rec_ksyms_bytes(const struct rec_ksyms *k)
{
	return sizeof(*k) + k->cap * sizeof(*k->answers) + k->strings.cap;
}
