# SPDX-License-Identifier: GPL-2.0-or-later
# Loads for the benchmarks' guests.

$(BUILD)/bench/%: tests/bench/%.c
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_CFLAGS) $(CFLAGS) -static -o $@ $<

$(BUILD)/bench/boundary: tests/jitter/programs/boundary.c
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_CFLAGS) $(CFLAGS) -static -o $@ $<
