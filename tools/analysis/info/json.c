// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints information about a log as JSON. evtlog-info(1) describes the keys, which do not change.
 */
#include <stdio.h>

#include "common/json.h"
#include "info.h"
#include "input/open-log.h"

static void meta_json(const struct info *info, struct json *json)
{
	const char *key, *value;

	json_object(json, "header");
	for (size_t i = 0; evtlog_meta_at(info->file, i, &key, &value); i++)
		json_string(json, key, value);
	json_end(json);
}

static void events_json(const struct info *info, struct json *json)
{
	json_object(json, "events");
	for (unsigned int i = 0; i <= EVTLOG_TYPE_MAX; i++) {
		const struct evtlog_type_info *type;

		type = evtlog_type_info(info->file, i);
		if (type)
			json_u64(json, type->name, info->counts[i]);
	}
	json_end(json);
}

static void recorded_json(const struct info *info, struct json *json)
{
	json_object(json, "recorded");
	for (unsigned int i = 0; i <= EVTLOG_TYPE_MAX; i++) {
		const struct evtlog_type_info *type = evtlog_type_info(info->file, i);
		enum evtlog_recorded recorded;

		if (!type || !type->known)
			continue;
		recorded = evtlog_recorded(info->file, type->known);
		if (recorded == EVTLOG_RECORDED_UNKNOWN)
			json_null(json, type->name);
		else
			json_bool(json, type->name, recorded == EVTLOG_RECORDED_ON);
	}
	json_end(json);
}

/* null if no buffer has the time */
static void time_json(const struct info *info, struct json *json)
{
	static const char *const keys[] = {
		"start", "start_real_ns", "start_raw_ns", "span_ns", "ticks_hz", "ticks_trusted",
		"clock_error_ns", "tai_offset_s", "real_steps"
	};
	const struct evtlog_file *file = info->file;
	struct evtlog_real_step step;
	char text[64];

	for (size_t i = 0; !info_has_time(info) && i < sizeof(keys) / sizeof(keys[0]); i++)
		json_null(json, keys[i]);
	if (!info_has_time(info))
		return;
	info_real(file, evtlog_begin_ns(file), text, sizeof(text));
	json_string(json, "start", text);
	json_s64(json, "start_real_ns", evtlog_real_ns(file, evtlog_begin_ns(file)));
	json_u64(json, "start_raw_ns", evtlog_begin_ns(file));
	json_u64(json, "span_ns", evtlog_end_ns(file) - evtlog_begin_ns(file));
	json_u64(json, "ticks_hz", evtlog_ticks_hz(file));
	json_bool(json, "ticks_trusted", !info->summary.tsc_bad);
	json_u64(json, "clock_error_ns", evtlog_clock_error_ns(file));
	json_s64(json, "tai_offset_s", evtlog_tai_offset_s(file));
	json_array(json, "real_steps");
	for (size_t i = 0; evtlog_real_step(file, i, &step); i++) {
		json_object(json, NULL);
		json_u64(json, "before_ns", step.before_ns);
		json_u64(json, "after_ns", step.after_ns);
		json_s64(json, "step_ns", step.step_ns);
		json_end(json);
	}
	json_end(json);
}

/* These keys exist only with a tree or a sampler. */
static void tree_json(const struct evtlog_file *file, struct json *json)
{
	struct info_sampler sampler;
	bool is_sampled = info_sampler(file, &sampler);
	uint32_t processes;
	const char *choice = info_tree_choice(file, &processes);

	if (evtlog_tree_pid(file))
		json_u64(json, "tree", evtlog_tree_pid(file));
	if (choice)
		json_string(json, "tree_choice", choice);
	if (choice && processes)
		json_u64(json, "tree_processes", processes);
	if (!is_sampled)
		return;
	json_object(json, "sampler");
	if (sampler.interval_ns)
		json_u64(json, "interval_ns", sampler.interval_ns);
	else
		json_null(json, "interval_ns");
	if (sampler.tree_pid)
		json_u64(json, "tree", sampler.tree_pid);
	else
		json_null(json, "tree");
	json_end(json);
}

static void passes_json(const struct info *info, struct json *json)
{
	if (!info->passes.passes)
		return;
	json_u64(json, "passes", info->passes.passes);
	json_u64(json, "passes_missed", info->passes.missed);
}

void info_json(const struct info *info)
{
	const struct evtlog_file *file = info->file;
	const struct evtlog_summary *s = &info->summary;
	uint64_t ordered_ns;
	char text[64];
	struct json json;

	json_start(&json, stdout, false);
	json_object(&json, NULL);
	json_string(&json, "file", info->path);
	json_string(&json, "host", evtlog_meta(file, "host"));
	json_string(&json, "kernel", evtlog_meta(file, "kernel"));
	json_string(&json, "version", evtlog_meta(file, "version"));
	json_string(&json, "machine", evtlog_meta(file, "machine"));
	info_boot_id(file, text);
	json_string(&json, "boot_id", text);
	json_u64(&json, "run", evtlog_run(file));
	json_string(&json, "run_name", evtlog_meta(file, "run_name"));
	tree_json(file, &json);
	passes_json(info, &json);
	if (info_ordered_before_ns(info, &ordered_ns))
		json_u64(&json, "requested_before_start_ns", ordered_ns);
	else
		json_null(&json, "requested_before_start_ns");
	time_json(info, &json);
	json_u64(&json, "cpus", evtlog_cpu_count(file));
	json_array(&json, "cpu_list");
	for (unsigned int i = 0; i < evtlog_cpu_count(file); i++)
		json_u64(&json, NULL, evtlog_cpu_number(file, i));
	json_end(&json);
	json_object(&json, "logger");
	if (!info->logger_pid)
		json_null(&json, "pid");
	else
		json_u64(&json, "pid", info->logger_pid);
	if (info_knows_logger_time(info)) {
		json_u64(&json, "cpu_time_ns", info->usage.logger_ns);
		json_double(&json, "share_of_cpu_time",
			    info_logger_share(info), 9);
	} else {
		json_null(&json, "cpu_time_ns");
		json_null(&json, "share_of_cpu_time");
	}
	json_end(&json);
	recorded_json(info, &json);
	json_u64(&json, "lost", log_lost(file));
	log_causes_json(file, &json);
	json_u64(&json, "bytes", evtlog_size_bytes(file));
	json_u64(&json, "buffers", s->buffers);
	json_u64(&json, "duplicate_buffers", s->duplicates);
	json_u64(&json, "missing_buffers", s->missing_buffers);
	json_u64(&json, "buffer_bytes", s->raw_bytes);
	json_bool(&json, "closed", s->closed);
	json_bool(&json, "complete", s->complete);
	json_u64(&json, "damaged_places", evtlog_damage_count(file));
	json_u64(&json, "event_count", info->events);
	events_json(info, &json);
	meta_json(info, &json);
	json_end(&json);
}
