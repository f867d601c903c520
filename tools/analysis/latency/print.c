// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints the times from remote requests until CPUs ran the requested tasks.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <evtlog/remote.h>

#include "common/histogram.h"
#include "common/json.h"
#include "common/linebuf.h"
#include "requests.h"

static const char *group_name(unsigned int kind)
{
	switch (kind) {
	case EVTLOG_REMOTE_PGID:
		return "pgid";
	case EVTLOG_REMOTE_SID:
		return "sid";
	case EVTLOG_REMOTE_CGROUP:
		return "cgroup";
	}
	return "group";
}

static void address_text(uint32_t address, char text[16])
{
	const uint8_t *byte = (const uint8_t *)&address;

	snprintf(text, 16, "%u.%u.%u.%u", byte[0], byte[1], byte[2], byte[3]);
}

static const char *run_name(enum request_run run)
{
	static const char *const names[] = {
		[REQUEST_NEVER] = "never",
		[REQUEST_RAN] = "ran",
		[REQUEST_RUNNING] = "running",
		[REQUEST_UNKNOWN] = "unknown",
	};

	return names[run];
}

/* Number of requests that boosted tasks and had this result on a CPU */
static uint64_t count_runs(const struct requests *requests, unsigned int slot,
			   enum request_run run)
{
	uint64_t count = 0;

	for (size_t i = 0; i < requests->count; i++)
		count += requests->requests[i].tasks &&
			 requests->requests[i].cpus[slot].run == run;
	return count;
}

static uint64_t count_last(const struct requests *requests, int slot)
{
	uint64_t count = 0;

	for (size_t i = 0; i < requests->count; i++)
		count += slot < 0 ? requests->requests[i].last >= 0 :
			 requests->requests[i].last == slot;
	return count;
}

static uint64_t count_tied(const struct requests *requests)
{
	uint64_t count = 0;

	for (size_t i = 0; i < requests->count; i++)
		count += requests->requests[i].tied;
	return count;
}

/* ---- Text ---- */

static void show_head(const struct requests *requests, const struct request *request)
{
	uint64_t since_ns = request->receipt_ns - evtlog_begin_ns(requests->file);
	char sender[16], group[24];

	address_text(request->sender, sender);
	if (request->name[0])
		snprintf(group, sizeof(group), "%s", request->name);
	else
		snprintf(group, sizeof(group), "%" PRIu64, request->group);
	/* Text from a log is not safe for a terminal. */
	for (char *c = group; *c; c++)
		if (!isprint((unsigned char)*c))
			*c = '?';
	printf("%8" PRIu32 " %13.6f %-15s %6s %-16s", request->number, since_ns / 1e9,
	       sender, group_name(request->group_kind), group);
}

static void show_request(const struct requests *requests, const struct request *request)
{
	show_head(requests, request);
	printf(" %5" PRIu32 " %4" PRIu32 " ", request->tasks, request->cpu);
	for (unsigned int slot = 0; slot < requests->cpu_count; slot++) {
		const struct request_cpu *cpu = &request->cpus[slot];

		if (cpu->run == REQUEST_RAN)
			printf(" %9.3f%c", cpu->ns / 1e3,
			       (int)slot == request->last ? '*' : ' ');
		else
			printf(" %9s ", run_name(cpu->run));
	}
	putchar('\n');
}

static void show_list(const struct requests *requests, unsigned int top)
{
	size_t shown = 0, all = requests->count - requests->refused;

	printf("%8s %13s %-15s %6s %-16s %5s %4s ", "request", "at s", "sender", "group",
	       "", "tasks", "CPU");
	for (unsigned int slot = 0; slot < requests->cpu_count; slot++)
		printf(" %6s%3u ", "us CPU", evtlog_cpu_number(requests->file, slot));
	putchar('\n');
	for (size_t i = 0; i < requests->count && (!top || shown < top); i++) {
		if (!requests->requests[i].tasks)
			continue;
		show_request(requests, &requests->requests[i]);
		shown++;
	}
	if (shown < all)
		printf("... %zu more; --top 0 lists all\n", all - shown);
	printf("* last CPU.  CPU: received the message.  running: already ran such a task.\n\n");
}

static void show_refused(const struct requests *requests, unsigned int top)
{
	size_t shown = 0;

	if (!requests->refused)
		return;
	printf("\nRefused (no such group, or another request was active): %zu\n",
	       requests->refused);
	for (size_t i = 0; i < requests->count && (!top || shown < top); i++) {
		const struct request *request = &requests->requests[i];

		if (request->tasks)
			continue;
		show_head(requests, request);
		printf("  received on CPU %" PRIu32 "\n", request->cpu);
		shown++;
	}
	if (shown < requests->refused)
		printf("... %zu more; --top 0 lists all\n", requests->refused - shown);
}

static void show_time(uint64_t ns, bool known)
{
	if (known)
		printf(" %10.3f", ns / 1e3);
	else
		printf(" %10s", "-");
}

static int show_times(const struct requests *requests, const char *name, int slot)
{
	struct request_times times;

	if (requests_times(requests, slot, &times))
		return -1;
	printf("%-10s %7" PRIu64, name, times.count);
	show_time(times.min, times.count);
	show_time(times.median, times.count);
	show_time(times.p99, sample_size_is_enough(times.count, 99));
	show_time(times.max, times.count);
	return 0;
}

int requests_show(const struct requests *requests, unsigned int top)
{
	const char *host = evtlog_meta(requests->file, "host");
	struct line line;
	char name[24];

	line.length = 0;
	host = host ? host : "?";
	line_escaped(&line, host, strlen(host));
	line_char(&line, '\0');
	printf("Run %" PRIu64 " of %s: %zu remote sched requests\n",
	       evtlog_run(requests->file), line.text, requests->count);
	if (requests->count == requests->refused) {
		show_refused(requests, top);
		return 0;
	}
	putchar('\n');
	show_list(requests, top);
	printf("%-10s %7s %10s %10s %10s %10s %7s %7s %7s %7s\n", "us until", "ran",
	       "min", "median", "p99", "max", "running", "never", "unknown", "last");
	for (unsigned int slot = 0; slot < requests->cpu_count; slot++) {
		snprintf(name, sizeof(name), "CPU %u",
			 evtlog_cpu_number(requests->file, slot));
		if (show_times(requests, name, slot))
			return -1;
		printf(" %7" PRIu64 " %7" PRIu64 " %7" PRIu64 " %7" PRIu64 "\n",
		       count_runs(requests, slot, REQUEST_RUNNING),
		       count_runs(requests, slot, REQUEST_NEVER),
		       count_runs(requests, slot, REQUEST_UNKNOWN),
		       count_last(requests, slot));
	}
	if (show_times(requests, "any CPU", -1))
		return -1;
	putchar('\n');
	if (show_times(requests, "last CPU", -2))
		return -1;
	printf("\n\nThe CPU that received the message was the last in %" PRIu64 " of %" PRIu64
	       " requests.\n", requests->received_last,
	       count_last(requests, -1));
	if (count_tied(requests))
		printf("In %" PRIu64 " other requests several CPUs were last at the same time.\n",
		       count_tied(requests));
	for (unsigned int slot = 0; slot < requests->cpu_count; slot++)
		if (count_runs(requests, slot, REQUEST_NEVER) ==
		    requests->count - requests->refused)
			printf("CPU %u never ran a requested task.\n",
			       evtlog_cpu_number(requests->file, slot));
	show_refused(requests, top);
	return 0;
}

/* ---- JSON ---- */

static void request_json(const struct requests *requests,
			 const struct request *request, struct json *json)
{
	char sender[16];

	address_text(request->sender, sender);
	json_object(json, NULL);
	json_u64(json, "request", request->number);
	json_u64(json, "rx_ns",
		 request->receipt_ns - evtlog_begin_ns(requests->file));
	json_string(json, "sender", sender);
	json_bool(json, "broadcast", request->broadcast);
	json_string(json, "group_kind", group_name(request->group_kind));
	json_u64(json, "group", request->group);
	if (request->name[0])
		json_bytes(json, "group_name", request->name, strlen(request->name));
	else
		json_null(json, "group_name");
	json_u64(json, "duration_ns", request->duration_ns);
	json_u64(json, "rx_cpu", request->cpu);
	json_u64(json, "tasks", request->tasks);
	json_bool(json, "refused", !request->tasks);
	json_array(json, "cpus");
	for (unsigned int slot = 0; slot < requests->cpu_count && request->tasks; slot++) {
		const struct request_cpu *cpu = &request->cpus[slot];

		json_object(json, NULL);
		json_u64(json, "cpu", evtlog_cpu_number(requests->file, slot));
		json_string(json, "run", run_name(cpu->run));
		if (cpu->run == REQUEST_RAN || cpu->run == REQUEST_RUNNING)
			json_u64(json, "ns", cpu->ns);
		else
			json_null(json, "ns");
		json_end(json);
	}
	json_end(json);
	if (request->last >= 0)
		json_u64(json, "last_cpu",
			 evtlog_cpu_number(requests->file, request->last));
	else
		json_null(json, "last_cpu");
	json_bool(json, "tied", request->tied);
	json_end(json);
}

static int times_json(const struct requests *requests, struct json *json, int slot)
{
	struct request_times times;

	if (requests_times(requests, slot, &times))
		return -1;
	json_u64(json, "count", times.count);
	if (times.count) {
		json_u64(json, "min", times.min);
		json_u64(json, "median", times.median);
		if (sample_size_is_enough(times.count, 99))
			json_u64(json, "p99", times.p99);
		else
			json_null(json, "p99");
		json_u64(json, "max", times.max);
	}
	return 0;
}

int requests_json(const struct requests *requests)
{
	struct json json;
	int error = 0;

	json_start(&json, stdout, false);
	json_object(&json, NULL);
	json_string(&json, "file", requests->path);
	json_string(&json, "host", evtlog_meta(requests->file, "host"));
	json_u64(&json, "run", evtlog_run(requests->file));
	json_array(&json, "requests");
	for (size_t i = 0; i < requests->count; i++)
		request_json(requests, &requests->requests[i], &json);
	json_end(&json);
	json_array(&json, "cpus");
	for (unsigned int slot = 0; slot < requests->cpu_count && !error; slot++) {
		json_object(&json, NULL);
		json_u64(&json, "cpu", evtlog_cpu_number(requests->file, slot));
		error = times_json(requests, &json, slot);
		json_u64(&json, "running", count_runs(requests, slot, REQUEST_RUNNING));
		json_u64(&json, "never", count_runs(requests, slot, REQUEST_NEVER));
		json_u64(&json, "unknown", count_runs(requests, slot, REQUEST_UNKNOWN));
		json_u64(&json, "last", count_last(requests, slot));
		json_end(&json);
	}
	json_end(&json);
	json_object(&json, "any_cpu_ns");
	error |= times_json(requests, &json, -1);
	json_end(&json);
	json_object(&json, "last_cpu_ns");
	error |= times_json(requests, &json, -2);
	json_end(&json);
	json_u64(&json, "refused", requests->refused);
	json_u64(&json, "tied", count_tied(requests));
	json_u64(&json, "rx_cpu_last", requests->received_last);
	json_end(&json);
	return error;
}
