// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reports how many records of each type an output leaves out.
 */
#include <inttypes.h>

#include "common/error.h"
#include "common/json.h"
#include "left-out.h"

static const char *const names[EVTLOG_TYPE_MAX + 1] = {
	[0] = "unknown",
#define X(number, NAME, name, words, fields) [number] = #name,
	EVTLOG_TYPES(X)
#undef X
};

#define LINE	"%" PRIu64 " records of type %s are left out"

void left_out_put(const struct left_out *left_out, FILE *out)
{
	for (unsigned int i = 0; i <= EVTLOG_TYPE_MAX; i++)
		if (left_out->records[i])
			fprintf(out, LINE "\n", left_out->records[i], names[i]);
}

void left_out_say(const struct left_out *left_out, const char *path)
{
	for (unsigned int i = 0; i <= EVTLOG_TYPE_MAX; i++)
		if (left_out->records[i])
			pr_info("%s: " LINE, path, left_out->records[i], names[i]);
}

void left_out_json(const struct left_out *left_out, struct json *json)
{
	json_object(json, "left_out");
	for (unsigned int i = 0; i <= EVTLOG_TYPE_MAX; i++)
		if (left_out->records[i])
			json_u64(json, names[i], left_out->records[i]);
	json_end(json);
}
