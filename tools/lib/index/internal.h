/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How an index lies in memory and in its file.
 *
 * Stage: build.c makes chunks of a CPU's events, bins.c looks things up.  The
 * rest of the file is in file.h.  All numbers are little-endian or the index is
 * built anew.
 *
 * A chunk is what some two million events of a CPU come to: leaves, nodes over ever
 * INDEX_FANOUT of them, and rosters, which name all tasks of a group of leaves.
 * A leaf is [end of the one before, its own end) and has the events at those times.
 */
#ifndef EVTLOG_LIB_INDEX_INTERNAL_H
#define EVTLOG_LIB_INDEX_INTERNAL_H

#include <evtlog/index.h>

#include "lib/base/key-table.h"

#define INDEX_LEAF_EVENTS	512
#define INDEX_FANOUT_SHIFT	3
#define INDEX_FANOUT		(1u << INDEX_FANOUT_SHIFT)
#define INDEX_LEVELS		4	/* of nodes */
#define INDEX_CHUNK_LEAVES	(1u << (INDEX_FANOUT_SHIFT * INDEX_LEVELS))
#define INDEX_GROUP_SHIFT	6
#define INDEX_GROUP_LEAVES	(1u << INDEX_GROUP_SHIFT)
#define INDEX_CHUNK_GROUPS	(INDEX_CHUNK_LEAVES / INDEX_GROUP_LEAVES)
#define INDEX_LEAF_TASKS	2
#define INDEX_NODE_TASKS	4

/* Where a CPU's time goes.  IDLE in a log without switches: nobody knows, nor was it lost. */
enum index_state {
	INDEX_IDLE,
	INDEX_TASK,
	INDEX_SOFTIRQ,
	INDEX_IRQ,
	INDEX_LOST,
	INDEX_STATES
};

/* In a leaf's kinds, of one that is all alike, with its events at its begin: 1 + the state. */
#define INDEX_ALIKE_SHIFT	13
#define INDEX_KINDS_MASK	((1u << EVTLOG_KINDS) - 1)

_Static_assert(EVTLOG_KINDS <= INDEX_ALIKE_SHIFT, "a leaf's kinds are below its state");
_Static_assert(1 + INDEX_STATES < 1 << (16 - INDEX_ALIKE_SHIFT), "both have 16 bits");

/* Sums are below 2^32, or the leaf is all of one state. */
struct index_leaf {
	uint64_t end_ns;
	uint32_t ns[INDEX_STATES - 1];	/* TASK, ... */
	uint32_t pid[INDEX_LEAF_TASKS];
	uint32_t pid_ns[INDEX_LEAF_TASKS];
	uint32_t longest_ns;
	uint16_t events;
	uint16_t kinds;
};

struct index_node {
	uint64_t end_ns;
	uint64_t ns[INDEX_STATES - 1];
	uint64_t pid_ns[INDEX_NODE_TASKS];
	uint64_t events;
	uint64_t longest_ns;
	uint32_t pid[INDEX_NODE_TASKS];
	uint32_t kinds;
	uint32_t reserved;
};

/*
 * All tasks that ran in a group of leaves, or that its events are about, by pid: in
 * numbers of 7 bits a byte, pid less the one before, ns, times switched in times 8 + kinds.
 * @filter: of their pids
 */
struct index_roster {
	uint64_t filter;
	uint32_t offset;	/* of its bytes, in the chunk's */
	uint32_t count;
};

#define INDEX_ROSTER_WAKING	0x1
#define INDEX_ROSTER_MIGRATION	0x2
#define INDEX_ROSTER_SWITCH	0x4	/* to it or from it */
#define INDEX_ROSTER_SHIFT	3

/*
 * @offset:	in the file: nodes of each level, the top first, leaves, rosters, their bytes
 * @node:	all of it
 */
struct index_chunk {
	uint64_t offset;
	uint64_t begin_ns;
	uint32_t leaves;
	uint32_t roster_bytes;
	uint32_t crc32;
	uint32_t reserved;
	struct index_node node;
};

/* What an open index knows of a CPU. */
struct index_lane {
	const struct index_chunk *chunks;
	size_t chunk_count;
};

/*
 * A pid's tasks stand next to each other in @lifetimes by time: who had the pid from
 * @from_ns on.  Its names are @name_count from @first_name on.
 */
struct index_lifetime {
	uint32_t pid;
	uint32_t id;
	uint64_t from_ns;
	uint32_t first_name;
	uint32_t name_count;
};

struct index_pid {
	uint32_t pid;
	uint32_t switches;
	uint32_t kinds;		/* INDEX_ROSTER_* */
	uint64_t ns;
	uint64_t first_ns;
	uint64_t last_ns;
};

/* @at[0 .. count); @table finds them by pid, unless they were sorted. */
struct index_pids {
	struct index_pid *at;
	size_t capacity;
	struct key_table table;
	uint32_t count;
};

/* A task has one lifetime; both are in the order of pids, then of time, and so are names. */
struct index_tasks {
	struct evtlog_index_task *tasks;
	struct index_lifetime *lifetimes;
	struct evtlog_index_name *names;
	size_t count;
	size_t lifetime_count;
	size_t name_count;
	bool reused;		/* some pid had several */
};

/*
 * Where a buffer begins within interrupts, what they are: its header does not tell.
 * By slot and block.  @depth of @number and @kind are used.
 */
#define INDEX_PLACES	7

struct index_start {
	uint32_t slot;
	uint32_t block;
	uint32_t depth;
	uint32_t number[INDEX_PLACES];
	uint8_t kind[INDEX_PLACES + 1];
};

struct index_buffer_cache;

struct evtlog_index {
	struct evtlog_file *file;
	bool no_switches;	/* sched_switch was not recorded */
	struct evtlog_index_origin origin;
	struct evtlog_index_lacks lacks;
	char *path;
	char reason[600];

	const uint8_t *bytes;	/* the file's, mapped or read */
	size_t length;

	struct index_lane *lanes;
	struct evtlog_index_cpu *cpus;
	unsigned int cpu_count;

	const struct index_start *starts;
	size_t start_count;
	struct index_tasks tasks;
	struct index_buffer_cache *cache;
	struct index_pids sums;	/* of the bin at work, by task */
};

static inline unsigned int index_nodes(unsigned int leaves, unsigned int level)
{
	return (leaves + (1u << (INDEX_FANOUT_SHIFT * level)) - 1) >>
	       (INDEX_FANOUT_SHIFT * level);
}

static inline unsigned int index_groups(unsigned int leaves)
{
	return (leaves + INDEX_GROUP_LEAVES - 1) >> INDEX_GROUP_SHIFT;
}

/* A chunk's parts, once it is known where it is. */
struct index_view {
	const struct index_node *nodes[INDEX_LEVELS];	/* of level 1, ... */
	const struct index_leaf *leaves;
	const struct index_roster *rosters;
	const uint8_t *roster_bytes;
	uint32_t roster_length;
	unsigned int leaf_count;
	uint64_t begin_ns;
};

static inline uint64_t index_leaf_begin(const struct index_view *view, unsigned int leaf)
{
	return leaf ? view->leaves[leaf - 1].end_ns : view->begin_ns;
}

void index_view(const struct evtlog_index *index, const struct index_chunk *chunk,
		struct index_view *view);

/* State of a CPU before @event, whose pid is *@pid if that is TASK. */
static inline enum index_state index_state(const struct evtlog_event *event, bool no_switches)
{
	switch (event->context) {
	case EVTLOG_IN_TASK:
		if (event->pid == EVTLOG_PID_UNKNOWN)
			return no_switches ? INDEX_IDLE : INDEX_LOST;
		return event->pid ? INDEX_TASK : INDEX_IDLE;
	case EVTLOG_IN_SOFTIRQ:
		return INDEX_SOFTIRQ;
	default:
		return INDEX_IRQ;
	}
}

/* ---- pids.c: sums by pid ---- */

int index_pids_init(struct index_pids *pids);
void index_pids_free(struct index_pids *pids);
void index_pids_clear(struct index_pids *pids);
/* NULL when out of memory; moves the others. */
struct index_pid *index_pids_get(struct index_pids *pids, uint32_t pid);
void index_pids_sort(struct index_pids *pids);
int index_pids_merge(struct index_pids *to, const struct index_pids *from);

/* Of a roster's filter. */
static inline uint64_t index_filter(uint32_t pid)
{
	return UINT64_C(1) << (pid * UINT32_C(0x9e3779b1) >> 26);
}

/* ---- task-lifetimes.c: tasks ---- */

enum index_news_kind {
	INDEX_BIRTH,		/* fork: whoever had the pid before is gone */
	INDEX_SEEN,		/* snapshot */
	INDEX_EXEC,
	INDEX_RENAME,
	INDEX_RUNS,		/* by a buffer's header */
};

struct index_news {
	uint64_t time_ns;
	uint32_t pid;
	uint32_t tgid;
	uint16_t kind;
	uint16_t has_tgid;
	uint32_t flags;
	char comm[EVTLOG_COMM_LEN];
};

/* More are dropped, so that memory does not go with events: names and forks are missed then. */
#define INDEX_NEWS_MAX	(1u << 20)

struct index_news_list {
	struct index_news *at;
	size_t count;
	size_t capacity;
	size_t limit;
};

int index_news_add(struct index_news_list *list, const struct evtlog_event *event);

/*
 * Makes tasks and lifetimes of all CPUs' @news and of the pids that ran, both of which it
 * sorts.  @is_of_tree: the log is of one tree, whose outside is pid 0.  Returns 0 or -ENOMEM.
 */
int index_lifetimes_make(struct index_news_list *news, struct index_pids *ran,
			 uint32_t logger_pid, bool is_of_tree, struct index_tasks *tasks);
void index_tasks_free(struct index_tasks *tasks);

/* When @pid becomes another task's after @time_ns; UINT64_MAX never. */
uint64_t index_next_lifetime(const struct evtlog_index *index, uint32_t pid,
			     uint64_t time_ns);

/* When @id got its pid, and when the next task got it; false: no such id. */
bool index_lifetime_span(const struct evtlog_index *index, uint32_t id,
			 uint64_t *from_ns, uint64_t *until_ns);

/* ---- chunk.c: chunks ---- */

/* Bytes of a chunk with that many leaves, without its rosters' bytes. */
size_t index_chunk_bytes(unsigned int leaves);

/* Takes a chunk that is done, of @length bytes; returns 0 or -errno. */
typedef int index_sink(void *arg, const struct index_chunk *chunk, const void *bytes,
		       size_t length);

/* ---- lane.c: a CPU's events into chunks ---- */

/* What a thread makes of one CPU after the other. */
struct index_lane_builder;

struct index_lane_builder *index_lane_new(index_sink *sink, void *sink_arg);
void index_lane_free(struct index_lane_builder *lane);
void index_lane_start(struct index_lane_builder *lane, struct evtlog_index_cpu *cpu,
		      bool no_switches);
int index_lane_event(struct index_lane_builder *lane, const struct evtlog_event *event);
int index_lane_end(struct index_lane_builder *lane);
/* By pid, of all CPUs it made so far. */
struct index_pids *index_lane_totals(struct index_lane_builder *lane);

/* ---- task-list.c ---- */

struct index_reader {
	const uint8_t *at;
	const uint8_t *end;
	uint32_t left;
	uint32_t pid;
};

struct index_entry {
	uint32_t pid;
	uint32_t kinds;		/* INDEX_ROSTER_* */
	uint64_t ns;
	uint64_t switches;
};

void index_read_roster(struct index_reader *reader, const struct index_view *view,
		       unsigned int group);
bool index_next_entry(struct index_reader *reader, struct index_entry *entry);
/* Whether @pid is in a group's roster, and what that says. */
bool index_find_entry(const struct index_view *view, unsigned int group, uint32_t pid,
		      struct index_entry *entry);
void index_group_span(const struct index_view *view, unsigned int group,
		      uint64_t *begin_ns, uint64_t *end_ns);

/*
 * A chunk in the making: lane.c fills in leaves, task-list.c the rosters of their groups, and
 * chunk.c ends it.
 * @leaves, @rosters: @leaf_count and those of their groups are used
 * @roster_bytes: of all of them, @roster_used of @roster_room
 * @nodes:	room for when it ends
 */
struct index_chunk_builder {
	index_sink *sink;
	void *sink_arg;
	uint64_t begin_ns;
	unsigned int leaf_count;
	struct index_leaf leaves[INDEX_CHUNK_LEAVES];
	struct index_roster rosters[INDEX_CHUNK_GROUPS];
	uint8_t *roster_bytes;
	size_t roster_used;
	size_t roster_capacity;
	struct index_node nodes[INDEX_LEVELS][INDEX_CHUNK_LEAVES / INDEX_FANOUT];
};

/* Makes the roster of the last leaf's group, of @pids, which it sorts.  0 or -ENOMEM. */
int index_roster_make(struct index_chunk_builder *chunk, struct index_pids *pids);

/* Gives the chunk to the sink if it has leaves, and makes it empty.  0 or -errno. */
int index_chunk_end(struct index_chunk_builder *chunk);

/* ---- pids.c: pids that several tasks had ---- */

/*
 * Sums up again the tasks whose pids others had as well, and tells whether there were
 * any.  Returns 0, -ENOMEM, -errno of read().
 */
int index_tell_apart(struct evtlog_index *index, bool *changed);

/* ---- buffer-cache.c: buffers just read ---- */

/*
 * From @time_ns up to the next mark the CPU is in @state, with @pid running.
 * @kind:	of the event at @time_ns; EVTLOG_KINDS: none
 * @about:	pid that event is about: woken, migrated, switched to
 */
struct index_mark {
	uint64_t time_ns;
	uint32_t pid;
	uint32_t about : 24;
	uint32_t kind : 4;
	uint32_t state : 4;
};

#define INDEX_ABOUT_NOBODY	0xffffffu

/* Of one buffer; the time before the next is in it, lost if that is so. */
struct index_buffer {
	struct index_mark *marks;
	size_t count;
	uint64_t begin_ns;
	uint64_t end_ns;
	size_t block;
	size_t next_block;
	bool last;
};

struct index_buffer_cache *index_buffer_cache_new(const struct evtlog_index *index);
void index_buffer_cache_free(struct index_buffer_cache *cache);

/*
 * The first buffer that may have something at @time_ns, or the one behind @after; NULL at
 * the end; -errno.
 */
int index_buffer_at(struct index_buffer_cache *cache, unsigned int slot, uint64_t time_ns,
		    const struct index_buffer **buffer);
int index_buffer_next(struct index_buffer_cache *cache, unsigned int slot,
		      const struct index_buffer *after,
		      const struct index_buffer **buffer);

/* ---- bins.c ---- */

/* A bin is approximate when more than that part of it is spread. */
#define INDEX_APPROXIMATE_PART	4

/* Of 255, as in bins. */
uint8_t index_share(uint64_t ns, uint64_t width_ns);
bool index_ascending(const uint64_t *edges, size_t count);

#endif /* EVTLOG_LIB_INDEX_INTERNAL_H */
