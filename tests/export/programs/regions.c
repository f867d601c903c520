// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * regions WAY [COUNT] - regions of threads by libevtlog, and the times that the program itself
 * reads
 *
 * "told" COUNT: two threads are COUNT times in "round", and within it in "busy", a loop, and in
 *	"sleep", one nanosleep.  Prints a line for each begin and end: the thread, enter or leave,
 *	the region, and CLOCK_MONOTONIC_RAW before and after.
 * many COUNT: the main thread has nested regions as fast as it can, and prints the same lines.
 * marked COUNT: regions since a mark, within other regions; and marks that are not valid.
 * stopped: two threads have 100,000 regions each, then the process ends.
 * killed: 20,000 regions, then SIGKILL.
 * saved: an open region, a region within it, then _exit().
 * child: fork() in the region "main": one child has a region, the other child has none.
 * closed PATH: regions, closes all descriptors, opens PATH, regions.  Fails if PATH is not empty.
 * functions: 1000 calls of each of two functions.
 * descend: 300 nested regions.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <evtlog/region.h>

#define THREADS		2
#define SLEEP_NS	10000000
#define BUSY_NS		5000000
#define TELLS_MAX	(1 << 20)

struct tell {
	const char *what, *name;
	uint64_t before_ns, after_ns;
};

static struct telling {
	pid_t tid;
	size_t count;
	struct tell tells[TELLS_MAX];
} telling[THREADS];

static int rounds;

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return now.tv_sec * UINT64_C(1000000000) + now.tv_nsec;
}

static void begin(struct telling *to, const char *name)
{
	struct tell *tell = &to->tells[to->count++];

	*tell = (struct tell) { "enter", name, now_ns(), 0 };
	evtlog_region_begin(name);
	tell->after_ns = now_ns();
}

static void end(struct telling *to, const char *name)
{
	struct tell *tell = &to->tells[to->count++];

	*tell = (struct tell) { "leave", name, now_ns(), 0 };
	evtlog_region_end(name);
	tell->after_ns = now_ns();
}

/* evtlog_region_since_mark() writes both the begin and the end. */
static void since_mark(struct telling *to, const char *name, uint64_t lasts_ns)
{
	struct tell *tell = &to->tells[to->count];

	to->count += 2;
	tell[0] = (struct tell) { "enter", name, now_ns(), 0 };
	evtlog_region_mark();
	tell[0].after_ns = now_ns();
	while (now_ns() < tell[0].after_ns + lasts_ns)
		;
	tell[1] = (struct tell) { "leave", name, now_ns(), 0 };
	evtlog_region_since_mark(name);
	tell[1].after_ns = now_ns();
}

static void *have_marks(void *data)
{
	struct telling *to = data;

	to->tid = gettid();
	for (int i = 0; i < rounds; i++) {
		begin(to, "round");
		since_mark(to, "marked", 100000);
		evtlog_region_mark();
		begin(to, "other");
		evtlog_region_since_mark("begun since");
		end(to, "other");
		evtlog_region_since_mark("without a mark");
		since_mark(to, "marked", 0);
		end(to, "round");
	}
	return NULL;
}

static void *work(void *data)
{
	const struct timespec pause = { .tv_nsec = SLEEP_NS };
	struct telling *to = data;

	to->tid = gettid();
	for (int i = 0; i < rounds; i++) {
		uint64_t until_ns = now_ns() + BUSY_NS;

		begin(to, "round");
		begin(to, "busy");
		while (now_ns() < until_ns)
			;
		end(to, "busy");
		begin(to, "sleep");
		nanosleep(&pause, NULL);
		end(to, "sleep");
		end(to, "round");
	}
	return NULL;
}

static void print_telling(const struct telling *to)
{
	for (size_t i = 0; i < to->count; i++)
		printf("%d %s %s %lu %lu\n", to->tid, to->tells[i].what, to->tells[i].name,
		       to->tells[i].before_ns, to->tells[i].after_ns);
}

static void *have_many(void *unused)
{
	for (int i = 0; i < 100000; i++) {
		evtlog_region_begin("one");
		evtlog_region_end("one");
	}
	return NULL;
}

static void with_threads(void *(*act)(void *data))
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, act, &telling[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void children(void)
{
	evtlog_region_begin("main");
	if (!fork()) {
		evtlog_region_begin("child's");
		evtlog_region_end("child's");
		exit(0);
	}
	if (!fork())
		exit(0);
	while (wait(NULL) > 0)
		;
	evtlog_region_end("main");
}

/* The library must not write to a file that got the number of its closed descriptor. */
static int closed(const char *path)
{
	int first;

	have_many(NULL);
	for (int i = 3; i < 100; i++)
		close(i);
	for (int i = 0; i < 20; i++)
		first = open(path, O_RDWR | O_CREAT | O_APPEND, 0600);
	have_many(NULL);
	return first < 0 || lseek(first, 0, SEEK_END) != 0;
}

void one_function(void);
void other_function(void);

__attribute__((noinline)) void one_function(void)
{
	evtlog_region_begin_function(one_function);
	evtlog_region_end_function(one_function);
}

__attribute__((noinline)) void other_function(void)
{
	evtlog_region_begin_function(other_function);
	one_function();
	evtlog_region_end_function(other_function);
}

static void descend(int depth)
{
	evtlog_region_begin("deep");
	if (depth > 1)
		descend(depth - 1);
	evtlog_region_end("deep");
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";

	rounds = argc > 2 ? atoi(argv[2]) : 0;
	if (!strcmp(way, "told")) {
		with_threads(work);
		print_telling(&telling[0]);
		print_telling(&telling[1]);
	} else if (!strcmp(way, "many")) {
		telling->tid = gettid();
		for (int i = 0; i < rounds; i++) {
			begin(telling, "one");
			begin(telling, "two");
			end(telling, "two");
			end(telling, "one");
		}
		print_telling(telling);
	} else if (!strcmp(way, "marked")) {
		with_threads(have_marks);
		print_telling(&telling[0]);
		print_telling(&telling[1]);
	} else if (!strcmp(way, "stopped")) {
		with_threads(have_many);
	} else if (!strcmp(way, "killed")) {
		for (int i = 0; i < 20000; i++) {
			evtlog_region_begin("one");
			evtlog_region_end("one");
		}
		raise(SIGKILL);
	} else if (!strcmp(way, "saved")) {
		evtlog_region_begin("open");
		evtlog_region_begin("one");
		evtlog_region_end("one");
		_exit(0);
	} else if (!strcmp(way, "child")) {
		children();
	} else if (!strcmp(way, "closed")) {
		return closed(argv[2]);
	} else if (!strcmp(way, "functions")) {
		for (int i = 0; i < 1000; i++)
			other_function();
	} else if (!strcmp(way, "descend")) {
		descend(300);
	} else {
		return 2;
	}
	return 0;
}
