// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reads the profile of the calling thread, and its increase.
 *
 * Does not use malloc() or locks, because regions can begin in signal handlers.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "lib/region/clock.h"
#include "lib/region/paths.h"
#include "lib/region/process.h"

#define SELF_FILE	"/proc/evtlog/profile/self"
#define TEXT_ROOM	(128 * 1024)
#define MEMORY_ROOM	(64 * 1024)
#define KNOWN_MAX	1024

/*
 * struct known - a path that has been in the thread's profile
 * @whole:	the path, of @length bytes
 * @name:	the path without its root, in @whole; "": the root itself, user mode
 */
struct known {
	const char *whole, *name;
	size_t length;
	uint64_t count, inclusive, exclusive;
};

/*
 * struct region_paths - state of a thread
 * @fd:		of SELF_FILE, or -1; the program may close it and open another file
 * @device, @inode: of SELF_FILE
 * @is_begun:	@known has the last reading, of profiles that began at @born
 * @guess:	place of the next line's path, if the order has not changed
 * @free, @free_end: free memory
 */
struct region_paths {
	int fd;
	dev_t device;
	ino_t inode;
	bool is_begun;
	uint64_t born;
	size_t nr_known, guess;
	char *free, *free_end;
	struct known known[KNOWN_MAX];
	char text[TEXT_ROOM];
};

/* A reading.  @text starts after the line of the task. */
struct reading {
	const char *text;
	uint64_t born, ahead, total;
};

static bool is_wanted;

void region_paths_set_up(void)
{
	const char *word = secure_getenv("EVTLOG_REGION_PATHS");

	is_wanted = word && !strcmp(word, "1");
}

static void open_file(struct region_paths *paths)
{
	struct stat file;

	paths->fd = open(SELF_FILE, O_RDONLY | O_CLOEXEC);
	if (paths->fd < 0)
		return;
	if (fstat(paths->fd, &file))
		memset(&file, 0, sizeof(file));
	paths->device = file.st_dev;
	paths->inode = file.st_ino;
}

/* Returns false if the number is now another file of the program. */
static bool is_own(const struct region_paths *paths)
{
	struct stat file;

	return paths->fd >= 0 && !fstat(paths->fd, &file) && file.st_dev == paths->device &&
	       file.st_ino == paths->inode;
}

struct region_paths *region_paths_new(void)
{
	struct region_paths *paths = is_wanted ? region_memory(sizeof(*paths)) : NULL;

	if (paths)
		open_file(paths);
	return paths;
}

void region_paths_close(struct region_paths *paths)
{
	if (is_own(paths))
		close(paths->fd);
	paths->fd = -1;
}

/* The file is of the process that opened it. */
void region_paths_renew(struct region_paths *paths)
{
	region_paths_close(paths);
	open_file(paths);
	paths->is_begun = false;
}

void region_paths_forget(struct region_paths *paths)
{
	paths->is_begun = false;
}

/*
 * Uses a system call that programs rarely make, so its cost is visible separately.  The libc
 * function would be a cancellation point.
 */
static ssize_t read_once(struct region_paths *paths)
{
	struct iovec whole = { paths->text, sizeof(paths->text) - 1 };

	return syscall(SYS_preadv2, paths->fd, &whole, 1UL, 0UL, 0UL, 0);
}

/* The program may have closed the file.  Another file with this number is not a profile. */
static bool read_text(struct region_paths *paths)
{
	ssize_t bytes = read_once(paths);

	if (bytes < 0 && errno == EBADF) {
		open_file(paths);
		bytes = read_once(paths);
	}
	if (bytes <= 0 || bytes == sizeof(paths->text) - 1)
		return false;
	paths->text[bytes] = '\0';
	return paths->text[bytes - 1] == '\n';
}

static uint64_t number(const char **at)
{
	uint64_t value = 0;

	while (**at == ' ')
		++*at;
	for (; **at >= '0' && **at <= '9'; ++*at)
		value = value * 10 + (**at - '0');
	return value;
}

static const char *next_line(const char *line)
{
	return strchr(line, '\n') + 1;
}

/* "task PID TGID BORN OFF UNMATCHED AHEAD COMM", after lines of control */
static bool find_task(struct reading *reading, const char *text)
{
	if (strncmp(text, "state on\n", 9))
		return false;
	for (; *text && strncmp(text, "task ", 5); text = next_line(text))
		;
	if (!*text)
		return false;
	reading->text = next_line(text);
	text += 5;
	number(&text);
	number(&text);
	reading->born = number(&text);
	number(&text);
	number(&text);
	reading->ahead = number(&text);
	return true;
}

static void *take(struct region_paths *paths, size_t bytes)
{
	bytes = (bytes + 7) & ~(size_t)7;
	if ((size_t)(paths->free_end - paths->free) < bytes) {
		paths->free = region_memory(MEMORY_ROOM);
		paths->free_end = paths->free ? paths->free + MEMORY_ROOM : NULL;
		if (!paths->free)
			return NULL;
	}
	paths->free += bytes;
	return paths->free - bytes;
}

static struct known *new_known(struct region_paths *paths, const char *name, size_t length)
{
	struct known *known = &paths->known[paths->nr_known];
	const char *below = memchr(name, '>', length);
	size_t root = below ? (size_t)(below - name) + 1 : length;
	char *copy;

	if (paths->nr_known == KNOWN_MAX || length > MEMORY_ROOM / 2)
		return NULL;
	copy = take(paths, length + 1);
	if (!copy)
		return NULL;
	memcpy(copy, name, length);
	copy[length] = '\0';
	*known = (struct known){ .whole = copy, .name = copy + root, .length = length };
	paths->nr_known++;
	return known;
}

static bool is(const struct known *known, const char *name, size_t length)
{
	return known->length == length && !memcmp(known->whole, name, length);
}

/* Paths are in the order in which they entered the profile, so usually in the same place. */
static struct known *find(struct region_paths *paths, const char *name, size_t length)
{
	size_t i = paths->guess;

	if (i >= paths->nr_known || !is(&paths->known[i], name, length)) {
		for (i = 0; i < paths->nr_known && !is(&paths->known[i], name, length); i++)
			;
	}
	paths->guess = i + 1;
	return i < paths->nr_known ? &paths->known[i] : new_known(paths, name, length);
}

static struct region_path *path_of(struct region_paths *paths, struct region_sums *to,
				   const struct known *known)
{
	struct region_path *path;

	for (path = to->paths; path && path->name != known->name; path = path->next)
		;
	if (path)
		return path;
	path = take(paths, sizeof(*path));
	if (!path)
		return NULL;
	*path = (struct region_path){ .next = to->paths, .name = known->name };
	/* Pairs with put_paths(), which may read the list at the same time. */
	__atomic_store_n(&to->paths, path, __ATOMIC_RELEASE);
	return path;
}

static void charge_path(struct region_paths *paths, struct region_sums *to,
			const struct known *known, const uint64_t sums[3])
{
	uint64_t count = sums[0] - known->count, exclusive = sums[2] - known->exclusive;
	struct region_path *path;

	if (!*known->name) {
		to->ticks[EVTLOG_PROFILE_GROUP_USER] += exclusive;
		return;
	}
	if (!count && !exclusive)
		return;
	path = path_of(paths, to, known);
	if (!path) {
		to->ticks[EVTLOG_PROFILE_GROUP_OTHER] += exclusive;
		return;
	}
	path->count += count;
	path->inclusive += sums[1] - known->inclusive;
	path->exclusive += exclusive;
}

static size_t length_of(const char *name)
{
	return strcspn(name, " \n");
}

/* Makes entries for all paths first.  Returns false, with nothing added, if one does not fit. */
static bool know_lines(struct region_paths *paths, const struct reading *reading)
{
	paths->guess = 0;
	for (const char *line = reading->text; line[0] == ' '; line = next_line(line)) {
		if (!find(paths, line + 2, length_of(line + 2)))
			return false;
	}
	return true;
}

/* @to: NULL: store the current sums only */
static void take_lines(struct region_paths *paths, struct reading *reading, struct region_sums *to)
{
	paths->guess = 0;
	for (const char *line = reading->text; line[0] == ' '; line = next_line(line)) {
		const char *at = line + 2 + length_of(line + 2);
		struct known *known = find(paths, line + 2, at - line - 2);
		uint64_t sums[3];

		for (unsigned int i = 0; i < 3; i++)
			sums[i] = number(&at);
		if (to)
			charge_path(paths, to, known, sums);
		reading->total += sums[2];
		known->count = sums[0];
		known->inclusive = sums[1];
		known->exclusive = sums[2];
	}
}

static bool charge(struct region_paths *paths, struct region_sums *to, uint64_t *now)
{
	struct reading reading = { 0 };
	bool goes_on;

	if (!read_text(paths) || !find_task(&reading, paths->text) || !know_lines(paths, &reading))
		return false;
	goes_on = paths->is_begun && paths->born == reading.born;
	if (!goes_on) {
		/* Paths that the profile no longer has begin at 0. */
		for (size_t i = 0; i < paths->nr_known; i++)
			paths->known[i].count = paths->known[i].inclusive = paths->known[i].exclusive = 0;
	}
	take_lines(paths, &reading, goes_on ? to : NULL);
	/* The paths contain each tick since the begin of the profile. */
	reading.total += reading.born - reading.ahead;
	if (!goes_on && reading.total > *now)
		to->ticks[EVTLOG_PROFILE_GROUP_USER] += reading.total - *now;
	*now = reading.total;
	paths->born = reading.born;
	paths->is_begun = true;
	return true;
}

bool region_paths_charge(struct region_paths *paths, struct region_sums *to, uint64_t *now)
{
	/* The begin of a region must not change errno. */
	int error = errno;
	bool charged = charge(paths, to, now);

	errno = error;
	return charged;
}
