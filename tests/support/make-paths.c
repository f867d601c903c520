// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes the logs of a host and of another that sends it datagrams: records of path's probes.
 *
 * Stage: makes input for tests of programs that show packets' paths. The logs depend only on the
 * options, see --help.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loggen.h"
#include "options.h"

#define CPUS		2
#define BEGIN_NS	1000000
#define PING_NS		200000
#define PING_WAY_NS	30000
#define BYTES		64	/* of a packet, in a record */
#define LENGTH		128
#define WORDS_OF_RX	5

/* In the order of tools/path/stations.c */
enum { SENDMSG, OUT, QUEUE, DEVICE, RECEIVE, DELIVER, SOCKET, READ, DROP, STATIONS };

static const struct {
	const char *name;
	const char *fields;
} stations[STATIONS] = {
	[SENDMSG] = { "udp_sendmsg", "len:0:8:u" },
	[OUT] = { "ip_send_skb", "skb:0:8:x len:8:8:u paged:16:8:u head:24:64:b" },
	[QUEUE] = { "__dev_queue_xmit", "skb:0:8:x len:8:8:u paged:16:8:u head:24:64:b" },
	[DEVICE] = { "dev_hard_start_xmit", "skb:0:8:x len:8:8:u paged:16:8:u head:24:64:b" },
	[RECEIVE] = { "__netif_receive_skb_core", "skb:0:8:x len:8:8:u paged:16:8:u head:24:64:b" },
	[DELIVER] = { "ip_local_deliver", "skb:0:8:x len:8:8:u paged:16:8:u head:24:64:b" },
	[SOCKET] = { "__udp_enqueue_schedule_skb", "skb:0:8:x" },
	[READ] = { "skb_consume_udp", "skb:0:8:x read:8:4:d" },
	[DROP] = { "kfree_skb_reason", "skb:0:8:x len:8:8:u paged:16:8:u head:24:64:b reason:88:4:u" },
};

struct record {
	uint64_t skb;
	uint64_t length;
	uint64_t paged;
	uint8_t head[BYTES];
	uint32_t reason;
};

struct wanted {
	uint64_t packets;
	uint64_t step_ns;
};

/* A record to be written. A host's records must be in the order of time on each CPU. */
struct event {
	uint64_t time;
	unsigned int host;
	unsigned int cpu;
	unsigned int station;
	unsigned long packet;
	bool is_ping;
	bool is_received;
};

struct events {
	struct event *at;
	size_t count;
};

static void put(struct events *events, struct event event)
{
	events->at[events->count++] = event;
}

static void put_packet(struct events *events, const struct wanted *wanted, unsigned long k)
{
	static const uint64_t sends[] = { [SENDMSG] = 0, [OUT] = 11000, [QUEUE] = 19000,
					  [DEVICE] = 30000 };
	static const uint64_t gets[] = { [RECEIVE] = 80000, [DELIVER] = 93000, [SOCKET] = 104000,
					 [READ] = 151000, [DROP] = 99000 };
	uint64_t begin = BEGIN_NS + k * wanted->step_ns;

	for (unsigned int i = SENDMSG; i <= DEVICE; i++)
		put(events, (struct event){ begin + sends[i], 0, k % CPUS, i, k, false, false });
	for (unsigned int i = RECEIVE; i <= DROP; i++)
		if (i <= DELIVER || (k % 5 == 4 ? i == DROP : i != DROP))
			put(events, (struct event){ begin + gets[i], 1,
						    i == READ ? k % CPUS : k / 2 % CPUS, i, k, false,
						    false });
}

static void put_ping(struct events *events, uint64_t time, unsigned int from, unsigned long k)
{
	put(events, (struct event){ time, from, 0, 0, k, true, false });
	put(events, (struct event){ time + PING_WAY_NS, !from, 0, 0, k, true, true });
}

static int compare(const void *x, const void *y)
{
	const struct event *a = x, *b = y;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->packet > b->packet) - (a->packet < b->packet);
}

static void be16(uint8_t *at, uint16_t value)
{
	at[0] = value >> 8;
	at[1] = value;
}

static void make_bytes(uint8_t bytes[BYTES], unsigned long k)
{
	uint32_t sum = 0;

	bytes[0] = 0x45;
	be16(bytes + 2, LENGTH);
	be16(bytes + 4, k);
	bytes[8] = 64;
	bytes[9] = 17;
	memcpy(bytes + 12, (uint8_t[]){ 10, 0, 0, 1, 10, 0, 0, 2 }, 8);
	for (int i = 0; i < 20; i += 2)
		sum += bytes[i] << 8 | bytes[i + 1];
	sum = (sum & 0xffff) + (sum >> 16);
	be16(bytes + 10, ~(sum + (sum >> 16)));
	be16(bytes + 20, 5000 + k % 3);
	be16(bytes + 22, 7000 + k % 4);
	be16(bytes + 24, LENGTH - 20);
	snprintf((char *)bytes + 28, BYTES - 28, "number %08lu", k);
}

static void write_ping(struct loggen *gen, const struct event *event)
{
	unsigned int host = event->host;
	uint64_t words[WORDS_OF_RX - 1] = {
		7 | (uint64_t)(event->packet & 0xffff) << 16 | (uint64_t)(host ? 'a' : 'b') << 32,
		(host ? 'b' : 'a') | UINT64_C(64) << 32, event->is_received ? event->time : 0, 0,
	};

	loggen_record(gen, 0, event->time, event->is_received ? EVTLOG_ICMP_RX : EVTLOG_ICMP_TX, 8,
		      event->is_received ? WORDS_OF_RX : WORDS_OF_RX - 1, words);
}

static void write_visit(struct loggen *gen, const struct event *event)
{
	struct record record = {
		.skb = 0xffff888000000000 + event->packet % 64 * 256, .length = LENGTH, .reason = 2,
	};
	uint64_t length = LENGTH - 28;
	struct { uint64_t skb; int32_t read; } __attribute__((packed)) read = { record.skb, 100 };

	make_bytes(record.head, event->packet);
	switch (event->station) {
	case SENDMSG:
		loggen_event(gen, event->cpu, event->time, SENDMSG + 1, &length, sizeof(length));
		break;
	case SOCKET:
	case READ:
		loggen_event(gen, event->cpu, event->time, event->station + 1, &read,
			     event->station == READ ? sizeof(read) : 8);
		break;
	default:
		loggen_event(gen, event->cpu, event->time, event->station + 1, &record,
			     event->station == DROP ? 92 : 88);
		break;
	}
}

static void write_formats(struct loggen *gen, uint64_t now)
{
	char text[256];

	for (unsigned int i = 0; i < STATIONS; i++) {
		snprintf(text, sizeof(text), "%s\n%s\n", stations[i].name, stations[i].fields);
		loggen_format(gen, 0, now + 1 + i, i + 1, text);
	}
}

static struct loggen *write_host(const struct events *events, unsigned int host, uint64_t end)
{
	struct loggen_options options = loggen_defaults();
	struct loggen *gen;
	uint64_t begin;

	options.cpus = CPUS;
	options.buffer_bytes = 65536;
	options.compress = LOGGEN_PACK;
	options.host = host ? "two" : "one";
	options.boot = host;
	/* The kernel's release determines the reasons of drops. */
	options.meta = "kernel=6.1.0-test\n";
	gen = loggen_new(&options);
	begin = options.boot_ticks + 1000000;
	for (unsigned int cpu = 0; cpu < CPUS; cpu++)
		loggen_begin(gen, cpu, begin, 10 + cpu, cpu ? "eleven" : "ten");
	write_formats(gen, begin);
	for (size_t i = 0; i < events->count; i++) {
		struct event event = events->at[i];

		if (event.host != host)
			continue;
		event.time += begin;
		if (event.is_ping)
			write_ping(gen, &event);
		else
			write_visit(gen, &event);
	}
	for (unsigned int cpu = 0; cpu < CPUS; cpu++)
		loggen_end(gen, cpu, begin + end);
	loggen_close(gen);
	return gen;
}

static int save(const struct events *events, unsigned int host, uint64_t end, const char *path)
{
	struct loggen *gen = write_host(events, host, end);
	int error = loggen_save(gen, path);

	loggen_free(gen);
	if (error)
		fprintf(stderr, "make-paths: %s: %s\n", path, strerror(-error));
	return error;
}

int main(int argc, char **argv)
{
	struct wanted wanted = { .packets = 100, .step_ns = 200000 };
	const struct test_option table[] = {
		OPTION("packets", "N", &wanted.packets, "(100)"),
		OPTION("step-ns", "N", &wanted.step_ns, "(200000)"),
		{ }
	};
	struct events events = { 0 };
	char **paths = test_options(table, "[OPTION...] ONE TWO\n\n"
		"Datagram k (0, 1, ...) is sent 1 ms + k steps after the start by CPU k % 2 of host\n"
		"one, from 10.0.0.1, port 5000 + k % 3, to 10.0.0.2, port 7000 + k % 4. CPU k / 2 % 2\n"
		"of host two has it 80 us later; where k % 5 is 4 it drops it, else CPU k % 2 reads it.\n"
		"A ping every 200 us relates the clocks.", 2, argc, argv);
	uint64_t end;
	int error;

	end = 2 * BEGIN_NS + wanted.packets * wanted.step_ns;
	events.at = calloc(wanted.packets * 8 + 4 * (end / PING_NS + 1), sizeof(*events.at));
	for (unsigned long k = 0; k < wanted.packets; k++)
		put_packet(&events, &wanted, k);
	for (uint64_t time = PING_NS / 2; time + PING_NS < end; time += PING_NS)
		for (unsigned int from = 0; from < 2; from++)
			put_ping(&events, time + from * 50000, from, time / PING_NS * 2 + from);
	qsort(events.at, events.count, sizeof(*events.at), compare);
	error = save(&events, 0, end, paths[0]) || save(&events, 1, end, paths[1]);
	free(events.at);
	return error;
}
