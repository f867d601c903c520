// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog profile record: write a file for each period, with what each task did in it.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/error.h"
#include "common/number.h"
#include "common/options.h"
#include "control/control.h"
#include "profile/ended.h"
#include "profile/members.h"
#include "profile/period-file.h"
#include "profile/profile.h"
#include "profile/subcommands.h"
#include "profile/trace.h"
#include "record/workload.h"

#define KEEP_MAX	1000000
#define INTERVAL_MAX	86400
/* After so many readings, a task that is gone is no longer expected among the ended tasks. */
#define MISSED_MAX	3

/*
 * @pids:	wanted processes
 * @members:	processes that were in the cgroup at the last reading
 * @before:	the last reading, and tasks that are gone but not yet among the ended tasks
 * @traces:	traces of these processes
 */
struct request {
	uint64_t interval, rounds;
	const char *cgroup;
	bool all, compensate;
	struct pid_set pids, members;
	struct evtlog_profile *before;
	struct profile_ended ended;
	struct period_files files;
	struct trace_record traces;
};

static const struct evtlog_profile_about no_profile = { .rank = -1 };

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_REALTIME, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

/* Keeps the last reading of tasks that are gone, until they are among the ended tasks. */
static int carry_over(struct evtlog_profile *next, const struct evtlog_profile *before)
{
	const struct profile_slot **found = calloc(before->about.entries + 1, sizeof(*found));
	int error = found ? profile_match(before, next, found) : -ENOMEM;

	for (size_t i = 0; i < before->about.entries && !error; i++) {
		const struct profile_slot *slot = &before->slots[i];

		if (found[i] || slot->entry.cpu >= 0 || slot->entry.ended ||
		    slot->missed == MISSED_MAX)
			continue;
		error = profile_copy(next, slot);
		if (!error)
			next->slots[next->about.entries - 1].missed++;
	}
	free(found);
	return error;
}

/* Tasks that were kept from an earlier reading have no time in this period. */
static void drop_others(struct evtlog_profile *shown)
{
	for (size_t i = 0; i < shown->about.entries; i++)
		shown->slots[i].is_wanted &= shown->slots[i].entry.paths && !shown->slots[i].missed;
	profile_keep_wanted(shown);
}

/* The cgroup is read before and after the profiles: processes enter and leave meanwhile. */
static int mark_wanted(struct request *request, struct evtlog_profile *next, struct pid_set *now)
{
	int error = 0;

	for (size_t i = 0; i < next->about.entries && !request->cgroup; i++) {
		struct profile_slot *slot = &next->slots[i];

		slot->is_wanted = request->all || (slot->entry.cpu < 0 &&
						   pid_set_has(&request->pids, slot->entry.tgid));
	}
	if (request->cgroup)
		error = cgroup_read(request->cgroup, now);
	for (size_t i = 0; i < now->count && !error; i++)
		error = pid_set_add(&request->members, now->at[i]);
	if (request->cgroup && !error)
		error = cgroup_mark(next, request->before, &request->members, now,
				    request->cgroup);
	if (error)
		return error;
	pid_set_free(&request->members);
	request->members = *now;
	*now = (struct pid_set){ 0 };
	return 0;
}

static int read_profile(struct evtlog_profile **profilep)
{
	int error = profile_read(profilep);

	if (error && error != -ENOMEM)
		profile_say_failed(error);
	/* Each ended thread has an entry of its own. */
	if (!error)
		profile_drop_ended_threads(*profilep);
	return error;
}

/* Reads all tasks, and appends those that are in @ended, or were in @before and are gone. */
static int read_with(struct request *request, const struct evtlog_profile *ended,
		     struct evtlog_profile **nextp)
{
	int error = read_profile(nextp);

	if (error)
		return error;
	for (size_t i = 0; i < ended->about.entries && !error; i++)
		error = profile_copy(*nextp, &ended->slots[i]);
	if (!error)
		error = carry_over(*nextp, request->before);
	return error;
}

/* Reads ended tasks first: a task that ends after this is still alive in the profiles. */
static int read_next(struct request *request, struct evtlog_profile **nextp, struct pid_set *now)
{
	struct evtlog_profile *ended = NULL;
	int error = evtlog_profile_new(&no_profile, &ended);

	*nextp = NULL;
	if (!error && request->cgroup)
		error = cgroup_read(request->cgroup, now);
	if (!error)
		error = profile_ended_read(&request->ended, ended);
	if (!error)
		error = read_with(request, ended, nextp);
	if (!error)
		error = mark_wanted(request, *nextp, now);
	evtlog_profile_free(ended);
	if (error)
		evtlog_profile_free(*nextp);
	return error;
}

/* Begins traces of processes that have none. */
static int add_traces(struct request *request)
{
	if (!request->traces.events)
		return 0;
	return trace_record_add(&request->traces,
				request->cgroup ? &request->members : &request->pids);
}

/* Writes the file of a period: what was added to the last reading. */
static int write_period(struct request *request, const struct evtlog_profile *next, double begin,
			double end)
{
	struct evtlog_profile *shown;
	int error = evtlog_profile_diff(next, request->before, &shown);

	if (error) {
		if (error != -ENOMEM)
			pr_err("the last reading of profiles does not continue the one before: %s",
			       strerror(-error));
		return error;
	}
	shown->about.ticks_hz = request->files.hz;
	/* Drop the other entries first, to subtract and report only the cost in these. */
	drop_others(shown);
	profile_finish(shown);
	if (request->compensate && profile_compensate_or_say(shown) != EXIT_OK)
		error = -EIO;
	if (!error)
		error = period_file_write(&request->files, shown, begin, end, request->ended.lost);
	evtlog_profile_free(shown);
	return error;
}

static int record_period(struct request *request, double begin, double end)
{
	struct evtlog_profile *next;
	struct pid_set now = { 0 };
	int error = read_next(request, &next, &now);

	pid_set_free(&now);
	if (error)
		return error;
	error = write_period(request, next, begin, end);
	evtlog_profile_free(request->before);
	request->before = next;
	if (!error && request->traces.events)
		error = trace_record_period(&request->traces, &request->files, begin, end);
	return error ? error : add_traces(request);
}

static int read_first(struct request *request)
{
	struct evtlog_profile *none;
	int error = read_profile(&request->before);

	if (error || !request->cgroup)
		return error;
	error = cgroup_read(request->cgroup, &request->members);
	if (error)
		return error;
	error = evtlog_profile_new(&no_profile, &none);
	if (error)
		return error;
	error = cgroup_mark(request->before, none, &request->members, &request->members,
			    request->cgroup);
	evtlog_profile_free(none);
	return error;
}

static int record_all(struct request *request)
{
	double begin = now(), end;
	int error = read_first(request);

	if (!error && request->traces.events)
		error = trace_record_begin(&request->traces);
	if (!error)
		error = add_traces(request);

	for (uint64_t i = 0; !error && (!request->rounds || i < request->rounds); i++) {
		workload_wait_fd(-1, request->interval * 1000);
		end = now();
		error = record_period(request, begin, end);
		begin = end;
		/* Ends only here, after the last period was written. */
		if (workload_interrupted() || request->ended.source.streams.was_deleted)
			break;
	}
	if (request->traces.events)
		trace_record_end(&request->traces);
	evtlog_profile_free(request->before);
	pid_set_free(&request->members);
	return error;
}

/* Checks before anything is started that the processes exist. They may end later. */
static int check_pids(const struct pid_set *pids)
{
	for (size_t i = 0; i < pids->count; i++) {
		if (kill(pids->at[i], 0) && errno == ESRCH) {
			pr_err("%d: there is no such process; --pid takes live processes", pids->at[i]);
			return EXIT_FAILED;
		}
	}
	return EXIT_OK;
}

static int record(struct request *request)
{
	struct control_status status;
	bool is_whole;
	int error;

	if (check_pids(&request->pids) != EXIT_OK || control_status_or_say(&status))
		return EXIT_FAILED;
	request->files.hz = status.ticks_hz;
	control_status_free(&status);
	/* If it fails, access() has the better error. */
	mkdir(request->files.directory, 0777);
	if (access(request->files.directory, W_OK | X_OK)) {
		pr_err("%s: %s; give another --output", request->files.directory,
		       strerror(errno));
		return EXIT_FAILED;
	}
	if (profile_turn("1") != EXIT_OK)
		return EXIT_FAILED;
	workload_signals();
	if (profile_ended_open(&request->ended))
		return EXIT_FAILED;
	if (!request->rounds)
		pr_info("%s: a file every %" PRIu64 " s; press Ctrl-C to stop",
			request->files.directory, request->interval);
	error = record_all(request);
	is_whole = !request->ended.source.streams.was_deleted;
	profile_ended_close(&request->ended);
	/* Other errors were printed where they occurred. */
	if (error == -ENOMEM)
		pr_err("%s", strerror(ENOMEM));
	if (error)
		return EXIT_FAILED;
	return is_whole && !request->ended.lost && !request->traces.lost ? EXIT_OK : EXIT_EVENTS_LOST;
}

int profile_take_interval(uint64_t *seconds, const char *value)
{
	size_t length = strlen(value);
	uint64_t unit = 1;
	char number[16];

	if (!length || length >= sizeof(number))
		return -EINVAL;
	strcpy(number, value);
	if (strchr("smh", value[length - 1])) {
		unit = value[length - 1] == 's' ? 1 : value[length - 1] == 'm' ? 60 : 3600;
		number[length - 1] = '\0';
	}
	if (number_parse(seconds, number, 1, INTERVAL_MAX / unit))
		return -EINVAL;
	*seconds *= unit;
	return 0;
}

static int take_pids(struct request *request, const char *value)
{
	char *copy = strdup(value), *at = copy, *word;
	int error = copy ? 0 : -ENOMEM;
	uint64_t pid;

	while (!error && (word = strsep(&at, ","))) {
		error = number_parse(&pid, word, 1, INT32_MAX);
		if (!error)
			error = pid_set_add(&request->pids, pid);
	}
	free(copy);
	return error;
}

enum { INTERVAL = 256, PID, CGROUP, KEEP, TRACES, RAW };

static int take_option(void *context, int option, char *value)
{
	struct request *request = context;

	switch (option) {
	case INTERVAL:
		return profile_take_interval(&request->interval, value);
	case PID:
		return take_pids(request, value);
	case CGROUP:
		request->cgroup = value;
		return *value ? 0 : -EINVAL;
	case 'o':
		request->files.directory = value;
		return *value ? 0 : -EINVAL;
	case KEEP:
		return number_parse(&request->files.keep, value, 1, KEEP_MAX);
	case 'n':
		return number_parse(&request->rounds, value, 1, KEEP_MAX);
	case TRACES:
		return number_parse(&request->traces.events, value, 1, TRACE_EVENTS_MAX);
	case PROFILE_COMPENSATE_OPTION:
		request->compensate = true;
		break;
	case 'j':
		request->files.form = PERIOD_JSON;
		break;
	case RAW:
		request->files.form = PERIOD_RAW;
		break;
	}
	return 0;
}

static const struct option_desc table[] = {
	{ INTERVAL, "interval", "TIME", .help = "set the period to TIME, such as 10s, 5m or 1h "
	  "(default 10s)",
	  .valid = PROFILE_INTERVAL_VALID },
	{ PID, "pid", "LIST", .help = "record only tasks of these processes: 4711,4712",
	  .valid = "numbers of processes, separated by commas" },
	{ CGROUP, "cgroup", "PATH", .help = "record only tasks of this cgroup; PATH is its "
	  "directory", .kind = VALUE_DIRECTORY, .valid = "a directory" },
	{ 'o', "output", "DIR", .help = "write the files to DIR (default the working "
	  "directory)", .kind = VALUE_DIRECTORY, .valid = "a directory" },
	{ KEEP, "keep", "N", .help = "keep the newest N files (default all)",
	  .valid = "a number from 1 to 1000000" },
	{ 'n', "count", "N", .help = "end after N periods",
	  .valid = "a number from 1 to 1000000" },
	{ TRACES, "traces", "N", .help = "also write a file with the last N events of each task in "
	  "the period",
	  .valid = "a number from 1 to 65536" },
	PROFILE_COMPENSATE,
	{ 'j', "json", .help = "write JSON" },
	{ RAW, "raw", .help = "write files for evtlog profile report; see evtlog-profile(5)" },
	{ }
};

static const struct options options = {
	.command = "profile record",
	.usage = "[OPTION]...",
	.about = "Write a file per period with the profile of the period: the difference between "
		 "the profiles at its end and at its start. Tasks that ended in the period are "
		 "included, even if they also started in it. Profiles are started, and stay on. "
		 "Without --pid and --cgroup, all tasks and CPUs are recorded.",
	.table = table,
	.notes =
	"Files are DIR/profile-TIME.txt, .json, or with --raw .profile. SIGTERM ends the\n"
	"command after a last file. DIR is created if it does not exist.\n"
	"\n"
	"--traces also writes DIR/trace-TIME.txt or .json, with the processes of --pid or\n"
	"--cgroup and all tasks that they fork.\n"
	"\n"
	"Exit status: 0 success; 1 failed; 2 misuse; 4 profiles or traces of ended\n"
	"tasks were lost.\n"
	"\n"
	"Examples:\n"
	"  evtlog profile record -o /var/log/profile --keep 360\n"
	"  evtlog profile record --interval 1m --pid 4711 --json\n"
	"  evtlog profile record --interval 1s --pid 4711 --traces 4096\n"
	"  evtlog profile record --interval 1m --raw -o days\n"
	"  evtlog profile report --before 'days/*T12*' days/*T13*\n",
	.take = take_option,
};

static int run(int argc, char **argv)
{
	static struct request request = { .interval = 10, .files.directory = "." };
	int result = options_take_only(&options, argc, argv, &request);

	if (result != OPTIONS_TAKEN)
		return result;
	if (request.pids.count && request.cgroup)
		return misuse("profile record", "--pid and --cgroup exclude each other");
	if (request.traces.events && !request.pids.count && !request.cgroup)
		return misuse("profile record", "--traces is for --pid or --cgroup");
	request.all = !request.pids.count && !request.cgroup;
	result = record(&request);
	pid_set_free(&request.pids);
	return finish(result);
}

const struct evtlog_command profile_record = {
	.name = "record",
	.summary = "write a file per period with the profile of the period",
	.run = run,
};
