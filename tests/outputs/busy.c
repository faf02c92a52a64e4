// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A text trace of a program that never ran: busy [OPTION=VALUE]... prints it.
 *
 * A program of functions=50, the first with a third of the work, on cpus=1 CPUs for seconds=10, sampled at hz=997.
 * It works for what is asked of it and idles else (busy=70 % of the time); slow=PCT makes the first function slower.
 * Its work comes in bursts of about bursts=40 ms, each of which has a mix of its own; 0: all have the same.
 * seed=1 chooses among such recordings; base= is where it is mapped, suffix= is what compilers add to names,
 * to every third of them.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FUNCTIONS 1000
#define START_NS 1000000000ull

static struct {
	uint64_t seed, seconds, hz, cpus, functions, slow, bursts, base, busy;
	const char *suffix;
} o = {1, 10, 997, 1, 50, 0, 40, 0x400000, 70, ""};

static const struct {
	const char *name;
	uint64_t *value;
} numbers[] = {
	{"seed", &o.seed},     {"seconds", &o.seconds},     {"hz", &o.hz},
	{"cpus", &o.cpus},     {"functions", &o.functions}, {"slow", &o.slow},
	{"bursts", &o.bursts}, {"base", &o.base},           {"busy", &o.busy},
};

/* Numbers of their own, so that a seed means the same everywhere: splitmix64 (Steele, Lea and Flood 2014). */
static uint64_t state;

static double random_unit(void)
{
	uint64_t z = state += 0x9e3779b97f4a7c15ull;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return ((double)((z ^ (z >> 31)) >> 11) + 0.5) / 9007199254740992.0;
}

static double random_exponential(void)
{
	return -log(random_unit());
}

/* Gamma distribution of shape 2 and mean 1. */
static double random_gamma(void)
{
	return 0.5 * (random_exponential() + random_exponential());
}

/* What the functions' shares of the work are, summed up: a third, and the others ever less. */
static double weights[MAX_FUNCTIONS], mix[MAX_FUNCTIONS];

static void make_weights(void)
{
	double rest = 0.0;
	uint64_t i;

	for (i = 1; i < o.functions; i++)
		rest += weights[i] = pow(0.9, (double)i);
	weights[0] = 1.0 / 3.0;
	for (i = 1; i < o.functions; i++)
		weights[i] *= 2.0 / 3.0 / rest;
}

static void make_mix(void)
{
	double sum = 0.0;
	uint64_t i;

	for (i = 0; i < o.functions; i++)
		mix[i] = sum += o.bursts ? weights[i] * random_gamma() : weights[i];
}

static uint64_t draw_function(void)
{
	double x = random_unit() * mix[o.functions - 1];
	uint64_t f = 0;

	while (f + 1 < o.functions && mix[f] < x)
		f++;
	return f;
}

static void print_head(void)
{
	uint64_t i;

	printf("session recorder=\"pa-record 0.1.0\" arch=\"x86_64\" word_bits=64 page_bytes=4096 "
	       "clock=\"CLOCK_MONOTONIC\" start_ns=%llu start_wall_ns=%llu host=\"run\" kernel=\"6.1.0\" "
	       "cpus=4 target=\"all\" modes=1 duration_ns=%llu\n"
	       "sampling event=\"cpu-clock\" rate_hz=%llu period=%llu\ntag key=\"build\" value=\"%s\"\n"
	       "module id=1 path=\"/opt/run\"\nmodule id=2 kind=2\n"
	       "process time_ns=%llu id=1 pid=100 comm=\"run\"\n"
	       "mapping time_ns=%llu process=1 start=%llu length_bytes=0x100000 module=2 prot=5\n",
	       START_NS, 1700000000000000000ull + (unsigned long long)o.seed,
	       (unsigned long long)o.seconds * 1000000000, (unsigned long long)o.hz,
	       1000000000ull / (unsigned long long)o.hz, *o.suffix ? o.suffix : "plain", START_NS,
	       START_NS, (unsigned long long)o.base);
	for (i = 0; i <= o.functions; i++) {
		printf("jit_symbol process=1 start=%llu length_bytes=256 name=\"",
		       (unsigned long long)(o.base + 256 * i));
		printf(i < o.functions ? "f%llu" : "main", (unsigned long long)i);
		printf("%s\"\n", i % 3 == 0 ? o.suffix : "");
	}
	for (i = 1; i <= o.cpus; i++)
		printf("thread time_ns=%llu id=%llu process=1 tid=%llu comm=\"run\"\n", START_NS,
		       (unsigned long long)i, (unsigned long long)(99 + i));
	printf("stack id=16 parent=2 frames=[%llu]\n",
	       (unsigned long long)(o.base + 256 * o.functions + 8));
	for (i = 0; i < o.functions; i++)
		printf("stack id=%llu parent=16 frames=[%llu]\n", (unsigned long long)(17 + i),
		       (unsigned long long)(o.base + 256 * i + 16));
}

struct sample {
	uint64_t time_ns, cpu, function;
};

static int by_time(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return x->cpu < y->cpu ? -1 : x->cpu > y->cpu;
}

/* A burst of work: pieces of about a millisecond, the slow function's longer. Where the clock ticks is sampled. */
static size_t run_burst(struct sample *samples, double *time, double *tick, uint64_t cpu)
{
	double length = random_exponential() * (double)(o.bursts ? o.bursts : 10) * 1e6, done = 0.0;
	double period = floor(1e9 / (double)o.hz), end = (double)o.seconds * 1e9, took;
	uint64_t pieces = length >= 2e6 ? (uint64_t)(length / 1e6) : 1, i, f;
	size_t n = 0;

	make_mix();
	for (i = 0; i < pieces; i++) {
		f = draw_function();
		took = length / (double)pieces * (f == 0 ? 1.0 + (double)o.slow / 100.0 : 1.0);
		*time += took;
		done += took;
		for (; *tick < *time && *tick < end; *tick += period)
			samples[n++] = (struct sample){START_NS + (uint64_t)*tick, cpu, f};
	}
	/* What is slower has less time to idle; the rest of the work stays what it is. */
	*time += fmax(0.0, length * 100.0 / (double)o.busy - done);
	while (*tick < *time)
		*tick += period;
	return n;
}

static int take_option(const char *word)
{
	const char *value = strchr(word, '=');
	size_t i;

	if (value && strncmp(word, "suffix=", 7) == 0) {
		o.suffix = value + 1;
		return 0;
	}
	for (i = 0; value && i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (strlen(numbers[i].name) == (size_t)(value - word) &&
		    strncmp(word, numbers[i].name, (size_t)(value - word)) == 0) {
			*numbers[i].value = strtoull(value + 1, NULL, 0);
			return 0;
		}
	fprintf(stderr, "busy: '%s' is no option\n", word);
	return -1;
}

int main(int argc, char **argv)
{
	unsigned long long end_ns;
	struct sample *samples;
	double time, tick;
	uint64_t cpu;
	size_t n = 0, i;
	int k;

	for (k = 1; k < argc; k++)
		if (take_option(argv[k]) < 0)
			return 2;
	if (o.functions < 1 || o.functions > MAX_FUNCTIONS || !o.hz || !o.busy || o.cpus > 1000)
		return 2;
	samples = calloc((size_t)(o.cpus * (o.seconds * o.hz + o.hz)), sizeof(*samples));
	if (!samples)
		return 1;
	state = o.seed * 0x2545f4914f6cdd1dull;
	make_weights();
	print_head();
	for (cpu = 0; cpu < o.cpus; cpu++) {
		tick = random_unit() * floor(1e9 / (double)o.hz);
		for (time = 0.0; time < (double)o.seconds * 1e9;)
			n += run_burst(samples + n, &time, &tick, cpu);
	}
	qsort(samples, n, sizeof(*samples), by_time);
	for (i = 0; i < n; i++)
		printf("sample time_ns=%llu thread=%llu ustack=%llu cpu=%llu\n",
		       (unsigned long long)samples[i].time_ns,
		       (unsigned long long)samples[i].cpu + 1,
		       (unsigned long long)samples[i].function + 17,
		       (unsigned long long)samples[i].cpu);
	end_ns = START_NS + o.seconds * 1000000000;
	printf("covered time_ns=%llu\nend time_ns=%llu reason=0\n", end_ns, end_ns);
	free(samples);
	return ferror(stdout) || fflush(stdout) ? 1 : 0;
}
