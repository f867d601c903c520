# SPDX-License-Identifier: GPL-2.0-or-later
# Tests of the clock model: trials on simulated clusters, and logs made from them

TEST_PROGRAMS += $(addprefix $(BUILD)/tests/clock/,trials model_test simulate relate split hosts_test) \
	$(BUILD)/sanitized/trials $(BUILD)/sanitized/relate

GUEST_PROGRAMS += clock/step

# trials uses the library's internal interface, which libevtlog.a hides.
$(BUILD)/tests/clock/trials: $(BUILD)/tests/clock/trials.o \
		$(BUILD)/tests/clock/world.o $(LIBEVTLOG_OBJECTS)
	$(CC) $(CFLAGS) -o $@ $^ -lz -lm

$(BUILD)/sanitized/trials: $(BUILD)/sanitized/tests/clock/trials.o \
		$(BUILD)/sanitized/tests/clock/world.o $(BUILD)/sanitized/libevtlog.a
	$(CC) $(EVTLOG_SANITIZE) -o $@ $^ -lz -lm

$(BUILD)/tests/clock/model_test: $(BUILD)/sanitized/tests/clock/model_test.o \
		$(BUILD)/sanitized/tests/clock/world.o $(BUILD)/sanitized/libevtlog.a
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_SANITIZE) -o $@ $^ -lcmocka -lz -lm

$(BUILD)/tests/clock/simulate: $(BUILD)/tests/clock/simulate.o \
		$(BUILD)/tests/clock/world.o $(BUILD)/tests/support/loggen.o \
		$(BUILD)/tests/support/options.o $(BUILD)/tools/lib.a
	$(CC) $(CFLAGS) -o $@ $^ -lz -lm

$(BUILD)/tests/clock/relate: $(BUILD)/tests/clock/relate.o $(BUILD)/tests/support/options.o \
		$(BUILD)/tools/libevtlog.a
	$(CC) $(CFLAGS) -o $@ $^ -lz -lm

$(BUILD)/sanitized/relate: $(BUILD)/sanitized/tests/clock/relate.o \
		$(BUILD)/sanitized/tests/support/options.o \
		$(BUILD)/sanitized/libevtlog.a
	$(CC) $(EVTLOG_SANITIZE) -o $@ $^ -lz -lm

$(BUILD)/tests/clock/split: $(BUILD)/tests/clock/split.o $(BUILD)/tests/support/loggen.o \
		$(LIBEVTLOG_OBJECTS)
	$(CC) $(CFLAGS) -o $@ $^ -lz -lm

$(BUILD)/tests/clock/hosts_test: $(BUILD)/sanitized/tests/clock/hosts_test.o \
		$(BUILD)/sanitized/tests/clock/world.o \
		$(BUILD)/sanitized/tests/support/loggen.o \
		$(BUILD)/sanitized/libevtlog.a
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_SANITIZE) -o $@ $^ -lcmocka -lz -lm
