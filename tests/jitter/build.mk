# SPDX-License-Identifier: GPL-2.0-or-later
# The test of what evtlog check says of user mode's boundary.

$(BUILD)/tests/jitter/crossing_test: $(BUILD)/sanitized/tests/jitter/crossing_test.o \
		$(BUILD)/sanitized/tools/evtlog/boundary.o
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_SANITIZE) -o $@ $^ -lcmocka

# Files of samples, written and read
$(BUILD)/tests/jitter/samples_test: $(BUILD)/sanitized/tests/jitter/samples_test.o \
		$(addprefix $(BUILD)/sanitized/tools/,jitter/samples-write.o \
		evtlog/output.o evtlog/say.o) $(BUILD)/sanitized/libevtlog.a
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_SANITIZE) -o $@ $^ -lcmocka -lz -lm
