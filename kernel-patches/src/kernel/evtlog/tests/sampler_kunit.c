// SPDX-License-Identifier: GPL-2.0-only
/*
 * KUnit: what can be written to /proc/evtlog/sampler, what it samples, and what it sees of tasks.
 *
 * The sampler's thread does not run: the cases call its functions.
 */
#include <kunit/test.h>
#include <linux/bits.h>
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/evtlog.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "lineage/lineage.h"
#include "sampler/look.h"
#include "sampler/sampler.h"
#include "tests/family_kunit.h"

/* Attempts until a child sleeps, one per millisecond */
#define TRIES	5000

static struct family_child child, second;
static int tree = -1;
static bool is_open;

static void what_is_not_named_stays_as_it_was(struct kunit *test)
{
	static const struct {
		const char *text;
		struct sampler_settings wanted;
	} lines[] = {
		{ "interval=4ms", { true, 4 * NSEC_PER_MSEC, 7 } },
		{ "tree=1234", { true, 5, 1234 } },
		{ "tree=all interval=250Hz", { true, 4 * NSEC_PER_MSEC, SAMPLER_PID_ALL } },
		{ "interval=tick  tree=2147483647", { true, 0, INT_MAX } },
		{ "interval=100us", { true, SAMPLER_INTERVAL_MIN_NS, 7 } },
		{ "interval=10s", { true, SAMPLER_INTERVAL_MAX_NS, 7 } },
		{ "interval=10000Hz", { true, SAMPLER_INTERVAL_MIN_NS, 7 } },
		{ "off", { false, 0, SAMPLER_PID_ALL } },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lines); i++) {
		struct sampler_settings settings = { false, 5, 7, false };
		char text[64];

		strscpy(text, lines[i].text, sizeof(text));
		KUNIT_EXPECT_EQ_MSG(test, sampler_parse(text, &settings), 0, lines[i].text);
		KUNIT_EXPECT_EQ_MSG(test, settings.is_on, lines[i].wanted.is_on, lines[i].text);
		KUNIT_EXPECT_EQ_MSG(test, settings.interval_ns, lines[i].wanted.interval_ns,
				    lines[i].text);
		KUNIT_EXPECT_EQ_MSG(test, settings.pid, lines[i].wanted.pid, lines[i].text);
		KUNIT_EXPECT_EQ_MSG(test, settings.names_tree, !!strstr(lines[i].text, "tree="),
				    lines[i].text);
	}
}

static void what_is_no_setting_is_refused(struct kunit *test)
{
	static const struct {
		const char *text;
		int error;
	} lines[] = {
		{ "", -EINVAL }, { "on", -EINVAL }, { "interval=", -EINVAL }, { "interval=4", -EINVAL },
		{ "interval=4xs", -EINVAL }, { "interval=-4ms", -EINVAL },
		{ "interval=0ms", -ERANGE }, { "interval=99us", -ERANGE },
		{ "interval=10001ms", -ERANGE }, { "interval=10001Hz", -ERANGE },
		{ "interval=18446744073709551616ns", -ERANGE },
		{ "interval=18446744073709651616ns", -ERANGE }, { "interval=18446744073709551617Hz", -ERANGE },
		{ "tree=", -EINVAL }, { "tree=0", -EINVAL }, { "tree=-1", -EINVAL },
		{ "tree=2147483648", -EINVAL }, { "tree=x", -EINVAL },
		{ "interval=4ms nonsense", -EINVAL }, { "tree=1 tree=2", -EINVAL },
		{ "interval=4ms tree=1 interval=4ms", -EINVAL },
	};
	struct sampler_settings settings;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lines); i++) {
		char text[64];

		memset(&settings, 0, sizeof(settings));
		strscpy(text, lines[i].text, sizeof(text));
		KUNIT_EXPECT_EQ_MSG(test, sampler_parse(text, &settings), lines[i].error,
				    lines[i].text);
	}
}

static char state_of(const struct task_struct *task, unsigned int *cpu)
{
	struct sampler_look look;

	if (!sampler_look(task, &look))
		return '?';
	*cpu = look.cpu;
	return EVTLOG_STATES[sampler_state(&look)];
}

static void who_runs_is_seen_to_run_on_its_cpu(struct kunit *test)
{
	unsigned int cpu = UINT_MAX;
	char state;

	preempt_disable();
	state = state_of(current, &cpu);
	KUNIT_EXPECT_EQ(test, state, 'R');
	KUNIT_EXPECT_EQ(test, cpu, (unsigned int)smp_processor_id());
	preempt_enable();
}

static void who_waits_is_seen_to_wait(struct kunit *test)
{
	unsigned int cpu, tries = TRIES;

	family_fork(test, &child, false);
	/* It will sleep soon. */
	while (state_of(child.task, &cpu) != 'D' && --tries)
		msleep(1);
	KUNIT_EXPECT_EQ(test, state_of(child.task, &cpu), 'D');
}

static void a_state_is_made_of_all_that_was_seen(struct kunit *test)
{
	static const struct {
		struct sampler_look look;
		char state;
	} looks[] = {
		/* About to sleep, but it still runs. */
		{ { .on_cpu = 1, .on_rq = 1, .state = TASK_INTERRUPTIBLE }, 'R' },
		{ { .on_cpu = 1, .on_rq = 1 }, 'R' },
		/* Preempted before it slept */
		{ { .on_rq = 1, .state = TASK_INTERRUPTIBLE }, '+' },
		{ { .on_rq = 1 }, '+' },
		/* Woken, but not on a queue yet */
		{ { .state = TASK_WAKING }, '+' },
		{ { .state = TASK_RUNNING }, '+' },
		{ { .state = TASK_INTERRUPTIBLE }, 'S' },
		{ { .state = TASK_UNINTERRUPTIBLE }, 'D' },
		{ { .state = TASK_IDLE }, 'I' },
		{ { .state = TASK_DEAD, .exit_state = EXIT_ZOMBIE }, 'Z' },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(looks); i++)
		KUNIT_EXPECT_EQ_MSG(test, EVTLOG_STATES[sampler_state(&looks[i].look)],
				    looks[i].state, "look %u", i);
}

static unsigned int times_among(const struct task_struct *task)
{
	unsigned int nr, i, times = 0;
	const struct sampler_member *members = sampler_members(&nr);

	for (i = 0; i < nr; i++)
		times += members[i].task == task;
	return times;
}

static unsigned int count_members(void)
{
	unsigned int nr;

	sampler_members(&nr);
	return nr;
}

static void open_members(struct kunit *test, pid_t root)
{
	if (root) {
		tree = evtlog_lineage_hold(root);
		KUNIT_ASSERT_GE(test, tree, 0);
	}
	KUNIT_ASSERT_EQ(test, sampler_members_open(root ? BIT(tree) : EVTLOG_TREES_ALL), 0);
	is_open = true;
}

static void members_are_the_tree_and_its_children_as_they_come(struct kunit *test)
{
	family_fork(test, &child, true);
	open_members(test, child.nr);
	KUNIT_EXPECT_EQ(test, count_members(), 2);
	KUNIT_EXPECT_EQ(test, times_among(child.task), 1);
	KUNIT_EXPECT_EQ(test, times_among(child.grandchild), 1);
	family_fork(test, &second, false);
	sampler_members_update();
	KUNIT_EXPECT_EQ(test, count_members(), 2);
	/* An existing task that is marked now */
	KUNIT_ASSERT_EQ(test, evtlog_lineage_extend(tree, second.nr), 0);
	sampler_members_update();
	KUNIT_EXPECT_EQ(test, count_members(), 3);
	KUNIT_EXPECT_EQ(test, times_among(second.task), 1);
}

static void a_child_is_a_member_once(struct kunit *test)
{
	open_members(test, current->pid);
	KUNIT_EXPECT_EQ(test, count_members(), 1);
	family_fork(test, &child, true);
	sampler_members_update();
	sampler_members_update();
	KUNIT_EXPECT_EQ(test, count_members(), 3);
	KUNIT_EXPECT_EQ(test, times_among(current), 1);
	KUNIT_EXPECT_EQ(test, times_among(child.task), 1);
	KUNIT_EXPECT_EQ(test, times_among(child.grandchild), 1);
}

static void without_a_tree_all_are_members(struct kunit *test)
{
	open_members(test, 0);
	family_fork(test, &child, false);
	sampler_members_update();
	KUNIT_EXPECT_EQ(test, times_among(current), 1);
	KUNIT_EXPECT_EQ(test, times_among(child.task), 1);
	KUNIT_EXPECT_GT(test, count_members(), 2);
}

/* Events that are not registered: each record is refused, and counted as lost. */
static void a_pass_is_counted_and_leaves_who_was_reaped(struct kunit *test)
{
	const struct sampler_events none = { };
	struct sampler_counts before;

	family_fork(test, &child, true);
	open_members(test, current->pid);
	before = sampler_counts;
	sampler_pass(&none, 2);
	KUNIT_EXPECT_EQ(test, sampler_counts.passes, before.passes + 1);
	KUNIT_EXPECT_EQ(test, sampler_counts.missed, before.missed + 2);
	KUNIT_EXPECT_EQ(test, sampler_counts.tasks, 0);
	KUNIT_EXPECT_EQ(test, count_members(), 3);
	family_reap(&child);
	sampler_pass(&none, 0);
	KUNIT_EXPECT_EQ(test, count_members(), 1);
	KUNIT_EXPECT_EQ(test, times_among(current), 1);
}

static int sampler_init(struct kunit *test)
{
	tree = -1;
	is_open = false;
	return 0;
}

static void sampler_exit(struct kunit *test)
{
	if (is_open)
		sampler_members_close();
	if (tree >= 0)
		evtlog_lineage_release(tree);
	family_reap(&child);
	family_reap(&second);
}

static struct kunit_case sampler_cases[] = {
	KUNIT_CASE(what_is_not_named_stays_as_it_was),
	KUNIT_CASE(what_is_no_setting_is_refused),
	KUNIT_CASE(who_runs_is_seen_to_run_on_its_cpu),
	KUNIT_CASE(who_waits_is_seen_to_wait),
	KUNIT_CASE(a_state_is_made_of_all_that_was_seen),
	KUNIT_CASE(members_are_the_tree_and_its_children_as_they_come),
	KUNIT_CASE(a_child_is_a_member_once),
	KUNIT_CASE(without_a_tree_all_are_members),
	KUNIT_CASE(a_pass_is_counted_and_leaves_who_was_reaped),
	{}
};

static struct kunit_suite sampler_suite = {
	.name = "evtlog_sampler",
	.init = sampler_init,
	.exit = sampler_exit,
	.test_cases = sampler_cases,
};
kunit_test_suite(sampler_suite);
