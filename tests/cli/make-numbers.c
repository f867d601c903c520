// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes a log with each number that a reader has a name for, and with the neighbouring numbers.
 *
 * Stage: makes input for names.test; it contains no names.
 */
#include <stdio.h>
#include <stdlib.h>

#include <evtlog/abi.h>

#include "../support/loggen.h"

static struct loggen *gen;
static uint64_t now = 1000;

static void put(unsigned int type, uint32_t data)
{
	loggen_record(gen, 0, now++, type, data, 1, NULL);
}

int main(int argc, char **argv)
{
	const uint64_t icmp[4] = { 0 };
	struct loggen_options options = loggen_defaults();
	char *meta;

	if (argc != 3)
		return 2;
	options.cpus = 1;
	options.buffer_bytes = 65536;
	options.boot_ticks = 1000;
	if (asprintf(&meta, "machine=%s\nirq_24=virtio0-input.0\n", argv[2]) < 0)
		return 1;
	options.meta = meta;
	gen = loggen_new(&options);
	loggen_begin(gen, 0, now, 7, "seven");
	for (uint32_t cause = EVTLOG_USER_EXIT_SYSCALL; cause <= EVTLOG_USER_EXIT_COMPAT; cause++)
		for (uint32_t nr = 0; nr < 600; nr++) {
			put(EVTLOG_USER_EXIT, cause | nr << 2);
			put(EVTLOG_USER_ENTER, 7);
		}
	put(EVTLOG_USER_EXIT, EVTLOG_USER_EXIT_SYSCALL | EVTLOG_SYSCALL_OTHER << 2);
	put(EVTLOG_USER_ENTER, 7);
	put(EVTLOG_USER_EXIT, EVTLOG_USER_EXIT_OTHER);
	for (uint32_t vector = 0; vector < 48; vector++) {
		put(EVTLOG_EXCEPTION_ENTRY, vector);
		put(EVTLOG_EXCEPTION_EXIT, vector);
	}
	for (uint32_t vector = 0xec; vector < 0x100; vector++) {
		put(EVTLOG_VECTOR_ENTRY, vector);
		put(EVTLOG_VECTOR_EXIT, vector);
	}
	for (uint32_t type = 0; type < 20; type++)
		loggen_record(gen, 0, now++, EVTLOG_ICMP_TX, type, 4, icmp);
	for (uint32_t ret = 0; ret < 4; ret++) {
		put(EVTLOG_IRQ_HANDLER_ENTRY, 24);
		put(EVTLOG_IRQ_HANDLER_EXIT, 24 | ret << 24);
	}
	for (uint32_t state = 0; state < 10; state++)
		put(EVTLOG_SCHED_SWITCH, (state & 1 ? 7 : 8) | state << EVTLOG_PID_BITS);
	loggen_end(gen, 0, now);
	loggen_close(gen);
	return loggen_save(gen, argv[1]) ? 1 : 0;
}
