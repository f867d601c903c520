// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints reports as tables, trees, folded stacks and JSON.
 */
#include <inttypes.h>
#include <string.h>

#include "common/json.h"
#include "profile/report/report.h"

/*
 * Sums the exclusive time of a region by kind: of its node, and of the nodes within, up to inner
 * regions.
 */
static void add_kinds(const struct report_tree *tree, size_t at, uint64_t kinds[REPORT_KINDS])
{
	kinds[tree->at[at].kind] += tree->at[at].exclusive;
	for (size_t child = tree->at[at].first; child != REPORT_ROOT; child = tree->at[child].next) {
		if (tree->at[child].kind != REPORT_REGION)
			add_kinds(tree, child, kinds);
	}
}

static uint64_t sum_of(const uint64_t kinds[REPORT_KINDS])
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < REPORT_KINDS; i++)
		sum += kinds[i];
	return sum;
}

static void print_region(FILE *out, const struct report *report, const struct report_tree *tree,
			 size_t at, unsigned int depth)
{
	const struct report_node *node = &tree->at[at];
	uint64_t kinds[REPORT_KINDS] = { 0 };
	char name[512];

	add_kinds(tree, at, kinds);
	fprintf(out, "%9" PRIu64 " %13.3f %13.3f", node->count, report_us(report, node->inclusive),
		report_us(report, sum_of(kinds)));
	fprintf(out, " %13.3f %11.3f %11.3f %11.3f %11.3f",
		report_us(report, kinds[REPORT_USER] + kinds[REPORT_REGION]),
		report_us(report, kinds[REPORT_KERNEL]), report_us(report, kinds[REPORT_WAITING]),
		report_us(report, kinds[REPORT_PREEMPTED]), report_us(report, kinds[REPORT_BLOCKED]));
	fprintf(out, "  %*s%s\n", 2 * depth, "",
		node->kind == REPORT_REGION ? profile_plain(node->name, "", name, sizeof(name)) :
		"(no region)");
}

/* Prints regions with indentation by nesting, and outermost nodes that are not regions. */
static void print_regions_in(FILE *out, const struct report *report,
			     const struct report_tree *tree, size_t at, unsigned int depth)
{
	for (; at != REPORT_ROOT; at = tree->at[at].next) {
		bool is_shown = tree->at[at].kind == REPORT_REGION ||
				tree->at[at].parent == REPORT_ROOT;

		if (is_shown)
			print_region(out, report, tree, at, depth);
		print_regions_in(out, report, tree, tree->at[at].first, depth + is_shown);
	}
}

static void print_regions(FILE *out, const struct report *report, const struct report_tree *tree)
{
	fprintf(out, "%9s %13s %13s %13s %11s %11s %11s %11s  %s\n", "calls", "inclusive us",
		"exclusive us", "user us", "kernel us", "waiting us", "preempt us", "blocked us",
		"region");
	print_regions_in(out, report, tree, 0, 0);
}

static void print_node(FILE *out, const struct report *report, const struct report_tree *tree,
		       const struct report_node *node, unsigned int depth)
{
	char name[512];

	fprintf(out, "%9" PRIu64 " %13.3f %13.3f %12.3f %6.2f  %*s%s\n", node->count,
		report_us(report, node->inclusive), report_us(report, node->exclusive),
		report_us(report, node->largest),
		tree->total ? node->exclusive * 100.0 / tree->total : 0, 2 * depth, "",
		profile_plain(node->name, "", name, sizeof(name)));
}

static void print_head(FILE *out, const struct report *report, const struct report_tree *tree,
		       bool has_columns)
{
	char name[64];

	if (tree != report->at)
		fputc('\n', out);
	fprintf(out, "%s", profile_plain(tree->label, "", name, sizeof(name)));
	if (tree->rank >= 0)
		fprintf(out, " (rank %d)", tree->rank);
	fprintf(out, ": %.3f ms\n", report_us(report, tree->total) / 1000);
	if (has_columns)
		fprintf(out, "%9s %13s %13s %12s %6s  %s\n", "calls", "inclusive us",
			"exclusive us", "largest us", "%", "event");
}

int report_print_table(FILE *out, const struct report *report)
{
	profile_print_compensated(out, &report->about, report->hz);
	for (size_t i = 0; i < report->count; i++) {
		const struct report_tree *tree = &report->at[i];
		struct report_tree flat;
		int error;

		print_head(out, report, tree, !tree->has_regions);
		if (tree->has_regions) {
			print_regions(out, report, tree);
			profile_values_print(out, tree->slot);
			continue;
		}
		error = report_flat(tree, &flat);
		if (error)
			return error;
		for (size_t k = 0; k < flat.count; k++)
			print_node(out, report, &flat, &flat.at[k], 0);
		report_tree_free(&flat);
		profile_values_print(out, tree->slot);
	}
	return 0;
}

int report_print_tree(FILE *out, const struct report *report)
{
	profile_print_compensated(out, &report->about, report->hz);
	for (size_t i = 0; i < report->count; i++) {
		const struct report_tree *tree = &report->at[i];

		print_head(out, report, tree, true);
		for (size_t k = 0; k < tree->count; k++)
			print_node(out, report, tree, &tree->at[k], tree->at[k].depth);
		profile_values_print(out, tree->slot);
	}
	return 0;
}

static void print_stack(FILE *out, const struct report_tree *tree, size_t at)
{
	char name[512];

	if (tree->at[at].parent == REPORT_ROOT)
		fputs(profile_plain(tree->label, ";", name, sizeof(name)), out);
	else
		print_stack(out, tree, tree->at[at].parent);
	fprintf(out, ";%s", profile_plain(tree->at[at].name, ";", name, sizeof(name)));
}

int report_print_folded(FILE *out, const struct report *report)
{
	for (size_t i = 0; i < report->count; i++) {
		const struct report_tree *tree = &report->at[i];

		for (size_t k = 0; k < tree->count; k++) {
			if (!tree->at[k].exclusive)
				continue;
			print_stack(out, tree, k);
			fprintf(out, " %" PRIu64 "\n", report_ns(report, tree->at[k].exclusive));
		}
	}
	return 0;
}

/* ---- Reports as JSON ---- */

static void print_json_node(struct json *json, const struct report_tree *tree, size_t at)
{
	const struct report_node *node = &tree->at[at];

	json_object(json, NULL);
	json_string(json, "path", node->path);
	json_string(json, "event", node->name);
	json_string(json, "group", node->group);
	json_string(json, "kind", report_kind_names[node->kind]);
	/* Parents are in front of their children. */
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
		const struct evtlog_profile_entry *entry = &tree->slot->entry;

		json_object(&json, NULL);
		json_string(&json, "name", tree->label);
		if (entry->cpu >= 0) {
			json_u64(&json, "cpu", entry->cpu);
		} else if (entry->pid || entry->tgid) {
			json_u64(&json, "pid", entry->pid);
			json_u64(&json, "tgid", entry->tgid);
			json_string(&json, "comm", entry->comm);
			json_u64(&json, "begin_ticks", entry->begin);
			json_bool(&json, "has_ended", entry->ended);
			if (profile_is_of_ended_threads(entry))
				json_u64(&json, "threads", entry->ended);
		}
		if (tree->rank >= 0)
			json_u64(&json, "rank", tree->rank);
		json_u64(&json, "total_ticks", tree->total);
		json_array(&json, "paths");
		for (size_t k = 0; k < tree->count; k++)
			print_json_node(&json, tree, k);
		json_end(&json);
		profile_values_print_json(&json, tree->slot);
		json_end(&json);
	}
	json_end(&json);
	json_end(&json);
	return 0;
}
