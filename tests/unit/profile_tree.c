// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Drives the kernel's unmodified profiles by lines on standard input, and prints their contents.
 * profile_tree.py writes random lines and computes the expected output.
 *
 *	cpu C TASK TICK		CPU C begins with a new task at that tick
 *	take C TASK TICK	CPU C begins with an existing task
 *	task T ROOT TICK	a task is born
 *	enter C EVENT TICK	exit C EVENT TICK	user C TICK
 *	switch C TASK HOW TICK	waking TASK TICK
 *	offline C TICK		online C TICK		end C TICK
 *	settle C MOST		settles up to MOST tasks that do not run there, as a reader does
 *	show
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/switch.h"
#include "profile/tree.h"
#include "profile_unread.h"

/* No task of this test has mapped its page. */
void evtlog_profile_publish(struct evtlog_profile *p, const struct evtlog_profile_node *only, u64 now)
{
	abort();
}

#define CPUS	4
#define TASKS	16

DEFINE_PER_CPU(struct evtlog_profile_cpu, evtlog_profile_cpu);

/* One thread replaces all CPUs: the present CPU's state is in its variable. */
static struct evtlog_profile_cpu cpus[CPUS];
static unsigned int cpu_of_turn;

static void cpu_is(unsigned int cpu)
{
	cpus[cpu_of_turn] = evtlog_profile_cpu;
	evtlog_profile_cpu = cpus[cpu];
	cpu_of_turn = cpu;
}

static struct evtlog_profile tasks[TASKS], spares[CPUS];
static unsigned int nr_tasks;

/* Without an argument, no memory is available for more nodes. */
static int has_memory;

void *evtlog_profile_alloc(size_t bytes)
{
	return has_memory ? calloc(1, bytes) : NULL;
}

static void show_path(const struct evtlog_profile_node *node)
{
	if (node->parent)
		show_path(node->parent);
	printf("%s%u", node->parent ? "/" : "", node->key & 0xffff);
}

static void show_sums(const struct evtlog_profile_sums *sums)
{
	printf(" %llu %llu %llu %llu\n", (unsigned long long)sums->count,
	       (unsigned long long)sums->inclusive, (unsigned long long)sums->exclusive,
	       (unsigned long long)sums->largest);
}

static void show(void)
{
	unsigned int i, at, slot;

	for (i = 0; i < nr_tasks; i++) {
		struct evtlog_profile *p = &tasks[i];
		unsigned long long apart = 0;

		evtlog_profile_leave_cpu(p);
		for (at = 0; at < p->nr_nodes; at++) {
			struct evtlog_profile_node *node = evtlog_profile_node(p, at);

			if (node->parent == &p->nodes[2])
				apart += node->sums.count;
		}
		printf("task %u rest %llu waiting %llu apart %llu unmatched %u ahead %llu free %u\n", i,
		       (unsigned long long)p->nodes[1].sums.count,
		       (unsigned long long)p->nodes[2].sums.count, apart, p->unmatched,
		       (unsigned long long)p->ahead, EVTLOG_PROFILE_NODES +
		       evtlog_callpath_more_capacity(p->more) - p->nr_nodes);
		for (at = 0; at < p->nr_nodes; at++) {
			struct evtlog_profile_node *node = evtlog_profile_node(p, at);
			struct evtlog_profile_sums sums = node->sums;

			if (sums.largest < node->largest_before)
				sums.largest = node->largest_before;
			printf("node %u ", i);
			show_path(node);
			show_sums(&sums);
		}
	}
	for (i = 0; i < CPUS; i++) {
		for (slot = 0; slot < EVTLOG_PROFILE_SLOTS; slot++) {
			const struct evtlog_profile_sums *sums = &evtlog_profile_slots[i][slot];

			if (!sums->count && !sums->exclusive)
				continue;
			printf("slot %u %u", i, evtlog_profile_slot_event(slot));
			show_sums(sums);
		}
	}
}

/* As evtlog_profile_call() in linux/evtlog.h, for a task that is in no other event */
static void enter(unsigned int event, unsigned long long tick)
{
	struct evtlog_profile *p = evtlog_profile_cpu.current_profile;
	struct evtlog_profile_node *node = p->calls[event % EVTLOG_PROFILE_CALLS];

	if (evtlog_profile_cpu.top != &p->nodes[0] || node->key != event) {
		evtlog_profile_enter(event, tick);
		return;
	}
	evtlog_profile_charge(&p->nodes[0], tick);
	node->start = tick;
	evtlog_profile_resume(node, tick);
	evtlog_profile_cpu.top = node;
}

static void settle(unsigned int cpu, unsigned int most)
{
	unsigned int i;

	for (i = 0; i < nr_tasks && most; i++) {
		if (tasks[i].cpu != cpu || &tasks[i] == evtlog_profile_cpu.current_profile)
			continue;
		evtlog_profile_leave_cpu(&tasks[i]);
		most--;
	}
}

int main(int argc, char *argv[] __attribute__((__unused__)))
{
	unsigned int a, b, c;
	unsigned long long tick;
	char line[128];

	has_memory = argc > 1;
	evtlog_profile_slots = calloc(CPUS, sizeof(*evtlog_profile_slots));
	for (a = 0; a < CPUS; a++)
		evtlog_profile_slots[a] = calloc(EVTLOG_PROFILE_SLOTS,
						 sizeof(**evtlog_profile_slots));
	while (fgets(line, sizeof(line), stdin)) {
		if (sscanf(line, "cpu %u %u %llu", &a, &b, &tick) == 3) {
			cpu_is(a);
			evtlog_profile_cpu.spare = &spares[a];
			tasks[b].born = 0;
			evtlog_profile_cpu_begin(&evtlog_profile_cpu, &tasks[b], a, tick);
		} else if (sscanf(line, "take %u %u %llu", &a, &b, &tick) == 3) {
			cpu_is(a);
			evtlog_profile_cpu.spare = &spares[a];
			evtlog_profile_cpu_begin(&evtlog_profile_cpu, &tasks[b], a, tick);
		} else if (sscanf(line, "offline %u %llu", &a, &tick) == 2) {
			cpu_is(a);
			evtlog_profile_cpu_offline(&evtlog_profile_cpu, tick);
		} else if (sscanf(line, "online %u %llu", &a, &tick) == 2) {
			cpu_is(a);
			evtlog_profile_cpu_online(&evtlog_profile_cpu, tick);
		} else if (sscanf(line, "end %u %llu", &a, &tick) == 2) {
			cpu_is(a);
			evtlog_profile_cpu_end(&evtlog_profile_cpu, tick);
		} else if (sscanf(line, "task %u %u %llu", &a, &b, &tick) == 3) {
			evtlog_profile_init(&tasks[a], b);
			evtlog_profile_begin(&tasks[a], tick);
			nr_tasks = a + 1 > nr_tasks ? a + 1 : nr_tasks;
		} else if (sscanf(line, "enter %u %u %llu", &a, &b, &tick) == 3) {
			cpu_is(a);
			enter(b, tick);
		} else if (sscanf(line, "exit %u %u %llu", &a, &b, &tick) == 3) {
			cpu_is(a);
			evtlog_profile_exit(b, tick);
		} else if (sscanf(line, "user %u %llu", &a, &tick) == 2) {
			cpu_is(a);
			evtlog_profile_to_user(tick);
		} else if (sscanf(line, "switch %u %u %u %llu", &a, &b, &c, &tick) == 4) {
			cpu_is(a);
			evtlog_profile_switch(&tasks[b], c, tick);
		} else if (sscanf(line, "waking %u %llu", &a, &tick) == 2) {
			evtlog_profile_waking(&tasks[a], tick);
		} else if (sscanf(line, "settle %u %u", &a, &b) == 2) {
			cpu_is(a);
			settle(a, b);
		} else if (!strcmp(line, "show\n")) {
			show();
		} else {
			fprintf(stderr, "profile_tree: %s: not an operation\n", line);
			return 2;
		}
	}
	return 0;
}
