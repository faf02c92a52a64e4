# SPDX-License-Identifier: GPL-2.0-or-later
# What the programs are made of: a new file is named here. make tells of one that is not.

FORMAT_SOURCES := \
	format/block.c \
	format/codec.c \
	format/fields.c \
	format/hist.c \
	format/input.c \
	format/limits.c \
	format/parse.c \
	format/reader.c \
	format/shift.c \
	format/stacks.c \
	format/strings.c \
	format/text.c \
	format/writer.c \
	format/util/buf.c \
	format/util/cursor.c \
	format/util/err.c \
	format/util/htab.c \
	format/util/mem.c \
	format/util/utf8.c

CLI_SOURCES := \
	format/cli/help.c \
	format/cli/log.c \
	format/cli/opts.c \
	format/cli/values.c

RECORD_SOURCES := \
	record/broker.c \
	record/caps.c \
	record/channel.c \
	record/copies.c \
	record/drain.c \
	record/elfid.c \
	record/files.c \
	record/helpers.c \
	record/host.c \
	record/jit.c \
	record/kallsyms.c \
	record/kallsyms_load.c \
	record/machine.c \
	record/main.c \
	record/mappings.c \
	record/merge.c \
	record/modules.c \
	record/open.c \
	record/options.c \
	record/output.c \
	record/perf.c \
	record/pool.c \
	record/privdrop.c \
	record/privilege.c \
	record/procfs.c \
	record/programs.c \
	record/queue.c \
	record/recorder.c \
	record/regions.c \
	record/ring.c \
	record/rooms.c \
	record/rows.c \
	record/sandbox.c \
	record/sched.c \
	record/sched_sums.c \
	record/seccomp.c \
	record/segments.c \
	record/setup.c \
	record/sideband.c \
	record/stacks.c \
	record/supervisor.c \
	record/tables.c \
	record/target.c \
	record/vdso.c \
	record/world.c \
	record/world_write.c \
	record/unwind/builder.c \
	record/unwind/cfi.c \
	record/unwind/cfi_run.c \
	record/unwind/compile.c \
	record/unwind/dwarf.c \
	record/unwind/expr.c \
	record/unwind/gap.c \
	record/unwind/go.c \
	record/unwind/image.c \
	record/unwind/inflate.c \
	record/unwind/rule.c \
	record/unwind/view.c

REPORT_SOURCES := \
	report/collect.c \
	report/files.c \
	report/load.c \
	report/load_copies.c \
	report/load_events.c \
	report/load_host.c \
	report/load_names.c \
	report/load_segments.c \
	report/load_sums.c \
	report/load_tables.c \
	report/main.c \
	report/newfile.c \
	report/options.c \
	report/pack.c \
	report/pack_command.c \
	report/scrub.c \
	report/scrub_kernel.c \
	report/session.c \
	report/walked.c \
	report/xmem.c \
	report/analyse/coverage.c \
	report/analyse/explain.c \
	report/analyse/locate.c \
	report/analyse/metrics.c \
	report/analyse/missing.c \
	report/analyse/profile.c \
	report/analyse/resolve.c \
	report/analyse/rows.c \
	report/analyse/sched.c \
	report/analyse/sites.c \
	report/analyse/unpack.c \
	report/analyse/verdicts.c \
	report/analyse/waits.c \
	report/model/code.c \
	report/model/idmap.c \
	report/model/images.c \
	report/model/kernel.c \
	report/model/mappings.c \
	report/model/model.c \
	report/model/modules.c \
	report/model/packed.c \
	report/model/processes.c \
	report/model/samples.c \
	report/model/stacks.c \
	report/model/strings.c \
	report/model/trace.c \
	report/output/dump.c \
	report/output/exit_status.c \
	report/output/explain.c \
	report/output/gzip.c \
	report/output/missing.c \
	report/output/outputs.c \
	report/output/pprof.c \
	report/output/pprof_parts.c \
	report/output/pprof_plan.c \
	report/output/stat.c \
	report/output/text.c \
	report/output/text_coverage.c \
	report/output/text_head.c \
	report/output/text_profile.c \
	report/output/text_tasks.c \
	report/output/text_unit.c \
	report/output/text_verdicts.c \
	report/output/units.c \
	report/symbols/arena.c \
	report/symbols/buildid.c \
	report/symbols/debuglink.c \
	report/symbols/demangle.c \
	report/symbols/dw_abbrev.c \
	report/symbols/dw_form.c \
	report/symbols/dw_line.c \
	report/symbols/dw_line_header.c \
	report/symbols/dw_ranges.c \
	report/symbols/dw_scope.c \
	report/symbols/dw_split.c \
	report/symbols/dw_unit.c \
	report/symbols/dwarf.c \
	report/symbols/elf.c \
	report/symbols/minidebug.c \
	report/symbols/module.c \
	report/symbols/names.c \
	report/symbols/package.c \
	report/symbols/plt.c \
	report/symbols/ranges.c \
	report/symbols/reason.c \
	report/symbols/search.c \
	report/symbols/search_split.c \
	report/symbols/section.c \
	report/symbols/symbolizer.c \
	report/symbols/symtab.c \
	report/symbols/trail.c \
	report/symbols/tree.c \
	report/unwind/cfi.c \
	report/unwind/expr.c \
	report/unwind/frame.c \
	report/unwind/unwinder.c

SOURCES := $(FORMAT_SOURCES) $(CLI_SOURCES) $(RECORD_SOURCES) $(REPORT_SOURCES)
FORGOTTEN := $(filter-out $(SOURCES),$(wildcard $(foreach d,format record report,$d/*.c $d/*/*.c)))
LACKS = mk/sources.mk lacks $(FORGOTTEN)
$(if $(FORGOTTEN),$(if $(WERROR),$(error $(LACKS)),$(warning $(LACKS))))
