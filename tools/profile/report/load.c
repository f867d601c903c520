// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads profiles for reports, from the kernel or from files.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/error.h"
#include "control/control.h"
#include "control/file.h"
#include "profile/report/report.h"
#include "profile/subcommands.h"

static bool begins_right(const char *text)
{
	return !strncmp(text, "state ", 6) || !strncmp(text, "ticks_hz ", 9);
}

/* Number after "\nregions_missed " or a similar word in a program's file; 0 if it is not there */
static uint64_t number_in(const char *text, const char *word)
{
	const char *line = strstr(text, word);

	return line ? strtoull(line + strlen(word), NULL, 10) : 0;
}

/* Warns of regions and threads that are missing from a program's file. */
static void warn_of_losses(const char *path, const struct evtlog_profile *profile,
			   uint64_t regions_missed, uint64_t threads_missed)
{
	uint64_t unmatched = 0;

	for (size_t i = 0; i < profile->about.entries; i++)
		unmatched += profile->slots[i].entry.unmatched;
	if (regions_missed)
		pr_warn("%s: regions without a time of their own: %" PRIu64 "; their time is counted in their outer regions; a thread has space for 8192 regions, nested 256 deep: use fewer",
			path, regions_missed);
	if (threads_missed)
		pr_warn("%s: threads without regions: %" PRIu64 "; there was no memory, or there were more than 16384 threads",
			path, threads_missed);
	if (unmatched)
		pr_warn("%s: ends of regions that had not begun: %" PRIu64 "; they were ignored; each end needs a begin in the same thread",
			path, unmatched);
}

static bool has_no_place(const char *event)
{
	return !strcmp(event, "rest") || !strcmp(event, "waiting") || !strcmp(event, "group:other") ||
	       !strcmp(event, "group:waiting");
}

/* Warns if more than 1 % of a task's time had no place in the kernel's profile of the task. */
static void warn_of_rest(const char *path, const struct evtlog_profile *profile)
{
	for (size_t i = 0; i < profile->about.entries; i++) {
		const struct profile_slot *slot = &profile->slots[i];
		uint64_t all = 0, rest = 0;

		for (size_t k = 0; k < slot->entry.paths; k++) {
			all += slot->paths[k].exclusive;
			if (has_no_place(slot->paths[k].event))
				rest += slot->paths[k].exclusive;
		}
		if (rest > all / 100)
			pr_warn("%s: %s-%d: %.1f %% of the time had no space in the kernel's profile of the task; it is counted as rest, other or waiting: choose fewer groups",
				path, slot->entry.comm, slot->entry.pid, rest * 100.0 / all);
	}
}

static int read_file(struct evtlog_profile **profilep, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), error;
	uint64_t regions_missed, threads_missed, limited;
	bool is_program;
	size_t bytes;
	char *text;

	error = fd < 0 ? -errno : control_file_read(fd, &text, &bytes);
	if (fd >= 0)
		close(fd);
	if (error) {
		pr_err("%s: %s", path, strerror(-error));
		return EXIT_FAILED;
	}
	if (strlen(text) != bytes || !begins_right(text)) {
		pr_err("%s: is not a profile; give a file of EVTLOG_PROFILE_FILE, or a copy of "
		       CONTROL_DIRECTORY "/" PROFILE_FILE ", or the word live", path);
		free(text);
		return EXIT_FAILED;
	}
	if (!strstr(text, "\nversion "))
		pr_info("%s: evtlog before 0.12 wrote this profile without a mark at its end, so that it may be truncated",
			path);
	limited = number_in(text, "\nthreads_without_page ");
	if (limited)
		pr_warn("%s: threads whose waits and system calls count as user mode: %" PRIu64 "; the kernel had no page for them, because the user's locked memory is limited: raise ulimit -l to a page for each thread",
			path, limited);
	else if (strstr(text, "\nkernel no\n"))
		pr_warn("%s: the kernel kept no profile of the program, so all time is counted as user mode; run evtlog profile start first; if the kernel's file profile/control contains 'self off', write 'self on' to it",
			path);
	is_program = !strncmp(text, "ticks_hz ", 9) && strstr(text, "\nregions_missed ");
	regions_missed = number_in(text, "\nregions_missed ");
	threads_missed = number_in(text, "\nthreads_missed ");
	error = profile_parse(profilep, text);
	if (!error && is_program)
		warn_of_losses(path, *profilep, regions_missed, threads_missed);
	if (error == -ENODATA) {
		pr_err("%s: is truncated; copy it again, or run the program again", path);
	} else if (error == -EINVAL) {
		pr_err("%s: has a line that is not valid in a profile; write the file again", path);
	} else if (error) {
		pr_err("%s: %s", path, strerror(-error));
	} else if (!(*profilep)->about.ticks_hz) {
		pr_err("%s: has no line ticks_hz, so its times are unknown; insert that line of " CONTROL_DIRECTORY "/status as its first line",
		       path);
		evtlog_profile_free(*profilep);
		error = -EINVAL;
	}
	return error ? EXIT_FAILED : EXIT_OK;
}

int report_add_or_say(struct report *report, const char *path, const struct report_choice *choice)
{
	bool is_live = !strcmp(path, "live");
	struct evtlog_profile *profile;
	int result, error;

	result = is_live ? profile_read_live(&profile, choice->cpus ? 0 : choice->pid) :
			   read_file(&profile, path);
	if (result)
		return result;
	/* Choose first, to subtract and report only the cost in these entries. */
	profile_choose(profile, choice->cpus, choice->pid);
	if (choice->compensate && profile_compensate_or_say(profile) != EXIT_OK) {
		evtlog_profile_free(profile);
		return EXIT_FAILED;
	}
	if (!choice->cpus)
		warn_of_rest(path, profile);
	error = report_add(report, profile);
	if (error == -ELOOP)
		pr_err("%s: has a path of more than %d events; it is not a profile", path,
		       REPORT_DEPTH_MAX);
	else if (error)
		pr_err("%s: %s", path, strerror(-error));
	return error ? EXIT_FAILED : EXIT_OK;
}
