// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A profile as JSON.
 */
#include <string.h>

#include "common/json.h"
#include "profile/profile.h"

void profile_print_json_paths(struct json *json, const struct profile_entry *entry)
{
	char name[64];

	json_array(json, "paths");
	for (size_t i = 0; i < entry->count; i++) {
		const struct evtlog_profile_path *path = &entry->at[i];

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
	profile_values_print_json(json, &entry->values);
}

void profile_print_json(struct json *json, const struct profile_entry *entry)
{
	json_object(json, NULL);
	if (entry->head.cpu >= 0) {
		json_u64(json, "cpu", entry->head.cpu);
	} else {
		json_u64(json, "pid", entry->head.pid);
		json_u64(json, "tgid", entry->head.tgid);
		json_string(json, "comm", entry->head.comm);
		json_u64(json, "begin_ticks", entry->head.begin);
		json_bool(json, "has_ended", entry->head.ended);
		if (profile_is_of_ended_threads(entry))
			json_u64(json, "threads", entry->head.ended);
	}
	profile_print_json_paths(json, entry);
	json_end(json);
}
