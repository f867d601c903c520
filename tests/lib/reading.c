// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Random logs, and reading to the end, for the tests of libevtlog.
 *
 * Stage: between loggen.h and the tests.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "../support/xorshift.h"
#include "reading.h"

uint64_t random_next(uint64_t *state)
{
	return xorshift(state);
}

static const uint8_t types[] = {
#define X(number, NAME, name, words, fields) number,
	EVTLOG_TYPES(X)
#undef X
};

void random_log(struct loggen *gen, unsigned int cpus, unsigned int records,
		uint64_t *state)
{
	uint64_t now[64], more[8], span = random_next(state) % 3000;
	/* Half of the logs contain only switches of few tasks, so that they can be packed. */
	bool regular = random_next(state) % 2;
	/* In half of the logs, CPUs join the run one by one. */
	bool joined = random_next(state) % 2;
	uint32_t data_max = regular ? 3 : EVTLOG_DATA_MAX;

	for (unsigned int i = 0; i < cpus; i++) {
		now[i] = 5000000000 + random_next(state) % 1000;
		/* Some CPUs join after the counter's lower half has wrapped. */
		if (joined && random_next(state) % 4 == 0)
			now[i] += random_next(state) % 8000000000;
		loggen_join(gen, i, joined ? 5000000000 : now[i], now[i], 10 + i, "random");
	}
	while (records--) {
		unsigned int cpu = random_next(state) % cpus, n;
		uint32_t data;

		do
			n = random_next(state) %
			    (sizeof(types) / sizeof(types[0]));
		while (regular ? types[n] != EVTLOG_SCHED_SWITCH :
				 types[n] == EVTLOG_TIME);
		/* Time can pass the edge of 32 bits, or not change at all. */
		now[cpu] += random_next(state) % (span + 1);
		if (random_next(state) % 256 == 0)
			now[cpu] += 3000000000;
		for (unsigned int i = 0; i < 8; i++)
			more[i] = random_next(state);
		data = random_next(state) & data_max;
		/* Records of variable size have at most @more. */
		if (types[n] == EVTLOG_EVENT || types[n] == EVTLOG_EVENT_FORMAT)
			data = (data & EVTLOG_EVENT_ID_MAX) |
			       (random_next(state) % 57) << EVTLOG_EVENT_ID_BITS;
		loggen_record(gen, cpu, now[cpu], types[n], data,
			      evtlog_record_words((uint64_t)types[n] << EVTLOG_TYPE_SHIFT |
						  (uint64_t)data << EVTLOG_DATA_SHIFT),
			      more);
	}
	for (unsigned int i = 0; i < cpus; i++)
		loggen_end(gen, i, now[i] + 1);
}

struct evtlog_file *open_bytes(const void *bytes, size_t length)
{
	struct evtlog_error error = { 0 };
	struct evtlog_file *file;

	if (evtlog_open_bytes(bytes, length, &file, &error))
		fail_msg("open: byte %llu: %s",
			 (unsigned long long)error.offset, error.reason);
	return file;
}

static void add_event(struct reading *reading, const struct evtlog_event *event,
		      const struct evtlog_file *file)
{
	const struct evtlog_type_info *type;

	assert_true(event->time_ns >= reading->last_ns);
	reading->last_ns = event->time_ns;
	reading->begins += event->kind == EVTLOG_EVENT_BEGIN;
	reading->ends += event->kind == EVTLOG_EVENT_END;
	if (event->kind != EVTLOG_EVENT_RECORD) {
		reading->gaps += event->kind == EVTLOG_EVENT_GAP;
		reading->lost += event->lost;
		reading->lost_buffers += event->lost_buffers;
		return;
	}
	type = evtlog_type_info(file, event->number);
	reading->records++;
	for (unsigned int i = 0; i < type->words; i++)
		reading->checksum = reading->checksum * 31 +
				    event->file_words[i];
}

struct reading read_all(struct evtlog_file *file)
{
	struct reading reading = { 0 };
	const struct evtlog_event *event;
	struct evtlog_cpu_merge *merge;
	int result;

	assert_int_equal(evtlog_cpu_merge_new(file, &merge), 0);
	while ((result = evtlog_cpu_merge_next(merge, &event)) > 0)
		add_event(&reading, event, file);
	assert_int_equal(result, 0);
	evtlog_cpu_merge_free(merge);
	return reading;
}

int try_bytes(const void *bytes, size_t length, struct reading *reading,
	      uint64_t *damages)
{
	struct evtlog_file *file;
	int result = evtlog_open_bytes(bytes, length, &file, NULL);

	if (result)
		return result;
	*reading = read_all(file);
	*damages = evtlog_damage_count(file);
	evtlog_close(file);
	return 0;
}

const struct evtlog_damage *find_damage(const struct evtlog_file *file,
					enum evtlog_damage_kind kind)
{
	const struct evtlog_damage *damage;

	for (size_t i = 0; (damage = evtlog_damage(file, i)); i++)
		if (damage->kind == kind)
			return damage;
	return NULL;
}
