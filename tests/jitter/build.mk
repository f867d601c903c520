# SPDX-License-Identifier: GPL-2.0-or-later
# Tests of evtlog jitter, and of the user boundary in evtlog check

TEST_PROGRAMS += $(BUILD)/tests/make-jitter $(addprefix $(BUILD)/tests/jitter/,crossing_test samples_test \
	engine-dump parts_test window_test inferred_test sequence_test period_test engine_fuzz compared_test \
	program_test make-machine)
GUEST_PROGRAMS += $(addprefix jitter/programs/,boundary daemon plain position totals)
TEST_PROGRAMS += $(GUEST_BIN)/jitter/programs/compat

# 32-bit, without libraries
$(GUEST_BIN)/jitter/programs/compat: tests/jitter/programs/compat.S
	@mkdir -p $(@D)
	$(CC) -m32 -nostdlib -static -DCALLS=300 -o $@ $<

$(BUILD)/tests/jitter/crossing_test: $(BUILD)/sanitized/tests/jitter/units/crossing_test.o \
		$(BUILD)/sanitized/tools/analysis/check/user-boundary.o
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_SANITIZE) -o $@ $^ -lcmocka

# Writes and reads files of samples
$(BUILD)/tests/jitter/samples_test: $(BUILD)/sanitized/tests/jitter/units/samples_test.o \
		$(BUILD)/sanitized/tools.a $(BUILD)/sanitized/libevtlog.a
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_SANITIZE) -o $@ $^ -lcmocka -lz -lm

# Prints the library's attribution as text
$(BUILD)/tests/jitter/engine-dump: $(BUILD)/sanitized/tests/jitter/units/engine-dump.o \
		$(BUILD)/sanitized/libevtlog.a
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_SANITIZE) -o $@ $^ -lz -lm

# The attribution on logs made by hand
$(addprefix $(BUILD)/tests/jitter/,parts_test window_test inferred_test sequence_test \
		period_test engine_fuzz): \
		$(BUILD)/tests/jitter/%: $(BUILD)/sanitized/tests/jitter/units/%.o \
		$(BUILD)/sanitized/tests/jitter/units/by-hand.o \
		$(BUILD)/sanitized/tests/support/loggen.o \
		$(BUILD)/sanitized/tools.a $(BUILD)/sanitized/libevtlog.a
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_SANITIZE) -o $@ $^ -lcmocka -lz -lm

# Functions of evtlog jitter diff and scale
$(BUILD)/tests/jitter/compared_test: $(BUILD)/sanitized/tests/jitter/units/compared_test.o \
		$(BUILD)/sanitized/tools.a
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_SANITIZE) -o $@ $^ -lcmocka -lm

$(BUILD)/tests/jitter/program_test: $(BUILD)/sanitized/tests/jitter/units/program_test.o \
		$(BUILD)/sanitized/tools.a
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_SANITIZE) -o $@ $^ -lcmocka -lm

# Writes logs and samples of simulated loops, and the correct results
$(BUILD)/tests/make-jitter: $(addprefix $(BUILD)/tests/jitter/units/,make-jitter.o pings.o) $(BUILD)/tests/support/loggen.o \
		$(BUILD)/tools/tools.a $(BUILD)/tools/lib.a
	$(CC) $(CFLAGS) -o $@ $^ -lz

# Writes logs of simulated machines for the attribution's oracle
$(BUILD)/tests/jitter/make-machine: $(BUILD)/tests/jitter/units/make-machine.o \
		$(BUILD)/tests/support/loggen.o $(BUILD)/tools/tools.a $(BUILD)/tools/lib.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -o $@ $^ -lz
