// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * reader - takes whole buffers of one CPU from /proc/evtlog/cpuN, by reading or mapping, and checks
 * their headers.
 *
 * A second user of the kernel's interface in addition to logd; tests kill it at any time. It keeps
 * data only if a file is named.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <evtlog/abi.h>

static const char *path;

static void die(const char *what)
{
	fprintf(stderr, "reader: %s: %s: %s\n", path, what, strerror(errno));
	exit(1);
}

static void wrong(const char *what, uint64_t value)
{
	fprintf(stderr, "reader: %s: %s: %#llx\n", path, what,
		(unsigned long long)value);
	exit(3);
}

static long read_number(const char *file)
{
	char text[32] = "";
	int fd = open(file, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0)
		die(file);
	close(fd);
	return atol(text);
}

static void check(const struct evtlog_buffer_header *h, size_t bytes, unsigned int cpu)
{
	static struct evtlog_buffer_header last;

	if (h->magic != EVTLOG_BUFFER_MAGIC || h->abi_version != EVTLOG_ABI_VERSION ||
	    h->header_bytes != sizeof(*h))
		wrong("not a buffer, its magic is", h->magic);
	if (h->cpu != cpu)
		wrong("a buffer of CPU", h->cpu);
	if (h->used_bytes != bytes || bytes < sizeof(*h))
		wrong("used bytes", h->used_bytes);
	if (last.magic && h->run < last.run)
		wrong("a buffer of an earlier run", h->run);
	if (last.magic && h->run == last.run && h->sequence != last.sequence + 1)
		wrong("sequence out of order", h->sequence);
	if (h->end_ticks < h->begin_ticks)
		wrong("ends before it begins", h->end_ticks);
	last = *h;
}

static void keep(int fd, const void *data, size_t bytes)
{
	if (fd >= 0 && write(fd, data, bytes) != (ssize_t)bytes)
		die("write");
}

/* Returns false if there is no buffer now. */
static bool take_by_read(int fd, void *buffer, size_t room, unsigned int cpu, int out)
{
	ssize_t bytes = read(fd, buffer, room);

	if (bytes < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	if (bytes < 0)
		die("read");
	check(buffer, bytes, cpu);
	keep(out, buffer, bytes);
	return true;
}

static bool take_by_map(int fd, const char *map, unsigned int cpu, int out)
{
	struct evtlog_get get;

	if (ioctl(fd, EVTLOG_IOC_GET, &get)) {
		if (errno == EAGAIN || errno == EINTR)
			return false;
		die("EVTLOG_IOC_GET");
	}
	check((const void *)(map + get.offset), get.used_bytes, cpu);
	keep(out, map + get.offset, get.used_bytes);
	if (ioctl(fd, EVTLOG_IOC_PUT))
		die("EVTLOG_IOC_PUT");
	return true;
}

int main(int argc, char **argv)
{
	bool by_map = argc > 1 && !strcmp(argv[1], "map");
	size_t buffer_bytes, map_bytes;
	time_t end;
	void *memory;
	struct pollfd poll_fd;
	unsigned int cpu;
	long taken = 0;
	char name[64];
	int fd, out = -1;

	if (argc < 4) {
		fprintf(stderr, "Usage: reader read|map CPU SECONDS [FILE]\n");
		return 2;
	}
	cpu = atoi(argv[2]);
	end = time(NULL) + atoi(argv[3]);
	snprintf(name, sizeof(name), "/proc/evtlog/cpu%u", cpu);
	path = name;
	if (argc > 4) {
		out = open(argv[4], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
		if (out < 0)
			die(argv[4]);
	}
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		die("open");
	buffer_bytes = read_number("/proc/evtlog/buffer_kb") * 1024;
	map_bytes = buffer_bytes * read_number("/proc/evtlog/buffers");
	memory = by_map ? mmap(NULL, map_bytes, PROT_READ, MAP_SHARED, fd, 0) :
			  malloc(buffer_bytes);
	if (!memory || memory == MAP_FAILED)
		die("memory");

	poll_fd = (struct pollfd) { .fd = fd, .events = POLLIN };
	while (time(NULL) < end) {
		while (by_map ? take_by_map(fd, memory, cpu, out) :
				take_by_read(fd, memory, buffer_bytes, cpu, out))
			taken++;
		if (poll(&poll_fd, 1, 100) < 0 && errno != EINTR)
			die("poll");
	}
	printf("%ld\n", taken);
	return 0;
}
