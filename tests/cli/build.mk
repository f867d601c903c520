# SPDX-License-Identifier: GPL-2.0-or-later
# Programs that make logs for tests of the command line

TEST_PROGRAMS += $(BUILD)/sanitized/evtlog $(addprefix $(BUILD)/tests/cli/,make-numbers make-global)

$(BUILD)/tests/cli/make-numbers: $(BUILD)/tests/cli/make-numbers.o \
		$(BUILD)/tests/support/loggen.o $(BUILD)/tools/lib.a
	$(CC) $(CFLAGS) -o $@ $^ -lz

$(BUILD)/tests/cli/make-global: $(BUILD)/tests/cli/make-global.o \
		$(BUILD)/tests/support/loggen.o $(BUILD)/tools/lib.a
	$(CC) $(CFLAGS) -o $@ $^ -lz
