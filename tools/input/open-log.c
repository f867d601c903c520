// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opens logs for commands, and reports missing data after reading.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/command.h"
#include "common/error.h"
#include "common/json.h"
#include "lib/base/io.h"
#include "open-log.h"

/* libevtlog seeks in the file, so data from a pipe is copied to a temporary file. */
static int spool(int from)
{
	const char *directory = getenv("TMPDIR");
	char buffer[65536];
	ssize_t got;
	int to, error = 0;

	to = open(directory && *directory ? directory : "/tmp",
		  O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (to < 0)
		return -errno;
	while (!error && (got = io_read(from, buffer, sizeof(buffer))) != 0)
		error = got < 0 ? got : io_write(to, buffer, got);
	if (!error)
		return to;
	close(to);
	return error;
}

static int open_stdin(struct evtlog_file **file, struct evtlog_error *error)
{
	int fd = STDIN_FILENO;

	if (lseek(fd, 0, SEEK_CUR) < 0) {
		fd = spool(fd);
		if (fd < 0) {
			strcpy(error->reason, "can't be copied to TMPDIR");
			return fd;
		}
	}
	/* The descriptor stays open until the program ends. */
	return evtlog_open_fd(fd, file, error);
}

struct evtlog_file *log_open(const char *path)
{
	struct evtlog_error error = { 0 };
	struct evtlog_file *file;
	int result;

	if (!strcmp(path, "-"))
		result = open_stdin(&file, &error);
	else
		result = evtlog_open(path, &file, &error);
	if (!result)
		return file;
	if (result == -EBADMSG)
		pr_err("%s: at byte %" PRIu64 ": %s", path, error.offset,
		       error.reason);
	else
		pr_err("%s: %s", path, error.reason);
	return NULL;
}

bool log_is_named(const struct evtlog_file *file)
{
	return evtlog_meta(file, "named_buffer");
}

bool log_is_global(const struct evtlog_file *file)
{
	return log_is_named(file) && !strcmp(evtlog_meta(file, "named_buffer"), "global");
}

uint64_t log_lost(const struct evtlog_file *file)
{
	struct evtlog_summary summary;
	uint64_t lost = 0;

	evtlog_summarize(file, &summary);
	for (int i = 0; i < EVTLOG_LOST_CAUSES; i++)
		lost += summary.lost[i];
	return lost;
}

/* Indexed by enum evtlog_lost_cause: text and JSON key. */
static const char *const causes[][2] = {
	[EVTLOG_LOST_FULL] = { "no buffer free", "full" },
	[EVTLOG_LOST_NMI] = { "in NMIs", "nmi" },
	[EVTLOG_LOST_NESTED] = { "nested", "nested" },
	[EVTLOG_LOST_LARGE] = { "too large", "large" },
};

#define CAUSES	(sizeof(causes) / sizeof(causes[0]))

const char *log_cause_name(unsigned int cause)
{
	return cause < CAUSES ? causes[cause][1] : NULL;
}

void log_print_causes(const struct evtlog_file *file)
{
	struct evtlog_summary summary;

	if (!log_lost(file))
		return;
	evtlog_summarize(file, &summary);
	for (size_t i = 0; i < CAUSES; i++) {
		/* Rare: only modules that record too much at once lose these. */
		if (i == EVTLOG_LOST_LARGE && !summary.lost[i])
			continue;
		printf("%s%s %" PRIu64, i ? ", " : " (", causes[i][0], summary.lost[i]);
	}
	putchar(')');
}

void log_causes_json(const struct evtlog_file *file, struct json *json)
{
	struct evtlog_summary summary;

	evtlog_summarize(file, &summary);
	json_object(json, "lost_by_cause");
	for (size_t i = 0; i < CAUSES; i++)
		if (i != EVTLOG_LOST_LARGE || summary.lost[i])
			json_u64(json, causes[i][1], summary.lost[i]);
	json_end(json);
}

uint64_t log_damages(const struct evtlog_file *file)
{
	uint64_t count = evtlog_damage_count(file);
	const struct evtlog_damage *damage;

	for (size_t i = 0; (damage = evtlog_damage(file, i)); i++)
		count -= damage->kind == EVTLOG_DAMAGE_INDEX;
	return count;
}

struct evtlog_file *log_open_events(const char *path)
{
	struct evtlog_file *file = log_open(path);

	if (!file || log_has_events(file))
		return file;
	log_refuse(file, path);
	evtlog_close(file);
	return NULL;
}

bool log_has_events(const struct evtlog_file *file)
{
	const struct evtlog_damage *damage;
	struct evtlog_summary summary;
	uint64_t gone = 0;

	evtlog_summarize(file, &summary);
	for (size_t i = 0; (damage = evtlog_damage(file, i)); i++)
		if (damage->kind == EVTLOG_DAMAGE_PAYLOAD || damage->kind == EVTLOG_DAMAGE_BUFFER)
			gone += damage->buffers;
	return evtlog_cpu_count(file) && summary.buffers && gone < summary.buffers;
}

int log_refuse(const struct evtlog_file *file, const char *path)
{
	uint64_t damages = log_damages(file);

	if (damages)
		pr_err("%s: no readable event: %" PRIu64 " place%s damaged or missing; 'evtlog check' lists them; copy or gather the file again",
		       path, damages, damages == 1 ? " is" : "s are");
	else
		pr_err("%s: no event in the file: it is truncated after its header, or its run just started; copy or gather it again",
		       path);
	return EXIT_FAILED;
}

/* Valid only after all CPUs were read to the end. */
static bool is_cut(const struct evtlog_file *file)
{
	unsigned int cpus = evtlog_cpu_count(file);
	struct evtlog_summary summary;

	evtlog_summarize(file, &summary);
	return summary.cut_cpus || !cpus || summary.cpus_in_run > cpus;
}

struct log_lacks log_lacks_of(const struct evtlog_file *file)
{
	return (struct log_lacks) {
		.lost = log_lost(file),
		.damages = log_damages(file),
		.is_cut = is_cut(file),
	};
}

struct log_lacks log_lacks_of_index(const struct evtlog_index *index)
{
	const struct evtlog_index_lacks *lacks = evtlog_index_lacks(index);

	return (struct log_lacks) {
		.lost = lacks->lost,
		.damages = lacks->damages,
		.is_cut = lacks->cut,
	};
}

int log_report_lacks(const struct log_lacks *lacks, const char *path)
{
	uint64_t lost = lacks->lost, damages = lacks->damages;

	if (lost)
		pr_warn("%s: %" PRIu64 " event%s lost during recording", path, lost,
			lost == 1 ? " was" : "s were");
	if (damages)
		pr_warn("%s: %" PRIu64 " place%s damaged or missing; 'evtlog check' lists them",
			path, damages, damages == 1 ? " is" : "s are");
	if (lacks->is_cut)
		pr_warn("%s: the end of the run is missing: the host or logger stopped, or it is still recording",
			path);
	return lost || damages || lacks->is_cut ? EXIT_EVENTS_LOST : EXIT_OK;
}

int log_verdict(const struct evtlog_file *file, const char *path)
{
	struct log_lacks lacks;

	if (!log_has_events(file))
		return log_refuse(file, path);
	lacks = log_lacks_of(file);
	return log_report_lacks(&lacks, path);
}

void log_warn_of_steps(const struct evtlog_file *file, const char *path)
{
	uint64_t begin_ns = evtlog_begin_ns(file);
	struct evtlog_real_step step;

	for (size_t i = 0; evtlog_real_step(file, i, &step); i++)
		pr_warn("%s: warning: CLOCK_REALTIME was set by %+.6f s between %.6f and %.6f s after the start; dates of events in between can be wrong by that much",
			path, step.step_ns / 1e9, ((double)step.before_ns - begin_ns) / 1e9,
			((double)step.after_ns - begin_ns) / 1e9);
}

int log_each(char **args, int count, bool apart,
	     int (*one)(const char *path, void *context), void *context)
{
	int worst;
	char **paths;
	size_t paths_count;

	worst = paths_expand(args, count, &paths, &paths_count);
	for (size_t i = 0; i < paths_count; i++) {
		int result = one(paths[i], context);

		if (apart && i + 1 < paths_count)
			putchar('\n');
		if (result == EXIT_FAILED || worst == EXIT_OK)
			worst = result;
	}
	paths_free(paths, paths_count);
	return worst;
}

/* ---- Files for the arguments of a command ---- */

static int add_path(char ***paths, size_t *count, const char *directory,
		    const char *name)
{
	char **grown = reallocarray(*paths, *count + 1, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	*paths = grown;
	if (!directory)
		grown[*count] = strdup(name);
	else if (asprintf(&grown[*count], "%s/%s", directory, name) < 0)
		grown[*count] = NULL;
	if (!grown[*count])
		return -ENOMEM;
	(*count)++;
	return 0;
}

static int is_log(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return entry->d_name[0] != '.' && length > 4 &&
	       !strcmp(entry->d_name + length - 4, ".evl");
}

static int add_directory(char ***paths, size_t *count, const char *directory)
{
	size_t before = *count;
	struct dirent **entries;
	int found, error = 0;

	found = scandir(directory, &entries, is_log, alphasort);
	if (found < 0) {
		pr_err("%s: %s", directory, strerror(errno));
		return EXIT_FAILED;
	}
	for (int i = 0; i < found; i++) {
		if (!error)
			error = add_path(paths, count, directory,
					 entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	if (error)
		pr_err("%s: %s", directory, strerror(-error));
	else if (*count == before)
		pr_err("%s: no *.evl file in it", directory);
	return error || *count == before ? EXIT_FAILED : EXIT_OK;
}

int paths_expand(char **args, int count, char ***pathsp, size_t *countp)
{
	int status = EXIT_OK;

	*pathsp = NULL;
	*countp = 0;
	for (int i = 0; i < count && status == EXIT_OK; i++) {
		struct stat stat_of;

		if (!stat(args[i], &stat_of) && S_ISDIR(stat_of.st_mode)) {
			status = add_directory(pathsp, countp, args[i]);
		} else if (add_path(pathsp, countp, NULL, args[i])) {
			pr_err("%s: %s", args[i], strerror(ENOMEM));
			status = EXIT_FAILED;
		}
	}
	if (status != EXIT_OK) {
		paths_free(*pathsp, *countp);
		*pathsp = NULL;
		*countp = 0;
	}
	return status;
}

void paths_free(char **paths, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(paths[i]);
	free(paths);
}
