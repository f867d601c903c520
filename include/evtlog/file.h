/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Layout of HOST-RUN.evl and HOST-NAME.evl files.
 *
 * Stage: logd and evtlog buffer record write these files, libevtlog reads them.  Records and buffers
 * are in the file as the kernel wrote them; abi.h describes them.
 *
 *	file header	struct evtlog_file_header, then text
 *	block		struct evtlog_block_header, then payload
 *	block		...
 *	index block	only if the file was closed
 *	trailer		struct evtlog_file_trailer, only if the file was closed
 *
 * Each part starts at a multiple of 8 bytes; padding is zero.  Each block has two checksums, so it
 * can be verified on its own.  After damage, a reader searches for the magic of the next block.
 * All CRCs are zlib's crc32().
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

/* Largest payload of a block, raw or stored.  A reader may reject larger sizes. */
#define EVTLOG_BLOCK_MAX_BYTES	(256u << 20)
#define EVTLOG_FILE_TEXT_MAX_BYTES (1u << 20)

/**
 * struct evtlog_file_header - at the start of a file
 * @header_bytes: size of this struct, the text and padding; offset of the first block
 * @text_bytes:	length of the text that follows: lines "key=value", an empty line, and a copy of
 *		/proc/evtlog/format.  Keys: host, kernel (uname -r), version (uname -v), machine
 *		(uname -m), boot_id, system_boot_id (/proc/sys/kernel/random/boot_id), run, run_name
 *		and reference_ticks (if known), named_buffer (only in the file of a named buffer:
 *		cpus or global), tree (only in a run of one tree of tasks: pid of its root, see
 *		EVTLOG_BUFFER_TREE), addresses (IPv4, separated by blanks), cpus (number of online
 *		CPUs), cpus_online (their numbers: 0-3,6), cpus_possible, events (types, separated
 *		by blanks, each with + for on or - for off), buffers, buffer_kb, ticks_hz,
 *		clocksource, logger_pid, logger_version, created (ISO 8601, UTC).  Readers skip
 *		unknown keys.
 * @crc32:	of all @header_bytes, computed with this field 0
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
	/* A kernel buffer: struct evtlog_buffer_header and records, unchanged. */
	EVTLOG_BLOCK_BUFFER = 1,
	/* Array of struct evtlog_index_entry, in file order. */
	EVTLOG_BLOCK_INDEX = 2,
	/* One struct evtlog_gap: buffers could not be saved. */
	EVTLOG_BLOCK_GAP = 3,
	/* Only in merged files. */
	EVTLOG_BLOCK_HOST = 4,
	EVTLOG_BLOCK_EVENTS = 5,
	EVTLOG_BLOCK_TOTALS = 6,
	/* Zeros that align the payload of the next block to a page of the file. */
	EVTLOG_BLOCK_FILLER = 7,
	/*
	 * Only in the file of a named buffer: TASK records of all tasks, read from
	 * /proc/evtlog/tasks.  Their time is the time of the block.  begin_ticks and end_ticks are
	 * 0 (before all events) or UINT64_MAX (after all events).
	 */
	EVTLOG_BLOCK_TASKS = 8,
};

#define EVTLOG_BLOCK_DEFLATE	0x1	/* payload is a zlib stream */
#define EVTLOG_BLOCK_PACKED	0x2	/* payload is a buffer in the format of packed.h */
#define EVTLOG_BLOCK_COMPRESSED	(EVTLOG_BLOCK_DEFLATE | EVTLOG_BLOCK_PACKED)

/**
 * struct evtlog_block_header - at the start of a block
 * @stored_bytes: size of the payload in the file, without padding to 8
 * @raw_bytes:	size of the decompressed payload; equal to @stored_bytes if it is not compressed
 * @cpu, @sequence: copied from the buffer, so a reader can skip the payload; 0 in other blocks
 * @begin_ticks, @end_ticks: copied from the buffer, like @cpu
 * @payload_crc32: of the payload as stored
 * @header_crc32: of this header, computed with this field 0
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
 * struct evtlog_gap - buffers that the logger could not save
 * @buffers:	number of missing buffers of @cpu, starting at @sequence; 0 if no buffer is missing
 *		and the kernel counts the lost records
 * @error:	errno of the failure
 *
 * The logger took buffers from the kernel and could not save them, or it could not write for some
 * time.
 * The kernel counts the records that it drops in this time; the gap block has the cause.
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

/* The file has the last buffer of each CPU; no data will follow. */
#define EVTLOG_TRAILER_COMPLETE	0x1

/**
 * struct evtlog_file_trailer - the last bytes of a file that was closed
 * @blocks:	number of index entries, one for each buffer block
 * @flags:	EVTLOG_TRAILER_*
 */
struct evtlog_file_trailer {
	uint64_t magic;
	uint64_t index_offset;
	uint64_t blocks;
	uint32_t flags;
	uint32_t crc32;		/* of this struct, computed with this field 0 */
};

/*
 * A merged file: events of many hosts in the order of one timeline, written by `evtlog dump -o`.
 *
 *	file header	struct evtlog_file_header with EVTLOG_MERGED_MAGIC, then text
 *	host block	for each host, in order of their names
 *	...
 *	events block
 *	...
 *	end block	missing if the merge was interrupted
 *
 * The text of the header has lines "key=value": hosts (number of hosts), reference, assume_ntp,
 * begin_ns, end_ns, and any number of lines real (a time on the timeline, ':', and CLOCK_REALTIME
 * at this time).  The timeline is CLOCK_MONOTONIC_RAW of the reference host in ns.  Blocks have the
 * usual header; @sequence counts the blocks of a kind.  Blocks may be deflated.
 *
 * A host block is text: lines "key=value" with the results of the merge for the host (name, method,
 * offset_ns, rate_ppb, rate_error_ppb, bound_ns, best_bound_ns, rho_ppb, rho_raised, packets,
 * packets_dropped, violations, segments, hops, begin_ns, end_ns, cpus, lost, missing_buffers,
 * damaged_places, closed, complete, tsc_bad), an empty line, and the whole text of the header of
 * the host's file.
 *
 * An events block is a sequence of entries.  The time of the first entry is relative to
 * @begin_ticks; @end_ticks is the time of the last entry.  Both are signed times on the timeline.
 * An entry is a byte and several numbers.  A number has 7 bits per byte, lowest bits first, and
 * 0x80 set in all bytes but the last:
 *
 *	the byte	bits 0-2: kind of the entry, EVTLOG_MERGED_*; bit 3: the order of
 *			this entry and an earlier entry of another host is unknown; bits 4-5:
 *			context: task, softirq, interrupt, vector; bit 6: host and CPU are the
 *			same as in the previous entry and are omitted
 *	host, CPU
 *	ns since the previous entry
 *	pid + 1		of the running task; 0 if unknown
 *	number		of the context, + 1 modulo 2^32; omitted if the context is a task
 *	the upper half of the record's first word, in 4 bytes, and its other words:
 *			RECORD only (the lower half, a part of the host's counter, is omitted);
 *			icmp_rx and remote then have the whole counter, because their field
 *			arrival is a time of this counter
 *	ns since the start of the gap: GAP only
 *	lost records, lost buffers: GAP and BEGIN only
 *	bytes after the words of the type, with padding: RECORD of variable size only
 *
 * A CUT is the END of a CPU whose own file lacks the rest of its data.  A NAME has only the byte,
 * the host, a pid and a name of 16 bytes, which is valid from here on.  A FORMAT has only the byte,
 * the host, the id of a registered event, a length, and text of this length: the description of the
 * event in the host's log.  The FORMAT precedes the first record of the event.
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
 * struct evtlog_merged_totals - start of the end block; the number of gaps of each host follows
 * @events:	number of RECORDs in the file
 * @doubtful:	RECORDs whose order is unknown
 * @blocks:	number of events blocks
 * @whole:	1: the hosts' files were read completely; 0: only a part was requested
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
