// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * boost-cpus - the cost of one order on machines of 8 to 1,024 CPUs. Runs the kernel's
 * boost/apply.c and boost/table.c, unmodified; a CPU is only a number.
 *
 * Stage: a model. The threads and their order are as in boost.c. A woken thread runs at once, which
 * makes most wake-ups, or after the walk. The model has no time.
 */
#include <stdio.h>

#include "boost/state.h"
#include "boost/task.h"

#define MEMBERS	1000

struct task_struct *current;
unsigned int machine_cpus;
struct evtlog_boost evtlog_boost;
struct evtlog_boost_table evtlog_boosts;
struct evtlog_boost_cpu evtlog_boost_cpu[CPUS_MAX];

static struct task_struct members[MEMBERS];
static bool is_woken[CPUS_MAX], at_once, locked;
static unsigned int walks, visits, wakeups, cpus_woken, steps, steps_most;
static bool was_woken[CPUS_MAX];

static void fail(const char *what)
{
	fprintf(stderr, "boost-cpus: %s\n", what);
	exit(1);
}

void machine_lock(void)
{
	if (locked)
		fail("the lock is taken twice");
	locked = true;
	steps = 0;
}

void machine_unlock(void)
{
	if (!locked)
		fail("the lock is not held");
	locked = false;
	if (steps > steps_most)
		steps_most = steps;
}

/* Counts operations on an entry or a list. */
void machine_step(void)
{
	steps++;
}

/* Replaces boost/task.c: a boosted member is a flag. */
bool evtlog_boost_task_may(const struct task_struct *task)
{
	return task;
}

bool evtlog_boost_task_is_limited(const struct task_struct *task)
{
	return !task;
}

bool evtlog_boost_policy_may(const struct evtlog_policy *policy)
{
	return policy;
}

void evtlog_boost_task_policy(const struct task_struct *task, struct evtlog_policy *now)
{
	*now = (struct evtlog_policy){ .policy = task->boosted };
}

int evtlog_boost_task_begin(struct task_struct *task, u32 request)
{
	if (locked || !request)
		fail("boosted under the lock");
	task->boosted = true;
	return 0;
}

void evtlog_boost_task_renew(struct task_struct *task, u32 request)
{
	if (!task->boosted || !request)
		fail("renewed, and not boosted");
}

bool evtlog_boost_task_end(struct task_struct *task, const struct evtlog_policy *before)
{
	task->boosted = before->policy;
	return true;
}

void evtlog_boost_task_restore_slack(struct task_struct *task,
				     const struct evtlog_policy *before)
{
	(void)task, (void)before;
}

void evtlog_boost_task_ended(struct task_struct *task, u32 request)
{
	(void)task, (void)request;
}

/* Replaces boost/group.c. */
int evtlog_boost_group_visit(const struct evtlog_boost_request *request,
			     evtlog_boost_visit_t visit, void *data)
{
	(void)request;
	walks++;
	for (int i = 0; i < MEMBERS; i++) {
		visits++;
		if (!visit(&members[i], data))
			break;
	}
	return 0;
}

/* Replaces boost.c. */
static void thread_run(int cpu)
{
	struct evtlog_boost_cpu *mine = &evtlog_boost_cpu[cpu];
	bool walk = mine->walk, known = evtlog_boost.takes_over;

	is_woken[cpu] = false;
	mine->walk = false;
	if (walk)
		evtlog_boost_apply_group(&evtlog_boost.request, evtlog_boost.command,
					  EVTLOG_BOOST_FIRST, cpu, known);
	evtlog_boost_apply_cpu(cpu);
	if (walk && known) {
		evtlog_boost_give_back(cpu);
		evtlog_boost_apply_cpu(cpu);
	}
}

void evtlog_boost_wake_cpu(int cpu)
{
	if (locked)
		fail("woken under the lock");
	if (cpu == EVTLOG_BOOST_NO_CPU || is_woken[cpu])
		return;
	is_woken[cpu] = true;
	wakeups++;
	cpus_woken += !was_woken[cpu];
	was_woken[cpu] = true;
	if (at_once)
		thread_run(cpu);
}

static void run_woken(void)
{
	for (unsigned int cpu = 0; cpu < machine_cpus; cpu++) {
		if (is_woken[cpu])
			thread_run(cpu);
	}
}

static void finder_visits(enum evtlog_boost_visit how)
{
	evtlog_boost_apply_group(&evtlog_boost.request, evtlog_boost.newest, how,
				  EVTLOG_BOOST_NO_CPU, false);
	run_woken();
}

static unsigned int count_boosted(void)
{
	unsigned int n = 0;

	for (int i = 0; i < MEMBERS; i++)
		n += members[i].boosted;
	return n;
}

/* Executes an order until all members are boosted. */
static void order(void)
{
	walks = visits = wakeups = cpus_woken = 0;
	memset(was_woken, 0, sizeof(was_woken));
	evtlog_boost.request.request++;
	evtlog_boost.command = ++evtlog_boost.newest;
	evtlog_boost.takes_over = evtlog_boosts.count;
	evtlog_boost_cpu[0].walk = true;
	evtlog_boost_wake_cpu(0);
	run_woken();
	finder_visits(EVTLOG_BOOST_SPREAD);
	finder_visits(EVTLOG_BOOST_ALL);
	if (count_boosted() != MEMBERS || evtlog_boost.busy)
		fail("not all are boosted");
}

static void end(void)
{
	evtlog_boost.command = 0;
	evtlog_boost_give_back(EVTLOG_BOOST_NO_CPU);
	if (count_boosted() || evtlog_boosts.count || evtlog_boost.busy)
		fail("not all is given back");
}

static void pr_err(const char *what, unsigned int used, bool running)
{
	printf("order %s cpus %u with-members %u running %d at-once %d walks %u visits %u "
	       "wakeups %u cpus-woken %u\n", what, machine_cpus, used, running, at_once,
	       walks, visits, wakeups, cpus_woken);
}

/* Puts members on @used CPUs; one member of each CPU is running, or none. */
static void try(unsigned int used, bool running)
{
	for (int i = 0; i < MEMBERS; i++)
		members[i] = (struct task_struct){
			.cpu = i % used * (machine_cpus / used),
			.running = running && i >= MEMBERS - (int)used,
		};
	order();
	pr_err("new", used, running);
	order();
	pr_err("next", used, running);
	end();
}

int main(void)
{
	struct task_struct self = { 0 };

	current = &self;
	if (evtlog_boost_table_init(&evtlog_boosts, EVTLOG_BOOST_TASKS))
		return 1;
	evtlog_boost.open = true;
	for (int cpu = 0; cpu < CPUS_MAX; cpu++) {
		INIT_LIST_HEAD(&evtlog_boost_cpu[cpu].todo);
		evtlog_boost_cpu[cpu].present = true;
	}
	for (machine_cpus = 8; machine_cpus <= CPUS_MAX; machine_cpus *= 2) {
		for (int how = 0; how < 4; how++) {
			at_once = how & 1;
			try(8, how & 2);
			if (machine_cpus <= MEMBERS)
				try(machine_cpus, how & 2);
		}
	}
	evtlog_boost_table_free(&evtlog_boosts);
	printf("most steps under the lock %u\n", steps_most);
	return 0;
}
