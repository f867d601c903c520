# SPDX-License-Identifier: GPL-2.0-or-later
# Programs that open files with libkshark and the plug-in: as it is installed, and with its
# sanitized objects linked.

ifneq ($(KSHARK_PLUGIN),)
TEST_PROGRAMS += $(BUILD)/tests/kshark/entries $(addprefix $(BUILD)/sanitized/tests/kshark/,entries streams)

$(BUILD)/tests/kshark/entries: tests/kshark/entries.c tests/kshark/build.mk
	@mkdir -p $(@D)
	$(CC) $(filter-out -MMD -MP,$(EVTLOG_CFLAGS)) $(KSHARK_CFLAGS) $(CFLAGS) -o $@ $< -lkshark

KSHARK_SANITIZED := $(patsubst %.c,$(BUILD)/sanitized/%.o,$(sort $(KSHARK_SOURCES) $(KSHARK_SHARED)))

$(BUILD)/sanitized/tests/kshark/entries $(BUILD)/sanitized/tests/kshark/streams: \
		$(BUILD)/sanitized/tests/kshark/%: tests/kshark/%.c tests/kshark/build.mk \
		$(KSHARK_SANITIZED) $(BUILD)/sanitized/libevtlog.a
	@mkdir -p $(@D)
	$(CC) $(filter-out -MMD -MP,$(EVTLOG_CFLAGS)) $(KSHARK_CFLAGS) $(EVTLOG_SANITIZE) -DLINKED -o $@ $< \
		$(KSHARK_SANITIZED) $(BUILD)/sanitized/libevtlog.a $(KSHARK_LIBS) -lsodium
endif
