// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Logs for the tests of libevtlog, random ones and a small one in memory, and reading them to the
 * end.
 *
 * Stage: between loggen.h and the tests.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/seed.h"
#include "sample.h"

static const uint8_t types[] = {
#define X(number, NAME, name, words, fields) number,
	EVTLOG_TYPES(X)
#undef X
};

void random_log(struct loggen *gen, unsigned int cpus, unsigned int records,
		uint64_t *state)
{
	uint64_t now[64], more[8], span = xorshift(state) % 3000;
	/* Half of the logs contain only switches of few tasks, so that they can be packed. */
	bool regular = xorshift(state) % 2;
	/* In half of the logs, CPUs join the run one by one. */
	bool joined = xorshift(state) % 2;
	uint32_t data_max = regular ? 3 : EVTLOG_DATA_MAX;

	for (unsigned int i = 0; i < cpus; i++) {
		now[i] = 5000000000 + xorshift(state) % 1000;
		/* Some CPUs join after the counter's lower half has wrapped. */
		if (joined && xorshift(state) % 4 == 0)
			now[i] += xorshift(state) % 8000000000;
		loggen_join(gen, i, joined ? 5000000000 : now[i], now[i], 10 + i, "random");
	}
	while (records--) {
		unsigned int cpu = xorshift(state) % cpus, n;
		uint32_t data;

		do
			n = xorshift(state) %
			    (sizeof(types) / sizeof(types[0]));
		while (regular ? types[n] != EVTLOG_SCHED_SWITCH :
				 types[n] == EVTLOG_TIME);
		/* Time can pass the edge of 32 bits, or not change at all. */
		now[cpu] += xorshift(state) % (span + 1);
		if (xorshift(state) % 256 == 0)
			now[cpu] += 3000000000;
		for (unsigned int i = 0; i < 8; i++)
			more[i] = xorshift(state);
		data = xorshift(state) & data_max;
		/* Records of variable size have at most @more. */
		if (types[n] == EVTLOG_EVENT || types[n] == EVTLOG_EVENT_FORMAT)
			data = (data & EVTLOG_EVENT_ID_MAX) |
			       (xorshift(state) % 57) << EVTLOG_EVENT_ID_BITS;
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

struct evtlog_file *open_log(const struct loggen *gen)
{
	size_t length;
	const uint8_t *bytes = loggen_bytes(gen, &length);

	return open_bytes(bytes, length);
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

/* ---- A small log in memory, for tests that damage it ---- */

static uint64_t seed;

uint64_t sample_seed(void)
{
	seed = seed_state();
	return seed;
}

/* Regular as a real log, so that it can be packed */
static void regular_log(struct loggen *gen, unsigned int records)
{
	const uint64_t words[2] = { 0, 5 };
	uint64_t now = 1000000;

	for (unsigned int cpu = 0; cpu < 2; cpu++)
		loggen_join(gen, cpu, now - 1000 * (records % 2), now, 5, "five");
	for (unsigned int k = 0; k < records; k++) {
		now += 100 + k % 7;
		if (k % 20 == 19)
			loggen_record(gen, k % 2, now, EVTLOG_SCHED_WAKEUP_NEW, 7, 2, words);
		else
			loggen_record(gen, k % 2, now, EVTLOG_SCHED_SWITCH, 9, 1, NULL);
	}
	for (unsigned int cpu = 0; cpu < 2; cpu++)
		loggen_end(gen, cpu, now);
}

struct sample sample_make(enum loggen_compress compress, unsigned int records)
{
	struct loggen_options options = loggen_defaults();
	struct sample sample = { 0 };
	uint64_t random = seed, damages;
	struct reading reading;
	const uint8_t *bytes;

	options.buffer_bytes = compress == LOGGEN_PACK ? 1200 : 600;
	options.compress = compress;
	sample.gen = loggen_new(&options);
	if (compress == LOGGEN_PACK)
		regular_log(sample.gen, records);
	else
		random_log(sample.gen, 2, records, &random);
	loggen_close(sample.gen);
	bytes = loggen_bytes(sample.gen, &sample.length);
	/* Memory of exactly the file's size, so that ASan detects reads outside */
	sample.bytes = malloc(sample.length);
	memcpy(sample.bytes, bytes, sample.length);
	sample.blocks = loggen_blocks(sample.gen, &sample.offsets);
	assert_int_equal(try_bytes(sample.bytes, sample.length, &reading,
				   &damages), 0);
	assert_int_equal(damages, 0);
	sample.records = reading.records;
	return sample;
}

void sample_free(struct sample *sample)
{
	free(sample->bytes);
	loggen_free(sample->gen);
}

struct evtlog_block_header sample_block(const struct sample *sample, size_t number)
{
	struct evtlog_block_header header;

	memcpy(&header, sample->bytes + sample->offsets[number],
	       sizeof(header));
	return header;
}
