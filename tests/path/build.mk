# SPDX-License-Identifier: GPL-2.0-or-later
# Tests of how packets are followed.

TEST_PROGRAMS += $(BUILD)/tests/path/packets_test
GUEST_PROGRAMS += path/traffic

$(BUILD)/tests/path/packets_test: $(BUILD)/sanitized/tests/path/packets_test.o \
		$(BUILD)/sanitized/tools.a $(BUILD)/sanitized/libevtlog.a
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_SANITIZE) -o $@ $^ -lcmocka $(EVTLOG_LIBS)
