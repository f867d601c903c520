// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes the log of a simulated machine, and the truth into a separate file.
 *
 * Stage: makes input for tests and benchmarks of the reader, as the command line requests.
 * machine.c simulates.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/options.h"
#include "machine.h"

#define META		"logger_version=test\nirq_24=virtio0-input.0\n"
#define TOPOLOGY_META	"cpu_0=0 0\ncpu_1=0 0\ncpu_2=0 1\ncpu_3=0 1\n" \
			"cpu_4=1 0\ncpu_5=1 0\ncpu_6=1 1\ncpu_7=1 1\n"

static struct machine_options machine;
static uint64_t events = 10000;

/* Appends a line to the metadata. */
static void add_meta(const char *line)
{
	static char lines[4096];
	size_t used = strlen(lines);

	if (machine.log.meta != lines)
		used = snprintf(lines, sizeof(lines), "%s", machine.log.meta);
	snprintf(lines + used, sizeof(lines) - used, "%s\n", line);
	machine.log.meta = lines;
}

static void add_topology(const char *none)
{
	machine.log.meta = META TOPOLOGY_META;
}

static void count_icmp(const char *more)
{
	machine.count_icmp = true;
	machine.miscount_icmp = strtoull(more, NULL, 10);
}

/* Takes types that are not recorded: "sched_switch,softirq_entry". */
static void take_off(const char *list)
{
	char *names = strdup(list), *rest = names, *name;

	while ((name = strsep(&rest, ","))) {
		uint64_t before = machine.log.off;

#define X(number, NAME, type, words, fields) \
		if (!strcmp(name, #type)) \
			machine.log.off |= UINT64_C(1) << number;
		EVTLOG_TYPES(X)
#undef X
		if (machine.log.off == before)
			exit(2);
	}
	free(names);
}

int main(int argc, char **argv)
{
	unsigned int buffer_kb = 64;
	uint64_t ahead_ticks = 0, real_ns = 0;
	const char *truth = NULL, *path;
	const struct test_option table[] = {
		OPTION("events", "N", &events, "about so many records (10000)"),
		OPTION("cpus", "N", &machine.log.cpus, "(2)"),
		OPTION("tasks", "N", &machine.tasks, "(40)"),
		OPTION("buffer-kb", "N", &buffer_kb, "(64)"),
		OPTION("compress", "N", (unsigned int *)&machine.log.compress,
		       "0 no, 1 deflate, 2 every other, 3 pack, 4 all ways in turn (0)"),
		OPTION("seed", "N", &machine.seed, "(1)"),
		OPTION("miscount", "N", &machine.miscount,
		       "the kernel counts N switches more than are recorded"),
		OPTION_TAKE("icmp", "N", count_icmp,
			    "received messages are counted, too, N more than are recorded"),
		OPTION("lose", "N", &machine.lose, "so many records are lost, once"),
		OPTION("nested", "N", &machine.nested, "so many are lost in the writer's slow path"),
		OPTION("children", "N", &machine.children, "so many tasks are made and exit"),
		OPTION("execs", "N", &machine.execs, "tasks execute programs, N in 100 steps (0)"),
		OPTION("spread", NULL, &machine.spread,
		       "they run on other CPUs, and every other one is a thread"),
		OPTION("comm", "NAME", &machine.comm, "of one of the tasks"),
		OPTION("nameless", NULL, &machine.nameless, "no snapshot of tasks is recorded"),
		OPTION("stopped", NULL, &machine.stopped,
		       "all CPUs start and stop at one instant, as before 0.5.0"),
		OPTION("host", "NAME", &machine.log.host, "(testhost)"),
		OPTION("boot", "N", &machine.log.boot, "another boot, or another host's (0)"),
		OPTION("run", "N", &machine.log.run, "(1)"),
		OPTION_TAKE("off", "NAMES", take_off,
			    "types that are not recorded: sched_switch,softirq_entry"),
		OPTION("told", NULL, &machine.log.tells_events, "the header says which types are"),
		OPTION_TAKE("topology", NULL, add_topology,
			    "the header tells packages of two cores of two CPUs"),
		OPTION("wild", NULL, &machine.wild,
		       "children begin and move on CPUs of numbers beyond INT32_MAX"),
		OPTION_TAKE("meta", "LINE", add_meta, "of the header, as tree=100; repeatable"),
		OPTION("ahead", "N", &machine.ahead,
		       "ns by which each CPU's clocks are ahead of those of the CPU before (0)"),
		OPTION("ahead-ticks", "N", &ahead_ticks, "the same of the tick counters alone"),
		OPTION("real-ns", "N", &real_ns,
		       "the real-time clock is ahead of that of the others (0)"),
		OPTION("run-name", "NAME", &machine.log.run_name, "(none)"),
		OPTION("truth", "FILE", &truth, "what really happened, as JSON"),
		{ }
	};
	struct loggen *gen;
	int error;

	machine.log = loggen_defaults();
	machine.log.meta = META;
	machine.tasks = 40;
	machine.seed = 1;
	path = *test_options(table, "[OPTION...] FILE", 1, argc, argv);
	if (!machine.log.cpus || !machine.tasks)
		return 2;
	if (machine.log.cpus > MACHINE_CPUS_MAX)
		machine.log.cpus = MACHINE_CPUS_MAX;
	if (machine.tasks > MACHINE_TASKS_MAX)
		machine.tasks = MACHINE_TASKS_MAX;
	machine.log.buffer_bytes = buffer_kb << 10;
	machine.log.boot_real_ns += real_ns;
	machine.log.skew_ticks = ahead_ticks;
	if (ahead_ticks)
		machine.ahead = ahead_ticks;
	gen = machine_run(&machine, events);
	error = loggen_save(gen, path);
	if (error)
		fprintf(stderr, "make-log: %s: %s\n", path, strerror(-error));
	if (truth && machine_tell(truth)) {
		fprintf(stderr, "make-log: %s: %m\n", truth);
		error = -1;
	}
	loggen_free(gen);
	machine_free();
	return error ? 1 : 0;
}
