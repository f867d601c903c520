// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Compares each buffer of the ring with the model's buffer
 */
#include <string.h>

#include "ring.h"

#include "expect.h"
#include "ring_judge.h"
#include "ring_read.h"

#define RUNS_KEPT	256

struct judge_seen judge_seen;
bool judge_ticks_trusted;

/* The counts of a run: by its writers and its readers */
struct account {
	u64 run, issued, nmis_before, read, told_lost, header_lost, header_nmi;
};
static struct account account[RUNS_KEPT];

static struct account *account_of(u64 run)
{
	return &account[run % RUNS_KEPT];
}

void judge_run_begins(u64 run, u64 nmis)
{
	*account_of(run) = (struct account){ .run = run, .nmis_before = nmis };
}

void judge_attempt(u64 run)
{
	account_of(run)->issued++;
}

static bool same_clock(const struct evtlog_clock_set *a,
		       const struct evtlog_clock_set *b)
{
	return !memcmp(a, b, sizeof(*a));
}

static void check_record(const struct record *got, const struct model_record *wanted)
{
	u32 i;

	expect_equal(got->type, wanted->type);
	expect_equal(got->words, wanted->words);
	expect_equal(got->ticks, wanted->ticks);
	switch (wanted->type) {
	case EVTLOG_TIME:
		expect_equal(got->data, 0);
		expect_equal(got->word[1], wanted->ticks);
		judge_seen.times++;
		return;
	case EVTLOG_LOST:
		expect_equal(got->data, EVTLOG_LOST_FULL);
		expect_equal(got->word[1], wanted->count);
		expect_equal(got->word[2], wanted->first);
		expect_equal(got->word[3], wanted->last);
		expect(wanted->first <= wanted->last);
		expect(wanted->last <= got->ticks);
		judge_seen.losses++;
		judge_seen.lost += wanted->count;
		return;
	}
	expect_equal(got->data, judge_data(wanted->type, wanted->serial, wanted->words));
	for (i = 1; i < got->words; i++)
		expect_equal(got->word[i], judge_payload(wanted->serial, i));
	judge_seen.records++;
	judge_seen.events += got->type == EVTLOG_EVENT;
	judge_seen.largest += got->words == RECORD_EVENT_WORDS;
}

static void check_header(const struct evtlog_buffer_header *h,
			 const struct model_buffer *b)
{
	const u64 no_reserved[1] = { 0 };

	expect_equal(h->flags, b->flags | (judge_ticks_trusted ? 0 : EVTLOG_BUFFER_TSC_BAD));
	expect_equal(h->cpu, JUDGE_CPU);
	expect_equal(h->used_bytes, sizeof(*h) + 8 * b->used_words);
	expect_equal(h->run, b->run);
	expect_equal(h->sequence, b->sequence);
	expect_equal(h->ticks_hz, JUDGE_TICKS_HZ);
	expect_equal(h->lost[EVTLOG_LOST_FULL], b->lost_full);
	expect_equal(h->lost[EVTLOG_LOST_NMI], b->lost_nmi);
	expect_equal(h->lost[2], 0);
	expect_equal(h->lost[3], 0);
	expect(same_clock(&h->begin, &b->begin));
	expect(same_clock(&h->end, &b->end));
	expect_equal(h->begin_pid, b->context_known ?
		     judge_begin_pid(b->sequence) : EVTLOG_PID_UNKNOWN);
	expect_equal(h->cpus_in_run, b->cpus_in_run);
	expect(!memcmp(h->boot_id, evtlog_boot_id, sizeof(h->boot_id)));
	expect(!memcmp(h->reserved, no_reserved, sizeof(no_reserved)));
}

static void settle_account(const struct account *a, u64 nmis)
{
	expect_equal(a->read + a->told_lost, a->issued);
	expect_equal(a->header_lost, a->told_lost);
	expect(a->header_nmi <= nmis - a->nmis_before);
	judge_seen.finals++;
}

void judge_buffer(const struct evtlog_buffer_header *h, u32 bytes,
		  const struct model_buffer *b, u64 nmis)
{
	struct account *a = account_of(h->run);
	struct reading reading;
	struct record record;
	const char *wrong;
	u64 before = h->begin_ticks;
	u32 i;

	wrong = reading_begin(&reading, h, bytes);
	if (wrong)
		fail("a header's %s", wrong);
	check_header(h, b);
	for (i = 0; reading_next(&reading, &record) > 0; i++) {
		expect(i < b->nr_records);
		check_record(&record, &b->record[i]);
		expect(record.ticks >= before && record.ticks <= h->end_ticks);
		before = record.ticks;
		if (record.type == EVTLOG_LOST)
			a->told_lost += record.word[1];
		else if (record.type != EVTLOG_TIME)
			a->read++;
	}
	expect(reading.at == reading.end);
	expect_equal(i, b->nr_records);

	expect_equal(a->run, h->run);
	a->header_lost += h->lost[EVTLOG_LOST_FULL];
	a->header_nmi += h->lost[EVTLOG_LOST_NMI];
	if (h->flags & EVTLOG_BUFFER_FINAL)
		settle_account(a, nmis);
	judge_seen.buffers++;
}
