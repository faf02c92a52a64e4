// SPDX-License-Identifier: GPL-2.0-or-later
/* pa-report --pack. */
#include "report/pack_command.h"

#include <errno.h>
#include <inttypes.h>

#include "format/cli/log.h"
#include "format/util/cleanup.h"
#include "format/util/err.h"
#include "report/files.h"
#include "report/interrupt.h"
#include "report/newfile.h"
#include "report/pack.h"
#include "report/session.h"
#include "report/symbols/symbols.h"

PA_DEFINE_CLEANUP(struct rpt_session, rpt_session_free)
PA_DEFINE_CLEANUP(struct rpt_pack, rpt_pack_free)

struct input {
	struct rpt_session *session;
	struct rpt_pack *pack;
};

/* What could not be written is no error of what is read. */
static int load(void *ctx, struct pa_reader *reader, const char *file)
{
	const struct input *in = ctx;
	int err = rpt_session_load(in->session, reader, file);

	return rpt_pack_get_error(in->pack) ? 0 : err;
}

/* 0, or PA_EXIT_FAILURE after a message. */
static int load_all(struct input *in, const struct rpt_config *config)
{
	int i;

	for (i = 0; i < config->file_count && !rpt_pack_get_error(in->pack); i++) {
		if (rpt_file_read(config->files[i], load, in) < 0)
			return PA_EXIT_FAILURE;
		if (in->session->model.trace_count < 2)
			continue;
		pa_error("cannot pack '%s' and '%s' into one trace: they are not of the same "
			 "recording; pack each by itself",
			 config->files[0], config->files[i]);
		return PA_EXIT_FAILURE;
	}
	return 0;
}

static void say_what(const struct rpt_pack *p, const char *path)
{
	struct rpt_pack_stats stats;

	rpt_pack_get_stats(p, &stats);
	if (stats.named < stats.addresses)
		pa_info("'%s': %" PRIu64 " of %" PRIu64 " addresses have no name: see --missing",
			path, stats.addresses - stats.named, stats.addresses);
}

int rpt_pack_command(const struct rpt_config *config)
{
	PA_CLEANUP(rpt_session_free_ptr) struct rpt_session *s = rpt_session_new();
	PA_CLEANUP(rpt_pack_free_ptr) struct rpt_pack *p = NULL;
	struct rpt_symbol_options symbols = rpt_config_symbols(config);
	struct rpt_new_file file;
	struct input in;
	int err, failed;

	/* How names are shown is chosen when the packed trace is reported. */
	symbols.no_inlines = false;
	symbols.no_demangle = false;
	if (rpt_files_order(config->files, config->file_count, NULL) < 0)
		return PA_EXIT_FAILURE;
	err = rpt_new_file_open(&file, config->pack);
	p = rpt_pack_new(s, rpt_new_file_write, &file);
	rpt_session_walk_copies(s, &symbols);
	in = (struct input){s, p};
	failed = err ? 0 : load_all(&in, config);
	if (!err && !failed) {
		rpt_session_analyse(s, &symbols, false);
		/* What is archived is whole, or not there. */
		err = rpt_interrupted ? -EINTR : rpt_pack_finish(p);
	}
	err = rpt_new_file_close(&file, failed ? PA_E_UNSUPPORTED : err);
	if (err < 0 && !failed)
		pa_error("cannot write '%s': %s", config->pack, pa_strerror(err));
	if (err < 0)
		return PA_EXIT_FAILURE;
	say_what(p, config->pack);
	return PA_EXIT_OK;
}
