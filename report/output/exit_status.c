// SPDX-License-Identifier: GPL-2.0-or-later
/* What the exit status of a recorded command means. */
#include "format/util/mem.h"
#include "report/output/text.h"

/* Linux's numbers, which are the same on x86 and ARM: a trace is read on any machine. */
static const struct {
	uint32_t number;
	const char *name;
	const char *meaning;
} signals[] = {
	{1, "SIGHUP", "terminal closed"},
	{2, "SIGINT", "interrupted"},
	{3, "SIGQUIT", "quit from the terminal"},
	{4, "SIGILL", "illegal instruction"},
	{5, "SIGTRAP", "breakpoint or trap"},
	{6, "SIGABRT", "abort or failed assertion"},
	{7, "SIGBUS", "access behind the end of a mapped file, or misaligned"},
	{8, "SIGFPE", "division by zero or other arithmetic fault"},
	{9, "SIGKILL", "by hand, or often by the kernel when memory ran out"},
	{11, "SIGSEGV", "invalid memory access"},
	{13, "SIGPIPE", "wrote to a closed pipe"},
	{14, "SIGALRM", "alarm"},
	{15, "SIGTERM", "asked to terminate"},
	{24, "SIGXCPU", "CPU time limit"},
	{25, "SIGXFSZ", "file size limit"},
	{31, "SIGSYS", "forbidden system call"},
};

static void add_signal(struct pa_buf *out, uint32_t number)
{
	size_t i;

	for (i = 0; i < PA_ARRAY_LEN(signals); i++) {
		if (signals[i].number == number) {
			pa_buf_addf(out, "%s: %s", signals[i].name, signals[i].meaning);
			return;
		}
	}
	pa_buf_addf(out, "signal %u", number);
}

void rpt_add_exit_status(struct pa_buf *out, uint32_t status)
{
	uint32_t number = status & 0x7f, code = (status >> 8) & 0xff;

	if (number) {
		pa_buf_addf(out, "killed by signal %u, status %u (", number, 128 + number);
		add_signal(out, number);
		pa_buf_add_str(out, status & 0x80 ? "; core dumped)" : ")");
	} else if (code > 128 && code <= 128 + 64) {
		/* A shell's way to say that its child was killed. */
		pa_buf_addf(out, "exit status %u (", code);
		add_signal(out, code - 128);
		pa_buf_add_char(out, ')');
	} else {
		pa_buf_addf(out, "exit status %u", code);
	}
}
