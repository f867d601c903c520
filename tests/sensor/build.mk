# SPDX-License-Identifier: GPL-2.0-or-later
# Tests of a sensor's numbers and of its socket

TEST_PROGRAMS += $(BUILD)/tests/sensor/sensor_test
GUEST_PROGRAMS += $(addprefix sensor/,hostile listen)

$(BUILD)/tests/sensor/sensor_test: $(BUILD)/sanitized/tests/sensor/sensor_test.o \
		$(BUILD)/sanitized/tools.a $(BUILD)/sanitized/libevtlog.a
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_SANITIZE) -o $@ $^ -lcmocka $(EVTLOG_LIBS)
