# SPDX-License-Identifier: GPL-2.0-or-later
# Targets that run something: demo, check, bench. tests/*/build.mk define the test programs.

# TEST_PROGRAMS: all programs that tests use. GUEST_PROGRAMS: the static programs that run in
# guests, as FOLDER/NAME. Each folder's build.mk adds its programs.
TEST_PROGRAMS := $(ALL) guest logd-tests $(LOGD_GUEST_TOOLS:%=$(BUILD)/tests/logd/%)
GUEST_PROGRAMS :=
GUEST_BIN := $(BUILD)/guest-programs

include $(wildcard tests/*/build.mk)

# Tests also include headers of logd, as "logd/NAME.h".
$(BUILD)/tests/%.o $(BUILD)/sanitized/tests/%.o: EVTLOG_CFLAGS += -I.
$(BUILD)/tests/%.o: EVTLOG_CFLAGS += -Itests/support -Itests/jitter/programs

TEST_PROGRAMS += $(GUEST_PROGRAMS:%=$(GUEST_BIN)/%)
$(GUEST_PROGRAMS:%=$(GUEST_BIN)/%): $(GUEST_BIN)/%: $(BUILD)/tests/%.o
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -static -pthread -o $@ $^ $(GUEST_LIBS)

.PHONY: demo demo-stock study check check-full bench depend guest test-programs

depend:
	tests/depend build kernel vm

# Static programs that tests/vm/run installs in each guest.
GUEST_INIT := $(patsubst $(BUILD)/logd/service/%.init,$(BUILD)/guest/etc/init.d/%,$(filter %.init,$(SERVICES)))

guest: $(BUILD)/guest/logd $(BUILD)/guest/evtlog $(GUEST_INIT) $(SERVICES)

$(GUEST_INIT): $(BUILD)/guest/etc/init.d/%: $(BUILD)/logd/service/%.init
	install -D -m 755 $< $@

demo:
	tests/demo/run $(OUT)/demo

demo-stock:
	tests/demo/stock $(OUT)/demo-stock

# Builds a kernel with NFS. Three guests run for minutes, then two more.
study:
	tests/study/run $(OUT)/study
	tests/study/openmp/run $(OUT)/study-openmp 2,4 100 200 --sample 250Hz

# Only tests/run builds these programs; the tests do not.
test-programs: $(TEST_PROGRAMS)
ifneq ($(filter test-programs,$(MAKECMDGOALS)),)
$(info building the test programs)
endif

# make check builds the guest's kernel in the background, while tests/run builds the programs and runs the tests.
# make check-full builds all kernels first: a test must not wait for another one's kernel. The final
# table of times includes the kernels: tests/kernel/build writes theirs to EVTLOG_TOOK. The build in
# the background has its own session, which ends with the shell, also after ^C.
VARIANTS = $(shell grep -rhoE '^(\#|//) (tier: full; )?(alone; )?needs: [a-z ]+$$' --include='*.test' tests | \
	sed 's/.*needs: //' | tr ' ' '\n' | sort -u)
CHECK = $(if $(filter-out build,$(BUILD)),$(error BUILD=$(BUILD): the tests run the programs of build; unset BUILD)) \
	. tests/compilers; tests/vm/qemu >/dev/null || { \
	echo "make check: QEMU 8.1 is missing (tests/vm/qemu): guests with several CPUs run in real time" >&2; \
	[ "$${CI:-}" != true ]; }; export EVTLOG_TOOK=$(abspath $(OUT))/check/kernels; \
	mkdir -p $(OUT)/check; : >$$EVTLOG_TOOK; \
	$(if $(FULL),for v in $(VARIANTS); do tests/kernel/build --variant $$v >/dev/null || true; done, \
	setsid tests/kernel/build >/dev/null & trap "kill -- -$$! 2>/dev/null || true" EXIT); \
	tests/run $(if $(SEED),--seed $(SEED))

# SEED=N or SEED=random selects other random inputs (tests/run --help).
check:
	tests/depend build kernel vm check
	$(CHECK) -m 'not full'

# The other tests: other kernels, real time, long fuzzing, readers that are large to install.
# Run it before an issue is closed.
check-full: export FULL = 1
check-full:
	tests/depend build kernel vm check full
	$(CHECK) -m full

bench:
	tests/depend build kernel vm bench
	$(MAKE) --no-print-directory all guest
	tests/bench/run $(OUT)/bench
