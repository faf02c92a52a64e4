# SPDX-License-Identifier: GPL-2.0-or-later
# Tests, checks and benchmarks. Unit tests and fuzz targets are linked by what their file name says:
# test_SUBJECT_WHAT.c, fuzz_WHAT.c.

T ?= 60
# Another make: on all CPUs, and after what stands before it has been done.
SUBMAKE = $(MAKE) --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))
TEST_ENV = BUILD=$(abspath $(B)) LC_ALL=C TZ=UTC

link_test = $(CC) $(LINK) $(LDFLAGS) $(TEST_LINK) -o $@ $(filter %.o,$^) \
	-Wl,--start-group $(filter %.a,$^) -Wl,--end-group $(TEST_LIBS)

# --- unit tests: one program a file ---

UNITS := $(patsubst tests/%.c,$(B)/tests/%,$(wildcard tests/unit/test_*.c))
unit = $(filter $(addprefix $(B)/tests/unit/test_,$(1)),$(UNITS))
unit_objects = $(patsubst $(B)/tests/%,$(B)/obj/tests/%.o,$(call unit,$(1)))

$(call unit,record_% unwind_%): TEST_LIBS = $(RECORD_LIBS)
$(call unit,record_% unwind_%): $(B)/librec.a
$(call unit_objects,record_% unwind_%): | $(SKELETONS)
$(call unit,symbols_% report_%): TEST_LIBS = $(REPORT_LIBS)
$(call unit,symbols_% report_%): $(B)/librpt.a
$(call unit_objects,symbols_% report_%): | $(B)/profile.pb-c.h
# Out of memory is made by functions that stand before malloc and its like.
$(call unit,%_oom): TEST_LINK := -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc
$(UNITS): TEST_LIBS += -lcmocka -lz
$(UNITS): $(B)/tests/%: $(B)/obj/tests/%.o $(B)/libpa-cli.a $(B)/libpa-format.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(link_test)

# --- programs that tests use ---

MKTRACE := $(B)/tests/mktrace
$(MKTRACE): $(B)/obj/tests/mktrace.o $(B)/libpa-format.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(link_test) -lz

# Makes traces of programs that never ran.
BUSY := $(B)/tests/outputs/busy
$(BUSY): TEST_LIBS = -lm
$(BUSY): $(B)/obj/tests/outputs/busy.o
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(link_test)

# The reader of pprof files that looks names up by itself (go's own "tool pprof" reads line tables only).
PPROF_SOURCE := $(wildcard /usr/share/gocode/src/github.com/google/pprof/pprof.go)
PPROF := $(if $(PPROF_SOURCE),$(B)/tests/pprof)
$(B)/tests/pprof: $(PPROF_SOURCE)
	@mkdir -p $(@D)
	$(call say,GO,$@)GO111MODULE=off GOPATH=/usr/share/gocode GOCACHE=$(abspath $(B))/gocache go build -o $@ github.com/google/pprof

# Each other file there is a program; all may use the walk of walker.c.
UNWINDERS := $(patsubst tests/%.c,$(B)/tests/%,$(filter-out %/walker.c,$(wildcard tests/unwind/*.c)))
$(UNWINDERS): $(B)/tests/%: $(B)/obj/tests/%.o $(B)/obj/tests/unwind/walker.o $(B)/librec.a $(B)/libpa-format.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(link_test) $(RECORD_LIBS)

# Programs that are recorded: as a user would have them, not hardened, no sanitizer. A line
# "/* build: FLAGS */" gives one flags of its own; those of lib/ become shared objects.
WORKLOAD_LIBS := $(patsubst tests/%.c,$(B)/tests/%.so,$(wildcard tests/workloads/lib/*.c))
WORKLOADS := $(patsubst tests/%.c,$(B)/tests/%,$(wildcard tests/workloads/*.c))
WORKLOADS_CXX := $(patsubst tests/%.cc,$(B)/tests/%,$(wildcard tests/workloads/*.cc))
WORKLOAD_FLAGS := -D_GNU_SOURCE -I. -Wall -Wextra $(if $(WERROR),-Werror) -O1 -g -fno-omit-frame-pointer \
	$(if $(filter x86,$(BPF_ARCH)),-mno-omit-leaf-frame-pointer)
workload = $(WORKLOAD_FLAGS) -MMD -MP -MF $@.d -o $@ $< \
	$(shell sed -n 's|^/\* build: \(.*\) \*/$$|\1|p' $<) -pthread -ldl

$(WORKLOAD_LIBS): $(B)/tests/%.so: tests/%.c
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) -std=gnu11 -shared -fPIC $(workload)
$(WORKLOADS): $(B)/tests/%: tests/%.c | $(WORKLOAD_LIBS)
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) -std=gnu11 $(workload)
$(WORKLOADS_CXX): $(B)/tests/%: tests/%.cc | $(WORKLOAD_LIBS)
	@mkdir -p $(@D)
	$(call say,CXX,$<)$(CXX) $(workload)

BENCHES := $(patsubst tests/%.c,$(B)/tests/%,$(wildcard tests/bench/*.c))
$(BENCHES): TEST_LIBS = $(REPORT_LIBS)
$(BENCHES): $(B)/tests/%: $(B)/obj/tests/%.o $(B)/librpt.a $(B)/libpa-cli.a $(B)/libpa-format.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(link_test)

# --- fuzzing: libFuzzer in a tree of its own; here the same targets only read files ---

FUZZERS := $(patsubst tests/%.c,$(B)/tests/%,$(wildcard tests/fuzz/fuzz_*.c))
REPLAYS := $(subst /fuzz/fuzz_,/fuzz/replay_,$(FUZZERS))
FUZZ_SAN := fuzzer-no-link,address,undefined
FUZZ_ARCHIVES := $(B)/libpa-cli.a $(B)/libpa-format.a
# The programs made of the fuzz targets that include something of the folder $(1).
fuzz_with = $(foreach f,$(patsubst tests/fuzz/fuzz_%.c,%,$(shell grep -l '^.include "$(1)/' tests/fuzz/fuzz_*.c)),\
	$(B)/tests/fuzz/fuzz_$f $(B)/tests/fuzz/replay_$f)
RECORD_FUZZ := $(call fuzz_with,record)
REPORT_FUZZ := $(call fuzz_with,report)
$(RECORD_FUZZ): TEST_LIBS = $(RECORD_LIBS)
$(RECORD_FUZZ): $(B)/librec.a
$(REPORT_FUZZ): TEST_LIBS = $(REPORT_LIBS)
$(REPORT_FUZZ): $(B)/librpt.a
$(FUZZERS) $(REPLAYS): TEST_LIBS += -lz
$(FUZZERS): TEST_LINK := -fsanitize=fuzzer
$(FUZZERS): $(B)/tests/%: $(B)/obj/tests/%.o $(FUZZ_ARCHIVES)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(link_test)
$(REPLAYS): $(B)/tests/fuzz/replay_%: $(B)/obj/tests/fuzz/fuzz_%.o $(B)/obj/tests/fuzz/replay.o $(FUZZ_ARCHIVES)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(link_test)

# --- targets ---

TEST_PROGRAMS := $(UNITS) $(MKTRACE) $(BUSY) $(PPROF) $(UNWINDERS) $(REPLAYS) $(BENCHES)
E2E_PROGRAMS := $(WORKLOADS) $(WORKLOADS_CXX) $(WORKLOAD_LIBS)

.PHONY: setup demo test tests check check-unit check-golden check-outputs screens diff-trials check-e2e check-build check-quick asan valgrind
.PHONY: lint format fuzz fuzzers bench gdb-compare compare-symbols
setup: ## install the Debian packages that building and testing need
	@tests/setup.sh build test
demo: ## install what is missing, build, record a workload, print its report
	@tests/setup.sh build
	@$(SUBMAKE) all $(B)/tests/workloads/mixed
	@$(TEST_ENV) tests/demo.sh
test: ## install what is missing, build, and run every test
	@tests/setup.sh build test
	@$(SUBMAKE) check
tests: all static tests-staged $(TEST_PROGRAMS) $(E2E_PROGRAMS) ## build everything that the tests need
.PHONY: tests-staged
tests-staged: all ## stage an installation, of which the tests make a Debian package
	@rm -rf $(B)/tests/staged
	@$(MAKE) --no-print-directory install DESTDIR=$(abspath $(B))/tests/staged PREFIX=/usr >/dev/null
check: tests ## run every test; nothing is installed
	@$(TEST_ENV) tests/run.sh
check-unit: $(UNITS) ## the unit tests alone
	@$(TEST_ENV) tests/run.sh unit
check-golden: report $(MKTRACE) $(REPLAYS) ## reports of text traces, damaged traces, the fuzzers' corpus
	@$(TEST_ENV) tests/run.sh golden corrupt fuzz
check-outputs: report $(MKTRACE) $(BUSY) ## what other programs make of the outputs
	@$(TEST_ENV) tests/run.sh outputs
screens: report $(MKTRACE) ## make the screens in docs/ anew (needs chromium and node)
	@$(TEST_ENV) tests/outputs/screens.sh docs/screens
diff-trials: report $(MKTRACE) $(BUSY) ## how often --diff finds real changes and reports false ones, of COUNT=200 pairs each
	@$(TEST_ENV) tests/outputs/diff-trials.sh $(or $(COUNT),200)
check-e2e: all $(E2E_PROGRAMS) ## record real programs on this kernel (as root), and report them
	@$(TEST_ENV) tests/run.sh e2e
check-build: static tests-staged $(MKTRACE) $(B)/tests/workloads/spin7030 ## the static recorder, and what was built by make ARCH=arm64, the Debian package
	@$(TEST_ENV) tests/run.sh build
check-quick: report $(UNITS) $(MKTRACE) $(BUSY) $(REPLAYS) ## the tests that need no privilege
	@$(TEST_ENV) tests/run.sh unit golden corrupt outputs fuzz
asan: ## check-quick, with address and undefined-behaviour sanitizers
	@$(SUBMAKE) SAN=address,undefined check-quick
lint: all ## check the sources: layers, headers, sizes, documents, clang-tidy, cppcheck
	@$(TEST_ENV) LINT=full tests/run.sh check
format: ## write all C code as .clang-format says
	find bpf format record report tests -name '*.[ch]' | xargs clang-format -i
fuzz: ## run each fuzz target for T seconds (default 60); needs clang
	@$(SUBMAKE) $(MKTRACE) $(WORKLOAD_LIBS)
	@$(SUBMAKE) CC=$(CLANG) O=$(O)/fuzz SAN=$(FUZZ_SAN) fuzzers
	@$(TEST_ENV) FUZZ=$(abspath $(call san_tree,$(O)/fuzz,$(FUZZ_SAN))) tests/fuzz/run.sh $(T)
fuzzers: $(FUZZERS) ## build the fuzz targets (SAN=fuzzer-no-link,... CC=clang)
bench: all $(E2E_PROGRAMS) $(BENCHES) ## cost of recording, side by side with perf
	@$(TEST_ENV) tests/bench/run.sh
gdb-compare: all $(E2E_PROGRAMS) ## compare 1000 stacks with gdb, frame by frame (MOMENTS=N, 12 stacks each)
	@$(TEST_ENV) tests/unwind/gdb.sh $(or $(MOMENTS),84)
compare-symbols: $(B)/tests/bench/symbolize ## compare names with other symbolizers, at 10 000 addresses (COUNT=N) each of four programs
	@$(TEST_ENV) tests/symbols/compare.sh $(or $(COUNT),10000)
valgrind: $(UNITS) ## the unit tests under valgrind
	@$(TEST_ENV) VALGRIND=1 tests/run.sh unit
