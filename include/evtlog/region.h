/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Regions of a program, and what the kernel did for it in each.
 *
 * A region is a stretch of a thread's time that the program names: evtlog_region_begin() and
 * evtlog_region_end() with the same name, one within another.  Each thread has a tree of them: how
 * often, how long, and of each region's own time how much was user mode, the kernel by group,
 * waiting for a CPU, preempted and blocked.  The kernel's part is read from a page, without a
 * system call (profile-abi.h); where the kernel keeps no profiles it is not told apart.
 *
 * With EVTLOG_PROFILE_FILE=PATH in the environment the process writes them to PATH.PID (PATH.PID.1
 * if that is there) when it exits; `evtlog profile report` reads that.  With EVTLOG_TRACE_FILE=PATH
 * each begin and end is written with its time; `evtlog export --otf2 --regions` shows them beside
 * a log.
 *
 *	evtlog_region_begin("solve");
 *	...
 *	evtlog_region_end("solve");
 */
#ifndef EVTLOG_REGION_H
#define EVTLOG_REGION_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * evtlog_region_begin() - the calling thread begins a region
 * @name: any text without a NUL; it must stay as it is while regions begin, as a literal
 *	does: evtlog_region_name() keeps others
 *
 * Takes no lock, and no system call but for memory at a region's first time, a full buffer of
 * EVTLOG_TRACE_FILE, and with EVTLOG_REGION_PATHS=1.  In a signal
 * handler that interrupts this library it does nothing.
 */
void evtlog_region_begin(const char *name);

/**
 * evtlog_region_end() - the calling thread ends a region
 * @name: as it began; regions within it that have not ended end too.  A region that the
 *	thread is not in is ignored.  NULL: the last one that began
 */
void evtlog_region_end(const char *name);

/**
 * evtlog_region_begin_function() - the same of a region that is named for a function
 * @function: its address; its name is looked up when the regions are written
 */
void evtlog_region_begin_function(const void *function);

/**
 * evtlog_region_end_function() - ends that region
 * @function: as it began
 */
void evtlog_region_end_function(const void *function);

/**
 * evtlog_region_mark() - what begins now may be a region, which only its end will tell
 *
 * The mark holds until the calling thread begins or ends a region, or marks another moment.
 */
void evtlog_region_mark(void);

/**
 * evtlog_region_since_mark() - what was since the mark is a region, which ends now
 * @name: as of evtlog_region_begin()
 *
 * Nothing is counted if the mark does not hold any more: the time is that of the region around it.
 */
void evtlog_region_since_mark(const char *name);

/**
 * evtlog_region_thread() - names the calling thread in the files of regions
 * @name: of up to 15 bytes; the thread's own name, as the kernel has it, stays
 */
void evtlog_region_thread(const char *name);

/**
 * evtlog_region_name() - keeps a text for as long as the process lives
 * @text: of @length bytes
 * @length: up to a NUL is used
 *
 * Takes memory of malloc() for a new text: not for signal handlers.
 *
 * Return: the text, the same for the same text; NULL: no memory.
 */
const char *evtlog_region_name(const char *text, size_t length);

/**
 * evtlog_region_rank() - says which process of a parallel program this is
 * @rank: from 0 on; as MPI has it
 */
void evtlog_region_rank(int rank);

/**
 * evtlog_region_write() - writes the regions of all threads so far
 * @path: a new file; one that is there is replaced
 *
 * Of threads that run meanwhile it has what was before their last begin or end.
 *
 * Return: 0; -ENOENT: no region has begun; -errno: nothing is written.
 */
int evtlog_region_write(const char *path);

/**
 * evtlog_region_save() - writes them as the end of the process does
 *
 * For what ends otherwise: by _exit(), an exec or a signal.  What the process saves later takes
 * the place of this.  With EVTLOG_TRACE_FILE all that was traced so far is written, too.
 *
 * Return: 0; -ENODATA: no region has begun, neither EVTLOG_PROFILE_FILE nor EVTLOG_TRACE_FILE is
 * set, or this is the child of a vfork(); -errno: nothing is written.
 */
int evtlog_region_save(void);

#ifdef __cplusplus
}

/*
 * -finstrument-functions makes a region of each function: one that begins a region and returns
 * would end it with its own.
 */
#define EVTLOG_REGION_NO_FUNCTION __attribute__((no_instrument_function))

/** evtlog_region - a region from here to the end of the block */
class evtlog_region {
public:
	EVTLOG_REGION_NO_FUNCTION
	explicit evtlog_region(const char *name) : name_(name) { evtlog_region_begin(name); }
	EVTLOG_REGION_NO_FUNCTION
	~evtlog_region() { evtlog_region_end(name_); }
	evtlog_region(const evtlog_region &) = delete;
	evtlog_region &operator=(const evtlog_region &) = delete;

private:
	const char *name_;
};

#undef EVTLOG_REGION_NO_FUNCTION
#endif

#endif /* EVTLOG_REGION_H */
