// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes the file of a global named buffer: random CPUs and tasks write tickets.
 *
 * Stage: makes input for global.test; its model global.py draws the same numbers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/loggen.h"

#define CPUS	5
#define ID	3

/* Returns 32 bits of xorshift. */
static uint32_t draw(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

int main(int argc, char **argv)
{
	struct loggen_options options = loggen_defaults();
	uint32_t state, cpu, pid, last_cpu = UINT32_MAX, last_pid = 0;
	unsigned int count, weight;
	char format[200];
	struct loggen *gen;
	uint64_t now;
	int error;

	if (argc != 5 && argc != 7) {
		fprintf(stderr, "Usage: make-global FILE HOST SEED EVENTS [SAMPLE WEIGHT]\n");
		return 2;
	}
	snprintf(format, sizeof(format), "ticket\nnumber:0:4:u cpu_is:4:4:u pid_is:8:4:u%s\n%s%s",
		 argc == 7 ? " weight:12:4:u" : "", argc == 7 ? argv[5] : "", argc == 7 ? "\n" : "");
	weight = argc == 7 ? strtoul(argv[6], NULL, 10) : 0;
	state = strtoul(argv[3], NULL, 10);
	count = strtoul(argv[4], NULL, 10);
	options.cpus = 1;
	options.host = argv[2];
	options.boot = argv[2][0];
	options.run_name = "order";
	options.meta = "named_buffer=global\n";
	options.is_global = true;
	gen = loggen_new(&options);
	now = options.boot_ticks + 1000000;
	loggen_begin(gen, 0, now, EVTLOG_PID_UNKNOWN, "");
	for (unsigned int k = 0; k < count; k++) {
		uint32_t payload[4];

		cpu = draw(&state) % CPUS;
		pid = 100 + draw(&state) % 4;
		now += draw(&state) % 3 * 500;
		if (cpu != last_cpu || pid != last_pid)
			loggen_on_cpu(gen, now, cpu, pid);
		last_cpu = cpu;
		last_pid = pid;
		if (!k)
			loggen_format(gen, 0, now, ID, format);
		memcpy(payload, (uint32_t[]){ k, cpu, pid, weight }, sizeof(payload));
		loggen_event(gen, 0, now, ID, payload, sizeof(payload));
		if (!(k % 10))
			loggen_record(gen, 0, now, EVTLOG_SCHED_SWITCH, pid + 1, 1, NULL);
		/* If all were of one CPU, these would not alternate. */
		if (!(k % 11))
			loggen_record(gen, 0, now, k % 3 ? EVTLOG_USER_EXIT : EVTLOG_USER_ENTER, 0, 1,
				      NULL);
	}
	loggen_end(gen, 0, now + 1);
	loggen_close(gen);
	error = loggen_save(gen, argv[1]);
	loggen_free(gen);
	if (error)
		fprintf(stderr, "make-global: %s: %s\n", argv[1], strerror(-error));
	return error ? 1 : 0;
}
