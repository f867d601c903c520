// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A small log in memory, for tests that damage it
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "reading.h"
#include "sample.h"

static uint64_t seed;

uint64_t sample_seed(void)
{
	const char *given = getenv("SEED");

	seed = given ? strtoull(given, NULL, 0) :
	       (uint64_t)time(NULL) * 2654435761u + 1;
	printf("SEED=%llu\n", (unsigned long long)seed);
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
