// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Packets are followed and joined correctly: drives tools/path with records that are made here.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <evtlog/abi.h>

#include "path/packets.h"
#include "path/summary.h"
#include "tests/support/seed.h"

static uint64_t state;
static const char *btf_path;

static uint32_t draw(uint32_t below)
{
	return (xorshift(&state) >> 32) % below;
}

/* ---- Packets ---- */

static void be16(uint8_t *at, uint16_t value)
{
	at[0] = value >> 8;
	at[1] = value;
}

/* An IPv4 header with its checksum, and UDP or TCP after it */
struct made {
	uint8_t bytes[88];
	uint32_t length;
};

struct shape {
	uint8_t protocol;
	uint16_t id;
	uint16_t fragment;
	uint16_t payload;
	uint32_t sequence;
	char letter;
};

static struct made make(const struct shape *shape)
{
	uint32_t headers = shape->protocol == 6 ? 40 : 28;
	struct made made = { .length = headers + shape->payload };
	uint8_t *ip = made.bytes;

	memset(made.bytes, shape->letter, sizeof(made.bytes));
	memset(ip, 0, headers);
	ip[0] = 0x45;
	be16(ip + 4, shape->id);
	be16(ip + 6, shape->fragment);
	ip[8] = 64;
	ip[9] = shape->protocol;
	ip[15] = 1;
	ip[19] = 2;
	path_header_complete(ip, 20, made.length);
	be16(ip + 20, 1000);
	be16(ip + 22, 2000);
	if (shape->protocol == 6) {
		be16(ip + 24, shape->sequence >> 16);
		be16(ip + 26, shape->sequence);
		ip[32] = 5 << 4;
	} else {
		be16(ip + 24, shape->payload + 8);
	}
	return made;
}

static struct packets packets;

static void take(uint32_t host, enum path_station station, uint64_t skb, int64_t time_ns,
		 const struct made *made)
{
	struct path_record record = {
		.visit = { .time_ns = time_ns, .host = host, .station = station, .pid = 7 },
		.skb = skb, .length = made ? made->length : 0,
		.bytes = made ? made->bytes : NULL, .count = made ? sizeof(made->bytes) : 0,
	};

	if (made && record.count > made->length)
		record.count = made->length;
	assert_int_equal(path_packets_take(&packets, &record), 0);
}

/* All stations of a sender, or of a receiver, 10 ns apart */
static void sends(uint32_t host, uint64_t skb, int64_t time_ns, const struct made *made)
{
	enum path_station out = made->bytes[9] == 6 ? PATH_TCP_OUT : PATH_UDP_OUT;

	take(host, out, skb, time_ns - 20, made);
	take(host, PATH_QUEUE, skb, time_ns - 10, made);
	take(host, PATH_DEVICE, skb, time_ns, made);
}

static void receives(uint32_t host, uint64_t skb, int64_t time_ns, const struct made *made)
{
	take(host, PATH_RECEIVE, skb, time_ns, made);
	take(host, PATH_DELIVER, skb, time_ns + 10, made);
}

static int start(void **unused)
{
	return path_packets_init(&packets, 3);
}

static int stop(void **unused)
{
	path_packets_free(&packets);
	return 0;
}

static void match(uint64_t error_ns)
{
	const uint64_t errors_ns[] = { 0, error_ns, error_ns };

	assert_int_equal(path_packets_match(&packets, errors_ns), 0);
}

static size_t whole(void)
{
	size_t count = 0;

	for (size_t i = 0; i < packets.count; i++)
		count += packets.at[i].count > 0;
	return count;
}

static void same_headers_are_ambiguous_only_at_the_same_time(void **unused)
{
	struct made made = make(&(struct shape){ 17, .payload = 30, .letter = 'a' });

	/* One after the other; then two at once */
	sends(0, 1, 1000, &made);
	receives(1, 9, 2000, &made);
	sends(0, 2, 3000, &made);
	receives(1, 8, 4000, &made);
	sends(0, 3, 5000, &made);
	sends(0, 4, 5100, &made);
	receives(1, 7, 6000, &made);
	receives(1, 6, 6100, &made);
	match(100);
	assert_int_equal(whole(), 4);
	assert_int_equal(packets.ambiguous, 2);
	for (size_t i = 0; i < packets.count; i++)
		if (packets.at[i].count)
			assert_int_equal(packets.at[i].count, 5);
}

static void other_payloads_are_told_apart(void **unused)
{
	struct made a = make(&(struct shape){ 17, .payload = 30, .letter = 'a' });
	struct made b = make(&(struct shape){ 17, .payload = 30, .letter = 'b' });

	sends(0, 1, 1000, &a);
	sends(0, 2, 1010, &b);
	receives(1, 9, 2000, &b);
	receives(1, 8, 2010, &a);
	match(0);
	assert_int_equal(whole(), 2);
	assert_int_equal(packets.ambiguous, 0);
	assert_int_equal(packets.at[0].visits[3].time_ns, 2010);
}

static void a_clock_error_is_allowed_for_and_no_more(void **unused)
{
	struct made made = make(&(struct shape){ 17, .id = 5, .payload = 30, .letter = 'a' });

	sends(0, 1, 1000, &made);
	receives(1, 9, 900, &made);
	match(50);
	assert_int_equal(whole(), 2);
	match(100);
	assert_int_equal(whole(), 1);
}

static void memory_that_is_anothers_is_no_drop(void **unused)
{
	struct made a = make(&(struct shape){ 17, .id = 5, .payload = 30, .letter = 'a' });
	struct made b = make(&(struct shape){ 17, .id = 6, .payload = 30, .letter = 'b' });

	sends(0, 1, 1000, &a);
	/* Another packet in this memory is dropped later. */
	take(0, PATH_DROP, 1, 1100, &b);
	assert_int_equal(packets.at[0].count, 3);
	take(0, PATH_DROP, 1, 1200, &a);
	assert_int_equal(packets.at[0].count, 4);
}

static void lost_records_end_all_ways(void **unused)
{
	struct made made = make(&(struct shape){ 17, .id = 5, .payload = 30, .letter = 'a' });

	receives(1, 9, 1000, &made);
	path_packets_forget(&packets, 1);
	take(1, PATH_UDP_SOCKET, 9, 1100, NULL);
	assert_int_equal(packets.at[0].count, 2);
	assert_int_equal(packets.strays, 1);
}

static void a_datagram_in_fragments_is_one(void **unused)
{
	struct made first = make(&(struct shape){ 17, .id = 5, .fragment = 0x2000, .payload = 1400 });
	struct made later = make(&(struct shape){ 17, .id = 5, .fragment = 0x00b0, .payload = 500 });

	receives(1, 9, 1000, &first);
	receives(1, 8, 1100, &later);
	/* The datagram uses the memory of the last fragment. */
	take(1, PATH_UDP_SOCKET, 8, 1200, NULL);
	take(1, PATH_UDP_READ, 8, 1300, NULL);
	/* The other fragments are freed with it. */
	take(1, PATH_DROP, 9, 1400, &first);
	assert_int_equal(packets.count, 1);
	assert_int_equal(packets.at[0].count, 4);
	assert_int_equal(packets.fragments, 2);
}

static void a_drop_has_the_first_reason(void **unused)
{
	struct made made = make(&(struct shape){ 17, .id = 5, .payload = 30, .letter = 'a' });
	struct path_record drop = { .visit = { .host = 1, .station = PATH_DROP }, .skb = 9 };

	receives(1, 9, 1000, &made);
	drop.visit.reason = 2;
	/* A record without bytes and with another length is of another packet. */
	drop.length = 31;
	assert_int_equal(path_packets_take(&packets, &drop), 0);
	assert_int_equal(packets.at[0].count, 2);
	drop.length = 30;
	assert_int_equal(path_packets_take(&packets, &drop), 0);
	drop.visit.reason = 1;
	assert_int_equal(path_packets_take(&packets, &drop), 0);
	assert_int_equal(packets.at[0].count, 3);
	assert_int_equal(path_last(&packets.at[0])->reason, 2);
}

static void a_host_forwards(void **unused)
{
	struct made made = make(&(struct shape){ 17, .id = 5, .payload = 30, .letter = 'a' });

	sends(0, 1, 1000, &made);
	take(1, PATH_RECEIVE, 9, 2000, &made);
	take(1, PATH_QUEUE, 9, 2010, &made);
	take(1, PATH_DEVICE, 9, 2020, &made);
	receives(2, 5, 3000, &made);
	match(10);
	assert_int_equal(whole(), 1);
	assert_int_equal(packets.ambiguous, 0);
	assert_int_equal(packets.at[0].count, 8);
}

static void what_the_driver_frees_was_sent(void **unused)
{
	struct made made = make(&(struct shape){ 17, .id = 5, .payload = 30, .letter = 'a' });

	sends(0, 1, 1000, &made);
	take(0, PATH_DROP, 1, 1100, &made);
	receives(1, 9, 2000, &made);
	match(10);
	assert_int_equal(whole(), 1);
	assert_int_equal(path_last(&packets.at[0])->station, PATH_DELIVER);
}

static void segments_are_divided_and_joined(void **unused)
{
	struct made big = make(&(struct shape){ 6, .id = 5, .payload = 4000, .sequence = 1000 });
	struct made first = make(&(struct shape){ 6, .id = 5, .payload = 1448, .sequence = 1000 });
	struct made second = make(&(struct shape){ 6, .id = 6, .payload = 2552, .sequence = 2448 });
	struct made next = make(&(struct shape){ 6, .id = 9, .payload = 10, .sequence = 5000 });
	struct made tail = make(&(struct shape){ 6, .id = 10, .payload = 90, .sequence = 5010 });
	struct made both = make(&(struct shape){ 6, .id = 9, .payload = 100, .sequence = 5000 });

	/* The driver gets parts of the segment, the receiver gets two. */
	take(0, PATH_TCP_OUT, 1, 1000, &big);
	take(0, PATH_QUEUE, 1, 1010, &big);
	take(0, PATH_DEVICE, 2, 1020, &first);
	receives(1, 9, 2000, &first);
	receives(1, 8, 2010, &second);
	/* Two segments that the receiver joins */
	sends(0, 3, 3000, &next);
	sends(0, 4, 3010, &tail);
	receives(1, 7, 4000, &both);
	match(10);
	assert_int_equal(whole(), 3);
	assert_int_equal(packets.parts, 1);
	assert_int_equal(packets.ambiguous, 0);
	for (size_t i = 0; i < packets.count; i++)
		if (packets.at[i].count)
			assert_int_equal(packets.at[i].count, 5);
}

static void segments_are_read_with_the_one_they_were_added_to(void **unused)
{
	struct made a = make(&(struct shape){ 6, .id = 5, .payload = 10, .sequence = 1000 });
	struct made b = make(&(struct shape){ 6, .id = 6, .payload = 10, .sequence = 1010 });
	struct made c = make(&(struct shape){ 6, .id = 7, .payload = 10, .sequence = 1020 });
	struct path_record add = { .visit = { .host = 1, .station = PATH_TCP_MERGE } };

	receives(1, 9, 1000, &a);
	receives(1, 8, 1100, &b);
	add.skb = 8;
	add.to = 9;
	assert_int_equal(path_packets_take(&packets, &add), 0);
	receives(1, 7, 1200, &c);
	/* The kernel tries to add this segment, but cannot. */
	add.skb = 7;
	assert_int_equal(path_packets_take(&packets, &add), 0);
	take(1, PATH_TCP_READ, 9, 2000, NULL);
	take(1, PATH_TCP_READ, 7, 3000, NULL);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(packets.at[i].count, 3);
		assert_int_equal(path_last(&packets.at[i])->time_ns, i == 2 ? 3000 : 2000);
	}
}

/* An IPv6 header, then UDP or TCP: as many bytes as a record has; @options: 8 bytes */
static struct made make6(uint8_t protocol, uint8_t last, char letter, bool options)
{
	struct made made = { .length = options ? 100 : 92 };
	uint8_t *ip = made.bytes, *behind = ip + (options ? 48 : 40);

	memset(made.bytes, letter, sizeof(made.bytes));
	memset(ip, 0, 40);
	ip[0] = 0x60;
	be16(ip + 4, made.length - 40);
	ip[6] = options ? 60 : protocol;
	ip[7] = 64;
	ip[8] = ip[24] = 0xfd;
	ip[23] = 1;
	ip[39] = last;
	if (options) {
		ip[40] = protocol;
		ip[41] = 0;
	}
	be16(behind, 1000);
	be16(behind + 2, 2000);
	be16(behind + 4, protocol == 17 ? made.length - (behind - ip) : 0);
	return made;
}

static void datagrams_of_ip6_are_followed(void **unused)
{
	struct made a = make6(17, 2, 'a', false), b = make6(17, 2, 'b', true);
	char text[PATH_ADDRESS_TEXT];
	const struct made *both[] = { &a, &b };

	for (int i = 0; i < 2; i++) {
		take(0, PATH_UDP_OUT6, 1 + i, 1000 + i, both[i]);
		take(0, PATH_QUEUE, 1 + i, 1010 + i, both[i]);
		take(0, PATH_DEVICE, 1 + i, 1020 + i, both[i]);
	}
	for (int i = 1; i >= 0; i--) {
		take(1, PATH_RECEIVE, 9, 2000 - i, both[i]);
		take(1, PATH_DELIVER6, 9, 2100 - i, both[i]);
		take(1, PATH_UDP_READ, 9, 2200 - i, NULL);
	}
	match(0);
	assert_int_equal(whole(), 2);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(packets.at[i].count, 6);
		assert_int_equal(packets.at[i].visits[5].time_ns, 2200 - i);
		assert_int_equal(packets.at[i].key.source_port, 1000);
		assert_string_equal(path_address(packets.at[i].key.destination, text), "fd00::2");
	}
}

/* ip_queue_xmit() has no header yet; ip_local_out() may be no function of its own. */
static void segments_begin_where_tcp_sends_them(void **unused)
{
	struct made made = make(&(struct shape){ 6, .id = 5, .payload = 10, .sequence = 1000 });
	struct made other = make(&(struct shape){ 17, .payload = 30, .letter = 'a' });
	struct path_record write = {
		.visit = { .time_ns = 100, .station = PATH_TCP_SENDMSG }, .socket = 77,
		.sequence = 990, .length = 20,
	};
	struct path_record xmit = {
		.visit = { .time_ns = 900, .station = PATH_TCP_XMIT }, .socket = 77, .skb = 1,
	};

	assert_int_equal(path_packets_take(&packets, &write), 0);
	assert_int_equal(path_packets_take(&packets, &xmit), 0);
	take(0, PATH_QUEUE, 1, 1000, &made);
	assert_int_equal(packets.count, 1);
	assert_int_equal(packets.at[0].count, 3);
	assert_int_equal(packets.at[0].visits[0].time_ns, 100);
	assert_int_equal(packets.at[0].visits[1].time_ns, 900);
	/* A packet that was not sent leaves its memory to another packet. */
	xmit.skb = 2;
	assert_int_equal(path_packets_take(&packets, &xmit), 0);
	take(0, PATH_UDP_OUT, 2, 3000, &other);
	assert_int_equal(packets.at[1].count, 1);
}

static void writes(enum path_station station, uint32_t pid, int64_t time_ns, uint32_t length)
{
	struct path_record record = {
		.visit = { .time_ns = time_ns, .station = station, .pid = pid }, .socket = 77,
		.sequence = 1000, .length = length,
	};

	assert_int_equal(path_packets_take(&packets, &record), 0);
}

static void expect_stations(size_t packet, size_t count, const enum path_station *stations)
{
	assert_int_equal(packets.at[packet].count, count);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(packets.at[packet].visits[i].station, stations[i]);
}

/* A write at the socket is of the task's next packet in the protocol, if it has this length. */
static void packets_begin_at_the_socket(void **unused)
{
	struct made made = make(&(struct shape){ 17, .id = 5, .payload = 30, .letter = 'a' });
	struct made other = make(&(struct shape){ 17, .id = 6, .payload = 30, .letter = 'b' });
	struct made segment = make(&(struct shape){ 6, .id = 7, .payload = 30, .sequence = 1000 });

	writes(PATH_SOCKET, 7, 100, 30);
	writes(PATH_SOCKET, 8, 110, 30);
	writes(PATH_SENDMSG, 7, 200, 30);
	take(0, PATH_UDP_OUT, 1, 300, &made);
	expect_stations(0, 3, (enum path_station[]){ PATH_SOCKET, PATH_SENDMSG, PATH_UDP_OUT });
	assert_int_equal(packets.at[0].visits[0].time_ns, 100);
	/* A write is of one packet only. */
	writes(PATH_SENDMSG, 7, 400, 30);
	take(0, PATH_UDP_OUT, 2, 500, &other);
	expect_stations(1, 2, (enum path_station[]){ PATH_SENDMSG, PATH_UDP_OUT });
	/* Another length is another write. */
	writes(PATH_SOCKET, 7, 600, 31);
	writes(PATH_SENDMSG, 7, 700, 30);
	take(0, PATH_UDP_OUT, 3, 800, &made);
	expect_stations(2, 2, (enum path_station[]){ PATH_SENDMSG, PATH_UDP_OUT });
	/* From an IPv6 socket to an IPv4 address */
	writes(PATH_SOCKET6, 7, 900, 30);
	writes(PATH_SENDMSG6, 7, 910, 30);
	writes(PATH_SENDMSG, 7, 920, 30);
	take(0, PATH_UDP_OUT, 4, 930, &other);
	expect_stations(3, 3, (enum path_station[]){ PATH_SOCKET6, PATH_SENDMSG, PATH_UDP_OUT });
	/* TCP waits for the socket; the packet has the time of the write. */
	writes(PATH_SOCKET, 7, 1000, 30);
	writes(PATH_TCP_SENDMSG, 7, 5000, 30);
	assert_int_equal(path_packets_take(&packets, &(struct path_record){
		.visit = { .time_ns = 5500, .station = PATH_TCP_XMIT }, .socket = 77, .skb = 5,
	}), 0);
	take(0, PATH_QUEUE, 5, 6000, &segment);
	expect_stations(4, 4, (enum path_station[]){ PATH_SOCKET, PATH_TCP_SENDMSG, PATH_TCP_XMIT,
						     PATH_QUEUE });
	assert_int_equal(packets.at[4].visits[0].time_ns, 1000);
	/* The lost record may have been the protocol's. */
	writes(PATH_SOCKET, 7, 7000, 30);
	path_packets_forget(&packets, 0);
	writes(PATH_SENDMSG, 7, 7100, 30);
	take(0, PATH_UDP_OUT, 6, 7200, &other);
	expect_stations(5, 2, (enum path_station[]){ PATH_SENDMSG, PATH_UDP_OUT });
}

/* ip6_output() gets new packets, packets that are sent again, and forwarded packets. */
static void segments_of_ip6_begin_where_they_are_made(void **unused)
{
	struct made made = make6(6, 2, 0, false);

	made.bytes[52] = 5 << 4;
	take(0, PATH_TCP_OUT6, 1, 1000, &made);
	take(0, PATH_QUEUE, 1, 1010, &made);
	take(0, PATH_TCP_OUT6, 1, 5000, &made);
	take(0, PATH_QUEUE, 1, 5010, &made);
	assert_int_equal(packets.count, 2);
	take(1, PATH_RECEIVE, 1, 6000, &made);
	take(1, PATH_TCP_OUT6, 1, 6010, &made);
	take(1, PATH_QUEUE, 1, 6020, &made);
	assert_int_equal(packets.count, 3);
	assert_int_equal(packets.at[2].count, 3);
}

/* Host 1 changes the source.  Another packet that it sends at this time is not the same. */
static void a_host_translates_addresses(void **unused)
{
	struct made made = make(&(struct shape){ 17, .id = 7, .payload = 30, .letter = 'a' });
	struct made other = made, strange = made;

	other.bytes[15] = 9;
	be16(other.bytes + 20, 3000);
	path_header_complete(other.bytes, 20, other.length);
	/* Neither address is the same. */
	strange.bytes[15] = strange.bytes[19] = 8;
	path_header_complete(strange.bytes, 20, strange.length);
	sends(0, 1, 1000, &made);
	take(1, PATH_RECEIVE, 5, 2000, &made);
	take(1, PATH_QUEUE, 5, 2010, &other);
	take(1, PATH_DEVICE, 5, 2020, &other);
	receives(2, 9, 3000, &other);
	take(1, PATH_RECEIVE, 6, 2100, &made);
	take(1, PATH_QUEUE, 6, 2110, &strange);
	match(0);
	assert_int_equal(packets.at[0].count, 8);
	assert_int_equal(packets.at[0].key.source_port, 1000);
	assert_int_equal(packets.at[0].last.source_port, 3000);
	assert_int_equal(packets.at[0].last.source[15], 9);
	assert_int_equal(path_last(&packets.at[0])->host, 2);
	/* The other two packets stay separate. */
	assert_int_equal(whole(), 3);
}

static void names_of_events(void **unused)
{
	assert_int_equal(path_station_of_event("__netif_receive_skb_core"), PATH_RECEIVE);
	assert_int_equal(path_station_of_event("__netif_receive_skb_core_constp"), PATH_RECEIVE);
	assert_int_equal(path_station_of_event("__netif_receive_skb_core_const_2"), PATH_RECEIVE);
	assert_int_equal(path_station_of_event("udp_sendmsg_2"), PATH_SENDMSG);
	assert_int_equal(path_station_of_event("udp_sendmsg_locked"), PATH_STATIONS);
	assert_int_equal(path_station_of_event("udp_sendmsg_return"), PATH_STATIONS);
	assert_int_equal(path_station_of_event("ip_send_skb2"), PATH_STATIONS);
	assert_int_equal(path_station_of_event(""), PATH_STATIONS);
}

/* ---- Hostile bytes ---- */

static int look(void *unused, const struct path_visit *visit, const struct path_key *key,
		const uint8_t *ip, size_t count, uint32_t length)
{
	volatile uint8_t sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += ip[i];
	assert_true(count <= length);
	return 0;
}

static void anything_may_be_a_record(void **unused)
{
	packets.see = look;
	for (int i = 0; i < 200000; i++) {
		struct shape shape = {
			draw(2) ? 6 : 17, draw(3), draw(4) ? 0 : draw(65536), draw(3000), draw(2000), 'x',
		};
		struct made made = make(&shape);
		size_t count = draw(65);
		uint8_t *bytes = malloc(count ? count : 1);
		struct path_record record = {
			.visit = { .time_ns = i, .host = draw(3), .station = draw(PATH_STATIONS),
				   .pid = draw(2) ? EVTLOG_PID_UNKNOWN : draw(3) },
			.skb = draw(20), .to = draw(20), .socket = draw(3), .sequence = draw(2000),
			.length = draw(4) ? made.length : draw(100), .bytes = bytes, .count = count,
		};

		if (draw(2))
			made.bytes[draw(64)] = draw(256);
		memcpy(bytes, made.bytes, count);
		if (record.count > record.length)
			record.count = record.length;
		assert_int_equal(path_packets_take(&packets, &record), 0);
		free(bytes);
		if (!draw(1000))
			path_packets_forget(&packets, draw(3));
	}
	match(1000);
}

/* ---- BTF ---- */

struct inner { int a; union { char b; long c; }; };
struct outer {
	short x;
	struct { union { const struct inner *p; long q; }; char name[3]; unsigned int bits : 3; };
	struct inner last;
	volatile long len;
};

static uint8_t btf[1 << 16];
static size_t btf_bytes;

static void offsets_of_btf(void **unused)
{
	static const struct {
		const char *structure, *member;
		size_t offset;
	} known[] = {
		{ "outer", "x", offsetof(struct outer, x) },
		{ "outer", "q", offsetof(struct outer, q) },
		{ "outer", "name", offsetof(struct outer, name) },
		{ "outer", "last", offsetof(struct outer, last) },
		{ "outer", "len", offsetof(struct outer, len) },
		{ "inner", "c", offsetof(struct inner, c) },
	};
	unsigned int offset;

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		assert_int_equal(path_btf_offset(btf, btf_bytes, known[i].structure,
						 known[i].member, &offset), 0);
		assert_int_equal(offset, known[i].offset);
	}
	assert_int_equal(path_btf_offset(btf, btf_bytes, "outer", "a", &offset), -ESRCH);
	assert_int_equal(path_btf_offset(btf, btf_bytes, "oute", "x", &offset), -ESRCH);
	for (size_t length = 0; length < btf_bytes; length++) {
		uint8_t *part = malloc(length ? length : 1);

		memcpy(part, btf, length);
		assert_true(path_btf_offset(part, length, "outer", "len", &offset) < 0);
		free(part);
	}
}

static void damaged_btf_is_refused(void **unused)
{
	unsigned int offset;

	for (int i = 0; i < 100000; i++) {
		uint8_t *copy = malloc(btf_bytes);

		memcpy(copy, btf, btf_bytes);
		for (uint32_t k = draw(4) + 1; k; k--)
			copy[draw(btf_bytes)] = draw(256);
		path_btf_offset(copy, btf_bytes, "outer", "len", &offset);
		free(copy);
	}
}

#define TEST(name)	cmocka_unit_test_setup_teardown(name, start, stop)

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		TEST(same_headers_are_ambiguous_only_at_the_same_time),
		TEST(other_payloads_are_told_apart),
		TEST(a_clock_error_is_allowed_for_and_no_more),
		TEST(memory_that_is_anothers_is_no_drop),
		TEST(lost_records_end_all_ways),
		TEST(datagrams_of_ip6_are_followed),
		TEST(segments_begin_where_tcp_sends_them),
		TEST(packets_begin_at_the_socket),
		TEST(segments_of_ip6_begin_where_they_are_made),
		TEST(a_host_translates_addresses),
		TEST(a_datagram_in_fragments_is_one),
		TEST(a_drop_has_the_first_reason),
		TEST(a_host_forwards),
		TEST(what_the_driver_frees_was_sent),
		TEST(segments_are_divided_and_joined),
		TEST(segments_are_read_with_the_one_they_were_added_to),
		TEST(names_of_events),
		TEST(anything_may_be_a_record),
		TEST(offsets_of_btf),
		TEST(damaged_btf_is_refused),
	};
	FILE *file;

	state = seed_state();
	btf_path = argc > 1 ? argv[1] : "";
	file = fopen(btf_path, "re");
	if (!file) {
		perror(btf_path);
		return 1;
	}
	btf_bytes = fread(btf, 1, sizeof(btf), file);
	fclose(file);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
