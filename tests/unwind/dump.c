// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints the unwind table of an ELF file as text, for comparison with other tools, or what it cost. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "format/util/err.h"
#include "record/unwind/unwind.h"
#include "tests/unwind/text.h"

#define ROUNDS 5

static void print_stats(const struct rec_unwind_stats *s, size_t bytes, double ms)
{
	unsigned why;

	printf("%" PRIu64 " FDEs, %" PRIu64 " bad, %" PRIu64 " outside, %" PRIu64
	       " covered, %" PRIu64 " cut\n",
	       s->fdes, s->fdes_bad, s->fdes_outside, s->fdes_covered, s->sections_cut);
	printf("%" PRIu64 " rows written, %" PRIu64 " kept, %" PRIu64
	       " sides, %zu bytes, %.2f ms\n",
	       s->rows_written, s->rows, s->sides, bytes, ms);
	printf("%" PRIu64 " paddings, %" PRIu64 " trampolines, %" PRIu64 " frame pointers lost\n",
	       s->paddings, s->trampolines, s->fp_lost);
	for (why = 1; why < EV_UNWIND_WHYS; why++)
		if (s->unsupported[why])
			printf("%" PRIu64 " rows without rule: %s\n", s->unsupported[why],
			       rec_unwind_why(why));
}

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

int main(int argc, char **argv)
{
	bool only_stats = argc == 3 && strcmp(argv[1], "--stats") == 0;
	const char *path = argv[argc - 1];
	struct rec_unwind_stats stats;
	struct rec_unwind_view v;
	struct pa_buf table, text;
	double start, ms, best = 1e9;
	int fd, err = 0, round;
	uint32_t i;

	if (argc != 2 && !only_stats) {
		fprintf(stderr, "usage: dump [--stats] FILE\n");
		return 2;
	}
	fd = open(path, O_RDONLY | O_CLOEXEC);
	pa_buf_init(&table);
	for (round = 0; round < (only_stats ? ROUNDS : 1) && !err; round++) {
		pa_buf_reset(&table);
		start = now_ms();
		err = rec_unwind_compile_fd(fd, &table, &stats);
		ms = now_ms() - start;
		best = ms < best ? ms : best;
	}
	if (!err)
		err = rec_unwind_open(table.data, table.len, &v);
	if (err)
		fprintf(stderr, "dump: cannot compile '%s': %s\n", path, pa_strerror(err));
	if (!err && only_stats)
		print_stats(&stats, table.len, best);
	pa_buf_init(&text);
	for (i = 0; !err && !only_stats && i < v.head->rows; i++)
		text_row(&text, &v, i);
	fputs(pa_buf_str(&text), stdout);
	pa_buf_fini(&text);
	pa_buf_fini(&table);
	close(fd);
	return err ? 1 : 0;
}
