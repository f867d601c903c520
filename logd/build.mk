# SPDX-License-Identifier: GPL-2.0-or-later
# logd: the daemon, its configuration, init script, systemd unit and manual.

LOGD_NOUNS := say config options block scan runfile run runs directory kernel drain \
	describe privilege notify background
LOGD_OBJECTS := $(LOGD_NOUNS:%=$(BUILD)/logd/%.o)
LOGD_LIBS := -lz

ALL	+= $(BUILD)/logd/logd
INSTALL	+= install-logd

$(BUILD)/logd/logd: $(BUILD)/logd/main.o $(LOGD_OBJECTS)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LOGD_LIBS)

# For the test machine's initramfs, which has no libraries.
$(BUILD)/guest/logd: $(BUILD)/logd/main.o $(LOGD_OBJECTS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -static -o $@ $^ $(LOGD_LIBS)
