// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * edges - difficult cases of regions: each argument names one, see main()
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <evtlog/region.h>

#define NAMES	300
#define FILES	40

static char names[NAMES][8];
static atomic_bool is_over, is_ready;

static void *switch_regions(void *unused)
{
	unsigned int seed = 1;

	for (int i = 0; i < NAMES; i++) {
		evtlog_region_begin(names[i]);
		evtlog_region_end(names[i]);
	}
	is_ready = true;
	while (!is_over) {
		unsigned int at = rand_r(&seed) % NAMES;

		evtlog_region_begin(names[at]);
		evtlog_region_begin("within");
		evtlog_region_end("within");
		evtlog_region_end(names[at]);
	}
	return NULL;
}

/* Writes files while a thread begins regions: live.0, live.1, ... */
static int live(void)
{
	pthread_t thread;
	char path[32];

	for (int i = 0; i < NAMES; i++)
		snprintf(names[i], sizeof(names[i]), "r%d", i);
	pthread_create(&thread, NULL, switch_regions, NULL);
	while (!is_ready)
		usleep(100);
	for (int i = 0; i < FILES; i++) {
		snprintf(path, sizeof(path), "live.%d", i);
		if (evtlog_region_write(path))
			return 1;
	}
	is_over = true;
	pthread_join(thread, NULL);
	return 0;
}

static void *nest(void *unused)
{
	while (true) {
		for (int i = 0; i < 100; i++)
			evtlog_region_begin(names[i]);
		for (int i = 100; i--;)
			evtlog_region_end(names[i]);
		is_ready = true;
	}
	return NULL;
}

/* The process ends while a thread begins and ends regions. */
static int running(void)
{
	pthread_t thread;

	for (int i = 0; i < 100; i++)
		snprintf(names[i], sizeof(names[i]), "r%d", i);
	pthread_create(&thread, NULL, nest, NULL);
	while (!is_ready)
		usleep(100);
	return 0;
}

static void *begin_without_room(void *unused)
{
	struct rlimit old, none;

	getrlimit(RLIMIT_AS, &old);
	none = old;
	none.rlim_cur = 1;
	setrlimit(RLIMIT_AS, &none);
	for (int i = 0; i < 100; i++) {
		evtlog_region_begin("no room");
		evtlog_region_end("no room");
	}
	setrlimit(RLIMIT_AS, &old);
	return NULL;
}

/* A thread has no memory for its first region. */
static int room(void)
{
	pthread_t thread;

	evtlog_region_begin("main");
	pthread_create(&thread, NULL, begin_without_room, NULL);
	pthread_join(thread, NULL);
	evtlog_region_end("main");
	return 0;
}

/* The same text at another address ends a region. */
static int text(void)
{
	char outer[] = "outer", inner[] = "inner";

	for (int i = 0; i < 3; i++) {
		evtlog_region_begin("outer");
		evtlog_region_begin("inner");
		evtlog_region_end(inner);
		evtlog_region_end(outer);
	}
	return 0;
}

/* _Fork() runs no handlers: the child has none of the parent's regions, but all of its own. */
static int child(void)
{
	pid_t pid;

	for (int i = 0; i < 5; i++) {
		evtlog_region_begin("parent's");
		evtlog_region_end("parent's");
	}
	evtlog_region_begin("main");
	pid = _Fork();
	if (!pid) {
		for (int i = 0; i < 3; i++) {
			evtlog_region_begin("child's");
			evtlog_region_end("child's");
		}
		evtlog_region_end("main");
		exit(0);
	}
	waitpid(pid, NULL, 0);
	evtlog_region_end("main");
	return 0;
}

static void *make_names(void *unused)
{
	unsigned int seed = 1;
	char name[32];

	while (!is_over) {
		snprintf(name, sizeof(name), "name %d", rand_r(&seed) % 200);
		evtlog_region_name(name, strlen(name));
	}
	return NULL;
}

/* A child can make a name, though another thread of the parent makes names during the fork. */
static int named(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, make_names, NULL);
	for (int i = 0; i < 60; i++) {
		pid_t pid = fork();
		int status;

		if (!pid) {
			alarm(5);
			_exit(strcmp(evtlog_region_name("name 7", 6), "name 7") ||
			      evtlog_region_name("name 7", 6) != evtlog_region_name("name 7x", 6));
		}
		if (waitpid(pid, &status, 0) != pid || status) {
			fprintf(stderr, "child %d: status %#x\n", i, status);
			return 1;
		}
	}
	is_over = true;
	pthread_join(thread, NULL);
	return 0;
}

/* Profiles restart while a region is open. */
static int restart(void)
{
	int error;

	evtlog_region_begin("open meanwhile");
	for (volatile int i = 0; i < 3000000; i++)
		;
	error = system("evtlog profile stop && evtlog profile start");
	evtlog_region_end("open meanwhile");
	evtlog_region_begin("after");
	for (int i = 0; i < 10; i++)
		getppid();
	evtlog_region_end("after");
	return error;
}

static void *has_region(void *unused)
{
	evtlog_region_begin("in a thread");
	evtlog_region_end("in a thread");
	is_ready = true;
	while (!is_over)
		usleep(1000);
	return NULL;
}

/* A daemon closes all unknown descriptors, and its next file gets the number of the library's. */
static int closed(void)
{
	pthread_t thread;
	int files[FILES];

	pthread_create(&thread, NULL, has_region, NULL);
	while (!is_ready)
		usleep(1000);
	close_range(3, ~0U, 0);
	for (int i = 0; i < FILES; i++)
		files[i] = open("/dev/null", O_RDWR);
	is_over = true;
	pthread_join(thread, NULL);
	if (!fork())
		_exit(0);
	wait(NULL);
	for (int i = 0; i < FILES; i++) {
		if (write(files[i], "x", 1) != 1)
			return 1;
	}
	return 0;
}

static pthread_barrier_t all_there;

static void *has_regions(void *unused)
{
	pthread_barrier_wait(&all_there);
	for (int i = 0; i < 200; i++) {
		evtlog_region_begin("at once");
		evtlog_region_end("at once");
	}
	return NULL;
}

static void begin_at_once(void)
{
	pthread_t thread[8];

	for (int i = 0; i < 8; i++)
		pthread_create(&thread[i], NULL, has_regions, NULL);
	for (int i = 0; i < 8; i++)
		pthread_join(thread[i], NULL);
}

/* Several threads begin the first regions of a process, and of its _Fork() children. */
static int at_once(void)
{
	pthread_barrier_init(&all_there, NULL, 8);
	begin_at_once();
	for (int i = 0; i < 20; i++) {
		if (!_Fork()) {
			begin_at_once();
			return 0;
		}
		wait(NULL);
	}
	return 0;
}

static void *wait_named(void *unused)
{
	evtlog_region_thread("another name that is cut");
	for (int i = 0; i < 4; i++) {
		evtlog_region_mark();
		usleep(1000);
		evtlog_region_since_mark("waited");
	}
	return NULL;
}

/* The time since a mark is a region, unless regions began or ended since; threads' names */
static int marks(void)
{
	pthread_t thread;

	evtlog_region_since_mark("without a mark");
	evtlog_region_begin("main");
	for (int i = 0; i < 3; i++) {
		evtlog_region_mark();
		usleep(1000);
		evtlog_region_since_mark("waited");
	}
	evtlog_region_since_mark("twice");
	evtlog_region_mark();
	evtlog_region_begin("other");
	evtlog_region_end("other");
	evtlog_region_since_mark("other since");
	evtlog_region_end("main");
	pthread_create(&thread, NULL, wait_named, NULL);
	pthread_join(thread, NULL);
	return 0;
}

#define DEEP		255
#define DEEP_BYTES	300
#define DEEP_THREADS	6

static char deep_names[DEEP][DEEP_BYTES + 1];

static void *nest_deep(void *unused)
{
	for (int i = 0; i < DEEP; i++)
		evtlog_region_begin(deep_names[i]);
	for (int i = DEEP; i--;)
		evtlog_region_end(deep_names[i]);
	/* One more region within the third */
	for (int i = 0; i < 3; i++)
		evtlog_region_begin(deep_names[i]);
	evtlog_region_begin("beside");
	evtlog_region_end("beside");
	for (int i = 3; i--;)
		evtlog_region_end(deep_names[i]);
	return NULL;
}

/* In some threads, the largest number of nested regions, with long names */
static int deep(void)
{
	pthread_t threads[DEEP_THREADS];

	for (int i = 0; i < DEEP; i++) {
		memset(deep_names[i], 'a' + i % 26, DEEP_BYTES);
		deep_names[i][i] = 'X';
	}
	for (int i = 0; i < DEEP_THREADS; i++)
		pthread_create(&threads[i], NULL, nest_deep, NULL);
	for (int i = 0; i < DEEP_THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "live"))
		return live();
	if (argc == 2 && !strcmp(argv[1], "running"))
		return running();
	if (argc == 2 && !strcmp(argv[1], "room"))
		return room();
	if (argc == 2 && !strcmp(argv[1], "text"))
		return text();
	if (argc == 2 && !strcmp(argv[1], "child"))
		return child();
	if (argc == 2 && !strcmp(argv[1], "named"))
		return named();
	if (argc == 2 && !strcmp(argv[1], "marks"))
		return marks();
	if (argc == 2 && !strcmp(argv[1], "restart"))
		return restart();
	if (argc == 2 && !strcmp(argv[1], "closed"))
		return closed();
	if (argc == 2 && !strcmp(argv[1], "at-once"))
		return at_once();
	if (argc == 2 && !strcmp(argv[1], "deep"))
		return deep();
	return 2;
}
