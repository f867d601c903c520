/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a HOST-RUN.evl or HOST-NAME.evl file looks like on disk.
 *
 * Stage: between logd, which writes it, and libevtlog, which reads it.  It does
 * not describe records and buffers: those are in abi.h, verbatim as the kernel
 * made them.
 *
 *	file header	struct evtlog_file_header, then text
 *	block		struct evtlog_block_header, then payload
 *	block		...
 *	index block	only when the file was closed in order
 *	trailer		struct evtlog_file_trailer, ditto
 *
 * Everything starts at a multiple of 8 bytes; padding is zero.  Whatever happens to a
 * file, each block proves itself by two checksums, and a reader that lost its
 * way finds the next block by its magic.  All CRCs are zlib's crc32().
 */
#ifndef EVTLOG_FILE_H
#define EVTLOG_FILE_H

#include <stdint.h>

#include <evtlog/abi.h>

/* "EVTLOGF1", "EVTLOGK1", "EVTLOGT1" read as little-endian numbers. */
#define EVTLOG_FILE_MAGIC	0x3146474f4c545645ULL
#define EVTLOG_BLOCK_MAGIC	0x314b474f4c545645ULL
#define EVTLOG_TRAILER_MAGIC	0x3154474f4c545645ULL

#define EVTLOG_FILE_VERSION	1

/* No block is larger, raw or stored: a reader may refuse what claims more. */
#define EVTLOG_BLOCK_MAX_BYTES	(256u << 20)
#define EVTLOG_FILE_TEXT_MAX_BYTES (1u << 20)

/**
 * struct evtlog_file_header - at the start of a file
 * @header_bytes: this struct, the text and padding: the first block's offset
 * @text_bytes:	length of the text that follows: lines "key=value", an empty
 *		line, and a copy of /proc/evtlog/format.  Keys: host, kernel (uname
 *		-r), version (uname -v), machine (uname -m), boot_id, system_boot_id (of /proc/sys/kernel/random/boot_id), run,
 *		run_name and reference_ticks (where known), named_buffer (of a
 *		named buffer's file: cpus or global), tree (of a run of one tree of tasks, see
 *		EVTLOG_BUFFER_TREE: the pid of its root), addresses (IPv4,
 *		blanks between), cpus (online), cpus_online (their numbers: 0-3,6),
 *		cpus_possible, events (types: each with + on or - off, blanks between), buffers, buffer_kb, ticks_hz, clocksource,
 *		logger_pid, logger_version, created (ISO 8601, UTC).  Unknown keys are skipped.
 * @crc32:	of the whole header (header_bytes) with this field 0
 */
struct evtlog_file_header {
	uint64_t magic;
	uint32_t version;
	uint32_t header_bytes;
	uint64_t run;
	uint8_t boot_id[16];
	uint32_t text_bytes;
	uint32_t crc32;
};

enum evtlog_block_kind {
	/* One kernel buffer: struct evtlog_buffer_header and records, verbatim. */
	EVTLOG_BLOCK_BUFFER = 1,
	/* Array of struct evtlog_index_entry, in file order. */
	EVTLOG_BLOCK_INDEX = 2,
	/* One struct evtlog_gap: logd could not keep what it had. */
	EVTLOG_BLOCK_GAP = 3,
	/* Of merged files. */
	EVTLOG_BLOCK_HOST = 4,
	EVTLOG_BLOCK_EVENTS = 5,
	EVTLOG_BLOCK_TOTALS = 6,
	/* Zeros, so that the payload of the next block begins at a page of the file. */
	EVTLOG_BLOCK_FILLER = 7,
	/*
	 * In a named buffer's file: TASK records of all tasks, as read from /proc/evtlog/tasks.  All have
	 * the time of the block: begin_ticks and end_ticks are 0, before all events, or UINT64_MAX, after
	 * all events.
	 */
	EVTLOG_BLOCK_TASKS = 8,
};

#define EVTLOG_BLOCK_DEFLATE	0x1	/* payload is a zlib stream */
#define EVTLOG_BLOCK_PACKED	0x2	/* a buffer, as packed.h says */
#define EVTLOG_BLOCK_COMPRESSED	(EVTLOG_BLOCK_DEFLATE | EVTLOG_BLOCK_PACKED)

/**
 * struct evtlog_block_header - at the start of a block
 * @stored_bytes: payload in the file, without padding to 8
 * @raw_bytes:	payload once it is inflated or unpacked; else equal to @stored_bytes
 * @cpu, @sequence: of the buffer, for readers that only skim; 0 in others
 * @begin_ticks, @end_ticks: ditto
 * @payload_crc32: of the payload as stored
 * @header_crc32: of this header with this field 0
 */
struct evtlog_block_header {
	uint64_t magic;
	uint32_t kind;
	uint32_t flags;
	uint32_t stored_bytes;
	uint32_t raw_bytes;
	uint64_t run;
	uint64_t sequence;
	uint64_t begin_ticks;
	uint64_t end_ticks;
	uint32_t cpu;
	uint32_t reserved;
	uint32_t payload_crc32;
	uint32_t header_crc32;
};

/**
 * struct evtlog_index_entry - a buffer, in the index block
 * @offset:	of the block's header in the file
 * @lost:	sum of the buffer's lost records
 * @flags:	of the buffer (EVTLOG_BUFFER_*)
 */
struct evtlog_index_entry {
	uint64_t offset;
	uint64_t sequence;
	uint64_t begin_ticks;
	uint64_t end_ticks;
	uint64_t lost;
	uint32_t cpu;
	uint32_t flags;
	uint32_t raw_bytes;
	uint32_t stored_bytes;
};

/**
 * struct evtlog_gap - what logd could not keep
 * @buffers:	whole buffers of @cpu that are gone, from @sequence on; 0 when
 *		none is gone and the kernel's own count tells the loss
 * @error:	errno that caused it
 *
 * Buffers that logd took from the kernel and could not keep, or a time in
 * which it could not write.  The kernel counts what it drops meanwhile; this
 * tells why.
 */
struct evtlog_gap {
	uint64_t sequence;
	uint64_t buffers;
	uint64_t bytes;
	uint64_t begin_real_ns;
	uint64_t end_real_ns;
	uint32_t cpu;
	int32_t error;
};

/* The last buffer of every CPU of the run came: the file grows no more. */
#define EVTLOG_TRAILER_COMPLETE	0x1

/**
 * struct evtlog_file_trailer - the last bytes of a file that was closed in order
 * @blocks:	entries of the index, one for each buffer block
 * @flags:	EVTLOG_TRAILER_*
 */
struct evtlog_file_trailer {
	uint64_t magic;
	uint64_t index_offset;
	uint64_t blocks;
	uint32_t flags;
	uint32_t crc32;		/* of this struct with this field 0 */
};

/*
 * A merged file: the events of many hosts in the order of a common timeline, as
 * `evtlog merge -o` writes it.
 *
 *	file header	struct evtlog_file_header with the magic EVTLOG_MERGED_MAGIC,
 *			then text
 *	host block	for each host, in order of their names
 *	...
 *	events block
 *	...
 *	end block	unless writing it was broken off
 *
 * The header's text is lines "key=value": hosts (how many), reference, assume_ntp,
 * begin_ns, end_ns, and real (time on the timeline, ':', CLOCK_REALTIME then), as often as need
 * be.  The timeline is CLOCK_MONOTONIC_RAW of the reference host in ns.  Blocks have
 * their usual header, with the number of the block among those of its kind in
 * @sequence, and may be deflated.
 *
 * A host block is text: lines "key=value" with what the merge found out about the
 * host (name, method, offset_ns, rate_ppb, rate_error_ppb, bound_ns, best_bound_ns, rho_ppb, rho_raised,
 * packets, packets_dropped, violations, segments, hops, begin_ns, end_ns, cpus, lost,
 * missing_buffers, damaged_places, closed, complete, tsc_bad), an empty line, and
 * the whole text of its own file's header.
 *
 * An events block is entries, one after the other; @begin_ticks is the time from which
 * its first entry counts, @end_ticks that of its last, both as signed numbers on the
 * timeline.  An entry is a byte, and numbers of 7 bits a byte, the lowest first, 0x80 set in all
 * but the last byte:
 *
 *	the byte	bits 0-2 what it is, EVTLOG_MERGED_*; bit 3 whether it came before
 *			or after an event of another host further up is not known; bits 4-5
 *			place: task, softirq, interrupt, vector; bit 6 host and CPU are
 *			those of the entry before, and left out
 *	host, CPU
 *	ns since the entry before
 *	pid + 1		that runs; 0 unknown
 *	number		of the place, + 1 modulo 2^32; if it is not a task
 *	the upper half of the record's first word, in 4 bytes, and its other words,
 *			for a RECORD (the lower half was the host's own counter); of icmp_rx
 *			and remote then that counter, as they hold another time of it
 *	ns since which nothing is known, for a GAP
 *	lost records, lost buffers, for a GAP or BEGIN
 *	what follows the words of its type, as it is and padded, for a RECORD of variable size
 *
 * A CUT is the END of a CPU whose own file lacks the rest of its part.  A NAME has but the byte, the host, a pid and 16 bytes of name, which holds from
 * here on; a FORMAT the byte, the host, the id of a registered event, a length and that many bytes
 * of text, which is what the host's log says of it, before its first record.
 */
#define EVTLOG_MERGED_MAGIC	0x314d474f4c545645ULL	/* "EVTLOGM1" */
#define EVTLOG_MERGED_VERSION	1

enum evtlog_merged_entry {
	EVTLOG_MERGED_RECORD,
	EVTLOG_MERGED_BEGIN,
	EVTLOG_MERGED_GAP,
	EVTLOG_MERGED_END,
	EVTLOG_MERGED_NAME,
	EVTLOG_MERGED_CUT,
	EVTLOG_MERGED_FORMAT,
};

#define EVTLOG_MERGED_KIND	0x07
#define EVTLOG_MERGED_DOUBTFUL	0x08
#define EVTLOG_MERGED_PLACE	4	/* shift of 2 bits */
#define EVTLOG_MERGED_SAME	0x40

/**
 * struct evtlog_merged_totals - the end block: this, then for each host how many gaps it has
 * @events:	RECORDs in the file
 * @doubtful:	of these, whose order is not known
 * @blocks:	of events
 * @whole:	1: all of the hosts' files was read; 0: a part was asked for
 */
struct evtlog_merged_totals {
	uint64_t events;
	uint64_t doubtful;
	uint64_t blocks;
	uint64_t whole;
};

#if defined(__cplusplus)
#define EVTLOG_FILE_ASSERT(x)	static_assert(x, #x)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define EVTLOG_FILE_ASSERT(x)	_Static_assert(x, #x)
#else
#define EVTLOG_FILE_ASSERT(x)	extern char evtlog_assert[(x) ? 1 : -1]
#endif
EVTLOG_FILE_ASSERT(sizeof(struct evtlog_merged_totals) == 32);
EVTLOG_FILE_ASSERT(sizeof(struct evtlog_file_header) == 48);
EVTLOG_FILE_ASSERT(sizeof(struct evtlog_block_header) == 72);
EVTLOG_FILE_ASSERT(sizeof(struct evtlog_index_entry) == 56);
EVTLOG_FILE_ASSERT(sizeof(struct evtlog_gap) == 48);
EVTLOG_FILE_ASSERT(sizeof(struct evtlog_file_trailer) == 32);
#undef EVTLOG_FILE_ASSERT

#endif /* EVTLOG_FILE_H */
