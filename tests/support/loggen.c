// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Builds HOST-RUN.evl files in memory.
 *
 * Stage: in place of the kernel and logd, for tests.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "lib/codec/pack.h"
#include "loggen.h"

/* A CPU's open buffer; @opened is false before the first and after the last buffer. */
struct cpu_buffer {
	uint64_t *memory;
	size_t words;
	uint64_t sequence;
	uint64_t high;
	uint32_t pid;
	uint32_t context;
	char comm[EVTLOG_COMM_LEN];
	bool opened;
	bool in_run;
};

struct loggen {
	struct loggen_options options;
	struct cpu_buffer *cpus;
	unsigned int cpus_in_run;
	struct pack *pack;
	uint32_t on_cpu;
	uint64_t on_pid;

	uint8_t *file;
	size_t length;
	size_t room;

	struct evtlog_index_entry *index;
	uint64_t *offsets;
	size_t blocks;
	size_t entries;

	struct loggen_record *records;
	size_t written;
	uint64_t *words;
	size_t word_count;
};

static void boot_id(const struct loggen *gen, uint8_t to[16])
{
	static const uint8_t common[16] = "a test's boot id";

	for (int i = 0; i < 16; i++)
		to[i] = common[i] ^ (i < 8 ? gen->options.boot >> 8 * i : 0);
}

static void *must(void *memory)
{
	if (!memory)
		abort();
	return memory;
}

struct loggen_options loggen_defaults(void)
{
	return (struct loggen_options) {
		.cpus = 2,
		.buffer_bytes = 4096,
		.ticks_hz = 1000000000,
		.boot_ticks = 5000000000,
		.boot_raw_ns = 7000000000,
		.boot_real_ns = 1700000000000000000,
		.run = 1,
		.host = "testhost",
	};
}

char *loggen_format_text(uint64_t ticks_hz)
{
	size_t length;
	char *text;
	FILE *out = must(open_memstream(&text, &length));

	fprintf(out, "evtlog-format 2\nticks_hz %llu\nbyteorder little\n"
		"states " EVTLOG_STATES "\n"
		"softirqs HI TIMER NET_TX NET_RX BLOCK IRQ_POLL TASKLET SCHED HRTIMER RCU\n",
		(unsigned long long)ticks_hz);
#define X(number, NAME, name, words, fields) \
	fprintf(out, "type %d %s %d %s\n", number, #name, words, fields);
	EVTLOG_TYPES(X)
#undef X
	fprintf(out, "clocksource test\n");
	fclose(out);
	return text;
}

/* Makes room for one more element: doubles the array when the count is a power of two. */
static void *one_more(void *array, size_t count, size_t size)
{
	return count & (count - 1) ? array : must(reallocarray(array, 2 * count + 1, size));
}

static void append(struct loggen *gen, const void *bytes, size_t length)
{
	if (gen->length + length > gen->room) {
		gen->room = 2 * gen->room + length + 65536;
		gen->file = must(realloc(gen->file, gen->room));
	}
	memcpy(gen->file + gen->length, bytes, length);
	gen->length += length;
}

static void pad(struct loggen *gen)
{
	static const uint8_t zeros[8];

	append(gen, zeros, -gen->length & 7);
}

/* As logd copies it from /proc/evtlog/events. */
static void write_events(FILE *out, uint64_t off)
{
	const char *before = "events=";

#define X(number, NAME, name, words, fields) \
	fprintf(out, "%s%c%s", before, off >> number & 1 ? '-' : '+', #name); \
	before = " ";
	EVTLOG_TYPES(X)
#undef X
	fputc('\n', out);
}

static void write_header(struct loggen *gen)
{
	const struct loggen_options *o = &gen->options;
	char *own = o->format ? NULL : loggen_format_text(o->ticks_hz);
	struct evtlog_file_header header = {
		.magic = EVTLOG_FILE_MAGIC,
		.version = EVTLOG_FILE_VERSION,
		.run = o->run,
	};
	size_t length;
	char *text;
	FILE *out = must(open_memstream(&text, &length));

	fprintf(out, "host=%s\nkernel=6.1.0-test\nclocksource=tsc\nrun=%llu\n", o->host,
		(unsigned long long)o->run);
	if (o->run_name)
		fprintf(out, "run_name=%s\n", o->run_name);
	if (o->tells_events)
		write_events(out, o->off);
	fprintf(out, "cpus=%u\nticks_hz=%llu\nlogger_pid=77\n%s\n%s",
		o->cpus,
		(unsigned long long)o->ticks_hz, o->meta ? o->meta : "",
		o->format ? o->format : own);
	fclose(out);
	free(own);

	boot_id(gen, header.boot_id);
	header.text_bytes = length;
	header.header_bytes = (sizeof(header) + length + 7) & ~7u;
	append(gen, &header, sizeof(header));
	append(gen, text, length);
	free(text);
	pad(gen);
	header.crc32 = crc32(0, gen->file, gen->length);
	memcpy(gen->file, &header, sizeof(header));
}

struct loggen *loggen_new(const struct loggen_options *options)
{
	struct loggen *gen = must(calloc(1, sizeof(*gen)));

	gen->options = *options;
	gen->pack = must(pack_new());
	gen->cpus = must(calloc(options->cpus, sizeof(*gen->cpus)));
	for (unsigned int i = 0; i < options->cpus; i++)
		gen->cpus[i].memory = must(malloc(options->buffer_bytes));
	write_header(gen);
	return gen;
}

void loggen_free(struct loggen *gen)
{
	for (unsigned int i = 0; i < gen->options.cpus; i++)
		free(gen->cpus[i].memory);
	free(gen->cpus);
	pack_free(gen->pack);
	free(gen->file);
	free(gen->index);
	free(gen->offsets);
	free(gen->records);
	free(gen->words);
	free(gen);
}

void loggen_seal_block(struct evtlog_block_header *header)
{
	header->header_crc32 = 0;
	header->header_crc32 = crc32(0, (const Bytef *)header, sizeof(*header));
}

static void write_block(struct loggen *gen, struct evtlog_block_header header,
			const void *payload, uint32_t bytes, uint32_t how)
{
	uLongf stored_bytes = compressBound(bytes);
	uint8_t *stored = NULL;
	size_t packed_bytes;
	const void *packed;

	header.magic = EVTLOG_BLOCK_MAGIC;
	header.run = gen->options.run;
	header.raw_bytes = bytes;
	header.stored_bytes = bytes;
	if (how == EVTLOG_BLOCK_PACKED) {
		packed = pack_buffer(gen->pack, payload, &packed_bytes);
		if (packed) {
			header.flags |= EVTLOG_BLOCK_PACKED;
			header.stored_bytes = packed_bytes;
			payload = packed;
		}
	} else if (how == EVTLOG_BLOCK_DEFLATE) {
		stored = must(malloc(stored_bytes));
		if (compress2(stored, &stored_bytes, payload, bytes, 1) != Z_OK)
			abort();
		header.flags |= EVTLOG_BLOCK_DEFLATE;
		header.stored_bytes = stored_bytes;
		payload = stored;
	}
	header.payload_crc32 = crc32(0, payload, header.stored_bytes);
	loggen_seal_block(&header);

	gen->offsets = one_more(gen->offsets, gen->blocks, sizeof(*gen->offsets));
	gen->offsets[gen->blocks++] = gen->length;
	append(gen, &header, sizeof(header));
	append(gen, payload, header.stored_bytes);
	pad(gen);
	free(stored);
}

/* Returns how the next buffer is stored, as a flag of its block. */
static uint32_t next_way(const struct loggen *gen)
{
	static const uint32_t all[] = { 0, EVTLOG_BLOCK_DEFLATE, EVTLOG_BLOCK_PACKED };

	switch (gen->options.compress) {
	case LOGGEN_DEFLATE:
		return EVTLOG_BLOCK_DEFLATE;
	case LOGGEN_DEFLATE_SOME:
		return gen->blocks % 2 ? EVTLOG_BLOCK_DEFLATE : 0;
	case LOGGEN_PACK:
		return EVTLOG_BLOCK_PACKED;
	case LOGGEN_ALL_WAYS:
		return all[gen->blocks % 3];
	default:
		return 0;
	}
}

static void write_buffer(struct loggen *gen,
			 const struct evtlog_buffer_header *buffer)
{
	struct evtlog_block_header header = {
		.kind = EVTLOG_BLOCK_BUFFER,
		.sequence = buffer->sequence,
		.begin_ticks = buffer->begin_ticks,
		.end_ticks = buffer->end_ticks,
		.cpu = buffer->cpu,
	};
	struct evtlog_index_entry *entry;
	uint64_t offset = gen->length;

	write_block(gen, header, buffer, buffer->used_bytes, next_way(gen));
	gen->index = one_more(gen->index, gen->entries, sizeof(*gen->index));
	entry = &gen->index[gen->entries++];
	memcpy(&header, gen->file + offset, sizeof(header));
	*entry = (struct evtlog_index_entry) {
		.offset = offset,
		.sequence = buffer->sequence,
		.begin_ticks = buffer->begin_ticks,
		.end_ticks = buffer->end_ticks,
		.cpu = buffer->cpu,
		.flags = buffer->flags,
		.raw_bytes = header.raw_bytes,
		.stored_bytes = header.stored_bytes,
	};
	for (int i = 0; i < EVTLOG_LOST_CAUSES; i++)
		entry->lost += buffer->lost[i];
}

static struct evtlog_clock_set clock_at(struct loggen *gen, unsigned int cpu, uint64_t ticks)
{
	const struct loggen_options *o = &gen->options;
	uint64_t random = gen->options.seed = o->seed * 6364136223846793005u + 1;
	uint32_t late = o->interrupted_ticks && random >> 62 == 1 ? (random >> 16) % o->interrupted_ticks : 0;
	uint32_t before = random >> 61 & 1 ? late : 0, width = o->width_ticks;
	uint64_t since = ticks - cpu * o->skew_ticks - o->boot_ticks;
	uint64_t ns = (uint64_t)((unsigned __int128)since * 1000000000 /
				 o->ticks_hz);

	return (struct evtlog_clock_set) {
		.ticks = ticks - width / 2 - before,
		.width_ticks = width + late,
		.tai_offset_s = 37,
		.raw_ns = o->boot_raw_ns + ns,
		.real_ns = o->boot_real_ns + ns +
			   (o->boot_raw_ns + ns >= o->real_step_raw_ns ? o->real_step_ns : 0),
	};
}

static void open_buffer(struct loggen *gen, unsigned int cpu, uint64_t ticks)
{
	struct cpu_buffer *b = &gen->cpus[cpu];
	struct evtlog_buffer_header *header = (void *)b->memory;

	memset(header, 0, sizeof(*header));
	header->magic = EVTLOG_BUFFER_MAGIC;
	header->abi_version = EVTLOG_ABI_VERSION;
	header->header_bytes = sizeof(*header);
	header->flags = b->sequence ? 0 : EVTLOG_BUFFER_FIRST;
	header->cpu = cpu;
	header->run = gen->options.run;
	header->sequence = b->sequence++;
	header->ticks_hz = gen->options.ticks_hz;
	header->begin_ticks = ticks;
	header->begin = clock_at(gen, cpu, ticks);
	header->begin_pid = gen->options.is_global ? EVTLOG_PID_UNKNOWN : b->pid;
	header->context = b->context;
	memcpy(header->begin_comm, b->comm, sizeof(b->comm));
	boot_id(gen, header->boot_id);
	b->words = sizeof(*header) / 8;
	b->high = ticks >> 32;
	b->opened = true;
}

static void close_buffer(struct loggen *gen, unsigned int cpu, uint64_t ticks,
			 uint32_t flags)
{
	struct cpu_buffer *b = &gen->cpus[cpu];
	struct evtlog_buffer_header *header = (void *)b->memory;

	header->flags |= flags;
	if (gen->options.is_global)
		header->flags |= EVTLOG_BUFFER_NAMED | EVTLOG_BUFFER_GLOBAL;
	if (gen->options.tsc_bad)
		header->flags |= EVTLOG_BUFFER_TSC_BAD;
	if (flags & EVTLOG_BUFFER_FINAL)
		header->cpus_in_run = gen->cpus_in_run;
	header->used_bytes = b->words * 8;
	header->end_ticks = ticks;
	header->end = clock_at(gen, cpu, ticks);
	b->opened = false;
	write_buffer(gen, header);
}

void loggen_running(struct loggen *gen, unsigned int cpu, const char *comm)
{
	struct cpu_buffer *b = &gen->cpus[cpu];

	memset(b->comm, 0, sizeof(b->comm));
	memcpy(b->comm, comm, strnlen(comm, sizeof(b->comm) - 1));
}

void loggen_join(struct loggen *gen, unsigned int cpu, uint64_t begin, uint64_t ticks,
		 uint32_t pid, const char *comm)
{
	struct cpu_buffer *b = &gen->cpus[cpu];
	struct evtlog_buffer_header *header = (void *)b->memory;

	b->pid = pid;
	b->context = 0;
	loggen_running(gen, cpu, comm);
	gen->cpus_in_run += !b->in_run;
	b->in_run = true;
	open_buffer(gen, cpu, ticks);
	/* The upper half of times is relative to this. */
	header->begin_ticks = begin;
	b->high = begin >> 32;
}

void loggen_begin(struct loggen *gen, unsigned int cpu, uint64_t ticks,
		  uint32_t pid, const char *comm)
{
	loggen_join(gen, cpu, ticks, ticks, pid, comm);
}

static void put(struct cpu_buffer *b, uint64_t ticks, unsigned int type,
		uint32_t data)
{
	b->memory[b->words++] = (ticks & UINT32_MAX) |
				(uint64_t)type << EVTLOG_TYPE_SHIFT |
				(uint64_t)data << EVTLOG_DATA_SHIFT;
}

/* Keeps the record that was written last. */
static void keep(struct loggen *gen, unsigned int cpu, uint64_t ticks, unsigned int words)
{
	const struct cpu_buffer *b = &gen->cpus[cpu];

	if (!gen->options.keeps)
		return;
	gen->records = one_more(gen->records, gen->written, sizeof(*gen->records));
	gen->records[gen->written++] = (struct loggen_record) { ticks, cpu, words, gen->word_count };
	for (unsigned int i = 0; i < words; i++) {
		gen->words = one_more(gen->words, gen->word_count, sizeof(*gen->words));
		gen->words[gen->word_count++] = b->memory[b->words - words + i];
	}
}

static void write_record(struct loggen *gen, unsigned int cpu, uint64_t ticks,
			 unsigned int type, uint32_t data, unsigned int words,
			 const uint64_t *more)
{
	struct cpu_buffer *b = &gen->cpus[cpu];

	if ((b->words + words + 2) * 8 > gen->options.buffer_bytes) {
		close_buffer(gen, cpu, ticks, 0);
		open_buffer(gen, cpu, ticks);
		if (gen->options.is_global && type != EVTLOG_ON_CPU)
			write_record(gen, cpu, ticks, EVTLOG_ON_CPU, gen->on_cpu, 2, &gen->on_pid);
	}
	if (ticks >> 32 != b->high) {
		put(b, ticks, EVTLOG_TIME, 0);
		b->memory[b->words++] = ticks;
		b->high = ticks >> 32;
		keep(gen, cpu, ticks, 2);
	}
	put(b, ticks, type, data);
	for (unsigned int i = 1; i < words; i++)
		b->memory[b->words++] = more[i - 1];
	keep(gen, cpu, ticks, words);
}

void loggen_on_cpu(struct loggen *gen, uint64_t ticks, uint32_t cpu, uint32_t pid)
{
	gen->on_cpu = cpu;
	gen->on_pid = pid;
	write_record(gen, 0, ticks, EVTLOG_ON_CPU, cpu, 2, &gen->on_pid);
}

void loggen_record(struct loggen *gen, unsigned int cpu, uint64_t ticks,
		   unsigned int type, uint32_t data, unsigned int words,
		   const uint64_t *more)
{
	struct cpu_buffer *b = &gen->cpus[cpu];

	if (!(gen->options.off >> type & 1))
		write_record(gen, cpu, ticks, type, data, words, more);
	/* Values for the next buffer's header */
	switch (type) {
	case EVTLOG_SCHED_SWITCH:
		b->pid = data & ((1u << EVTLOG_PID_BITS) - 1);
		b->comm[0] = '\0';
		break;
	case EVTLOG_SOFTIRQ_ENTRY:
		b->context |= EVTLOG_CONTEXT_SOFTIRQ;
		break;
	case EVTLOG_SOFTIRQ_EXIT:
		b->context &= ~EVTLOG_CONTEXT_SOFTIRQ;
		break;
	case EVTLOG_IRQ_HANDLER_ENTRY:
	case EVTLOG_LOCAL_TIMER_ENTRY:
		b->context |= EVTLOG_CONTEXT_HARDIRQ;
		break;
	case EVTLOG_IRQ_HANDLER_EXIT:
	case EVTLOG_LOCAL_TIMER_EXIT:
		b->context &= ~EVTLOG_CONTEXT_HARDIRQ;
		break;
	default:
		break;
	}
}

void loggen_registered(struct loggen *gen, unsigned int cpu, uint64_t ticks, unsigned int type,
		       uint32_t id, const void *payload, uint32_t bytes)
{
	uint64_t words[EVTLOG_EVENT_BYTES_MAX / 8] = { 0 };

	if (id > EVTLOG_EVENT_ID_MAX || bytes > EVTLOG_EVENT_BYTES_MAX)
		abort();
	if (bytes)
		memcpy(words, payload, bytes);
	loggen_record(gen, cpu, ticks, type, id | bytes << EVTLOG_EVENT_ID_BITS,
		      1 + (bytes + 7) / 8, words);
}

void loggen_format(struct loggen *gen, unsigned int cpu, uint64_t ticks, uint32_t id,
		   const char *text)
{
	loggen_registered(gen, cpu, ticks, EVTLOG_EVENT_FORMAT, id, text, strlen(text));
}

void loggen_event(struct loggen *gen, unsigned int cpu, uint64_t ticks, uint32_t id,
		  const void *payload, uint32_t bytes)
{
	loggen_registered(gen, cpu, ticks, EVTLOG_EVENT, id, payload, bytes);
}

void loggen_lose(struct loggen *gen, unsigned int cpu, uint64_t from,
		 uint64_t until, uint64_t count, uint32_t pid, uint32_t context)
{
	struct cpu_buffer *b = &gen->cpus[cpu];
	struct evtlog_buffer_header *header = (void *)b->memory;
	uint64_t words[3] = { count, from, until };

	close_buffer(gen, cpu, from, 0);
	b->pid = pid;
	b->context = context;
	open_buffer(gen, cpu, until);
	header->lost[EVTLOG_LOST_FULL] = count;
	loggen_record(gen, cpu, until, EVTLOG_LOST, EVTLOG_LOST_FULL, 4, words);
}

void loggen_context(struct loggen *gen, unsigned int cpu, uint32_t context)
{
	struct evtlog_buffer_header *header = (void *)gen->cpus[cpu].memory;

	header->context = context;
}

void loggen_count_lost(struct loggen *gen, unsigned int cpu, enum evtlog_lost_cause cause,
		       uint64_t count)
{
	struct evtlog_buffer_header *header = (void *)gen->cpus[cpu].memory;

	header->lost[cause] += count;
}

void loggen_flush(struct loggen *gen, unsigned int cpu, uint64_t ticks)
{
	close_buffer(gen, cpu, ticks, EVTLOG_BUFFER_FLUSHED);
}

void loggen_end(struct loggen *gen, unsigned int cpu, uint64_t ticks)
{
	if (!gen->cpus[cpu].opened) {
		gen->cpus[cpu].pid = EVTLOG_PID_UNKNOWN;
		open_buffer(gen, cpu, ticks);
	}
	close_buffer(gen, cpu, ticks,
		     EVTLOG_BUFFER_FLUSHED | EVTLOG_BUFFER_FINAL);
}

void loggen_tasks(struct loggen *gen, uint64_t ticks, const uint64_t *words, size_t count)
{
	struct evtlog_block_header header = {
		.kind = EVTLOG_BLOCK_TASKS,
		.begin_ticks = ticks,
		.end_ticks = ticks,
	};

	write_block(gen, header, words, count * sizeof(*words), false);
}

void loggen_gap(struct loggen *gen, const struct evtlog_gap *gap)
{
	struct evtlog_block_header header = { .kind = EVTLOG_BLOCK_GAP };

	write_block(gen, header, gap, sizeof(*gap), false);
}

void loggen_drop_last_block(struct loggen *gen)
{
	gen->length = gen->offsets[--gen->blocks];
	gen->entries--;
}

void loggen_repeat_last_block(struct loggen *gen)
{
	uint64_t offset = gen->offsets[gen->blocks - 1];
	size_t length = gen->length - offset;
	uint8_t *copy = must(malloc(length));

	memcpy(copy, gen->file + offset, length);
	gen->offsets = one_more(gen->offsets, gen->blocks, sizeof(*gen->offsets));
	gen->offsets[gen->blocks++] = gen->length;
	gen->index = one_more(gen->index, gen->entries, sizeof(*gen->index));
	gen->index[gen->entries] = gen->index[gen->entries - 1];
	gen->index[gen->entries++].offset = gen->length;
	append(gen, copy, length);
	free(copy);
}

void loggen_close(struct loggen *gen)
{
	struct evtlog_block_header header = { .kind = EVTLOG_BLOCK_INDEX };
	struct evtlog_file_trailer trailer = {
		.magic = EVTLOG_TRAILER_MAGIC,
		.index_offset = gen->length,
		.blocks = gen->blocks,
	};

	write_block(gen, header, gen->index,
		    gen->entries * sizeof(*gen->index),
		    gen->options.compress == LOGGEN_DEFLATE ?
		    EVTLOG_BLOCK_DEFLATE : 0);
	trailer.crc32 = crc32(0, (const Bytef *)&trailer, sizeof(trailer));
	append(gen, &trailer, sizeof(trailer));
}

const uint8_t *loggen_bytes(const struct loggen *gen, size_t *length)
{
	*length = gen->length;
	return gen->file;
}

size_t loggen_blocks(const struct loggen *gen, const uint64_t **offsets)
{
	*offsets = gen->offsets;
	return gen->blocks;
}

size_t loggen_written(const struct loggen *gen, const struct loggen_record **records)
{
	*records = gen->records;
	return gen->written;
}

const uint64_t *loggen_words(const struct loggen *gen)
{
	return gen->words;
}

void loggen_comm(uint64_t words[2], const char *comm)
{
	memset(words, 0, 16);
	memcpy(words, comm, strnlen(comm, 16));
}

int loggen_save(const struct loggen *gen, const char *path)
{
	FILE *out = fopen(path, "we");
	int error = 0;

	if (!out)
		return -errno;
	if (fwrite(gen->file, 1, gen->length, out) != gen->length)
		error = -EIO;
	if (fclose(out))
		error = -errno;
	return error;
}
