// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How the traces of several hosts belong together: perfetto_manifest, version 1.
 *
 * All are put to the clock of the first one that is there.  "At a common instant the source clock
 * reads T when the reference clock reads T + offset_ns."
 */
#include <inttypes.h>

#include "common/json.h"
#include "manifest.h"

#define CLOCK	"MONOTONIC_RAW"

static size_t first_of(const struct sources *sources)
{
	size_t first = 0;

	while (first + 1 < sources->logs.count && !sources->wanted[first])
		first++;
	return first;
}

static void write_file(struct json *json, const struct sources *sources, size_t number,
		       char (*names)[TAR_NAME_BYTES], const struct host_clock *clocks)
{
	size_t first = first_of(sources);

	json_object(json, NULL);
	json_string(json, "path", names[number]);
	json_object(json, "machine");
	json_string(json, "name", *sources->logs.files[number].name ?
				  sources->logs.files[number].name : "host");
	json_end(json);
	if (number != first) {
		json_object(json, "clocks");
		json_string(json, "clock", CLOCK);
		json_object(json, "sync_to");
		json_string(json, "file", names[first]);
		json_string(json, "clock", CLOCK);
		json_end(json);
		json_s64(json, "offset_ns", clocks[first].ahead_ns - clocks[number].ahead_ns);
		json_end(json);
	}
	json_end(json);
}

/* Values are numbers or text. */
static void write_errors(struct json *json, const struct sources *sources,
			 char (*names)[TAR_NAME_BYTES], const struct host_clock *clocks)
{
	char key[TAR_NAME_BYTES + 32];

	json_object(json, "attributes");
	json_string(json, "evtlog.version", EVTLOG_VERSION);
	for (size_t i = 0; i < sources->logs.count; i++) {
		if (!sources->wanted[i])
			continue;
		snprintf(key, sizeof(key), "evtlog.clock_error_ns.%s", names[i]);
		if (clocks[i].error_ns > INT64_MAX)
			json_string(json, key, "unknown");
		else
			json_u64(json, key, clocks[i].error_ns);
	}
	json_end(json);
}

void manifest_write(FILE *out, const struct sources *sources, char (*names)[TAR_NAME_BYTES],
		    const struct host_clock *clocks)
{
	struct json json;

	json_start(&json, out, false);
	json_object(&json, NULL);
	json_object(&json, "perfetto_manifest");
	json_u64(&json, "version", 1);
	json_object(&json, "trace_time");
	json_string(&json, "clock", CLOCK);
	json_string(&json, "file", names[first_of(sources)]);
	json_end(&json);
	json_array(&json, "files");
	for (size_t i = 0; i < sources->logs.count; i++)
		if (sources->wanted[i])
			write_file(&json, sources, i, names, clocks);
	json_end(&json);
	write_errors(&json, sources, names, clocks);
	json_end(&json);
	json_end(&json);
}
