// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes the fuzzer's first inputs: small logs of each shape.
 *
 * Usage: seeds DIRECTORY
 */
#include <stdio.h>
#include <string.h>

#include "../support/loggen.h"

static const char *directory;

static void save(struct loggen *gen, const char *name)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	if (loggen_save(gen, path))
		fprintf(stderr, "seeds: %s: can't be written\n", path);
	loggen_free(gen);
}

/* Makes a log with one record of each type, on two CPUs, with a loss. */
static struct loggen *every_type(enum loggen_compress compress, bool tsc_bad, const char *format)
{
	struct loggen_options options = loggen_defaults();
	uint64_t words[8] = { 5, 6, 7, 8, 9, 10, 11, 12 }, now = 5000000000;
	struct loggen *gen;

	options.buffer_bytes = 700;
	options.width_ticks = 40;
	options.ticks_hz = 2600000000;
	options.compress = compress;
	options.tsc_bad = tsc_bad;
	options.format = format;
	gen = loggen_new(&options);
	loggen_begin(gen, 0, now, 5, "five");
	loggen_begin(gen, 1, now, 0, "swapper");
	if (format) {
		loggen_record(gen, 0, ++now, 9, 1, 4, words);
		loggen_record(gen, 0, ++now, 50, 1, 3, words);
	}
	for (uint64_t type = 4; !format && type <= EVTLOG_TYPE_MAX; type++) {
		unsigned int count = evtlog_record_words(type << EVTLOG_TYPE_SHIFT);

		if (count)
			loggen_record(gen, type % 2, ++now, type, type, count, words);
	}
	loggen_lose(gen, 0, now + 10, now + 50, 3, 7, EVTLOG_CONTEXT_SOFTIRQ);
	loggen_end(gen, 0, now + 5000000000);
	loggen_end(gen, 1, now + 5000000000);
	return gen;
}

/* Makes a log that packs well, with large buffers, and with one type stored in words. */
static struct loggen *packed(void)
{
	struct loggen_options options = loggen_defaults();
	uint64_t words[8] = { 0 }, now = 5000000000;
	struct loggen *gen;

	options.buffer_bytes = 1400;
	options.compress = LOGGEN_PACK;
	gen = loggen_new(&options);
	loggen_begin(gen, 0, now, 5, "five");
	for (uint32_t k = 0; k < 400; k++) {
		now += 100 + k % 7;
		words[1] = k;
		if (k % 50 == 49)
			loggen_record(gen, 0, now, EVTLOG_SCHED_WAKEUP_NEW, 7, 2, words);
		else
			loggen_record(gen, 0, now, EVTLOG_SCHED_SWITCH, k % 3 ? 9 : 11, 1, words);
	}
	loggen_end(gen, 0, now);
	loggen_close(gen);
	return gen;
}

/* Makes a log of registered events and their format; the first of them comes before the format. */
static struct loggen *registered(int compress)
{
	static const char format[] =
		"sample\nnumber:0:4:u address:4:4:4 name:8:8:c rest:16:0:b\n";
	struct loggen_options options = loggen_defaults();
	char payload[200];
	uint64_t now = 5000000000;
	struct loggen *gen;

	memset(payload, 0x41, sizeof(payload));
	options.compress = compress;
	options.cpus = 1;
	gen = loggen_new(&options);
	loggen_begin(gen, 0, now, 5, "five");
	for (uint32_t bytes = 0; bytes < 200; bytes += 3) {
		if (bytes == 9)
			loggen_format(gen, 0, ++now, 3, format);
		loggen_event(gen, 0, now += 1000, bytes == 30 ? 4 : 3, payload, bytes);
	}
	loggen_end(gen, 0, now + 1000);
	loggen_close(gen);
	return gen;
}

int main(int argc, char **argv)
{
	static const char short_format[] =
		"evtlog-format 1\nticks_hz 2600000000\nbyteorder little\n"
		"states RSDTtXZPI+\nsoftirqs HI TIMER\n"
		"type 1 time 2 ticks:1:0:64:k\n"
		"type 2 lost 4 cause:0:38:8:u count:1:0:64:u first:2:0:64:k last:3:0:64:k\n"
		"type 50 sched_switch 3 next_pid:1:8:22:p prev_state:2:60:4:s\n"
		"type 9 gpu_fence 4 ring:0:38:8:u name:2:0:128:c\n";
	struct evtlog_gap gap = { .sequence = 1, .buffers = 1, .error = 28 };
	struct loggen *gen;

	if (argc != 2)
		return 2;
	directory = argv[1];
	save(every_type(0, false, NULL), "open.evl");
	gen = every_type(0, false, NULL);
	loggen_close(gen);
	save(gen, "closed.evl");
	gen = every_type(1, false, NULL);
	loggen_close(gen);
	save(gen, "deflated.evl");
	save(packed(), "packed.evl");
	save(registered(0), "registered.evl");
	save(registered(LOGGEN_PACK), "registered-packed.evl");
	save(every_type(2, true, NULL), "tsc-bad.evl");
	save(every_type(0, false, short_format), "other-format.evl");
	gen = every_type(0, false, short_format);
	loggen_repeat_last_block(gen);
	loggen_gap(gen, &gap);
	loggen_close(gen);
	save(gen, "gap-and-copy.evl");
	return 0;
}
