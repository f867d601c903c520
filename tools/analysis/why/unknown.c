// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the log does not show of a wait, the cause and the remedy.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "input/types.h"
#include "why.h"

const char *const why_unknown_names[] = {
	[UNKNOWN_BEGIN] = "begin",
	[UNKNOWN_END] = "end",
	[UNKNOWN_LOSS] = "loss",
	[UNKNOWN_WAKING] = "wake-up",
	[UNKNOWN_CONTEXT] = "interrupt",
	[UNKNOWN_MOVES] = "cpu",
	[UNKNOWN_IRQ] = "meanwhile",
};

static const struct evtlog_file *file_of(const struct why *why)
{
	return why->logs->set.files[why->wait.log].file;
}

static uint64_t types_of(enum why_unknown unknown)
{
	switch (unknown) {
	case UNKNOWN_WAKING:
		return types_bit(EVTLOG_SCHED_WAKING);
	case UNKNOWN_MOVES:
		return types_bit(EVTLOG_SCHED_MIGRATE_TASK);
	case UNKNOWN_CONTEXT:
	case UNKNOWN_IRQ:
		return TYPES_SOFTIRQ | TYPES_IRQ;
	default:
		return 0;
	}
}

/* Types that were not recorded, or not all because of a filter */
static uint64_t off(const struct why *why, enum why_unknown unknown)
{
	return types_that_are(file_of(why), types_of(unknown), EVTLOG_RECORDED_OFF);
}

static bool is_end_lost(const struct why *why)
{
	return !why->wait.runs && why->loss_count;
}

uint32_t why_unknown_of(const struct why *why)
{
	const struct why_wait *wait = &why->wait;
	bool was_blocked = wait->state != TEXT_UNKNOWN;
	bool is[UNKNOWNS] = {
		[UNKNOWN_BEGIN] = wait->begin_unknown,
		[UNKNOWN_END] = !wait->runs && !is_end_lost(why),
		[UNKNOWN_LOSS] = why->loss_count,
		[UNKNOWN_WAKING] = was_blocked && wait->runs && !why->wake.known,
		[UNKNOWN_CONTEXT] = why->wake.doubtful,
		[UNKNOWN_MOVES] = wait->ready &&
				  (why->meanwhile.doubtful || off(why, UNKNOWN_MOVES)),
		[UNKNOWN_IRQ] = wait->ready && off(why, UNKNOWN_IRQ),
	};
	uint32_t bits = 0;

	for (unsigned int i = 0; i < UNKNOWNS; i++)
		bits |= (uint32_t)is[i] << i;
	return bits;
}

static void put_off(const struct why *why, enum why_unknown unknown, FILE *out)
{
	uint64_t types = off(why, unknown);
	char *text = types_text(file_of(why), types);

	fprintf(out, "not recorded: %s%s", text ? text : "?",
		types_filtered(file_of(why), types) ? TYPES_FILTERED_HINT :
						      "; record them, too: --events=+NAME,+NAME");
	free(text);
}

static void put_losses(const struct why *why, FILE *out)
{
	int64_t begin = why_begin(why->logs);

	for (size_t i = 0; i < why->loss_count; i++) {
		const struct why_loss *loss = &why->losses[i];
		struct dictionary_text cause = dictionary_text(&why->logs->dictionary, loss->cause);

		fprintf(out, "%sCPU %d: %.*s", i ? "; " : "", (int)loss->cpu, (int)cause.length,
			cause.bytes);
		if (loss->lost)
			fprintf(out, " %" PRId64 " records", loss->lost);
		if (loss->buffers)
			fprintf(out, " %" PRId64 " buffers", loss->buffers);
		fprintf(out, " from %.9f to %.9f s", (loss->from - begin) / 1e9,
			(loss->to - begin) / 1e9);
	}
}

void why_unknown_put(const struct why *why, enum why_unknown unknown, FILE *out)
{
	switch (unknown) {
	case UNKNOWN_BEGIN:
		fprintf(out, "when the wait began: the log does not show what the task did before; start the record earlier, or avoid losses with larger buffers (--buffers xKIB)");
		return;
	case UNKNOWN_END:
		fprintf(out, "when the wait ended: the log ends before; record for longer");
		return;
	case UNKNOWN_LOSS:
		fprintf(out, "what happened on CPUs without records (");
		put_losses(why, out);
		fprintf(out, "); record with more or larger buffers (--buffers NxKIB)");
		return;
	case UNKNOWN_WAKING:
		fprintf(out, "when the task was woken, and by what: ");
		if (off(why, unknown))
			put_off(why, unknown, out);
		else
			fprintf(out, "the log has no wake-up of it; record all tasks, without filters");
		return;
	case UNKNOWN_CONTEXT:
		fprintf(out, "which interrupt woke the task: ");
		if (off(why, unknown))
			put_off(why, unknown, out);
		else
			fprintf(out, "none, or several, are recorded at this time; see evtlog dump");
		return;
	case UNKNOWN_MOVES:
		if (why->meanwhile.doubtful)
			fprintf(out, "for which CPU the task waited, and what ran there: ");
		else
			fprintf(out, "whether the task waited only for the CPU on which it ran before and after: ");
		if (off(why, unknown))
			put_off(why, unknown, out);
		else
			fprintf(out, "its recorded moves do not fit the CPU on which it ran; record all tasks, without filters");
		return;
	case UNKNOWN_IRQ:
		fprintf(out, "the share of some interrupts, which counts as that of tasks: ");
		put_off(why, unknown, out);
		return;
	case UNKNOWNS:
		return;
	}
}
