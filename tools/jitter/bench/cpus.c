// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Chooses the CPUs to measure, and prints why a CPU cannot be measured.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "common/command.h"
#include "common/error.h"
#include "input/event-filter.h"

#define ONLINE	"/sys/devices/system/cpu/online"

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
	pr_err("--cpu: CPU %u is not for this process, by its affinity or cpuset: it may run on %s",
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
