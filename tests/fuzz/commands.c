// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs every command that reads files on changed files, and measures the cost of each.
 *
 * A round changes one seed (mutate.h) and runs the commands of its kind, each in a forked process.
 * A round fails after a signal, an exit status that evtlog does not use, or more CPU time than
 * --cpu-s; the file is then kept.
 *
 * Patterns are those of fnmatch(3). Round N of seed S is always the same: --from N --rounds 1
 * repeats it.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../support/options.h"
#include "../support/xorshift.h"
#include "mutate.h"

#define FILE_MAX	(64u << 20)
#define SEEDS_MAX	256
#define ARGS_MAX	16

/* main() of tools/evtlog/main.c */
int evtlog_main(int argc, char **argv);

/* The sanitizers call these. They set an exit status that evtlog does not use, and suppressions. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	/* Suppressions need no function names. ASAN_OPTIONS=symbolize=1 shows names in reports. */
	return "exitcode=99:symbolize=0";
}

const char *__ubsan_default_options(void);
const char *__ubsan_default_options(void)
{
	return "exitcode=99";
}

const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libfontconfig\n";
}

enum kind { LOG, MERGED, JITTER };

/*
 * The commands for each kind of file, run in @work. A is the changed file or recording, B another
 * one, unchanged. @indexed: the command also reads the index of A, which is changed too.
 */
static const struct command {
	enum kind kind;
	bool indexed;
	const char *line;
} commands[] = {
	{ LOG, false, "info --json A" },
	{ LOG, false, "dump A" },
	{ LOG, false, "dump --json A" },
	{ LOG, false, "stat A" },
	{ LOG, false, "stat --requests A" },
	{ LOG, false, "stat --interval 3h A" },
	{ LOG, false, "stat --interval 3h --source samples A" },
	{ LOG, false, "stat --interval 3h --json --assume-ntp A B" },
	/* Blanks separate arguments, so SQL has comments instead. */
	{ LOG, false, "query --csv SELECT/**/*FROM/**/thread_state/**/JOIN/**/thread/**/USING(utid); A" },
	{ LOG, false, "query --json SELECT/**/*FROM/**/sched_slice/**/WHERE/**/ts>9;"
		"SELECT/**/*FROM/**/softirq_slice;SELECT/**/*FROM/**/vector_slice/**/WHERE/**/cpu=0; A" },
	{ LOG, false, "query --assume-ntp SELECT/**/*FROM/**/event;SELECT/**/*FROM/**/args;"
		"SELECT/**/*FROM/**/user_slice;SELECT/**/*FROM/**/syscall_slice;SELECT/**/*FROM/**/run; A B" },
	{ LOG, false, "query --csv SELECT/**/cpu,count(*),max(host)/**/FROM/**/sched_slice/**/GROUP/**/BY/**/cpu;"
		"SELECT/**/waker_utid,sum(dur)/**/FROM/**/sched_slice/**/GROUP/**/BY/**/waker_utid;"
		"SELECT/**/*FROM/**/thread_wait;SELECT/**/*FROM/**/wakeup;SELECT/**/*FROM/**/sched_migrate; A" },
	{ LOG, false, "query --json SELECT/**/*FROM/**/irq_slice;SELECT/**/*FROM/**/wakeup_new;"
		"SELECT/**/*FROM/**/process_exit;SELECT/**/*FROM/**/kernel_counter;SELECT/**/*FROM/**/loss;"
		"SELECT/**/*FROM/**/thread_name;SELECT/**/*FROM/**/clock;SELECT/**/*FROM/**/meta;SELECT/**/*FROM/**/sample; A" },
	{ LOG, false, "why --worst 1000 --sort wait A" },
	{ LOG, false, "why --worst 1000 --json --assume-ntp A B" },
	{ LOG, false, "why --sort ready 103 A" },
	{ LOG, false, "stat --partial A B" },
	{ LOG, false, "check A" },
	{ LOG, false, "check --json A" },
	{ LOG, false, "index -f --threads 1 A" },
	{ LOG, false, "index -f --threads 2 A" },
	{ LOG, false, "export --force --html out.html A" },
	/* These do not overwrite existing traces, so each has its own name. */
	{ LOG, false, "export --otf2 out.otf2 A" },
	{ LOG, false, "export --otf2 samples.otf2 --source samples --streams 3 A" },
	{ LOG, false, "export --otf2 two.otf2 --assume-ntp --from 1us A B" },
	{ LOG, false, "export --ctf out.ctf A" },
	{ LOG, false, "export --ctf two.ctf --assume-ntp --from 1us A B" },
	{ LOG, false, "export --perfetto out.pftrace A" },
	{ LOG, false, "export --perfetto two.pftrace --assume-ntp --to 2ms A B" },
	{ LOG, false, "export --parquet out.parquet A" },
	{ LOG, false, "export --parquet two.parquet --assume-ntp --from 1us A B" },
	{ LOG, true, "index --json A" },
	{ LOG, true, "query SELECT/**/count(*),sum(dur)/**/FROM/**/sched_slice/**/WHERE/**/ts>7000100000;"
		"SELECT/**/count(*)/**/FROM/**/thread_state/**/WHERE/**/ts>9000000000000000; A" },
	{ LOG, true, "why --json 102@500us A" },
	{ LOG, true, "export --force --html out.html A" },
	{ LOG, false, "view --index-dir none --png out.png A" },
	{ LOG, false, "dump --assume-ntp A B" },
	{ LOG, false, "dump --assume-ntp --memory 64K -o out.evm A B" },
	{ MERGED, false, "dump --json A" },
	{ MERGED, false, "dump A" },
	{ MERGED, false, "info A" },
	{ JITTER, false, "jitter report A" },
	{ JITTER, false, "jitter report --json --by task A" },
	{ JITTER, false, "jitter diff A B" },
	{ JITTER, false, "jitter diff --force --json B A" },
	{ JITTER, false, "jitter scale --nodes 100 A" },
	{ JITTER, false, "jitter picture -o out.png A" },
};

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

/* The maximum cost of a command for a file */
static struct figure {
	uint64_t runs;
	double cpu_s, cpu_ns_per_byte;
	uint64_t memory_bytes;
	double memory_per_byte;
} figures[COMMANDS];

static struct seed {
	const char *path;
	enum kind kind;
} seeds[SEEDS_MAX];

static size_t seed_count;
static const char *keep = ".";
static const char *only = "", *without = "";
static char work[4096];
static uint64_t cpu_limit_s = 60;
static uint64_t base_bytes, failures;
static uint8_t *bytes;

static void die(const char *what)
{
	fprintf(stderr, "commands: %s: %s\n", what, strerror(errno));
	exit(2);
}

static size_t load(const char *path)
{
	FILE *in = fopen(path, "re");
	size_t size;

	if (!in)
		die(path);
	size = fread(bytes, 1, FILE_MAX, in);
	fclose(in);
	return size;
}

static void save(const char *path, size_t size)
{
	FILE *out = fopen(path, "we");

	if (!out || fwrite(bytes, 1, size, out) != size || fclose(out))
		die(path);
}

static void copy(const char *from, const char *to)
{
	save(to, load(from));
}

/* Removes the files of earlier rounds. */
static void clear(const char *directory, bool remove_it)
{
	DIR *dir = opendir(directory);
	struct dirent *entry;
	char path[8192];

	while (dir && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name);
		if (entry->d_type == DT_DIR)
			clear(path, true);
		else
			unlink(path);
	}
	if (dir)
		closedir(dir);
	if (remove_it)
		rmdir(directory);
}

/* Copies a recording's files, or a single file, to @to. Returns the number of files. */
static size_t copy_all(const char *from, const char *to, char names[][256], size_t most)
{
	DIR *dir = opendir(from);
	struct dirent *entry;
	char source[8192], target[8192];
	size_t count = 0;

	if (!dir)
		die(from);
	mkdir(to, 0700);
	while ((entry = readdir(dir))) {
		struct stat stat_of;

		snprintf(source, sizeof(source), "%s/%s", from, entry->d_name);
		if (entry->d_name[0] == '.' || strstr(entry->d_name, "truth") ||
		    stat(source, &stat_of) || !S_ISREG(stat_of.st_mode))
			continue;
		snprintf(target, sizeof(target), "%s/%s", to, entry->d_name);
		copy(source, target);
		if (count < most)
			snprintf(names[count++], 256, "%s", entry->d_name);
	}
	closedir(dir);
	return count;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void mutate_path(const char *path, uint64_t *state)
{
	save(path, mutate(bytes, load(path), FILE_MAX, state));
}

/* Returns another seed of the same kind, to be used unchanged. */
static const struct seed *other_of(const struct seed *seed, uint64_t *state)
{
	const struct seed *other;

	do
		other = &seeds[xorshift(state) % seed_count];
	while (other->kind != seed->kind);
	return other;
}

/* Makes A and B in @work. */
static void prepare(const struct seed *seed, uint64_t *state)
{
	const struct seed *other = other_of(seed, state);
	char names[16][256], path[8192];
	size_t count;

	clear(".", false);
	if (seed->kind != JITTER) {
		copy(other->path, "B.evl");
		copy(seed->path, "A.evl");
		mutate_path("A.evl", state);
		return;
	}
	copy_all(other->path, "B", names, 0);
	count = copy_all(seed->path, "A", names, 16);
	if (!count)
		return;
	/* The order in a directory is random. */
	qsort(names, count, sizeof(names[0]), by_name);
	snprintf(path, sizeof(path), "A/%s", names[xorshift(state) % count]);
	mutate_path(path, state);
}

static uint64_t bytes_of(const char *path)
{
	struct stat stat_of;
	DIR *dir;
	struct dirent *entry;
	uint64_t sum = 0;
	char inner[8192];

	if (stat(path, &stat_of))
		return 0;
	if (!S_ISDIR(stat_of.st_mode))
		return stat_of.st_size;
	dir = opendir(path);
	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.') {
			snprintf(inner, sizeof(inner), "%s/%s", path, entry->d_name);
			sum += bytes_of(inner);
		}
	if (dir)
		closedir(dir);
	return sum;
}

/* Runs in the child; never returns. */
static void run_command(const char *line, bool directories)
{
	struct rlimit cpu = { cpu_limit_s, cpu_limit_s + 5 };
	char *argv[ARGS_MAX + 1] = { (char *)"evtlog" };
	static char text[256];
	int argc = 1, out = open("/dev/null", O_WRONLY);
	int err = open("stderr", O_WRONLY | O_CREAT | O_TRUNC, 0600);

	snprintf(text, sizeof(text), "%s", line);
	for (char *word = strtok(text, " "); word && argc < ARGS_MAX; word = strtok(NULL, " ")) {
		if (!strcmp(word, "A"))
			word = directories ? (char *)"A" : (char *)"A.evl";
		else if (!strcmp(word, "B"))
			word = directories ? (char *)"B" : (char *)"B.evl";
		argv[argc++] = word;
	}
	setrlimit(RLIMIT_CPU, &cpu);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	optind = 1;
	exit(evtlog_main(argc, argv));
}

static double seconds(const struct timeval *time)
{
	return time->tv_sec + time->tv_usec / 1e6;
}

/* Runs @line; returns the status of wait4(). */
static int run_line(const char *line, bool directories, struct rusage *usage)
{
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid)
		run_command(line, directories);
	while (wait4(pid, &status, 0, usage) != pid)
		if (errno != EINTR)
			die("wait4");
	return status;
}

static void take_figures(struct figure *figure, const struct rusage *usage, uint64_t input)
{
	double cpu_s = seconds(&usage->ru_utime) + seconds(&usage->ru_stime);
	uint64_t memory = (uint64_t)usage->ru_maxrss * 1024;

	memory = memory > base_bytes ? memory - base_bytes : 0;
	figure->runs++;
	if (cpu_s > figure->cpu_s)
		figure->cpu_s = cpu_s;
	if (memory > figure->memory_bytes)
		figure->memory_bytes = memory;
	if (!input)
		return;
	if (cpu_s * 1e9 / input > figure->cpu_ns_per_byte)
		figure->cpu_ns_per_byte = cpu_s * 1e9 / input;
	if ((double)memory / input > figure->memory_per_byte)
		figure->memory_per_byte = (double)memory / input;
}

static void show_file(const char *path)
{
	FILE *in = fopen(path, "re");
	char line[1024];

	for (int i = 0; in && i < 40 && fgets(line, sizeof(line), in); i++)
		fputs(line, stderr);
	if (in)
		fclose(in);
}

/* Keeps A after a command failed on it. */
static void keep_input(const struct seed *seed, uint64_t round)
{
	char path[8192], names[1][256];

	if (seed->kind == JITTER) {
		snprintf(path, sizeof(path), "%s/round-%" PRIu64, keep, round);
		copy_all("A", path, names, 0);
		return;
	}
	snprintf(path, sizeof(path), "%s/round-%" PRIu64 ".evl", keep, round);
	copy("A.evl", path);
	snprintf(path, sizeof(path), "%s/round-%" PRIu64 ".evl.evx", keep, round);
	if (!access("A.evl.evx", F_OK))
		copy("A.evl.evx", path);
}

static bool is_wanted(const struct command *command)
{
	return strstr(command->line, only) && fnmatch(without, command->line, 0);
}

/* Runs one command on the current files. */
static void try_command(size_t number, const struct seed *seed, uint64_t round)
{
	const struct command *command = &commands[number];
	struct rusage usage;
	int status = run_line(command->line, seed->kind == JITTER, &usage);
	double cpu_s = seconds(&usage.ru_utime) + seconds(&usage.ru_stime);

	/* The exit status of misuse and errors is at most 5; sanitizers exit with 99. */
	if (WIFEXITED(status) && WEXITSTATUS(status) <= 5 && cpu_s < cpu_limit_s) {
		take_figures(&figures[number], &usage,
			     bytes_of(seed->kind == JITTER ? "A" : "A.evl") +
			     (command->indexed ? bytes_of("A.evl.evx") : 0) +
			     (strstr(command->line, " B") ? bytes_of(seed->kind == JITTER ?
								     "B" : "B.evl") : 0));
		return;
	}
	failures++;
	fprintf(stderr, "commands: FAILED: round %" PRIu64 " of %s: evtlog %s: %s %d, %.1f s of CPU\n",
		round, seed->path, command->line, WIFEXITED(status) ? "status" : "signal",
		WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status), cpu_s);
	show_file("stderr");
	keep_input(seed, round);
}

static void run_round(uint64_t seed_number, uint64_t round)
{
	uint64_t state = (seed_number << 32 ^ (round + 1)) * UINT64_C(0x9e3779b97f4a7c15);
	const struct seed *seed;
	struct timespec mtime[2] = { { 0 }, { 1000000000, 0 } };

	state = state ? state : 1;
	for (int i = 0; i < 4; i++)
		xorshift(&state);
	seed = &seeds[xorshift(&state) % seed_count];
	prepare(seed, &state);
	utimensat(AT_FDCWD, "A.evl", mtime, 0);
	for (size_t i = 0; i < COMMANDS; i++) {
		if (commands[i].kind != seed->kind || !is_wanted(&commands[i]))
			continue;
		if (commands[i].indexed && !access("A.evl.evx", F_OK))
			mutate_path("A.evl.evx", &state);
		try_command(i, seed, round);
	}
}

/* Commands must not fail on unchanged seeds either. */
static void run_seeds(void)
{
	char names[1][256];

	for (size_t i = 0; i < seed_count; i++) {
		clear(".", false);
		if (seeds[i].kind == JITTER) {
			copy_all(seeds[i].path, "A", names, 0);
			copy_all(seeds[i].path, "B", names, 0);
		} else {
			copy(seeds[i].path, "A.evl");
			copy(seeds[i].path, "B.evl");
		}
		for (size_t c = 0; c < COMMANDS; c++)
			if (commands[c].kind == seeds[i].kind && is_wanted(&commands[c]))
				try_command(c, &seeds[i], 0);
	}
}

static void show_figures(FILE *out)
{
	fprintf(out, "command\truns\tCPU s\tCPU ns/byte\tMiB\tmemory bytes/byte\n");
	for (size_t i = 0; i < COMMANDS; i++)
		if (figures[i].runs)
			fprintf(out, "%s%s\t%" PRIu64 "\t%.3f\t%.1f\t%.1f\t%.2f\n", commands[i].line,
				commands[i].indexed ? " (changed index)" : "", figures[i].runs,
				figures[i].cpu_s, figures[i].cpu_ns_per_byte,
				figures[i].memory_bytes / 1048576.0, figures[i].memory_per_byte);
}

static void add_seed(const char *path)
{
	size_t length = strlen(path);
	struct stat stat_of;
	char *full = realpath(path, NULL);

	if (!full || stat(full, &stat_of) || seed_count == SEEDS_MAX)
		die(path);
	seeds[seed_count].path = full;
	seeds[seed_count].kind = S_ISDIR(stat_of.st_mode) ? JITTER :
				 length > 4 && !strcmp(path + length - 4, ".evm") ? MERGED : LOG;
	seed_count++;
}

static void start_work(void)
{
	const char *directory = getenv("TMPDIR");
	struct rusage usage;

	snprintf(work, sizeof(work), "%s/evtlog-fuzz.XXXXXX", directory ? directory : "/tmp");
	if (!mkdtemp(work) || chdir(work))
		die(work);
	setenv("XDG_CACHE_HOME", work, 1);
	/* Not from malloc(): each child would search all of it for pointers when it ends. */
	bytes = mmap(NULL, FILE_MAX, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (bytes == MAP_FAILED)
		die("memory");
	/* The base cost of a command that reads nothing; the first run loads more. */
	run_line("--version", false, &usage);
	run_line("--version", false, &usage);
	base_bytes = (uint64_t)usage.ru_maxrss * 1024;
}

static void take_keep(const char *directory)
{
	keep = realpath(directory, NULL);
	if (!keep)
		die(directory);
}

int main(int argc, char **argv)
{
	uint64_t seed = 1, rounds = UINT64_MAX, round = 0, limit_s = 0;
	bool unchanged = false;
	const struct test_option table[] = {
		OPTION("seed", "N", &seed, "(1)"),
		OPTION("rounds", "N", &rounds, "so many rounds (no limit)"),
		OPTION("seconds", "N", &limit_s, "so long (no limit)"),
		OPTION("from", "N", &round, "the first round (0)"),
		OPTION_TAKE("keep", "DIR", take_keep, "put inputs of failures there (.)"),
		OPTION("cpu-s", "N", &cpu_limit_s, "the most CPU time of a command (60)"),
		OPTION("only", "TEXT", &only, "only commands that contain it"),
		OPTION("without", "PATTERN", &without, "not the commands that match it"),
		OPTION("unchanged", NULL, &unchanged, "run all commands on the unchanged seeds"),
		{ }
	};
	time_t began = time(NULL);

	for (char **path = test_options(table, "[OPTION...] SEED...", -1, argc, argv); *path; path++)
		add_seed(*path);
	if (!seed_count)
		return 2;
	start_work();
	if (unchanged)
		run_seeds();
	else
		for (uint64_t done = 0; done < rounds &&
		     (!limit_s || (uint64_t)(time(NULL) - began) < limit_s); done++)
			run_round(seed, round++);
	if (chdir("/"))
		die("/");
	clear(work, true);
	show_figures(stdout);
	printf("%" PRIu64 " rounds, %" PRIu64 " failures\n", round, failures);
	return failures ? 1 : 0;
}
