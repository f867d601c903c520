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

# Tests of its parts, with the sanitizers looking on.
LOGD_TESTS := config_test runfile_test runs_test
LOGD_TEST_CFLAGS := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all

$(LOGD_TESTS:%=$(BUILD)/tests/logd/%): $(BUILD)/tests/logd/%: tests/logd/%.c \
		tests/logd/sample.c tests/logd/sample.h $(LOGD_NOUNS:%=logd/%.c) $(wildcard logd/*.h) \
		include/evtlog/abi.h include/evtlog/file.h
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_CFLAGS) -MF /dev/null $(LOGD_TEST_CFLAGS) -o $@ $(filter %.c,$^) -lcmocka $(LOGD_LIBS)
