# SPDX-License-Identifier: GPL-2.0-or-later
# The test of what evtlog check says of user mode's boundary.

$(BUILD)/tests/jitter/crossing_test: $(BUILD)/sanitized/tests/jitter/crossing_test.o \
		$(BUILD)/sanitized/tools/evtlog/boundary.o
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_SANITIZE) -o $@ $^ -lcmocka
