# SPDX-License-Identifier: GPL-2.0-or-later
# The kernel's ring, unmodified, in user space, built on demand for its tests

RING_SRC := kernel-patches/src/kernel/evtlog
UNIT_BIN := $(BUILD)/tests/unit
# Replacements of kernel functions have no prototypes.
UNIT_CFLAGS := $(filter-out -MMD -MP -Wmissing-prototypes,$(EVTLOG_CFLAGS)) -Wno-maybe-uninitialized -g -pthread \
	-Itests/unit -isystem tests/unit/shim -isystem $(UNIT_BIN)/shim -I$(RING_SRC) -DCONFIG_EVTLOG_DEBUG
UNIT_SHIM := $(wildcard tests/unit/*.h tests/unit/shim/*.h tests/unit/shim/*/*.h \
	tests/unit/shim/*/*/*.h) $(wildcard $(RING_SRC)/*.h) include/evtlog/abi.h
UNIT_RING := $(RING_SRC)/ring.c tests/unit/shim/irq.c tests/unit/shim/join.c tests/unit/ring_read.c
UNIT_LIMITS := tests/unit/limits.c tests/support/options.c

# Headers of the kernel for which shim/machine.h has what is needed
UNIT_MACHINE := $(patsubst %,$(UNIT_BIN)/shim/%.h,net/net_namespace net/icmp linux/sched/cputime \
	$(addprefix linux/,cpu cpuhotplug cpumask ctype interrupt irq irqdesc kernel_stat printk random \
	rcupdate rtmutex sched slab smp spinlock suspend wait))
UNIT_SHIM += $(UNIT_MACHINE)

$(UNIT_MACHINE):
	@mkdir -p $(@D)
	echo '#include <machine.h>' >$@

# Each test is built as for use, and with each sanitizer.
UNIT_CFLAGS_plain := -O2
# local-exec: the linker removes the flags with which gcc tests for another file's thread-local
# variable.
UNIT_CFLAGS_asan := -O1 -fsanitize=address,undefined -fno-sanitize-recover=all \
	-ftls-model=local-exec
UNIT_CFLAGS_tsan := -O1 -fsanitize=thread

# Each program and sanitizer has its own object of each source: ring-mutations.test changes one
# source at a time. $(call unit_object,PROGRAM,SOURCE,FLAGS)
define unit_object
.PRECIOUS: $$(UNIT_BIN)/$(1).%-$(notdir $(2:.c=.o))
$$(UNIT_BIN)/$(1).%-$(notdir $(2:.c=.o)): $(2) $$(UNIT_SHIM) tests/unit/build.mk
	@mkdir -p $$(@D)
	$$(CC) $$(UNIT_CFLAGS) $(3) -include tests/unit/shim/clock.h $$(UNIT_CFLAGS_$$*) -c -o $$@ $$<
endef

# $(call unit_program,NAME,SOURCES,LIBRARIES,FLAGS)
define unit_program
$(foreach source,$(2),$(eval $(call unit_object,$(1),$(source),$(4))))
$$(UNIT_BIN)/$(1).%: $(foreach source,$(2),$$(UNIT_BIN)/$(1).%-$(notdir $(source:.c=.o)))
	$$(CC) -pthread $$(UNIT_CFLAGS_$$*) -o $$@ $$^ $(3)
endef

# $(call unit_test,NAME,FURTHER SOURCES,LIBRARIES)
unit_test = $(call unit_program,$(1),tests/unit/$(1).c $(2) $(UNIT_RING),$(3))

$(eval $(call unit_test,ring_random,tests/unit/ring_model.c tests/unit/ring_judge.c $(UNIT_LIMITS)))
$(eval $(call unit_test,ring_threads,tests/unit/ring_log.c $(UNIT_LIMITS)))
$(eval $(call unit_test,ring_steps,tests/unit/ring_log.c))
$(eval $(call unit_test,ring_probes))

# Starts and stops: the ring and the layers above it, on a machine of threads
JOIN_SRC := $(addprefix tests/unit/ring_,join.c cpus.c supply.c story.c nmis.c read.c) \
	$(UNIT_LIMITS) $(addprefix tests/unit/shim/,irq.c machine.c lines.c memory.c) \
	$(addprefix $(RING_SRC)/,ring.c join.c counters.c run.c arm.c publish.c)

$(eval $(call unit_program,ring_join,$(JOIN_SRC),,\
	-iquote tests/unit/shim/sched -DSHIM_RACES -DCONFIG_INET))

# The same with the real counter, for tests/bench/native.bench; linked with LTTng-UST if installed
NATIVE_DEPS := tests/bench/ust.h $(UNIT_SHIM) $(RING_SRC)/clock.h tests/unit/build.mk
NATIVE_SRC := tests/bench/native.c $(RING_SRC)/ring.c tests/unit/shim/irq.c tests/unit/shim/join.c
NATIVE_CFLAGS = $(filter-out -DCONFIG_EVTLOG_DEBUG,$(UNIT_CFLAGS)) -O2
UST_CFLAGS = $(filter-out -MMD -MP,$(EVTLOG_CFLAGS)) -O2 -Itests/bench

$(BUILD)/bench/native: $(NATIVE_SRC) $(NATIVE_DEPS)
	@mkdir -p $(@D)
	$(CC) $(NATIVE_CFLAGS) -o $@ $(NATIVE_SRC)

$(BUILD)/bench/native-ust: $(NATIVE_SRC) tests/bench/ust.c tests/bench/ust-provider.h \
		$(NATIVE_DEPS)
	@mkdir -p $(@D)
	$(CC) $(UST_CFLAGS) -c -o $@.o tests/bench/ust.c
	$(CC) $(NATIVE_CFLAGS) -o $@ $(NATIVE_SRC) $@.o -llttng-ust

$(BUILD)/bench/ust-clock.so: tests/bench/ust-clock.c tests/unit/build.mk
	@mkdir -p $(@D)
	$(CC) $(UST_CFLAGS) -fPIC -shared -o $@ $< -llttng-ust

# Filters: the kernel's sources, the test's model, and on x86-64 the machine code
FILTER_SRC := $(addprefix $(RING_SRC)/,$(addprefix filter/,lex.c parse.c match.c x86.c) code/emit.c)
UNIT_SHIM += $(wildcard $(RING_SRC)/filter/*.h $(RING_SRC)/code/*.h)

UNIT_SHIM += $(wildcard kernel-patches/module/*.h)

$(eval $(call unit_program,filter_random,tests/unit/filter_random.c tests/unit/filter_model.c \
	tests/unit/filter_native.c tests/unit/filter_program.c $(UNIT_LIMITS) $(FILTER_SRC) \
	kernel-patches/module/program.c,,-Ikernel-patches))
$(eval $(call unit_program,filter_hostile,tests/unit/filter_hostile.c $(UNIT_LIMITS) $(FILTER_SRC)))

# Descriptions of registered events
UNIT_SHIM += $(wildcard $(RING_SRC)/event/*.h)

$(eval $(call unit_program,fields_hostile,tests/unit/fields_hostile.c $(UNIT_LIMITS) \
	$(RING_SRC)/event/fields.c))

# Samples: the kernel's decision, and the estimator of evtlog stat
SAMPLE_SRC := $(addprefix $(RING_SRC)/sample/,draw.c parse.c) tools/analysis/stat/estimate.c
UNIT_SHIM += $(wildcard $(RING_SRC)/sample/*.h)

$(eval $(call unit_program,sample_estimates,tests/unit/sample_estimates.c $(UNIT_LIMITS) \
	$(SAMPLE_SRC),-lm,-Itools))

# The kernel's profiles
UNIT_SHIM += $(wildcard $(RING_SRC)/profile/*.h $(RING_SRC)/callpath/*.h)

$(eval $(call unit_program,profile_tree,tests/unit/profile_tree.c \
	$(RING_SRC)/callpath/more.c $(RING_SRC)/callpath/slots.c \
	$(addprefix $(RING_SRC)/profile/,tree.c switch.c cpu.c),,-D__evtlog_saves_all=))

TEST_PROGRAMS += $(addprefix $(UNIT_BIN)/,fields_hostile.asan filter_hostile.asan filter_random.plain \
	filter_random.asan profile_tree.plain profile_tree.asan ring_probes.asan \
	$(foreach kind,plain asan tsan,ring_join.$(kind)) ring_threads.asan ring_threads.tsan ring_random.plain \
	ring_random.asan ring_steps.plain sample_estimates.plain sample_estimates.asan)
