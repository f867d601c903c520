/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the parts of the clock model share: hosts, their packets, the result.
 *
 * It does not know events.
 */
#ifndef EVTLOG_LIB_CLOCKSYNC_CLOCKSYNC_H
#define EVTLOG_LIB_CLOCKSYNC_CLOCKSYNC_H

#include <stddef.h>
#include <stdint.h>

#include <evtlog/evtlog.h>

#define HOSTS_MAX	(1u << 23)

/* ---- timeline.c: a clock's way onto the common timeline, in straight pieces ---- */

/* Between two nodes time and bound are straight. */
struct timeline_node {
	int64_t raw_ns;
	int64_t time_ns;
	uint64_t bound_ns;
};

/*
 * @nodes:	at least one, rising in both times
 * @growth_ppb:	of the bound, beyond the first and the last
 */
struct timeline {
	struct timeline_node *nodes;
	size_t count;
	uint64_t growth_ppb;
};

/* The last node that is not behind @ns, by its host's time or by the timeline's; or the first. */
size_t timeline_find_raw(const struct timeline *timeline, int64_t ns);
size_t timeline_find_time(const struct timeline *timeline, int64_t ns);

void timeline_cursor(struct evtlog_host_cursor *cursor, const struct timeline *timeline);

/* The first time of the host that is not before @time_ns; INT64_MAX if all are. */
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
 * One boot of a host, which has one clock.
 * @first:	of its files, by order
 * @name, @boot_id: of that file, which is only valid while hosts are made
 * @begin_ns, @end_ns: over all its files
 * @real_offset_ns: CLOCK_REALTIME less CLOCK_MONOTONIC_RAW, if @real_known
 * @error_ns:	of its files' times against its own CLOCK_MONOTONIC_RAW
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
 * What became of all files.
 * @hosts:	by name and boot
 * @order:	files by name, boot and run
 * @host_of:	by file, as the caller numbers them
 * @ntp_disproved_ns: REALTIMEs are so far apart where packets can tell; 0: no more
 *		than was said
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

/* A packet that two hosts recorded, each by its own clock. */
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

/* Whether a record of that type can be matched at all. */
bool packet_type_matches(unsigned int type);

/* Returns 0 or -ENOMEM. */
int packet_record_add(struct packet_records *records,
		      const struct packet_record *record);

/*
 * Finds each packet's two records, and puts packets into an order that does not
 * depend on that of the records, which it sorts.  Counts in @hosts what is
 * dropped.  Returns 0 or -ENOMEM.
 */
int packets_match(struct host *hosts, size_t count,
		  struct packet_records *records, struct packets *packets);

/* What packet-match.c and packet-repeats.c share. */

/*
 * How far @to's clock is ahead of @from's, roughly, if @known; as it was last asked
 * for, since it is asked for again and again.
 */
struct rough {
	uint32_t from;
	uint32_t to;
	bool asked;
	bool known;
	__int128 lower;
	__int128 upper;
};

/* The first of the packets between two hosts, either way; count if there is none. */
size_t packets_find(const struct packets *packets, uint32_t a, uint32_t b);

/*
 * Matches what can be of @count records of one name, which are sorted: sent ones
 * first, by host and time.  @to has room for as many.  Returns how many.
 */
size_t repeats_match(const struct host *hosts,
		     const struct packet_record *records, size_t count,
		     const struct packets *known, struct rough *rough,
		     struct packet *to);

/*
 * How far a mean rate over @span_ns may be off what it is at any time: @error_ns is
 * how far times at the begin and at the end are, together.
 */
uint64_t host_rate_error(uint64_t error_ns, int64_t span_ns, uint64_t rho_ppb);

/* Gives @host an timeline of its own time; 0 or -ENOMEM. */
int host_own_timeline(struct host *host, uint64_t bound_ns);

/*
 * Relates to hosts[@reference], which has its own timeline, what @packets reach: timeline
 * and clock.  Others keep EVTLOG_CLOCK_NONE.  Returns 0 or -ENOMEM.
 */
int network_solve(struct host *hosts, size_t count, size_t reference,
		  uint64_t rho_ppb, struct packets *packets);

/* The host that most others are near to, by packets; 0 without any. */
size_t network_reference(const struct host *hosts, size_t count,
			 const struct packets *packets);

/*
 * Relates @host, of @file, to @reference by both REALTIMEs, held to agree within
 * @error_ns.  Returns 0 or -ENOMEM.
 */
int ntp_relate(struct host *host, const struct evtlog_file *file,
	       const struct host *reference,
	       const struct evtlog_file *reference_file, uint64_t error_ns);

/*
 * How far the REALTIME of @host, which packets relate, is ahead of the reference's at
 * @raw_ns of its clock.
 */
int64_t ntp_ahead(const struct host *host, const struct evtlog_file *file,
		  const struct evtlog_file *reference_file, int64_t raw_ns);

#endif /* EVTLOG_LIB_CLOCKSYNC_CLOCKSYNC_H */
