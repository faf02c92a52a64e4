// SPDX-License-Identifier: GPL-2.0-or-later
/* Variance of rates from blocks of time, and Welch's test. */
#include "report/analyse/diff_stats.h"

#include <math.h>

#include "format/util/mem.h"

/* Degrees of freedom of what rests on counts, not on blocks. */
#define MANY_DEGREES 1e6
#define Z95 1.96

/* Continued fraction of the incomplete beta function (Abramowitz and Stegun 26.5.8), by Lentz's method. */
static double beta_fraction(double a, double b, double x)
{
	const double tiny = 1e-300;
	double c = 1.0, d = 1.0 - (a + b) * x / (a + 1.0), f, step, term;
	int m, i;

	d = 1.0 / (fabs(d) < tiny ? tiny : d);
	f = d;
	for (m = 1; m < 1000; m++) {
		for (i = 0; i < 2; i++) {
			term = i == 0 ?
				       m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)) :
				       -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
			d = 1.0 + term * d;
			d = 1.0 / (fabs(d) < tiny ? tiny : d);
			c = 1.0 + term / c;
			c = fabs(c) < tiny ? tiny : c;
			step = c * d;
			f *= step;
		}
		if (fabs(step - 1.0) < 1e-12)
			break;
	}
	return f;
}

static double incomplete_beta(double a, double b, double x)
{
	double front;

	if (x <= 0.0 || x >= 1.0)
		return x >= 1.0;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1.0) / (a + b + 2.0))
		return front * beta_fraction(a, b, x) / a;
	return 1.0 - front * beta_fraction(b, a, 1.0 - x) / b;
}

double rpt_student_tail(double t, double degrees)
{
	if (!isfinite(t))
		return 0.0;
	if (degrees >= MANY_DEGREES)
		return erfc(fabs(t) / sqrt(2.0));
	return incomplete_beta(degrees / 2.0, 0.5, degrees / (degrees + t * t));
}

struct variance {
	double value; /* of the rate */
	double degrees;
};

static struct variance variance_of(const struct rpt_diff_sample *s)
{
	double mean = 0.0, squares = 0.0, n = (double)s->block_count, counted = 0.0, share;
	struct variance v = {.degrees = MANY_DEGREES};
	size_t i;

	if (s->seconds <= 0.0)
		return v;
	for (i = 0; i < s->block_count; i++)
		mean += (double)s->blocks[i] / n;
	for (i = 0; i < s->block_count; i++)
		squares += ((double)s->blocks[i] - mean) * ((double)s->blocks[i] - mean);
	if (s->block_count > 1) {
		v.value = n * squares / (n - 1.0);
		v.degrees = n - 1.0;
	}
	if (s->count && s->all_count) {
		share = (double)s->count / (double)s->all_count;
		counted = s->value * s->value * (1.0 - PA_MIN(share, 1.0)) / (double)s->count;
	}
	if (counted >= v.value)
		v = (struct variance){counted, MANY_DEGREES};
	v.value /= s->seconds * s->seconds;
	return v;
}

struct rpt_diff_test rpt_diff_compare(const struct rpt_diff_sample *before,
				      const struct rpt_diff_sample *after)
{
	struct variance b = variance_of(before), a = variance_of(after);
	struct rpt_diff_test test = {.p = 1.0};
	double x, y, degrees, sum, run;

	if (before->seconds <= 0.0 || after->seconds <= 0.0)
		return test;
	x = before->value / before->seconds;
	y = after->value / after->seconds;
	run = RPT_DIFF_RUN_TO_RUN * RPT_DIFF_RUN_TO_RUN * (x * x + y * y);
	sum = b.value + a.value;
	degrees = sum > 0.0 ?
			  sum * sum /
				  (b.value * b.value / b.degrees + a.value * a.value / a.degrees) :
			  MANY_DEGREES;
	test.error = sqrt(sum + run);
	test.half = Z95 * test.error;
	if (x != y)
		test.p = test.error > 0.0 ? rpt_student_tail((y - x) / test.error, degrees) : 0.0;
	return test;
}
