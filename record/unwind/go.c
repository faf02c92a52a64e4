// SPDX-License-Identifier: GPL-2.0-or-later
/* Stacks of Go's runtime. */
#include "record/unwind/go.h"

#include <string.h>

#include "format/util/mem.h"

#define MAX_FUNCTION 512 /* bytes: runtime.mcall has a tenth of that */

uint64_t rec_go_outermost(const struct rec_image *im, uint64_t start, uint64_t end)
{
	/* What runtime.mcall does to run the scheduler: sp = g.sched.sp, in its internal calling convention. */
	static const uint8_t x86_64[] = {0x49, 0x8b, 0x66, 0x38}; /* mov 0x38(%r14), %rsp */
	static const uint8_t aarch64[] = {0x80, 0x1f, 0x40, 0xf9,
					  0x1f, 0,    0,    0x91}; /* by way of x0 */
	const uint8_t *pattern = im->arch == EV_UNWIND_AARCH64 ? aarch64 : x86_64;
	size_t len = im->arch == EV_UNWIND_AARCH64 ? sizeof(aarch64) : sizeof(x86_64), left;
	const uint8_t *code, *found;

	if (!im->go || end - start > MAX_FUNCTION)
		return UINT64_MAX;
	code = rec_image_code(im, start, &left);
	found = code ? memmem(code, PA_MIN(left, (size_t)(end - start)), pattern, len) : NULL;
	return found ? start + (uint64_t)(found - code) + len : UINT64_MAX;
}
