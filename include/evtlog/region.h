/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Regions of a program, and the kernel's work for the program in each region.
 *
 * A region is an interval of a thread's time with a name: the program calls evtlog_region_begin()
 * and evtlog_region_end() with the same name.  Regions nest, so each thread has a tree of regions.
 * Each region has its count, its time, and its own time by kind: user mode, the groups of the
 * kernel, waiting for a CPU, preempted and blocked.  The kernel's part is read from a page without
 * a system call (profile-abi.h).  If the kernel has no profiles, it is not separated.
 *
 * With EVTLOG_PROFILE_FILE=PATH in the environment, the process writes its regions to PATH.PID when
 * it exits (PATH.PID.1 if this file exists); `evtlog profile report` reads the file.  With
 * EVTLOG_TRACE_FILE=PATH it writes each begin and end with its time; `evtlog export --otf2
 * --regions` shows them together with a log.
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
 * evtlog_region_begin() - begin a region in the calling thread
 * @name: any text without NUL.  A region is identified by the address of its name, so the text must
 *	not change while regions begin: use a literal, or copy the text with evtlog_region_name()
 *
 * Takes no lock.  Makes a system call only to allocate memory for a new region, to write a full
 * buffer of EVTLOG_TRACE_FILE, and with EVTLOG_REGION_PATHS=1.  It does nothing in a signal handler
 * that interrupts this library.
 */
void evtlog_region_begin(const char *name);

/**
 * evtlog_region_end() - end a region in the calling thread
 * @name: as for evtlog_region_begin(); NULL: the region that began last
 *
 * Unfinished inner regions end with it.  The call is ignored if the thread is not in the region.
 */
void evtlog_region_end(const char *name);

/**
 * evtlog_region_begin_function() - begin a region that is named for a function
 * @function: address of the function; its name is looked up when the regions are written
 */
void evtlog_region_begin_function(const void *function);

/**
 * evtlog_region_end_function() - end a region that is named for a function
 * @function: as for evtlog_region_begin_function()
 */
void evtlog_region_end_function(const void *function);

/**
 * evtlog_region_mark() - mark a time that may become the begin of a region
 *
 * If the marked work is to count as a region, evtlog_region_since_mark() makes the region.  The
 * mark is valid until the calling thread begins or ends a region or sets another mark.
 */
void evtlog_region_mark(void);

/**
 * evtlog_region_since_mark() - make a region that began at the mark and ends now
 * @name: as for evtlog_region_begin()
 *
 * If the mark is not valid, nothing is counted: the time stays with the enclosing region.
 */
void evtlog_region_since_mark(const char *name);

/**
 * evtlog_region_thread() - set the name of the calling thread in the files of regions
 * @name: at most 15 bytes; the thread's name in the kernel does not change
 */
void evtlog_region_thread(const char *name);

/**
 * evtlog_region_name() - copy a text for the lifetime of the process
 * @text: array of @length bytes
 * @length: length of @text; the text ends at a NUL if it has one
 *
 * A new text is allocated with malloc(): do not call this function in signal handlers.
 *
 * Return: the copy, always the same for the same text; NULL if memory is exhausted.
 */
const char *evtlog_region_name(const char *text, size_t length);

/**
 * evtlog_region_rank() - set the number of this process in a parallel program
 * @rank: from 0; the MPI rank
 */
void evtlog_region_rank(int rank);

/**
 * evtlog_region_write() - write the regions of all threads so far
 * @path: file to write; an existing file is replaced
 *
 * For threads that run at the same time, the file has the sums at their last begin or end.
 *
 * Return: 0; -ENOENT no region has begun; -errno: nothing is written.
 */
int evtlog_region_write(const char *path);

/**
 * evtlog_region_save() - write the regions now, as at the exit of the process
 *
 * For processes that end by _exit(), exec or a signal.  A later save of the process replaces this
 * file.  With EVTLOG_TRACE_FILE, the trace of all threads so far is written too.
 *
 * Return: 0; -ENODATA no region has begun, neither EVTLOG_PROFILE_FILE nor EVTLOG_TRACE_FILE is
 * set, or this is the child of a vfork(); -errno: nothing is written.
 */
int evtlog_region_save(void);

#ifdef __cplusplus
}

/*
 * -finstrument-functions makes each function a region.  The constructor must not be one: at its
 * return, its region would end and also end the region that it has begun.
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
