/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Objects reached by index, so that the table can grow; an index is used again once it is free. */
#ifndef REC_POOL_H
#define REC_POOL_H

#include <stddef.h>
#include <stdint.h>

struct rec_pool {
	void **items; /* owned; NULL where nothing is. The objects are the user's. */
	size_t count, cap;
	uint32_t *free_list; /* owned */
	size_t free_count, free_cap;
};

/* Puts an object in and sets *index. 0 or -ENOMEM. */
int rec_pool_add(struct rec_pool *pool, void *item, uint32_t *index);
/* Takes the object at index out. */
void rec_pool_del(struct rec_pool *pool, uint32_t index);
void rec_pool_fini(struct rec_pool *pool);

#endif
