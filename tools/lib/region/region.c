// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The public functions of regions, and the file at the exit of a process.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <evtlog/region.h>

#include "lib/region/process.h"
#include "lib/region/thread.h"
#include "lib/region/trace.h"
#include "lib/region/write.h"

static struct region_process process = { .rank = -1 };

void evtlog_region_begin(const char *name)
{
	region_begin(name ? name : "", false);
}

void evtlog_region_end(const char *name)
{
	region_end(name, false);
}

void evtlog_region_begin_function(const void *function)
{
	region_begin(function, true);
}

void evtlog_region_end_function(const void *function)
{
	region_end(function, true);
}

void evtlog_region_mark(void)
{
	region_mark();
}

void evtlog_region_since_mark(const char *name)
{
	region_since_mark(name ? name : "");
}

void evtlog_region_thread(const char *name)
{
	region_thread_name(name ? name : "");
}

void evtlog_region_rank(int rank)
{
	process.rank = rank;
	region_trace_file_rank(rank);
}

int evtlog_region_write(const char *path)
{
	return region_file_write(path, &process);
}

/* Names that were copied; programs have few. */
struct name {
	struct name *next;
	size_t length;
	char text[];
};

static struct name *find_name(struct name *from, const struct name *to, const char *text,
			      size_t length)
{
	for (; from != to; from = from->next) {
		if (from->length == length && !memcmp(from->text, text, length))
			return from;
	}
	return NULL;
}

static struct name *make_name(const char *text, size_t length)
{
	struct name *name = malloc(sizeof(*name) + length + 1);

	if (!name)
		return NULL;
	name->length = length;
	memcpy(name->text, text, length);
	name->text[length] = '\0';
	return name;
}

/* No lock: if another thread held it at a fork, the child would wait forever. */
const char *evtlog_region_name(const char *text, size_t length)
{
	static struct name *names[256];
	struct name *name, *other, *first, **bucket;
	unsigned int hash = 0;

	length = strnlen(text, length);
	for (size_t i = 0; i < length; i++)
		hash = hash * 31 + (unsigned char)text[i];
	bucket = &names[hash % 256];
	first = __atomic_load_n(bucket, __ATOMIC_ACQUIRE);
	name = find_name(first, NULL, text, length);
	if (name)
		return name->text;
	name = make_name(text, length);
	if (!name)
		return NULL;
	name->next = first;
	while (!__atomic_compare_exchange_n(bucket, &name->next, name, false, __ATOMIC_ACQ_REL,
					    __ATOMIC_ACQUIRE)) {
		/* Search the names that other threads have added. */
		other = find_name(name->next, first, text, length);
		if (other) {
			free(name);
			return other->text;
		}
		first = name->next;
	}
	return name->text;
}

static __attribute__((constructor)) void note_clock(void)
{
	region_clock_pair(&process.loaded);
}

/* Prints a message, because nothing else would report the missing file. */
static void say_lost(const char *path, int error)
{
	char text[512];
	int bytes = snprintf(text, sizeof(text), "libevtlog: %s: %s; the regions are lost: set "
			     "EVTLOG_PROFILE_FILE to a file that can be written\n", path,
			     strerror(-error));

	if (bytes >= (int)sizeof(text))
		bytes = sizeof(text) - 1;
	if (bytes > 0 && write(STDERR_FILENO, text, bytes) < 0)
		return;
}

/* Returns -ENODATA if there is nothing to save, or no path is set. */
static int save(char path[PATH_MAX])
{
	const char *prefix = secure_getenv("EVTLOG_PROFILE_FILE");

	*path = '\0';
	if (!prefix || !*prefix || !region_process_threads() || !region_process_is_here())
		return -ENODATA;
	if (snprintf(path, PATH_MAX, "%s.%d", prefix, getpid()) >= PATH_MAX)
		return -ENAMETOOLONG;
	return region_file_save(path, &process);
}

int evtlog_region_save(void)
{
	int traced = region_trace_save();
	char path[PATH_MAX];
	int error = save(path);

	/* Result of the requested file; if both are requested, the error of either. */
	if (error && error != -ENODATA)
		return error;
	return traced == -ENODATA ? error : traced;
}

static __attribute__((destructor)) void write_at_exit(void)
{
	char path[PATH_MAX];
	int error;

	if (region_process_is_here())
		region_thread_end_others();
	region_trace_save();
	error = save(path);
	if (error && error != -ENODATA)
		say_lost(*path ? path : "EVTLOG_PROFILE_FILE", error);
}
