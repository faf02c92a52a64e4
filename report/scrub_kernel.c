// SPDX-License-Identifier: GPL-2.0-or-later
/* Kernel addresses that say nothing of where the kernel lay. */
#include "report/scrub_kernel.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "report/xmem.h"

/* The upper half of the addresses is the kernel's, on all machines that are recorded; */
#define KERNEL_FIRST (1ull << 63)
/* but for one page, which x86 programs may call, and which always is at this address. */
#define VSYSCALL 0xffffffffff600000ull
#define PAGE_BYTES 4096ull
/* Ranges are given out from here on; what is in none of them is shown at the other address. */
#define FIRST_MOVED 0xffffffff80000000ull
#define UNKNOWN_MOVED 0xffffffffffffe000ull
/* No kernel has so many modules; what comes later counts as unknown. */
#define MAX_RANGES 65536

void rpt_kernel_mover_fini(struct rpt_kernel_mover *m)
{
	free(m->ranges);
	*m = (struct rpt_kernel_mover){0};
}

static bool is_kernel(uint64_t address)
{
	return address >= KERNEL_FIRST && address - VSYSCALL >= PAGE_BYTES;
}

/* Index of the first range that starts behind the address. */
static size_t behind(const struct rpt_kernel_mover *m, uint64_t address)
{
	size_t lo = 0, hi = m->count, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (m->ranges[mid].start <= address)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static const struct rpt_moved_range *find(const struct rpt_kernel_mover *m, uint64_t address)
{
	size_t i = behind(m, address);

	return i && address < m->ranges[i - 1].end ? &m->ranges[i - 1] : NULL;
}

/* Room for the range, and a page of nothing behind it; 0 when there is none left. */
static uint64_t place(struct rpt_kernel_mover *m, uint64_t start, uint64_t length_bytes)
{
	uint64_t at = (m->next ? m->next : FIRST_MOVED) + start % PAGE_BYTES, end;

	if (!pa_add_ok(at, length_bytes, &end) || !pa_add_ok(end, 2 * PAGE_BYTES, &end) ||
	    end > VSYSCALL)
		return 0;
	m->next = end & -PAGE_BYTES;
	return at;
}

uint64_t rpt_kernel_mover_add(struct rpt_kernel_mover *m, uint64_t start, uint64_t length_bytes)
{
	struct rpt_moved_range fresh = {.start = start};
	size_t at;

	if (!is_kernel(start) || find(m, start) || m->count == MAX_RANGES ||
	    !pa_add_ok(start, PA_MAX(length_bytes, 1ull), &fresh.end))
		return rpt_kernel_mover_move(m, start);
	fresh.moved = place(m, start, fresh.end - start);
	if (!fresh.moved)
		return UNKNOWN_MOVED;
	at = behind(m, start);
	/* One that begins inside of this one is its own. */
	if (at < m->count)
		fresh.end = PA_MIN(fresh.end, m->ranges[at].start);
	rpt_xgrow(&m->ranges, &m->cap, m->count + 1, sizeof(*m->ranges));
	memmove(&m->ranges[at + 1], &m->ranges[at], (m->count - at) * sizeof(fresh));
	m->ranges[at] = fresh;
	m->count++;
	return fresh.moved;
}

uint64_t rpt_kernel_mover_move(const struct rpt_kernel_mover *m, uint64_t address)
{
	const struct rpt_moved_range *r;

	if (!is_kernel(address))
		return address;
	r = find(m, address);
	return r ? r->moved + (address - r->start) : UNKNOWN_MOVED;
}
