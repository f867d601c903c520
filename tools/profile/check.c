// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * evtlog check --profile: checks that each tick of the kernel's profiles is counted exactly once.
 *
 * The profile of a CPU must add up to the time that passed, including its time offline; the profile
 * of a task to its lifetime.  Each CPU is read at one instant.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "common/error.h"
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

int profile_check(void)
{
	struct evtlog_profile *profile;
	int error = profile_read(&profile), result;

	if (error)
		return profile_say_failed(error);
	result = check(profile);
	evtlog_profile_free(profile);
	return result;
}
