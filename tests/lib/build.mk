# SPDX-License-Identifier: GPL-2.0-or-later
# Tests of libevtlog, and programs that make logs for tests

TEST_PROGRAMS += $(addprefix $(BUILD)/tests/,make-log make-events make-every make-samples make-paths) \
	$(patsubst %.c,$(BUILD)/%,$(wildcard tests/lib/*_test.c))

LIB_TEST_LIBS := -lcmocka -lz -lm

$(BUILD)/tests/make-log: $(BUILD)/tests/lib/make-log.o $(BUILD)/tests/lib/machine.o \
		$(BUILD)/tests/support/loggen.o $(BUILD)/tests/support/options.o \
		$(BUILD)/tools/lib.a
	$(CC) $(CFLAGS) -o $@ $^ -lz

$(addprefix $(BUILD)/tests/,make-events make-every make-samples make-paths): $(BUILD)/tests/make-%: \
		$(BUILD)/tests/support/make-%.o $(BUILD)/tests/support/loggen.o \
		$(BUILD)/tests/support/options.o $(BUILD)/tools/lib.a
	$(CC) $(CFLAGS) -o $@ $^ -lz

# With sanitizers: libevtlog reads untrusted data.
$(BUILD)/tests/lib/%_test: $(BUILD)/sanitized/tests/lib/%_test.o \
		$(BUILD)/sanitized/tests/fuzz/mutate.o \
		$(BUILD)/sanitized/tests/fuzz/seal.o \
		$(BUILD)/sanitized/tests/support/loggen.o \
		$(BUILD)/sanitized/tests/lib/cpu-model.o \
		$(BUILD)/sanitized/tests/lib/sample.o \
		$(BUILD)/sanitized/tests/lib/worlds.o \
		$(BUILD)/sanitized/libevtlog.a
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_SANITIZE) -o $@ $^ $(LIB_TEST_LIBS)

# The test makes these system calls short, and interrupts them.
$(BUILD)/tests/lib/io_test: LIB_TEST_LIBS += \
	-Wl,--wrap=read,--wrap=write,--wrap=waitpid,--wrap=pread64,--wrap=pwrite64,--wrap=pwritev64
