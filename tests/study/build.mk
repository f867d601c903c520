# SPDX-License-Identifier: GPL-2.0-or-later
# The study's program that computes. gcc warns that libgomp requests libraries for other devices
# than the CPU.

TEST_PROGRAMS += $(BUILD)/study/fib
GUEST_PROGRAMS += $(addprefix study/programs/,iod iotest nfsmount portmap)

$(BUILD)/study/fib: tests/study/openmp/fib.c
	@mkdir -p $(@D)
	$(CC) $(EVTLOG_CFLAGS) $(CFLAGS) -fopenmp -static -Wl,--wrap=pthread_getaffinity_np \
		-o $@ $< 2>$@.log || { cat $@.log >&2; exit 1; }
