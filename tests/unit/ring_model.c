// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The expected behaviour of a ring, as simple as possible
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ring_model.h"

#define HEADER_BYTES	256
#define TIME_WORDS	2
#define LOST_WORDS	4

static void die(const char *what)
{
	fprintf(stderr, "model: %s\n", what);
	abort();
}

void model_init(struct model *m, u32 nr_buffers, u32 buffer_words)
{
	memset(m, 0, sizeof(*m));
	m->nr_buffers = nr_buffers;
	m->buffer_words = buffer_words;
	m->full_end = &m->full;
}

static void buffer_free(struct model_buffer *b)
{
	if (b)
		free(b->record);
	free(b);
}

void model_finalise(struct model *m)
{
	while (m->full)
		model_release(m);
	buffer_free(m->current);
	buffer_free(m->final);
}

void model_clock_was_read(struct model *m, const struct evtlog_clock_set *set)
{
	if (m->nr_clocks == MODEL_CLOCKS)
		die("more readings of the clock than anything needs");
	m->clock[m->nr_clocks++] = (struct model_clock){ *set, m->nmis };
}

static struct model_clock take_clock(struct model *m)
{
	struct model_clock first = m->clock[0];

	if (!m->nr_clocks)
		die("the ring should have read the clocks and did not");
	m->nr_clocks--;
	memmove(m->clock, m->clock + 1, m->nr_clocks * sizeof(first));
	return first;
}

static void add(struct model_buffer *b, struct model_record record)
{
	if (b->nr_records == b->room_records) {
		b->room_records = b->room_records ? 2 * b->room_records : 16;
		b->record = realloc(b->record,
				    b->room_records * sizeof(*b->record));
		if (!b->record)
			die("out of memory");
	}
	b->record[b->nr_records++] = record;
	b->used_words += record.words;
	b->upper = record.ticks >> 32;
}

static bool a_buffer_is_free(const struct model *m)
{
	return m->nr_full + !!m->current + !!m->final < m->nr_buffers;
}

static void open_buffer(struct model *m, const struct model_clock *clock)
{
	struct model_buffer *b = calloc(1, sizeof(*b));

	if (!b)
		die("out of memory");
	b->run = m->run;
	b->flags = m->sequence ? 0 : EVTLOG_BUFFER_FIRST;
	b->sequence = m->sequence++;
	b->begin = clock->set;
	b->upper = clock->set.ticks >> 32;
	if (m->gap_count) {
		add(b, (struct model_record){
			.type = EVTLOG_LOST, .words = LOST_WORDS,
			.ticks = clock->set.ticks, .count = m->gap_count,
			.first = m->gap_first, .last = m->gap_last });
		b->lost_full = m->gap_count;
		m->gap_count = 0;
	}
	m->current = b;
}

static struct model_buffer *close_buffer(struct model *m, u32 flags,
					 const struct model_clock *clock,
					 u64 nmis)
{
	struct model_buffer *b = m->current;

	b->flags |= flags;
	b->end = clock->set;
	b->lost_nmi = nmis - m->nmis_told;
	m->nmis_told = nmis;
	m->total_nmi += b->lost_nmi;
	m->total_bytes += HEADER_BYTES + 8 * b->used_words;
	m->total_buffers++;
	m->current = NULL;
	return b;
}

static void hand_over(struct model *m, struct model_buffer *b)
{
	*m->full_end = b;
	m->full_end = &b->next;
	m->nr_full++;
	m->handed_over++;
}

static bool fits(const struct model *m, u32 words)
{
	return m->current && m->current->used_words + words <= m->buffer_words;
}

void model_arm(struct model *m, u64 run, u64 nmis_before)
{
	if (!m->in_run || m->run != run) {
		m->run = run;
		m->sequence = 0;
		m->gap_count = 0;
		m->nmis_told = nmis_before;
		m->total_full = m->total_nmi = 0;
		m->total_bytes = m->total_buffers = 0;
	}
	m->in_run = true;
	m->recording = true;
}

void model_begin(struct model *m, u64 run, u64 nmis_before)
{
	struct model_clock clock;

	model_arm(m, run, nmis_before);
	if (!a_buffer_is_free(m))
		return;
	clock = take_clock(m);
	open_buffer(m, &clock);
	m->current->context_known = true;
}

/* Returns true if the record is written, at @ticks; false if it is lost. */
bool model_write(struct model *m, u32 type, u32 words, u64 serial, u64 ticks)
{
	struct model_buffer *b = m->current;
	struct model_clock clock;
	u32 time_words;

	if (!m->recording)
		return false;
	time_words = b && b->upper != ticks >> 32 ? TIME_WORDS : 0;
	if (!fits(m, words + time_words)) {
		if (b || a_buffer_is_free(m)) {
			clock = take_clock(m);
			if (b)
				hand_over(m, close_buffer(m, 0, &clock,
							  clock.nmis));
			if (a_buffer_is_free(m)) {
				open_buffer(m, &clock);
				m->current->context_known = true;
			}
		}
		/* A new buffer must have room for a time, needed or not. */
		if (!fits(m, words + TIME_WORDS)) {
			if (!m->gap_count++)
				m->gap_first = ticks;
			m->gap_last = ticks;
			m->total_full++;
			return false;
		}
		b = m->current;
	}
	if (b->upper != ticks >> 32)
		add(b, (struct model_record){ .type = EVTLOG_TIME,
			.words = TIME_WORDS, .ticks = ticks });
	add(b, (struct model_record){ .type = type, .words = words,
		.serial = serial, .ticks = ticks });
	return true;
}

void model_flush(struct model *m)
{
	struct model_clock clock;

	m->recording = false;
	if (!m->current)
		return;
	clock = take_clock(m);
	hand_over(m, close_buffer(m, EVTLOG_BUFFER_FLUSHED, &clock,
				  clock.nmis));
}

void model_end(struct model *m)
{
	if (!m->in_run)
		return;
	m->recording = false;
	m->stop = take_clock(m);
	/* Losses must be recorded: after the records, in one more buffer. */
	if (m->current && m->gap_count)
		hand_over(m, close_buffer(m, EVTLOG_BUFFER_FLUSHED, &m->stop,
					  m->stop.nmis));
	if (m->current)
		m->final = close_buffer(m, EVTLOG_BUFFER_FLUSHED |
					EVTLOG_BUFFER_FINAL, &m->stop,
					m->stop.nmis);
	else
		m->final_due = true;
	m->nmis_at_end = m->nmis;
}

void model_finish(struct model *m, u32 cpus_in_run)
{
	if (!m->in_run)
		return;
	if (m->final_due) {
		if (!a_buffer_is_free(m))
			return;
		m->final_due = false;
		open_buffer(m, &m->stop);
		m->final = close_buffer(m, EVTLOG_BUFFER_FLUSHED |
					EVTLOG_BUFFER_FINAL, &m->stop,
					m->nmis_at_end);
	}
	m->final->cpus_in_run = cpus_in_run;
	m->in_run = false;
	hand_over(m, m->final);
	m->final = NULL;
}

void model_release(struct model *m)
{
	struct model_buffer *b = m->full;

	m->full = b->next;
	if (!m->full)
		m->full_end = &m->full;
	m->nr_full--;
	buffer_free(b);
}

u64 model_lost_nmis(const struct model *m)
{
	return m->total_nmi + (m->current ? m->nmis - m->nmis_told : 0);
}

/* Without a buffer, the loss will be recorded at the start of the next one. */
struct evtlog_position model_position(const struct model *m)
{
	if (!m->recording)
		return (struct evtlog_position){ 0 };
	return (struct evtlog_position){
		.run = m->run,
		.sequence = m->current ? m->current->sequence : m->sequence,
		.offset = HEADER_BYTES + (m->current ? 8 * m->current->used_words : 0),
	};
}
