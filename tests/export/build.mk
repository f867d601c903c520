# SPDX-License-Identifier: GPL-2.0-or-later
# Programs that trace themselves.

GUEST_PROGRAMS += $(addprefix export/programs/,traced regions)

$(GUEST_BIN)/export/programs/traced: GUEST_LIBS := -lopen-trace-format2 -lm
$(GUEST_BIN)/export/programs/regions: $(BUILD)/tools/libevtlog.a
$(GUEST_BIN)/export/programs/regions: GUEST_LIBS := -lz -lm

TEST_PROGRAMS += $(addprefix $(BUILD)/tests/export/,made regions priority)

$(BUILD)/tests/export/made: $(BUILD)/tests/export/programs/made.o
	$(CC) $(CFLAGS) -o $@ $^ -lopen-trace-format2 -lm

$(BUILD)/tests/export/regions $(BUILD)/tests/export/priority: $(BUILD)/tests/export/%: \
		$(BUILD)/tests/export/programs/%.o $(BUILD)/tools/libevtlog.so
	$(CC) $(CFLAGS) -o $@ $< -L$(BUILD)/tools -levtlog -lpthread
