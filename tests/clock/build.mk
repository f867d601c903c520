# SPDX-License-Identifier: GPL-2.0-or-later
# Tests of the clock model: trials on simulated clusters, and logs made of them.

# The library's inner interface, which libevtlog.a hides.
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
