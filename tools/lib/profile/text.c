// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Profiles as text, as files of /proc/evtlog/profile have them.
 *
 *	state on|off			and other lines on the whole
 *	ticks_hz HZ
 *	cost CLASS INSIDE OUTSIDE	ticks with three digits behind the point
 *	cpu N BEGIN UNTIL
 *	task PID TGID BORN OFF UNMATCHED AHEAD COMM
 *	ended COUNT LIFETIME UNMATCHED AHEAD [TGID BEGIN COMM]
 *	  PATH COUNT INCLUSIVE EXCLUSIVE LARGEST
 *	value NAME COUNT SUM LEAST LARGEST SQUARES
 *
 * In COMM a newline, a backslash and bytes below a blank are \ and three octal digits.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "lib/profile/comm.h"

static const char *const cost_names[EVTLOG_PROFILE_COSTS] = {
	[EVTLOG_PROFILE_COST_SYSCALL] = "syscall",
	[EVTLOG_PROFILE_COST_OTHER] = "other",
};

/* What is left of a line. */
struct rest {
	const char *at, *end;
};

static bool is_word(struct rest *rest, const char *word)
{
	size_t length = strlen(word);

	if ((size_t)(rest->end - rest->at) < length || memcmp(rest->at, word, length))
		return false;
	if (rest->at + length < rest->end && rest->at[length] != ' ')
		return false;
	rest->at += length;
	return true;
}

static bool take_number(struct rest *rest, uint64_t *number)
{
	const char *first;

	while (rest->at < rest->end && *rest->at == ' ')
		rest->at++;
	*number = 0;
	for (first = rest->at; rest->at < rest->end && *rest->at >= '0' && *rest->at <= '9'; rest->at++) {
		if (__builtin_mul_overflow(*number, 10, number) ||
		    __builtin_add_overflow(*number, *rest->at - '0', number))
			return false;
	}
	return rest->at > first;
}

static bool take_numbers(struct rest *rest, uint64_t **numbers, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!take_number(rest, numbers[i]))
			return false;
		if (rest->at < rest->end && *rest->at != ' ')
			return false;
	}
	return true;
}

/* "12.345" */
static bool take_thousandths(struct rest *rest, uint64_t *number)
{
	unsigned int digits = 0;

	if (!take_number(rest, number) || *number > UINT64_MAX / 1000 - 1)
		return false;
	if (rest->at < rest->end && *rest->at == '.') {
		for (rest->at++; rest->at < rest->end && digits < 3 && *rest->at >= '0' && *rest->at <= '9';
		     rest->at++, digits++)
			*number = *number * 10 + (*rest->at - '0');
	}
	for (; digits < 3; digits++)
		*number *= 10;
	return true;
}

static const char *take_comm(struct evtlog_profile *profile, struct rest *rest)
{
	char comm[256];
	size_t length;

	if (rest->at < rest->end)
		rest->at++;
	length = profile_comm_decode(rest->at, rest->end - rest->at, comm, sizeof(comm));
	return profile_string(profile, comm, length);
}

static int take_u32(struct rest *rest, uint32_t *number, uint32_t most)
{
	uint64_t wide;

	if (!take_number(rest, &wide) || wide > most)
		return -EBADMSG;
	*number = wide;
	return 0;
}

static int parse_cpu(struct evtlog_profile *profile, struct rest *rest)
{
	struct profile_slot *slot = profile_add_entry(profile);
	uint32_t cpu = 0;

	if (!slot)
		return -ENOMEM;
	if (take_u32(rest, &cpu, INT32_MAX) ||
	    !take_numbers(rest, (uint64_t *[]){ &slot->entry.begin, &slot->entry.end }, 2))
		return -EBADMSG;
	slot->entry.cpu = cpu;
	return 0;
}

static int parse_task(struct evtlog_profile *profile, struct rest *rest)
{
	struct profile_slot *slot = profile_add_entry(profile);
	struct evtlog_profile_entry *entry;

	if (!slot)
		return -ENOMEM;
	entry = &slot->entry;
	if (take_u32(rest, &entry->pid, UINT32_MAX) || take_u32(rest, &entry->tgid, UINT32_MAX) ||
	    !take_numbers(rest, (uint64_t *[]){ &entry->begin, &entry->end, &entry->unmatched,
						&entry->ahead }, 4))
		return -EBADMSG;
	entry->comm = take_comm(profile, rest);
	return entry->comm ? 0 : -ENOMEM;
}

static int parse_ended(struct evtlog_profile *profile, struct rest *rest)
{
	struct profile_slot *slot = profile_add_entry(profile);
	struct evtlog_profile_entry *entry;

	if (!slot)
		return -ENOMEM;
	entry = &slot->entry;
	entry->comm = "ended";
	if (!take_numbers(rest, (uint64_t *[]){ &entry->ended, &entry->lifetime, &entry->unmatched,
						&entry->ahead }, 4))
		return -EBADMSG;
	/* Of a family there is no more. */
	if (rest->at == rest->end)
		return 0;
	if (take_u32(rest, &entry->tgid, UINT32_MAX) ||
	    !take_numbers(rest, (uint64_t *[]){ &entry->begin }, 1))
		return -EBADMSG;
	entry->comm = take_comm(profile, rest);
	return entry->comm ? 0 : -ENOMEM;
}

static int parse_path(struct evtlog_profile *profile, struct rest *rest)
{
	struct evtlog_profile_path *path;
	const char *blank;

	while (rest->at < rest->end && *rest->at == ' ')
		rest->at++;
	blank = memchr(rest->at, ' ', rest->end - rest->at);
	if (!blank || blank == rest->at || !profile->about.entries)
		return -EBADMSG;
	path = profile_add_path(&profile->slots[profile->about.entries - 1]);
	if (!path)
		return -ENOMEM;
	path->path = profile_string(profile, rest->at, blank - rest->at);
	if (!path->path) {
		path->path = "";
		return -ENOMEM;
	}
	path->event = profile_event_of(path->path);
	rest->at = blank;
	return take_numbers(rest, (uint64_t *[]){ &path->count, &path->inclusive, &path->exclusive,
						  &path->largest }, 4) ? 0 : -EBADMSG;
}

static int parse_value(struct evtlog_profile *profile, struct rest *rest)
{
	struct evtlog_profile_value *value;
	const char *blank;

	rest->at += rest->at < rest->end;
	blank = memchr(rest->at, ' ', rest->end - rest->at);
	if (!blank || blank == rest->at || !profile->about.entries)
		return -EBADMSG;
	value = profile_add_value(&profile->slots[profile->about.entries - 1]);
	if (!value)
		return -ENOMEM;
	value->name = profile_string(profile, rest->at, blank - rest->at);
	rest->at = blank;
	if (!value->name) {
		value->name = "";
		return -ENOMEM;
	}
	return take_numbers(rest, (uint64_t *[]){ &value->count, &value->sum, &value->least,
						  &value->largest, &value->squares }, 5) ? 0 : -EBADMSG;
}

/* Of newer kernels there may be other classes. */
static int parse_cost(struct evtlog_profile *profile, struct rest *rest)
{
	rest->at += rest->at < rest->end;
	for (int i = 0; i < EVTLOG_PROFILE_COSTS; i++) {
		struct evtlog_profile_costs *costs = &profile->about.costs[i];

		if (is_word(rest, cost_names[i]))
			return take_thousandths(rest, &costs->inside) &&
			       take_thousandths(rest, &costs->outside) ? 0 : -EBADMSG;
	}
	return 0;
}

static int parse_compensated(struct evtlog_profile_about *about, struct rest *rest)
{
	about->is_compensated = true;
	return take_numbers(rest, (uint64_t *[]){ &about->removed, &about->clamped }, 2) ? 0 : -EBADMSG;
}

/* What is of all entries is before the first: a name of a task can't say it. */
static int parse_about(struct evtlog_profile_about *about, struct rest *rest)
{
	uint32_t rank;

	if (is_word(rest, "compensated"))
		return parse_compensated(about, rest);
	if (is_word(rest, "ticks_hz"))
		return take_number(rest, &about->ticks_hz) ? 0 : -EBADMSG;
	if (is_word(rest, "tasks_without"))
		return take_number(rest, &about->tasks_without) ? 0 : -EBADMSG;
	if (is_word(rest, "difference")) {
		about->is_diff = true;
	} else if (is_word(rest, "state")) {
		about->is_on = is_word(rest, " on");
	} else if (is_word(rest, "rank")) {
		if (take_u32(rest, &rank, INT32_MAX))
			return -EBADMSG;
		about->rank = rank;
	}
	/* Lines of newer kernels are skipped. */
	return 0;
}

static int parse_line(struct evtlog_profile *profile, struct rest *rest)
{
	struct evtlog_profile_about *about = &profile->about;

	if (rest->at < rest->end && *rest->at == ' ')
		return parse_path(profile, rest);
	if (is_word(rest, "value"))
		return parse_value(profile, rest);
	if (is_word(rest, "cpu"))
		return parse_cpu(profile, rest);
	if (is_word(rest, "task"))
		return parse_task(profile, rest);
	if (is_word(rest, "ended"))
		return parse_ended(profile, rest);
	if (is_word(rest, "family"))
		return take_numbers(rest, (uint64_t *[]){ &about->members, &about->listed,
							  &about->tasks_without }, 3) ? 0 : -EBADMSG;
	if (about->entries)
		return 0;
	if (is_word(rest, "cost"))
		return parse_cost(profile, rest);
	return parse_about(about, rest);
}

int profile_parse_text(const char *text, size_t length, struct evtlog_profile **profilep,
		       struct evtlog_error *error)
{
	struct evtlog_profile *profile = profile_new();
	const char *end = text + length;
	int status = profile ? 0 : -ENOMEM;

	for (const char *line = text; !status && line < end;) {
		const char *newline = memchr(line, '\n', end - line);
		struct rest rest = { line, newline ? newline : end };

		status = newline ? parse_line(profile, &rest) : -EBADMSG;
		if (status == -EBADMSG)
			profile_refuse(error, status, line - text, newline ?
				       "a line is none of a profile" :
				       "it is cut off: its last line does not end");
		line = rest.end + 1;
	}
	if (status) {
		evtlog_profile_free(profile);
		return status == -ENOMEM ? profile_refuse(error, status, 0, "no memory") : status;
	}
	*profilep = profile;
	return 0;
}

static void put_about(const struct evtlog_profile_about *about, FILE *out)
{
	profile_put(out, "state %s\n", about->is_on ? "on" : "off");
	profile_put(out, "ticks_hz %" PRIu64 "\n", about->ticks_hz);
	profile_put(out, "tasks_without %" PRIu64 "\n", about->tasks_without);
	for (int i = 0; i < EVTLOG_PROFILE_COSTS; i++) {
		const struct evtlog_profile_costs *costs = &about->costs[i];

		profile_put(out, "cost %s %" PRIu64 ".%03" PRIu64 " %" PRIu64 ".%03" PRIu64 "\n",
			cost_names[i], costs->inside / 1000, costs->inside % 1000,
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

void profile_put_text(const struct evtlog_profile *profile, FILE *out)
{
	put_about(&profile->about, out);
	for (size_t i = 0; i < profile->about.entries; i++) {
		const struct profile_slot *slot = &profile->slots[i];

		put_entry(&slot->entry, out);
		for (size_t k = 0; k < slot->entry.paths; k++) {
			const struct evtlog_profile_path *path = &slot->paths[k];

			profile_put(out, "  ");
			profile_put_chars(out, path->path);
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
}
