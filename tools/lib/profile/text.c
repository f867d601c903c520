// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reads profiles as text, in the format of the files in /proc/evtlog/profile.
 *
 *	state on|off			and other lines on the whole profile
 *	version 2			the last line must be "end"; 1 if this line is missing
 *	ticks_hz HZ
 *	cost CLASS INSIDE OUTSIDE	ticks with up to three digits after the point
 *	cpu N BEGIN UNTIL
 *	task PID TGID BORN OFF UNMATCHED AHEAD COMM
 *	ended COUNT LIFETIME UNMATCHED AHEAD [TGID BEGIN COMM]
 *	  PATH COUNT INCLUSIVE EXCLUSIVE LARGEST
 *	  .N REST COUNT ...		version 2: the first N names of the previous path, then REST
 *	value NAME COUNT SUM LEAST LARGEST SQUARES
 *	end
 *
 * In COMM a newline, a backslash and bytes less than a blank are \ and three octal digits.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "lib/base/array.h"
#include "lib/base/key-table.h"

const char *const profile_cost_names[EVTLOG_PROFILE_COSTS] = {
	[EVTLOG_PROFILE_COST_SYSCALL] = "syscall",
	[EVTLOG_PROFILE_COST_OTHER] = "other",
};

/* Largest size of all distinct paths, in full */
#define PATHS_BYTES_MAX	((size_t)1 << 30)

/* The part of a line that is not yet read */
struct rest {
	const char *at, *end;
};

/*
 * @paths:	distinct paths, found with @table
 * @bytes:	sum of the lengths of @paths
 * @text:	buffer for a path that is built from a short line
 */
struct reading {
	struct evtlog_profile *profile;
	uint64_t version;
	bool has_end;
	struct key_table table;
	const char **paths;
	size_t count;
	size_t capacity;
	size_t bytes;
	char *text;
	size_t room;
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
	/* The line of a family ends here. */
	if (rest->at == rest->end)
		return 0;
	if (take_u32(rest, &entry->tgid, UINT32_MAX) ||
	    !take_numbers(rest, (uint64_t *[]){ &entry->begin }, 1))
		return -EBADMSG;
	entry->comm = take_comm(profile, rest);
	return entry->comm ? 0 : -ENOMEM;
}

/* ---- Paths ---- */

static bool is_path(const void *things, uint32_t number, const void *wanted)
{
	const struct reading *reading = things;
	const struct rest *path = wanted;
	size_t length = path->end - path->at;

	return !strncmp(reading->paths[number], path->at, length) && !reading->paths[number][length];
}

/* Keeps each distinct path once, as many tasks may have it. */
static int keep_path(struct reading *reading, struct rest path, const char **keptp)
{
	size_t length = path.end - path.at;
	uint64_t key = key_table_hash(path.at, length);
	const char *kept;
	uint32_t number;

	number = key_table_find_same(&reading->table, key, is_path, reading, &path);
	if (number != KEY_NONE) {
		*keptp = reading->paths[number];
		return 0;
	}
	reading->bytes += length;
	if (reading->bytes > PATHS_BYTES_MAX || reading->count >= KEY_NONE)
		return -EFBIG;
	kept = profile_string(reading->profile, path.at, length);
	if (!kept || array_reserve(&reading->paths, &reading->capacity, reading->count,
				   sizeof(*reading->paths)) ||
	    key_table_add(&reading->table, key, reading->count))
		return -ENOMEM;
	reading->paths[reading->count++] = kept;
	*keptp = kept;
	return 0;
}

/* Length of the first @names names of a path; SIZE_MAX if it has fewer */
static size_t bytes_of_names(const char *path, uint64_t names)
{
	const char *at = path;

	for (uint64_t i = 0; i < names; i++) {
		if (i && *at++ != '>')
			return SIZE_MAX;
		at += strcspn(at, ">");
	}
	return at - path;
}

/* Takes ".N REST", from after the point, and builds the full path. */
static int expand_path(struct reading *reading, const struct profile_slot *slot, struct rest *rest,
		       struct rest *path)
{
	const char *before = slot->entry.paths ? slot->paths[slot->entry.paths - 1].path : NULL;
	size_t common = 0, length;
	const char *blank;
	uint64_t names;

	if (!take_number(rest, &names) || rest->at == rest->end || *rest->at++ != ' ')
		return -EBADMSG;
	blank = memchr(rest->at, ' ', rest->end - rest->at);
	if (names)
		common = before ? bytes_of_names(before, names) : SIZE_MAX;
	if (!blank || blank == rest->at || common == SIZE_MAX)
		return -EBADMSG;
	length = blank - rest->at;
	if (array_reserve_more(&reading->text, &reading->room, 0, common + 1 + length, 1))
		return -ENOMEM;
	if (names) {
		memcpy(reading->text, before, common);
		reading->text[common++] = '>';
	}
	memcpy(reading->text + common, rest->at, length);
	*path = (struct rest) { reading->text, reading->text + common + length };
	rest->at = blank;
	return 0;
}

static int take_path(struct reading *reading, struct rest *rest, const char **keptp)
{
	struct evtlog_profile *profile = reading->profile;
	struct rest path = *rest;
	int error;

	if (!profile->about.entries)
		return -EBADMSG;
	if (reading->version >= 2 && rest->at < rest->end && *rest->at == '.') {
		rest->at++;
		error = expand_path(reading, &profile->slots[profile->about.entries - 1], rest,
				    &path);
		if (error)
			return error;
	} else {
		path.end = memchr(rest->at, ' ', rest->end - rest->at);
		if (!path.end || path.end == path.at)
			return -EBADMSG;
		rest->at = path.end;
	}
	return keep_path(reading, path, keptp);
}

static int parse_path(struct reading *reading, struct rest *rest)
{
	struct evtlog_profile *profile = reading->profile;
	struct evtlog_profile_path *path;
	const char *kept;
	int error;

	while (rest->at < rest->end && *rest->at == ' ')
		rest->at++;
	error = take_path(reading, rest, &kept);
	if (error)
		return error;
	path = profile_add_path(&profile->slots[profile->about.entries - 1]);
	if (!path)
		return -ENOMEM;
	path->path = kept;
	path->event = profile_event_of(kept);
	return take_numbers(rest, (uint64_t *[]){ &path->count, &path->inclusive, &path->exclusive,
						  &path->largest }, 4) ? 0 : -EBADMSG;
}

/* ---- Other lines ---- */

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

/* Newer kernels may have other classes: skip them. */
static int parse_cost(struct evtlog_profile *profile, struct rest *rest)
{
	rest->at += rest->at < rest->end;
	for (int i = 0; i < EVTLOG_PROFILE_COSTS; i++) {
		struct evtlog_profile_costs *costs = &profile->about.costs[i];

		if (is_word(rest, profile_cost_names[i]))
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

/* Only lines before the first entry come here: the name of a task cannot fake such a line. */
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

static int parse_line(struct reading *reading, struct rest *rest)
{
	struct evtlog_profile *profile = reading->profile;
	struct evtlog_profile_about *about = &profile->about;

	if (reading->has_end)
		return -EBADMSG;
	if (rest->at < rest->end && *rest->at == ' ')
		return parse_path(reading, rest);
	if (is_word(rest, "end")) {
		reading->has_end = true;
		return 0;
	}
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
	if (is_word(rest, "version"))
		return take_number(rest, &reading->version) ? 0 : -EBADMSG;
	if (is_word(rest, "cost"))
		return parse_cost(profile, rest);
	return parse_about(about, rest);
}

/* @offset: set to the position of the bad line */
static int parse_lines(struct reading *reading, const char *text, size_t length, size_t *offset)
{
	const char *end = text + length;
	int status = 0;

	for (const char *line = text; !status && line < end;) {
		const char *newline = memchr(line, '\n', end - line);
		struct rest rest = { line, newline ? newline : end };

		*offset = line - text;
		status = newline ? parse_line(reading, &rest) : -ENODATA;
		line = rest.end + 1;
	}
	if (status)
		return status;
	*offset = length;
	return reading->version >= 2 && !reading->has_end ? -ENODATA : 0;
}

int profile_parse_text(const char *text, size_t length, struct evtlog_profile **profilep,
		       struct evtlog_error *error)
{
	struct reading reading = { .profile = profile_new(), .version = 1 };
	size_t offset = 0;
	int status = reading.profile ? parse_lines(&reading, text, length, &offset) : -ENOMEM;

	key_table_free(&reading.table);
	free(reading.paths);
	free(reading.text);
	if (!status) {
		*profilep = reading.profile;
		return 0;
	}
	evtlog_profile_free(reading.profile);
	return profile_refuse(error, status, offset,
			      status == -EBADMSG ? "a line is not valid in a profile" :
			      status == -ENODATA ? "it is truncated: its last line is missing" :
			      strerror(-status));
}
