// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The machine that is measured: the chosen CPUs, and the properties that affect jitter.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "common/command.h"
#include "common/error.h"
#include "input/event-filter.h"
#include "run.h"

#define CPUS	"/sys/devices/system/cpu"
#define ONLINE	CPUS "/online"

/* Reads the list of online CPUs: parsed into @online, as text into @list. */
static int read_online(struct filter *online, char *list, size_t bytes)
{
	FILE *file = fopen(ONLINE, "re");
	int error = -EIO;

	filter_all(online);
	if (!file) {
		pr_err(ONLINE ": %s", strerror(errno));
		return -errno;
	}
	if (fgets(list, bytes, file)) {
		list[strcspn(list, "\n")] = '\0';
		error = filter_option(online, FILTER_CPU, list);
	}
	fclose(file);
	if (error)
		pr_err(ONLINE ": not a list of CPUs");
	return error;
}

static int refuse(uint32_t cpu, const struct filter *online, const char *online_list,
		  const cpu_set_t *allowed)
{
	char list[CPUS_LIST_BYTES];

	if (cpu >= EVTLOG_CPU_LIMIT || !online->cpus[cpu]) {
		pr_err("--cpu: CPU %u is not online: online are %s", cpu, online_list);
		return EXIT_FAILED;
	}
	cpus_print(allowed, list, sizeof(list));
	pr_err("--cpu: CPU %u is not in the affinity or cpuset of this process: it may run on %s",
	       cpu, list);
	return EXIT_FAILED;
}

static int choose(struct cpus *cpus, const struct filter *wanted,
		  const struct filter *online, const char *online_list,
		  const cpu_set_t *allowed)
{
	CPU_ZERO(&cpus->others);
	for (uint32_t cpu = 0; cpu < EVTLOG_CPU_LIMIT; cpu++) {
		bool can = online->cpus[cpu] && cpu < CPU_SETSIZE && CPU_ISSET(cpu, allowed);

		if (wanted->cpus && !wanted->cpus[cpu]) {
			if (can)
				CPU_SET(cpu, &cpus->others);
			continue;
		}
		if (can)
			cpus->cpus[cpus->count++] = cpu;
		else if (wanted->cpus)
			return refuse(cpu, online, online_list, allowed);
	}
	return EXIT_OK;
}

int cpus_choose(struct cpus *cpus, const char *list)
{
	char online_list[CPUS_LIST_BYTES];
	struct filter wanted, online;
	int result = EXIT_FAILED;
	cpu_set_t allowed;

	filter_all(&wanted);
	memset(cpus, 0, sizeof(*cpus));
	if (list && filter_option(&wanted, FILTER_CPU, list)) {
		filter_free(&wanted);
		return misuse("jitter run", "--cpu %s: not a list of CPUs such as 0-3,5", list);
	}
	if (read_online(&online, online_list, sizeof(online_list)))
		goto free;
	if (sched_getaffinity(0, sizeof(allowed), &allowed)) {
		pr_err("affinity: %s", strerror(errno));
		goto free;
	}
	cpus->cpus = calloc(EVTLOG_CPU_LIMIT, sizeof(*cpus->cpus));
	if (cpus->cpus)
		result = choose(cpus, &wanted, &online, online_list, &allowed);
	else
		pr_err("%s", strerror(ENOMEM));
	if (result)
		cpus_free(cpus);
free:
	filter_free(&online);
	filter_free(&wanted);
	return result;
}

void cpus_free(struct cpus *cpus)
{
	free(cpus->cpus);
	cpus->cpus = NULL;
}

static bool cpus_have(const struct cpus *cpus, uint32_t cpu)
{
	for (uint32_t i = 0; i < cpus->count; i++) {
		if (cpus->cpus[i] == cpu)
			return true;
	}
	return false;
}

uint64_t cpus_stolen_ms(const struct cpus *cpus)
{
	FILE *file = fopen("/proc/stat", "re");
	uint64_t sum = 0, steal;
	char line[512];
	uint32_t cpu;

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "cpu%" SCNu32 " %*u %*u %*u %*u %*u %*u %*u %" SCNu64, &cpu, &steal) == 2 &&
		    cpus_have(cpus, cpu))
			sum += steal;
	}
	if (file)
		fclose(file);
	return sum * 1000 / sysconf(_SC_CLK_TCK);
}

void cpus_print(const cpu_set_t *set, char *text, size_t bytes)
{
	size_t used = 0;

	*text = '\0';
	for (int cpu = 0; cpu < CPU_SETSIZE && used < bytes; cpu++) {
		int last = cpu;

		if (!CPU_ISSET(cpu, set))
			continue;
		while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, set))
			last++;
		used += snprintf(text + used, bytes - used, last > cpu ? "%s%d-%d" : "%s%d",
				 used ? "," : "", cpu, last);
		cpu = last;
	}
}

/* ---- Properties, as lines "key=value"; unknown ones are left out ---- */

#ifndef EVTLOG_VERSION
#define EVTLOG_VERSION "unknown"
#endif

/* Replaces control characters by blanks, so that the value is one line. */
static void print_line(FILE *to, const char *key, const char *value)
{
	fprintf(to, "%s=", key);
	for (; *value; value++)
		fputc(iscntrl((unsigned char)*value) ? ' ' : *value, to);
	fputc('\n', to);
}

/* The first line of a file; nothing if the file is missing or the line is empty. */
static void print_file(FILE *to, const char *key, const char *path)
{
	FILE *file = fopen(path, "re");
	char line[4096];

	if (!file)
		return;
	if (fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		if (*line)
			print_line(to, key, line);
	}
	fclose(file);
}

static void print_cpu_model(FILE *to)
{
	FILE *file = fopen("/proc/cpuinfo", "re");
	char line[512];

	while (file && fgets(line, sizeof(line), file)) {
		char *value = strchr(line, ':');

		if (strncmp(line, "model name", 10) || !value)
			continue;
		line[strcspn(line, "\n")] = '\0';
		print_line(to, "cpu_model", value + 1 + (value[1] == ' '));
		break;
	}
	if (file)
		fclose(file);
}

/* Lines such as "irq.24=virtio0-input". */
static void print_irqs(FILE *to)
{
	DIR *listing = opendir("/sys/kernel/irq");
	struct dirent *entry;

	while (listing && (entry = readdir(listing))) {
		char path[sizeof(entry->d_name) + 32], key[sizeof(entry->d_name) + 8];

		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		snprintf(path, sizeof(path), "/sys/kernel/irq/%s/actions", entry->d_name);
		snprintf(key, sizeof(key), "irq.%s", entry->d_name);
		print_file(to, key, path);
	}
	if (listing)
		closedir(listing);
}

/* Prints nothing if the core has only one thread. */
static void print_siblings(FILE *to, uint32_t cpu)
{
	char path[96], key[32], line[256];
	FILE *file;

	snprintf(path, sizeof(path), CPUS "/cpu%" PRIu32 "/topology/thread_siblings_list", cpu);
	snprintf(key, sizeof(key), "smt.%" PRIu32, cpu);
	file = fopen(path, "re");
	if (!file)
		return;
	if (fgets(line, sizeof(line), file) && strpbrk(line, ",-")) {
		line[strcspn(line, "\n")] = '\0';
		print_line(to, key, line);
	}
	fclose(file);
}

static void print_machine(FILE *to, const struct cpus *cpus)
{
	struct utsname name;
	char path[96];

	if (!uname(&name)) {
		print_line(to, "host", name.nodename);
		print_line(to, "kernel", name.release);
	}
	print_cpu_model(to);
	print_file(to, "clocksource",
		   "/sys/devices/system/clocksource/clocksource0/current_clocksource");
	print_file(to, "isolated", CPUS "/isolated");
	print_file(to, "nohz_full", CPUS "/nohz_full");
	print_file(to, "smt", CPUS "/smt/control");
	snprintf(path, sizeof(path), CPUS "/cpu%" PRIu32 "/cpufreq/scaling_governor",
		 cpus->cpus[0]);
	print_file(to, "governor", path);
	print_file(to, "cmdline", "/proc/cmdline");
	for (uint32_t i = 0; i < cpus->count; i++)
		print_siblings(to, cpus->cpus[i]);
	print_irqs(to);
}

char *describe_machine(const struct description *description)
{
	const struct bench_options *options = description->options;
	char *text = NULL;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);

	if (!to)
		return NULL;
	print_line(to, "version", EVTLOG_VERSION);
	print_line(to, "boot_id", description->boot_id);
	fprintf(to, "run=%" PRIu64 "\n", description->run);
	print_line(to, "command", description->command);
	fprintf(to, "started_ns=%" PRIu64 "\n", description->started_ns);
	fprintf(to, "threshold_ns=%" PRIu64 "\nduration_ns=%" PRIu64 "\n",
		options->threshold_ns, options->duration_ns);
	if (options->method == EVTLOG_SAMPLES_WORK)
		fprintf(to, "work_ns=%" PRIu64 "\n", options->length_ns);
	if (options->method == EVTLOG_SAMPLES_QUANTUM)
		fprintf(to, "quantum_ns=%" PRIu64 "\n", options->length_ns);
	fprintf(to, "rt_priority=%u\n", options->rt_priority);
	if (description->has_stolen)
		fprintf(to, "stolen_ms=%" PRIu64 "\n", description->stolen_ms);
	print_machine(to, description->cpus);
	if (fclose(to)) {
		free(text);
		return NULL;
	}
	return text;
}
