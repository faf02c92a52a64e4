// SPDX-License-Identifier: GPL-2.0-or-later
/* Objects by index. */
#include "record/pool.h"

#include <stdlib.h>

#include "format/util/mem.h"

int rec_pool_add(struct rec_pool *pool, void *item, uint32_t *index)
{
	int err;

	if (pool->free_count) {
		*index = pool->free_list[--pool->free_count];
	} else {
		err = pa_grow(&pool->items, &pool->cap, pool->count + 1, sizeof(*pool->items));
		/* Room for every index, so that giving one back cannot fail. */
		if (!err)
			err = pa_grow(&pool->free_list, &pool->free_cap, pool->count + 1,
				      sizeof(*pool->free_list));
		if (err)
			return err;
		*index = (uint32_t)pool->count++;
	}
	pool->items[*index] = item;
	return 0;
}

void rec_pool_del(struct rec_pool *pool, uint32_t index)
{
	pool->items[index] = NULL;
	pool->free_list[pool->free_count++] = index;
}

void rec_pool_fini(struct rec_pool *pool)
{
	free(pool->items);
	free(pool->free_list);
	*pool = (struct rec_pool){0};
}
