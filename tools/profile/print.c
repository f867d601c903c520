// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints profiles as tables, trees, folded stacks and JSON.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <evtlog/evtlog.h>

#include "common/json.h"
#include "print/names.h"
#include "profile/profile.h"

/* Name of a system vector of x86, as in events: see arch/x86/include/asm/irq_vectors.h. */
static const char *vector_name(unsigned long number)
{
	static const char *const names[] = {
		[0xec] = "local_timer", [0xf4] = "deferred_error_apic", [0xf6] = "irq_work",
		[0xf7] = "x86_platform_ipi", [0xf9] = "threshold_apic", [0xfa] = "thermal_apic",
		[0xfb] = "call_function_single", [0xfc] = "call_function", [0xfd] = "reschedule",
		[0xfe] = "error_apic", [0xff] = "spurious_apic",
	};

	return number < sizeof(names) / sizeof(*names) ? names[number] : NULL;
}

static const char *number_name(const char *class, size_t length, unsigned long number)
{
	static const char *const softirqs[] = {
		"HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED",
		"HRTIMER", "RCU",
	};

	if (length == 7 && !memcmp(class, "syscall", length))
		return syscall_name(number);
	if (length == 6 && !memcmp(class, "compat", length))
		return syscall_name_32(number);
	if (length == 9 && !memcmp(class, "exception", length))
		return evtlog_exception_name(number);
	if (length == 7 && !memcmp(class, "softirq", length) &&
	    number < sizeof(softirqs) / sizeof(*softirqs))
		return softirqs[number];
	if (length == 6 && !memcmp(class, "vector", length))
		return vector_name(number);
	if (length == 6 && !memcmp(class, "signal", length))
		return sigabbrev_np(number);
	return NULL;
}

const char *profile_event_name(const char *event, size_t length, char *name, size_t room)
{
	const char *colon = memchr(event, ':', length), *found;

	found = colon ? number_name(event, colon - event, strtoul(colon + 1, NULL, 10)) : NULL;
	if (!found)
		snprintf(name, room, "%.*s", (int)length, event);
	else if (!strncmp(event, "syscall", 7))
		snprintf(name, room, "%s()", found);
	else
		snprintf(name, room, "%.*s %s", (int)(colon - event), event, found);
	return name;
}

static double us_of(uint64_t ticks, uint64_t hz)
{
	return hz ? ticks * 1e6 / hz : 0;
}

static void print_line(FILE *out, const struct evtlog_profile_path *path, const char *name, int indent,
		       uint64_t all, uint64_t hz)
{
	fprintf(out, "%10" PRIu64 " %14.3f %14.3f %12.3f %6.2f  %*s%s\n", path->count,
		us_of(path->inclusive, hz), us_of(path->exclusive, hz), us_of(path->largest, hz),
		all ? path->exclusive * 100.0 / all : 0, indent, "", name);
}

static unsigned int depth_of(const struct evtlog_profile_path *path)
{
	unsigned int depth = 0;

	for (const char *at = path->path; (at = strchr(at, '>')); at++)
		depth++;
	return depth;
}

static int by_path(const void *a, const void *b)
{
	const struct evtlog_profile_path *one = a, *two = b;

	return profile_path_compare(one->path, two->path);
}

static void print_folded(FILE *out, const struct profile_slot *slot,
			 const struct evtlog_profile_path *path, uint64_t hz)
{
	char name[64], plain[64];
	const char *at = path->path;

	if (!path->exclusive)
		return;
	fputs(profile_plain(slot->entry.cpu < 0 ? slot->entry.comm : "cpu", ";", plain, sizeof(plain)),
	      out);
	for (;;) {
		size_t length = strcspn(at, ">");

		profile_event_name(at, length, name, sizeof(name));
		fprintf(out, ";%s", profile_plain(name, ";", plain, sizeof(plain)));
		if (!at[length])
			break;
		at += length + 1;
	}
	fprintf(out, " %.0f\n", us_of(path->exclusive, hz));
}

static uint64_t sum_of(const struct profile_slot *slot)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < slot->entry.paths; i++)
		sum += slot->paths[i].exclusive;
	return sum;
}

static void print_head(FILE *out, const struct profile_slot *slot, uint64_t all, uint64_t hz)
{
	char name[64];

	profile_plain(slot->entry.comm, "", name, sizeof(name));
	if (slot->entry.cpu >= 0)
		fprintf(out, "CPU %d: %.3f ms\n", slot->entry.cpu, us_of(all, hz) / 1000);
	else if (profile_is_of_ended_threads(&slot->entry))
		fprintf(out, "%s-%d, threads that ended, %" PRIu64 ": %.3f ms\n", name,
			slot->entry.tgid, slot->entry.ended, us_of(all, hz) / 1000);
	else if (!slot->entry.pid)
		fprintf(out, "%s: %.3f ms\n", name, us_of(all, hz) / 1000);
	else
		fprintf(out, "%s-%d: %.3f ms\n", name, slot->entry.pid, us_of(all, hz) / 1000);
	fprintf(out, "%10s %14s %14s %12s %6s  %s\n", "count", "inclusive us", "exclusive us",
		"largest us", "%", "event");
}

int profile_print(FILE *out, const struct profile_slot *slot, enum profile_form form, uint64_t hz)
{
	struct profile_slot copy = { .entry = slot->entry };
	uint64_t all = sum_of(slot);
	char name[64], plain[64];
	int error = 0;

	if (form == PROFILE_FLAT) {
		error = profile_flatten(slot, &copy);
	} else {
		copy.paths = calloc(slot->entry.paths + 1, sizeof(*copy.paths));
		if (!copy.paths)
			return -ENOMEM;
		for (size_t i = 0; i < slot->entry.paths; i++)
			copy.paths[i] = slot->paths[i];
		qsort(copy.paths, copy.entry.paths, sizeof(*copy.paths), by_path);
	}
	if (error)
		return error;
	if (form != PROFILE_FOLDED)
		print_head(out, slot, all, hz);
	for (size_t i = 0; i < copy.entry.paths; i++) {
		const struct evtlog_profile_path *path = &copy.paths[i];

		if (form == PROFILE_FOLDED)
			print_folded(out, slot, path, hz);
		else
			print_line(out, path,
				   profile_plain(profile_event_name(path->event,
								    strlen(path->event), name,
								    sizeof(name)),
						 "", plain, sizeof(plain)),
				   form == PROFILE_TREE ? 2 * depth_of(path) : 0, all, hz);
	}
	if (form != PROFILE_FOLDED)
		profile_values_print(out, slot);
	profile_slot_free(&copy);
	return 0;
}

/* ---- A profile as JSON ---- */

void profile_print_json_paths(struct json *json, const struct profile_slot *slot)
{
	char name[64];

	json_array(json, "paths");
	for (size_t i = 0; i < slot->entry.paths; i++) {
		const struct evtlog_profile_path *path = &slot->paths[i];

		json_object(json, NULL);
		json_string(json, "path", path->path);
		json_string(json, "event", profile_event_name(path->event, strlen(path->event),
							      name, sizeof(name)));
		json_u64(json, "count", path->count);
		json_u64(json, "inclusive_ticks", path->inclusive);
		json_u64(json, "exclusive_ticks", path->exclusive);
		json_u64(json, "largest_ticks", path->largest);
		json_end(json);
	}
	json_end(json);
	profile_values_print_json(json, slot);
}

void profile_print_json(struct json *json, const struct profile_slot *slot)
{
	json_object(json, NULL);
	if (slot->entry.cpu >= 0) {
		json_u64(json, "cpu", slot->entry.cpu);
	} else {
		json_u64(json, "pid", slot->entry.pid);
		json_u64(json, "tgid", slot->entry.tgid);
		json_string(json, "comm", slot->entry.comm);
		json_u64(json, "begin_ticks", slot->entry.begin);
		json_bool(json, "has_ended", slot->entry.ended);
		if (profile_is_of_ended_threads(&slot->entry))
			json_u64(json, "threads", slot->entry.ended);
	}
	profile_print_json_paths(json, slot);
	json_end(json);
}

/* ---- What was subtracted ---- */

void profile_print_compensated(FILE *out, const struct evtlog_profile_about *about, uint64_t hz)
{
	if (about->is_compensated)
		fprintf(out, "compensated: %.3f us of measuring subtracted, %" PRIu64 " sums would be below 0\n\n",
			hz ? about->removed * 1e6 / hz : 0, about->clamped);
}

void profile_print_json_compensated(struct json *json, const struct evtlog_profile_about *about)
{
	if (!about->is_compensated)
		return;
	json_object(json, "compensated");
	json_u64(json, "removed_ticks", about->removed);
	json_u64(json, "clamped", about->clamped);
	json_end(json);
}
