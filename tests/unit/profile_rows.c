// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * profile_rows SEED READINGS [busy] - reads CPUs of the kernel's unmodified profiles, while tasks
 * are forked, run, migrate, get a profile and exit, at every possible moment. Each reading is exact
 * to the tick, and has all events that ended on the CPU. With "busy", each time more tasks come to
 * the CPU than settle at once. Prints the counts of what happened; aborts if a claim is wrong.
 */
#include "profile_rows.h"

#include "callpath/memory.h"
#include "profile/list.h"
#include "profile/process.h"
#include "profile/profile.h"
#include "profile/switch.h"

#define TASKS		60
#define LIVING		40
#define EVENTS		4
#define DEPTH		2
#define FIRST_EVENT	0x1000

#define claim(holds, ...)						\
do {									\
	if (!(holds)) {							\
		fprintf(stderr, "profile_rows: ");			\
		fprintf(stderr, __VA_ARGS__);				\
		fprintf(stderr, "\n");					\
		abort();						\
	}								\
} while (0)

u64 machine_tick = 1000;
unsigned int machine_cpu;
bool machine_irqs_off;
DEFINE_STATIC_KEY_FALSE(evtlog_profile_slow_key);
DEFINE_STATIC_KEY_FALSE(evtlog_profile_trace_key);
struct task_struct *machine_current[CPUS];
struct evtlog_profile_cpu evtlog_profile_cpu;

static struct evtlog_profile_cpu cpus[CPUS];
static struct task_struct idle[CPUS], *tasks[TASKS];
static struct evtlog_profile spares[CPUS];
/* Events that ended per CPU, and their number when a CPU was last called */
static u64 ended[CPUS], ended_then;
static bool is_gone_through, is_busy;
static unsigned int living, forks, exits, attached, readings, nested, open_files;
/* CPUs that must do nothing: interrupts are off, or the CPU waits for another. */
static bool is_held[CPUS];
static u64 seed;

/* splitmix64 */
static unsigned int draw(unsigned int below)
{
	u64 z = seed += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return (z ^ z >> 31) % below;
}

struct evtlog_profile_cpu *machine_profile_cpu(unsigned int cpu)
{
	return cpu == machine_cpu ? &evtlog_profile_cpu : &cpus[cpu];
}

static void cpu_is(unsigned int cpu)
{
	cpus[machine_cpu] = evtlog_profile_cpu;
	evtlog_profile_cpu = cpus[cpu];
	machine_cpu = cpu;
}

/* Other parts of the kernel's profiles */
u64 evtlog_profile_record_fork(struct task_struct *child)
{
	return machine_tick;
}

void evtlog_profile_family_without(const struct evtlog_profile *parent) { }
void evtlog_profile_family_inherit(struct evtlog_profile *child,
				   const struct evtlog_profile *parent) { }
struct evtlog_profile_process *evtlog_profile_process_new(gfp_t gfp)
{
	static struct evtlog_profile_process process;

	return &process;
}

void evtlog_profile_process_put(struct evtlog_profile_process *process) { }
void evtlog_profile_process_leave(struct evtlog_profile *p) { }
void evtlog_profile_process_fork(struct task_struct *child, struct evtlog_profile *p) { }
void evtlog_profile_process_join(struct task_struct *task, struct evtlog_profile *p,
				 struct evtlog_profile_process **spare) { }
void evtlog_profile_family_leave(struct evtlog_profile *p) { }
void evtlog_profile_trace_inherit(struct task_struct *child, struct evtlog_profile *p,
				  const struct evtlog_profile *parent) { }
void evtlog_profile_trace_end(const struct task_struct *task, struct evtlog_profile *p) { }
void evtlog_profile_tell_exit(const struct task_struct *task, struct evtlog_profile *p) { }
void evtlog_profile_self_end(struct evtlog_profile *p) { }
raw_spinlock_t evtlog_profile_self_lock;
unsigned int evtlog_profile_root(unsigned int root) { return root; }
void evtlog_profile_publish(struct evtlog_profile *p, const struct evtlog_profile_node *left,
			    u64 now) { }
void evtlog_profile_show_path(struct seq_file *m, const u16 *events, unsigned int depth,
			      const struct evtlog_profile_sums *sums) { }
struct evtlog_profile_counts evtlog_profile_counts;
void evtlog_profile_values_of_cpu(unsigned int cpu, struct evtlog_profile_values *values) { }
void evtlog_profile_values_show(struct seq_file *m, const struct evtlog_profile_values *values) { }

static void switch_to(struct task_struct *next)
{
	static const unsigned int hows[] = {
		EVTLOG_PROFILE_PREEMPTED, EVTLOG_PROFILE_RUNQUEUE, EVTLOG_PROFILE_BLOCKED_IO,
	};

	bool off = machine_irqs_off;

	machine_irqs_off = true;
	evtlog_profile_switch(next->evtlog_profile, hows[draw(3)], machine_tick);
	machine_irqs_off = off;
	current->is_running = false;
	current = next;
	next->is_running = true;
}

/* Returns a task that may come to this CPU, or its idle task. */
static struct task_struct *some_task(void)
{
	struct task_struct *task = tasks[draw(TASKS)];

	return task && !task->is_running && !task->is_kept ? task : &idle[machine_cpu];
}

static unsigned int free_place(void)
{
	unsigned int i;

	for (i = 0; tasks[i]; i++)
		;
	return i;
}

/* Without @is_told, no hook reports the fork, as if profiles had been off. */
static struct task_struct *make(bool is_told)
{
	struct task_struct *task = calloc(1, sizeof(*task));

	task->group_leader = task;
	task->flags = draw(2) ? PF_KTHREAD : 0;
	if (is_told)
		__evtlog_profile_fork(task);
	tasks[free_place()] = task;
	living++;
	forks++;
	return task;
}

static void end_some(void)
{
	unsigned int i = draw(TASKS);

	if (!tasks[i] || tasks[i]->is_running || tasks[i]->is_kept || living < LIVING / 2)
		return;
	if (tasks[i]->evtlog_profile)
		__evtlog_profile_free(tasks[i]);
	free(tasks[i]);
	tasks[i] = NULL;
	living--;
	exits++;
}

static void enter_or_leave(void)
{
	struct task_struct *task = current;

	/* An event must end in the profile in which it began. */
	if (!task->evtlog_profile || evtlog_profile_cpu.current_profile != task->evtlog_profile)
		return;
	if (task->depth < DEPTH && draw(2)) {
		task->within[task->depth] = FIRST_EVENT + draw(EVENTS);
		evtlog_profile_enter(task->within[task->depth++], machine_tick);
	} else if (task->depth) {
		evtlog_profile_exit(task->within[--task->depth], machine_tick);
		ended[machine_cpu]++;
	}
}

static void read_cpu(unsigned int number);

/* The current task maps its page; it may continue on another CPU. */
static void attach(void)
{
	struct task_struct *task = current;

	if (task->evtlog_profile || task->is_idle)
		return;
	claim(evtlog_profile_attach(), "no profile");
	claim(current == task, "another task goes on");
	attached++;
}

/* @on_all: also on this CPU, which may be preempted */
static void happen(unsigned int most, bool on_all)
{
	unsigned int here = machine_cpu, steps = draw(most + 1);
	bool off = machine_irqs_off;

	while (steps--) {
		unsigned int there = draw(CPUS);

		if (is_held[there] || (there == here && !on_all))
			continue;
		cpu_is(there);
		machine_tick += draw(3) ? draw(50) : 0;
		/* Interrupts are off: nothing else happens within. */
		machine_irqs_off = true;
		switch (draw(7)) {
		case 0:
		case 1:
			switch_to(some_task());
			break;
		case 2:
		case 3:
			enter_or_leave();
			break;
		case 4:
			if (living < LIVING)
				make(draw(4));
			break;
		case 5:
			end_some();
			break;
		case 6:
			/* The task runs at once, and leaves. */
			if (living < LIVING && draw(4) == 0) {
				switch_to(make(true));
				machine_tick += draw(50);
				enter_or_leave();
				switch_to(some_task());
			}
			break;
		}
	}
	cpu_is(here);
	machine_irqs_off = off;
}

/* More settled tasks come to the CPU than are looked at in one go. */
static void crowd(unsigned int cpu)
{
	unsigned int here = machine_cpu, i;

	cpu_is(cpu);
	for (i = 0; i < TASKS; i++) {
		if (tasks[i] && !tasks[i]->is_running && !tasks[i]->is_kept)
			switch_to(tasks[i]);
		machine_tick += draw(20);
	}
	cpu_is(here);
}

/* Other tasks run, and this task again, here or elsewhere; the CPU is read at the same time. */
static void be_preempted(void)
{
	struct task_struct *task = current;

	nested++;
	task->is_kept = true;
	switch_to(&idle[machine_cpu]);
	machine_tick += draw(20);
	switch_to(task);
	machine_tick += 1 + draw(20);
	switch_to(&idle[machine_cpu]);
	if (!is_gone_through)
		read_cpu(machine_cpu);
	cpu_is(draw(CPUS));
	switch_to(task);
	task->is_kept = false;
	nested--;
}

unsigned long machine_irq_save(void)
{
	bool off = machine_irqs_off;

	if (!off && !nested && !current->is_idle && !is_held[machine_cpu])
		be_preempted();
	machine_irqs_off = true;
	return off;
}

void machine_lock(bool *lock)
{
	claim(machine_irqs_off, "a lock is taken with interrupts on");
	claim(!*lock, "a lock is taken twice");
	*lock = true;
}

int smp_call_function_single(unsigned int cpu, void (*act)(void *data), void *data, int wait)
{
	unsigned int here = machine_cpu;
	bool off = machine_irqs_off;

	claim(!off, "a CPU is called with interrupts off");
	happen(12, true);
	if (is_busy)
		crowd(cpu);
	is_held[cpu] = true;
	cpu_is(cpu);
	machine_irqs_off = true;
	act(data);
	ended_then = ended[cpu];
	cpu_is(here);
	machine_irqs_off = off;
	is_held[cpu] = false;
	happen(12, true);
	return 0;
}

void on_each_cpu(void (*act)(void *data), void *data, int wait)
{
	claim(!machine_irqs_off, "all CPUs are called with interrupts off");
	happen(12, true);
}

void mutex_lock(struct mutex *mutex)
{
	claim(!mutex->is_held, "two go through all");
	mutex->is_held = is_gone_through = true;
}

void mutex_unlock(struct mutex *mutex)
{
	mutex->is_held = is_gone_through = false;
}

static void read_cpu(unsigned int number)
{
	static struct evtlog_profile_row row;
	u64 ticks = 0, count = 0;
	unsigned int i;

	evtlog_profile_lists_keep();
	evtlog_profile_row_show(NULL, number, &row);
	/* Sometimes the file stays open while others are read. */
	if (open_files && draw(2)) {
		evtlog_profile_lists_leave();
		open_files--;
	} else if (draw(2)) {
		evtlog_profile_lists_leave();
	} else {
		open_files++;
	}
	for (i = 0; i < EVTLOG_PROFILE_SLOTS; i++) {
		unsigned int event = evtlog_profile_slot_event(i);

		ticks += row.sums[i].exclusive;
		if (event >= FIRST_EVENT && event < FIRST_EVENT + EVENTS)
			count += row.sums[i].count;
	}
	claim(ticks == row.until - row.begin, "CPU %u: %lu ticks of %lu are missing", number,
	      row.until - row.begin - ticks, row.until - row.begin);
	claim(count == ended_then, "CPU %u: %lu events of %lu", number, count, ended_then);
	readings++;
}

static void begin(void)
{
	unsigned int i;

	evtlog_profile_epoch = 1;
	evtlog_profile_slots = calloc(CPUS, sizeof(*evtlog_profile_slots));
	for (i = 0; i < CPUS; i++) {
		evtlog_profile_slots[i] = calloc(EVTLOG_PROFILE_SLOTS,
						 sizeof(**evtlog_profile_slots));
		machine_current[i] = idle[i].group_leader = &idle[i];
		idle[i].is_idle = idle[i].is_running = true;
		machine_irqs_off = true;
		cpu_is(i);
		claim(evtlog_profile_attach(), "no profile");
		evtlog_profile_cpu.spare = &spares[i];
		evtlog_profile_cpu_begin(&evtlog_profile_cpu, idle[i].evtlog_profile, i,
					 machine_tick);
		machine_irqs_off = false;
	}
}

int main(int argc, char **argv)
{
	long count;

	if (argc < 3)
		return 2;
	seed = strtoull(argv[1], NULL, 0);
	count = atol(argv[2]);
	is_busy = argc > 3;
	begin();
	while (count--) {
			happen(30, true);
		cpu_is(draw(CPUS));
		if (current->is_idle)
			switch_to(some_task());
		attach();
		cpu_is(draw(CPUS));
		read_cpu(draw(CPUS));
	}
	printf("seed %s: %u readings, %u forks, %u exits, %u attached\n", argv[1], readings, forks,
	       exits, attached);
	return 0;
}
