# SPDX-License-Identifier: GPL-2.0-or-later
# The fuzzers of libevtlog, for events and for tables: clang's libFuzzer with ASan and UBSan.

TEST_PROGRAMS += $(BUILD)/fuzz/seeds $(BUILD)/sanitized/fuzz/commands

FUZZ_CC ?= clang-14
FUZZ_CFLAGS := -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all
FUZZ_LIBRARY := $(patsubst %.c,$(BUILD)/fuzz/objects/%.o,$(addprefix tests/fuzz/,mutate.c seal.c) \
	$(LIBEVTLOG_SOURCES))

# Only tests of make check-full run these; they need libclang-rt.
ifdef FULL
TEST_PROGRAMS += $(BUILD)/fuzz/reader_fuzz $(BUILD)/fuzz/tables_fuzz
endif

$(BUILD)/fuzz/objects/%.o: %.c
	@mkdir -p $(@D)
	$(FUZZ_CC) $(EVTLOG_CFLAGS) $(FUZZ_CFLAGS) -fsanitize=fuzzer-no-link -c -o $@ $<

$(BUILD)/fuzz/reader_fuzz $(BUILD)/fuzz/tables_fuzz: $(BUILD)/fuzz/%: $(BUILD)/fuzz/objects/tests/fuzz/%.o $(FUZZ_LIBRARY)
	$(FUZZ_CC) $(FUZZ_CFLAGS) -fsanitize=fuzzer -o $@ $^ -lz -lm

$(BUILD)/fuzz/seeds: $(BUILD)/tests/fuzz/seeds.o $(BUILD)/tests/support/loggen.o \
		$(BUILD)/tools/lib.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -o $@ $^ -lz

# All commands in one program, which forks for each command: with sanitizers to find faults, and
# without to measure the commands' cost.
FUZZ_OBJECTS := $(addprefix tests/,fuzz/commands.o fuzz/mutate.o fuzz/seal.o support/options.o)

$(BUILD)/fuzz/main.o: $(BUILD)/tools/commands/main.o
$(BUILD)/sanitized/fuzz/main.o: $(BUILD)/sanitized/tools/evtlog/main.o
$(BUILD)/fuzz/main.o $(BUILD)/sanitized/fuzz/main.o:
	@mkdir -p $(@D)
	$(OBJCOPY) --redefine-sym main=evtlog_main $< $@

$(BUILD)/fuzz/commands: $(addprefix $(BUILD)/,$(FUZZ_OBJECTS)) $(BUILD)/fuzz/main.o \
		$(filter-out %/main.o,$(EVTLOG_OBJECTS)) $(VIEW_OBJECTS) $(TOOLS_OBJECTS) \
		$(LIBEVTLOG_OBJECTS)
	$(CC) $(CFLAGS) -o $@ $^ $(EVTLOG_LIBS) $(VIEW_LIBS)

$(BUILD)/sanitized/fuzz/commands: $(addprefix $(BUILD)/sanitized/,$(FUZZ_OBJECTS)) \
		$(BUILD)/sanitized/fuzz/main.o \
		$(filter-out %/main.o,$(EVTLOG_SOURCES:%.c=$(BUILD)/sanitized/%.o)) \
		$(VIEW_SANITIZED) $(TOOLS_SOURCES:%.c=$(BUILD)/sanitized/%.o) \
		$(BUILD)/sanitized/libevtlog.a
	$(CC) $(EVTLOG_SANITIZE) -o $@ $^ $(EVTLOG_LIBS) $(VIEW_LIBS)
