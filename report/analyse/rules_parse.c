// SPDX-License-Identifier: GPL-2.0-or-later
/* The syntax of rules files: lines of a keyword and its value; hint and thread begin a block. */
#include "report/analyse/rules.h"

#include <stdlib.h>
#include <string.h>

#include "format/cli/values.h"
#include "format/util/buf.h"
#include "format/util/err.h"
#include "format/util/utf8.h"
#include "report/analyse/waits.h"
#include "report/xmem.h"

#define MAX_LINE_BYTES 4096
#define BLANK " \t\r"

enum block { AT_TOP, IN_HINT, IN_THREAD };

struct parser {
	struct rpt_rules *r;
	struct rpt_rules fresh; /* hints and threads of this text, in its order */
	const char *file;
	uint32_t line;
	bool user; /* the built-in rules are there already */
	enum block block;
	struct pa_buf *error;
};

static int mistake(struct parser *p, uint32_t line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
static int mistake(struct parser *p, uint32_t line, const char *fmt, ...)
{
	va_list ap;

	pa_buf_reset(p->error);
	pa_buf_addf(p->error, "%s:%u: ", p->file, line);
	va_start(ap, fmt);
	pa_buf_vaddf(p->error, fmt, ap);
	va_end(ap);
	return PA_E_SYNTAX;
}

static struct rpt_hint_rule *hint_of(struct parser *p)
{
	return &p->fresh.hints[p->fresh.hint_count - 1];
}

static struct rpt_thread_rule *thread_of(struct parser *p)
{
	return &p->fresh.threads[p->fresh.thread_count - 1];
}

/* The next word of a line, terminated in place; "" at the end. */
static char *next_word(char **at)
{
	char *word = *at + strspn(*at, BLANK), *end = word + strcspn(word, BLANK);

	*at = *end ? end + 1 : end;
	*end = '\0';
	return word;
}

/* --- values --- */

static int set_once(struct parser *p, const char *keyword, char **into, const char *value)
{
	if (*into)
		return mistake(p, p->line, "'%s' is given twice in this block", keyword);
	*into = rpt_xstrdup(value);
	return 0;
}

/* Patterns may go on in further lines of the same keyword. */
static int add_patterns(struct parser *p, char **into, const char *value)
{
	struct pa_buf all;

	(void)p;
	pa_buf_init(&all);
	if (*into)
		pa_buf_addf(&all, "%s ", *into);
	for (; *value; value++)
		pa_buf_add_char(&all, *value == '\t' ? ' ' : *value);
	rpt_xcheck(pa_buf_error(&all));
	free(*into);
	*into = pa_buf_take(&all);
	return 0;
}

/* Names of classes, separated by commas, since some have a space in them. */
static int add_classes(struct parser *p, uint32_t *into, const char *value)
{
	uint32_t i;
	size_t len;

	for (;;) {
		value += strspn(value, BLANK);
		len = strcspn(value, ",");
		while (len && strchr(BLANK, value[len - 1]))
			len--;
		for (i = 0; i < rpt_wait_class_count; i++)
			if (strlen(rpt_wait_classes[i].name) == len &&
			    memcmp(rpt_wait_classes[i].name, value, len) == 0)
				break;
		if (i == rpt_wait_class_count)
			return mistake(
				p, p->line,
				"'%.*s' is no class of waits; expected lock, sleep, poll, socket, "
				"disk, pipe, page fault, child, ..., separated by commas",
				(int)len, value);
		*into |= 1u << i;
		value += strcspn(value, ",");
		if (!*value++)
			return 0;
	}
}

static int read_duration(struct parser *p, const char *text, uint64_t *ns)
{
	size_t len = strlen(text);

	/* A bare number would be seconds, which is hardly ever meant. */
	if (len == 0 || text[len - 1] < 'a' || text[len - 1] > 'z' ||
	    !pa_value_duration(text, ns) || *ns == 0)
		return mistake(p, p->line, "'%s': expected a duration with its unit, as in 50ms",
			       text);
	return 0;
}

/* A decimal number, independent of the locale. */
static bool read_number(const char *text, size_t len, double *number)
{
	double unit = 1.0;
	bool digits = false;
	size_t i;

	*number = 0.0;
	for (i = 0; i < len && text[i] >= '0' && text[i] <= '9' && i < 15; i++) {
		*number = 10.0 * *number + (text[i] - '0');
		digits = true;
	}
	if (i < len && digits && text[i] == '.')
		for (i++, digits = false; i < len && text[i] >= '0' && text[i] <= '9'; i++) {
			unit /= 10.0;
			*number += unit * (text[i] - '0');
			digits = true;
		}
	return digits && i == len;
}

static int read_percent(struct parser *p, const char *text, double *percent)
{
	size_t len = strlen(text);

	if (len < 2 || text[len - 1] != '%' || !read_number(text, len - 1, percent) ||
	    *percent > 100.0)
		return mistake(p, p->line, "'%s': expected a share from 0%% to 100%%, as in 5%%",
			       text);
	return 0;
}

static int read_value(struct parser *p, enum rpt_metric_unit unit, const char *text, double *number)
{
	uint64_t ns = 0;
	int err;

	switch (unit) {
	case RPT_UNIT_NS:
		err = read_duration(p, text, &ns);
		if (!err)
			*number = (double)ns;
		return err;
	case RPT_UNIT_PERCENT:
		return read_percent(p, text, number);
	case RPT_UNIT_RATIO:
		break;
	}
	return read_number(text, strlen(text), number) ?
		       0 :
		       mistake(p, p->line, "'%s': expected a number, as in 1.5", text);
}

/* --- bound ID healthy > VALUE investigate < VALUE --- */

static int expect_word(struct parser *p, const char *word, const char *expected)
{
	if (strcmp(word, expected) == 0)
		return 0;
	return mistake(p, p->line, "%s%s%s where '%s' is expected", *word ? "'" : "",
		       *word ? word : "the line ends", *word ? "'" : "", expected);
}

static int find_metric(struct parser *p, const char *id, size_t *metric)
{
	struct pa_buf known;
	size_t i;
	int err;

	pa_buf_init(&known);
	for (i = 0; i < RPT_METRIC_COUNT_; i++) {
		bool has_verdict = p->r->bounds[i].healthy > 0.0 || !p->user;

		if (has_verdict && strcmp(rpt_metrics[i].id, id) == 0) {
			*metric = i;
			pa_buf_fini(&known);
			return 0;
		}
		if (has_verdict)
			pa_buf_addf(&known, "%s%s", known.len ? ", " : "", rpt_metrics[i].id);
	}
	err = mistake(p, p->line, "'%s' has no verdict; expected one of %s", id,
		      pa_buf_str(&known));
	pa_buf_fini(&known);
	return err;
}

static int take_bound(struct parser *p, char *value)
{
	const char *id = next_word(&value), *sign;
	struct rpt_bound bound = {.line = p->line}, *old;
	size_t metric = 0;
	int err = find_metric(p, id, &metric);

	if (err)
		return err;
	old = &p->r->bounds[metric];
	if (old->line)
		return mistake(p, p->line,
			       "the bound of '%s' is given a second time, after line %u", id,
			       old->line);
	err = expect_word(p, next_word(&value), "healthy");
	if (err)
		return err;
	sign = next_word(&value);
	bound.higher_is_better = p->user ? old->higher_is_better : strcmp(sign, ">") == 0;
	err = expect_word(p, sign, bound.higher_is_better ? ">" : "<");
	if (!err)
		err = read_value(p, rpt_metrics[metric].unit, next_word(&value), &bound.healthy);
	if (!err)
		err = expect_word(p, next_word(&value), "investigate");
	if (!err)
		err = expect_word(p, next_word(&value), bound.higher_is_better ? "<" : ">");
	if (!err)
		err = read_value(p, rpt_metrics[metric].unit, next_word(&value),
				 &bound.investigate);
	if (err)
		return err;
	if (*value)
		return mistake(p, p->line, "'%s' where the end of the line is expected", value);
	if (bound.higher_is_better ? bound.investigate > bound.healthy :
				     bound.investigate < bound.healthy)
		return mistake(
			p, p->line,
			"the bounds overlap: a value could be healthy and to be investigated");
	if (!p->user)
		bound.line = 0;
	*old = bound;
	return 0;
}

/* --- blocks --- */

static int begin_hint(struct parser *p, char *value)
{
	rpt_xgrow(&p->fresh.hints, &p->fresh.hint_cap, p->fresh.hint_count + 1,
		  sizeof(*p->fresh.hints));
	p->fresh.hints[p->fresh.hint_count++] =
		(struct rpt_hint_rule){.kind = rpt_xstrdup(value), .line = p->line};
	p->block = IN_HINT;
	return 0;
}

static int begin_thread(struct parser *p, char *value)
{
	rpt_xgrow(&p->fresh.threads, &p->fresh.thread_cap, p->fresh.thread_count + 1,
		  sizeof(*p->fresh.threads));
	p->fresh.threads[p->fresh.thread_count++] =
		(struct rpt_thread_rule){.name = rpt_xstrdup(value), .line = p->line};
	p->block = IN_THREAD;
	return 0;
}

static int take_advice(struct parser *p, char *value)
{
	return set_once(p, "advice", &hint_of(p)->advice, value);
}

static int take_share(struct parser *p, char *value)
{
	return read_percent(p, value, &hint_of(p)->min_percent);
}

static int take_hint_functions(struct parser *p, char *value)
{
	return add_patterns(p, &hint_of(p)->functions, value);
}

static int take_hint_classes(struct parser *p, char *value)
{
	return add_classes(p, &hint_of(p)->classes, value);
}

static int take_process(struct parser *p, char *value)
{
	return set_once(p, "process", &thread_of(p)->process, value);
}

static int take_calls(struct parser *p, char *value)
{
	return add_patterns(p, &thread_of(p)->calls, value);
}

static int take_thread_functions(struct parser *p, char *value)
{
	return add_patterns(p, &thread_of(p)->functions, value);
}

static int take_thread_classes(struct parser *p, char *value)
{
	return add_classes(p, &thread_of(p)->classes, value);
}

static int take_never(struct parser *p, char *value)
{
	return add_patterns(p, &thread_of(p)->never, value);
}

static int take_slice(struct parser *p, char *value)
{
	return read_duration(p, value, &thread_of(p)->slice_ns);
}

static int take_period(struct parser *p, char *value)
{
	return read_duration(p, value, &thread_of(p)->period_ns);
}

static const struct keyword {
	const char *name;
	enum block block; /* where it may stand; at the top: anywhere, and it ends a block */
	const char *value; /* what is expected behind it */
	int (*take)(struct parser *p, char *value);
} keywords[] = {
	{"bound", AT_TOP, "a verdict, as in 'cpu.ipc healthy > 1.0 investigate < 0.8'", take_bound},
	{"hint", AT_TOP, "what the hint is about", begin_hint},
	{"thread", AT_TOP, "a pattern of thread names", begin_thread},
	{"functions", IN_HINT, "patterns of function names", take_hint_functions},
	{"classes", IN_HINT, "classes of waits", take_hint_classes},
	{"share", IN_HINT, "a share, as in 5%", take_share},
	{"advice", IN_HINT, "a sentence", take_advice},
	{"process", IN_THREAD, "a pattern of process names", take_process},
	{"calls", IN_THREAD, "patterns of system calls", take_calls},
	{"functions", IN_THREAD, "patterns of function names", take_thread_functions},
	{"classes", IN_THREAD, "classes of waits", take_thread_classes},
	{"never", IN_THREAD, "patterns of system calls or functions", take_never},
	{"slice", IN_THREAD, "a duration, as in 10ms", take_slice},
	{"period", IN_THREAD, "a duration, as in 5ms", take_period},
};

/* What a block lacks, when it ends. */
static int end_block(struct parser *p)
{
	const struct rpt_hint_rule *h = p->block == IN_HINT ? hint_of(p) : NULL;

	p->block = AT_TOP;
	if (h && !h->functions && !h->classes)
		return mistake(p, h->line, "this hint lacks 'functions' or 'classes'");
	if (h && h->functions && h->classes)
		return mistake(p, h->line,
			       "this hint has 'functions' and 'classes'; expected one of them: the "
			       "one is a share of CPU time, the other of blocked time");
	if (h && !h->advice)
		return mistake(p, h->line, "this hint lacks 'advice'");
	return 0;
}

static int unknown_keyword(struct parser *p, const char *name)
{
	static const char *const places[] = {
		[AT_TOP] = "",
		[IN_HINT] = " in a hint",
		[IN_THREAD] = " of a thread",
	};
	struct pa_buf expected;
	size_t i;
	int err;

	pa_buf_init(&expected);
	for (i = 0; i < PA_ARRAY_LEN(keywords); i++)
		if (keywords[i].block == AT_TOP || keywords[i].block == p->block)
			pa_buf_addf(&expected, "%s%s", expected.len ? ", " : "", keywords[i].name);
	err = mistake(p, p->line, "'%s' is no rule%s; expected one of %s", name, places[p->block],
		      pa_buf_str(&expected));
	pa_buf_fini(&expected);
	return err;
}

static int take_line(struct parser *p, char *line)
{
	char *name = next_word(&line), *end;
	size_t i;
	int err;

	if (*name == '\0' || *name == '#')
		return 0;
	line += strspn(line, BLANK);
	for (end = line + strlen(line); end > line && strchr(BLANK, end[-1]); end--)
		end[-1] = '\0';
	for (i = 0; i < PA_ARRAY_LEN(keywords); i++) {
		const struct keyword *k = &keywords[i];

		if (strcmp(k->name, name) != 0 || (k->block != AT_TOP && k->block != p->block))
			continue;
		err = k->block == AT_TOP ? end_block(p) : 0;
		if (!err && *line == '\0')
			err = mistake(p, p->line, "'%s' is to be followed by %s", name, k->value);
		return err ? err : k->take(p, line);
	}
	return unknown_keyword(p, name);
}

static bool is_utf8(const char *text, size_t len)
{
	size_t n;

	for (; len; text += n, len -= n) {
		n = pa_utf8_char_len(text, len);
		if (n == 0)
			return false;
	}
	return true;
}

static int check_line(struct parser *p, const char *line, size_t len)
{
	if (len > MAX_LINE_BYTES)
		return mistake(p, p->line, "the line is too long; expected up to %d bytes",
			       MAX_LINE_BYTES);
	if (memchr(line, '\0', len) || !is_utf8(line, len))
		return mistake(p, p->line, "expected text in UTF-8");
	return 0;
}

/* What is new comes before what was there. */
static void prepend(void *items, size_t *count, size_t *cap, size_t size, const void *fresh,
		    size_t fresh_count)
{
	void **array = items;

	if (fresh_count == 0)
		return;
	rpt_xgrow(items, cap, *count + fresh_count, size);
	memmove((char *)*array + fresh_count * size, *array, *count * size);
	memcpy(*array, fresh, fresh_count * size);
	*count += fresh_count;
}

int rpt_rules_parse(struct rpt_rules *r, const char *file, const char *text, size_t len,
		    struct pa_buf *error)
{
	struct parser p = {.r = r, .file = file, .user = r->hint_count > 0, .error = error};
	const char *end = text + len;
	int err = 0;

	free(r->file);
	r->file = p.user ? rpt_xstrdup(file) : NULL;
	while (!err && text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		size_t bytes = (size_t)((newline ? newline : end) - text);
		char *line;

		p.line++;
		err = check_line(&p, text, bytes);
		line = rpt_xstrndup(text, err ? 0 : bytes);
		if (!err)
			err = take_line(&p, line);
		free(line);
		text += bytes + (newline != NULL);
	}
	if (!err)
		err = end_block(&p);
	prepend(&r->hints, &r->hint_count, &r->hint_cap, sizeof(*r->hints), p.fresh.hints,
		p.fresh.hint_count);
	prepend(&r->threads, &r->thread_count, &r->thread_cap, sizeof(*r->threads), p.fresh.threads,
		p.fresh.thread_count);
	free(p.fresh.hints);
	free(p.fresh.threads);
	return err;
}
