// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Collects the data that a reader of the file cannot get later from the machine.
 */
#include <arpa/inet.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <ifaddrs.h>
#include <inttypes.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "control/status.h"
#include "metadata.h"
#include "run-id.h"

#define CLOCK_READINGS	5

const char *metadata_host(void)
{
	static char host[65];
	char *c;

	if (gethostname(host, sizeof(host) - 1) < 0 || !host[0] || host[0] == '.')
		return "localhost";
	for (c = host; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("-_.", *c))
			*c = '_';
	return host;
}

/* Control characters become blanks, so that the line remains one line. */
static void print_line(FILE *to, const char *key, const char *value)
{
	fprintf(to, "%s=", key);
	for (; *value; value++)
		fputc(iscntrl((unsigned char)*value) ? ' ' : *value, to);
	fputc('\n', to);
}

/* Reads the first line of a file, "" if there is none. */
static void read_line(const char *path, char *line, size_t bytes)
{
	FILE *file = fopen(path, "re");

	line[0] = '\0';
	if (!file)
		return;
	if (!fgets(line, bytes, file))
		line[0] = '\0';
	line[strcspn(line, "\n")] = '\0';
	fclose(file);
}

static void print_boot_id(FILE *to, const uint8_t *boot_id)
{
	fputs("boot_id=", to);
	for (int i = 0; i < 16; i++)
		fprintf(to, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
			boot_id[i]);
	fputc('\n', to);
}

static void print_run(FILE *to, const struct run_id *run)
{
	fprintf(to, "run=%" PRIu64 "\n", run->number);
	if (run->name[0])
		print_line(to, "run_name", run->name);
	if (run->reference_ticks)
		fprintf(to, "reference_ticks=%" PRIu64 "\n", run->reference_ticks);
	if (run->tree_pid)
		fprintf(to, "tree=%" PRIu32 "\n", run->tree_pid);
	print_boot_id(to, run->boot_id);
}

/* Addresses of this host: packets in the log contain the addresses of peers. */
static void print_addresses(FILE *to)
{
	struct ifaddrs *list, *at;
	const char *before = "addresses=";

	if (getifaddrs(&list) < 0)
		return;
	for (at = list; at; at = at->ifa_next) {
		char text[INET_ADDRSTRLEN];

		if (!at->ifa_addr || at->ifa_addr->sa_family != AF_INET ||
		    at->ifa_flags & IFF_LOOPBACK)
			continue;
		inet_ntop(AF_INET, &((struct sockaddr_in *)at->ifa_addr)->sin_addr, text,
			  sizeof(text));
		fprintf(to, "%s%s", before, text);
		before = " ";
	}
	if (*before == ' ')
		fputc('\n', to);
	freeifaddrs(list);
}

static void print_created(FILE *to)
{
	time_t now = time(NULL);
	struct tm utc;
	char text[32];

	gmtime_r(&now, &utc);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc);
	print_line(to, "created", text);
}

static int64_t now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/*
 * The kernel's clock readings do not include CLOCK_MONOTONIC, which traces of programs often
 * use.  Both clocks run at the same rate.  The fastest of several readings is used.
 */
static void print_monotonic(FILE *to)
{
	int64_t best_ns = INT64_MAX, offset_ns = 0;

	for (unsigned int i = 0; i < CLOCK_READINGS; i++) {
		int64_t before_ns = now_ns(CLOCK_MONOTONIC);
		int64_t real_ns = now_ns(CLOCK_REALTIME);
		int64_t took_ns = now_ns(CLOCK_MONOTONIC) - before_ns;

		if (took_ns >= best_ns)
			continue;
		best_ns = took_ns;
		offset_ns = real_ns - before_ns - took_ns / 2;
	}
	fprintf(to, "real_of_monotonic_ns=%" PRId64 "\n", offset_ns);
}

/* Packages and cores, as "cpu_3=0 1": core 1 of package 0.  CPUs that are offline have no line. */
static void print_topology(FILE *to, unsigned int cpus_possible)
{
	for (unsigned int cpu = 0; cpu < cpus_possible; cpu++) {
		char path[96], package[32], core[32];

		snprintf(path, sizeof(path),
			 "/sys/devices/system/cpu/cpu%u/topology/physical_package_id", cpu);
		read_line(path, package, sizeof(package));
		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/topology/core_id", cpu);
		read_line(path, core, sizeof(core));
		if (package[0] && core[0])
			fprintf(to, "cpu_%u=%s %s\n", cpu, package, core);
	}
}

/* Names of device interrupts, as "irq_24=virtio0-input". */
static void print_irqs(FILE *to)
{
	DIR *listing = opendir("/sys/kernel/irq");
	struct dirent *entry;

	if (!listing)
		return;
	while ((entry = readdir(listing))) {
		char path[sizeof(entry->d_name) + 32], key[sizeof(entry->d_name) + 8];
		char names[256];

		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		snprintf(path, sizeof(path), "/sys/kernel/irq/%s/actions", entry->d_name);
		read_line(path, names, sizeof(names));
		snprintf(key, sizeof(key), "irq_%s", entry->d_name);
		if (names[0])
			print_line(to, key, names);
	}
	closedir(listing);
}

static void print_machine(FILE *to, unsigned int cpus_possible)
{
	char clocksource[64], online[256], boot[64];
	struct utsname name;

	if (uname(&name) == 0) {
		print_line(to, "kernel", name.release);
		print_line(to, "version", name.version);
		print_line(to, "machine", name.machine);
	}
	/* The boot ID that each program can read, even without privileges in a container. */
	read_line("/proc/sys/kernel/random/boot_id", boot, sizeof(boot));
	if (boot[0])
		print_line(to, "system_boot_id", boot);
	fprintf(to, "cpus=%ld\n", sysconf(_SC_NPROCESSORS_ONLN));
	read_line("/sys/devices/system/cpu/online", online, sizeof(online));
	if (online[0])
		print_line(to, "cpus_online", online);
	fprintf(to, "cpus_possible=%u\n", cpus_possible);
	read_line("/sys/devices/system/clocksource/clocksource0/current_clocksource",
		  clocksource, sizeof(clocksource));
	if (clocksource[0])
		print_line(to, "clocksource", clocksource);
}

/* Prints how the user selected the tree of the run: the kernel has only its pid. */
static void print_choice(FILE *to, const struct metadata *metadata)
{
	if (!metadata->tree_choice || !metadata->tree_choice[0])
		return;
	print_line(to, "tree_choice", metadata->tree_choice);
	if (metadata->tree_processes)
		fprintf(to, "tree_processes=%u\n", metadata->tree_processes);
}

static void print_kernel(FILE *to, const struct metadata *metadata)
{
	const struct control_status *status = metadata->status;

	fprintf(to, "buffers=%u\nbuffer_kb=%u\nticks_hz=%" PRIu64 "\n", status->buffers,
		status->buffer_kb, status->ticks_hz);
	fprintf(to, "logger_pid=%d\nlogger_version=%s\n",
		status->self ? status->self : getpid(), EVTLOG_VERSION);
	if (status->form[0])
		print_line(to, "form", status->form);
	if (status->unsupported[0])
		print_line(to, "unsupported", status->unsupported);
	if (metadata->events)
		print_line(to, "events", metadata->events);
	if (metadata->has_sampler && status->sampler.interval[0]) {
		print_line(to, "sampler_interval", status->sampler.interval);
		print_line(to, "sampler_tree", status->sampler.tree);
	}
}

int metadata_make(const struct metadata *metadata, char **text, size_t *bytes)
{
	FILE *to = open_memstream(text, bytes);

	if (!to)
		return -ENOMEM;
	print_line(to, "host", metadata->host);
	print_run(to, metadata->run);
	if (metadata->named_buffer)
		print_line(to, "named_buffer", metadata->named_buffer);
	print_addresses(to);
	print_machine(to, metadata->cpus_possible);
	print_kernel(to, metadata);
	print_choice(to, metadata);
	print_created(to);
	print_monotonic(to);
	print_topology(to, metadata->cpus_possible);
	print_irqs(to);
	fprintf(to, "\n%s", metadata->format);
	return fclose(to) ? -ENOMEM : 0;
}
