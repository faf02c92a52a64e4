# SPDX-License-Identifier: GPL-2.0-or-later
# Builds pa-record and pa-report. `make help` lists the targets; V=1 shows the commands, O=DIR builds
# elsewhere, SAN=address,undefined with sanitizers in a tree of its own, WERROR=1 for CI, ARCH=arm64 for
# another machine than this one, in a tree of its own, too.

VERSION := $(shell cat VERSION)
O ?= build
comma := ,
san_tree = $(1)/$(subst $(comma),+,$(2))
HOST_CPU := $(shell uname -m)
ARCH ?= $(HOST_CPU)
CPU := $(if $(filter aarch64 arm64,$(ARCH)),aarch64,x86_64)
CROSS := $(filter-out $(HOST_CPU),$(CPU))
TREE := $(O)$(if $(CROSS),/$(CPU))
B := $(if $(SAN),$(call san_tree,$(TREE),$(SAN)),$(TREE))
CC ?= cc
CLANG ?= clang
LLVM_STRIP ?= llvm-strip
BPFTOOL ?= bpftool
PKG_CONFIG ?= pkg-config
BPF_ARCH := $(if $(filter aarch64,$(CPU)),arm64,x86)
PREFIX ?= /usr/local
# Debian has bpftool and ldconfig where users don't look.
export PATH := $(PATH):/usr/sbin:/sbin

.DEFAULT_GOAL := all
include mk/sources.mk
include mk/cross.mk

say = $(if $(V),,@printf '  %-8s %s\n' $(1) $(2);)

WARNINGS := -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Wformat=2 -Wundef -Wvla \
	-Wimplicit-fallthrough $(if $(WERROR),-Werror)
HARDEN := -fstack-protector-strong -fPIE $(if $(SAN),,-D_FORTIFY_SOURCE=2)
CFLAGS ?= -O2 -g
# No file that is made tells where it was made.
MAPS := '-ffile-prefix-map=$(abspath $(B))=build' '-ffile-prefix-map=$(CURDIR)=.'
BASE := $(SYSROOT_FLAGS) -std=gnu11 -D_GNU_SOURCE -DPA_VERSION='"$(VERSION)"' -I. -I$(B) -include format/util/banned.h \
	$(MAPS) $(WARNINGS) $(HARDEN) $(if $(SAN),-fsanitize=$(SAN) -fno-omit-frame-pointer -fno-sanitize-recover)
LINK := $(SYSROOT_FLAGS) -pie -Wl,-z,relro,-z,now,--as-needed $(if $(SAN),-fsanitize=$(SAN))
DEPS = -MMD -MP -MF $(@:.o=.d)

objects = $(patsubst %.c,$(B)/obj/%.o,$(1))
RECORD_LIBS := -lbpf -lz
REPORT_PKGS := libdw libelf liblzma libzstd libprotobuf-c zlib sqlite3
REPORT_LIBS = $(shell $(PKG_CONFIG) --libs $(REPORT_PKGS)) -liberty -lpthread -lm

.DELETE_ON_ERROR:
.SUFFIXES:
.PHONY: all record report static

all: record report $(if $(CROSS),static) ## build both programs (default); for another machine also a static pa-record
record: $(B)/pa-record ## build pa-record: needs clang, bpftool and libbpf
static: $(B)/static/pa-record ## build pa-record as one file that needs no libraries, for any distribution
report: $(B)/pa-report ## build pa-report: needs neither clang nor libbpf

$(B)/pa-record: $(B)/obj/record/main.o $(B)/librec.a $(B)/libpa-cli.a $(B)/libpa-format.a
	$(call say,LINK,$@)$(CC) $(LINK) $(LDFLAGS) -o $@ $^ $(RECORD_LIBS)
# Stripped by the linker: what is left out of the file is to be left out of its build ID, too.
$(B)/static/pa-record: $(B)/obj/record/main.o $(B)/librec.a $(B)/libpa-cli.a $(B)/libpa-format.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(filter-out -pie,$(LINK)) -static-pie -s $(LDFLAGS) -o $@ $^ -lbpf -lelf -lz
$(B)/pa-report: $(B)/obj/report/main.o $(B)/librpt.a $(B)/libpa-cli.a $(B)/libpa-format.a
	$(call say,LINK,$@)$(CC) $(LINK) $(LDFLAGS) -o $@ $^ $(REPORT_LIBS)

$(B)/libpa-format.a: $(call objects,$(FORMAT_SOURCES))
$(B)/libpa-cli.a: $(call objects,$(CLI_SOURCES))
$(B)/librec.a: $(call objects,$(filter-out record/main.c,$(RECORD_SOURCES)))
$(B)/librpt.a: $(call objects,$(filter-out report/main.c,$(REPORT_SOURCES))) $(B)/obj/profile.pb-c.o \
	$(B)/obj/html_files.o
$(B)/%.a:
	$(call say,AR,$@)rm -f $@ && ar rcsD $@ $^

# --- objects ---

$(B)/obj/format/%.o: EXTRA := -Wconversion
SKELETONS := $(B)/bpf/pa.skel.h
$(call objects,$(RECORD_SOURCES)): | $(SKELETONS)
$(call objects,$(REPORT_SOURCES)): | $(B)/profile.pb-c.h $(B)/rules-default.h
$(B)/obj/%.o: %.c VERSION
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(BASE) $(EXTRA) $(CFLAGS) $(DEPS) -c $< -o $@

# The rules that the reporter goes by where no file says otherwise.
$(B)/rules-default.h: docs/rules/default
	@mkdir -p $(B)
	$(call say,RULES,$<){ echo 'const char rpt_rules_default[] ='; sed 's/["\\]/\\&/g; s/.*/"&\\n"/' $<; echo ';'; } > $@

# Generated code is not held to our warnings.
$(B)/profile.pb-c.c $(B)/profile.pb-c.h &: report/output/profile.proto
	@mkdir -p $(B)
	$(call say,PROTOC,$<)protoc-c --proto_path=$(<D) --c_out=$(B) $(<F)
$(B)/obj/profile.pb-c.o: $(B)/profile.pb-c.c
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) -std=gnu11 -I$(B) -fPIE $(if $(SAN),-fsanitize=$(SAN)) $(CFLAGS) $(DEPS) -c $< -o $@

$(B)/html_files.c: report/html/embed.sh $(HTML_FILES)
	@mkdir -p $(B)
	$(call say,EMBED,report/html)$^ > $@
$(B)/obj/html_files.o: $(B)/html_files.c
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(BASE) $(CFLAGS) $(DEPS) -c $< -o $@

# --- programs in the kernel ---

# Kernel headers are those of the machine that it is for. What is for debuggers is not wanted in the kernel.
UAPI := $(if $(CROSS),$(SYSROOT))/usr/include/$(CPU)-linux-gnu
$(B)/bpf/%.bpf.o: bpf/%.bpf.c
	@mkdir -p $(@D)
	$(call say,BPF,$<)$(CLANG) -O2 -g -target bpf -D__TARGET_ARCH_$(BPF_ARCH) -Wall -Wextra $(MAPS) \
		-Wno-unused-function -Wno-unused-parameter -I$(UAPI) -MMD -MP -MF $(@:.o=.d) -c $< -o $@
	@$(LLVM_STRIP) -g $@
.PRECIOUS: $(B)/bpf/%.bpf.o
$(B)/bpf/%.skel.h: $(B)/bpf/%.bpf.o
	$(call say,SKEL,$@)$(BPFTOOL) gen skeleton $< name $* > $@

include mk/tests.mk
include mk/install.mk

-include $(shell find $(wildcard $(B)/obj $(B)/bpf $(B)/tests $(B)/*.d) -type f -name '*.d' 2>/dev/null)

.PHONY: clean help compdb
clean: ## remove everything that was built
	rm -rf $(O)
compdb: ## write compile_commands.json (needs bear)
	bear -- $(MAKE) -B all
help: ## this list
	@sed -n 's/^\([a-z0-9-]*\):.*## /\1|/p' Makefile mk/*.mk | awk -F'|' '{printf "  %-14s %s\n", $$1, $$2}'
