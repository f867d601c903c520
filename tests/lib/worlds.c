// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Shared functions of the tests of indexes: small worlds, their file, and random bins
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <evtlog/abi.h>

#include "sample.h"
#include "worlds.h"

char log_path[] = "/dev/shm/index-test-XXXXXX";
char index_path[sizeof(log_path) + 4];

int make_paths(void **arg)
{
	int fd = mkstemp(log_path);

	if (fd < 0)
		return -1;
	close(fd);
	snprintf(index_path, sizeof(index_path), "%s.evx", log_path);
	return 0;
}

int remove_paths(void **arg)
{
	unlink(log_path);
	unlink(index_path);
	return 0;
}

void save_log(struct loggen *gen)
{
	loggen_close(gen);
	assert_int_equal(loggen_save(gen, log_path), 0);
	loggen_free(gen);
}

struct loggen_options random_options(uint64_t *state)
{
	struct loggen_options options = loggen_defaults();

	options.cpus = 1 + xorshift(state) % 4;
	options.buffer_bytes = 4096 << xorshift(state) % 5;
	options.compress = xorshift(state) % LOGGEN_WAYS;
	return options;
}

/* Few pids, which are reused again and again */
static uint32_t some_pid(uint64_t *state)
{
	return xorshift(state) % 12;
}

/* Records a random event on @cpu at @now. */
static void happen(struct loggen *gen, unsigned int cpu, uint64_t now, uint64_t *state)
{
	uint64_t words[6] = { some_pid(state), 0, 0, 0, 0, 0 };
	uint32_t pid = some_pid(state);
	char comm[] = "name?";

	comm[4] = '0' + xorshift(state) % 8;
	switch (xorshift(state) % 42) {
	case 0:
		loggen_comm(words + 2, comm);
		words[0] |= words[0] << 32;
		loggen_record(gen, cpu, now, EVTLOG_SCHED_PROCESS_FORK, pid, 5, words);
		break;
	case 1:
		loggen_comm(words, comm);
		loggen_record(gen, cpu, now, EVTLOG_TASK_RENAME, pid, 3, words);
		break;
	case 40:
		words[0] = pid | (uint64_t)pid << 32;
		loggen_comm(words + 1, comm);
		loggen_record(gen, cpu, now, EVTLOG_SCHED_PROCESS_EXEC, pid, 4, words);
		break;
	case 41:
		loggen_comm(words + 4, comm);
		loggen_record(gen, cpu, now, EVTLOG_TASK, pid, 7, words);
		break;
	case 2 ... 5:
		loggen_record(gen, cpu, now, EVTLOG_SCHED_WAKING, pid, 1, NULL);
		break;
	case 6:
		loggen_record(gen, cpu, now, EVTLOG_SCHED_MIGRATE_TASK, pid, 2, words);
		break;
	case 7 ... 9:
		loggen_record(gen, cpu, now, EVTLOG_SOFTIRQ_ENTRY, 1, 1, NULL);
		break;
	case 10 ... 13:
		loggen_record(gen, cpu, now, EVTLOG_SOFTIRQ_EXIT, 1, 1, NULL);
		break;
	case 14 ... 16:
		loggen_record(gen, cpu, now, EVTLOG_LOCAL_TIMER_ENTRY, 236, 1, NULL);
		break;
	case 17 ... 20:
		loggen_record(gen, cpu, now, EVTLOG_LOCAL_TIMER_EXIT, 236, 1, NULL);
		break;
	default:
		loggen_record(gen, cpu, now, EVTLOG_SCHED_SWITCH, pid, 1, NULL);
		break;
	}
}

void small_world(struct loggen *gen, unsigned int cpus, unsigned int records,
		 uint64_t *state)
{
	uint64_t now[64], span = 1 + xorshift(state) % 4000;
	bool lossy = xorshift(state) % 2;
	bool joined = xorshift(state) % 2;

	for (unsigned int i = 0; i < cpus; i++) {
		now[i] = 5000000000 + xorshift(state) % 1000;
		if (joined)
			now[i] += xorshift(state) % (1000 * span);
		loggen_join(gen, i, joined ? 5000000000 : now[i], now[i], i, "small");
	}
	while (records--) {
		unsigned int cpu = xorshift(state) % cpus;

		if (xorshift(state) % 2)
			now[cpu] += xorshift(state) % span;
		if (xorshift(state) % 2048 == 0)
			now[cpu] += xorshift(state) % 20000000000;
		if (lossy && xorshift(state) % 1024 == 0) {
			uint64_t until = now[cpu] + xorshift(state) % 100000;

			loggen_lose(gen, cpu, now[cpu], until, 3, some_pid(state), 0);
			now[cpu] = until;
		}
		happen(gen, cpu, now[cpu], state);
		if (xorshift(state) % 4096 == 0)
			for (int i = 0; i < 1500; i++)
				happen(gen, cpu, now[cpu], state);
	}
	for (unsigned int i = 0; i < cpus; i++)
		loggen_end(gen, i, now[i] + xorshift(state) % 2);
}

void random_edges(uint64_t begin_ns, uint64_t end_ns, uint64_t *edges, size_t count,
		  uint64_t *state)
{
	uint64_t all = end_ns - begin_ns;
	uint64_t width, first, at;

	/* From more than the whole log down to single ns */
	width = (all + all / 4) >> (xorshift(state) % 40);
	width = width / count + 1;
	first = begin_ns > all / 16 ? begin_ns - all / 16 : 0;
	at = first + xorshift(state) % (all + all / 8 + 1);
	if (xorshift(state) % 8 == 0)
		at = first;
	for (size_t i = 0; i <= count; i++) {
		edges[i] = at;
		at += xorshift(state) % 16 ? width : xorshift(state) % (2 * width);
	}
}
