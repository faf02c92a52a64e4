// SPDX-License-Identifier: GPL-2.0-or-later
/* Growth of arrays with checked sizes. */
#include "format/util/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int pa_grow(void *items, size_t *cap, size_t need, size_t item_bytes)
{
	size_t want = *cap, bytes;
	void *old, *grown;

	if (need <= *cap)
		return 0;
	while (want < need) {
		if (want == 0)
			want = 16;
		else if (!pa_mul_ok(want, (size_t)2, &want))
			return -ENOMEM;
	}
	if (!pa_mul_ok(want, item_bytes, &bytes))
		return -ENOMEM;
	memcpy(&old, items, sizeof(old));
	grown = realloc(old, bytes);
	if (!grown)
		return -ENOMEM;
	memcpy(items, &grown, sizeof(grown));
	*cap = want;
	return 0;
}
