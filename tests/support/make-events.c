// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes a log of registered events: their formats, and EVENT records with fields of each kind.
 *
 * Stage: makes input for tests of programs that show them. The log depends only on the options, see
 * --help.
 */
#include <endian.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loggen.h"
#include "options.h"
#include "xorshift.h"

#define CPUS		2
#define STEP_NS		1000
#define FORMATS_NS	20000	/* time of the formats, from the start */

/*
 * @hostile:	fields contain text, and a format's name is markup
 * @long_texts:	texts that do not compress well
 * @twice:	fields have the same name, or a name that exports use
 * @wide:	fields have 64 bits
 * @addresses:	fields are addresses, and a text that may be missing
 * @offline:	CPU 1 is offline while a task waits for CPU 0
 * @formats_at: the record before which formats come
 */
struct wanted {
	unsigned int names;
	unsigned int events;
	unsigned int first_id;
	bool hostile;
	bool long_texts;
	bool twice;
	bool wide;
	bool addresses;
	bool offline;
	unsigned int formats_at;
	const char *host;
	uint64_t boot;
};

static void write_formats(struct loggen *gen, const struct wanted *wanted, uint64_t *now)
{
	char text[256];

	for (unsigned int i = 0; i < wanted->names; i++) {
		bool bad = wanted->hostile && i + 1 == wanted->names;

		snprintf(text, sizeof(text), wanted->addresses ?
			 "%s%u%s\nv6:0:16:6 mac:16:6:m port:22:2:n name:24:12:c\n" : wanted->wide ?
			 "%s%u%s\ntop:0:8:u low:8:8:d hex:16:8:x net:24:8:n\n" : wanted->twice ?
			 "%s%u%s\nnumber:0:4:u number:4:4:d evtlog_bytes:8:4:x number_2:12:0:b\n" :
			 "%s%u%s\nnumber:0:4:u delta:4:4:d address:8:4:4 text:12:0:c\n",
			 bad ? "<b id=x>" : "probe_", i, bad ? "</b>" : "");
		loggen_format(gen, 0, ++*now, wanted->first_id + i, text);
	}
}

static void write_wide(struct loggen *gen, const struct wanted *wanted, uint64_t now,
		       unsigned int k)
{
	uint64_t payload[] = { UINT64_MAX - k, (uint64_t)INT64_MIN + k, (UINT64_C(1) << 63) + k,
			       htobe64(INT64_MAX - k) };

	loggen_event(gen, k % CPUS, now, wanted->first_id + k % wanted->names, payload,
		     sizeof(payload));
}

static void write_addresses(struct loggen *gen, const struct wanted *wanted, uint64_t now,
			    unsigned int k)
{
	struct {
		uint8_t v6[16], mac[6];
		uint16_t port;
		char name[12];
	} payload = { { 0x20, 0x01, 0x0d, 0xb8, [14] = k >> 8, [15] = k }, { 2, [5] = k }, htobe16(5000 + k % 1000), "" };

	if (k % 3 == 0)
		memset(payload.name + 1, 0xff, sizeof(payload.name) - 1);
	else if (k % 3 == 2)
		snprintf(payload.name, sizeof(payload.name), "name %u", k % 1000);
	loggen_event(gen, k % CPUS, now, wanted->first_id + k % wanted->names, &payload,
		     sizeof(payload));
}

static void write_event(struct loggen *gen, const struct wanted *wanted, uint64_t now,
			unsigned int k)
{
	struct {
		uint32_t number;
		int32_t delta;
		uint8_t address[4];
		char text[3900];
	} payload = { k, -(int32_t)k, { 10, 0, 0, k }, "" };
	static uint64_t random = 1;

	if (wanted->long_texts)
		for (unsigned int i = 0; i + 1 < sizeof(payload.text); i++)
			payload.text[i] = 'a' + xorshift(&random) % 26;
	else if (wanted->hostile)
		snprintf(payload.text, sizeof(payload.text), "<img id=x src=//a.b><script>%u", k);
	else
		snprintf(payload.text, sizeof(payload.text), "text %u", k);
	loggen_event(gen, k % CPUS, now, wanted->first_id + k % wanted->names, &payload,
		     12 + strlen(payload.text) + 1);
}

static void write_offline(struct loggen *gen, uint64_t now)
{
	loggen_flush(gen, 1, now + 200);
	loggen_record(gen, 0, now + 300, EVTLOG_SCHED_WAKING, 77, 1, NULL);
	loggen_begin(gen, 1, now + 400, 0, "swapper");
	loggen_record(gen, 0, now + 500, EVTLOG_SCHED_SWITCH, 77, 1, NULL);
	loggen_running(gen, 0, "woken");
}

static struct loggen *make(const struct wanted *wanted)
{
	struct loggen_options options = loggen_defaults();
	struct loggen *gen;
	uint64_t now, begin;

	options.cpus = CPUS;
	options.buffer_bytes = 65536;
	options.compress = LOGGEN_PACK;
	options.host = wanted->host;
	options.boot = wanted->boot;
	gen = loggen_new(&options);
	begin = now = options.boot_ticks + 1000000;
	for (unsigned int cpu = 0; cpu < CPUS; cpu++)
		loggen_begin(gen, cpu, now, cpu ? 11 : 10, cpu ? "eleven" : "ten");
	if (!wanted->formats_at)
		write_formats(gen, wanted, &now);
	for (unsigned int k = 0; k < wanted->events; k++) {
		now = begin + FORMATS_NS + (uint64_t)k * STEP_NS;
		if (k && k == wanted->formats_at) {
			now -= STEP_NS / 4;
			write_formats(gen, wanted, &now);
			now = begin + FORMATS_NS + (uint64_t)k * STEP_NS;
		}
		if (wanted->wide)
			write_wide(gen, wanted, now, k);
		else if (wanted->addresses)
			write_addresses(gen, wanted, now, k);
		else
			write_event(gen, wanted, now, k);
		if (wanted->offline && k == wanted->events / 2) {
			write_offline(gen, now);
		} else if (k % 100 < CPUS) {
			loggen_record(gen, k % CPUS, now + STEP_NS / 2, EVTLOG_SCHED_SWITCH,
				      k % 200 < CPUS ? 20 : 10 + k % CPUS, 1, NULL);
			loggen_running(gen, k % CPUS, "other");
		}
	}
	if (wanted->formats_at >= wanted->events)
		write_formats(gen, wanted, &now);
	now += STEP_NS;
	for (unsigned int cpu = 0; cpu < CPUS; cpu++)
		loggen_end(gen, cpu, now);
	loggen_close(gen);
	return gen;
}

int main(int argc, char **argv)
{
	struct wanted wanted = { .names = 4, .events = 400, .first_id = 1, .host = "testhost" };
	bool late = false;
	const struct test_option table[] = {
		OPTION("names", "N", &wanted.names, "probe_0 to probe_(N - 1) (4)"),
		OPTION("events", "N", &wanted.events, "records of all of them (400)"),
		OPTION("first-id", "N", &wanted.first_id, "the id of probe_0 (1)"),
		OPTION("hostile", NULL, &wanted.hostile, "texts and the last name are markup"),
		OPTION("long-texts", NULL, &wanted.long_texts, "texts are 3,899 random letters"),
		OPTION("twice", NULL, &wanted.twice,
		       "fields are called number, number, evtlog_bytes, number_2"),
		OPTION("wide", NULL, &wanted.wide,
		       "fields are top 2^64 - 1 - k, low -2^63 + k, hex 2^63 + k, net 2^63 - 1 - k"),
		OPTION("addresses", NULL, &wanted.addresses,
		       "fields are v6 2001:db8::k, mac 02:00:00:00:00:(k % 256), port 5000 + k % 1000 in\n"
		       "network order, and name: of three records in turn not read, empty, and \"name k\""),
		OPTION("offline", NULL, &wanted.offline,
		       "CPU 1 is offline from 0.2 to 0.4 us behind the middle record; task 77 is woken\n"
		       "0.1 us before that ends, and gets CPU 0 0.1 us after it"),
		OPTION("late", NULL, &late, "formats are recorded behind all events"),
		OPTION("formats-at", "K", &wanted.formats_at, "formats come before record K (0)"),
		OPTION("host", "NAME", &wanted.host, "(testhost)"),
		OPTION("boot", "N", &wanted.boot, "another boot, or another host's (0)"),
		{ }
	};
	const char *path = *test_options(table, "[OPTION...] FILE\n\n"
		"Record k (0, 1, ...) is put k + 20 us after the start, on CPU k % 2.  It is of event k % N,\n"
		"whose fields are number k, delta -k, address 10.0.0.(k % 256) and text.", 1, argc, argv);
	struct loggen *gen;
	int error;

	if (!wanted.names)
		return 2;
	if (late)
		wanted.formats_at = UINT_MAX;
	gen = make(&wanted);
	error = loggen_save(gen, path);
	loggen_free(gen);
	if (error)
		fprintf(stderr, "make-events: %s: %s\n", path, strerror(-error));
	return error ? 1 : 0;
}
