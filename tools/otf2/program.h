/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program's OTF2 trace, which is written into the archive of logs of the same run.
 *
 * Its definitions are read twice: before anything is written, which numbers them and finds its
 * clock, and to write them.  Its events are read location after location, as archives have
 * them, so that memory does not grow with them.
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

/* ---- Numbers that another archive's definitions get in ours ---- */

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
 * @refs:	of the other archive, ascending; the index of one, added to @base, is its number
 * @taken:	of each, whether ids_take() gave it; NULL: of none yet
 */
struct ids {
	uint64_t *refs;
	size_t count;
	size_t capacity;
	uint64_t base;
	bool *taken;
};

/* Takes note of a definition.  0, -EEXIST: it is there already, or -ENOMEM. */
int ids_add(struct ids *ids, uint64_t ref);

/* The index of a definition; false: there is none. */
bool ids_find(const struct ids *ids, uint64_t ref, size_t *index);

/* Forgets the one of that index. */
void ids_remove(struct ids *ids, size_t index);

/*
 * The number of a definition, once.  0, -EEXIST: it was given before, -ENOENT: it is not there,
 * or -ENOMEM.
 */
int ids_take(struct ids *ids, uint64_t ref, uint64_t *number);

void ids_free(struct ids *ids);

/* Of a value that refers to a definition, what it refers to; false: to what is not there. */
bool ids_map_value(const struct ids *all, OTF2_Type type, OTF2_AttributeValue *value);

/* What a definition is called in ours; false: it is not there. */
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

/* A process of the program, or another group of locations */
struct program_group {
	size_t host;
	uint32_t node;
};

/* Of its system tree: strings and nodes */
struct program_node {
	uint64_t name;
	uint64_t parent;
};

/*
 * @tid:	0: it is not known
 * @group:	index of its group
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
 * @names:	strings that matter before they are written, by index; NULL: not needed
 * @global_groups, @global_comms: groups of MPI's locations whose ranks are those of all, though
 *		their own would be others, and communicators of such groups
 * @mpi:	locations that are its ranks, as indexes; @mpi_group: which group says so
 * @threads:	locations that are threads which the log may know: @thread_count
 * @number:	of the log whose clock its times are put to
 * @clocks:	of each log, that of its host, to which times there are put if the trace does not
 *		correct them; of kind CLOCK_OF_DEFINITIONS: it is not known.  NULL: one host
 * @corrects:	locations have clock offsets: its times are of one clock
 * @begin_ns, @end_ns: the least and the largest time that was written; none: @begin_ns is larger
 * @interrupted: the user's signal, or 0
 * @writing:	an error is not of reading
 * @skipped:	events and definitions of kinds that are not taken over, or that refer to nothing
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
 * program_open() - opens a trace and numbers its definitions
 * @path: of its traces.otf2
 *
 * An exit status, after saying what is wrong; program_close() in all cases.
 */
int program_open(struct program *program, const char *path);
void program_close(struct program *program);

/* Errors of OTF2 are the program's from now on, but those of writing. */
void program_catch_errors(struct program *program);

/* Takes note of an error of reading, as OTF2 returns it. */
void program_check_error(struct program *program, OTF2_ErrorCode error);

/* EXIT_FAILED, after saying why it can't be read. */
int program_say(const struct program *program);

/* Reads all global definitions once more. */
void program_read_definitions(struct program *program,
			      const OTF2_GlobalDefReaderCallbacks *callbacks, void *data);

/*
 * program_place() - finds the host of each of its processes
 * @names, @count: of hosts, those that are not wanted NULL; one of them is all, if the program
 *		was on one
 * @groups:	groups of locations that the archive has before
 *
 * An exit status, after saying whose host there is no log of.  Then program->number is the
 * first's.
 */
int program_place(struct program *program, const char *const *names, size_t count,
		  uint32_t groups);

/*
 * program_number() - which numbers its definitions get, once those of all hosts are written
 *
 * From here on program->mpi has locations' numbers in the archive.
 */
void program_number(struct program *program, struct output *out);

/*
 * program_relate() - finds its clock, and those of other hosts that it was on
 * @files, @count: of the logs
 *
 * An exit status, after saying what is wrong.
 */
int program_relate(struct program *program, const struct log_set_file *files, size_t count,
		   enum program_clock_kind kind);

/* Of which log's clock times of a host's locations are: @host, or program->number. */
size_t program_clock_number(const struct program *program, size_t host);
const struct program_clock *program_clock_at(const struct program *program, size_t number);

/*
 * Its events, then its definitions and, before its groups, those of messages.  @nodes: of each
 * host.  Errors are the archive's or the program's.
 */
void program_write_events(struct program *program);
void program_write_definitions(struct program *program, const uint32_t *nodes);

#endif /* EVTLOG_OTF2_PROGRAM_H */
