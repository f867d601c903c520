// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads /proc/evtlog/profile/all.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "control/control.h"
#include "profile/profile.h"

/* Room for one more; NULL: no memory. */
static void *grow(void *at, size_t count, size_t *capacity, size_t size)
{
	void *larger;

	if (count < *capacity)
		return at;
	larger = reallocarray(at, *capacity ? 2 * *capacity : 16, size);
	if (larger)
		*capacity = *capacity ? 2 * *capacity : 16;
	return larger;
}

static struct profile_entry *new_entry(struct profile *profile)
{
	struct profile_entry *at = grow(profile->at, profile->count, &profile->capacity,
					sizeof(*at));

	if (!at)
		return NULL;
	profile->at = at;
	at += profile->count++;
	*at = (struct profile_entry){ .cpu = -1 };
	return at;
}

int profile_append(struct profile *profile, const struct profile_entry *entry)
{
	struct profile_entry *at = new_entry(profile);

	if (!at)
		return -ENOMEM;
	*at = *entry;
	return 0;
}

static int add_cpu(struct profile *profile, const char *line)
{
	struct profile_entry *entry = new_entry(profile);

	if (!entry)
		return -ENOMEM;
	return sscanf(line, "cpu %d %" SCNu64 " %" SCNu64, &entry->cpu, &entry->begin,
		      &entry->end) == 3 ? 0 : -EINVAL;
}

static int add_task(struct profile *profile, char *line)
{
	struct profile_entry *entry = new_entry(profile);
	int at = 0;

	if (!entry)
		return -ENOMEM;
	if (sscanf(line, "task %d %d %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 "%n",
		   &entry->pid, &entry->tgid, &entry->begin, &entry->end, &entry->unmatched,
		   &entry->ahead, &at) != 6 || line[at] != ' ')
		return -EINVAL;
	profile_unescape(line + at + 1);
	entry->comm = line + at + 1;
	return 0;
}

/* A task that can't be read, and its paths, are left out: all others are as good as before. */
static int add_task_or_skip(struct profile *profile, char *line)
{
	size_t count = profile->count;
	int error = add_task(profile, line);

	profile->skips = error == -EINVAL;
	profile->skipped += profile->skips;
	if (profile->skips)
		profile->count = count;
	return profile->skips ? 0 : error;
}

static int add_ended(struct profile *profile, const char *line)
{
	struct profile_entry *entry = new_entry(profile);

	if (!entry)
		return -ENOMEM;
	entry->comm = "ended";
	return sscanf(line, "ended %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64, &entry->ended,
		      &entry->lifetime, &entry->unmatched, &entry->ahead) == 4 ? 0 : -EINVAL;
}

static struct profile_path *new_path(struct profile_entry *entry)
{
	struct profile_path *at = grow(entry->at, entry->count, &entry->capacity, sizeof(*at));

	if (!at)
		return NULL;
	entry->at = at;
	at += entry->count++;
	*at = (struct profile_path){ 0 };
	return at;
}

static int add_path(struct profile *profile, char *line)
{
	struct profile_path *path;
	char *end;

	if (profile->skips)
		return 0;
	if (!profile->count)
		return -EINVAL;
	path = new_path(&profile->at[profile->count - 1]);
	if (!path)
		return -ENOMEM;
	path->path = line + strspn(line, " ");
	end = strchr(path->path, ' ');
	if (!end)
		return -EINVAL;
	*end++ = '\0';
	path->event = strrchr(path->path, '>');
	path->event = path->event ? path->event + 1 : path->path;
	return sscanf(end, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64, &path->count,
		      &path->inclusive, &path->exclusive, &path->largest) == 4 ? 0 : -EINVAL;
}

static int add_value(struct profile *profile, const char *line)
{
	if (profile->skips)
		return 0;
	return profile->count ?
	       profile_values_parse(&profile->at[profile->count - 1].values, line) : -EINVAL;
}

/* Of a file of EVTLOG_PROFILE_FILE. */
static int parse_region_line(struct profile *profile, const char *line)
{
	if (!strncmp(line, "rank ", 5))
		return sscanf(line + 5, "%d", &profile->rank) == 1 ? 0 : -EINVAL;
	if (!strncmp(line, "regions_missed ", 15))
		return sscanf(line + 15, "%" SCNu64, &profile->regions_missed) == 1 ? 0 : -EINVAL;
	if (!strncmp(line, "threads_missed ", 15))
		return sscanf(line + 15, "%" SCNu64, &profile->threads_missed) == 1 ? 0 : -EINVAL;
	/* Lines of newer kernels are skipped. */
	return 0;
}

/* What is of all entries is before the first. */
static int parse_head(struct profile *profile, const char *line)
{
	if (!strcmp(line, "state on"))
		profile->is_on = true;
	for (size_t i = 0; !strncmp(line, "cost ", 5) && i < PROFILE_COSTS; i++) {
		if (!profile->costs[i]) {
			profile->costs[i] = line;
			break;
		}
	}
	if (!strncmp(line, "ticks_hz ", 9) && sscanf(line + 9, "%" SCNu64, &profile->hz) != 1)
		return -EINVAL;
	return parse_region_line(profile, line);
}

static int parse_line(struct profile *profile, char *line)
{
	if (*line == ' ')
		return add_path(profile, line);
	if (!strncmp(line, "task ", 5))
		return add_task_or_skip(profile, line);
	if (!strncmp(line, "value ", 6))
		return add_value(profile, line);
	profile->skips = false;
	if (!strncmp(line, "cpu ", 4))
		return add_cpu(profile, line);
	if (!strncmp(line, "ended ", 6))
		return add_ended(profile, line);
	if (!strncmp(line, "family ", 7))
		return sscanf(line, "family %d %d %d", &profile->members, &profile->listed,
			      &profile->without) == 3 ? 0 : -EINVAL;
	return profile->count ? 0 : parse_head(profile, line);
}

static bool has_task(const struct profile *profile)
{
	for (size_t i = 0; i < profile->count; i++) {
		if (profile->at[i].cpu < 0)
			return true;
	}
	return false;
}

int profile_parse(struct profile *profile, char *text)
{
	char *at = text, *line;
	int error = 0;

	*profile = (struct profile){ .text = text, .rank = -1 };
	while (!error && (line = strsep(&at, "\n")))
		error = parse_line(profile, line);
	if (!error && profile->skipped && !has_task(profile))
		error = -EINVAL;
	for (size_t i = 0; !error && i < profile->count; i++)
		profile_entry_finish(&profile->at[i]);
	if (!error && profile->skipped)
		pr_warn("%zu tasks are left out: their lines are none of a profile",
			profile->skipped);
	if (error)
		profile_free(profile);
	return error;
}

int profile_read(struct profile *profile)
{
	char *text;
	int error = control_read(PROFILE_FILE, &text);

	return error ? error : profile_parse(profile, text);
}

void profile_entry_free(struct profile_entry *entry)
{
	free(entry->at);
	free(entry->own);
	*entry = (struct profile_entry){ .cpu = -1 };
}

void profile_free(struct profile *profile)
{
	for (size_t i = 0; i < profile->count; i++)
		profile_entry_free(&profile->at[i]);
	free(profile->at);
	free(profile->text);
	*profile = (struct profile){ 0 };
}

static bool is_within_itself(const struct profile_path *path)
{
	size_t length = strlen(path->event);

	for (const char *at = path->path; at < path->event; at = strchr(at, '>') + 1) {
		if (!strncmp(at, path->event, length) && at[length] == '>')
			return true;
	}
	return false;
}

static struct profile_path *find_event(struct profile_entry *flat, const char *event)
{
	for (size_t i = 0; i < flat->count; i++) {
		if (!strcmp(flat->at[i].event, event))
			return &flat->at[i];
	}
	return NULL;
}

static int compare(const void *a, const void *b)
{
	const struct profile_path *one = a, *two = b;

	if (one->exclusive != two->exclusive)
		return one->exclusive < two->exclusive ? 1 : -1;
	return strcmp(one->path, two->path);
}

int profile_flatten(const struct profile_entry *entry, struct profile_entry *flat)
{
	*flat = *entry;
	flat->at = NULL;
	flat->own = NULL;
	flat->count = flat->capacity = 0;
	for (size_t i = 0; i < entry->count; i++) {
		const struct profile_path *path = &entry->at[i];
		struct profile_path *sum = find_event(flat, path->event);

		if (!sum) {
			sum = new_path(flat);
			if (!sum) {
				profile_entry_free(flat);
				return -ENOMEM;
			}
			sum->path = (char *)path->event;
			sum->event = path->event;
		}
		sum->count += path->count;
		sum->exclusive += path->exclusive;
		if (!is_within_itself(path))
			sum->inclusive += path->inclusive;
		if (path->largest > sum->largest)
			sum->largest = path->largest;
	}
	qsort(flat->at, flat->count, sizeof(*flat->at), compare);
	return 0;
}
