# SPDX-License-Identifier: GPL-2.0-or-later
# The fuzzer of libevtlog: clang's libFuzzer with ASan and UBSan.

FUZZ_CC ?= clang-14
FUZZ_CFLAGS := $(filter-out -MMD -MP,$(EVTLOG_CFLAGS)) -g -O1 \
	-fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all

$(BUILD)/fuzz/reader_fuzz: tests/fuzz/reader_fuzz.c $(LIBEVTLOG_SOURCES) \
		$(wildcard tools/lib/*.h include/evtlog/*.h)
	@mkdir -p $(@D)
	$(FUZZ_CC) $(FUZZ_CFLAGS) -o $@ $(filter %.c,$^) -lz -lm

$(BUILD)/fuzz/seeds: $(BUILD)/tests/fuzz/seeds.o $(BUILD)/tests/lib/loggen.o \
		$(BUILD)/logd/pack.o $(BUILD)/logd/huffman.o
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -o $@ $^ -lz
