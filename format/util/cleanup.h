/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scope-bound release of resources, for functions that hold two or more of them. */
#ifndef PA_CLEANUP_H
#define PA_CLEANUP_H

#include <stdlib.h>
#include <unistd.h>

/* Declares with PA_CLEANUP(pa_free_ptr) char *x = NULL: released when x goes out of scope. */
#define PA_CLEANUP(fn) __attribute__((cleanup(fn)))

/* Defines name##_ptr(), the cleanup handler of a type with a *_free(T *) function. */
#define PA_DEFINE_CLEANUP(type, free_fn)           \
	static inline void free_fn##_ptr(type **p) \
	{                                          \
		free_fn(*p);                       \
	}

/* Hands the value over to the caller and empties the variable, so that its cleanup does nothing. */
#define pa_steal(p)                                 \
	({                                          \
		__typeof__(*(p)) pa_stolen_ = *(p); \
		*(p) = NULL;                        \
		pa_stolen_;                         \
	})

static inline void pa_free_ptr(void *p)
{
	free(*(void **)p);
}

/* Closes a descriptor when it is one; -1 means none. */
static inline void pa_close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

#endif
