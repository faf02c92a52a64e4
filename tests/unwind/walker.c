// SPDX-License-Identifier: GPL-2.0-or-later
/* The walk for tests: x86-64 only, as its register file. */
#include "tests/unwind/walker.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/uio.h>
#include <unistd.h>

#include "format/util/mem.h"

struct walk {
	const struct walker_module *module;
	const ucontext_t *innermost;
};

static int read_key(void *ctx, uint32_t index, uint32_t *out)
{
	*out = ((struct walk *)ctx)->module->view.keys[index];
	return 0;
}

static int read_rule(void *ctx, uint32_t index, uint32_t *out)
{
	*out = ((struct walk *)ctx)->module->view.rules[index];
	return 0;
}

static int read_side(void *ctx, uint32_t index, struct ev_unwind_side *out)
{
	const struct rec_unwind_view *v = &((struct walk *)ctx)->module->view;

	if (index >= v->head->sides)
		return -1;
	*out = v->sides[index];
	return 0;
}

static int read_rbx(void *ctx, uint32_t index, uint16_t *out)
{
	const struct rec_unwind_view *v = &((struct walk *)ctx)->module->view;

	if (!v->rbx)
		return -1;
	*out = v->rbx[index];
	return 0;
}

/* By a system call, so that a wrong address is a failed read and no crash. */
static int read_word(uint64_t addr, __u64 *out)
{
	struct iovec to = {out, sizeof(*out)}, from = {(void *)(uintptr_t)addr, sizeof(*out)};

	return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == sizeof(*out) ? 0 : -1;
}

static int read_register(void *ctx, uint32_t number, __u64 *out)
{
	static const int by_dwarf[] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
				       REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
				       REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};

	if (number >= PA_ARRAY_LEN(by_dwarf))
		return -1;
	*out = (uint64_t)((struct walk *)ctx)->innermost->uc_mcontext.gregs[by_dwarf[number]];
	return 0;
}

#define EV_UNWIND_READ_KEY(ctx, index, out) read_key(ctx, index, out)
#define EV_UNWIND_READ_RULE(ctx, index, out) read_rule(ctx, index, out)
#define EV_UNWIND_READ_SIDE(ctx, index, out) read_side(ctx, index, out)
#define EV_UNWIND_READ_RBX(ctx, index, out) read_rbx(ctx, index, out)
#define EV_UNWIND_READ_WORD(ctx, addr, out) ((void)(ctx), read_word(addr, out))
#define EV_UNWIND_READ_REG(ctx, number, out) read_register(ctx, number, out)
#include "bpf/unwind_step.h"

static int compile(struct walker_module *m, const char *path)
{
	struct rec_unwind_stats stats;
	int fd, err;

	/* The vdso has no file: its image in memory is one. */
	if (path) {
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			return -errno;
		err = rec_unwind_compile_fd(fd, &m->table, &stats);
		close(fd);
	} else {
		err = rec_unwind_compile((const void *)(uintptr_t)m->start, m->end - m->start,
					 &m->table, &stats);
	}
	return err ? err : rec_unwind_open(m->table.data, m->table.len, &m->view);
}

static int add_module(struct dl_phdr_info *info, size_t size, void *data)
{
	struct walker *w = data;
	struct walker_module *m = &w->modules[w->count];
	const char *path = info->dlpi_name[0] ? info->dlpi_name : "/proc/self/exe";
	bool vdso = info->dlpi_addr == getauxval(AT_SYSINFO_EHDR);
	uint64_t from, to;
	size_t i;

	(void)size;
	if (w->count == WALKER_MODULES)
		return -ENOMEM;
	*m = (struct walker_module){.bias = info->dlpi_addr, .start = UINT64_MAX};
	for (i = 0; i < info->dlpi_phnum; i++) {
		if (info->dlpi_phdr[i].p_type != PT_LOAD)
			continue;
		from = m->bias + info->dlpi_phdr[i].p_vaddr;
		to = from + info->dlpi_phdr[i].p_memsz;
		m->start = PA_MIN(m->start, from);
		m->end = PA_MAX(m->end, to);
	}
	w->count++;
	return compile(m, vdso ? NULL : path);
}

int walker_init(struct walker *w)
{
	*w = (struct walker){0};
	return dl_iterate_phdr(add_module, w);
}

void walker_fini(struct walker *w)
{
	size_t i;

	for (i = 0; i < w->count; i++)
		pa_buf_fini(&w->modules[i].table);
}

static const struct walker_module *find_module(const struct walker *w, uint64_t addr)
{
	size_t i;

	for (i = 0; i < w->count; i++)
		if (addr >= w->modules[i].start && addr < w->modules[i].end)
			return &w->modules[i];
	return NULL;
}

size_t walker_walk(struct walker *w, const ucontext_t *uc, uint64_t *frames, size_t max, int *end)
{
	struct walk walk = {.innermost = uc};
	struct ev_unwind_regs r = {
		.ip = (uint64_t)uc->uc_mcontext.gregs[REG_RIP],
		.sp = (uint64_t)uc->uc_mcontext.gregs[REG_RSP],
		.fp = (uint64_t)uc->uc_mcontext.gregs[REG_RBP],
		.rbx = (uint64_t)uc->uc_mcontext.gregs[REG_RBX],
		.known = EV_UNWIND_FP_KNOWN | EV_UNWIND_RBX_KNOWN | EV_UNWIND_IP_EXACT |
			 EV_UNWIND_INNERMOST,
		.arch = EV_UNWIND_X86_64,
	};
	size_t n = 0;
	uint32_t row;
	uint64_t at;

	*end = EV_UNWIND_STEPPED;
	while (n < max) {
		frames[n++] = r.ip;
		at = ev_unwind_lookup_ip(&r);
		walk.module = find_module(w, at);
		*end = EV_UNWIND_NO_RULE;
		if (walk.module)
			*end = ev_unwind_find(&walk, walk.module->view.head->base,
					      walk.module->view.head->rows, at - walk.module->bias,
					      &row);
		if (!*end)
			*end = ev_unwind_step(&walk, &r, row);
		if (*end)
			break;
		w->steps[EV_UNWIND_RULE_KIND(walk.module->view.rules[row])]++;
	}
	return n;
}
