// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Trees of calls: built from the paths of profiles, and completed.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "profile/report/report.h"

/* ---- The name, group and kind of an event on a path ---- */

/*
 * struct report_event
 * @name: from malloc()
 */
struct report_event {
	char *name;
	const char *group;
	enum report_kind kind;
};

const char *const report_kind_names[REPORT_KINDS] = {
	[REPORT_USER] = "user",
	[REPORT_REGION] = "region",
	[REPORT_KERNEL] = "kernel",
	[REPORT_TASK] = "user or kernel",
	[REPORT_WAITING] = "waiting",
	[REPORT_PREEMPTED] = "preempted",
	[REPORT_BLOCKED] = "blocked",
	[REPORT_IDLE] = "idle",
};

/* Classes of events, and words that are events themselves */
static const struct {
	const char *word;
	const char *group;
	enum report_kind kind;
} classes[] = {
	{ "user", "USER", REPORT_USER },
	{ "task", "USER_OR_KERNEL", REPORT_TASK },
	{ "region", "REGION", REPORT_REGION },
	{ "idle", "IDLE", REPORT_IDLE },
	{ "runqueue", "KERNEL_SCHED", REPORT_WAITING },
	/* Any wait: the profile had no path left. */
	{ "waiting", "KERNEL_SCHED", REPORT_BLOCKED },
	{ "preempted", "KERNEL_SCHED", REPORT_PREEMPTED },
	{ "interruptible", "KERNEL_SCHED", REPORT_BLOCKED },
	{ "uninterruptible", "KERNEL_SCHED", REPORT_BLOCKED },
	{ "io", "KERNEL_SCHED", REPORT_BLOCKED },
	{ "stopped", "KERNEL_SCHED", REPORT_BLOCKED },
	{ "blocked", "KERNEL_SCHED", REPORT_BLOCKED },
	{ "sched", "KERNEL_SCHED", REPORT_KERNEL },
	{ "syscall", "KERNEL_SYSCALL", REPORT_KERNEL },
	{ "compat", "KERNEL_SYSCALL", REPORT_KERNEL },
	{ "exception", "KERNEL_EXCEPTION", REPORT_KERNEL },
	{ "signal", "KERNEL_SIGNAL", REPORT_KERNEL },
	{ "function", "KERNEL_FUNCTION", REPORT_KERNEL },
	{ "net", "KERNEL_NET", REPORT_KERNEL },
	{ "block", "KERNEL_BLOCK", REPORT_KERNEL },
	{ "offline", "IDLE", REPORT_IDLE },
	{ "irq", "KERNEL_INTERRUPT", REPORT_KERNEL },
	{ "vector", "KERNEL_INTERRUPT", REPORT_KERNEL },
	{ "softirq", "KERNEL_BOTTOM_HALF", REPORT_KERNEL },
};

static bool starts_with(const char *name, const char *with)
{
	return !strncmp(name, with, strlen(with));
}

/* Libraries of evtlog begin regions with these names. */
static const char *region_group(const char *name)
{
	if (starts_with(name, "MPI_"))
		return "MPI";
	if (starts_with(name, "OpenMP "))
		return "OPENMP";
	return "REGION";
}

static void classify(struct report_event *event, const char *word, size_t length)
{
	event->group = "KERNEL";
	event->kind = REPORT_KERNEL;
	for (size_t i = 0; i < sizeof(classes) / sizeof(*classes); i++) {
		if (strlen(classes[i].word) == length && !memcmp(classes[i].word, word, length)) {
			event->group = classes[i].group;
			event->kind = classes[i].kind;
			return;
		}
	}
}

static int hex(char digit)
{
	if (digit >= '0' && digit <= '9')
		return digit - '0';
	return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

/* "%20" is a blank, as blanks and ">" cannot be in a path. */
static void decode(char *to, const char *from, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (from[i] == '%' && i + 2 < length && hex(from[i + 1]) >= 0 &&
		    hex(from[i + 2]) >= 0) {
			*to++ = hex(from[i + 1]) * 16 + hex(from[i + 2]);
			i += 2;
		} else {
			*to++ = from[i];
		}
	}
	*to = '\0';
}

static bool is_class(const char *text, size_t class, const char *word)
{
	return class == strlen(word) && !memcmp(text, word, class);
}

/* Reads an event in @length bytes of a path. Returns 0 or -ENOMEM. */
static int report_event_of(struct report_event *event, const char *text, size_t length)
{
	const char *colon = memchr(text, ':', length);
	size_t class = colon ? (size_t)(colon - text) : length;
	size_t behind = colon ? class + 1 : 0;
	/* "group:" and a word: the time of all events of a group of the kernel */
	bool is_group = colon && is_class(text, class, "group");

	*event = (struct report_event){ .name = malloc(length + 64) };
	if (!event->name)
		return -ENOMEM;
	if (is_group)
		classify(event, text + behind, length - behind);
	else
		classify(event, text, class);
	if (is_group || event->kind == REPORT_REGION || is_class(text, class, "function"))
		decode(event->name, text + behind, length - behind);
	else
		profile_event_name(text, length, event->name, length + 64);
	if (event->kind == REPORT_REGION)
		event->group = region_group(event->name);
	return 0;
}

/* ---- Trees ---- */

static size_t first_child(const struct report_tree *tree, size_t parent)
{
	if (parent != REPORT_ROOT)
		return tree->at[parent].first;
	return tree->count ? 0 : REPORT_ROOT;
}

static size_t find_child(const struct report_tree *tree, size_t parent, const char *name,
			 const char *group)
{
	size_t at = first_child(tree, parent);

	while (at != REPORT_ROOT &&
	       (strcmp(tree->at[at].name, name) || strcmp(tree->at[at].group, group)))
		at = tree->at[at].next;
	return at;
}

size_t report_node_get(struct report_tree *tree, size_t parent, const char *name,
		       const char *group, enum report_kind kind)
{
	size_t found = find_child(tree, parent, name, group), sibling;
	struct report_node *node;

	if (found != REPORT_ROOT)
		return found;
	if (array_reserve(&tree->at, &tree->capacity, tree->count, sizeof(*tree->at)))
		return REPORT_ROOT;
	node = &tree->at[tree->count];
	*node = (struct report_node){ .group = group, .kind = kind, .parent = parent,
		.first = REPORT_ROOT, .next = REPORT_ROOT,
		.depth = parent == REPORT_ROOT ? 0 : tree->at[parent].depth + 1 };
	node->name = strdup(name);
	if (!node->name)
		return REPORT_ROOT;
	sibling = first_child(tree, parent);
	if (sibling != REPORT_ROOT) {
		node->next = tree->at[sibling].next;
		tree->at[sibling].next = tree->count;
	} else if (parent != REPORT_ROOT) {
		tree->at[parent].first = tree->count;
	}
	return tree->count++;
}

/* struct rate - to convert the ticks of a profile to those of the report */
struct rate {
	uint64_t from, to;
};

static uint64_t convert(const struct rate *rate, uint64_t ticks)
{
	if (rate->from == rate->to)
		return ticks;
	return (uint64_t)((unsigned __int128)ticks * rate->to / rate->from);
}

static int add_path(struct report_tree *tree, const struct evtlog_profile_path *path,
		    const struct rate *rate)
{
	size_t parent = REPORT_ROOT, depth = 0;
	const char *at = path->path;
	struct report_node *node;

	for (;;) {
		size_t length = strcspn(at, ">");
		struct report_event event;
		int error = report_event_of(&event, at, length);

		if (error)
			return error;
		if (++depth > REPORT_DEPTH_MAX) {
			free(event.name);
			return -ELOOP;
		}
		tree->has_regions |= event.kind == REPORT_REGION;
		parent = report_node_get(tree, parent, event.name, event.group, event.kind);
		free(event.name);
		if (parent == REPORT_ROOT)
			return -ENOMEM;
		if (!at[length])
			break;
		at += length + 1;
	}
	node = &tree->at[parent];
	node->count += path->count;
	node->exclusive += convert(rate, path->exclusive);
	/* The events of a CPU are not a tree. */
	if (tree->cpu >= 0)
		node->inclusive += convert(rate, path->inclusive);
	if (convert(rate, path->largest) > node->largest)
		node->largest = convert(rate, path->largest);
	return 0;
}

static int by_inclusive(const void *a, const void *b, void *context)
{
	const struct report_tree *tree = context;
	const struct report_node *one = &tree->at[*(const size_t *)a];
	const struct report_node *two = &tree->at[*(const size_t *)b];

	if (one->inclusive != two->inclusive)
		return one->inclusive < two->inclusive ? 1 : -1;
	return strcmp(one->name, two->name);
}

/* Copies @from and its siblings, sorted, and the nodes within them. */
static int copy_level(struct report_tree *old, struct report_tree *tree, size_t from,
		      size_t parent)
{
	size_t count = 0, *order, i, at, before = REPORT_ROOT;
	int error = 0;

	for (at = from; at != REPORT_ROOT; at = old->at[at].next)
		count++;
	if (!count)
		return 0;
	order = malloc(count * sizeof(*order));
	if (!order)
		return -ENOMEM;
	for (i = 0, at = from; at != REPORT_ROOT; at = old->at[at].next)
		order[i++] = at;
	qsort_r(order, count, sizeof(*order), by_inclusive, old);
	for (i = 0; !error && i < count; i++) {
		size_t to = tree->count++;

		tree->at[to] = old->at[order[i]];
		tree->at[to].parent = parent;
		tree->at[to].first = REPORT_ROOT;
		tree->at[to].next = REPORT_ROOT;
		if (before != REPORT_ROOT)
			tree->at[before].next = to;
		else if (parent != REPORT_ROOT)
			tree->at[parent].first = to;
		before = to;
		error = copy_level(old, tree, old->at[order[i]].first, to);
	}
	free(order);
	return error;
}

int report_tree_finish(struct report_tree *tree)
{
	struct report_tree old = *tree;
	int error;

	tree->total = 0;
	if (!tree->count)
		return 0;
	for (size_t i = 0; i < tree->count; i++) {
		if (tree->cpu < 0)
			tree->at[i].inclusive = tree->at[i].exclusive;
		tree->at[i].subcalls = 0;
		tree->total += tree->at[i].exclusive;
	}
	/* Backwards, as children are after their parents */
	for (size_t i = tree->count; i--;) {
		struct report_node *node = &tree->at[i];

		if (node->parent == REPORT_ROOT)
			continue;
		tree->at[node->parent].subcalls += node->count;
		tree->at[node->parent].inclusive += node->inclusive;
	}
	tree->capacity = tree->count;
	tree->at = calloc(tree->count, sizeof(*tree->at));
	tree->count = 0;
	error = tree->at ? copy_level(&old, tree, 0, REPORT_ROOT) : -ENOMEM;
	if (error) {
		free(tree->at);
		*tree = old;
		return error;
	}
	free(old.at);
	return 0;
}

static int add_entry(struct report *report, const struct profile_entry *entry, int rank,
		     const struct rate *rate)
{
	struct report_tree *tree;
	int error = array_reserve(&report->at, &report->capacity, report->count,
				  sizeof(*report->at));

	if (error)
		return error;
	tree = &report->at[report->count++];
	*tree = (struct report_tree){ .cpu = entry->head.cpu, .pid = entry->head.pid,
				      .tgid = entry->head.tgid, .rank = rank,
				      .values = entry->values };
	if (entry->head.cpu >= 0)
		error = asprintf(&tree->label, "CPU %d", entry->head.cpu);
	else if (profile_is_of_ended_threads(entry))
		error = asprintf(&tree->label, "%s-%d ended threads", entry->head.comm,
				 entry->head.tgid);
	else
		error = asprintf(&tree->label, "%s-%d", entry->head.comm, entry->head.pid);
	if (error < 0) {
		tree->label = NULL;
		return -ENOMEM;
	}
	error = 0;
	for (size_t i = 0; !error && i < entry->count; i++)
		error = add_path(tree, &entry->at[i], rate);
	return error ? error : report_tree_finish(tree);
}

int report_add(struct report *report, struct profile *profile)
{
	struct rate rate = { profile->about.ticks_hz, report->hz };
	int error = array_reserve(&report->profiles, &report->profile_capacity,
				  report->profile_count, sizeof(*report->profiles));

	if (error) {
		profile_free(profile);
		return error;
	}
	if (!report->hz)
		report->hz = rate.to = profile->about.ticks_hz;
	for (size_t i = 0; !error && i < profile->count; i++)
		error = add_entry(report, &profile->at[i], profile->about.rank, &rate);
	report->about.is_compensated |= profile->about.is_compensated;
	report->about.removed += convert(&rate, profile->about.removed);
	report->about.clamped += profile->about.clamped;
	report->profiles[report->profile_count++] = *profile;
	return error;
}

void report_tree_free(struct report_tree *tree)
{
	for (size_t i = 0; i < tree->count; i++)
		free(tree->at[i].name);
	free(tree->at);
	free(tree->label);
	*tree = (struct report_tree){ .cpu = -1 };
}

void report_clear(struct report *report)
{
	for (size_t i = 0; i < report->count; i++)
		report_tree_free(&report->at[i]);
	for (size_t i = 0; i < report->profile_count; i++)
		profile_free(&report->profiles[i]);
	free(report->at);
	free(report->profiles);
	*report = (struct report){ 0 };
}
