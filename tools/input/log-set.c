// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opens the files of several hosts and puts them on one timeline.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "common/command.h"
#include "common/error.h"
#include "common/hostlist.h"
#include "common/spelling.h"
#include "log-set.h"
#include "open-log.h"
#include "types.h"

/* A message names at most this many hosts. */
#define NAMED_MAX	8

/* ---- Opening ---- */

/* Each file needs a descriptor while it is read; a few more are needed for other purposes. */
static int raise_limit(size_t count)
{
	struct rlimit limit;
	rlim_t need = count + 32;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= need)
		return EXIT_OK;
	if (limit.rlim_max < need) {
		pr_err("%zu files: this process may open only %llu; raise the hard limit ('ulimit -Hn'), or name fewer files",
		       count, (unsigned long long)limit.rlim_max);
		return EXIT_FAILED;
	}
	limit.rlim_cur = need;
	if (setrlimit(RLIMIT_NOFILE, &limit)) {
		pr_err("%zu files: the limit of open files can't be raised: %s",
		       count, strerror(errno));
		return EXIT_FAILED;
	}
	return EXIT_OK;
}

static const char *host_of(const struct log_set_file *file)
{
	const char *name = evtlog_meta(file->file, "host");

	return name ? name : "";
}

static int compare_files(const void *x, const void *y)
{
	const struct log_set_file *a = x, *b = y;
	int order = strcmp(host_of(a), host_of(b));

	if (!order)
		order = memcmp(evtlog_boot_id(a->file), evtlog_boot_id(b->file), 16);
	if (order)
		return order;
	return (evtlog_run(a->file) > evtlog_run(b->file)) -
	       (evtlog_run(a->file) < evtlog_run(b->file));
}

static bool same_boot(const struct log_set_file *a, const struct log_set_file *b)
{
	return !memcmp(evtlog_boot_id(a->file), evtlog_boot_id(b->file), 16);
}

static const char *run_name(const struct log_set_file *file)
{
	const char *name = evtlog_meta(file->file, "run_name");

	return name ? name : "";
}

#define RUN_TEXT	24

/* Prefers the run's name: its number may differ between hosts. */
static const char *run_text(const struct log_set_file *file, char number[RUN_TEXT])
{
	if (*run_name(file))
		return run_name(file);
	snprintf(number, RUN_TEXT, "%" PRIu64, evtlog_run(file->file));
	return number;
}

void log_set_choose(struct log_set_options *options, const char *text)
{
	options->any_run = !strcmp(text, "*");
	options->run = options->any_run ? NULL : text;
}

/* Compares adjacent files.  Returns EXIT_OK, or EXIT_FAILED after printing the conflict. */
static int refuse_pair(const struct log_set_file *a, const struct log_set_file *b,
		       const struct log_set_options *opts)
{
	bool one_run = !strcmp(run_name(a), run_name(b)) && *run_name(a);

	if (strcmp(host_of(a), host_of(b)) ||
	    (!same_boot(a, b) && (one_run || opts->any_run)))
		return EXIT_OK;
	if (opts->quiet)
		return EXIT_FAILED;
	if (same_boot(a, b) && log_is_named(a->file) != log_is_named(b->file))
		pr_err("%s and %s: one is of a run and the other of a named buffer of %s; name only files of runs, or only files of named buffers",
		       a->path, b->path, host_of(a));
	else if (same_boot(a, b) && evtlog_run(a->file) == evtlog_run(b->file))
		pr_err("%s and %s: both are run %" PRIu64 " of %s; name it once",
		       a->path, b->path, evtlog_run(a->file), host_of(a));
	else if (same_boot(a, b) && one_run)
		pr_err("%s and %s: runs %" PRIu64 " and %" PRIu64
		       " of %s are both named %s; name only one of these files",
		       a->path, b->path, evtlog_run(a->file), evtlog_run(b->file),
		       host_of(a), run_name(a));
	else if (same_boot(a, b))
		pr_err("%s and %s: runs %" PRIu64 " and %" PRIu64
		       " of %s; name the files of one run%s",
		       a->path, b->path, evtlog_run(a->file), evtlog_run(b->file),
		       host_of(a), opts->chooses ? ", or choose it with --run" : "");
	else
		pr_err("%s and %s: %s was rebooted between these runs, which have no common name; name the files of one run",
		       a->path, b->path, host_of(a));
	return EXIT_FAILED;
}

/* Runs with different names are different runs. */
static int refuse_names(const struct logs *logs, const struct log_set_options *opts)
{
	const struct log_set_file *first = NULL;

	for (size_t i = 0; i < logs->count; i++) {
		const struct log_set_file *file = &logs->files[i];

		if (!*run_name(file))
			continue;
		if (!first)
			first = file;
		if (!strcmp(run_name(first), run_name(file)))
			continue;
		if (!opts->quiet)
			pr_err("%s and %s: of different runs, %s and %s; name the files of one run%s (evtlog dump --run '*' merges them anyway)",
			       first->path, file->path, run_name(first), run_name(file),
			       opts->chooses ? ", or choose it with --run" : "");
		return EXIT_FAILED;
	}
	return EXIT_OK;
}

/* Start of the run, by the real-time clock as set at the end of the run. */
static int64_t real_begin_ns(const struct evtlog_file *file)
{
	int64_t ns = evtlog_real_ns(file, evtlog_begin_ns(file));
	struct evtlog_real_step step;

	for (size_t i = 0; evtlog_real_step(file, i, &step); i++)
		ns += step.step_ns;
	return ns;
}

static int compare_begins(const void *x, const void *y)
{
	const struct log_set_file *a = *(const struct log_set_file *const *)x;
	const struct log_set_file *b = *(const struct log_set_file *const *)y;
	int64_t a_ns = real_begin_ns(a->file), b_ns = real_begin_ns(b->file);

	return (a_ns > b_ns) - (a_ns < b_ns);
}

/*
 * The hosts of a run record at the same time: between the first start and the last end, at least
 * one host records at any time.  A host that stopped early and a host that started late need not
 * overlap, if other hosts recorded in between.
 */
static int refuse_times(const struct logs *logs, const struct log_set_options *opts)
{
	const struct log_set_file **sorted, *last = NULL;
	int64_t last_ns = INT64_MIN;
	int status = EXIT_OK;
	size_t count = 0;

	sorted = calloc(logs->count + 1, sizeof(*sorted));
	if (!sorted) {
		pr_err("%s", strerror(ENOMEM));
		return EXIT_FAILED;
	}
	for (size_t i = 0; i < logs->count; i++)
		if (evtlog_cpu_count(logs->files[i].file))
			sorted[count++] = &logs->files[i];
	qsort(sorted, count, sizeof(*sorted), compare_begins);
	for (size_t i = 0; i < count && status == EXIT_OK; i++) {
		struct evtlog_file *file = sorted[i]->file;
		int64_t begin_ns = real_begin_ns(file);
		int64_t end_ns = evtlog_real_ns(file, evtlog_end_ns(file));

		if (last && begin_ns > last_ns) {
			if (!opts->quiet)
				pr_err("%s and %s: of different runs: %s ended %.3f s before %s started; name the files of one run%s, or record the hosts at the same time, as 'evtlog remote start' does (if the real-time clocks are wrong, evtlog dump --run '*' merges them)",
				       last->path, sorted[i]->path, last->path,
				       ((double)begin_ns - (double)last_ns) / 1e9,
				       sorted[i]->path,
				       opts->chooses ? ", or choose it with --run" : "");
			status = EXIT_FAILED;
		}
		if (!last || end_ns > last_ns) {
			last = sorted[i];
			last_ns = end_ns;
		}
	}
	free(sorted);
	return status;
}

/* Refuses files that cannot be one run of several hosts. */
static int refuse(const struct logs *logs, const struct log_set_options *opts)
{
	int status = EXIT_OK;

	for (size_t i = 1; i < logs->count && status == EXIT_OK; i++)
		status = refuse_pair(&logs->files[i - 1], &logs->files[i], opts);
	if (status == EXIT_OK && !opts->any_run)
		status = refuse_names(logs, opts);
	return status;
}

/* Uses the host's name.  If the host was rebooted within the run, adds a part of the boot ID. */
static int name_files(struct logs *logs)
{
	for (size_t i = 0; i < logs->count; i++) {
		struct log_set_file *file = &logs->files[i];
		const uint8_t *id = evtlog_boot_id(file->file);
		bool again = (i && !strcmp(host_of(file), host_of(file - 1))) ||
			     (i + 1 < logs->count &&
			      !strcmp(host_of(file), host_of(file + 1)));
		const char *name = *host_of(file) ? host_of(file) : "?";
		int length;

		if (again)
			length = asprintf(&file->name, "%s@%02x%02x", name, id[0],
					  id[1]);
		else
			length = asprintf(&file->name, "%s", name);
		if (length < 0) {
			file->name = NULL;
			return -ENOMEM;
		}
		file->clock_number = i;
		if (i && same_boot(file - 1, file))
			file->clock_number = file[-1].clock_number;
	}
	return 0;
}

/* @runs: collects the runs of skipped files, if a run was selected */
static int open_one(struct logs *logs, const char *path, struct offer *runs)
{
	struct log_set_file *file = &logs->files[logs->count];
	char number[RUN_TEXT];

	file->file = log_open(path);
	if (!file->file)
		return EXIT_FAILED;
	if (runs->wanted && strcmp(runs->wanted, run_text(file, number))) {
		int error = offer_add(runs, run_text(file, number));

		evtlog_close(file->file);
		file->file = NULL;
		if (error)
			pr_err("%s: %s", path, strerror(-error));
		return error ? EXIT_FAILED : EXIT_OK;
	}
	logs->count++;
	file->path = strdup(path);
	if (file->path)
		return EXIT_OK;
	pr_err("%s: %s", path, strerror(ENOMEM));
	return EXIT_FAILED;
}

/* Prints the files without readable events, and so without packets.  Returns their number. */
static size_t say_unreadable(const struct logs *logs)
{
	size_t count = 0;

	for (size_t i = 0; i < logs->count; i++) {
		if (log_has_events(logs->files[i].file))
			continue;
		log_refuse(logs->files[i].file, logs->files[i].path);
		count++;
	}
	return count;
}

/* Accepts files without readable events if at least one file has some. */
static bool any_events(const struct logs *logs)
{
	for (size_t i = 0; i < logs->count; i++)
		if (log_has_events(logs->files[i].file))
			return true;
	say_unreadable(logs);
	return false;
}

static int open_all(struct logs *logs, char **paths, size_t count,
		    const struct log_set_options *opts)
{
	struct progress progress;
	int status = raise_limit(count);
	struct offer runs;

	offer_start(&runs, opts->run);

	progress_begin(&progress, "open", count);
	for (size_t i = 0; i < count && status == EXIT_OK; i++) {
		status = open_one(logs, paths[i], &runs);
		progress_update(&progress, i);
	}
	progress_end(&progress);
	if (status == EXIT_OK && logs->count && !any_events(logs))
		status = EXIT_FAILED;
	if (status == EXIT_OK && !logs->count)
		status = offer_misuse(&runs, "dump", "--run", "no file is of that run");
	offer_free(&runs);
	return status;
}

int log_set_open(struct logs *logs, char **paths, size_t count,
		 const struct log_set_options *opts)
{
	int status;

	memset(logs, 0, sizeof(*logs));
	logs->files = calloc(count + 1, sizeof(*logs->files));
	logs->handles = calloc(count + 1, sizeof(*logs->handles));
	if (!logs->files || !logs->handles) {
		pr_err("%s", strerror(ENOMEM));
		status = EXIT_FAILED;
		goto fail;
	}
	status = open_all(logs, paths, count, opts);
	if (status != EXIT_OK)
		goto fail;
	qsort(logs->files, logs->count, sizeof(*logs->files),
	      compare_files);
	for (size_t i = 0; i < logs->count; i++)
		logs->handles[i] = logs->files[i].file;
	status = refuse(logs, opts);
	if (status == EXIT_OK && name_files(logs)) {
		pr_err("%s", strerror(ENOMEM));
		status = EXIT_FAILED;
	}
	for (size_t i = 0; i < logs->count && status == EXIT_OK && !opts->quiet; i++)
		log_warn_of_steps(logs->files[i].file, logs->files[i].path);
	if (status == EXIT_OK)
		return EXIT_OK;
fail:
	log_set_close(logs);
	return status;
}

void log_set_close(struct logs *logs)
{
	evtlog_clocksync_free(logs->hosts);
	for (size_t i = 0; i < logs->count; i++) {
		evtlog_close(logs->files[i].file);
		free(logs->files[i].path);
		free(logs->files[i].name);
	}
	free(logs->files);
	free(logs->handles);
	memset(logs, 0, sizeof(*logs));
}

int log_set_refuse_hosts(const struct logs *logs, const char *command, const char *hosts)
{
	const char **names = calloc(logs->count + 1, sizeof(*names));
	char *folded = NULL;
	int status;

	for (size_t i = 0; names && i < logs->count; i++)
		names[i] = logs->files[i].name;
	if (names)
		folded = fold_hosts(names, logs->count);
	status = misuse(command, "--host: %s: no file is of such a host; hosts: %s", hosts,
			folded ? folded : "others");
	free(folded);
	free(names);
	return status;
}

/* ---- Clocks ---- */

static void say_unrecorded(const struct logs *logs)
{
	uint64_t icmp = types_bit(EVTLOG_ICMP_RX) | types_bit(EVTLOG_ICMP_TX);
	const char *name = NULL;
	size_t count = 0;

	for (size_t i = 0; i < logs->count; i++) {
		if (!types_that_are(logs->files[i].file, icmp, EVTLOG_RECORDED_OFF))
			continue;
		name = name ? name : logs->files[i].name;
		count++;
	}
	if (count)
		pr_err("%s%s did not record pings: also record the types of group icmp, for example with --events=+icmp",
		       name, count > 1 ? " and others" : "");
}

/* Prints the hosts without a related clock, and the remedy.  Returns their number. */
static size_t say_unrelated(const struct logs *logs)
{
	size_t count = 0;
	uint64_t foreign = 0;
	char names[512] = "";

	for (size_t i = 0; i < logs->count; i++) {
		const struct evtlog_host_clock *clock;
		size_t length = strlen(names);

		clock = evtlog_clocksync_clock(logs->hosts, i);
		if (clock->method != EVTLOG_CLOCK_NONE)
			continue;
		foreign += clock->foreign;
		if (count < NAMED_MAX)
			snprintf(names + length, sizeof(names) - length, "%s%s",
				 count ? ", " : "", logs->files[i].name);
		count++;
	}
	if (count > NAMED_MAX)
		strcpy(names + strlen(names), ", ...");
	if (count && say_unreadable(logs))
		return count;
	if (count)
		pr_err("%s: no packets relate %s to that of %s: let the nodes ping each other while they record (sync_peers in logd.conf), or trust their real-time clocks with --assume-ntp",
		       names, count > 1 ? "their clocks" : "its clock",
		       logs->files[evtlog_clocksync_reference(logs->hosts)].name);
	if (count)
		say_unrecorded(logs);
	if (count && foreign)
		pr_err("%" PRIu64 " of their packets are of other network namespaces, where addresses need not be unique: 'evtlog dump --netns' uses them anyway",
		       foreign);
	return count;
}

/* If true, the hosts recorded at the same time, even if their real-time clocks differ. */
static bool packets_relate_all(const struct logs *logs)
{
	for (size_t i = 0; i < logs->count; i++) {
		enum evtlog_clock_method method = evtlog_clocksync_clock(logs->hosts, i)->method;

		if (method != EVTLOG_CLOCK_PACKETS && method != EVTLOG_CLOCK_REFERENCE)
			return false;
	}
	return true;
}

static void say_disproved(const struct logs *logs)
{
	uint64_t apart_ns = evtlog_clocksync_ntp_disproved(logs->hosts);

	if (apart_ns)
		pr_warn("clocks: warning: packets show that real-time clocks differ by %.6f s: hosts without packets may be off by that much under --assume-ntp; let them ping the others (sync_peers in logd.conf)",
			apart_ns / 1e9);
}

static void show_progress(void *arg, uint64_t done, uint64_t all)
{
	progress_update(arg, done);
}

static int refuse_reference(const struct logs *logs, const char *name)
{
	struct offer hosts;

	offer_start(&hosts, name);
	for (size_t i = 0; i < logs->count; i++)
		if (offer_add(&hosts, logs->files[i].name))
			break;
	return offer_misuse(&hosts, "dump", "--reference", "no file is of that host");
}

int log_set_relate(struct logs *logs, const struct log_set_options *opts,
		   bool strict)
{
	struct evtlog_clocksync_options options = opts->options;
	struct evtlog_error error = { 0 };
	struct progress progress;
	uint64_t bytes = 0;
	int result;

	for (size_t i = 0; i < logs->count; i++) {
		struct evtlog_summary summary;

		evtlog_summarize(logs->files[i].file, &summary);
		bytes += summary.raw_bytes;
	}
	progress_begin(&progress, "clocks", bytes);
	options.progress = show_progress;
	options.progress_arg = &progress;
	result = evtlog_clocksync_new(logs->handles, logs->count, &options,
				      &logs->hosts, &error);
	progress_end(&progress);
	if (result == -ENOENT)
		return refuse_reference(logs, options.reference);
	if (result) {
		pr_err("clocks: %s", error.reason);
		return EXIT_FAILED;
	}
	if (!opts->any_run && !packets_relate_all(logs) && refuse_times(logs, opts) != EXIT_OK)
		return EXIT_FAILED;
	if (strict && say_unrelated(logs))
		return EXIT_FAILED;
	say_disproved(logs);
	return EXIT_OK;
}

/* A log that is not related to others has its own time. */
static int64_t time_of(const struct logs *logs, size_t number, uint64_t ns)
{
	return logs->hosts ? evtlog_clocksync_time(logs->hosts, number, ns) : (int64_t)ns;
}

int64_t log_set_begin_ns(const struct logs *logs)
{
	int64_t begin = INT64_MAX;

	for (size_t i = 0; i < logs->count; i++) {
		int64_t ns = time_of(logs, i, evtlog_begin_ns(logs->files[i].file));

		if (ns < begin && evtlog_cpu_count(logs->files[i].file))
			begin = ns;
	}
	return begin == INT64_MAX ? 0 : begin;
}

int64_t log_set_end_ns(const struct logs *logs)
{
	int64_t end = INT64_MIN;

	for (size_t i = 0; i < logs->count; i++) {
		int64_t ns = time_of(logs, i, evtlog_end_ns(logs->files[i].file));

		if (ns > end && evtlog_cpu_count(logs->files[i].file))
			end = ns;
	}
	return end == INT64_MIN ? 0 : end;
}

int log_set_verdict(const struct logs *logs)
{
	uint64_t violations = 0;
	int status = EXIT_OK;
	bool any = false;

	for (size_t i = 0; i < logs->count; i++) {
		int one = log_verdict(logs->files[i].file,
				      logs->files[i].path);

		if (one != EXIT_OK)
			status = EXIT_EVENTS_LOST;
		any |= one != EXIT_FAILED;
		violations += evtlog_clocksync_clock(logs->hosts, i)->violations;
	}
	if (!any)
		return EXIT_FAILED;
	if (!violations)
		return status;
	pr_err("clocks: no clocks fit all packets: %" PRIu64 " were received before they were sent; the clock errors are correct, but events of two hosts within them can be in the wrong order; evtlog dump lists the hosts",
	       violations / 2);
	return EXIT_FAILED;
}
