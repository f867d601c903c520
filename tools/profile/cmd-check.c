// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog profile check: checks that each tick is counted exactly once.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "common/error.h"
#include "common/options.h"
#include "profile/profile.h"
#include "profile/subcommands.h"

/*
 * struct tally - numbers of entries that were checked
 * @running:	running tasks, which are not checked while profiles are kept
 * @wrong:	number of CPUs and tasks that do not add up
 */
struct tally {
	size_t cpus, tasks, running, wrong;
};

static uint64_t charged(const struct profile_slot *slot)
{
	uint64_t ticks = 0;

	for (size_t i = 0; i < slot->entry.paths; i++)
		ticks += slot->paths[i].exclusive;
	return ticks;
}

static void check_cpu(const struct profile_slot *cpu, struct tally *tally)
{
	uint64_t ticks = charged(cpu), elapsed = cpu->entry.end - cpu->entry.begin;

	tally->cpus++;
	if (ticks == elapsed)
		return;
	tally->wrong++;
	printf("CPU %d: %" PRIu64 " ticks charged of %" PRIu64 "\n", cpu->entry.cpu, ticks, elapsed);
}

static void check_task(const struct evtlog_profile *profile, const struct profile_slot *task,
		       struct tally *tally)
{
	uint64_t ticks = charged(task) - task->entry.ahead;
	bool is_sum = profile_is_of_ended_threads(&task->entry);
	uint64_t lifetime = is_sum ? task->entry.lifetime : task->entry.end - task->entry.begin;
	char name[64];

	if (!task->entry.begin)
		return;
	if (!is_sum && !task->entry.end && profile->about.is_on) {
		tally->running++;
		return;
	}
	tally->tasks++;
	if (ticks == lifetime)
		return;
	tally->wrong++;
	printf("%s %d %s: %" PRIu64 " ticks charged", is_sum ? "ended threads of" : "task",
	       is_sum ? task->entry.tgid : task->entry.pid,
	       profile_plain(task->entry.comm, "", name, sizeof(name)), ticks);
	if (is_sum || task->entry.end)
		printf(" of %" PRIu64, lifetime);
	putchar('\n');
}

static int check(const struct evtlog_profile *profile)
{
	struct tally tally = { 0 };

	for (size_t i = 0; i < profile->about.entries; i++) {
		const struct profile_slot *slot = &profile->slots[i];

		if (slot->entry.cpu < 0)
			check_task(profile, slot, &tally);
		else
			check_cpu(slot, &tally);
	}
	printf("%zu CPUs and %zu tasks, %zu do not add up\n", tally.cpus, tally.tasks, tally.wrong);
	if (profile->about.tasks_without)
		printf("%" PRIu64 " tasks have no profile, because there was no memory: only the profiles of CPUs contain their time\n",
		       profile->about.tasks_without);
	if (profile->about.is_on)
		printf("profiles are on: %zu live tasks were not checked; to check them, first run evtlog profile stop\n",
		       tally.running);
	if (!tally.cpus && !tally.tasks) {
		pr_err("no task has a profile; evtlog profile start starts profiles");
		return EXIT_FAILED;
	}
	return tally.wrong ? EXIT_FAILED : EXIT_OK;
}

static const struct option_desc table[] = {
	{ }
};

static const struct options options = {
	.command = "profile check",
	.usage = "[OPTION]...",
	.about = "Check that the profiles add up, to the tick: the profile of a CPU to the time "
		 "that passed, including the CPU's time offline; the profile of a task to its "
		 "lifetime.",
	.table = table,
	.notes =
	"Each CPU is read at one instant. Running tasks are checked only after profiles\n"
	"were stopped.\n"
	"\n"
	"Exit status: 0 all add up; 1 some do not add up, or failed; 2 misuse.\n",
};

static int run(int argc, char **argv)
{
	int result = options_take_only(&options, argc, argv, NULL);
	struct evtlog_profile *profile;
	int error;

	if (result != OPTIONS_TAKEN)
		return result;
	error = profile_read(&profile);
	if (error)
		return profile_say_failed(error);
	result = check(profile);
	evtlog_profile_free(profile);
	return finish(result);
}

const struct evtlog_command profile_check = {
	.name = "check",
	.summary = "check that each tick is counted exactly once",
	.run = run,
};
