/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies a program's OTF2 trace into the archive of logs of the same run.
 *
 * Definitions are read twice: first, before anything is written, to number them and to find the
 * clock; then to write them.  Events are read one location after the other, in the order of the
 * trace, so memory does not grow with their number.
 */
#ifndef EVTLOG_OTF2_PROGRAM_H
#define EVTLOG_OTF2_PROGRAM_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <otf2/otf2.h>

#include "common/error.h"
#include "host.h"
#include "input/log-set.h"
#include "program-clock.h"

/* ---- Numbers in our archive for definitions of another archive ---- */

enum id_kind {
	ID_STRING,
	ID_ATTRIBUTE,
	ID_REGION,
	ID_GROUP,
	ID_COMM,
	ID_METRIC_MEMBER,
	ID_METRIC,
	ID_PARAMETER,
	ID_LOCATION_GROUP,
	ID_LOCATION,
	ID_NODE,
	ID_KINDS
};

/*
 * @refs:	numbers in the other archive, ascending; the number in ours is @base plus the index
 * @taken:	for each, true after ids_take(); NULL: none so far
 */
struct ids {
	uint64_t *refs;
	size_t count;
	size_t capacity;
	uint64_t base;
	bool *taken;
};

/* Adds a definition.  Returns 0, -EEXIST if it is known already, or -ENOMEM. */
int ids_add(struct ids *ids, uint64_t ref);

/* Finds the index of a definition.  Returns false if it is unknown. */
bool ids_find(const struct ids *ids, uint64_t ref, size_t *index);

/* Removes the definition at an index. */
void ids_remove(struct ids *ids, size_t index);

/*
 * Takes the number of a definition, which is possible once.  Returns 0, -EEXIST if it was taken
 * before, -ENOENT if the definition is unknown, or -ENOMEM.
 */
int ids_take(struct ids *ids, uint64_t ref, uint64_t *number);

void ids_free(struct ids *ids);

/* Converts a value that refers to a definition.  Returns false if the definition is unknown. */
bool ids_map_value(const struct ids *all, OTF2_Type type, OTF2_AttributeValue *value);

/* Finds the number of a definition in our archive.  Returns false if it is unknown. */
static inline bool ids_map(const struct ids *ids, uint64_t ref, uint64_t *number)
{
	size_t index = ref;

	if (__builtin_expect(index >= ids->count || ids->refs[index] != ref, 0) &&
	    !ids_find(ids, ref, &index))
		return false;
	*number = ids->base + index;
	return true;
}

/* ---- A program ---- */

/* A process of the program, or another location group */
struct program_group {
	size_t host;
	uint32_t node;
};

/* A node of the system tree: refs of its name and its parent */
struct program_node {
	uint64_t name;
	uint64_t parent;
};

/*
 * @events, @written: number of events in the trace, and number of written events
 * @group:	index of its group
 * @tid:	0 if unknown
 */
struct program_location {
	uint64_t events;
	uint64_t written;
	size_t group;
	uint32_t name;
	uint32_t tid;
	OTF2_LocationType type;
};

/*
 * @clock:	clock of the trace, related to the log @number
 * @global_groups: MPI groups with global ranks that differ from the ranks in the group
 * @global_comms: communicators of such groups
 * @names:	strings by index; elements can be NULL
 * @mpi:	locations of the MPI ranks: refs, and after program_number() numbers in the archive
 * @mpi_group:	group that defines @mpi
 * @threads:	@thread_count locations that are threads, which the log may have
 * @number:	number of the log that @clock is related to
 * @clocks:	for each log, the clock of its host, used unless @corrects; CLOCK_OF_DEFINITIONS if
 *		unknown.  NULL for a single log
 * @corrects:	locations have clock offsets, so all times are of one clock
 * @begin_ns, @end_ns: range of written times; @begin_ns is larger if there are none
 * @interrupted: the user's signal, or 0
 * @skipped_events, @skipped_definitions: those of unknown kinds, or with unknown references
 * @writing:	errors of OTF2 are of the archive, not of the trace
 */
struct program {
	const char *path;
	OTF2_Reader *reader;
	struct program_clock clock;
	struct ids ids[ID_KINDS];
	struct ids global_groups;
	struct ids global_comms;
	struct program_node *nodes;
	size_t node_capacity;
	char **names;
	size_t name_capacity;
	struct program_group *groups;
	size_t group_capacity;
	struct program_location *locations;
	size_t location_capacity;
	uint64_t *mpi;
	size_t mpi_count;
	bool has_mpi;
	uint64_t mpi_group;
	struct thread *threads;
	size_t thread_count;
	size_t number;
	struct program_clock *clocks;
	bool corrects;
	struct output *out;
	struct evtlog_clocksync *hosts;
	struct evtlog_host_cursor cursor;
	uint64_t begin_ns;
	uint64_t end_ns;
	uint64_t events;
	uint64_t copied;
	struct progress progress;
	const volatile sig_atomic_t *interrupted;
	uint64_t skipped_events;
	uint64_t skipped_definitions;
	bool writing;
	OTF2_ErrorCode error;
};

/*
 * program_open() - open a trace and number its definitions
 * @path: path of its traces.otf2
 *
 * Return: an exit status, after an error message.  Call program_close() in all cases.
 */
int program_open(struct program *program, const char *path);
void program_close(struct program *program);

/* From now on, errors of OTF2 set @error of the program, except while @writing. */
void program_catch_errors(struct program *program);

/* Keeps an error of OTF2 while reading, if it is the first. */
void program_check_error(struct program *program, OTF2_ErrorCode error);

/* Prints the error of reading.  Returns EXIT_FAILED. */
int program_say(const struct program *program);

/* Reads all global definitions. */
void program_read_definitions(struct program *program,
			      const OTF2_GlobalDefReaderCallbacks *callbacks, void *data);

/*
 * program_place() - find the host of each process
 * @names, @count: names of hosts, NULL if not wanted.  If one is wanted and the program was on one
 *		host, they are assumed to be the same
 * @groups:	number of location groups in front of the program's
 *
 * Sets program->number to the host of the first location.
 *
 * Return: an exit status, after an error message if a host has no log.
 */
int program_place(struct program *program, const char *const *names, size_t count,
		  uint32_t groups);

/*
 * program_number() - assign numbers to its definitions, after those of all hosts
 *
 * It replaces the refs in program->mpi by numbers of locations in the archive.
 */
void program_number(struct program *program, struct output *out);

/*
 * program_relate() - find its clock, and the clocks of its other hosts
 * @files, @count: the logs
 * @kind:	as for program_clock_relate()
 *
 * Return: an exit status, after an error message.
 */
int program_relate(struct program *program, const struct log_set_file *files, size_t count,
		   enum program_clock_kind kind);

/* Returns the number of the log whose clock applies to locations of a host. */
size_t program_clock_number(const struct program *program, size_t host);
const struct program_clock *program_clock_at(const struct program *program, size_t number);

/*
 * Write the events, then the definitions, with those of messages in front of the first group.
 * @nodes: machine of each host in the system tree.  Errors are set in the archive or the program.
 */
void program_write_events(struct program *program);
void program_write_definitions(struct program *program, const uint32_t *nodes);

#endif /* EVTLOG_OTF2_PROGRAM_H */
