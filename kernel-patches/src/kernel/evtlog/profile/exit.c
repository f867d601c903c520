// SPDX-License-Identifier: GPL-2.0-only
/*
 * The profile of a freed task, recorded as an EVENT: nothing is lost between two reads of
 * /proc/evtlog/profile/all.
 *
 * It goes to the run, or to the named buffer of the event "profile".
 */
#include <linux/evtlog.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "callpath/memory.h"
#include "profile/profile.h"

/* Paths in one record; a profile with more paths takes several records. */
#define PATHS_MAX	((EVTLOG_EVENT_BYTES_MAX - sizeof(struct header)) / sizeof(struct path))

/* Described by the format: see FIELDS. */
struct header {
	u32 pid;
	u32 tgid;
	u64 born;
	u64 off;
	u64 ahead;
	char comm[TASK_COMM_LEN];
	u16 first;
	u16 paths;
	u16 all;
	u16 reserved;
	u32 parent;
	u32 unmatched;
};

#define FIELDS	"pid:0:4:p tgid:4:4:p born:8:8:u off:16:8:u ahead:24:8:u comm:32:16:c "	\
		"first:48:2:u paths:50:2:u all:52:2:u parent:56:4:p "	\
		"unmatched:60:4:u profile:64:0:b"

/*
 * A path with the index of its parent; 0xffff: none.  If the task has values, they follow all
 * paths: a value's sum is in @inclusive, and the sum of its squares in @exclusive.
 */
struct path {
	u16 event;
	u16 parent;
	u32 count_high;
	u32 count;
	u32 least;
	u64 inclusive;
	u64 exclusive;
	u64 largest;
};

static int event_id = -ENOENT;

/**
 * evtlog_profile_exit_init() - register the event
 *
 * Context: task context, may sleep.
 * Return: 0 or a negative error.
 */
int evtlog_profile_exit_init(void)
{
	BUILD_BUG_ON(sizeof(struct header) != 64);
	if (event_id < 0)
		event_id = evtlog_event_register("profile", FIELDS);
	return min(event_id, 0);
}

static void fill_path(struct path *path, const struct evtlog_profile_node *node)
{
	path->event = node->key;
	path->parent = node->key >> 16;
	path->count = node->sums.count;
	path->count_high = node->sums.count >> 32;
	path->least = 0;
	path->inclusive = node->sums.inclusive;
	path->exclusive = node->sums.exclusive;
	path->largest = max(node->sums.largest, node->largest_before);
}

static void fill_value(struct path *path, const struct evtlog_profile_values *values,
		       unsigned int number)
{
	const struct evtlog_profile_value *value = &values->of[number];

	path->event = EVTLOG_PROFILE_EVENT(EVTLOG_PROFILE_VALUE, number);
	path->parent = EVTLOG_PROFILE_NO_PARENT;
	path->count = value->count;
	path->count_high = value->count >> 32;
	path->least = evtlog_profile_value_least(value);
	path->inclusive = value->sum;
	path->exclusive = value->squares;
	path->largest = value->largest;
}

static unsigned int nr_paths(const struct evtlog_profile *p)
{
	return p->nr_nodes + (p->values ? EVTLOG_VALUES : 0);
}

static bool tell(const struct task_struct *task, struct evtlog_profile *p, unsigned int first,
		 unsigned int paths)
{
	unsigned long flags;
	struct header *header;
	struct path *path;
	unsigned int i;

	header = evtlog_event_reserve(event_id, sizeof(*header) + paths * sizeof(*path), &flags);
	if (!header)
		return false;
	*header = (struct header){
		.pid = task->pid, .tgid = task->tgid, .born = p->born, .off = p->off,
		.ahead = p->ahead, .first = first, .paths = paths, .all = nr_paths(p),
		.parent = p->parent, .unmatched = p->unmatched,
	};
	memcpy(header->comm, task->comm, sizeof(header->comm));
	path = (struct path *)(header + 1);
	for (i = 0; i < paths; i++) {
		if (first + i < p->nr_nodes)
			fill_path(&path[i], evtlog_profile_node(p, first + i));
		else
			fill_value(&path[i], p->values, first + i - p->nr_nodes);
	}
	evtlog_event_commit(flags);
	return true;
}

/**
 * evtlog_profile_tell_exit() - record a complete profile
 * @task:	its task, which is freed or has a new profile
 *
 * Context: any but NMI.
 */
void evtlog_profile_tell_exit(const struct task_struct *task, struct evtlog_profile *p)
{
	unsigned int first;

	if (event_id < 0 || !p->born || p->epoch != evtlog_profile_epoch)
		return;
	for (first = 0; first < nr_paths(p); first += PATHS_MAX) {
		if (!tell(task, p, first, min_t(unsigned int, nr_paths(p) - first, PATHS_MAX))) {
			atomic64_inc(&evtlog_profile_counts.exits_not_recorded);
			return;
		}
	}
}
