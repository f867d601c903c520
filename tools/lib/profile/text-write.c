// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Writes profiles as text: for the format, see text.c.
 */
#include <inttypes.h>

#include "internal.h"

static void put_about(const struct evtlog_profile_about *about, FILE *out)
{
	profile_put(out, "state %s\n", about->is_on ? "on" : "off");
	profile_put_chars(out, "version 2\n");
	profile_put(out, "ticks_hz %" PRIu64 "\n", about->ticks_hz);
	profile_put(out, "tasks_without %" PRIu64 "\n", about->tasks_without);
	for (int i = 0; i < EVTLOG_PROFILE_COSTS; i++) {
		const struct evtlog_profile_costs *costs = &about->costs[i];

		profile_put(out, "cost %s %" PRIu64 ".%03" PRIu64 " %" PRIu64 ".%03" PRIu64 "\n",
			profile_cost_names[i], costs->inside / 1000, costs->inside % 1000,
			costs->outside / 1000, costs->outside % 1000);
	}
	if (about->is_diff)
		profile_put_chars(out, "difference\n");
	if (about->is_compensated)
		profile_put(out, "compensated %" PRIu64 " %" PRIu64 "\n", about->removed, about->clamped);
	if (about->members || about->listed)
		profile_put(out, "family %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", about->members,
			about->listed, about->tasks_without);
	if (about->rank >= 0)
		profile_put(out, "rank %" PRId32 "\n", about->rank);
}

static void put_comm(const char *comm, FILE *out)
{
	for (; *comm; comm++) {
		if ((unsigned char)*comm < ' ' || *comm == '\\')
			profile_put(out, "\\%03o", (unsigned char)*comm);
		else
			putc(*comm, out);
	}
}

static void put_entry(const struct evtlog_profile_entry *entry, FILE *out)
{
	if (entry->cpu >= 0) {
		profile_put(out, "cpu %" PRId32 " %" PRIu64 " %" PRIu64 "\n", entry->cpu, entry->begin,
			entry->end);
		return;
	}
	if (profile_is_sum(entry)) {
		profile_put(out, "ended %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64, entry->ended,
			entry->lifetime, entry->unmatched, entry->ahead);
		if (entry->tgid) {
			profile_put(out, " %" PRIu32 " %" PRIu64 " ", entry->tgid, entry->begin);
			put_comm(entry->comm, out);
		}
		putc('\n', out);
		return;
	}
	profile_put(out, "task %" PRIu32 " %" PRIu32 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " ",
		entry->pid, entry->tgid, entry->begin, entry->end, entry->unmatched, entry->ahead);
	put_comm(entry->comm, out);
	putc('\n', out);
}

/* Counts equal first names, without the last name of @path. @bytes: their length in @path */
static unsigned int common_names(const char *before, const char *path, size_t *bytes)
{
	unsigned int names = 0;
	size_t at = 0;

	for (; path[at] && (path[at] == before[at] || !before[at]); at++) {
		if (path[at] == '>') {
			names++;
			*bytes = at + 1;
		}
		if (!before[at])
			break;
	}
	return names;
}

/* @before: the previous path; NULL for the first path */
static void put_path(const char *before, const char *path, FILE *out)
{
	size_t common = 0;
	unsigned int names = before ? common_names(before, path, &common) : 0;

	if (!path[common])
		common = names = 0;
	/* A path that begins with '.' would be read as a short line: write it as ".0". */
	if (names || *path == '.')
		profile_put(out, ".%u ", names);
	profile_put_chars(out, path + common);
}

void profile_put_text(const struct evtlog_profile *profile, FILE *out)
{
	put_about(&profile->about, out);
	for (size_t i = 0; i < profile->about.entries; i++) {
		const struct profile_slot *slot = &profile->slots[i];

		put_entry(&slot->entry, out);
		for (size_t k = 0; k < slot->entry.paths; k++) {
			const struct evtlog_profile_path *path = &slot->paths[k];

			profile_put(out, "  ");
			put_path(k ? path[-1].path : NULL, path->path, out);
			profile_put(out, " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", path->count,
				    path->inclusive, path->exclusive, path->largest);
		}
		for (size_t k = 0; k < slot->entry.values; k++) {
			const struct evtlog_profile_value *value = &slot->values[k];

			profile_put(out, "value ");
			profile_put_chars(out, value->name);
			profile_put(out, " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
				    value->count, value->sum, value->least, value->largest, value->squares);
		}
	}
	profile_put_chars(out, "end\n");
}
