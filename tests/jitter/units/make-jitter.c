// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Simulates loops that are interrupted: writes their log, their samples and, apart from both, the
 * truth about them.
 *
 * The simulation itself adds up the truth, in ticks, without the log.  A tick is 0.4 ns.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../../support/loggen.h"
#include "../../support/xorshift.h"
#include "jitter/bench/run.h"
#include "pings.h"

#define TICKS_HZ	2500000000ull
#define CPUS_MAX	16
#define VICTIM		1000
#define BASE_TICKS	40
#define CROSSING_TICKS	300
#define THRESHOLD_TICKS	2500
#define DAEMON_EVERY	(TICKS_HZ / 50)
/* How far each host's clock is ahead of the previous host's */
#define AHEAD_NS	3000000000ull

/* Sources that take time; the names are those of the report's table. */
enum source {
	TIMER, TIMER_SOFTIRQ, RCU_SOFTIRQ, DEVICE, FAULT, KWORKER, DAEMON, HOSTILE, LONG,
	ENTRY, MACHINE, SOURCES
};

static const char *const names[SOURCES] = {
	[TIMER] = "timer interrupt",
	[TIMER_SOFTIRQ] = "softirq TIMER",
	[RCU_SOFTIRQ] = "softirq RCU",
	[DEVICE] = "irq 24 virtio0-input.0",
	[FAULT] = "page fault",
	[KWORKER] = "kworker",
	[DAEMON] = "daemon",
	[HOSTILE] = "=a,\"b\"\033[31m\xc2\x9b",
	[LONG] = "fifteen-letters",
	[ENTRY] = "kernel entry and exit",
	[MACHINE] = "hypervisor or hardware",
};

/* The sources that are tasks */
static const struct task {
	enum source source;
	uint32_t pid;
	bool kernel_thread;
	const char *comm;
} tasks[] = {
	{ KWORKER, 20, true, "kworker/0:1" },
	{ KWORKER, 21, true, "kworker/u4:2" },
	{ DAEMON, 300, false, "daemon" },
	{ HOSTILE, 301, false, "=a,\"b\"\033[31m\xc2\x9b" },
	{ LONG, 302, false, "fifteen-letters" },
};
enum { DAEMON_TASK = 2, TASKS = sizeof(tasks) / sizeof(tasks[0]) };

struct loop {
	unsigned int number;
	uint64_t now;
	uint64_t begin, end;
	uint64_t next_daemon;
	uint64_t ticks[SOURCES];
	uint64_t *lengths;
	size_t length_count;
	struct evtlog_sample *samples;
	size_t sample_count;
	size_t capacity;
	uint64_t below_ticks;
	uint64_t noise_ticks;
	uint64_t kernel_ticks;
	bool is_renamed;
};

static struct loggen_options options;
static struct loggen *gen;
static struct loop loops[CPUS_MAX];
static uint64_t random_state, lose_at, daemon_runs = 500000;
static unsigned int lost, measured = 2, node;
static bool empty, in_threads, has_names;

static uint64_t below(uint64_t limit)
{
	return xorshift(&random_state) % limit;
}

static void record(struct loop *loop, unsigned int type, uint32_t data)
{
	loggen_record(gen, loop->number, loop->now, type, data, 1, NULL);
}

static void pass(struct loop *loop, enum source source, uint64_t ticks)
{
	loop->now += ticks;
	loop->ticks[source] += ticks;
}

static void handler(struct loop *loop, unsigned int entry, uint32_t data, enum source source,
		    uint64_t ticks)
{
	record(loop, entry, data);
	pass(loop, source, 1 + ticks / 2);
	/* Sometimes a device interrupts the handler. */
	if (source != DEVICE && !below(10)) {
		handler(loop, EVTLOG_IRQ_HANDLER_ENTRY, 24, DEVICE, below(5000));
		pass(loop, source, 1 + below(500));
	}
	pass(loop, source, 1 + ticks / 2);
	record(loop, entry + 1, data | (entry == EVTLOG_IRQ_HANDLER_ENTRY ? 1 << 24 : 0));
}

static void run_task(struct loop *loop, const struct task *task, uint64_t ticks)
{
	uint32_t victim = VICTIM + loop->number;
	uint64_t faults = below(6) ? 0 : below(60);

	record(loop, EVTLOG_SCHED_WAKING, task->pid + 10000 * loop->number);
	pass(loop, ENTRY, 200 + below(300));
	record(loop, EVTLOG_SCHED_SWITCH, (task->pid + 10000 * loop->number) |
	       EVTLOG_STATE_PREEMPTED << EVTLOG_PID_BITS);
	loggen_running(gen, loop->number, task->comm);
	pass(loop, task->source, ticks / 2);
	/* Page faults: its memory is not there yet. */
	for (; faults && task->source != DAEMON; faults--) {
		handler(loop, EVTLOG_EXCEPTION_ENTRY, 14, FAULT, 500 + below(2000));
		pass(loop, task->source, 100);
	}
	if (!below(4)) {
		handler(loop, EVTLOG_LOCAL_TIMER_ENTRY, 236, TIMER, 1000 + below(3000));
		pass(loop, task->source, 100);
	}
	pass(loop, task->source, ticks / 2);
	/* The task sleeps in state S. */
	record(loop, EVTLOG_SCHED_SWITCH, victim | 1 << EVTLOG_PID_BITS);
	loggen_running(gen, loop->number, loop->is_renamed ? "other" : "loop");
	pass(loop, ENTRY, 100 + below(200));
}

static void in_kernel(struct loop *loop)
{
	switch (below(8)) {
	case 0:
		/* No record shows the cause. */
		pass(loop, ENTRY, 100 + below(8000));
		return;
	case 1:
		handler(loop, EVTLOG_EXCEPTION_ENTRY, 14, FAULT, 500 + below(4000));
		break;
	case 2:
		handler(loop, EVTLOG_IRQ_HANDLER_ENTRY, 24, DEVICE, 500 + below(9000));
		break;
	default:
		handler(loop, EVTLOG_LOCAL_TIMER_ENTRY, 236, TIMER, 1000 + below(5000));
		if (!below(3)) {
			pass(loop, ENTRY, 50);
			handler(loop, EVTLOG_SOFTIRQ_ENTRY, 1, TIMER_SOFTIRQ, 200 + below(2000));
			pass(loop, ENTRY, 50);
			handler(loop, EVTLOG_SOFTIRQ_ENTRY, 9, RCU_SOFTIRQ, 200 + below(6000));
		}
		pass(loop, ENTRY, 100);
		if (!below(5)) {
			unsigned int number = below(TASKS);

			if (tasks[number].source != DAEMON)
				run_task(loop, &tasks[number], 2 + below(400000));
		}
	}
	pass(loop, ENTRY, 80 + below(100));
}

/* Loses the records of 400 us, once.  The loop is in the kernel for all this time. */
static void lose(struct loop *loop)
{
	if (!lose_at || loop->number || loop->now < loop->begin + lose_at)
		return;
	lost = 7;
	loggen_lose(gen, 0, loop->now, loop->now + 1000000, lost, VICTIM, 0);
	pass(loop, ENTRY, 1000000);
	lose_at = 0;
}

static void interruption(struct loop *loop, bool daemon)
{
	uint64_t left;

	record(loop, EVTLOG_USER_EXIT, EVTLOG_USER_EXIT_OTHER);
	left = loop->now;
	pass(loop, ENTRY, 50 + below(100));
	lose(loop);
	if (daemon)
		run_task(loop, &tasks[2], daemon_runs);
	else
		in_kernel(loop);
	record(loop, EVTLOG_USER_ENTER, VICTIM + loop->number);
	if (!(loop->length_count & (loop->length_count - 1))) {
		loop->lengths = reallocarray(loop->lengths, 2 * loop->length_count + 1,
					     sizeof(*loop->lengths));
		if (!loop->lengths)
			abort();
	}
	loop->lengths[loop->length_count++] = loop->now - left;
	loop->kernel_ticks += loop->now - left;
}

/* The loop's measurement: from its last reading before to its first reading after */
static void sample(struct loop *loop, uint64_t from)
{
	uint64_t noise;

	loop->now += CROSSING_TICKS / 2 + below(10);
	noise = loop->now - from - BASE_TICKS;
	if (noise <= THRESHOLD_TICKS) {
		loop->below_ticks += noise;
		return;
	}
	if (loop->sample_count == loop->capacity) {
		loop->capacity = 2 * loop->capacity + 64;
		loop->samples = reallocarray(loop->samples, loop->capacity, sizeof(*loop->samples));
		if (!loop->samples)
			abort();
	}
	loop->samples[loop->sample_count++] = (struct evtlog_sample) { from, loop->now, 0 };
	loop->noise_ticks += noise;
}

/* Sometimes the loop gets another name. */
static void rename_loop(struct loop *loop)
{
	uint64_t words[2] = { 0 };

	if (!has_names || below(20))
		return;
	loop->is_renamed = !loop->is_renamed;
	loggen_comm(words, loop->is_renamed ? "other" : "loop");
	loggen_record(gen, loop->number, loop->now, EVTLOG_TASK_RENAME, VICTIM + loop->number, 3,
		      words);
	loggen_running(gen, loop->number, loop->is_renamed ? "other" : "loop");
}

static void step(struct loop *loop)
{
	uint64_t from, due = loop->now + 1000 + below(500000);
	bool daemon = due >= loop->next_daemon;

	/* The daemon may be due already. */
	if (!daemon)
		loop->now = due;
	else if (loop->now < loop->next_daemon)
		loop->now = loop->next_daemon;
	from = loop->now;
	rename_loop(loop);
	loop->now += CROSSING_TICKS / 2 + BASE_TICKS + below(10);
	if (daemon) {
		loop->next_daemon += DAEMON_EVERY;
		interruption(loop, true);
	} else if (!below(50)) {
		uint64_t ticks = 5000 + below(100000);

		/* Without a record */
		loop->now += ticks;
		loop->ticks[MACHINE] += loop->now + CROSSING_TICKS / 2 - from - BASE_TICKS;
	} else {
		interruption(loop, false);
		if (!below(100)) {
			loop->now += 10;
			interruption(loop, false);
		}
	}
	sample(loop, from);
}

/* With --threads: the process of a CPU's programs, the same for each pair of CPUs */
static uint32_t process_of(unsigned int cpu)
{
	return tasks[DAEMON_TASK].pid + 10000 * (cpu & ~1u);
}

static void snapshot(struct loop *loop)
{
	for (unsigned int i = 0; i < TASKS; i++) {
		uint32_t pid = tasks[i].pid + 10000 * loop->number;
		uint64_t words[6] = {
			(tasks[i].kernel_thread || !in_threads ? pid :
			 process_of(loop->number)) | (uint64_t)1 << 32, 1000000,
			loop->number | (uint64_t)(tasks[i].kernel_thread ?
						  EVTLOG_TASK_KTHREAD : 0) << 32,
		};

		loggen_comm(words + 4, tasks[i].comm);
		loggen_record(gen, loop->number, loop->now++, EVTLOG_TASK, pid | 1 << 22, 7,
			      words);
	}
}

static void simulate(struct loop *loop, uint64_t ticks)
{
	uint32_t victim = VICTIM + loop->number;

	loop->now = options.boot_ticks + TICKS_HZ / 100;
	loggen_begin(gen, loop->number, loop->now, 20 + 10000 * loop->number, "kworker/0:1");
	snapshot(loop);
	record(loop, EVTLOG_SCHED_SWITCH, victim | 1 << EVTLOG_PID_BITS);
	loggen_running(gen, loop->number, "loop");
	loop->now += 500;
	record(loop, EVTLOG_USER_ENTER, victim);
	loop->now += 10000;
	loop->begin = loop->now;
	loop->next_daemon = daemon_runs ? loop->now + DAEMON_EVERY / 3 : UINT64_MAX;
	while (!empty && loop->now < loop->begin + ticks) {
		step(loop);
	}
	if (empty)
		loop->now += ticks;
	loop->end = loop->now + 1000;
	loop->now += 5000;
	record(loop, EVTLOG_USER_EXIT, EVTLOG_USER_EXIT_SYSCALL | 60 << 2);
	loop->now += 5000;
	loggen_end(gen, loop->number, loop->now);
}

static int write_samples(const char *path, uint32_t flags, const char *more, bool halved)
{
	struct evtlog_samples_thread threads[CPUS_MAX] = { 0 };
	const struct evtlog_sample *samples[CPUS_MAX];
	struct samples_file file = {
		.flags = flags,
		.method = EVTLOG_SAMPLES_LOOP,
		.ticks_hz = TICKS_HZ,
		.threads = threads,
		.samples = samples,
		.count = measured,
	};
	char text[512];

	snprintf(text, sizeof(text), "version=1\nhost=%s\nkernel=6.1.0-simulated\n"
		 "threshold_ns=1000\nduration_ns=1000000000\nirq.24=virtio0-input.0\n%s",
		 options.host, more);
	file.text = text;
	for (unsigned int i = 0; i < measured; i++) {
		const struct loop *loop = &loops[i];

		threads[i] = (struct evtlog_samples_thread) {
			.cpu = i, .pid = VICTIM + i, .begin_ticks = loop->begin,
			.end_ticks = loop->end, .rounds = (loop->end - loop->begin) / BASE_TICKS,
			.base_ticks = BASE_TICKS, .threshold_ticks = THRESHOLD_TICKS,
			.samples = loop->sample_count / (halved ? 2 : 1),
			.below_ticks = loop->below_ticks,
			.begin.run = flags & EVTLOG_SAMPLES_LOGGED ? options.run : 0,
			.end.run = flags & EVTLOG_SAMPLES_LOGGED ? options.run : 0,
			.begin.ticks = loop->begin, .end.ticks = loop->end,
		};
		samples[i] = loop->samples;
	}
	return samples_save(path, &file);
}

/* Writes JSON.  Names are written byte by byte: the test decodes what is not ASCII. */
static int tell_truth(const char *path)
{
	FILE *out = fopen(path, "we");

	if (!out)
		return -1;
	fprintf(out, "{\"ns_per_tick\": 0.4, \"lost\": %u, \"threads\": [\n", lost);
	for (unsigned int i = 0; i < measured; i++) {
		const struct loop *loop = &loops[i];

		fprintf(out, "{\"cpu\": %u, \"samples\": %zu, \"noise_ticks\": %" PRIu64
			", \"kernel_ticks\": %" PRIu64 ", \"below_ticks\": %" PRIu64
			", \"window_ticks\": %" PRIu64 ", \"ticks\": [", i,
			loop->sample_count, loop->noise_ticks, loop->kernel_ticks,
			loop->below_ticks, loop->end - loop->begin);
		for (int k = 0; k < MACHINE; k++)
			fprintf(out, "%s%" PRIu64, k ? ", " : "", loop->ticks[k]);
		fprintf(out, "], \"lengths\": [");
		for (size_t k = 0; k < loop->length_count; k++)
			fprintf(out, "%s%" PRIu64, k ? ", " : "", loop->lengths[k]);
		fprintf(out, "]}%s\n", i + 1 < measured ? "," : "");
	}
	fprintf(out, "], \"names\": [");
	for (int k = 0; k < MACHINE; k++) {
		fprintf(out, "%s\"", k ? ", " : "");
		for (const char *at = names[k]; *at; at++)
			fprintf(out, "\\u%04x", (unsigned char)*at);
		putc('"', out);
	}
	fprintf(out, "]}\n");
	return fclose(out);
}

static void print_help(void)
{
	puts("Usage: make-jitter [OPTION...] DIR\n\n"
	     "  --cpus N        (2)\n"
	     "  --ms N          so many milliseconds on each CPU (500)\n"
	     "  --seed N        (1)\n"
	     "  --run N         (1)\n"
	     "  --lose N        records are lost after so many milliseconds, on CPU 0\n"
	     "  --daemon US     the daemon runs for so long each time, 0: there is none (200)\n"
	     "  --empty         nothing interrupts the loops\n"
	     "  --threads       programs of two CPUs are threads of one process\n"
	     "  --names         the loops are called loop and other by turns\n"
	     "  --node N        of 1 to 3: nodeN, whose pings with the others relate its clock;\n"
	     "                  they are on a CPU more\n\n"
	     "Leaves testhost-RUN.evl, or nodeN-RUN.evl, logged.samples, unlogged.samples and truth.json in DIR.");
}

static int parse(int argc, char **argv, uint64_t *ms)
{
	static const struct option choices[] = {
		{ "cpus", required_argument, NULL, 'c' },
		{ "ms", required_argument, NULL, 'm' },
		{ "seed", required_argument, NULL, 's' },
		{ "run", required_argument, NULL, 'r' },
		{ "lose", required_argument, NULL, 'l' },
		{ "daemon", required_argument, NULL, 'd' },
		{ "empty", no_argument, NULL, 'e' },
		{ "threads", no_argument, NULL, 't' },
		{ "names", no_argument, NULL, 'N' },
		{ "node", required_argument, NULL, 'n' },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	int choice;

	random_state = 1;
	while ((choice = getopt_long(argc, argv, "h", choices, NULL)) != -1) {
		uint64_t value = optarg ? strtoull(optarg, NULL, 10) : 0;

		switch (choice) {
		case 'c':
			measured = value;
			break;
		case 'm':
			*ms = value;
			break;
		case 's':
			random_state = value ? value : 1;
			break;
		case 'r':
			options.run = value;
			break;
		case 'l':
			lose_at = value * (TICKS_HZ / 1000);
			break;
		case 'd':
			daemon_runs = value * (TICKS_HZ / 1000000);
			break;
		case 'e':
			empty = true;
			break;
		case 't':
			in_threads = true;
			break;
		case 'N':
			has_names = true;
			break;
		case 'n':
			node = value && value <= PINGS_NODES ? value : PINGS_NODES + 1;
			break;
		case 'h':
			print_help();
			exit(0);
		default:
			return 2;
		}
	}
	return optind + 1 == argc && measured && measured <= CPUS_MAX && node <= PINGS_NODES ?
	       0 : 2;
}

static void be_node(void)
{
	static const char *const hosts[] = { "node1", "node2", "node3" };

	options.host = hosts[node - 1];
	options.boot = node;
	options.boot_raw_ns += (node - 1) * AHEAD_NS;
}

int main(int argc, char **argv)
{
	char log[4096], logged[4096], unlogged[4096], truth[4096];
	uint64_t ms = 500;
	const char *dir;

	options = loggen_defaults();
	options.ticks_hz = TICKS_HZ;
	options.buffer_bytes = 65536;
	options.compress = LOGGEN_PACK;
	if (parse(argc, argv, &ms)) {
		fprintf(stderr, "make-jitter: wrong usage; try --help\n");
		return 2;
	}
	options.cpus = measured + (node != 0);
	if (node)
		be_node();
	dir = argv[optind];
	mkdir(dir, 0755);
	snprintf(log, sizeof(log), "%s/%s-%" PRIu64 ".evl", dir, options.host, options.run);
	snprintf(logged, sizeof(logged), "%s/logged.samples", dir);
	snprintf(unlogged, sizeof(unlogged), "%s/unlogged.samples", dir);
	snprintf(truth, sizeof(truth), "%s/truth.json", dir);
	for (int i = 0; i < 20; i++)
		xorshift(&random_state);
	gen = loggen_new(&options);
	for (unsigned int i = 0; i < measured; i++) {
		loops[i].number = i;
		simulate(&loops[i], ms * (TICKS_HZ / 1000));
	}
	if (node)
		pings(gen, measured, node, options.boot_ticks + TICKS_HZ / 100,
		      ms * (TICKS_HZ / 1000), TICKS_HZ);
	loggen_close(gen);
	if (loggen_save(gen, log) ||
	    write_samples(logged, EVTLOG_SAMPLES_LOGGED, "", false) ||
	    write_samples(unlogged, 0, "", true) || tell_truth(truth)) {
		perror("make-jitter");
		return 1;
	}
	return 0;
}
