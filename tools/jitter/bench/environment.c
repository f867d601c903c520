// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Describes the properties of the machine that affect jitter, as lines "key=value".
 *
 * Unknown properties are left out.
 */
#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "run.h"

#ifndef EVTLOG_VERSION
#define EVTLOG_VERSION "unknown"
#endif

#define CPUS	"/sys/devices/system/cpu"

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
