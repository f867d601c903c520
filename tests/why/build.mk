# SPDX-License-Identifier: GPL-2.0-or-later
# Tests of evtlog why

TEST_PROGRAMS += $(BUILD)/tests/why/write-log

$(BUILD)/tests/why/write-log: $(BUILD)/tests/why/write-log.o $(BUILD)/tests/support/loggen.o $(BUILD)/tools/lib.a
	$(CC) $(CFLAGS) -o $@ $^ -lz
