/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Internal types and functions of the clock model: hosts, packets, timelines.
 *
 * Only clocksync.c reads events.
 */
#ifndef EVTLOG_LIB_CLOCKSYNC_CLOCKSYNC_H
#define EVTLOG_LIB_CLOCKSYNC_CLOCKSYNC_H

#include <stddef.h>
#include <stdint.h>

#include <evtlog/evtlog.h>

#define HOSTS_MAX	(1u << 23)

/* ---- timeline.c: maps a clock to the common timeline, piecewise linear ---- */

/* Between two nodes, time and bound are interpolated linearly. */
struct timeline_node {
	int64_t raw_ns;
	int64_t time_ns;
	uint64_t bound_ns;
};

/*
 * @nodes:	at least one; both times ascend
 * @growth_ppb:	growth of the bound before the first and after the last node
 */
struct timeline {
	struct timeline_node *nodes;
	size_t count;
	uint64_t growth_ppb;
};

/* Return the last node at or before @ns, on the host's clock or on the timeline; else the first. */
size_t timeline_find_raw(const struct timeline *timeline, int64_t ns);
size_t timeline_find_time(const struct timeline *timeline, int64_t ns);

void timeline_cursor(struct evtlog_host_cursor *cursor, const struct timeline *timeline);

/* Returns the host's first time that is not before @time_ns; INT64_MAX if all are before it. */
uint64_t timeline_raw(const struct timeline *timeline, int64_t time_ns);

static inline int64_t timeline_time(const struct timeline *timeline, uint64_t raw_ns)
{
	struct evtlog_host_cursor cursor;

	timeline_cursor(&cursor, timeline);
	return evtlog_host_cursor_time(&cursor, raw_ns);
}

static inline uint64_t timeline_bound(const struct timeline *timeline, uint64_t raw_ns)
{
	struct evtlog_host_cursor cursor;

	timeline_cursor(&cursor, timeline);
	return evtlog_host_cursor_bound(&cursor, raw_ns);
}

/* ---- Hosts ---- */

/*
 * One boot of a host; it has one clock.
 * @first:	caller's number of its first file
 * @name, @boot_id: of that file; valid only within evtlog_clocksync_new()
 * @begin_ns, @end_ns: time covered by all its files
 * @error_ns:	error of its files' times against its own CLOCK_MONOTONIC_RAW
 * @real_offset_ns: CLOCK_REALTIME - CLOCK_MONOTONIC_RAW, if @real_known
 */
struct host {
	size_t first;
	const char *name;
	const uint8_t *boot_id;
	int64_t begin_ns;
	int64_t end_ns;
	uint64_t error_ns;
	int64_t real_offset_ns;
	bool real_known;
	struct evtlog_host_clock clock;
	struct timeline timeline;
};

/*
 * The result for all files.
 * @hosts:	sorted by name and boot
 * @order:	files, sorted by name, boot and run
 * @host_of:	host of each file, by the caller's number of the file
 * @ntp_disproved_ns: largest difference of the REALTIMEs of hosts that packets relate; 0 if it
 *		is not larger than the caller assumed
 */
struct evtlog_clocksync {
	uint64_t ntp_disproved_ns;
	struct host *hosts;
	size_t host_count;
	size_t reference;
	size_t *order;
	size_t *host_of;
	size_t file_count;
};

/* One ICMP record.  Addresses, id and sequence are as in the packet. */
struct packet_record {
	int64_t time_ns;
	uint32_t source;
	uint32_t destination;
	uint16_t id;
	uint16_t sequence;
	uint32_t host : 23;
	uint32_t received : 1;
	uint32_t type : 8;
};

struct packet_records {
	struct packet_record *at;
	size_t count;
	size_t capacity;
};

/* A packet that two hosts recorded, with the time of each host's own clock. */
struct packet {
	int64_t sent_ns;
	int64_t received_ns;
	uint32_t from;
	uint32_t to;
};

struct packets {
	struct packet *at;
	size_t count;
};

/* Returns true if records of ICMP type @type can be matched. */
bool packet_type_matches(unsigned int type);

/* Returns 0 or -ENOMEM. */
int packet_record_add(struct packet_records *records,
		      const struct packet_record *record);

/*
 * Finds the two records of each packet.  Sorts @records; the order of @packets does not depend
 * on their order before.  Counts dropped records in @hosts.  Returns 0 or -ENOMEM.
 */
int packets_match(struct host *hosts, size_t count,
		  struct packet_records *records, struct packets *packets);

/* Shared by packet-match.c and packet-repeats.c. */

/*
 * Rough bounds of how far @to's clock is ahead of @from's; valid if @known.
 * The last result is kept, because the same hosts are often queried again.
 */
struct rough {
	uint32_t from;
	uint32_t to;
	bool asked;
	bool known;
	__int128 lower;
	__int128 upper;
};

/*
 * Returns the index of the first packet between two hosts, in either direction; if there is
 * none, the index at which it would be.
 */
size_t packets_find(const struct packets *packets, uint32_t a, uint32_t b);

/*
 * Matches @count records that have the same addresses, type, id and sequence number, as far as
 * they can be distinguished.  @records are sorted: sent ones first, by host and time.  @to has
 * room for all matches.  Returns the number of matches.
 */
size_t repeats_match(const struct host *hosts,
		     const struct packet_record *records, size_t count,
		     const struct packets *known, struct rough *rough,
		     struct packet *to);

/*
 * Returns by how many ppb a mean rate over @span_ns can differ from the rate at any time;
 * UINT64_MAX if unknown.  @error_ns: sum of the errors of the begin and the end.
 */
uint64_t host_rate_error(uint64_t error_ns, int64_t span_ns, uint64_t rho_ppb);

/* Gives @host a timeline that is its own clock, with the error @bound_ns; 0 or -ENOMEM. */
int host_own_timeline(struct host *host, uint64_t bound_ns);

/*
 * Relates the hosts that @packets reach to hosts[@reference], which must have its own timeline.
 * Fills in timeline and clock; all other hosts keep EVTLOG_CLOCK_NONE.  Returns 0 or -ENOMEM.
 */
int network_solve(struct host *hosts, size_t count, size_t reference,
		  uint64_t rho_ppb, struct packets *packets);

/* Returns the host that exchanged packets with the most other hosts; 0 without packets. */
size_t network_reference(const struct host *hosts, size_t count,
			 const struct packets *packets);

/*
 * Relates @host, with the clock of @file, to @reference by their REALTIMEs, which are assumed to
 * agree within @error_ns.  Returns 0 or -ENOMEM.
 */
int ntp_relate(struct host *host, const struct evtlog_file *file,
	       const struct host *reference,
	       const struct evtlog_file *reference_file, uint64_t error_ns);

/*
 * Returns by how many ns the REALTIME of @host is ahead of the reference's, at @raw_ns of the
 * host's clock.  @host must be related by packets.
 */
int64_t ntp_ahead(const struct host *host, const struct evtlog_file *file,
		  const struct evtlog_file *reference_file, int64_t raw_ns);

#endif /* EVTLOG_LIB_CLOCKSYNC_CLOCKSYNC_H */
