# SPDX-License-Identifier: GPL-2.0-or-later
# Loads for the benchmarks' guests.

GUEST_PROGRAMS += bench/yield
TEST_PROGRAMS += $(addprefix $(BUILD)/bench/,packets pingpong timed)

$(BUILD)/bench/%: tests/bench/%.c
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_CFLAGS) $(CFLAGS) -static -o $@ $<

$(BUILD)/bench/boundary: tests/jitter/programs/boundary.c
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_CFLAGS) $(CFLAGS) -static -o $@ $<

# The library that bench profile preloads, and a program that can load it
$(BUILD)/bench/packets-dynamic: tests/bench/packets.c
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_CFLAGS) $(CFLAGS) -o $@ $<

$(BUILD)/bench/region-calls.so: tests/bench/region-calls.c $(BUILD)/tools/libevtlog.so
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_CFLAGS) $(CFLAGS) -Iinclude -fPIC -shared -o $@ $< -L$(BUILD)/tools -levtlog

$(BUILD)/bench/arrow-bytes: tests/bench/arrow-bytes.c $(BUILD)/tools/libevtlog.a
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_CFLAGS) $(CFLAGS) -o $@ $^ -lz -lm -lpthread
