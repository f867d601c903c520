// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes the files of periods, and removes the oldest files.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/command.h"
#include "common/error.h"
#include "common/json.h"
#include "lib/base/array.h"
#include "profile/period-file.h"
#include "profile/profile.h"

static const char *suffix(const struct period_files *files, const char *prefix)
{
	if (files->form == PERIOD_JSON)
		return "json";
	return files->form == PERIOD_RAW && !strcmp(prefix, "profile") ? "profile" : "txt";
}

static void print_json(FILE *out, const struct evtlog_profile *profile, double begin, double end,
		       uint64_t lost)
{
	struct json json;

	json_start(&json, out, false);
	json_object(&json, NULL);
	json_double(&json, "begin", begin, 6);
	json_double(&json, "end", end, 6);
	json_u64(&json, "ticks_hz", profile->about.ticks_hz);
	json_u64(&json, "ended_lost", lost);
	profile_print_json_compensated(&json, &profile->about);
	json_array(&json, "profiles");
	for (size_t i = 0; i < profile->about.entries; i++)
		profile_print_json(&json, &profile->slots[i]);
	json_end(&json);
	json_end(&json);
}

static int print_text(FILE *out, const struct evtlog_profile *profile, double begin, double end,
		      uint64_t lost)
{
	uint64_t hz = profile->about.ticks_hz;
	int error = 0;

	fprintf(out, "from %.6f to %.6f, %" PRIu64 " profiles of ended tasks lost\n", begin, end,
		lost);
	profile_print_compensated(out, &profile->about, hz);
	for (size_t i = 0; i < profile->about.entries && !error; i++) {
		const struct profile_slot *slot = &profile->slots[i];

		fprintf(out, "\n%s", slot->entry.ended && slot->entry.pid ? "ended: " : "");
		error = profile_print(out, slot, PROFILE_FLAT, hz);
	}
	return error;
}

/* Writes the format that evtlog profile report and evtlog_profile_load() read. */
static int print_raw(FILE *out, const struct evtlog_profile *profile)
{
	if (fflush(out))
		return -errno;
	return evtlog_profile_write(profile, EVTLOG_PROFILE_TEXT, fileno(out));
}

/* "profile-20261123T120000.000Z.txt": only files with such a name may be removed. */
static bool is_period_file(const char *name, const char *prefix, const char *end)
{
	static const char form[] = "-00000000T000000.000Z.";

	if (strncmp(name, prefix, strlen(prefix)))
		return false;
	name += strlen(prefix);
	for (const char *at = form; *at; at++, name++) {
		if (*at == '0' ? !isdigit((unsigned char)*name) : *name != *at)
			return false;
	}
	return !strcmp(name, end);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static char **list(const struct period_files *files, const char *prefix, DIR *directory,
		   size_t *count)
{
	size_t capacity = 0;
	char **names = NULL;
	struct dirent *entry;

	while ((entry = readdir(directory))) {
		if (!is_period_file(entry->d_name, prefix, suffix(files, prefix)))
			continue;
		if (array_reserve(&names, &capacity, *count, sizeof(*names)) ||
		    !(names[*count] = strdup(entry->d_name)))
			break;
		++*count;
	}
	return names;
}

static void remove_oldest(const struct period_files *files, const char *prefix)
{
	DIR *directory = files->keep ? opendir(files->directory) : NULL;
	size_t count = 0;
	char **names;

	if (!directory)
		return;
	names = list(files, prefix, directory, &count);
	if (count)
		qsort(names, count, sizeof(*names), by_name);
	for (size_t i = 0; i < count; i++) {
		if (i + files->keep < count)
			unlinkat(dirfd(directory), names[i], 0);
		free(names[i]);
	}
	free(names);
	closedir(directory);
}

int period_file_open(struct period_file *file, const struct period_files *files,
		     const char *prefix, double end)
{
	time_t second = end;
	struct tm utc;
	char name[32];

	strftime(name, sizeof(name), "%Y%m%dT%H%M%S", gmtime_r(&second, &utc));
	file->prefix = prefix;
	if (asprintf(&file->path, "%s/%s-%s.%03dZ.%s", files->directory, prefix, name,
		     (int)((end - second) * 1000), suffix(files, prefix)) < 0)
		return -ENOMEM;
	if (atomic_file_open(&file->file, file->path) == EXIT_OK)
		return 0;
	free(file->path);
	return -EIO;
}

int period_file_close(struct period_file *file, const struct period_files *files, int error)
{
	int result = atomic_file_close(&file->file, error);

	free(file->path);
	remove_oldest(files, file->prefix);
	return result == EXIT_OK ? 0 : -EIO;
}

int period_file_write(const struct period_files *files, const struct evtlog_profile *profile,
		      double begin, double end, uint64_t lost)
{
	struct period_file file;
	int error = period_file_open(&file, files, "profile", end);

	if (error)
		return error;
	if (files->form == PERIOD_JSON)
		print_json(file.file.out, profile, begin, end, lost);
	else if (files->form == PERIOD_RAW)
		error = print_raw(file.file.out, profile);
	else
		error = print_text(file.file.out, profile, begin, end, lost);
	return period_file_close(&file, files, error);
}
