// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Writes the regions of all threads as a profile, with lines as in /proc/evtlog/profile/all.  The
 * event of a region is region:NAME.  Within it, a group is group:NAME, and paths have the kernel's
 * events.  A path omits the names that it shares with the previous line (lib/profile/text.c).
 *
 * Blanks and other characters that would end a name in a path are written as %20.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/base/io.h"
#include "lib/region/paths.h"
#include "lib/region/process.h"
#include "lib/region/symbols.h"
#include "lib/region/thread.h"
#include "lib/region/write.h"

#define PATH_ROOM	(64 * 1024)
#define TEXT_ROOM	(256 * 1024)

/*
 * struct writer - output file
 * @path:	of the current node; @names: its length; @common: names shared with the last line
 */
struct writer {
	int fd, error;
	size_t used;
	unsigned int names, common;
	char *text, *path;
	struct region_symbols symbols;
};

static void flush(struct writer *writer)
{
	if (!writer->error)
		writer->error = io_write(writer->fd, writer->text, writer->used);
	writer->used = 0;
}

/* Puts at most PATH_ROOM and a path of the kernel. */
static __attribute__((format(printf, 2, 3))) void put(struct writer *writer, const char *format,
						      ...)
{
	va_list args;
	int bytes;

	if (writer->used > TEXT_ROOM - 2 * PATH_ROOM)
		flush(writer);
	va_start(args, format);
	bytes = vsnprintf(writer->text + writer->used, TEXT_ROOM - writer->used, format, args);
	va_end(args);
	writer->used += bytes > 0 ? bytes : 0;
}

/* Appends an escaped name to the path.  Returns the new length. */
static size_t add_name(struct writer *writer, size_t length, const char *name)
{
	static const char digits[] = "0123456789abcdef";
	size_t most = length + REGION_NAME_MAX;

	for (; *name && length < most && length + 4 < PATH_ROOM; name++) {
		unsigned char c = *name;

		if (c > ' ' && c != '>' && c != '%' && c != 0x7f) {
			writer->path[length++] = c;
			continue;
		}
		writer->path[length++] = '%';
		writer->path[length++] = digits[c >> 4];
		writer->path[length++] = digits[c & 15];
	}
	writer->path[length] = '\0';
	return length;
}

static size_t add_event(struct writer *writer, size_t length, const struct region_node *node)
{
	char name[REGION_NAME_MAX];

	if (!node->parent)
		return add_name(writer, 0, "user");
	if (length + 16 >= PATH_ROOM)
		return length;
	length += sprintf(writer->path + length, ">region:");
	if (!node->is_function)
		return add_name(writer, length, node->name);
	region_symbol(&writer->symbols, node->key, name, sizeof(name));
	return add_name(writer, length, name);
}

/* Puts the node's path, without the blank after it */
static void put_path(struct writer *writer)
{
	unsigned int names = writer->common < writer->names ? writer->common : writer->names - 1;
	const char *rest = writer->path;

	for (unsigned int i = 0; i < names; i++)
		rest = strchr(rest, '>') + 1;
	if (names)
		put(writer, "  .%u %s", names, rest);
	else
		put(writer, "  %s", rest);
	writer->common = writer->names;
}

/* The thread may run and add paths at the same time. */
static void put_paths(struct writer *writer, const struct region_sums *sums)
{
	for (const struct region_path *path = __atomic_load_n(&sums->paths, __ATOMIC_ACQUIRE); path;
	     path = path->next)
		put(writer, "  .%u %s %" PRIu64 " %" PRIu64 " %" PRIu64 " 0\n", writer->names,
		    path->name, path->count, path->inclusive, path->exclusive);
}

/*
 * Open regions end with the process.  leave() clears @is_open first, and it is read last here: so a
 * region of a running thread is not counted twice.  A newer one may begin after @until.
 */
static void put_node(struct writer *writer, const struct region_node *node, uint64_t until)
{
	uint64_t count = __atomic_load_n(&node->count, __ATOMIC_ACQUIRE);
	uint64_t inclusive = __atomic_load_n(&node->inclusive, __ATOMIC_ACQUIRE);
	uint64_t largest = __atomic_load_n(&node->largest, __ATOMIC_ACQUIRE);
	bool is_open = __atomic_load_n(&node->is_open, __ATOMIC_ACQUIRE);
	uint64_t start = __atomic_load_n(&node->start, __ATOMIC_RELAXED);
	uint64_t open = is_open && until > start ? until - start : 0;

	/* A region of the parent, before a fork. */
	if (node->parent && !count && !is_open)
		return;
	put_path(writer);
	put(writer, " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", count + is_open,
	    inclusive + open, node->sums.ticks[EVTLOG_PROFILE_GROUP_USER],
	    open > largest ? open : largest);
	for (unsigned int i = 0; i < REGION_GROUPS; i++) {
		if (i == EVTLOG_PROFILE_GROUP_USER ||
		    (!node->sums.ticks[i] && !node->sums.counts[i]))
			continue;
		put(writer, "  .%u group:%s %" PRIu64 " %" PRIu64 " %" PRIu64 " 0\n",
		    writer->names, evtlog_profile_group_name(i), node->sums.counts[i], node->sums.ticks[i],
		    node->sums.ticks[i]);
	}
	put_paths(writer, &node->sums);
}

/* The thread may run and add nodes at the same time. */
static void put_nodes(struct writer *writer, const struct region_node *node, size_t length,
		      uint64_t until)
{
	unsigned int names = writer->names;
	size_t before = length;

	/* If its name does not fit, it has the path of its parent. */
	length = add_event(writer, length, node);
	writer->names += length > before;
	put_node(writer, node, until);
	for (const struct region_node *child = __atomic_load_n(&node->first, __ATOMIC_ACQUIRE);
	     child; child = child->next)
		put_nodes(writer, child, length, until);
	writer->path[before] = '\0';
	writer->names = names;
	if (writer->common > names)
		writer->common = names;
}

static void put_thread(struct writer *writer, const struct region_thread *thread)
{
	uint64_t until = __atomic_load_n(&thread->clock.now, __ATOMIC_RELAXED);
	char comm[4 * sizeof(thread->comm) + 1];
	size_t length = 0;

	/* The name is on one line and escaped as in the kernel's profiles. */
	comm[0] = '\0';
	for (size_t i = 0; i < sizeof(thread->comm) && thread->comm[i]; i++) {
		unsigned char c = thread->comm[i];
		bool is_plain = c >= ' ' && c != '\\';

		length += snprintf(comm + length, sizeof(comm) - length, is_plain ? "%c" : "\\%03o",
				   c);
	}
	put(writer, "task %d %d %" PRIu64 " %" PRIu64 " %" PRIu64 " 0 %s\n", thread->tid,
	    thread->pid, thread->born, until, thread->unmatched, comm);
	writer->names = writer->common = 0;
	put_nodes(writer, &thread->root, 0, until);
}

static void put_all(struct writer *writer, const struct region_process *process)
{
	const struct region_thread *thread;
	uint64_t missed = 0, limited = 0;
	char host[65] = "";
	bool has_page = false;

	for (thread = region_process_threads(); thread; thread = thread->next) {
		missed += thread->missed;
		has_page |= thread->clock.sequence != 0;
		limited += thread->clock.is_limited;
	}
	put(writer, "ticks_hz %" PRIu64 "\n", region_clock_hz(&process->loaded));
	put(writer, "version 2\n");
	put(writer, "kernel %s\n", has_page ? "yes" : "no");
	if (!gethostname(host, sizeof(host) - 1))
		put(writer, "host %s\n", host);
	if (process->rank >= 0)
		put(writer, "rank %d\n", process->rank);
	put(writer, "regions_missed %" PRIu64 "\n", missed);
	put(writer, "threads_missed %" PRIu64 "\n", region_process_threads_missed());
	if (limited)
		put(writer, "threads_without_page %" PRIu64 "\n", limited);
	for (thread = region_process_threads(); thread; thread = thread->next)
		put_thread(writer, thread);
	put(writer, "end\n");
	flush(writer);
}

/* Writes to an open file.  Returns 0 or -errno. */
static int region_write(int fd, const struct region_process *process)
{
	struct writer writer = { .fd = fd, .text = region_memory(TEXT_ROOM), .path = region_memory(PATH_ROOM) };

	if (writer.text && writer.path)
		put_all(&writer, process);
	else
		writer.error = -ENOMEM;
	region_symbols_close(&writer.symbols);
	if (writer.text)
		munmap(writer.text, TEXT_ROOM);
	if (writer.path)
		munmap(writer.path, PATH_ROOM);
	return writer.error;
}

/*
 * ---- Files: complete or missing, and files of other processes are not replaced ----
 *
 * Threads may write at the same time.  No locks, because a child could find one taken.  No
 * malloc(), because _exit() can be called in a signal handler and saves the files.
 */

#define NAMES_MAX	1000

/* The name that the process @mark uses. */
struct own {
	uint32_t mark;
	char name[PATH_MAX];
};

static struct own *own;

/* Writes a new file next to @path, with access for its owner only; its name is in @part. */
static int write_part(const char *path, const struct region_process *process, char part[PATH_MAX])
{
	int fd, error;

	if (!region_process_threads() || !region_process_is_here())
		return -ENOENT;
	region_charge();
	if (snprintf(part, PATH_MAX, "%s.XXXXXX.part", path) >= PATH_MAX)
		return -ENAMETOOLONG;
	fd = mkostemps(part, strlen(".part"), O_CLOEXEC);
	if (fd < 0) {
		error = -errno;
	} else {
		error = region_write(fd, process);
		if (close(fd) && !error)
			error = -errno;
		if (error)
			unlink(part);
	}
	return error;
}

static int put_in_place(const char *part, const char *path)
{
	int error = rename(part, path) ? -errno : 0;

	if (error)
		unlink(part);
	return error;
}

int region_file_write(const char *path, const struct region_process *process)
{
	char part[PATH_MAX];
	int error = write_part(path, process, part);

	return error ? error : put_in_place(part, path);
}

/* Reserves a name with an empty file, to be replaced. */
static int take_name(const char *path, char name[PATH_MAX])
{
	int fd = -EEXIST;

	for (int i = 0; i < NAMES_MAX && fd == -EEXIST; i++) {
		if (snprintf(name, PATH_MAX, i ? "%s.%d" : "%s", path, i) >= PATH_MAX)
			return -ENAMETOOLONG;
		fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (fd >= 0) {
			close(fd);
			return 0;
		}
		fd = -errno;
	}
	return fd;
}

/* Returns NULL and sets @error on failure; another thread may do the same at the same time. */
static const char *own_name(const char *path, int *error)
{
	struct own *old = __atomic_load_n(&own, __ATOMIC_ACQUIRE), *new;

	if (old && old->mark == region_process.mark)
		return old->name;
	new = region_memory(sizeof(*new));
	*error = new ? take_name(path, new->name) : -ENOMEM;
	if (*error) {
		if (new)
			munmap(new, sizeof(*new));
		return NULL;
	}
	new->mark = region_process.mark;
	if (__atomic_compare_exchange_n(&own, &old, new, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return new->name;
	unlink(new->name);
	munmap(new, sizeof(*new));
	return old->name;
}

/* Number of the reading in the file, and whether a thread is replacing it. */
static uint32_t readings, in_place;
static bool is_placing;

/* Does not replace a file with a later reading. */
static int put_in_order(const char *part, const char *name, uint32_t reading)
{
	int error = 0;

	/* A child of a thread that was here finds the flag set: limit the tries. */
	for (unsigned int try = 0; try < REGION_TRIES &&
	     __atomic_exchange_n(&is_placing, true, __ATOMIC_ACQUIRE); try++)
		region_wait(try);
	if ((int32_t)(reading - in_place) > 0) {
		error = put_in_place(part, name);
		if (!error)
			in_place = reading;
	} else {
		unlink(part);
	}
	__atomic_store_n(&is_placing, false, __ATOMIC_RELEASE);
	return error;
}

int region_file_save(const char *path, const struct region_process *process)
{
	uint32_t reading = __atomic_add_fetch(&readings, 1, __ATOMIC_RELAXED);
	const char *name;
	char part[PATH_MAX];
	int error = write_part(path, process, part);

	if (error)
		return error;
	name = own_name(path, &error);
	if (name)
		return put_in_order(part, name, reading);
	unlink(part);
	return error;
}
