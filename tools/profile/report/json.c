// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reports as JSON.
 */
#include "common/json.h"
#include "profile/compensate.h"
#include "profile/report/report.h"

static void print_node(struct json *json, const struct report_tree *tree, size_t at)
{
	const struct report_node *node = &tree->at[at];

	json_object(json, NULL);
	json_string(json, "event", node->name);
	json_string(json, "group", node->group);
	json_string(json, "kind", report_kind_names[node->kind]);
	/* Parents are before their children. */
	json_u64(json, "id", at);
	if (node->parent == REPORT_ROOT)
		json_null(json, "parent");
	else
		json_u64(json, "parent", node->parent);
	json_u64(json, "count", node->count);
	json_u64(json, "subcalls", node->subcalls);
	json_u64(json, "inclusive_ticks", node->inclusive);
	json_u64(json, "exclusive_ticks", node->exclusive);
	json_u64(json, "largest_ticks", node->largest);
	json_end(json);
}

int report_print_json(FILE *out, const struct report *report)
{
	struct json json;

	json_start(&json, out, false);
	json_object(&json, NULL);
	json_u64(&json, "ticks_hz", report->hz);
	profile_print_json_compensated(&json, &report->about);
	json_array(&json, "profiles");
	for (size_t i = 0; i < report->count; i++) {
		const struct report_tree *tree = &report->at[i];

		json_object(&json, NULL);
		json_string(&json, "name", tree->label);
		if (tree->cpu >= 0) {
			json_u64(&json, "cpu", tree->cpu);
		} else if (tree->pid || tree->tgid) {
			json_u64(&json, "pid", tree->pid);
			json_u64(&json, "tgid", tree->tgid);
		}
		if (tree->rank >= 0)
			json_u64(&json, "rank", tree->rank);
		json_u64(&json, "total_ticks", tree->total);
		json_array(&json, "paths");
		for (size_t k = 0; k < tree->count; k++)
			print_node(&json, tree, k);
		json_end(&json);
		profile_values_print_json(&json, &tree->values);
		json_end(&json);
	}
	json_end(&json);
	json_end(&json);
	return 0;
}
