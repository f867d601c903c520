// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes the log of a simulated machine, and the truth into a separate file.
 *
 * Stage: makes input for tests and benchmarks of the reader, as the command line requests.
 * machine.c simulates.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"

static void print_help(void)
{
	puts("Usage: make-log [OPTION...] FILE\n\n"
	     "  --events N      about so many records (10000)\n"
	     "  --cpus N        (2)\n"
	     "  --tasks N       (40)\n"
	     "  --buffer-kb N   (64)\n"
	     "  --compress N    0 no, 1 deflate, 2 every other, 3 pack, 4 all ways in turn (0)\n"
	     "  --seed N        (1)\n"
	     "  --miscount N    the kernel counts N switches more than are recorded\n"
	     "  --icmp N        received messages are counted, too, N more than are recorded\n"
	     "  --lose N        so many records are lost, once\n"
	     "  --nested N      so many are lost in the writer's own slow path\n"
	     "  --children N    so many tasks are made and exit\n"
	     "  --execs N       tasks execute programs, N in 100 steps (0)\n"
	     "  --spread        they run on other CPUs, and every other one is a thread\n"
	     "  --comm NAME     of one of the tasks\n"
	     "  --nameless      no snapshot of tasks is recorded\n"
	     "  --stopped       all CPUs start and stop at one instant, as before 0.5.0\n"
	     "  --host NAME     (testhost)\n"
	     "  --boot N        another boot of a host, or another host's (0)\n"
	     "  --run N         (1)\n"
	     "  --off NAMES     types that are not recorded: sched_switch,softirq_entry\n"
	     "  --told          the header says which types are\n"
	     "  --topology      the header tells packages of two cores of two CPUs\n"
	     "  --wild          children begin and move on CPUs of numbers beyond INT32_MAX\n"
	     "  --meta LINE     of the header, as tree=100; again and again\n"
	     "  --ahead N       ns by which each CPU's clocks are ahead of those of the CPU before (0)\n"
	     "  --ahead-ticks N the same of the tick counters alone\n"
	     "  --real-ns N     the real-time clock is ahead of that of the others (0)\n"
	     "  --run-name NAME (none)\n"
	     "  --truth FILE    what really happened, as JSON");
}

#define META		"logger_version=test\nirq_24=virtio0-input.0\n"
#define TOPOLOGY_META	"cpu_0=0 0\ncpu_1=0 0\ncpu_2=0 1\ncpu_3=0 1\n" \
			"cpu_4=1 0\ncpu_5=1 0\ncpu_6=1 1\ncpu_7=1 1\n"

/* Appends a line to the metadata. */
static void add_meta(struct loggen_options *log, const char *line)
{
	static char lines[4096];
	size_t used = strlen(lines);

	if (log->meta != lines)
		used = snprintf(lines, sizeof(lines), "%s", log->meta);
	snprintf(lines + used, sizeof(lines) - used, "%s\n", line);
	log->meta = lines;
}

/* Returns the bits of the types in a list such as "sched_switch,softirq_entry". */
static int take_off(uint64_t *off, char *names)
{
	char *name;

	while ((name = strsep(&names, ","))) {
		uint64_t before = *off;

#define X(number, NAME, type, words, fields) \
		if (!strcmp(name, #type)) \
			*off |= UINT64_C(1) << number;
		EVTLOG_TYPES(X)
#undef X
		if (*off == before)
			return -1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	enum { EVENTS = 256, WILD, CPUS, TASKS, BUFFER_KB, COMPRESS, SEED, MISCOUNT, ICMP, LOSE,
	       NESTED, CHILDREN, EXECS, SPREAD, COMM, NAMELESS, STOPPED, HOST, BOOT, RUN, RUN_NAME,
	       REAL_NS, AHEAD, AHEAD_TICKS, TRUTH, OFF, TOLD, TOPOLOGY, LINE_OF_META };
	static const struct option long_options[] = {
		{ "events", required_argument, NULL, EVENTS },
		{ "cpus", required_argument, NULL, CPUS },
		{ "tasks", required_argument, NULL, TASKS },
		{ "buffer-kb", required_argument, NULL, BUFFER_KB },
		{ "compress", required_argument, NULL, COMPRESS },
		{ "seed", required_argument, NULL, SEED },
		{ "miscount", required_argument, NULL, MISCOUNT },
		{ "icmp", required_argument, NULL, ICMP },
		{ "lose", required_argument, NULL, LOSE },
		{ "nested", required_argument, NULL, NESTED },
		{ "children", required_argument, NULL, CHILDREN },
		{ "execs", required_argument, NULL, EXECS },
		{ "spread", no_argument, NULL, SPREAD },
		{ "comm", required_argument, NULL, COMM },
		{ "nameless", no_argument, NULL, NAMELESS },
		{ "stopped", no_argument, NULL, STOPPED },
		{ "wild", no_argument, NULL, WILD },
		{ "host", required_argument, NULL, HOST },
		{ "boot", required_argument, NULL, BOOT },
		{ "run", required_argument, NULL, RUN },
		{ "real-ns", required_argument, NULL, REAL_NS },
		{ "run-name", required_argument, NULL, RUN_NAME },
		{ "ahead", required_argument, NULL, AHEAD },
		{ "ahead-ticks", required_argument, NULL, AHEAD_TICKS },
		{ "off", required_argument, NULL, OFF },
		{ "told", no_argument, NULL, TOLD },
		{ "topology", no_argument, NULL, TOPOLOGY },
		{ "meta", required_argument, NULL, LINE_OF_META },
		{ "truth", required_argument, NULL, TRUTH },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	struct machine_options options = {
		.log = loggen_defaults(),
		.tasks = 40,
		.seed = 1,
	};
	const char *truth = NULL;
	uint64_t events = 10000;
	struct loggen *gen;
	int option, error;

	options.log.buffer_bytes = 64 << 10;
	options.log.meta = META;
	while ((option = getopt_long(argc, argv, "h", long_options, NULL)) !=
	       -1) {
		uint64_t number = optarg ? strtoull(optarg, NULL, 10) : 0;

		switch (option) {
		case EVENTS:
			events = number;
			break;
		case CPUS:
			options.log.cpus = number < MACHINE_CPUS_MAX ? number :
					   MACHINE_CPUS_MAX;
			break;
		case TOPOLOGY:
			options.log.meta = META TOPOLOGY_META;
			break;
		case LINE_OF_META:
			add_meta(&options.log, optarg);
			break;
		case TASKS:
			options.tasks = number < MACHINE_TASKS_MAX ? number :
					MACHINE_TASKS_MAX;
			break;
		case BUFFER_KB:
			options.log.buffer_bytes = number << 10;
			break;
		case COMPRESS:
			options.log.compress = number;
			break;
		case SEED:
			options.seed = number;
			break;
		case MISCOUNT:
			options.miscount = number;
			break;
		case ICMP:
			options.count_icmp = true;
			options.miscount_icmp = number;
			break;
		case LOSE:
			options.lose = number;
			break;
		case NESTED:
			options.nested = number;
			break;
		case CHILDREN:
			options.children = number;
			break;
		case EXECS:
			options.execs = number;
			break;
		case SPREAD:
			options.spread = true;
			break;
		case COMM:
			options.comm = optarg;
			break;
		case NAMELESS:
			options.nameless = true;
			break;
		case WILD:
			options.wild = true;
			break;
		case STOPPED:
			options.stopped = true;
			break;
		case HOST:
			options.log.host = optarg;
			break;
		case BOOT:
			options.log.boot = number;
			break;
		case AHEAD_TICKS:
			options.log.skew_ticks = number;
			/* fallthrough */
		case AHEAD:
			options.ahead = number;
			break;
		case REAL_NS:
			options.log.boot_real_ns += number;
			break;
		case RUN:
			options.log.run = number;
			break;
		case RUN_NAME:
			options.log.run_name = optarg;
			break;
		case OFF:
			if (take_off(&options.log.off, optarg))
				return 2;
			break;
		case TOLD:
			options.log.tells_events = true;
			break;
		case TRUTH:
			truth = optarg;
			break;
		case 'h':
			print_help();
			return 0;
		default:
			return 2;
		}
	}
	if (optind + 1 != argc || !options.log.cpus || !options.tasks)
		return 2;
	gen = machine_run(&options, events);
	error = loggen_save(gen, argv[optind]);
	if (error)
		fprintf(stderr, "make-log: %s: %s\n", argv[optind],
			strerror(-error));
	if (truth && machine_tell(truth)) {
		fprintf(stderr, "make-log: %s: %m\n", truth);
		error = -1;
	}
	loggen_free(gen);
	machine_free();
	return error ? 1 : 0;
}
