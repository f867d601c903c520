// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Writes a profile as a JSON object.
 *
 * The keys are those of evtlog profile report --json.
 */
#include <inttypes.h>

#include "internal.h"

/* Length of the UTF-8 character at @s; 0: not well-formed */
static size_t character(const unsigned char *s)
{
	size_t length = *s >= 0xf0 && *s <= 0xf4 ? 4 : *s >= 0xe0 ? 3 : *s >= 0xc2 ? 2 : 0;

	if (*s < 0x80)
		return 1;
	if (*s > 0xf4)
		return 0;
	for (size_t i = 1; i < length; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	}
	if ((*s == 0xe0 && s[1] < 0xa0) || (*s == 0xed && s[1] >= 0xa0) ||
	    (*s == 0xf0 && s[1] < 0x90) || (*s == 0xf4 && s[1] >= 0x90))
		return 0;
	return length;
}

static void put_string(const char *text, FILE *out)
{
	putc('"', out);
	for (const unsigned char *s = (const unsigned char *)text; *s;) {
		size_t length = character(s);

		if (!length)
			profile_put_chars(out, "\\ufffd");
		else if (*s < ' ' || *s == 0x7f)
			profile_put(out, "\\u%04x", *s);
		else if (*s == '"' || *s == '\\')
			profile_put(out, "\\%c", *s);
		else
			fwrite(s, 1, length, out);
		s += length ? length : 1;
	}
	putc('"', out);
}

static void put_about(const struct evtlog_profile_about *about, FILE *out)
{
	static const char *const names[EVTLOG_PROFILE_COSTS] = { "syscall", "other" };

	profile_put(out, "{\n  \"is_on\": %s,\n  \"ticks_hz\": %" PRIu64 ",\n  \"tasks_without\": %" PRIu64 ",\n",
		about->is_on ? "true" : "false", about->ticks_hz, about->tasks_without);
	profile_put(out, "  \"is_difference\": %s,\n  \"is_compensated\": %s,\n", about->is_diff ? "true" : "false",
		about->is_compensated ? "true" : "false");
	if (about->is_compensated)
		profile_put(out, "  \"removed_ticks\": %" PRIu64 ",\n  \"clamped\": %" PRIu64 ",\n",
			about->removed, about->clamped);
	profile_put_chars(out, "  \"costs\": {");
	for (int i = 0; i < EVTLOG_PROFILE_COSTS; i++)
		profile_put(out, "%s\"%s\": {\"inside_milliticks\": %" PRIu64 ", \"outside_milliticks\": %" PRIu64 "}",
			i ? ", " : "", names[i], about->costs[i].inside, about->costs[i].outside);
	profile_put_chars(out, "},\n");
	if (about->rank >= 0)
		profile_put(out, "  \"rank\": %" PRId32 ",\n", about->rank);
}

static void put_values(const struct profile_slot *slot, FILE *out)
{
	if (slot->entry.values)
		profile_put_chars(out, ",\n     \"values\": [");
	for (size_t i = 0; i < slot->entry.values; i++) {
		const struct evtlog_profile_value *value = &slot->values[i];

		profile_put(out, "%s\n      {\"name\": ", i ? "," : "");
		put_string(value->name, out);
		profile_put(out, ", \"count\": %" PRIu64 ", \"sum\": %" PRIu64 ", \"least\": %" PRIu64
			", \"largest\": %" PRIu64 ", \"sum_of_squares\": %" PRIu64 "}", value->count,
			value->sum, value->least, value->largest, value->squares);
	}
	if (slot->entry.values)
		putc(']', out);
}

static void put_entry(const struct profile_slot *slot, FILE *out)
{
	const struct evtlog_profile_entry *entry = &slot->entry;

	if (entry->cpu >= 0) {
		profile_put(out, "{\"cpu\": %" PRId32, entry->cpu);
	} else {
		profile_put(out, "{\"pid\": %" PRIu32 ", \"tgid\": %" PRIu32 ", \"comm\": ", entry->pid,
			entry->tgid);
		put_string(entry->comm, out);
	}
	profile_put(out, ", \"begin_ticks\": %" PRIu64 ", \"end_ticks\": %" PRIu64 ", \"ended\": %" PRIu64
		", \"lifetime_ticks\": %" PRIu64 ", \"unmatched\": %" PRIu64 ", \"ahead_ticks\": %" PRIu64
		",\n     \"paths\": [", entry->begin, entry->end, entry->ended, entry->lifetime,
		entry->unmatched, entry->ahead);
	for (size_t i = 0; i < entry->paths; i++) {
		const struct evtlog_profile_path *path = &slot->paths[i];

		profile_put(out, "%s\n      {\"path\": ", i ? "," : "");
		put_string(path->path, out);
		profile_put(out, ", \"count\": %" PRIu64 ", \"inclusive_ticks\": %" PRIu64
			", \"exclusive_ticks\": %" PRIu64 ", \"largest_ticks\": %" PRIu64 "}",
			path->count, path->inclusive, path->exclusive, path->largest);
	}
	putc(']', out);
	put_values(slot, out);
	putc('}', out);
}

void profile_put_json(const struct evtlog_profile *profile, FILE *out)
{
	put_about(&profile->about, out);
	profile_put_chars(out, "  \"profiles\": [");
	for (size_t i = 0; i < profile->about.entries; i++) {
		profile_put_chars(out, i ? ",\n    " : "\n    ");
		put_entry(&profile->slots[i], out);
	}
	profile_put_chars(out, "\n  ]\n}\n");
}
