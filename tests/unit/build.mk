# SPDX-License-Identifier: GPL-2.0-or-later
# The kernel's ring, unmodified, in user space: built for its tests on demand.

RING_SRC := kernel-patches/src/kernel/evtlog
UNIT_CFLAGS := $(filter-out -MMD -MP,$(EVTLOG_CFLAGS)) -g -pthread \
	-Itests/unit -isystem tests/unit/shim -I$(RING_SRC) -DCONFIG_EVTLOG_DEBUG
UNIT_SHIM := $(wildcard tests/unit/*.h tests/unit/shim/*.h tests/unit/shim/*/*.h \
	tests/unit/shim/*/*/*.h) $(RING_SRC)/ring.h $(RING_SRC)/context.h include/evtlog/abi.h
UNIT_RING := $(RING_SRC)/ring.c tests/unit/shim/irq.c tests/unit/shim/join.c tests/unit/ring_read.c
UNIT_BIN := $(BUILD)/tests/unit

# Each test as the compiler would make it for use, and under each sanitizer
UNIT_CFLAGS_plain := -O2
# The linker takes the flags away by which gcc tells that a thread's variable of another file is there.
UNIT_CFLAGS_asan := -O1 -fsanitize=address,undefined -fno-sanitize-recover=all \
	-ftls-model=local-exec
UNIT_CFLAGS_tsan := -O1 -fsanitize=thread

# $(call unit_test,NAME,FURTHER SOURCES,LIBRARIES)
define unit_test
$$(UNIT_BIN)/$(1).%: tests/unit/$(1).c $(2) $$(UNIT_RING) $$(UNIT_SHIM) tests/unit/build.mk
	@mkdir -p $$(@D)
	$$(CC) $$(UNIT_CFLAGS) -include tests/unit/shim/clock.h $$(UNIT_CFLAGS_$$*) \
		-o $$@ tests/unit/$(1).c $(2) $$(UNIT_RING) $(3)
endef

$(eval $(call unit_test,ring_random,tests/unit/ring_model.c tests/unit/ring_judge.c tests/unit/limits.c))
$(eval $(call unit_test,ring_signals,tests/unit/ring_log.c tests/unit/limits.c))
$(eval $(call unit_test,ring_steps,tests/unit/ring_log.c))
$(eval $(call unit_test,ring_claims,tests/unit/ring_trial.c,-lcmocka))
$(eval $(call unit_test,ring_losses,tests/unit/ring_trial.c,-lcmocka))

# Starts and stops: what is above the ring too, on a machine of threads.
JOIN_SRC := $(addprefix tests/unit/ring_,join.c cpus.c supply.c story.c nmis.c read.c) \
	tests/unit/limits.c $(addprefix tests/unit/shim/,irq.c machine.c lines.c memory.c) \
	$(addprefix $(RING_SRC)/,ring.c join.c counters.c run.c arm.c publish.c)

$(UNIT_BIN)/ring_join.%: $(JOIN_SRC) $(UNIT_SHIM) $(wildcard $(RING_SRC)/*.h) tests/unit/build.mk
	@mkdir -p $(@D)
	$(CC) $(UNIT_CFLAGS) -iquote tests/unit/shim/sched -DSHIM_RACES -DCONFIG_INET \
		-include tests/unit/shim/clock.h $(UNIT_CFLAGS_$*) -o $@ $(JOIN_SRC)

# The same with the real counter, for tests/bench/native.bench; where it is installed,
# linked with LTTng-UST.
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
