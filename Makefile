# nvproof: proof test for NVMe drives.                        SPDX-License-Identifier: GPL-2.0-or-later
#
#   make demo         install what is missing, build, run the cases on the simulated drive
#   make check        install what is missing, build, run the tests        (at most 8 minutes, 2 cores)
#   make check-long   sanitizers, second compiler, whole bench, long loops (at most 60 minutes)
#
#   make              build the program; needs no network and installs nothing
#   make deps         install what one set of targets needs: SET=build (default), check or long
#   make tests        build the test programs too
#   make unit         unit tests                    TEST='parse*' picks suites, TEST='parse/*size*' tests
#   make cli          golden tests of the program   TEST='run-*' picks scripts of tests/cli
#   make golden       write the golden output of tests/cli again; read the difference before a commit
#   make static       public headers alone (C, C++) and the layer rules
#   make mutants      every defect must be caught, every case must be able to fail
#   make check-vm     the cases on QEMU's controller, both ways, then real.sh   TEST='identify.*' picks cases
#   make asan         the tests that need no hardware, under ASan and UBSan
#   make coverage     which lines of core/ and cases/ the tests run
#   make portable     tests of bytes and words with the highest byte first, and with 32-bit pointers
#   make times        all cases in each profile of the simulated drive, and how long it takes
#   make cuts N=10000 cuts of honest simulated drives: no false fail, cycles a second
#   make fuzz         the fuzzers of tests/fuzz, with clang-14
#   make bench        the measuring programs of tests/bench
#   make install      below DESTDIR and PREFIX (/usr/local)
#   make clean        remove what was built; the bench's kernel in $(BUILD)/vm stays
#   make distclean    remove $(BUILD)
#
# Variables
#   BUILD=build       where everything that is made goes
#   D=asan,ubsan      build with sanitizers, D=debug (-O0) or D=cov; each choice has its own folder
#   CC=gcc            or clang-14; objects are made again when compiler or flags change
#   V=1               show the commands
#   TEST=glob         the part of the tests to run
#   DEPS=no           never install a package
#   DESTDIR= PREFIX=  for install
#
# Where things go: $(BUILD)/nvproof the program, $(BUILD)/libnvproof.a everything but main and cases,
# $(BUILD)/nvproof-selftest with tests/cases linked in, $(BUILD)/unit, $(BUILD)/bench/*; with D=asan
# the same below $(BUILD)/asan. Results of the tests: $(BUILD)/results.check and results.long,
# what each step printed in the folder of the same name with .d.
#
# The lists of sources are sorted wildcards: a new file needs no line here. A case file exports
# `nvp_suite_<file>`, a unit test file tests/unit/test_<name>.c defines `nvp_unit_<name>`; the lists
# that name them are written by make. Of X.c and X_none.c one is taken: see OPTIONAL.

BUILD ?= build
PREFIX ?= /usr/local
VERSION := 0.1.0
ifeq ($(origin CC),default)
CC := gcc
endif
CXX ?= g++
AR ?= ar
PKG_CONFIG ?= pkg-config
D ?=
TEST ?= *
SET ?= build

SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -c
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules
export LC_ALL := C

ifeq ($(V),1)
Q :=
say = @:
else
Q := @
say = @printf '  %-8s %s\n'
MAKEFLAGS += --no-print-directory
endif

# --- what is built ------------------------------------------------------------------------------

comma := ,
empty :=
space := $(empty) $(empty)

choices := $(sort $(subst $(comma),$(space),$(D)))
ifneq ($(filter-out asan ubsan cov debug fuzz,$(choices)),)
$(error D=$(D): only asan, ubsan, cov and debug are known)
endif
OUT := $(BUILD)$(addprefix /,$(subst $(space),-,$(choices)))
OBJ := $(OUT)/obj
GEN := $(OUT)/gen

# file that needs a library | what pkg-config must find; without it the file X_none.c stands in
OPTIONAL := \
	core/base/uring.c|liburing \
	core/drive/kernel.c|libnvme \
	pcie/access_libpci.c|libpci \
	power/relay_usbhid.c|hidapi-hidraw

opt_file = $(firstword $(subst |, ,$(1)))
opt_lib = $(lastword $(subst |, ,$(1)))
opt_none = $(patsubst %.c,%_none.c,$(call opt_file,$(1)))
# names the file that is left out: asked only where there is a choice, so that make runs without pkg-config
opt_drop = $(if $(wildcard $(call opt_none,$(1))),$(if \
	$(shell $(PKG_CONFIG) --libs '$(call opt_lib,$(1))' >/dev/null 2>&1 && echo yes),$(call opt_none,$(1)),$(call opt_file,$(1))))

# libgpiod's second version has other calls: a file for each, and one for neither
gpio_has = $(shell $(PKG_CONFIG) --exists '$(1)' 2>/dev/null && echo yes)
gpio_src := power/gpio_$(if $(call gpio_has,libgpiod >= 2),v2,$(if $(call gpio_has,libgpiod),v1,none)).c
gpio_drop := $(filter-out $(gpio_src),power/gpio_v1.c power/gpio_v2.c power/gpio_none.c)

main_src := $(wildcard core/cli/main.c)
lib_src := $(filter-out core/cli/main.c $(gpio_drop) $(foreach o,$(OPTIONAL),$(call opt_drop,$(o))),\
	$(sort $(wildcard core/*/*.c pcie/*.c power/*.c)))
case_src := $(sort $(wildcard cases/*.c))
test_case_src := $(sort $(wildcard tests/cases/*.c))
unit_src := $(sort $(wildcard tests/unit/*.c))
unit_suite_src := $(filter tests/unit/test_%,$(unit_src))
bench_src := $(sort $(wildcard tests/bench/*.c))
fuzz_src := $(sort $(wildcard tests/fuzz/*.c))

objs = $(patsubst %.c,$(OBJ)/%.o,$(1))
lib_obj := $(call objs,$(lib_src))
main_obj := $(call objs,$(main_src))
case_obj := $(call objs,$(case_src)) $(GEN)/suites.o
selftest_obj := $(call objs,$(case_src) $(test_case_src)) $(GEN)/selftest_suites.o
unit_obj := $(call objs,$(unit_src)) $(GEN)/unit_suites.o
cov_obj := $(if $(filter cov,$(choices)),$(OBJ)/tests/cov_exit.o)
fuzz_bin := $(patsubst tests/fuzz/%.c,$(OUT)/fuzz/%,$(fuzz_src))
bench_bin := $(patsubst tests/bench/%.c,$(OUT)/bench/%,$(bench_src))
deps_d := $(patsubst %.o,%.d,$(sort $(lib_obj) $(main_obj) $(case_obj) $(selftest_obj) $(unit_obj) $(call objs,$(bench_src) $(fuzz_src))))

# --- flags --------------------------------------------------------------------------------------

warn := -Wall -Wextra -Werror -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Wundef -Wvla -Wformat=2
opt := $(if $(filter debug,$(choices)),-O0,$(if $(filter cov,$(choices)),-O1,-O2)) -g
san := $(addprefix -fsanitize=,$(patsubst asan,address,$(patsubst ubsan,undefined,$(filter asan ubsan,$(choices)))))
san += $(if $(filter fuzz,$(choices)),-fsanitize=fuzzer-no-link) $(if $(filter ubsan,$(choices)),-fno-sanitize-recover=undefined) $(if $(filter asan,$(choices)),-fno-omit-frame-pointer)

LIBS_PC := json-c libisal liburing inih blkid libpci

# Each is asked once, when a recipe first needs it. What libnvme requires privately (libssl) does not
# come with its package: --cflags and --exists fail then, so its include folder is asked for instead.
once = $(eval $(1) := $(2))$($(1))
pc_cflags = $(call once,pc_cflags,$(shell $(PKG_CONFIG) --cflags $(LIBS_PC) && $(PKG_CONFIG) --variable=includedir libnvme | sed 's,^/usr/include$$,,;s,^.,-I&,'))
pc_libs = $(call once,pc_libs,$(shell $(PKG_CONFIG) --libs $(LIBS_PC) && $(PKG_CONFIG) --libs libnvme) $(opt_libs))
# the libraries of OPTIONAL that may be missing, and are not
opt_libs = $(shell $(PKG_CONFIG) --silence-errors --libs libgpiod) $(foreach o,$(OPTIONAL),$(if $(wildcard $(call opt_none,$(o))),$(shell $(PKG_CONFIG) --silence-errors --libs '$(call opt_lib,$(o))')))
cunit_cflags = $(call once,cunit_cflags,$(shell $(PKG_CONFIG) --cflags cunit))
cunit_libs = $(call once,cunit_libs,$(shell $(PKG_CONFIG) --libs cunit))

san += $(if $(filter cov,$(choices)),--coverage -fprofile-update=atomic)

CFLAGS ?=
base_flags := -std=gnu11 -D_GNU_SOURCE -pthread $(opt) $(warn) $(san) -I include -I . -I $(GEN)
ld_flags := -pthread -Wl,--as-needed $(san) $(if $(cov_obj),-Wl$(comma)--wrap=_exit) $(LDFLAGS)

# --- the program --------------------------------------------------------------------------------

.PHONY: all tests deps need-libs demo check check-long check-vm check-steps check-long-steps asan-steps clang-steps \
	unit cli golden static mutants cuts times portable coverage coverage-run asan fuzz fuzz-run bench install help clean distclean FORCE
.DEFAULT_GOAL := all

programs := $(OUT)/libnvproof.a $(if $(main_src),$(OUT)/nvproof)
test_programs := $(if $(main_src),$(OUT)/nvproof-selftest) $(if $(unit_suite_src),$(OUT)/unit)

all: $(programs)
tests: all $(test_programs)

# rewrites a file only when its content changes; the content comes on stdin
keep = mkdir -p $(dir $(1)) && cat > $(1).new && { cmp -s $(1).new $(1) && rm -f $(1).new || mv -f $(1).new $(1); }

$(OBJ)/flags: FORCE
	@printf '%s\n' '$(CC) $(base_flags) $(CFLAGS) $(LDFLAGS)' | { $(call keep,$@); }

$(GEN)/objects: FORCE
	@printf '%s\n' $(lib_obj) | { $(call keep,$@); }

$(GEN)/nvp_version.h: FORCE
	@{ echo '/* SPDX-License-Identifier: GPL-2.0-or-later */'; \
	   rev=$$(git rev-parse --short=12 HEAD 2>/dev/null) && rev=-g$$rev; \
	   printf '#define NVP_VERSION "%s%s"\n' '$(VERSION)' "$$rev"; } | { $(call keep,$@); }

# $(1): names of the case files
suite_list = { echo '\#include <nvproof/case.h>'; \
	for s in $(basename $(notdir $(1))); do echo "extern const struct nvp_suite nvp_suite_$$s;"; done; \
	echo 'extern const struct nvp_suite *const nvp_suites[];'; echo 'extern const unsigned nvp_nr_suites;'; \
	echo 'const struct nvp_suite *const nvp_suites[] = {'; \
	for s in $(basename $(notdir $(1))); do echo "	&nvp_suite_$$s,"; done; \
	echo '	0'; echo '};'; echo 'const unsigned nvp_nr_suites = $(words $(1));'; }

$(GEN)/suites.c: FORCE
	@$(call suite_list,$(case_src)) | { $(call keep,$@); }

$(GEN)/selftest_suites.c: FORCE
	@$(call suite_list,$(case_src) $(test_case_src)) | { $(call keep,$@); }

$(GEN)/unit_suites.c: FORCE
	@{ echo '#include "tests/unit/unit.h"'; \
	for s in $(patsubst test_%,%,$(basename $(notdir $(unit_suite_src)))); do echo "extern CU_TestInfo nvp_unit_$$s[];"; done; \
	echo 'const struct nvp_unit_suite nvp_unit_suites[] = {'; \
	for s in $(patsubst test_%,%,$(basename $(notdir $(unit_suite_src)))); do echo "	{ \"$$s\", nvp_unit_$$s },"; done; \
	echo '	{ 0, 0 }'; echo '};'; } | { $(call keep,$@); }

# what a case plugin may call: the functions of the public headers
$(GEN)/exports.list: $(sort $(wildcard include/nvproof/*.h))
	@mkdir -p $(@D)
	@{ echo '{'; cat /dev/null $^ | grep -oE '\bnvp_[a-z0-9_]+\(' | tr -d '(' | sort -u | sed 's/$$/;/'; echo '};'; } > $@

$(OBJ)/%.o: %.c $(OBJ)/flags | need-libs $(GEN)/nvp_version.h
	@mkdir -p $(@D)
	$(say) CC $<
	$(Q)$(CC) $(base_flags) $(pc_cflags) $(more_cflags) $(CFLAGS) -MMD -MP -c -o $@ $<

$(OBJ)/tests/unit/%.o $(GEN)/unit_suites.o: private more_cflags = $(cunit_cflags)
$(OBJ)/tests/unit/test_gpio_v2.o: private more_cflags = -I tests/gpiod2 $(cunit_cflags)

$(GEN)/%.o: $(GEN)/%.c $(OBJ)/flags
	$(say) CC $<
	$(Q)$(CC) $(base_flags) $(pc_cflags) $(more_cflags) $(CFLAGS) -MMD -MP -c -o $@ $<

$(OUT)/libnvproof.a: $(lib_obj) $(GEN)/objects
	$(say) AR $@
	$(Q)rm -f $@ && $(AR) rcsD $@ $(lib_obj)

# The programs link objects, not the archive: a plugin may call what the program itself does not.
$(OUT)/nvproof: $(main_obj) $(case_obj) $(lib_obj) $(cov_obj) $(GEN)/exports.list $(GEN)/objects
	$(say) LD $@
	$(Q)$(CC) $(ld_flags) -Wl,--dynamic-list=$(GEN)/exports.list -o $@ $(filter %.o,$^) $(pc_libs) -ldl -lm

$(OUT)/nvproof-selftest: $(main_obj) $(selftest_obj) $(lib_obj) $(cov_obj) $(GEN)/exports.list $(GEN)/objects
	$(say) LD $@
	$(Q)$(CC) $(ld_flags) -Wl,--dynamic-list=$(GEN)/exports.list -o $@ $(filter %.o,$^) $(pc_libs) -ldl -lm

# what tests/unit/test_resume_kill.c listens to
unit_wraps := nvp_oracle_new nvp_oracle_submit nvp_oracle_complete nvp_oracle_reset nvp_oracle_cut nvp_journal_cycle \
	nvp_resume_read nvp_camp_verify

$(OUT)/unit: $(unit_obj) $(case_obj) $(cov_obj) $(OUT)/libnvproof.a
	$(say) LD $@
	$(Q)$(CC) $(ld_flags) $(unit_wraps:%=-Wl$(comma)--wrap=%) -o $@ $^ $(cunit_libs) $(pc_libs) -ldl -lm

$(OUT)/bench/%: $(OBJ)/tests/bench/%.o $(case_obj) $(OUT)/libnvproof.a
	@mkdir -p $(@D)
	$(say) LD $@
	$(Q)$(CC) $(ld_flags) -o $@ $^ $(pc_libs) -ldl -lm

$(OUT)/fuzz/%: $(OBJ)/tests/fuzz/%.o $(case_obj) $(OUT)/libnvproof.a
	@mkdir -p $(@D)
	$(say) LD $@
	$(Q)$(CC) $(ld_flags) -fsanitize=fuzzer -o $@ $^ $(pc_libs) -ldl -lm

.SECONDARY:
-include $(deps_d)

need-libs:
	@command -v $(CC) >/dev/null && command -v $(PKG_CONFIG) >/dev/null && $(PKG_CONFIG) --libs libnvme $(LIBS_PC) >/dev/null || { \
		echo 'a compiler or a library is missing: "make deps" installs what is needed' >&2; exit 1; }

# --- packages -----------------------------------------------------------------------------------

deps_build := gcc libc6-dev pkg-config libnvme-dev libjson-c-dev libisal-dev liburing-dev libinih-dev libblkid-dev libpci-dev \
	libhidapi-dev libgpiod-dev
deps_check := $(deps_build) g++ git jq libcunit1-dev python3-jsonschema libxml2-utils qemu-system-x86 busybox-static cpio kmod \
	nvme-cli pciutils util-linux dmsetup e2fsprogs
deps_long := $(deps_check) clang-14 libclang-rt-14-dev llvm-14 qemu-user usbrelay nbdkit nbdkit-plugin-dev qemu-utils \
	gcc-s390x-linux-gnu libc6-dev-s390x-cross gcc-i686-linux-gnu libc6-dev-i386-cross

deps:
	@$(if $(deps_$(SET)),,echo 'SET=$(SET): only build, check and long are known' >&2; exit 2;) \
	$(if $(filter no,$(DEPS)),exit 0;) \
	missing=; for p in $(deps_$(SET)); do \
		case "$$(dpkg-query -W -f='$${Status}' $$p 2>/dev/null)" in *' installed') ;; *) missing="$$missing $$p";; esac; \
	done; \
	[ -n "$$missing" ] || exit 0; \
	if ! { . /etc/os-release 2>/dev/null; case " $$ID $$ID_LIKE " in *' debian '*) command -v apt-get >/dev/null;; *) false;; esac; }; then \
		echo "Not a Debian system. Please install what these packages of Debian 12 hold, then run make with DEPS=no:" >&2; \
		printf '  %s\n' $(deps_$(SET)) >&2; exit 1; \
	fi; \
	echo "Installing missing packages:$$missing"; \
	sudo=; [ "$$(id -u)" = 0 ] || sudo='sudo'; \
	apt="$$sudo env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300"; \
	$$apt update && $$apt install -y --no-install-recommends $$missing

# --- what people call ---------------------------------------------------------------------------

help:
	@sed -n '1,/^$$/{/^$$/q;s/^# \{0,1\}//;p}' Makefile

demo:
	$(Q)$(MAKE) deps SET=build
	$(Q)$(MAKE) all
	$(Q)$(OUT)/nvproof run sim:

export OUT BUILD CC CXX

unit: $(OUT)/unit
	$(Q)$(OUT)/unit '$(TEST)'

cli: tests
	$(Q)tests/cli.sh '$(TEST)'

golden: tests
	$(Q)GOLDEN=1 tests/cli.sh '$(TEST)'

static: $(OUT)/libnvproof.a
	$(Q)tests/headers.sh
	$(Q)tests/layers.sh

mutants: all
	$(Q)tests/mutants.sh
	$(Q)tests/power_defects.sh

bench: all $(bench_bin)
	$(Q)$(if $(bench_bin),,echo 'tests/bench holds no program' >&2; exit 1;) for b in $(bench_bin); do "$$b" || exit 1; done

# each runs FUZZ_S seconds, from zeroes of two lengths and tests/fuzz/NAME.seed; what it found lies beside the program
FUZZ_S := 20
fuzz:
	$(Q)$(sub) D=asan,fuzz,ubsan CC=clang-14 fuzz-run
fuzz-run: $(fuzz_bin)
	$(Q)$(if $(fuzz_bin),,echo 'tests/fuzz holds no program' >&2; exit 1;) for f in $(fuzz_bin); do \
		mkdir -p "$$f-corpus" && for n in 512 4096; do head -c $$n /dev/zero > "$$f-corpus/zeroes-$$n"; done; \
		[ ! -e tests/fuzz/$${f##*/}.seed ] || cp tests/fuzz/$${f##*/}.seed "$$f-corpus/"; \
		"$$f" "$$f-corpus" -max_total_time=$(FUZZ_S) -max_len=8192 -len_control=0 -seed=1 -artifact_prefix="$$f-" 2>&1 | \
			sed "s,^,$${f##*/}: ,;/REDUCE\|NEW  \|# Uses/d" || exit 1; done

# so many cuts of honest simulated drives; a fail is a false one
N := 10000
cuts: all
	$(Q)tests/cuts.sh $(N)

times: all
	$(Q)tests/times.sh

portable:
	$(Q)tests/portable.sh s390x-linux-gnu qemu-s390x
	$(Q)tests/portable.sh i686-linux-gnu qemu-i386

# a failing test is its own step's matter: here it is asked which lines ran
coverage:
	$(Q)$(MAKE) D=cov coverage-run
coverage-run: tests
	$(Q)find $(OBJ) -name '*.gcda' -delete
	$(Q)$(OUT)/unit '*' > $(OUT)/unit.out || echo 'a unit test failed' >&2
	$(Q)tests/cli.sh '*' > $(OUT)/cli.out || echo 'a script of tests/cli failed' >&2
	$(Q)tests/coverage.sh

check-vm: tests
	$(Q)tests/vm/suite.sh '$(TEST)'
	$(Q)tests/vm/real.sh

install: all
	install -D -m 755 $(OUT)/nvproof $(DESTDIR)$(PREFIX)/bin/nvproof
	install -d $(DESTDIR)$(PREFIX)/include/nvproof $(DESTDIR)$(PREFIX)/share/nvproof
	install -m 644 $(sort $(wildcard include/nvproof/*.h)) $(DESTDIR)$(PREFIX)/include/nvproof/
	install -d $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/bash-completion/completions
	$(OUT)/nvproof help --man > $(DESTDIR)$(PREFIX)/share/man/man1/nvproof.1
	$(OUT)/nvproof help --bash > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/nvproof
	for d in $(sort $(wildcard cases/plans cases/sheets)); do cp -R "$$d" $(DESTDIR)$(PREFIX)/share/nvproof/ || exit 1; done

clean:
	$(Q)[ ! -d $(BUILD) ] || find $(BUILD) -mindepth 1 -maxdepth 1 ! -name vm -exec rm -rf {} +

distclean:
	$(Q)rm -rf $(BUILD)

# --- the tests, step by step ----------------------------------------------------------------------

# A step that fails does not stop the next; total.sh prints the sum and fails when one failed.
JOBS := $(shell nproc 2>/dev/null || echo 2)
step = $(Q)RESULTS=$(RESULTS) tests/step.sh
sub = $(MAKE) --no-print-directory -j$(JOBS)
# what did not build is not tested: an older program may lie there
built = @! grep '^FAIL.*build' $(RESULTS)

# The sanitizers stop at the first finding; a leak is one.
export ASAN_OPTIONS ?= detect_leaks=1:detect_stack_use_after_return=1
export UBSAN_OPTIONS ?= print_stacktrace=1

check:
	$(Q)$(MAKE) deps SET=check
	$(Q)$(MAKE) check-steps

check-long:
	$(Q)$(MAKE) deps SET=long
	$(Q)$(MAKE) check-long-steps

check-steps: RESULTS := $(BUILD)/results.check
check-steps:
	@mkdir -p $(BUILD) && rm -rf $(RESULTS) $(RESULTS).d
	$(step) build $(sub) tests $(bench_bin)
	$(built)
	@# each uses one core
	$(step) unit $(OUT)/unit '$(TEST)' & RESULTS=$(RESULTS) tests/step.sh cli tests/cli.sh '$(TEST)'; wait
	$(step) headers tests/headers.sh
	$(step) layers tests/layers.sh
	$(step) mutants tests/mutants.sh
	$(step) determinism tests/determinism.sh 2
	$(step) vm-smoke tests/vm/suite.sh 'identify.*'
	@tests/total.sh $(RESULTS)

asan:
	$(Q)$(MAKE) deps SET=check
	$(Q)$(MAKE) D=asan,ubsan asan-steps RESULTS=$(BUILD)/results.asan FRESH=yes
	@tests/total.sh $(BUILD)/results.asan

asan-steps:
	@mkdir -p $(BUILD) && $(if $(FRESH),rm -rf $(RESULTS) $(RESULTS).d,:)
	$(step) asan-build $(sub) D=$(D) tests
	$(built)
	$(step) asan-unit $(OUT)/unit '*'
	$(step) asan-cli tests/cli.sh '*'
	$(step) asan-mutants env EVERY=4 tests/mutants.sh
	$(step) asan-determinism tests/determinism.sh 1

clang-steps:
	$(step) clang-build $(sub) BUILD=$(BUILD) CC=$(CC) tests $(bench_bin)
	$(built)
	$(step) clang-unit env NVP_PROBES=all $(OUT)/unit '*'
	$(step) clang-cli tests/cli.sh '*'
	$(step) clang-headers tests/headers.sh

check-long-steps: RESULTS := $(BUILD)/results.long
check-long-steps:
	@mkdir -p $(BUILD) && rm -rf $(RESULTS) $(RESULTS).d
	-$(Q)$(MAKE) D=asan,ubsan asan-steps RESULTS=$(RESULTS)
	-$(Q)$(MAKE) BUILD=$(BUILD)/clang CC=clang-14 clang-steps RESULTS=$(RESULTS)
	$(step) build $(sub) tests $(bench_bin)
	$(built)
	$(step) long-determinism tests/determinism.sh 20
	$(step) times tests/times.sh
	$(step) big-endian tests/portable.sh s390x-linux-gnu qemu-s390x
	$(step) 32-bit tests/portable.sh i686-linux-gnu qemu-i386
	$(step) coverage $(sub) coverage
	$(step) powerloss-kill tests/powerloss_kill.sh 40
	$(step) oracle env NVP_ORACLE_FULL=1 $(OUT)/unit 'oracle_exhaustive/[rtf][aho]*'
	$(step) oracle-five env NVP_ORACLE_STRIDE=16 $(OUT)/unit 'oracle_exhaustive/five*'
	$(step) resume-kill env NVP_KILLS=200 $(OUT)/unit 'resume_kill*'
	$(step) own-mutants tests/own_mutants.sh
	$(step) power-defects tests/power_defects.sh
	$(step) cuts tests/cuts.sh 10000
	$(step) fuzz $(sub) fuzz
	$(step) bench $(sub) -j1 bench
	$(step) nbd tests/vm/nbd_check.sh
	$(step) vm-suite tests/vm/suite.sh
	$(step) vm-real tests/vm/real.sh
	@tests/total.sh $(RESULTS)
