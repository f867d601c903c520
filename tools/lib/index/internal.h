/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Layout of an index in memory and in its file.
 *
 * Stage: build.c makes chunks of a CPU's events; bins.c looks sums up.  file.h has the rest of the
 * file.  All numbers are little-endian; otherwise the index is built again.
 *
 * A chunk covers about two million events of a CPU.  It has leaves, levels of nodes that each sum
 * up INDEX_FANOUT leaves or nodes, and rosters.  A roster lists all tasks of a group of leaves.  A
 * leaf covers [end of the previous leaf, its own end) and has the events at these times.
 */
#ifndef EVTLOG_LIB_INDEX_INTERNAL_H
#define EVTLOG_LIB_INDEX_INTERNAL_H

#include <evtlog/index.h>

#include "lib/base/key-table.h"

#define INDEX_LEAF_EVENTS	512
#define INDEX_FANOUT_SHIFT	3
#define INDEX_FANOUT		(1u << INDEX_FANOUT_SHIFT)
#define INDEX_LEVELS		4	/* levels of nodes */
#define INDEX_CHUNK_LEAVES	(1u << (INDEX_FANOUT_SHIFT * INDEX_LEVELS))
#define INDEX_GROUP_SHIFT	6
#define INDEX_GROUP_LEAVES	(1u << INDEX_GROUP_SHIFT)
#define INDEX_CHUNK_GROUPS	(INDEX_CHUNK_LEAVES / INDEX_GROUP_LEAVES)
#define INDEX_LEAF_TASKS	2
#define INDEX_NODE_TASKS	4

/* States of a CPU's time.  In a log without sched_switch, IDLE is unknown time that is not lost. */
enum index_state {
	INDEX_IDLE,
	INDEX_TASK,
	INDEX_SOFTIRQ,
	INDEX_IRQ,
	INDEX_LOST,
	INDEX_STATES
};

/* In @kinds of a leaf: 1 + the state, if it has one state and events only at its begin. */
#define INDEX_ALIKE_SHIFT	13
#define INDEX_KINDS_MASK	((1u << EVTLOG_KINDS) - 1)

_Static_assert(EVTLOG_KINDS <= INDEX_ALIKE_SHIFT, "a leaf's kinds are below its state");
_Static_assert(1 + INDEX_STATES < 1 << (16 - INDEX_ALIKE_SHIFT), "both have 16 bits");

/* Sums are less than 2^32, unless the whole leaf has one state. */
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
 * Tasks that ran in a group of leaves or that its events are about, by pid.  Each is three numbers,
 * 7 bits per byte: pid minus previous pid, ns, number of switches to it * 8 + kinds.
 * @filter: of the pids, see index_filter()
 */
struct index_roster {
	uint64_t filter;
	uint32_t offset;	/* of its bytes, within the roster bytes of the chunk */
	uint32_t count;
};

#define INDEX_ROSTER_WAKING	0x1
#define INDEX_ROSTER_MIGRATION	0x2
#define INDEX_ROSTER_SWITCH	0x4	/* to the task or from it */
#define INDEX_ROSTER_SHIFT	3

/*
 * @offset:	in the file: nodes of each level from the top, leaves, rosters, roster bytes
 * @node:	sums of the whole chunk
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

/* An open index's data of a CPU. */
struct index_lane {
	const struct index_chunk *chunks;
	size_t chunk_count;
};

/*
 * The task @id has the pid from @from_ns on.  Lifetimes of a pid are consecutive, in the order of
 * time.  The task's names are @name_count from @first_name on.
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

/* @at[0 .. count).  @table finds entries by pid, unless they were sorted. */
struct index_pids {
	struct index_pid *at;
	size_t capacity;
	struct key_table table;
	uint32_t count;
};

/* Each task has one lifetime.  Tasks, lifetimes and names are sorted by pid, then by time. */
struct index_tasks {
	struct evtlog_index_task *tasks;
	struct index_lifetime *lifetimes;
	struct evtlog_index_name *names;
	size_t count;
	size_t lifetime_count;
	size_t name_count;
	bool reused;		/* some pid had several tasks */
};

/*
 * Nested contexts at the start of a buffer that begins inside interrupts; its header lacks them.
 * Sorted by slot and block.  Only @depth entries of @number and @kind are valid.
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

	const uint8_t *bytes;	/* of the file, mapped or read */
	size_t length;

	struct index_lane *lanes;
	struct evtlog_index_cpu *cpus;
	unsigned int cpu_count;

	const struct index_start *starts;
	size_t start_count;
	struct index_tasks tasks;
	struct index_buffer_cache *cache;
	struct index_pids sums;	/* of the current bin, by task */
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

/* Addresses of a chunk's parts. */
struct index_view {
	const struct index_node *nodes[INDEX_LEVELS];	/* level 1, 2, ... */
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

/* State of a CPU before @event.  If it is TASK, the pid is @event->pid. */
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
/* NULL if out of memory.  Moves the other entries. */
struct index_pid *index_pids_get(struct index_pids *pids, uint32_t pid);
void index_pids_sort(struct index_pids *pids);
int index_pids_merge(struct index_pids *to, const struct index_pids *from);

/* Bit of @pid in a roster's filter. */
static inline uint64_t index_filter(uint32_t pid)
{
	return UINT64_C(1) << (pid * UINT32_C(0x9e3779b1) >> 26);
}

/* ---- task-lifetimes.c: tasks ---- */

enum index_news_kind {
	INDEX_BIRTH,		/* fork: the previous task with this pid has ended */
	INDEX_SEEN,		/* snapshot */
	INDEX_EXEC,
	INDEX_RENAME,
	INDEX_RUNS,		/* from a buffer's header */
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

/* Limits the memory.  Further news are dropped: names and forks are then missing. */
#define INDEX_NEWS_MAX	(1u << 20)

struct index_news_list {
	struct index_news *at;
	size_t count;
	size_t capacity;
	size_t limit;
};

int index_news_add(struct index_news_list *list, const struct evtlog_event *event);

/*
 * Makes tasks and lifetimes from the @news of all CPUs and the pids that ran; sorts both arrays.
 * @is_of_tree: the log is of one tree, and pid 0 is outside of it.  Returns 0 or -ENOMEM.
 */
int index_lifetimes_make(struct index_news_list *news, struct index_pids *ran,
			 uint32_t logger_pid, bool is_of_tree, struct index_tasks *tasks);
void index_tasks_free(struct index_tasks *tasks);

/* Time at which the next task after @time_ns gets @pid; UINT64_MAX if there is none. */
uint64_t index_next_lifetime(const struct evtlog_index *index, uint32_t pid,
			     uint64_t time_ns);

/* When @id got its pid, and when the next task got it.  Returns false: no such id. */
bool index_lifetime_span(const struct evtlog_index *index, uint32_t id,
			 uint64_t *from_ns, uint64_t *until_ns);

/* ---- chunk.c: chunks ---- */

/* Size of a chunk with this number of leaves, without the roster bytes. */
size_t index_chunk_bytes(unsigned int leaves);

/* Stores a complete chunk of @length bytes.  Returns 0 or -errno. */
typedef int index_sink(void *arg, const struct index_chunk *chunk, const void *bytes,
		       size_t length);

/* ---- lane.c: a CPU's events into chunks ---- */

/* State of a thread that processes one CPU after the other. */
struct index_lane_builder;

struct index_lane_builder *index_lane_new(index_sink *sink, void *sink_arg);
void index_lane_free(struct index_lane_builder *lane);
void index_lane_start(struct index_lane_builder *lane, struct evtlog_index_cpu *cpu,
		      bool no_switches);
int index_lane_event(struct index_lane_builder *lane, const struct evtlog_event *event);
int index_lane_end(struct index_lane_builder *lane);
/* Sums by pid over all CPUs processed so far. */
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
/* Returns true, with the entry, if @pid is in a group's roster. */
bool index_find_entry(const struct index_view *view, unsigned int group, uint32_t pid,
		      struct index_entry *entry);
void index_group_span(const struct index_view *view, unsigned int group,
		      uint64_t *begin_ns, uint64_t *end_ns);

/*
 * A chunk under construction: lane.c fills in the leaves, task-list.c the rosters of their groups,
 * and chunk.c completes it.
 * @leaves, @rosters: @leaf_count leaves and the rosters of their groups are valid
 * @roster_bytes: bytes of all rosters, @roster_used of @roster_capacity
 * @nodes:	filled in when the chunk is completed
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

/* Makes the roster of the last leaf's group from @pids, which it sorts.  Returns 0 or -ENOMEM. */
int index_roster_make(struct index_chunk_builder *chunk, struct index_pids *pids);

/* Passes the chunk to the sink if it has leaves, and empties it.  Returns 0 or -errno. */
int index_chunk_end(struct index_chunk_builder *chunk);

/* ---- pids.c: pids that several tasks had ---- */

/*
 * Sums up again the tasks that share a pid with another task.  Sets @changed if there are any.
 * Returns 0, -ENOMEM, -errno of read().
 */
int index_sum_shared_pids(struct evtlog_index *index, bool *changed);

/* ---- buffer-cache.c: buffers read last ---- */

/*
 * From @time_ns to the next mark, the CPU is in @state and @pid runs.
 * @kind:	of the event at @time_ns; EVTLOG_KINDS: no event
 * @about:	pid of the event: task that is woken, migrated or switched to
 */
struct index_mark {
	uint64_t time_ns;
	uint32_t pid;
	uint32_t about : 24;
	uint32_t kind : 4;
	uint32_t state : 4;
};

#define INDEX_ABOUT_NOBODY	0xffffffu

/* A buffer as marks.  They extend to the start of the next buffer; a gap in front of it is LOST. */
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
 * Find the first buffer that can have data at @time_ns, or the buffer that follows @after.  Set
 * @buffer to NULL at the end.  Return 0 or -errno.
 */
int index_buffer_at(struct index_buffer_cache *cache, unsigned int slot, uint64_t time_ns,
		    const struct index_buffer **buffer);
int index_buffer_next(struct index_buffer_cache *cache, unsigned int slot,
		      const struct index_buffer *after,
		      const struct index_buffer **buffer);

/* ---- bins.c ---- */

/* A bin is approximate if more than 1 / this of it is estimated. */
#define INDEX_APPROXIMATE_PART	4

/* Share of 255, as in bins. */
uint8_t index_share(uint64_t ns, uint64_t width_ns);
bool index_ascending(const uint64_t *edges, size_t count);

#endif /* EVTLOG_LIB_INDEX_INTERNAL_H */
