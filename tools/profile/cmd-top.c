// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog profile top: show what tasks, or all CPUs, did in the last second.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "common/error.h"
#include "common/number.h"
#include "common/options.h"
#include "control/control.h"
#include "profile/profile.h"
#include "profile/subcommands.h"
#include "record/workload.h"

#define ROUNDS_MAX	1000000

/* @rounds: number of tables; 0: until a key or a signal */
struct top {
	uint64_t seconds, rounds, hz;
	bool by_event, batch, compensate, is_over;
	unsigned int rows;
	struct termios terminal;
};

struct row {
	const struct profile_slot *slot;
	uint64_t ticks[PROFILE_KINDS];
	uint64_t running, all;
};

static const enum profile_kind waits[] = {
	PROFILE_RUNQUEUE, PROFILE_PREEMPTED, PROFILE_INTERRUPTIBLE, PROFILE_UNINTERRUPTIBLE,
	PROFILE_IO, PROFILE_STOPPED, PROFILE_WAITING,
};

static int by_running(const void *a, const void *b)
{
	const struct row *one = a, *two = b;

	if (one->running != two->running)
		return one->running < two->running ? 1 : -1;
	return one->slot->entry.pid < two->slot->entry.pid ? -1 : 1;
}

static double percent(const struct top *top, uint64_t ticks, double seconds)
{
	return ticks * 100.0 / top->hz / seconds;
}

/*
 * A wait is charged when it ends, so the first wait may have begun before the period. If a task has
 * more ticks than the period, the excess is most likely of its longest wait: cuts this wait.
 */
static void cut_waits(struct row *row, uint64_t period)
{
	while (row->all > period) {
		uint64_t *longest = &row->ticks[waits[0]], cut;

		for (size_t i = 1; i < sizeof(waits) / sizeof(*waits); i++) {
			if (row->ticks[waits[i]] > *longest)
				longest = &row->ticks[waits[i]];
		}
		if (!*longest)
			return;
		cut = *longest < row->all - period ? *longest : row->all - period;
		*longest -= cut;
		row->all -= cut;
	}
}

static void fill_row(const struct top *top, struct row *row, const struct profile_slot *slot,
		     double seconds)
{
	row->slot = slot;
	profile_kinds_of(slot, row->ticks);
	row->running = row->ticks[PROFILE_USER] + row->ticks[PROFILE_KERNEL] +
		       row->ticks[PROFILE_TASK];
	row->all = 0;
	for (int i = 0; i < PROFILE_KINDS; i++)
		row->all += row->ticks[i];
	cut_waits(row, top->hz * seconds);
}

/* A task is read a little later or earlier than others, so its own period may be longer. */
static void print_row(const struct top *top, const struct row *row, double seconds, bool has_either)
{
	double own = (double)row->all / top->hz, period = own > seconds ? own : seconds;
	const uint64_t *ticks = row->ticks;
	char name[64];

	printf("%7d %7.2f %7.2f", row->slot->entry.pid, percent(top, ticks[PROFILE_USER], period),
	       percent(top, ticks[PROFILE_KERNEL], period));
	if (has_either)
		printf(" %7.2f", percent(top, ticks[PROFILE_TASK], period));
	printf(" %7.2f %7.2f %7.2f  %s\n",
	       percent(top, ticks[PROFILE_RUNQUEUE] + ticks[PROFILE_PREEMPTED], period),
	       percent(top, ticks[PROFILE_INTERRUPTIBLE] + ticks[PROFILE_UNINTERRUPTIBLE] +
		       ticks[PROFILE_STOPPED] + ticks[PROFILE_WAITING], period),
	       percent(top, ticks[PROFILE_IO], period),
	       profile_plain(row->slot->entry.comm, "", name, sizeof(name)));
}

static int print_tasks(const struct top *top, const struct evtlog_profile *profile, double seconds)
{
	struct row *rows = calloc(profile->about.entries + 1, sizeof(*rows));
	bool has_either = false;
	size_t count = 0;

	if (!rows)
		return -ENOMEM;
	for (size_t i = 0; i < profile->about.entries; i++) {
		const struct profile_slot *slot = &profile->slots[i];

		if (slot->entry.cpu >= 0 || !slot->entry.pid)
			continue;
		fill_row(top, &rows[count], slot, seconds);
		has_either |= rows[count].ticks[PROFILE_TASK] != 0;
		count += rows[count].running != 0;
	}
	qsort(rows, count, sizeof(*rows), by_running);
	/* either%: time in user mode or the kernel, not distinguished */
	printf("%7s %7s %7s%s %7s %7s %7s  %s\n", "pid", "user%", "kernel%",
	       has_either ? " either%" : "", "wait%", "block%", "I/O%", "task");
	for (size_t i = 0; i < count && i < top->rows; i++)
		print_row(top, &rows[i], seconds, has_either);
	free(rows);
	return 0;
}

/* The period of the CPUs, in seconds: mean of the time that was charged to each CPU */
static double cpu_seconds(const struct top *top, const struct evtlog_profile *profile)
{
	uint64_t ticks = 0;
	size_t cpus = 0;

	for (size_t i = 0; i < profile->about.entries; i++) {
		const struct profile_slot *slot = &profile->slots[i];

		cpus += slot->entry.cpu >= 0;
		for (size_t k = 0; slot->entry.cpu >= 0 && k < slot->entry.paths; k++)
			ticks += slot->paths[k].exclusive;
	}
	return ticks ? (double)ticks / cpus / top->hz : 1;
}

/* Prints the events of CPUs. Entries of tasks are dropped: their waits are not time of a CPU. */
static int print_events(const struct top *top, struct evtlog_profile *profile, double seconds)
{
	struct profile_slot sum, flat;
	char name[64], plain[64];
	int error;

	for (size_t i = 0; i < profile->about.entries; i++)
		profile->slots[i].is_wanted = profile->slots[i].entry.cpu >= 0;
	profile_keep_wanted(profile);
	error = profile_sum(&profile, 1, &sum);
	if (error)
		return error;
	error = profile_flatten(&sum, &flat);
	if (!error) {
		printf("%" PRIu64 " CPUs\n%10s %8s %14s %14s  %s\n", profile->about.entries, "count",
		       "CPU%", "mean us", "largest us", "event");
		for (size_t i = 0; i < flat.entry.paths && i + 1 < top->rows; i++) {
			const struct evtlog_profile_path *path = &flat.paths[i];

			printf("%10" PRIu64 " %8.2f %14.3f %14.3f  %s\n", path->count,
			       percent(top, path->exclusive, seconds),
			       path->count ? path->inclusive * 1e6 / path->count / top->hz : 0,
			       path->largest * 1e6 / top->hz,
			       profile_plain(profile_event_name(path->event, strlen(path->event),
								name, sizeof(name)),
					     "", plain, sizeof(plain)));
		}
		profile_slot_free(&flat);
	}
	profile_slot_free(&sum);
	return error;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

static void take_key(struct top *top)
{
	char key;

	if (read(STDIN_FILENO, &key, 1) != 1)
		return;
	if (key == 'q')
		top->is_over = true;
	else
		top->by_event = key == 'e' || (key != 't' && !top->by_event);
}

/* Waits until the period is over, or a key or a signal comes. */
static void wait_for(struct top *top)
{
	if (workload_wait_fd(top->batch ? -1 : STDIN_FILENO, top->seconds * 1000))
		take_key(top);
	top->is_over |= workload_interrupted();
}

static void take_size(struct top *top)
{
	struct winsize size = { 0 };

	top->rows = UINT32_MAX;
	if (!top->batch)
		top->rows = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || size.ws_row < 5 ? 20 :
			    size.ws_row - 4;
}

static int print_round(struct top *top, struct evtlog_profile *profile, double seconds)
{
	double of_cpus = cpu_seconds(top, profile);
	const char *terminal = getenv("TERM");
	int error;

	if (top->compensate && profile_compensate_or_say(profile) != EXIT_OK)
		return -EIO;

	take_size(top);
	/* A terminal without escape sequences scrolls. */
	if (!top->batch && terminal && strcmp(terminal, "dumb"))
		printf("\033[H\033[J");
	printf("%.2f s, %s", seconds, top->by_event ? "by event" : "by task, % of a CPU");
	if (profile->about.is_compensated)
		printf(", %.3f us of measuring subtracted", profile->about.removed * 1e6 / top->hz);
	printf("%s\n", top->batch ? "" : "; e events, t tasks, q quit");
	error = top->by_event ? print_events(top, profile, of_cpus) :
				print_tasks(top, profile, seconds);
	putchar('\n');
	fflush(stdout);
	return error;
}

/* @time: set to the middle of the reading, which takes long if there are many tasks */
static int read_at(struct evtlog_profile **profilep, double *time)
{
	double begin = now();
	int error = profile_read(profilep);

	*time = (begin + now()) / 2;
	/* The sum of ended threads includes their time in earlier periods. */
	if (!error)
		profile_drop_ended_threads(*profilep);
	return error;
}

static int run_rounds(struct top *top)
{
	struct evtlog_profile *before, *next, *shown;
	double begin, end;
	int error = read_at(&before, &begin);

	for (uint64_t i = 0; !error && (!top->rounds || i < top->rounds); i++) {
		wait_for(top);
		if (top->is_over)
			break;
		error = read_at(&next, &end);
		if (error)
			break;
		error = evtlog_profile_diff(next, before, &shown);
		if (!error) {
			profile_finish(shown);
			error = print_round(top, shown, end - begin);
			evtlog_profile_free(shown);
		}
		evtlog_profile_free(before);
		before = next;
		begin = end;
	}
	if (!error)
		evtlog_profile_free(before);
	return error;
}

static int run_top(struct top *top)
{
	struct termios raw;
	bool is_terminal;
	int error;
	struct evtlog_profile *profile;

	if (profile_hz_or_say(&top->hz) != EXIT_OK)
		return EXIT_FAILED;
	error = profile_read(&profile);
	if (error)
		return profile_say_failed(error);
	if (!profile->about.is_on) {
		evtlog_profile_free(profile);
		pr_err("profiles are off; evtlog profile start starts profiles");
		return EXIT_FAILED;
	}
	evtlog_profile_free(profile);
	workload_signals();
	is_terminal = isatty(STDOUT_FILENO) && !tcgetattr(STDIN_FILENO, &top->terminal);
	top->batch = !is_terminal;
	if (is_terminal) {
		raw = top->terminal;
		raw.c_lflag &= ~(ICANON | ECHO);
		tcsetattr(STDIN_FILENO, TCSANOW, &raw);
	}
	error = run_rounds(top);
	if (is_terminal)
		tcsetattr(STDIN_FILENO, TCSANOW, &top->terminal);
	/* The reason was printed: the profile cannot be compensated. */
	if (error == -EIO)
		return EXIT_FAILED;
	return error ? profile_say_failed(error) : EXIT_OK;
}

enum { BY_EVENT = 256, INTERVAL };

static int take_option(void *context, int option, char *value)
{
	struct top *top = context;

	switch (option) {
	case BY_EVENT:
		top->by_event = true;
		break;
	case PROFILE_COMPENSATE_OPTION:
		top->compensate = true;
		break;
	case 'n':
		return number_parse(&top->rounds, value, 1, ROUNDS_MAX);
	case INTERVAL:
		return profile_take_interval(&top->seconds, value);
	}
	return 0;
}

static const struct option_desc table[] = {
	{ BY_EVENT, "by-event", .help = "show the events of all CPUs instead of tasks" },
	PROFILE_COMPENSATE,
	{ 'n', "count", "N", .help = "end after N tables",
	  .valid = "a number from 1 to 1000000" },
	{ INTERVAL, "interval", "TIME", .help = "wait TIME between tables (default 1s)",
	  .valid = PROFILE_INTERVAL_VALID },
	{ }
};

static const struct options options = {
	.command = "profile top",
	.usage = "[OPTION]...",
	.about = "Show every second what tasks did, or in which events the CPUs were. Percentages "
		 "are of one CPU. Profiles must be on.",
	.table = table,
	.notes =
	"Keys: e shows events, t shows tasks, any other key switches, q quits. If input\n"
	"or output is not a terminal, tables are printed one after another.\n"
	"\n"
	"Exit status: 0 success; 1 failed; 2 misuse.\n"
	"\n"
	"Examples:\n"
	"  evtlog profile start && evtlog profile top\n"
	"  evtlog profile top -n 3 --by-event | cat\n",
	.take = take_option,
};

static int run(int argc, char **argv)
{
	struct top top = { .seconds = 1 };
	int result = options_take_only(&options, argc, argv, &top);

	return result == OPTIONS_TAKEN ? finish(run_top(&top)) : result;
}

const struct evtlog_command profile_top = {
	.name = "top",
	.summary = "show every second what tasks or CPUs did",
	.run = run,
};
