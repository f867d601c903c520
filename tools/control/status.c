// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parses the text of /proc/evtlog/status.
 *
 * Unknown lines are ignored.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "status.h"

static int parse_cpu(struct control_status *status, const char *line)
{
	struct control_cpu cpu = { 0 };
	unsigned long long buffers, bytes, full, nmi, nested = 0, large = 0, records = 0;
	int online;

	/* lost_nested exists since evtlog 0.5.0, lost_large since 0.8.0. */
	if (sscanf(line, "cpu %u online %d buffers %llu waiting %u bytes %llu lost_full %llu lost_nmi %llu lost_nested %llu lost_large %llu records %llu",
		   &cpu.cpu, &online, &buffers, &cpu.waiting, &bytes, &full, &nmi, &nested,
		   &large, &records) < 7)
		return 0;
	cpu.is_online = online;
	cpu.buffers = buffers;
	cpu.bytes = bytes;
	cpu.lost_full = full;
	cpu.lost_nmi = nmi;
	cpu.lost_nested = nested;
	cpu.lost_large = large;
	cpu.records = records;
	if (array_reserve(&status->cpus, &status->cpu_capacity, status->cpu_count, sizeof(cpu)))
		return -ENOMEM;
	status->cpus[status->cpu_count++] = cpu;
	return 0;
}

static void parse_remote(struct control_remote *remote, const char *name, const char *value)
{
	struct control_refused *refused = &remote->refused[remote->causes];

	if (!strcmp(name, "keys")) {
		if (strcmp(value, "-"))
			snprintf(remote->keys, sizeof(remote->keys), "%s", value);
	} else if (!strcmp(name, "obeyed")) {
		remote->obeyed = strtoull(value, NULL, 10);
	} else if (!strcmp(name, "replied")) {
		remote->replied = strtoull(value, NULL, 10);
	} else if (!strncmp(name, "refused_", 8) && remote->causes < CONTROL_CAUSES_MAX) {
		snprintf(refused->cause, sizeof(refused->cause), "%s", name + 8);
		refused->count = strtoull(value, NULL, 10);
		remote->causes++;
	}
}

static void parse_boost(struct control_boost *boost, const char *name, const char *value)
{
	uint64_t number = strtoull(value, NULL, 10);

	if (!strcmp(name, "active"))
		boost->active = number;
	else if (!strcmp(name, "tasks"))
		boost->tasks = number;
	else if (!strcmp(name, "boosted"))
		boost->boosted = number;
	else if (!strcmp(name, "restored"))
		boost->restored = number;
	else if (!strcmp(name, "left"))
		boost->left = number;
	else if (!strcmp(name, "skipped"))
		boost->skipped = number;
}

static void parse_sampler(struct control_sampler *sampler, const char *value)
{
	struct control_sampler its = { 0 };

	if (sscanf(value, "interval=%23s tree=%15s passes %" SCNu64 " missed %" SCNu64
		   " lost %" SCNu64 " tasks %u", its.interval, its.tree, &its.passes, &its.missed,
		   &its.lost, &its.tasks) == 6)
		*sampler = its;
}

static void parse_armed(struct control_status *status, const char *value)
{
	status->supports_arming = true;
	status->is_armed = *value == '1';
}

static int parse_line(struct control_status *status, char *line)
{
	char *value = strchr(line, ' ');

	if (!value)
		return 0;
	if (!strncmp(line, "cpu ", 4))
		return parse_cpu(status, line);
	*value++ = '\0';
	if (!strcmp(line, "state"))
		status->is_recording = !strcmp(value, "recording");
	else if (!strcmp(line, "armed"))
		parse_armed(status, value);
	else if (!strcmp(line, "run"))
		status->run = strtoull(value, NULL, 10);
	else if (!strcmp(line, "run_name") && strcmp(value, "-"))
		snprintf(status->run_name, sizeof(status->run_name), "%s", value);
	else if (!strcmp(line, "reference_ticks"))
		status->reference_ticks = strtoull(value, NULL, 10);
	else if (!strcmp(line, "tree_pid"))
		status->tree_pid = strtoul(value, NULL, 10);
	else if (!strcmp(line, "logger"))
		status->logger = strtol(value, NULL, 10);
	else if (!strcmp(line, "self"))
		sscanf(value, "%d %d", &status->self, &status->self_thread);
	else if (!strcmp(line, "buffers"))
		status->buffers = strtoul(value, NULL, 10);
	else if (!strcmp(line, "buffer_kb"))
		status->buffer_kb = strtoul(value, NULL, 10);
	else if (!strcmp(line, "ticks_hz"))
		status->ticks_hz = strtoull(value, NULL, 10);
	else if (!strcmp(line, "ticks_trusted"))
		status->ticks_trusted = *value == '1';
	else if (!strcmp(line, "boot_id"))
		snprintf(status->boot_id, sizeof(status->boot_id), "%s", value);
	else if (!strcmp(line, "form"))
		snprintf(status->form, sizeof(status->form), "%s", value);
	else if (!strcmp(line, "unsupported"))
		snprintf(status->unsupported, sizeof(status->unsupported), "%s", value);
	else if (!strcmp(line, "sampler"))
		parse_sampler(&status->sampler, value);
	else if (!strncmp(line, "remote_", 7))
		parse_remote(&status->remote, line + 7, value);
	else if (!strncmp(line, "boost_", 6))
		parse_boost(&status->boost, line + 6, value);
	return 0;
}

int control_status_parse(struct control_status *status, char *text)
{
	char *line, *rest;
	int error = 0;

	memset(status, 0, sizeof(*status));
	for (line = strtok_r(text, "\n", &rest); line && !error;
	     line = strtok_r(NULL, "\n", &rest))
		error = parse_line(status, line);
	if (error)
		control_status_free(status);
	return error;
}

void control_status_free(struct control_status *status)
{
	free(status->cpus);
	status->cpus = NULL;
	status->cpu_count = 0;
}

uint64_t control_lost(const struct control_status *status)
{
	uint64_t lost = 0;

	for (unsigned int i = 0; i < status->cpu_count; i++)
		lost += status->cpus[i].lost_full + status->cpus[i].lost_nmi +
			status->cpus[i].lost_nested + status->cpus[i].lost_large;
	return lost;
}

unsigned int control_waiting(const struct control_status *status)
{
	unsigned int waiting = 0;

	for (unsigned int i = 0; i < status->cpu_count; i++)
		waiting += status->cpus[i].waiting;
	return waiting;
}
