// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pester - does everything that a hostile root could do to the files of /proc/evtlog, in random
 * order: right and wrong writes, reads to bad addresses, maps of any size, unknown ioctls, files
 * left open, children killed meanwhile.
 *
 * It only expects that the kernel survives; the test checks the kernel's log. Prints its seed; with
 * the seed as second argument it repeats the choices, but not their times.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <evtlog/abi.h>

#include "../support/xorshift.h"

#define NAMES_MAX	64
#define OPEN_MAX_FILES	16
#define ROOM		(64 * 1024)

static char names[NAMES_MAX][64];
static int name_count;
static int open_files[OPEN_MAX_FILES];
static void *maps[OPEN_MAX_FILES];
static size_t map_bytes[OPEN_MAX_FILES];
static char *room;
static uint64_t state;

static uint32_t random_below(uint32_t limit)
{
	return (xorshift(&state) >> 32) % limit;
}

static void list_names(void)
{
	DIR *dir = opendir("/proc/evtlog");
	struct dirent *entry;

	if (!dir) {
		fprintf(stderr, "pester: /proc/evtlog: %s\n", strerror(errno));
		exit(1);
	}
	while ((entry = readdir(dir)) && name_count < NAMES_MAX)
		if (entry->d_name[0] != '.')
			snprintf(names[name_count++], sizeof(names[0]),
				 "/proc/evtlog/%.40s", entry->d_name);
	closedir(dir);
}

static void open_some(int slot)
{
	static const int ways[] = { O_RDONLY, O_RDWR, O_WRONLY, O_RDONLY | O_TRUNC,
				    O_WRONLY | O_APPEND, O_PATH };

	if (open_files[slot] >= 0)
		close(open_files[slot]);
	open_files[slot] = open(names[random_below(name_count)],
				ways[random_below(sizeof(ways) / sizeof(ways[0]))] |
				O_NONBLOCK | O_CLOEXEC);
}

static void *some_address(void)
{
	switch (random_below(4)) {
	case 0: return NULL;
	case 1: return (void *)0xffffffff81000000;
	case 2: return room + ROOM - 16;	/* the next page is unmapped */
	default: return room;
	}
}

static void write_some(int fd)
{
	static const char *const texts[] = {
		"1", "0", "1\n", "0\n", "", "\n", "2", "-1", "01", " 1 ", "1x", "yes",
		"99999999999999999999", "-99999999999", "0x10", "4", "8", "64", "65",
		"128", "1024", "1025", "3", "+all", "-all", "+sched", "-sched_switch +softirq",
		"+nothing", "-", "+", "all", "+all -irq_handler +time -time -lost",
		"+sched_switch\0-all", "%s%n%x", "+\xff\xfe",
	};
	char text[32];
	int choice = random_below(40);

	if (choice < 34) {
		const char *t = texts[random_below(sizeof(texts) / sizeof(texts[0]))];

		(void)!write(fd, t, strlen(t) + random_below(2));
	} else if (choice < 36) {
		snprintf(text, sizeof(text), "%d", random_below(2) ? getpid() :
			 (int)random_below(3) - 1);
		(void)!write(fd, text, strlen(text));
	} else if (choice < 38) {
		memset(room, '+', ROOM);
		(void)!write(fd, room, random_below(ROOM));
	} else {
		(void)!write(fd, some_address(), random_below(8192));
	}
}

static void map_some(int slot, int fd)
{
	static const int protections[] = { PROT_READ, PROT_READ | PROT_WRITE, PROT_EXEC,
					   PROT_NONE, PROT_READ | PROT_EXEC };
	size_t bytes = (1 + random_below(1200)) * 4096UL;
	void *map;

	if (maps[slot]) {
		munmap(maps[slot], map_bytes[slot] / (1 + random_below(2)));
		maps[slot] = NULL;
		return;
	}
	map = mmap(NULL, bytes, protections[random_below(5)],
		   random_below(4) ? MAP_SHARED : MAP_PRIVATE, fd,
		   random_below(3) ? 0 : random_below(1024) * 4096L);
	if (map == MAP_FAILED)
		return;
	maps[slot] = map;
	map_bytes[slot] = bytes;
	/* Must fail, or affect a private copy. */
	mprotect(map, 4096, PROT_READ | PROT_WRITE);
	(void)!write(-1, map, 1);
}

static void ioctl_some(int fd)
{
	switch (random_below(5)) {
	case 0: ioctl(fd, EVTLOG_IOC_GET, some_address()); break;
	case 1: ioctl(fd, EVTLOG_IOC_PUT, some_address()); break;
	case 2: ioctl(fd, _IO(EVTLOG_IOC_MAGIC, random_below(256)), some_address()); break;
	case 3: ioctl(fd, random_below(0xffffffff), some_address()); break;
	default: ioctl(fd, EVTLOG_IOC_GET, room); ioctl(fd, EVTLOG_IOC_PUT); break;
	}
}

static void do_something(void)
{
	int slot = random_below(OPEN_MAX_FILES);
	int fd = open_files[slot];
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN | POLLOUT | POLLPRI };

	switch (random_below(12)) {
	case 0:
	case 1: open_some(slot); break;
	case 2:
	case 3: write_some(fd); break;
	case 4: (void)!read(fd, some_address(), random_below(ROOM)); break;
	case 5: (void)!read(fd, room, ROOM); break;
	case 6: lseek(fd, (int32_t)random_below(0xffffffff), random_below(5)); break;
	case 7: (void)!pread(fd, room, random_below(4096), random_below(8192)); break;
	case 8: map_some(slot, fd); break;
	case 9: ioctl_some(fd); break;
	case 10: poll(&poll_fd, 1, random_below(2)); break;
	case 11:
		close(open_files[slot]);
		open_files[slot] = -1;
		break;
	}
}

static void pester(uint64_t seed)
{
	state = seed | 1;
	for (int i = 0; i < OPEN_MAX_FILES; i++)
		open_files[i] = -1;
	room = mmap(NULL, 2 * ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		    -1, 0);
	munmap(room + ROOM, ROOM);
	for (;;)
		do_something();
}

int main(int argc, char **argv)
{
	time_t end = time(NULL) + (argc > 1 ? atoi(argv[1]) : 0);
	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) :
				   (uint64_t)time(NULL) * 1000003 + getpid();
	long rounds;

	if (argc < 2) {
		fprintf(stderr, "Usage: pester SECONDS [SEED]\n");
		return 2;
	}
	printf("pester: seed %llu\n", (unsigned long long)seed);
	fflush(stdout);
	signal(SIGIO, SIG_IGN);
	list_names();
	/* Each round ends by killing a child at any point of its work. */
	for (rounds = 0; time(NULL) < end; rounds++) {
		struct timespec t = { .tv_nsec = 20000000 + (rounds * 37 % 400) * 1000000 };
		pid_t pid = fork();

		if (pid < 0)
			return 1;
		if (!pid) {
			signal(SIGIO, SIG_IGN);
			pester(seed + rounds * 7919);
		}
		nanosleep(&t, NULL);
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	printf("pester: %ld children killed\n", rounds);
	return 0;
}
