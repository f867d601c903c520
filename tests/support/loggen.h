/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds HOST-RUN.evl files in memory, for tests of readers.
 *
 * Stage: in place of the kernel and logd. It shares abi.h and file.h with the reader, but no code.
 * It aborts if memory is exhausted.
 */
#ifndef EVTLOG_TESTS_SUPPORT_LOGGEN_H
#define EVTLOG_TESTS_SUPPORT_LOGGEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <evtlog/file.h>

enum loggen_compress {
	LOGGEN_STORE,
	LOGGEN_DEFLATE,		/* including the index */
	LOGGEN_DEFLATE_SOME,	/* every second block */
	LOGGEN_PACK,		/* blocks that become smaller */
	LOGGEN_ALL_WAYS,	/* in turn */
	LOGGEN_WAYS
};

/*
 * @buffer_bytes: size of each buffer, including its header
 * @ticks_hz:	ticks of all CPUs begin at @boot_ticks, when MONOTONIC_RAW is @boot_raw_ns
 * @width_ticks: width of all clock sets
 * @interrupted_ticks: one reading in four of a clock set is interrupted for up to this time, before
 *		or after the clocks are read; depends on @seed
 * @real_step_ns: CLOCK_REALTIME is set by this step when MONOTONIC_RAW is @real_step_raw_ns
 * @skew_ticks:	CPU n's counter is n times this ahead of CPU 0's
 * @compress:	how buffers are stored
 * @host:	name in the header
 * @boot:	changes the boot id, so that hosts differ
 * @run_name:	NULL: none
 * @format:	text instead of that from abi.h; may be NULL
 * @meta:	further lines "key=value\n"; may be NULL
 * @off:	bits of types that are not recorded
 * @tells_events: the header has a line "events" about @off
 * @is_global:	one ring for all CPUs, as in a global named buffer; use CPU 0
 * @keeps:	keep all records for loggen_written()
 */
struct loggen_options {
	unsigned int cpus;
	uint32_t buffer_bytes;
	uint64_t ticks_hz;
	uint64_t boot_ticks;
	uint64_t boot_raw_ns;
	uint64_t boot_real_ns;
	int64_t real_step_ns;
	uint64_t real_step_raw_ns;
	uint32_t width_ticks;
	uint32_t interrupted_ticks;
	uint64_t seed;
	uint64_t skew_ticks;
	uint64_t run;
	enum loggen_compress compress;
	bool tsc_bad;
	const char *host;
	uint64_t boot;
	const char *run_name;
	const char *format;
	const char *meta;
	uint64_t off;
	bool tells_events;
	bool is_global;
	bool keeps;
};

/* Defaults: 2 CPUs, 4 KiB, 1 tick per ns, run 1 of testhost */
struct loggen_options loggen_defaults(void);

/* Returns the text of /proc/evtlog/format by abi.h; free() it. */
char *loggen_format_text(uint64_t ticks_hz);

struct loggen;

struct loggen *loggen_new(const struct loggen_options *options);
void loggen_free(struct loggen *gen);

/* Begins a CPU's part; call it before the first record. */
void loggen_begin(struct loggen *gen, unsigned int cpu, uint64_t ticks,
		  uint32_t pid, const char *comm);

/*
 * The same for a kernel that starts by one store: the run began at @begin, and the CPU, which had
 * no event since then, joins it at @ticks.
 */
void loggen_join(struct loggen *gen, unsigned int cpu, uint64_t begin, uint64_t ticks,
		 uint32_t pid, const char *comm);

/*
 * Writes one record, with @words - 1 words from @more. A full buffer is finished and the next one
 * opened, as in the kernel. @type is a number of the file's format.
 */
void loggen_record(struct loggen *gen, unsigned int cpu, uint64_t ticks,
		   unsigned int type, uint32_t data, unsigned int words,
		   const uint64_t *more);

/* Writes a registered event of @bytes; with @type EVTLOG_EVENT_FORMAT its format. */
void loggen_registered(struct loggen *gen, unsigned int cpu, uint64_t ticks, unsigned int type,
		       uint32_t id, const void *payload, uint32_t bytes);

/* Writes an EVENT_FORMAT: "NAME\nFIELD FIELD ...\n" */
void loggen_format(struct loggen *gen, unsigned int cpu, uint64_t ticks, uint32_t id,
		   const char *text);

/* For a global buffer: this CPU recorded the following records while @pid ran on it. */
void loggen_on_cpu(struct loggen *gen, uint64_t ticks, uint32_t cpu, uint32_t pid);

/* Writes an EVENT. */
void loggen_event(struct loggen *gen, unsigned int cpu, uint64_t ticks, uint32_t id,
		  const void *payload, uint32_t bytes);

/* Sets the name of the task to which the last sched_switch switched. */
void loggen_running(struct loggen *gen, unsigned int cpu, const char *comm);

/*
 * Ends the buffer at @from; @count records are lost up to @until, when the next buffer begins with
 * @pid running in @context.
 */
void loggen_lose(struct loggen *gen, unsigned int cpu, uint64_t from,
		 uint64_t until, uint64_t count, uint32_t pid,
		 uint32_t context);

/* Sets the context in which the open buffer begins. */
void loggen_context(struct loggen *gen, unsigned int cpu, uint32_t context);

/* Adds @count lost records to the open buffer, for a cause that leaves no gap. */
void loggen_count_lost(struct loggen *gen, unsigned int cpu, enum evtlog_lost_cause cause,
		       uint64_t count);

/* Finishes the open buffer, as when a CPU goes offline. */
void loggen_flush(struct loggen *gen, unsigned int cpu, uint64_t ticks);

/* Ends the CPU's part. */
void loggen_end(struct loggen *gen, unsigned int cpu, uint64_t ticks);

/* Writes a list of @words of TASK records at @ticks; 0: before all, UINT64_MAX: after all. */
void loggen_tasks(struct loggen *gen, uint64_t ticks, const uint64_t *words, size_t count);

/* Writes a note of the logger. */
void loggen_gap(struct loggen *gen, const struct evtlog_gap *gap);

/* Removes the buffer that was written last. */
void loggen_drop_last_block(struct loggen *gen);

/* Writes the last buffer once more. */
void loggen_repeat_last_block(struct loggen *gen);

/* Writes index and trailer. */
void loggen_close(struct loggen *gen);

/* Returns the file so far; the memory belongs to the generator. */
const uint8_t *loggen_bytes(const struct loggen *gen, size_t *length);

/* Returns the number of blocks, and their offsets in the order of writing. */
size_t loggen_blocks(const struct loggen *gen, const uint64_t **offsets);

/* A record of the log; its words begin at index @first of loggen_words(). */
struct loggen_record {
	uint64_t ticks;
	uint32_t cpu;
	unsigned int words;
	size_t first;
};

/* With @keeps, return all records in the order of writing, and their words. */
size_t loggen_written(const struct loggen *gen, const struct loggen_record **records);
const uint64_t *loggen_words(const struct loggen *gen);

/* Makes words that contain up to 16 characters of @comm. */
void loggen_comm(uint64_t words[2], const char *comm);

/* Sets a block header's checksum after a test changed the header. */
void loggen_seal_block(struct evtlog_block_header *header);

/* Writes the file.  Returns 0 or -errno. */
int loggen_save(const struct loggen *gen, const char *path);

#endif /* EVTLOG_TESTS_SUPPORT_LOGGEN_H */
