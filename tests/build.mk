# SPDX-License-Identifier: GPL-2.0-or-later
# What is run: demo, check, bench. Test programs are in tests/*/build.mk.

# All programs that tests use, and FOLDER/NAME of those that guests run, which are static. Those
# of a folder are in its build.mk.
TEST_PROGRAMS := $(ALL) guest logd-tests $(LOGD_GUEST_TOOLS:%=$(BUILD)/tests/logd/%)
GUEST_PROGRAMS :=
GUEST_BIN := $(BUILD)/guest-programs

include $(wildcard tests/*/build.mk)

# Tests look into logd as well.
$(BUILD)/tests/%.o $(BUILD)/sanitized/tests/%.o: EVTLOG_CFLAGS += -I.
$(BUILD)/tests/%.o: EVTLOG_CFLAGS += -Itests/support -Itests/jitter/programs

TEST_PROGRAMS += $(GUEST_PROGRAMS:%=$(GUEST_BIN)/%)
$(GUEST_PROGRAMS:%=$(GUEST_BIN)/%): $(GUEST_BIN)/%: $(BUILD)/tests/%.o
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -static -pthread -o $@ $^ $(GUEST_LIBS)

.PHONY: demo study check check-full bench depend guest test-programs

depend:
	tests/depend build kernel vm

# Static programs that tests/vm/run puts into the guest.
guest: $(BUILD)/guest/logd $(BUILD)/guest/evtlog $(SERVICES)

demo:
	tests/demo/run $(OUT)/demo

# A kernel with NFS is built for it, and three guests run for minutes; then two more.
study:
	tests/study/run $(OUT)/study
	tests/study/openmp/run $(OUT)/study-openmp 2,4 100 200 --sample 250Hz

# No test builds a program; the file tells them that all were built.
test-programs: $(TEST_PROGRAMS)
	touch $(BUILD)/test-programs

# What is built takes part in where the time went.
CHECK = . tests/compilers; export EVTLOG_TOOK=$(abspath $(OUT))/check/kernels; \
	mkdir -p $(OUT)/check; : >$$EVTLOG_TOOK; \
	(unset MAKEFLAGS MFLAGS MAKELEVEL; tests/kernel/build >/dev/null) & \
	$(MAKE) --no-print-directory -j$$(nproc) all guest test-programs && \
	tests/run $(if $(SEED),--seed $(SEED))

# SEED=N or SEED=random: other inputs than those of each run (tests/run --help). The guest's
# kernel is built beside the programs and the tests that do not need it.
check:
	tests/depend build kernel vm check
	$(CHECK) -m 'not full'

# The rest: other kernels, real time, long fuzzing, readers that are heavy. Run it before an
# issue is closed.
check-full:
	tests/depend build kernel vm check full
	$(CHECK) -m full

bench:
	tests/depend build kernel vm bench
	$(MAKE) --no-print-directory all guest
	tests/bench/run $(OUT)/bench
